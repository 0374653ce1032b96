//! Schedules as tokens: what people write, draw and leave open, before it means anything.
//!
//! A draft is one tree that five forms print and read: text (here), the attribute `mdh.schedule`, TOML, JSON, and a picture.
//! A field is a [`Token`]: its text without blanks, and where it stood. Fields have names, `step.2.size.1`, so that the
//! other forms are lists of names and texts. Reading back what was printed gives the same tokens.
//!
//! In addition to the tokens of a [`Schedule`] a field may be a hole: `?` (anything), `?N` (anything, the same wherever `?N` stands)
//! or `{4,8}` (one of these); or a part of it is: `FOR.?`, `8~{limit,peel}`, `2/?`, `THR.x(?)`. [`Draft::resolve`] refuses holes; a search fills them in the draft.

use crate::buffer_words::{Words, spaced};
use crate::schedule::{Core, Placement, Schedule, Size, Step};
use crate::text::field::Reader;
use std::fmt;
use std::ops::Range;

/// A field: what stands there, and where
#[derive(Clone, Debug, Default)]
pub struct Token {
    /// Text without blanks
    pub text: String,
    /// Bytes of the source
    pub at: Range<usize>,
}

/// Where a token stood is no part of what it says
impl PartialEq for Token {
    fn eq(&self, other: &Token) -> bool {
        self.text == other.text
    }
}

impl Eq for Token {}

impl Token {
    /// One that stood nowhere
    pub fn new(text: impl Into<String>) -> Token {
        Token { text: text.into(), at: 0..0 }
    }

    /// As the step above
    pub fn above() -> Token {
        Token::new("^")
    }

    /// Is it open?
    pub fn is_hole(&self) -> bool {
        self.text.contains(['?', '{'])
    }
}

/// A buffer's entry
#[derive(Clone, Debug)]
pub struct Memory {
    /// Name that was written; for readers, its position says which buffer it is
    pub buffer: Option<Token>,
    /// `^`, a region, or a hole
    pub region: Token,
    /// Storage order; empty: as given
    pub layout: Vec<Token>,
    /// Further words: `nt`, `stages=2`
    pub words: Vec<Token>,
}

/// The buffer's name is not compared
impl PartialEq for Memory {
    fn eq(&self, other: &Memory) -> bool {
        (&self.region, &self.layout, &self.words) == (&other.region, &other.layout, &other.words)
    }
}

impl Eq for Memory {}

impl Memory {
    /// Only a region, `^` or a hole
    pub fn new(region: Token) -> Memory {
        Memory { buffer: None, region, layout: Vec::new(), words: Vec::new() }
    }
}

/// One (de/re)-composition
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DraftStep {
    /// Position in code
    pub label: Token,
    /// Per dimension
    pub sizes: Vec<Token>,
    /// Per input buffer in order of first access
    pub ins: Vec<Memory>,
    /// Per output
    pub outs: Vec<Memory>,
    /// Per dimension
    pub cores: Vec<Token>,
}

/// Steps from coarse to fine
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draft {
    /// The steps
    pub steps: Vec<DraftStep>,
}

/// What is wrong, and where
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DraftError {
    /// Bytes of the source
    pub at: Range<usize>,
    /// What is wrong and what would be accepted
    pub message: String,
}

impl fmt::Display for DraftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Draft {
    /// The schedule that the tokens say; refused where one is a hole or says nothing
    pub fn resolve(&self) -> Result<Schedule, DraftError> {
        let mut steps = Vec::new();
        for (n, step) in self.steps.iter().enumerate() {
            let resolved = step.resolve();
            steps.push(resolved.map_err(|error| DraftError {
                message: format!("step {}: {}", n + 1, error.message),
                ..error
            })?);
        }
        Ok(Schedule { steps })
    }

    /// Every field with its name, in order of text
    pub fn fields(&self) -> Vec<(String, &Token)> {
        let mut all = Vec::new();
        for (n, step) in self.steps.iter().enumerate() {
            let at = format!("step.{}", n + 1);
            all.push((format!("{at}.label"), &step.label));
            for (k, size) in step.sizes.iter().enumerate() {
                all.push((format!("{at}.size.{}", k + 1), size));
            }
            for (side, entries) in [("in", &step.ins), ("out", &step.outs)] {
                for (k, entry) in entries.iter().enumerate() {
                    let at = format!("{at}.{side}.{}", k + 1);
                    all.push((format!("{at}.region"), &entry.region));
                    for (k, part) in entry.layout.iter().enumerate() {
                        all.push((format!("{at}.layout.{}", k + 1), part));
                    }
                    for (k, word) in entry.words.iter().enumerate() {
                        all.push((format!("{at}.words.{}", k + 1), word));
                    }
                }
            }
            for (k, core) in step.cores.iter().enumerate() {
                all.push((format!("{at}.core.{}", k + 1), core));
            }
        }
        all
    }

