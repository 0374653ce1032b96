//! One field of a step: sizes, parts of layouts, regions, cores.
//!
//! | field | |
//! |---|---|
//! | size | number or `^` (as above), then `~limit`, `~mask`, `~peel` or `~pad` when it need not divide |
//! | memory | `^` (no new buffer) or `REGION`, `REGION[2/64,1,2%64]`: dimensions of the buffer from 1 in storage order; then words |
//! | word | `nt` (non-temporal stores of results), `stages 3` (copies run two iterations ahead), `swizzle 1` (rows are rotated against each other), `xor 4` (groups of four are permuted in each row), `prefetch 1` (prefetched an iteration ahead) |
//! | core | `^` (as above) or `LAYER.axis`, then a mechanism in parentheses |

use crate::schedule::{Core, CoreAt, Part, Size, Tail};
use terrace_devices::{Axis, Layer, Mechanism, Region};

/// What is left of a step's text
pub(crate) struct Reader<'a> {
    pub(crate) rest: &'a str,
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

    pub(crate) fn number(&mut self) -> Result<i64, String> {
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
    pub(crate) fn label(&mut self) -> Result<i64, String> {
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

    pub(crate) fn size(&mut self) -> Result<Size, String> {
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

    pub(crate) fn part(&mut self) -> Result<Part, String> {
        let dim = self.number()? as usize - 1;
        if self.opt("/") {
            return Ok(Part::Div(dim, self.number()?));
        }
        if self.opt("%") {
            return Ok(Part::Mod(dim, self.number()?));
        }
        Ok(Part::Whole(dim))
    }

    pub(crate) fn region(&mut self) -> Result<Option<Region>, String> {
        if self.opt("^") {
            return Ok(None);
        }
        let word = self.name()?;
        let region = word
            .parse()
            .map_err(|()| format!("S-REGION: there is no region {word}; MM L3 L2 L1 REG, DM SM RM are"));
        region.map(Some)
    }

    pub(crate) fn core(&mut self) -> Result<Option<Core>, String> {
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
