//! Enums that have one table of words: `WORDS`, which parses and prints.

/// `Display` and `FromStr` of an enum by its table `WORDS` and its function `word`
macro_rules! by_words {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> Result<$name, ()> {
                $name::WORDS.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or(())
            }
        }
    };
}
pub(crate) use by_words;
