//! Types that an option of a pass can have.

use crate::pass::OptionKind;

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
