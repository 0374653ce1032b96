//! Types that an option of a pass can have.

/// Kind of an option's value
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true`, `false`; the name alone means true
    Bool,
    /// A decimal integer
    Int,
    /// Anything
    Text,
    /// Names or numbers with commas between
    List,
}

impl OptionKind {
    /// Is the text of this kind? While compiling, where a type's own reading cannot be asked
    pub const fn takes(self, text: &str) -> bool {
        let text = text.as_bytes();
        match self {
            OptionKind::Bool => matches!(text, b"true" | b"false"),
            OptionKind::Int => {
                let mut n = if matches!(text, [b'-', ..]) { 1 } else { 0 };
                let mut digits = false;
                while n < text.len() {
                    if !text[n].is_ascii_digit() {
                        return false;
                    }
                    digits = true;
                    n += 1;
                }
                digits
            }
            OptionKind::Text | OptionKind::List => true,
        }
    }
}

/// A type of an option: how it is spelled in a pipeline
pub trait OptionValue: Sized {
    /// Kind of its text
    const KIND: OptionKind;
    /// Text of the default where none is given
    const DEFAULT: &'static str;
    /// What it takes, for messages: `an integer`
    const WANTS: &'static str;
    /// Read it; `None` if it is not one
    fn parse(text: &str) -> Option<Self>;
}

impl OptionValue for bool {
    const KIND: OptionKind = OptionKind::Bool;
    const DEFAULT: &'static str = "false";
    const WANTS: &'static str = "`true` or `false`";
    fn parse(text: &str) -> Option<bool> {
        text.parse().ok()
    }
}

macro_rules! integers {
    ($($ty:ty: $wants:literal),*) => { $(
        impl OptionValue for $ty {
            const KIND: OptionKind = OptionKind::Int;
            const DEFAULT: &'static str = "0";
            const WANTS: &'static str = $wants;
            fn parse(text: &str) -> Option<$ty> {
                text.parse().ok()
            }
        }
    )* };
}
integers!(
    i64: "an integer",
    u32: "an integer of 32 bits, at least 0",
    u64: "an integer, at least 0",
    usize: "an integer, at least 0"
);

impl OptionValue for String {
    const KIND: OptionKind = OptionKind::Text;
    const DEFAULT: &'static str = "";
    const WANTS: &'static str = "a text";
    fn parse(text: &str) -> Option<String> {
        Some(text.to_string())
    }
}

/// With commas between; an empty text is an empty list
impl<T: OptionValue> OptionValue for Vec<T> {
    const KIND: OptionKind = OptionKind::List;
    const DEFAULT: &'static str = "";
    const WANTS: &'static str = "a list with commas between";
    fn parse(text: &str) -> Option<Vec<T>> {
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(T::parse).collect()
    }
}
