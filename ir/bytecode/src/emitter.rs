//! Bytes to be written: numbers, texts, sections.

use crate::numbers::zigzag;

/// Bytes of a part of the file
#[derive(Default)]
pub struct Emitter {
    pub bytes: Vec<u8>,
}

/// Bytes that the length of a section takes whose end is not known yet
const LENGTH: usize = 5;

impl Emitter {
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    #[inline]
    pub fn number(&mut self, value: u64) {
        if value < 128 { self.bytes.push((value as u8) << 1 | 1) } else { self.long_number(value) }
    }

    fn long_number(&mut self, value: u64) {
        let bits = 64 - value.leading_zeros() as usize;
        let len = bits.div_ceil(7);
        if len > 8 {
            self.bytes.push(0);
            self.bytes.extend_from_slice(&value.to_le_bytes());
            return;
        }
        let word = (value << 1 | 1) << (len - 1);
        self.bytes.extend_from_slice(&word.to_le_bytes()[..len]);
    }

    pub fn signed(&mut self, value: i64) {
        self.number(zigzag(value));
    }

    #[inline]
    pub fn flagged(&mut self, value: u64, flag: bool) {
        self.number(value << 1 | u64::from(flag));
    }

    /// A text and the zero byte behind it
    pub fn text(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(0);
    }

    /// Bytes with their number before them
    pub fn blob(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    pub fn section(&mut self, number: u8, content: &Emitter) {
        self.byte(number);
        self.blob(&content.bytes);
    }

    /// Begin a section whose length follows when it ends
    pub fn open(&mut self, number: u8) -> usize {
        self.byte(number);
        self.bytes.extend_from_slice(&[0; LENGTH]);
        self.bytes.len()
    }

    /// End the section that began here
    pub fn close(&mut self, start: usize) {
        let len = (self.bytes.len() - start) as u64;
        // A number may be longer than it must be.
        let word = (len << 1 | 1) << (LENGTH - 1);
        self.bytes[start - LENGTH..start].copy_from_slice(&word.to_le_bytes()[..LENGTH]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Bytes;

    #[test]
    fn numbers_come_back() {
        let mut values = vec![0, u64::MAX];
        for bit in 0..64 {
            values.extend([1 << bit, (1u64 << bit) - 1, (1u64 << bit) + 1]);
        }
        let mut emitter = Emitter::default();
        values.iter().for_each(|value| emitter.number(*value));
        let mut bytes = Bytes::new(&emitter.bytes);
        for value in values {
            assert_eq!(bytes.number().expect("it was written"), value);
        }
        assert!(bytes.is_end());
    }

    #[test]
    fn a_section_has_its_length() {
        let mut emitter = Emitter::default();
        let start = emitter.open(4);
        (0..1000).for_each(|n| emitter.number(n));
        emitter.close(start);
        let (number, content) = Bytes::new(&emitter.bytes).section().expect("it was written");
        assert_eq!((number, content.left()), (4, emitter.bytes.len() - start));
    }
}
