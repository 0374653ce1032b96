//! A schedule as text: `label: (sizes) (inputs ; outputs) (cores)`, one step after the other.
//!
//! Here a text is cut into fields; what a field says is the business of [`field`]. Reading back what was printed gives the same.

pub(crate) mod field;
mod print;
mod within;

use crate::broken::{Broken, Rule};
use crate::error::ScheduleError;
use crate::open::{Entry, Field, Holes, Open};
use crate::place::{InEntry, Place};
use crate::schedule::{Schedule, Step};
use field::Spelled;
use std::ops::Range;

pub(crate) use print::spaced;

/// What is accepted, for who is far from it
const FORM: &str = "a step is `label: (sizes) (inputs ; outputs) (cores)`";

impl Schedule<Holes> {
    /// From text: steps in the paper's form, with `//` and `/* */` comments. A step without a label has its position as one
    pub fn read(text: &str) -> Result<Schedule<Holes>, ScheduleError> {
        let mut source = Source { text, pos: 0, step: 1 };
        let mut steps = Vec::new();
        while source.peek()?.is_some() {
            steps.push(source.step(steps.len() + 1)?);
        }
        Ok(Schedule { steps })
    }

    /// From one text per step, as the attribute has them
    pub fn read_steps<'a>(
        steps: impl IntoIterator<Item = &'a str>,
    ) -> Result<Schedule<Holes>, ScheduleError> {
        let read = |(n, text): (usize, &str)| {
            let mut source = Source { text, pos: 0, step: 1 };
            let step = source.step(n + 1).and_then(|step| source.end().map(|()| step));
            step.map_err(|error| error.in_step(n + 1))
        };
        Ok(Schedule { steps: steps.into_iter().enumerate().map(read).collect::<Result<_, _>>()? })
    }
}

impl Schedule<Holes> {
    /// Read a field anew, from a text without blanks
    pub fn read_at(&mut self, place: Place, text: &str) -> Result<(), ScheduleError> {
        fn put<T: Spelled>(field: Option<&mut Field<T>>, text: &str) -> Result<(), Broken> {
            if let Some(field) = field {
                *field = Field::read(text)?;
            }
            Ok(())
        }
        let step = self.steps.get_mut(place.step());
        let read = match place {
            Place::Label(_) => put(step.map(|step| &mut step.label), text),
            Place::Size(_, dim) => put(step.and_then(|step| step.sizes.get_mut(dim)), text),
            Place::Core(_, dim) => put(step.and_then(|step| step.cores.get_mut(dim)), text),
            Place::Entry(entry, own) => match (self.entry_mut(entry), own) {
                (None, _) => Ok(()),
                (Some(entry), InEntry::Region) => put(Some(&mut entry.region), text),
                (Some(entry), InEntry::Layout(part)) => put(entry.layout.get_mut(part), text),
                (Some(entry), InEntry::Word(word)) => put(entry.words.get_mut(word), text),
            },
        };
        read.map_err(|broken| ScheduleError::new(broken, 0..0).in_step(place.step() + 1))
    }
}

impl std::str::FromStr for Step {
    type Err = Broken;

    fn from_str(text: &str) -> Result<Step, Broken> {
        let mut source = Source { text, pos: 0, step: 1 };
        let step = source.step(1).and_then(|step| source.end().map(|()| step));
        step.and_then(|step| step.decided()).map_err(|error| error.broken)
    }
}

/// The text of a field without blanks, and where it stands
struct Token {
    text: String,
    at: Range<usize>,
}

/// What is left of a text
struct Source<'a> {
    text: &'a str,
    pos: usize,
    /// The step that is being read, from 1
    step: usize,
}

