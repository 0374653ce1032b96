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

/// What headers of the C library declare besides: no function of a module is defined by such a name
const LIBRARY: &str = "a64l acoshl acosl alloca arc4random arc4random_buf arc4random_uniform asinhl asinl at_quick_exit atan2l atanhl \
    atanl atexit atof atoi atol atoll bcopy bsearch cbrtl ceill clearenv clearerr clearerr_unlocked copysignl coshl \
    cosl ctermid div_t double_t dprintf drand48 drand48_r drem dremf dreml ecvt ecvt_r environ erand48 erand48_r \
    erfcl erfl exp2l expl explicit_bzero expm1l fabsl fclose fcvt fcvt_r fdim fdimf fdiml fdopen feof feof_unlocked \
    ferror ferror_unlocked fflush fflush_unlocked ffs ffsl ffsll fgetc fgetc_unlocked fgetpos fgets fileno \
    fileno_unlocked finite finitef finitel float_t flockfile floorl fmal fmaxf fmaxl fmemopen fminf fminl fmodl \
    fopen fpclassify fpos_t fprintf fputc fputc_unlocked fputs fread fread_unlocked freopen frexpf frexpl fscanf \
    fseek fseeko fsetpos ftell ftello ftrylockfile funlockfile fwrite fwrite_unlocked gammaf gammal gcvt getc \
    getc_unlocked getchar getchar_unlocked getdelim getenv getline getloadavg getsubopt getw hypotf hypotl ilogb \
    ilogbf ilogbl initstate initstate_r isgreater isinff isinfl isless isnanf isnanl isunordered j0f j0l j1f j1l jnf \
    jnl jrand48 jrand48_r l64a lcong48 lcong48_r ldexpf ldexpl ldiv ldiv_t lgamma_r lgammaf lgammaf_r lgammal \
    lgammal_r lldiv lldiv_t llrint llrintf llrintl llround llroundf llroundl locale_t log10l log1pl log2l logb logbf \
    logbl logl lrand48 lrand48_r lrint lrintf lrintl lround lroundf lroundl mblen mbstowcs mbtowc memccpy memchr \
    memcmp mkdtemp mkstemp mkstemps mktemp modff modfl mrand48 mrand48_r nan nanf nanl nearbyint nearbyintf \
    nearbyintl nextafterf nextafterl nexttoward nexttowardf nexttowardl nrand48 nrand48_r off_t on_exit \
    open_memstream pclose perror popen posix_memalign powl pselect putc putc_unlocked putchar putchar_unlocked \
    putenv puts putw qecvt qecvt_r qfcvt qfcvt_r qgcvt qsort quick_exit rand_r random random_r reallocarray realpath \
    remainderf remainderl remove remquo remquof remquol rename renameat rewind rindex rintl roundl rpmatch scalb \
    scalbf scalbl scalbln scalblnf scalblnl scalbn scalbnf scalbnl scanf seed48 seed48_r setbuf setbuffer setenv \
    setlinebuf setstate setstate_r setvbuf signgam significand significandf significandl sinhl sinl snprintf sprintf \
    sqrtl srand srand48 srand48_r srandom srandom_r sscanf ssize_t stderr stdin stdout stpcpy stpncpy strcasecmp \
    strcasecmp_l strcat strchr strcmp strcoll strcoll_l strcpy strcspn strdup strerror strerror_l strerror_r strlen \
    strncasecmp strncasecmp_l strncat strncmp strncpy strndup strnlen strpbrk strrchr strsep strsignal strspn strstr \
    strtod strtof strtok strtok_r strtol strtold strtoll strtoq strtoul strtoull strtouq strxfrm strxfrm_l system \
    tanhl tanl tempnam tgammaf tgammal tmpfile tmpnam tmpnam_r truncl ungetc unsetenv valloc vdprintf vfprintf \
    vfscanf vprintf vscanf vsnprintf vsprintf vsscanf wcstombs wctomb y0f y0l y1f y1l ynf ynl";

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

/// Is it a word of C, or does a header of the C library declare it?
pub(crate) fn declared_by_headers(name: &str) -> bool {
    reserved(name, "") || LIBRARY.split_ascii_whitespace().any(|word| word == name)
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

    /// Take what headers declare, for a scope of functions and buffers of the module
    pub fn take_library(&mut self) {
        LIBRARY.split_ascii_whitespace().for_each(|name| self.take(name));
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
    fn functions_of_the_library_are_known() {
        for name in ["nan", "scalbn", "remove", "system", "float_t", "while"] {
            assert!(declared_by_headers(name), "{name}");
        }
        assert!(!declared_by_headers("product"));
    }

    #[test]
    fn only_variables_are_called_like_functions_of_the_library() {
        let mut names = Names::new("");
        names.push();
        assert_eq!(names.fresh("nan"), "nan");
        names.take_library();
        assert_eq!(names.fresh("remove"), "remove_1");
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
