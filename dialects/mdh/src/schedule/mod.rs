//! Schedules: (de/re)-composition steps as tokens (paper: Rasch and others, CC 2023).
//!
//! A computation carries its schedule as the discardable attribute `mdh.schedule`: an array of strings, one step each, in
//! the paper's own form `label: (sizes) (inputs ; outputs) (cores)`. Order in the array is from coarse to fine, labels are
//! the order of loops in code. Tokens first, meaning second: what a step means to a computation is the business of
//! whoever carries it out; here only the form is read and printed.
//!
//! | token | |
//! |---|---|
//! | size | number or `^` (as above), then `~limit`, `~mask`, `~peel` or `~pad` when it need not divide |
//! | memory | `^` (no new buffer) or `REGION`, `REGION[2/64,1,2%64]`: dimensions of the buffer from 1 in storage order; then words |
//! | word | `nt` (results go past the caches), `stages 3` (copies run two rounds ahead), `swizzle 1` (rows are turned against each other), `xor 4` (groups of four change places in each row), `prefetch 1` (asked for a round before) |
//! | core | `^` (as above) or `LAYER.axis`, then a mechanism in parentheses |

mod draft;
mod known;
mod regions;
mod words;

pub use draft::{Draft, DraftError, DraftStep, Memory, Token, spoken};
pub use known::Facts;
pub use words::Words;

use std::fmt;
use terrace_devices::{Axis, Layer, Mechanism, Region};
use terrace_ir::{Attr, Context};

/// Name of the attribute
pub const SCHEDULE: &str = "mdh.schedule";

/// Discardable attribute of a computation: threads of a warp on the device that its schedule is for; 32 if it is not there
pub const SUBGROUP: &str = "mdh.subgroup";

/// Discardable attribute of a computation: its schedule is for a device with a grid. A schedule with blocks, warps or a block's
/// memory says so by itself; one of threads only is one block there, and tasks elsewhere
pub const GRID: &str = "mdh.grid";

/// What happens where a size does not divide
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// Loops end early
    Limit,
    /// Lanes are masked
    Mask,
    /// The rest gets loops of its own
    Peel,
    /// Tiles are whole: reads outside give zero, writes outside are dropped
    Pad,
}

impl Tail {
    const WORDS: [(&'static str, Tail); 4] =
        [("limit", Tail::Limit), ("mask", Tail::Mask), ("peel", Tail::Peel), ("pad", Tail::Pad)];

    fn word(self) -> &'static str {
        Tail::WORDS.iter().find(|(_, tail)| *tail == self).map_or("", |(word, _)| word)
    }
}

/// Size of a tile
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Elements; `None` for `^`
    pub value: Option<i64>,
    /// Need not divide
    pub tail: Option<Tail>,
}

/// A dimension of a buffer in storage
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it
    Whole(usize),
    /// Which panel
    Div(usize, i64),
    /// Where in the panel
    Mod(usize, i64),
}

impl Part {
    /// Dimension of the buffer, from 0
    pub fn dim(self) -> usize {
        match self {
            Part::Whole(dim) | Part::Div(dim, _) | Part::Mod(dim, _) => dim,
        }
    }
}

/// Where a buffer lies, and how
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Region, such as `L2`
    pub region: Region,
    /// Storage order; empty: as given
    pub layout: Vec<Part>,
    /// What else is said
    pub words: Words,
}

impl Placement {
    /// In a region, in this storage order
    pub fn new(region: Region, layout: Vec<Part>) -> Placement {
        Placement { region, layout, words: Words::default() }
    }
}

/// Which loop of a layer
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CoreAt {
    /// The axis of a parallel layer
    Axis(Axis),
    /// The loop's number in the step, of sequential layers
    Number(u32),
}

/// Who runs the loop of a dimension
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Core {
    /// Layer, such as `THR`
    pub layer: Layer,
    /// Axis, or the loop's number in the step
    pub at: CoreAt,
    /// How a reduced dimension is combined
    pub mechanism: Option<Mechanism>,
}

impl Core {
    /// A parallel loop along an axis
    pub const fn along(layer: Layer, axis: Axis) -> Core {
        Core { layer, at: CoreAt::Axis(axis), mechanism: None }
    }

    /// A sequential loop by its number in the step
    pub fn numbered(layer: Layer, number: usize) -> Core {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        Core { layer, at: CoreAt::Number(number), mechanism: None }
    }

    /// The axis, if it has one
    pub const fn axis(self) -> Option<Axis> {
        match self.at {
            CoreAt::Axis(axis) => Some(axis),
            CoreAt::Number(_) => None,
        }
    }

