//! What a kernel is launched with, whichever driver launches it.

/// One argument of a launch; `B` is the driver's memory
#[derive(Debug)]
pub enum Arg<'a, B> {
    /// A pointer to memory of the device
    Buffer(&'a B),
    /// 8 bits
    I8(i8),
    /// 16 bits, those of a float too
    I16(i16),
    /// 32 bits
    I32(i32),
    /// 64 bits
    I64(i64),
    /// `float`
    F32(f32),
    /// `double`
    F64(f64),
    /// A pointer to so many bytes of memory of each block (OpenCL's; a CUDA launch passes the size separately)
    Local(usize),
}

// By hand: the memory itself is not copied.
impl<B> Clone for Arg<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for Arg<'_, B> {}

impl<'a, B> Arg<'a, B> {
    /// The number of so many bytes with these bits
    pub fn number(bits: u64, bytes: u32, float: bool) -> Arg<'a, B> {
        match (bytes, float) {
            (4, true) => Arg::F32(f32::from_bits(bits as u32)),
            (8, true) => Arg::F64(f64::from_bits(bits)),
            (1, _) => Arg::I8(bits as i8),
            (2, _) => Arg::I16(bits as i16),
            (4, _) => Arg::I32(bits as i32),
            _ => Arg::I64(bits as i64),
        }
    }

    /// A number as an argument of a launch with any other memory; `None` for what is no number
    pub fn elsewhere<'b, C>(&self) -> Option<Arg<'b, C>> {
        Some(match *self {
            Arg::Buffer(_) | Arg::Local(_) => return None,
            Arg::I8(v) => Arg::I8(v),
            Arg::I16(v) => Arg::I16(v),
            Arg::I32(v) => Arg::I32(v),
            Arg::I64(v) => Arg::I64(v),
            Arg::F32(v) => Arg::F32(v),
            Arg::F64(v) => Arg::F64(v),
        })
    }

    /// What it is, for messages
    pub fn kind(&self) -> &'static str {
        match self {
            Arg::Buffer(_) => "a buffer",
            Arg::Local(_) => "local memory",
            _ => "a number",
        }
    }

    /// A number's bytes at the start of a word; `None` for what is no number
    pub fn word(&self) -> Option<u64> {
        let mut word = [0; 8];
        let mut put = |bytes: &[u8]| word[..bytes.len()].copy_from_slice(bytes);
        match *self {
            Arg::Buffer(_) | Arg::Local(_) => return None,
            Arg::I8(v) => put(&v.to_ne_bytes()),
            Arg::I16(v) => put(&v.to_ne_bytes()),
            Arg::I32(v) => put(&v.to_ne_bytes()),
            Arg::I64(v) => put(&v.to_ne_bytes()),
            Arg::F32(v) => put(&v.to_ne_bytes()),
            Arg::F64(v) => put(&v.to_ne_bytes()),
        }
        Some(u64::from_ne_bytes(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Plain = Arg<'static, ()>;

    #[test]
    fn numbers_stand_at_the_start_of_a_word() {
        assert_eq!(Plain::I8(-1).word().map(u64::to_ne_bytes), Some([255, 0, 0, 0, 0, 0, 0, 0]));
        assert_eq!(
            Plain::F32(1.5).word().map(|word| word.to_ne_bytes()[..4] == 1.5f32.to_ne_bytes()),
            Some(true)
        );
        assert_eq!(Plain::I64(-2).word(), Some(-2i64 as u64));
        assert_eq!((Plain::Local(4).word(), Plain::Buffer(&()).word()), (None, None));
    }

    #[test]
    fn numbers_are_read_by_their_size() {
        assert!(matches!(Plain::number(0x3fc0_0000, 4, true), Arg::F32(1.5)));
        assert!(matches!(Plain::number(0x3e00, 2, true), Arg::I16(0x3e00)));
        assert!(matches!(Plain::number(0xff, 1, false), Arg::I8(-1)));
        assert!(matches!(Plain::number(7, 8, false), Arg::I64(7)));
    }
}
