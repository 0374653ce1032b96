//! The cursor over the source text.
//!
//! No token objects: the parser looks at the next byte and takes what it expects. Invariant: `pos` is at the first byte
//! of the next token (blanks and `//` comments are behind it) or at `end`. Reading at or beyond `end` gives 0.

/// Classes of bytes
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const DOLLAR_DOT: u8 = 4;
const DASH: u8 = 8;
const BLANK: u8 = 16;
/// May begin a comment
const SLASH: u8 = 32;

static CLASS: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = if b.is_ascii_alphabetic() || b == b'_' {
            LETTER
        } else if b.is_ascii_digit() {
            DIGIT
        } else if b == b'$' || b == b'.' {
            DOLLAR_DOT
        } else if b == b'-' {
            DASH
        } else if matches!(b, b' ' | b'\t' | b'\n' | b'\r') {
            BLANK
        } else if b == b'/' {
            SLASH
        } else {
            0
        };
        byte += 1;
    }
    table
};

/// Can this byte begin a word?
#[inline]
pub fn is_letter(byte: u8) -> bool {
    CLASS[byte as usize] & LETTER != 0
}

/// Can this byte go on a word?
#[inline]
pub fn is_word(byte: u8) -> bool {
    CLASS[byte as usize] & (LETTER | DIGIT | DOLLAR_DOT) != 0
}

/// The cursor
pub struct Lexer<'a> {
    /// The whole source
    pub text: &'a str,
    /// Its bytes
    pub src: &'a [u8],
    /// First byte of the next token
    pub pos: usize,
    /// End of the last token
    pub last: usize,
    /// Where to stop
    pub end: usize,
    /// Braces open at `pos`, for recovery
    pub braces: u32,
}

impl<'a> Lexer<'a> {
    /// At the first token
    pub fn new(text: &'a str) -> Self {
        let mut lexer = Lexer { text, src: text.as_bytes(), pos: 0, last: 0, end: text.len(), braces: 0 };
        lexer.skip_blanks();
        lexer
    }

    /// Byte at an offset from the next token
    #[inline]
    pub fn at(&self, n: usize) -> u8 {
        let at = self.pos + n;
        if at < self.end { self.src[at] } else { 0 }
    }

    /// First byte of the next token
    #[inline]
    pub fn peek(&self) -> u8 {
        if self.pos < self.end { self.src[self.pos] } else { 0 }
    }

    /// Nothing left?
    #[inline]
    pub fn is_end(&self) -> bool {
        self.pos >= self.end
    }

    /// Skip blanks and comments
    #[inline]
    pub fn skip_blanks(&mut self) {
        // Most often there is one blank or none.
        if self.peek() == b' ' {
            self.pos += 1;
        }
        if CLASS[self.peek() as usize] & (BLANK | SLASH) != 0 {
            self.skip_more();
        }
    }

    #[inline(never)]
    fn skip_more(&mut self) {
        while self.pos < self.end {
            let byte = self.src[self.pos];
            if CLASS[byte as usize] & BLANK != 0 {
                self.pos += 1;
            } else if byte == b'/' && self.at(1) == b'/' {
                while self.pos < self.end && self.src[self.pos] != b'\n' {
                    self.pos += 1;
                }
            } else {
                break;
            }
        }
    }

    /// Take `n` bytes as a token
    #[inline]
    pub fn bump(&mut self, n: usize) {
        self.pos += n;
        self.last = self.pos;
        self.skip_blanks();
    }

