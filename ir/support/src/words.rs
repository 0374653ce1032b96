//! Enums whose cases are words of text.

/// An enum, the words of its cases, and both ways between them, from one list: `ALL`, `WORDS`, `word`, `Display`, `FromStr`
///
/// ```
/// terrace_support::words! {
///     /// Ways to go
///     #[derive(Clone, Copy, PartialEq, Eq, Debug)]
///     pub enum Way {
///         /// Up
///         Up = "up",
///         /// Down
///         Down = "down",
///     }
/// }
/// assert_eq!((Way::Up.word(), "down".parse()), ("up", Ok(Way::Down)));
/// assert_eq!(Way::WORDS, ["up", "down"]);
/// ```
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$doc:meta])* $case:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[$doc])* $case,)*
        }

        #[allow(dead_code)]
        impl $name {
            /// All cases in order
            pub const ALL: &'static [$name] = &[$($name::$case),*];

            /// The words of all cases, in their order
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word in text
            pub const fn word(self) -> &'static str {
                match self { $($name::$case => $word,)* }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> ::std::result::Result<$name, ()> {
                match text { $($word => Ok($name::$case),)* _ => Err(()) }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    crate::words! {
        /// Ways to go
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Way {
            /// Up
            Up = "up",
            /// Down
            Down = "down",
        }
    }

    #[test]
    fn words_come_back() {
        for way in Way::ALL {
            assert_eq!(way.word().parse(), Ok(*way));
            assert_eq!(way.to_string(), way.word());
        }
        assert_eq!("Up".parse::<Way>(), Err(()));
        assert_eq!(Way::WORDS, ["up", "down"]);
        assert_eq!(format!("{:>5}|", Way::Up), "   up|");
    }
}
