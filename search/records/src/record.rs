//! A record: the schedule that a search found for a computation, and what is needed to find it again.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The form of records that this tool writes; greater ones are of newer tools
pub const FORM: u32 = 1;

/// What tells a text from all others: the first 16 bytes of its BLAKE3 hash
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Hash(pub [u8; 16]);

/// What tells a record from all others: the hash of its text. It is the checksum of its line, too
pub type Id = Hash;

impl Hash {
    /// Of a text
    pub fn of(text: impl AsRef<[u8]>) -> Hash {
        let mut first = [0; 16];
        first.copy_from_slice(&blake3::hash(text.as_ref()).as_bytes()[..16]);
        Hash(first)
    }

    /// The beginning, which is enough for people
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text is no hash
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoHash;

impl fmt::Display for NoHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a hash has 32 digits of base 16")
    }
}

impl std::error::Error for NoHash {}

impl FromStr for Hash {
    type Err = NoHash;

    fn from_str(text: &str) -> Result<Hash, NoHash> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 32 || !text.bytes().all(is_digit) {
            return Err(NoHash);
        }
        let mut all = [0; 16];
        for (n, byte) in all.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * n..2 * n + 2], 16).map_err(|_| NoHash)?;
        }
        Ok(Hash(all))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// What a search found for one computation
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The form of the record: [`FORM`]
    pub form: u32,
    /// Of the computation, whatever its names are
    pub program: Hash,
    /// Of the device's numbers, the back end and the threads
    pub target: Hash,
    /// Of the versions of what compiles
    pub compiler: Hash,
    /// Of the machine that measured
    pub machine: Hash,
    /// The schedule, a text for each step
    pub schedule: Vec<String>,
    /// Median seconds of the schedule, when it was confirmed
    pub seconds: f64,
    /// Median seconds of the schedule that is chosen without measuring, in the same rounds; 0 where that did not run
    pub chosen: f64,
    /// For people: what the hashes are of
    pub about: About,
    /// Seconds since 1970, for people
    pub unix: u64,
}

/// What hashes are of, in words; nothing is decided by it
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Name and dimensions of the computation
    pub computation: String,
    /// Back end, device, threads
    pub target: String,
    /// Versions
    pub compiler: String,
    /// The processor, cores
    pub machine: String,
}

impl Record {
    /// How many times as fast as what is chosen without measuring it was
    pub fn gain(&self) -> Option<f64> {
        (self.chosen > 0.0).then(|| self.chosen / self.seconds)
    }

    /// Are its numbers those of a measurement?
    pub(crate) fn is_sound(&self) -> bool {
        self.seconds > 0.0 && self.chosen >= 0.0 && self.seconds.is_finite() && self.chosen.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_read_and_written() {
        let hash = Hash::of("");
        assert_eq!(hash.to_string(), "af1349b9f5f9a1a6a0404dea36dcc949");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert_eq!(hash.short(), "af1349b9f5f9");
        for wrong in [
            "",
            "af13",
            "AF1349b9f5f9a1a6a0404dea36dcc949",
            "af1349b9f5f9a1a6a0404dea36dcc9é",
            "+f1349b9f5f9a1a6a0404dea36dcc949",
        ] {
            assert_eq!(wrong.parse::<Hash>(), Err(NoHash), "{wrong}");
        }
    }
}
