//! A schedule as text: `label: (sizes) (inputs ; outputs) (cores)`, one step after the other.
//!
//! Reads tokens and prints them; what a token says is the business of [`field`]. Reading back what was printed gives the same.

pub(crate) mod field;

use crate::buffer_words::spaced;
use crate::draft::{Draft, DraftError, DraftStep, Memory, Token, coded};
use crate::schedule::Step;
use std::fmt;

/// What is accepted, for who is far from it
const FORM: &str = "a step is `label: (sizes) (inputs ; outputs) (cores)`";

impl Draft {
    /// From text: steps in the paper's form, with `//` and `/* */` comments. A step without a label has its position as one
    pub fn read(text: &str) -> Result<Draft, DraftError> {
        let mut source = Source { text, pos: 0 };
        let mut steps = Vec::new();
        while source.peek()?.is_some() {
            steps.push(source.step(steps.len() + 1)?);
        }
        Ok(Draft { steps })
    }

    /// From one text per step, as the attribute has them
    pub fn read_steps<'a>(steps: impl IntoIterator<Item = &'a str>) -> Result<Draft, String> {
        let read = |(n, text): (usize, &str)| {
            let mut source = Source { text, pos: 0 };
            let step = source.step(n + 1).and_then(|step| source.end().map(|()| step));
            step.map_err(|error| format!("step {}: {}", n + 1, error.message))
        };
        Ok(Draft { steps: steps.into_iter().enumerate().map(read).collect::<Result<_, _>>()? })
    }
}

impl std::str::FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Step, String> {
        let mut source = Source { text, pos: 0 };
        let step = source.step(1).and_then(|step| source.end().map(|()| step));
        step.and_then(|step| step.resolve()).map_err(|error| error.message)
    }
}

/// What is left of a text
struct Source<'a> {
    text: &'a str,
    pos: usize,
}

impl Source<'_> {
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, DraftError> {
        let end = self.text[self.pos..].chars().next().map_or(self.pos, |c| self.pos + c.len_utf8());
        Err(DraftError { at: self.pos..end, message: coded(message.into()) })
    }

    /// The next character that is no blank and in no comment
    fn peek(&mut self) -> Result<Option<char>, DraftError> {
        loop {
            let rest = &self.text[self.pos..];
            let trimmed = rest.trim_start();
            self.pos += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.pos += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                match trimmed.find("*/") {
                    Some(end) => self.pos += end + 2,
                    None => return self.fail("S-SYNTAX: a comment without an end"),
                }
            } else {
                return Ok(trimmed.chars().next());
            }
        }
    }

    fn end(&mut self) -> Result<(), DraftError> {
        match self.peek()? {
            None => Ok(()),
            Some(_) => {
                let rest = &self.text[self.pos..];
                self.fail(format!("`{rest}` is too much"))
            }
        }
    }

    fn opt(&mut self, token: &str) -> Result<bool, DraftError> {
        self.peek()?;
        let found = self.text[self.pos..].starts_with(token);
        if found {
            self.pos += token.len();
        }
        Ok(found)
    }

    fn expect(&mut self, token: &str) -> Result<(), DraftError> {
        if self.opt(token)? {
            return Ok(());
        }
        let found: String = self.text[self.pos..].chars().take(8).collect();
        self.fail(match found.is_empty() {
            true => format!("expected `{token}`, and there is no more; {FORM}"),
            false => format!("expected `{token}` before `{found}`; {FORM}"),
        })
    }

    /// A field: up to a separator outside of its own brackets
    fn token(&mut self, stops: &[char]) -> Result<Token, DraftError> {
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
            return self.fail("S-SYNTAX: expected an entry: a value, `^` or `?`");
        }
        Ok(Token { text, at: start..end })
    }

    fn list<T>(
        &mut self,
        end: &str,
        mut one: impl FnMut(&mut Self) -> Result<T, DraftError>,
    ) -> Result<Vec<T>, DraftError> {
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

    fn memory(&mut self) -> Result<Memory, DraftError> {
        let mut region = self.token(&[',', ';', ')', '[', ':'])?;
        let mut buffer = None;
        if self.opt(":")? {
            buffer = Some(region);
            region = self.token(&[',', ';', ')', '['])?;
        }
        let layout = if self.opt("[")? { self.list("]", |s| s.token(&[',', ']']))? } else { Vec::new() };
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
            words.push(word);
        }
        Ok(Memory { buffer, region, layout, words })
    }

    fn step(&mut self, position: usize) -> Result<DraftStep, DraftError> {
        let label = match self.peek()? {
            Some('(') => Token::new(position.to_string()),
            _ => {
                let label = self.token(&[':', '('])?;
                self.expect(":")?;
                label
            }
        };
        self.opt("(de/re)-comp")?;
        self.expect("(")?;
        let sizes = self.list(")", |s| s.token(&[',', ')']))?;
        self.expect("(")?;
        let ins = self.list(";", Self::memory)?;
        let outs = self.list(")", Self::memory)?;
        self.expect("(")?;
        let cores = self.list(")", |s| s.token(&[',', ')']))?;
        Ok(DraftStep { label, sizes, ins, outs, cores })
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.region.text)?;
        if !self.layout.is_empty() {
            write!(f, "[{}]", texts(&self.layout))?;
        }
        self.words.iter().try_for_each(|word| write!(f, " {}", spaced(&word.text)))
    }
}

fn texts(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(",")
}

impl fmt::Display for DraftStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |entries: &[Memory]| entries.iter().map(Memory::to_string).collect::<Vec<_>>().join(",");
        let (ins, outs) = (list(&self.ins), list(&self.outs));
        write!(f, "{}: ({}) ({ins} ; {outs}) ({})", self.label.text, texts(&self.sizes), texts(&self.cores))
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
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