    /// A field by its name
    pub fn field_mut(&mut self, name: &str) -> Option<&mut Token> {
        let (rest, index) = name.rsplit_once('.')?;
        match index {
            "label" => return Some(&mut self.step_mut(rest)?.label),
            "region" => return Some(&mut self.entry_mut(rest)?.region),
            _ => {}
        }
        let index = index.parse::<usize>().ok()?.checked_sub(1)?;
        let (owner, what) = rest.rsplit_once('.')?;
        match what {
            "size" => self.step_mut(owner)?.sizes.get_mut(index),
            "core" => self.step_mut(owner)?.cores.get_mut(index),
            "layout" => self.entry_mut(owner)?.layout.get_mut(index),
            "words" => self.entry_mut(owner)?.words.get_mut(index),
            _ => None,
        }
    }

    /// A step by its name, `step.2`
    fn step_mut(&mut self, name: &str) -> Option<&mut DraftStep> {
        let n = name.strip_prefix("step.")?.parse::<usize>().ok()?;
        self.steps.get_mut(n.checked_sub(1)?)
    }

    /// A buffer's entry by its name, `step.2.in.1`
    pub fn entry_mut(&mut self, name: &str) -> Option<&mut Memory> {
        let (rest, index) = name.rsplit_once('.')?;
        let (step, side) = rest.rsplit_once('.')?;
        let step = self.step_mut(step)?;
        let entries = match side {
            "in" => &mut step.ins,
            "out" => &mut step.outs,
            _ => return None,
        };
        entries.get_mut(index.parse::<usize>().ok()?.checked_sub(1)?)
    }

    /// Do the names that were written belong to the buffers at their positions? `None` for one without a name
    pub fn names_fit(&self, ins: &[Option<&str>], outs: &[Option<&str>]) -> Result<(), DraftError> {
        let known = |names: &[Option<&str>]| {
            names.iter().map(|name| name.unwrap_or("_")).collect::<Vec<_>>().join(",")
        };
        for (n, step) in self.steps.iter().enumerate() {
            let entries = step.ins.iter().zip(ins).chain(step.outs.iter().zip(outs));
            for (entry, name) in entries {
                let (Some(found), Some(name)) = (&entry.buffer, name) else { continue };
                if found.text == *name {
                    continue;
                }
                let elsewhere = ins.iter().chain(outs).any(|name| *name == Some(found.text.as_str()));
                let what = match elsewhere {
                    true => format!("`{}` stands where `{name}` belongs", found.text),
                    false => format!("there is no buffer `{}`", found.text),
                };
                let message =
                    format!("step {}: S-BUF: {what}; entries are {} ; {}", n + 1, known(ins), known(outs));
                return Err(DraftError { at: found.at.clone(), message });
            }
        }
        Ok(())
    }

    /// Names of the fields that are holes
    pub fn holes(&self) -> Vec<String> {
        self.fields().into_iter().filter(|(_, token)| token.is_hole()).map(|(name, _)| name).collect()
    }
}

/// What a field's name says to people: `size 2 of step 3`
pub fn spoken(field: &str) -> String {
    let words: Vec<&str> = field.split('.').collect();
    match words.as_slice() {
        ["step", n, "label"] => format!("label of step {n}"),
        ["step", n, what @ ("size" | "core"), k] => format!("{what} {k} of step {n}"),
        ["step", n, side, k, what @ ("layout" | "words")] => format!("{what} of {side}put {k} of step {n}"),
        ["step", n, side, k, "region"] => format!("region of {side}put {k} of step {n}"),
        ["step", n, side, k, "layout", part] => format!("layout {part} of {side}put {k} of step {n}"),
        ["step", n, side, k, "words", word] => format!("word {word} of {side}put {k} of step {n}"),
        _ => field.to_owned(),
    }
}

impl DraftStep {
    pub(crate) fn resolve(&self) -> Result<Step, DraftError> {
        Ok(Step {
            label: field(&self.label, "label", Reader::label)? as usize,
            sizes: self.sizes.iter().map(size).collect::<Result<_, _>>()?,
            ins: self.ins.iter().map(Memory::resolve).collect::<Result<_, _>>()?,
            outs: self.outs.iter().map(Memory::resolve).collect::<Result<_, _>>()?,
            cores: self.cores.iter().map(core).collect::<Result<_, _>>()?,
        })
    }
}

impl Memory {
    /// The place it says; nothing for `^`
    pub(crate) fn resolve(&self) -> Result<Option<Placement>, DraftError> {
        let layout =
            self.layout.iter().map(|part| field(part, "layout", Reader::part)).collect::<Result<_, _>>()?;
        let region = field(&self.region, "region", Reader::region)?;
        let mut words = Words::default();
        for word in &self.words {
            let fail = |message| DraftError { at: word.at.clone(), message: coded(message) };
            if word.is_hole() {
                field(word, "word", |_| Ok(()))?;
            }
            words.add(word).map_err(fail)?;
            if region.is_none() {
                let message = "words are said of a buffer; name its region";
                return Err(fail(format!("S-WORD: `{}` of `^`: {message}", spaced(&word.text))));
            }
        }
        Ok(region.map(|region| Placement { region, layout, words }))
    }
}

/// The size of a token
pub(crate) fn size(token: &Token) -> Result<Size, DraftError> {
    field(token, "size", Reader::size)
}