    /// The loop's number, if it has one
    pub const fn number(self) -> Option<u32> {
        match self.at {
            CoreAt::Axis(_) => None,
            CoreAt::Number(number) => Some(number),
        }
    }
}

/// One (de/re)-composition
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Position in code, from 1; 0: the first step says how things are before any other
    pub label: usize,
    /// A size per dimension
    pub sizes: Vec<Size>,
    /// Per input buffer in order of first access
    pub ins: Vec<Option<Placement>>,
    /// Per output
    pub outs: Vec<Option<Placement>>,
    /// Per dimension; `None` for `^`
    pub cores: Vec<Option<Core>>,
}

/// Steps from coarse to fine
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    /// The steps
    pub steps: Vec<Step>,
}

impl Schedule {
    /// From the attribute; the error says what is wrong in which step
    pub fn from_attr(cx: &Context, attr: Attr) -> Result<Schedule, String> {
        Draft::from_attr(cx, attr)?.resolve().map_err(|error| error.message)
    }

    /// As an attribute
    pub fn to_attr(&self, cx: &Context) -> Attr {
        Draft::from(self).to_attr(cx)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Some(value) => write!(f, "{value}")?,
            None => f.write_str("^")?,
        }
        match self.tail {
            Some(tail) => write!(f, "~{}", tail.word()),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dim() + 1)?;
        match self {
            Part::Whole(_) => Ok(()),
            Part::Div(_, by) => write!(f, "/{by}"),
            Part::Mod(_, by) => write!(f, "%{by}"),
        }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.region)?;
        if !self.layout.is_empty() {
            let parts: Vec<String> = self.layout.iter().map(Part::to_string).collect();
            write!(f, "[{}]", parts.join(","))?;
        }
        self.words.tokens().iter().try_for_each(|word| write!(f, " {}", words::spaced(word)))
    }
}

impl fmt::Display for CoreAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreAt::Axis(axis) => f.write_str(axis.name()),
            CoreAt::Number(number) => write!(f, "{number}"),
        }
    }
}

impl fmt::Display for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.layer, self.at)?;
        match self.mechanism {
            Some(mechanism) => write!(f, "({mechanism})"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: fmt::Display>(all: &[Option<T>]) -> String {
            let words = all.iter().map(|one| one.as_ref().map_or("^".into(), T::to_string));
            words.collect::<Vec<_>>().join(",")
        }
        let sizes: Vec<String> = self.sizes.iter().map(Size::to_string).collect();
        write!(
            f,
            "{}: ({}) ({} ; {}) ({})",
            self.label,
            sizes.join(","),
            list(&self.ins),
            list(&self.outs),
            list(&self.cores)
        )
    }
}

