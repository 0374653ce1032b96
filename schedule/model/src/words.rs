//! Enums that text writes as one word each.

/// Words of an enum: `Display` and `FromStr` from one list
#[macro_export]
macro_rules! words {
    ($ty:ident: $($variant:ident $word:literal),*) => {
        impl $ty {
            /// All words, for messages
            pub const WORDS: &'static [&'static str] = &[$($word),*];
        }
        impl std::fmt::Display for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($ty::$variant => $word),* })
            }
        }
        impl std::str::FromStr for $ty {
            type Err = ();
            fn from_str(text: &str) -> Result<Self, ()> {
                match text { $($word => Ok($ty::$variant),)* _ => Err(()) }
            }
        }
    };
}
