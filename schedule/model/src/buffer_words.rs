//! Words after a buffer's region: how it is filled, stored and emptied. They change no value.

use crate::broken::{Broken, Rule};

/// A word after the region of a buffer
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// Non-temporal stores
    Nt,
    /// Number of stages
    Stages(i64),
    /// Rows are rotated by this number of elements
    Swizzle(i64),
    /// Groups of this number of elements are permuted
    Xor(i64),
    /// Prefetched this number of iterations ahead
    Prefetch(i64),
}

/// The words of a buffer
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// The copy-out uses non-temporal stores: no later code reads the result soon
    pub nt: bool,
    /// Number of stages: copies into the buffer run this number less one of iterations ahead
    pub stages: Option<i64>,
    /// Each row is rotated by this number of elements against the row before
    pub swizzle: Option<i64>,
    /// Groups of this number of elements are permuted within each row, by exclusive or with the row's number
    pub xor: Option<i64>,
    /// Elements are prefetched this number of iterations of the enclosing loop before their read
    pub prefetch: Option<i64>,
}

impl Words {
    /// One by one, in a fixed order
    pub fn list(self) -> Vec<Word> {
        let nt = self.nt.then_some(Word::Nt);
        let numbered = [
            self.stages.map(Word::Stages),
            self.swizzle.map(Word::Swizzle),
            self.xor.map(Word::Xor),
            self.prefetch.map(Word::Prefetch),
        ];
        nt.into_iter().chain(numbered.into_iter().flatten()).collect()
    }

    /// Is nothing said?
    pub fn is_empty(self) -> bool {
        self == Words::default()
    }

    /// One more
    pub(crate) fn add(&mut self, word: Word) -> Result<(), Broken> {
        let twice = match word {
            Word::Nt => std::mem::replace(&mut self.nt, true),
            Word::Stages(number) => self.stages.replace(number).is_some(),
            Word::Swizzle(number) => self.swizzle.replace(number).is_some(),
            Word::Xor(number) => self.xor.replace(number).is_some(),
            Word::Prefetch(number) => self.prefetch.replace(number).is_some(),
        };
        if twice { Err(Rule::Word.broken(format!("`{}` twice", word.name()))) } else { Ok(()) }
    }
}

impl Word {
    /// Its number, if it takes one
    pub fn number(self) -> Option<i64> {
        match self {
            Word::Nt => None,
            Word::Stages(number) | Word::Swizzle(number) | Word::Xor(number) | Word::Prefetch(number) => {
                Some(number)
            }
        }
    }

    /// The same word with another number
    pub(crate) fn counting(self, number: i64) -> Option<Word> {
        Some(match self {
            Word::Nt => return None,
            Word::Stages(_) => Word::Stages(number),
            Word::Swizzle(_) => Word::Swizzle(number),
            Word::Xor(_) => Word::Xor(number),
            Word::Prefetch(_) => Word::Prefetch(number),
        })
    }
}