/// The core of a token; nothing for `^`
pub(crate) fn core(token: &Token) -> Result<Option<Core>, DraftError> {
    field(token, "core", Reader::core)
}

/// Every message has its rule's code in front; what breaks none is no text of a schedule
pub(crate) fn coded(message: String) -> String {
    if message.starts_with("S-") { message } else { format!("S-SYNTAX: {message}") }
}

/// What a token says
fn field<'a, T>(
    token: &'a Token,
    what: &str,
    read: impl Fn(&mut Reader<'a>) -> Result<T, String>,
) -> Result<T, DraftError> {
    let fail = |message| DraftError { at: token.at.clone(), message: coded(message) };
    if token.is_hole() {
        return Err(fail(format!(
            "S-HOLE: {what} `{}` is open; fill it by a search, or write what it is to be",
            token.text
        )));
    }
    let mut reader = Reader { rest: &token.text };
    let value = read(&mut reader).map_err(fail)?;
    if reader.rest.is_empty() {
        Ok(value)
    } else {
        Err(fail(format!("S-SYNTAX: `{}` is too much in {what} `{}`", reader.rest, token.text)))
    }
}

/// A schedule as tokens
impl From<&Schedule> for Draft {
    fn from(schedule: &Schedule) -> Draft {
        let place = |entry: &Option<Placement>| match entry {
            None => Memory::new(Token::above()),
            Some(place) => Memory {
                buffer: None,
                words: place.words.tokens().into_iter().map(Token::new).collect(),
                region: Token::new(place.region.word()),
                layout: place.layout.iter().map(|part| Token::new(part.to_string())).collect(),
            },
        };
        let step = |step: &Step| DraftStep {
            label: Token::new(step.label.to_string()),
            sizes: step.sizes.iter().map(|size| Token::new(size.to_string())).collect(),
            ins: step.ins.iter().map(place).collect(),
            outs: step.outs.iter().map(place).collect(),
            cores: step
                .cores
                .iter()
                .map(|core| core.as_ref().map_or(Token::above(), |core| Token::new(core.to_string())))
                .collect(),
        };
        Draft { steps: schedule.steps.iter().map(step).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: &str = "1: (8,?,^) (^,? ; ?N) (BLK.y,{THR.x,FOR.1},?)\n\
                        ?: ({1,2..4,div},?N,192~peel) (L2[2/?,1,2%64] stages ? swizzle {1,2},^ ; ^) (FOR.1,FOR.2,THR.x(partials))\n";

    #[test]
    fn text_comes_back() {
        let draft = Draft::read(OPEN).expect("well formed");
        assert_eq!(draft.to_string(), OPEN);
        assert_eq!(draft.steps[1].sizes[0].text, "{1,2..4,div}");
    }

    #[test]
    fn comments_blanks_and_missing_labels() {
        let draft =
            Draft::read("( 4 , ^ )( A:SM ; ^ ) // tiles\n ( ^, ^ ) /* cores */").expect("well formed");
        assert_eq!(draft.to_string(), "1: (4,^) (SM ; ^) (^,^)\n");
    }

    #[test]
    fn fields_are_found_by_name() {
        let mut draft = Draft::read(OPEN).expect("well formed");
        let names: Vec<String> = draft.fields().into_iter().map(|(name, _)| name).collect();
        for name in &names {
            assert!(draft.field_mut(name).is_some(), "{name}");
        }
        assert!(names.contains(&"step.2.in.1.layout.3".to_owned()));
        assert!(draft.field_mut("step.0.label").is_none() && draft.field_mut("step.2.in.1.width").is_none());
    }

    #[test]
    fn holes_are_refused_by_name_and_place() {
        let draft = Draft::read("1: (8,?) (^ ; ^) (^,^)").expect("well formed");
        let error = draft.resolve().expect_err("a hole");
        assert_eq!(error.at, 6..7);
        assert!(error.message.starts_with("step 1: S-HOLE: size `?` is open"), "{}", error.message);
        assert_eq!(draft.holes(), ["step.1.size.2"]);
        assert_eq!(spoken("step.1.size.2"), "size 2 of step 1");
    }

    #[test]
    fn mistakes_have_a_place() {
        let wrong = |text: &str| Draft::read(text).map(|draft| draft.resolve());
        assert_eq!(wrong("1: (8,,2) (;) ()").expect_err("empty").at, 6..7);
        assert_eq!(wrong("1: (8x) (;) (^)").expect("form").expect_err("x").at, 4..6);
        let two = wrong("1: (8 2) (;) ()").expect_err("two").message;
        assert!(two.starts_with("S-SYNTAX: expected `)` before `2) (;) (`"), "{two}");
        let end = wrong("1: (8").expect_err("an end").message;
        assert!(end.starts_with("S-SYNTAX: expected `)`, and there is no more"), "{end}");
        assert!(wrong("1: (8) /* (;) ()").is_err());
        assert!(wrong("1: (8").is_err() && wrong("1").is_err() && wrong("1: (8) (^").is_err());
    }
}