/// What is left of a step's text
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn opt(&mut self, token: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.opt(token) {
            return Ok(());
        }
        let found: String = self.rest.chars().take(8).collect();
        Err(format!("expected `{token}` before `{found}`"))
    }

    fn word(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        self.skip();
        let end = self.rest.find(|c| !test(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn number(&mut self) -> Result<i64, String> {
        self.skip();
        let all = self.rest;
        let word = self.word(|c| c.is_ascii_digit());
        if let Ok(number @ 1..) = word.parse::<i64>() {
            return Ok(number);
        }
        if !word.trim_start_matches('0').is_empty() {
            return Err(format!("`{word}` is too large: {} at most", i64::MAX));
        }
        // What stands there instead, up to the next mark of a step.
        let end = all.find(|c: char| c.is_whitespace() || ",;:()".contains(c)).unwrap_or(all.len());
        match &all[..end] {
            "" => Err("a positive number is missing".into()),
            found => Err(format!("`{found}` is no positive number")),
        }
    }

    /// A step's label; 0 is the start
    fn label(&mut self) -> Result<i64, String> {
        if self.rest == "0" {
            self.rest = "";
            return Ok(0);
        }
        self.number()
    }

    fn name(&mut self) -> Result<String, String> {
        let word = self.word(|c| c.is_ascii_alphanumeric());
        if word.is_empty() { Err("expected a name".into()) } else { Ok(word.into()) }
    }

    fn size(&mut self) -> Result<Size, String> {
        let value = if self.opt("^") { None } else { Some(self.number()?) };
        let mut tail = None;
        if self.opt("~") {
            let word = self.word(|c| c.is_ascii_alphabetic());
            let found = Tail::WORDS.iter().find(|(name, _)| *name == word || word.is_empty());
            let (_, found) = found.ok_or_else(|| format!("`~{word}` is not limit, mask, peel or pad"))?;
            tail = Some(*found);
        }
        Ok(Size { value, tail })
    }

    fn part(&mut self) -> Result<Part, String> {
        let dim = self.number()? as usize - 1;
        if self.opt("/") {
            return Ok(Part::Div(dim, self.number()?));
        }
        if self.opt("%") {
            return Ok(Part::Mod(dim, self.number()?));
        }
        Ok(Part::Whole(dim))
    }

    fn region(&mut self) -> Result<Option<Region>, String> {
        if self.opt("^") {
            return Ok(None);
        }
        let word = self.name()?;
        let region = word
            .parse()
            .map_err(|()| format!("S-REGION: there is no region {word}; MM L3 L2 L1 REG, DM SM RM are"));
        region.map(Some)
    }

    fn core(&mut self) -> Result<Option<Core>, String> {
        if self.opt("^") {
            return Ok(None);
        }
        let word = self.name()?;
        let layer: Layer = word.parse().map_err(|()| {
            let known = Layer::WORDS.map(|(word, _)| word).join(", ");
            format!("S-LAYER: there is no layer {word}; it is one of {known}")
        })?;
        self.expect(".")?;
        let word = self.name()?;
        let at = match (word.parse::<Axis>(), word.parse::<u32>()) {
            (Ok(axis), _) => CoreAt::Axis(axis),
            (_, Ok(number)) => CoreAt::Number(number),
            _ if layer.is_sequential() => {
                return Err(format!("S-AXIS: `{layer}.{word}`: {layer} has numbers, the order of loops"));
            }
            _ => return Err(format!("S-AXIS: `{layer}.{word}`: the axis is x, y or z")),
        };
        let mut mechanism = None;
        if self.opt("(") {
            let word = self.name()?;
            let known = Mechanism::OF_SCHEDULES;
            let found = known.into_iter().find(|known| known.word() == word);
            mechanism = Some(found.ok_or_else(|| {
                let known = known.map(Mechanism::word).join(", ");
                format!("S-ATOMIC: there is no mechanism `({word})`; it is one of {known}")
            })?);
            self.expect(")")?;
        }
        Ok(Some(Core { layer, at, mechanism }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_back() {
        for text in [
            "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)",
            "2: (^,192~limit,^) (^,L2[2/64,1,2%64] ; ^) (FOR.1,FOR.2,FOR.3)",
            "4: (6~peel,64,^) (^,^ ; REG) (FOR.2,FOR.1,THR.x(partials))",
            "1: () ( ; ^) ()",
            "3: (^,256) (SM[2,1] stages 3 swizzle 1,L2 ; REG nt) (FOR.1,WRP.y)",
            "3: (^,256) (SM stages 2 xor 4,^ ; ^) (FOR.1,FOR.2)",
        ] {
            let step: Step = text.parse().expect("well formed");
            assert_eq!(step.to_string(), text);
        }
    }

    #[test]
    fn the_papers_words_may_stand() {
        let paper: Step =
            "2: (de/re)-comp( 4, ^ )( A:SM, B:SM ; C:RM[1,2] )( FOR.2, FOR.1 )".parse().expect("ok");
        assert_eq!(paper.to_string(), "2: (4,^) (SM,SM ; RM[1,2]) (FOR.2,FOR.1)");
    }

    #[test]
    fn mistakes_are_named() {
        let wrong = |text: &str| text.parse::<Step>().expect_err("malformed");
        assert_eq!(wrong("1: (0) (;) ()"), "S-SYNTAX: `0` is no positive number");
        assert_eq!(wrong("1: (-2,1) (;) ()"), "S-SYNTAX: `-2` is no positive number");
        let large = "S-SYNTAX: `9223372036854775808` is too large: 9223372036854775807 at most";
        assert_eq!(wrong("1: (9223372036854775808) (;) ()"), large);
        assert_eq!(wrong("1: (2~half) (;) ()"), "S-SYNTAX: `~half` is not limit, mask, peel or pad");
        assert!(wrong("1: (2) (^)").starts_with("S-SYNTAX: expected `;` before `)`; a step is "));
        assert_eq!(wrong("1: (2) (SM stage 2 ; ^) (^)"), "S-WORD: `stage` is no word; `stages` is");
        assert_eq!(
            wrong("1: (2) (SM stages ; ^) (^)"),
            "S-WORD: `stages` takes a number, such as `stages 2`"
        );
        assert_eq!(wrong("1: (2) (SM swizzle 0 ; ^) (^)"), "S-SYNTAX: `0` is no positive number");
        assert_eq!(wrong("1: (2) (^ ; REG nt 3) (^)"), "S-WORD: `nt` takes no number");
        assert_eq!(wrong("1: (2) (^ ; REG nt nt) (^)"), "S-WORD: `nt` twice");
        assert_eq!(
            wrong("1: (2) (^ nt ; ^) (^)"),
            "S-WORD: `nt` of `^`: words are said of a buffer; name its region"
        );
    }
}
