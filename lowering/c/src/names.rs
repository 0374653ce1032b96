//! Names of C variables: the author's where legal and free, numbered otherwise.
//!
//! Names are free again when their C block ends, and never hide one of an outer block.

use terrace_support::{HashMap, HashSet};

/// Words of C and of CUDA C++, and names of the C library that texts call or that compilers know
const EVERYWHERE: &str = "alignas alignof and asm auto bool break case catch char class const constexpr continue \
    default delete do double else enum explicit export extern false float for friend goto if inline int long mutable \
    namespace new not nullptr operator or private protected public register restrict return short signed sizeof \
    static struct switch template this throw true try typedef typename typeof union unsigned using virtual void \
    volatile wchar_t while xor main NULL INFINITY NAN half size_t ptrdiff_t linux unix fma rotate hypot pow exp exp2 \
    exp10 log log2 log10 log1p expm1 sqrt rsqrt cbrt sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh \
    atanh floor ceil round rint trunc fabs fmod fmin fmax erf erfc gamma lgamma tgamma ldexp frexp modf remainder \
    copysign nextafter fmaf sqrtf cbrtf expf exp2f logf log2f log10f sinf cosf tanf asinf acosf atanf atan2f sinhf \
    coshf tanhf asinhf acoshf atanhf floorf ceilf roundf rintf truncf fabsf fmodf powf erff erfcf expm1f log1pf \
    copysignf signbit isnan isinf isfinite isnormal y0 y1 yn j0 j1 jn int8_t int16_t int32_t int64_t uint8_t uint16_t \
    uint32_t uint64_t abort exit abs div labs llabs rand malloc free calloc realloc aligned_alloc memcpy memset \
    memmove bcmp bzero index printf time read write open close select signal clock pause link connect send recv";

/// Names of one C block, and the numbers that are taken of each
#[derive(Default)]
struct Scope {
    names: HashSet<String>,
    /// First number that may be free behind a name
    numbers: HashMap<String, u32>,
}

/// The scopes of one function
pub(crate) struct Names {
    /// Words of the language besides those of C
    words: &'static str,
    scopes: Vec<Scope>,
}

/// An identifier derived from any text; `None` if nothing of it can be kept
pub(crate) fn identifier(text: &str) -> Option<String> {
    let mut name: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    // A leading underscore belongs to the implementation.
    let start = name.find(|c: char| c != '_').unwrap_or(name.len());
    name.drain(..start);
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { Some(name) } else { None }
}

/// Beginnings of names that belong to the languages or to what the text calls: no number at the end makes one free
const BEGINNINGS: [&str; 6] = ["terrace_", "buffer_", "get_", "omp_", "as_", "convert_"];

/// Is the name taken by the language or by what the text calls?
pub(crate) fn reserved(name: &str, words: &str) -> bool {
    let word = |list: &str| list.split_ascii_whitespace().any(|word| word == name);
    word(EVERYWHERE) || word(words) || begins_as_reserved(name)
}

fn begins_as_reserved(name: &str) -> bool {
    BEGINNINGS.iter().any(|start| name.starts_with(start))
}

impl Names {
    /// No scope yet
    pub fn new(words: &'static str) -> Names {
        Names { words, scopes: Vec::new() }
    }

    /// Start a C block
    pub fn push(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// End a C block
    pub fn pop(&mut self) {
        self.scopes.pop();
    }

    fn taken(&self, name: &str) -> bool {
        reserved(name, self.words) || self.scopes.iter().any(|scope| scope.names.contains(name))
    }

    /// Take this name, for something that is named from outside
    pub fn take(&mut self, name: &str) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.to_string());
        }
    }

    /// The name with the first free number from `first` on
    fn with_number(&mut self, name: &str, between: &str, first: u32) -> String {
        let known = self.scopes.iter().filter_map(|scope| scope.numbers.get(name)).max();
        let mut n = known.copied().unwrap_or(first);
        let mut full = format!("{name}{between}{n}");
        while self.taken(&full) {
            n += 1;
            full = format!("{name}{between}{n}");
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.numbers.insert(name.to_string(), n + 1);
        }
        self.take(&full);
        full
    }

    /// A free name like the wanted one: itself, or with the first number that is free
    pub fn fresh(&mut self, wanted: &str) -> String {
        if begins_as_reserved(wanted) {
            return self.fresh(&format!("the_{wanted}"));
        }
        if self.taken(wanted) {
            // A number behind `buffer` would make a name of the language.
            let wanted =
                if begins_as_reserved(&format!("{wanted}_")) { &format!("the_{wanted}") } else { wanted };
            return self.with_number(wanted, "_", 1);
        }
        self.take(wanted);
        wanted.to_string()
    }

    /// A free name of an induction variable: `i`, `j`, …
    pub fn induction(&mut self) -> String {
        let free = ["i", "j", "k", "l", "m", "n"].into_iter().find(|name| !self.taken(name));
        self.fresh(free.unwrap_or("i"))
    }

    /// A free numbered name
    pub fn numbered(&mut self, letter: &str) -> String {
        self.with_number(letter, "", 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Flavor;

    #[test]
    fn names_are_free_again_after_their_block() {
        let mut names = Names::new("");
        names.push();
        assert_eq!(names.fresh("acc"), "acc");
        names.push();
        assert_eq!((names.fresh("acc"), names.induction()), ("acc_1".into(), "i".into()));
        names.pop();
        assert_eq!((names.fresh("acc"), names.induction()), ("acc_1".into(), "i".into()));
    }

    #[test]
    fn words_of_the_languages_are_not_given() {
        let mut names = Names::new("");
        names.push();
        assert_eq!((names.fresh("float"), names.fresh("barrier")), ("float_1".into(), "barrier".into()));
        let mut names = Names::new(Flavor::OpenCl.language().words());
        names.push();
        assert_eq!(names.fresh("clamp"), "clamp_1");
        assert_eq!(identifier("a.b-c").as_deref(), Some("a_b_c"));
        assert_eq!((identifier("0"), identifier("_x").as_deref()), (None, Some("x")));
    }

    #[test]
    fn names_that_no_number_frees() {
        let mut names = Names::new(Flavor::OpenCl.language().words());
        names.push();
        assert_eq!(names.fresh("get_sum"), "the_get_sum");
        assert_eq!(names.fresh("get_sum"), "the_get_sum_1");
        assert_eq!(names.fresh("as_"), "the_as_");
        assert_eq!(names.fresh("as"), "as");
        assert_eq!(names.fresh("as"), "the_as_1");
        assert_eq!((names.fresh("buffer"), names.fresh("buffer")), ("buffer".into(), "the_buffer_1".into()));
    }
}