impl Source<'_> {
    fn fail<T>(&self, what: impl Into<String>) -> Result<T, ScheduleError> {
        let end = self.text[self.pos..].chars().next().map_or(self.pos, |c| self.pos + c.len_utf8());
        Err(ScheduleError::new(Rule::Syntax.broken(what), self.pos..end))
    }

    /// The next character that is no blank and in no comment
    fn peek(&mut self) -> Result<Option<char>, ScheduleError> {
        loop {
            let rest = &self.text[self.pos..];
            let trimmed = rest.trim_start();
            self.pos += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.pos += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                match trimmed.find("*/") {
                    Some(end) => self.pos += end + 2,
                    None => return self.fail("a comment without an end"),
                }
            } else {
                return Ok(trimmed.chars().next());
            }
        }
    }

    fn end(&mut self) -> Result<(), ScheduleError> {
        match self.peek()? {
            None => Ok(()),
            Some(_) => {
                let rest = &self.text[self.pos..];
                self.fail(format!("`{rest}` is too much"))
            }
        }
    }

    fn opt(&mut self, token: &str) -> Result<bool, ScheduleError> {
        self.peek()?;
        let found = self.text[self.pos..].starts_with(token);
        if found {
            self.pos += token.len();
        }
        Ok(found)
    }

    fn expect(&mut self, token: &str) -> Result<(), ScheduleError> {
        if self.opt(token)? {
            return Ok(());
        }
        let found: String = self.text[self.pos..].chars().take(8).collect();
        self.fail(match found.is_empty() {
            true => format!("expected `{token}`, and there is no more; {FORM}"),
            false => format!("expected `{token}` before `{found}`; {FORM}"),
        })
    }

    /// The text of a field, up to a separator outside of its own brackets
    fn token(&mut self, stops: &[char]) -> Result<Token, ScheduleError> {
        self.peek()?;
        let start = self.pos;
        let mut depth = 0_usize;
        let mut text = String::new();
        let mut end = start;
        while let Some(c) = self.peek()? {
            let ends = |c: char| c.is_alphanumeric() || matches!(c, '^' | '?' | '}' | ')');
            let gap = self.pos > end && text.ends_with(ends);
            if gap && c.is_alphanumeric() {
                break;
            }
            match c {
                '{' | '(' => depth += 1,
                _ if depth == 0 && stops.contains(&c) => break,
                '}' | ')' => depth = depth.saturating_sub(1),
                ';' => break,
                _ => {}
            }
            text.push(c);
            self.pos += c.len_utf8();
            end = self.pos;
        }
        if text.is_empty() {
            return self.fail("expected an entry: a value, `^` or `?`");
        }
        Ok(Token { text, at: start..end })
    }

    fn list<T>(
        &mut self,
        end: &str,
        mut one: impl FnMut(&mut Self) -> Result<T, ScheduleError>,
    ) -> Result<Vec<T>, ScheduleError> {
        let mut all = Vec::new();
        if self.opt(end)? {
            return Ok(all);
        }
        loop {
            all.push(one(self)?);
            if !self.opt(",")? {
                self.expect(end)?;
                return Ok(all);
            }
        }
    }

    fn field<T: Spelled>(&self, token: &Token) -> Result<Field<T>, ScheduleError> {
        let fail = |broken: Broken| ScheduleError::new(broken, token.at.clone()).in_step(self.step);
        Ok(Field { value: Open::read(&token.text).map_err(fail)?, at: token.at.clone() })
    }

    fn fields<T: Spelled>(&mut self, end: &str) -> Result<Vec<Field<T>>, ScheduleError> {
        let stops: Vec<char> = [','].into_iter().chain(end.chars()).collect();
        self.list(end, |source| {
            let token = source.token(&stops)?;
            source.field(&token)
        })
    }

    fn entry(&mut self) -> Result<Entry, ScheduleError> {
        let mut region = self.token(&[',', ';', ')', '[', ':'])?;
        let mut buffer = None;
        if self.opt(":")? {
            buffer = Some((region.text, region.at));
            region = self.token(&[',', ';', ')', '['])?;
        }
        let region = self.field(&region)?;
        let layout = if self.opt("[")? { self.fields("]")? } else { Vec::new() };
        let mut words = Vec::new();
        while self.peek()?.is_some_and(|c| c.is_ascii_alphabetic()) {
            let (start, rest) = (self.pos, &self.text[self.pos..]);
            self.pos += rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let mut word = Token { text: self.text[start..self.pos].to_owned(), at: start..self.pos };
            if self.peek()?.is_some_and(|c| c.is_ascii_digit() || matches!(c, '?' | '{')) {
                let value = self.token(&[',', ';', ')'])?;
                word =
                    Token { text: format!("{}={}", word.text, value.text), at: word.at.start..value.at.end };
            }
            words.push(self.field(&word)?);
        }
        Ok(Entry { buffer, region, layout, words })
    }

    /// A step; the number is its position, from 1
    fn step(&mut self, position: usize) -> Result<Step<Holes>, ScheduleError> {
        self.step = position;
        let label = match self.peek()? {
            Some('(') => position.into(),
            _ => {
                let label = self.token(&[':', '('])?;
                self.expect(":")?;
                self.field(&label)?
            }
        };
        self.opt("(de/re)-comp")?;
        self.expect("(")?;
        let sizes = self.fields(")")?;
        self.expect("(")?;
        let ins = self.list(";", Self::entry)?;
        let outs = self.list(")", Self::entry)?;
        self.expect("(")?;
        let cores = self.fields(")")?;
        Ok(Step { label, sizes, ins, outs, cores })
    }
}

#[cfg(test)]
mod tests {
    use crate::schedule::Step;

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
        let wrong = |text: &str| text.parse::<Step>().expect_err("malformed").to_string();
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
