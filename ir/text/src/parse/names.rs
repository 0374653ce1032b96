//! Names of SSA values in one isolated scope.
//!
//! Names that end in a number (`%0`, `%arg3`, `%v17`) live in an array per prefix, as far as the number is of the order
//! of the definitions seen; names of at most seven bytes are packed in a word; only others are hashed as text. A table
//! is emptied by its log and used again for the next function.

use terrace_ir::Value;
use terrace_support::HashMap;

/// A name in its cheapest form, one word: the top byte says which form
///
/// Small on purpose: it goes through every use of a value, and a larger one would go through memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key(u64);

/// A use of a value by name, not looked up yet
#[derive(Clone, Copy, Debug)]
pub struct Unresolved {
    pub(crate) at: u32,
    pub(crate) key: Key,
    pub(crate) number: u32,
}

impl Unresolved {
    /// Do both name the same value?
    pub fn is_same(&self, other: &Unresolved) -> bool {
        self.key == other.key && self.number == other.number
    }
}

/// Top byte of a prefix's number and a number; below are those of packed names, their length
const DENSE: u64 = 0x80 << 56;
/// Top byte of the place in the source of a longer name
const LONG: u64 = 0xC0 << 56;

/// Top byte of a value that has no name
const UNNAMED: u64 = 0x40 << 56;

enum Form {
    Dense(usize, usize),
    Short(u64),
    Long(usize),
}

impl Key {
    #[inline]
    pub fn dense(prefix: u8, number: u32) -> Key {
        Key(DENSE | u64::from(prefix) << 32 | u64::from(number))
    }

    /// Of a value that has no name: no name is packed like this
    pub fn unnamed(value: Value) -> Key {
        Key(UNNAMED | u64::from(value.raw()))
    }

    #[inline]
    fn long(at: u32) -> Key {
        Key(LONG | u64::from(at))
    }

    #[inline]
    fn form(self) -> Form {
        match self.0 >> 62 {
            2 => Form::Dense((self.0 >> 32) as u8 as usize, self.0 as u32 as usize),
            3 => Form::Long(self.0 as u32 as usize),
            _ => Form::Short(self.0),
        }
    }
}

/// What a name stands for
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    /// Nothing
    Nothing,
    /// Consecutive values, and the offset of the definition
    Values(Value, u32, u32),
    /// Used but not defined yet: index of the last forward reference to it
    Forward(u32),
    /// Its definition, at this offset, was wrong and has been reported
    Poisoned(u32),
}

#[derive(Clone, Copy, Default)]
struct Entry {
    /// 0 nothing, raw handle of the first value, or one of the two below
    first: u32,
    count: u32,
    at: u32,
}

const FORWARD: u32 = u32::MAX;
const POISONED: u32 = u32::MAX - 1;

impl Entry {
    #[inline]
    fn decode(self) -> Named {
        match self.first {
            FORWARD => Named::Forward(self.count),
            POISONED => Named::Poisoned(self.at),
            raw => {
                Value::from_raw(raw).map_or(Named::Nothing, |value| Named::Values(value, self.count, self.at))
            }
        }
    }

    fn encode(named: Named) -> Entry {
        match named {
            Named::Nothing => Entry::default(),
            Named::Values(value, count, at) => Entry { first: value.raw(), count, at },
            Named::Forward(index) => Entry { first: FORWARD, count: index, at: 0 },
            Named::Poisoned(at) => Entry { first: POISONED, count: 0, at },
        }
    }
}

/// Prefixes of numbered names; append-only, so that a name has one key for the whole parse
pub(crate) struct Prefixes {
    words: Vec<u64>,
}

impl Default for Prefixes {
    fn default() -> Self {
        Prefixes { words: vec![0] }
    }
}

const MAX_PREFIXES: usize = 12;

/// The first bytes, at most seven, and in the top byte their number
#[inline]
fn pack(bytes: &[u8], len: usize) -> u64 {
    let word = match bytes.first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk) & ((1 << (8 * len)) - 1),
        // In registers: through memory the load would wait for the stores of single bytes.
        None => bytes[..len].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    word | (len as u64) << 56
}

impl Prefixes {
    /// The prefix of names that are numbers and nothing else
    pub const NONE: u8 = 0;

    /// Number of a packed prefix, given out now if there is room
    #[inline]
    pub fn number(&mut self, word: u64) -> Option<u8> {
        let known = self.words.iter().position(|other| *other == word).or_else(|| {
            (self.words.len() < MAX_PREFIXES).then(|| {
                self.words.push(word);
                self.words.len() - 1
            })
        });
        known.map(|index| index as u8)
    }

    /// Key of the name that a text begins with, and the offset it is at
    #[inline]
    pub fn key(&mut self, text: &[u8], len: usize, at: u32) -> Key {
        let name = &text[..len];
        let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let prefix = name.len() - digits;
        let canonical = (1..=8).contains(&digits) && prefix <= 7 && (digits == 1 || name[prefix] != b'0');
        if canonical {
            let word = pack(text, prefix);
            let known = self.number(word);
            if let Some(index) = known {
                let number =
                    name[prefix..].iter().fold(0, |number, byte| number * 10 + u32::from(byte - b'0'));
                return Key::dense(index, number);
            }
        }
        if len <= 7 { Key(pack(text, len)) } else { Key::long(at) }
    }
}