    /// Go back (or on) to a place that was a token's start
    pub fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }

    /// Take one byte if it comes next
    #[inline]
    pub fn eat(&mut self, byte: u8) -> bool {
        if self.peek() == byte && !self.is_end() {
            match byte {
                b'{' => self.braces += 1,
                b'}' => self.braces = self.braces.saturating_sub(1),
                _ => {}
            }
            self.bump(1);
            true
        } else {
            false
        }
    }

    /// Does this text come next, byte for byte?
    #[inline]
    pub fn looking_at(&self, text: &str) -> bool {
        self.src[self.pos.min(self.end)..self.end].starts_with(text.as_bytes())
    }

    /// Take punctuation of any length if it comes next
    pub fn eat_punct(&mut self, text: &str) -> bool {
        if let [byte] = text.as_bytes() {
            // `:` is not the half of `::`, nor `-` the half of `->`.
            let longer = matches!((*byte, self.at(1)), (b':', b':') | (b'-', b'>'));
            return !longer && self.eat(*byte);
        }
        let found = self.looking_at(text);
        if found {
            for byte in text.bytes() {
                match byte {
                    b'{' => self.braces += 1,
                    b'}' => self.braces = self.braces.saturating_sub(1),
                    _ => {}
                }
            }
            self.bump(text.len());
        }
        found
    }

    /// Length of the word (`bare-id`) that comes next, 0 for none
    #[inline]
    pub fn word_len(&self) -> usize {
        if !is_letter(self.peek()) {
            return 0;
        }
        self.run(1, is_word)
    }

    /// From `n` bytes on, the end of a run of bytes that satisfy a test
    #[inline]
    pub fn run(&self, mut n: usize, test: impl Fn(u8) -> bool) -> usize {
        while self.pos + n < self.end && test(self.src[self.pos + n]) {
            n += 1;
        }
        n
    }

    /// The word that comes next, not taken; empty for none
    #[inline]
    pub fn peek_word(&self) -> &'a str {
        self.slice(self.pos, self.pos + self.word_len())
    }

    /// Take a word if one comes next
    #[inline]
    pub fn word(&mut self) -> Option<&'a str> {
        let len = self.word_len();
        if len == 0 {
            return None;
        }
        let word = self.slice(self.pos, self.pos + len);
        self.bump(len);
        Some(word)
    }

    /// Take exactly this word if it comes next
    #[inline]
    pub fn eat_word(&mut self, word: &str) -> bool {
        if self.looking_at(word) && !is_word(self.at(word.len())) {
            self.bump(word.len());
            true
        } else {
            false
        }
    }

    /// Part of the source; empty where the bounds are no characters' borders
    #[inline]
    pub fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    /// Length of the name after a sigil (`%`, `^`): digits, or a letter or `$._-` and what follows
    #[inline]
    pub fn suffix_len(&self, from: usize) -> usize {
        let first = CLASS[self.at(from) as usize];
        if first & DIGIT != 0 {
            self.run(from, |byte| byte.is_ascii_digit()) - from
        } else if first & (LETTER | DOLLAR_DOT | DASH) != 0 {
            self.run(from, |byte| CLASS[byte as usize] & (LETTER | DIGIT | DOLLAR_DOT | DASH) != 0) - from
        } else {
            0
        }
    }

    /// Length of the token that comes next, for carets
    pub fn token_len(&self) -> usize {
        let byte = self.peek();
        let len = match byte {
            _ if self.is_end() => 0,
            b'%' | b'^' | b'#' | b'!' | b'@' => 1 + self.run(1, is_word) - 1,
            b'"' => self.string_len().unwrap_or_else(|| self.run(1, |byte| byte != b'\n')),
            b'-' if self.at(1) == b'>' => 2,
            b':' if self.at(1) == b':' => 2,
            _ if is_word(byte) => self.run(1, is_word),
            _ => 1,
        };
        let mut end = (self.pos + len).min(self.end);
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        end - self.pos.min(end)
    }

    /// Length of the string literal that comes next with its quotes; `None` if it does not end on its line
    pub fn string_len(&self) -> Option<usize> {
        let mut n = 1;
        loop {
            match self.at(n) {
                b'"' => return Some(n + 1),
                b'\\' => n += 2,
                b'\n' => return None,
                0 if self.pos + n >= self.end => return None,
                _ => n += 1,
            }
        }
    }
}

/// Value of a string literal's inside; `Err` with the offset of an escape that is none
///
/// Escapes are `\"`, `\\`, `\n`, `\t` and two hexadecimal digits. The result may be bytes that are not UTF-8.
pub fn unescape(inside: &str) -> Result<Vec<u8>, usize> {
    let bytes = inside.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let hex = |n: usize| bytes.get(at + n).and_then(|&byte| char::from(byte).to_digit(16));
        match bytes.get(at + 1) {
            Some(b'"') => out.push(b'"'),
            Some(b'\\') => out.push(b'\\'),
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            _ => {
                let (Some(high), Some(low)) = (hex(1), hex(2)) else { return Err(at) };
                out.push((high * 16 + low) as u8);
                at += 1;
            }
        }
        at += 2;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_blanks_and_comments() {
        let mut lexer = Lexer::new(" // a\n\t// b\n x // c\n y");
        assert_eq!(lexer.word(), Some("x"));
        assert_eq!(lexer.word(), Some("y"));
        assert!(lexer.is_end());
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape("a\\22\\\\\\n\\C3\\A9"), Ok("a\"\\\né".into()));
        assert_eq!(unescape("ab\\"), Err(2));
        assert_eq!(unescape("\\4"), Err(0));
    }

    #[test]
    fn strings_end_on_their_line() {
        assert_eq!(Lexer::new("\"a\\\"b\" c").string_len(), Some(6));
        assert_eq!(Lexer::new("\"a\n\"").string_len(), None);
        assert_eq!(Lexer::new("\"a\\").string_len(), None);
    }

    #[test]
    fn words_are_whole() {
        let mut lexer = Lexer::new("tool to");
        assert!(!lexer.eat_word("to"));
        assert_eq!(lexer.word(), Some("tool"));
        assert!(lexer.eat_word("to"));
    }
}