/// The names of one isolated scope
#[derive(Default)]
pub(crate) struct Names<'a> {
    dense: Vec<Vec<Entry>>,
    /// Numbers beyond the arrays
    sparse: HashMap<u64, Entry>,
    short: HashMap<u64, Entry>,
    long: HashMap<&'a [u8], Entry>,
    /// Keys defined, innermost region last
    pub defined: Vec<Key>,
    total: u32,
}

impl<'a> Names<'a> {
    /// The longer name that begins here
    fn text(src: &'a [u8], at: usize) -> &'a [u8] {
        let rest = src.get(at..).unwrap_or(&[]);
        let len = rest.iter().position(|&byte| !(crate::lex::is_word(byte) || byte == b'-'));
        &rest[..len.unwrap_or(rest.len())]
    }

    /// What a name stands for
    #[inline]
    pub fn get(&self, src: &'a [u8], key: Key) -> Named {
        let entry = match key.form() {
            Form::Dense(prefix, number) => match self.dense.get(prefix).and_then(|list| list.get(number)) {
                Some(entry) if entry.first != 0 => Some(entry),
                _ if self.sparse.is_empty() => None,
                _ => self.sparse.get(&key.0),
            },
            Form::Short(word) => self.short.get(&word),
            Form::Long(at) => self.long.get(Self::text(src, at)),
        };
        entry.map_or(Named::Nothing, |entry| entry.decode())
    }

    /// Let a name stand for something (or nothing)
    #[inline]
    pub fn set(&mut self, src: &'a [u8], key: Key, named: Named) {
        let entry = Entry::encode(named);
        if let Form::Dense(prefix, number) = key.form()
            && self.sparse.is_empty()
            && let Some(old) = self.dense.get_mut(prefix).and_then(|list| list.get_mut(number))
        {
            // Field by field: no copy through memory.
            old.first = entry.first;
            old.count = entry.count;
            old.at = entry.at;
            return;
        }
        self.set_elsewhere(src, key, entry);
    }

    fn set_elsewhere(&mut self, src: &'a [u8], key: Key, entry: Entry) {
        match key.form() {
            Form::Dense(prefix, number) => {
                if !self.sparse.is_empty() && self.sparse.remove(&key.0).is_some() && entry.first == 0 {
                    return;
                }
                if self.dense.len() <= prefix {
                    self.dense.resize_with(prefix + 1, Vec::new);
                }
                let list = &mut self.dense[prefix];
                if let Some(old) = list.get_mut(number) {
                    *old = entry;
                } else if number < 256 + 4 * self.total as usize {
                    list.resize(number + 1, Entry::default());
                    list[number] = entry;
                } else if entry.first != 0 {
                    self.sparse.insert(key.0, entry);
                }
            }
            Form::Short(word) if entry.first == 0 => {
                self.short.remove(&word);
            }
            Form::Short(word) => {
                self.short.insert(word, entry);
            }
            Form::Long(at) if entry.first == 0 => {
                self.long.remove(Self::text(src, at));
            }
            Form::Long(at) => {
                self.long.insert(Self::text(src, at), entry);
            }
        }
    }

    /// Define a name in the innermost region
    #[inline]
    pub fn define(&mut self, src: &'a [u8], key: Key, named: Named) {
        self.total = self.total.saturating_add(1);
        self.set(src, key, named);
        self.defined.push(key);
    }

    /// Forget the names defined since the log had this length
    pub fn forget(&mut self, src: &'a [u8], mark: usize) {
        while self.defined.len() > mark {
            if let Some(key) = self.defined.pop() {
                self.set(src, key, Named::Nothing);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(prefixes: &mut Prefixes, name: &str) -> Key {
        prefixes.key(name.as_bytes(), name.len(), 0)
    }

    #[test]
    fn keys_tell_names_apart() {
        let mut p = Prefixes::default();
        let names = ["0", "00", "1", "a0", "a00", "a", "b", "ab", "arg0", "longer_name", "seven77"];
        let keys: Vec<Key> = names.iter().map(|name| key(&mut p, name)).collect();
        for (n, a) in keys.iter().enumerate() {
            assert!(keys[n + 1..].iter().all(|b| a != b), "{}", names[n]);
            assert_eq!(*a, key(&mut p, names[n]));
        }
    }

    #[test]
    fn far_numbers_move_into_reach() {
        let (src, far) = (&b""[..], Key::dense(0, 1_000_000));
        let mut names = Names::default();
        let value = |n| Named::Values(Value::new(n), 1, 0);
        names.set(src, far, Named::Forward(3));
        assert_eq!(names.get(src, far), Named::Forward(3));
        for n in 0..300_000 {
            names.define(src, Key::dense(0, n), value(n as usize));
        }
        names.define(src, far, value(7));
        assert_eq!(names.get(src, far), value(7));
        names.forget(src, 0);
        assert_eq!(names.get(src, far), Named::Nothing);
        assert_eq!(names.get(src, Key::dense(0, 5)), Named::Nothing);
    }

    #[test]
    fn many_prefixes_fall_back() {
        let mut p = Prefixes::default();
        for n in 0..40u8 {
            let name = [b'a' + n % 26, b'a' + n / 26, b'1'];
            let first = p.key(&name, 3, 0);
            assert_eq!(first, p.key(&name, 3, 0));
        }
    }
}
