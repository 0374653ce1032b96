//! Stable codes: what kind of mistake, whose fault, and an explanation longer than a message.
//!
//! Each crate lists its codes once, with [`codes!`](crate::codes); the number ranges are in the crate's own docs.
//! A code, once released, keeps its meaning; a message may be reworded at any time.

use std::collections::BTreeMap;
use std::fmt;

/// Whose fault a diagnostic is
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The input is malformed
    Input,
    /// The input is well formed but breaks a rule of an op, type or dialect
    Verifier,
    /// A stated limit (nesting, size, fuel) was reached
    Limit,
    /// A tool or API received a request that doesn't exist or doesn't fit
    Usage,
    /// A file, device, library or other part of the surroundings is missing or failed
    Environment,
    /// Our own mistake: to be reported
    Bug,
}

impl Fault {
    /// One lower-case word, as shown to users
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Input => "input",
            Fault::Verifier => "verifier",
            Fault::Limit => "limit",
            Fault::Usage => "usage",
            Fault::Environment => "environment",
            Fault::Bug => "bug",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is known of a code, whichever diagnostic carries it
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeInfo {
    /// The code as shown, `E` and four digits
    pub id: &'static str,
    /// A few words, without a full stop
    pub title: &'static str,
    /// Whose fault it is
    pub fault: Fault,
    /// The doc comment as written, one leading blank per line; see [`CodeInfo::explanation`]
    pub explain: &'static str,
}

/// A code is a reference to its only description
pub type Code = &'static CodeInfo;

impl CodeInfo {
    /// The long explanation, ready to print
    pub fn explanation(&self) -> String {
        let lines: Vec<&str> = self.explain.lines().map(|l| l.strip_prefix(' ').unwrap_or(l)).collect();
        lines.join("\n").trim_matches('\n').to_owned()
    }

    /// Whether `id` is spelled as a code: `E` and four digits
    pub const fn is_id(id: &str) -> bool {
        let b = id.as_bytes();
        b.len() == 5
            && b[0] == b'E'
            && b[1].is_ascii_digit()
            && b[2].is_ascii_digit()
            && b[3].is_ascii_digit()
            && b[4].is_ascii_digit()
    }
}

/// Define the codes of a module, and `ALL`, the list of them
///
/// The doc comment is the explanation and is required; a malformed id does not compile.
///
/// ```
/// mod codes {
///     terrace_diag::codes! {
///         /// Both operands of an element-wise op have one type.
///         ///
///         /// Convert one of them first.
///         pub OPERAND_TYPES: "E0103" Verifier "operand types differ";
///     }
/// }
/// assert_eq!(codes::ALL.len(), 1);
/// assert_eq!(codes::OPERAND_TYPES.id, "E0103");
/// ```
#[macro_export]
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $vis:vis $name:ident : $id:literal $fault:ident $title:literal);* $(;)?) => {
        $(
            $(#[doc = $doc])+
            $vis static $name: $crate::CodeInfo = $crate::CodeInfo {
                id: $id,
                title: $title,
                fault: $crate::Fault::$fault,
                explain: ::core::concat!($($doc, "\n"),+),
            };
            const _: () = ::core::assert!($crate::CodeInfo::is_id($id), "a code is `E` and four digits");
        )*
        /// Every code defined here, in order of definition
        pub static ALL: &[$crate::Code] = &[$(&$name),*];
    };
}

/// The code spelled `id` (letter case aside), if one of `lists` has it
pub fn find(lists: &[&[Code]], id: &str) -> Option<Code> {
    lists.iter().flat_map(|list| list.iter()).copied().find(|code| code.id.eq_ignore_ascii_case(id))
}

/// Codes that are defined more than once, each with its titles
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Twice(pub Vec<(&'static str, Vec<&'static str>)>);

impl fmt::Display for Twice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (id, titles)) in self.0.iter().enumerate() {
            let end = if n == 0 { "" } else { "\n" };
            write!(f, "{end}{id} is defined {} times: {}", titles.len(), titles.join("; "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Twice {}

/// Check that no code is defined twice
pub fn check_unique(lists: &[&[Code]]) -> Result<(), Twice> {
    let mut titles: BTreeMap<&'static str, Vec<&'static str>> = BTreeMap::new();
    for code in lists.iter().flat_map(|list| list.iter()) {
        titles.entry(code.id).or_default().push(code.title);
    }
    let twice: Vec<_> = titles.into_iter().filter(|(_, titles)| titles.len() > 1).collect();
    if twice.is_empty() { Ok(()) } else { Err(Twice(twice)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    mod a {
        crate::codes! {
            /// First line.
            ///
            ///   indented
            pub ONE: "E0001" Input "one";
            /// Two.
            pub TWO: "E0002" Bug "two";
        }
    }
    mod b {
        crate::codes! {
            /// Clashes.
            pub OTHER: "E0002" Limit "other";
        }
    }

    #[test]
    fn doc_comment_is_the_explanation() {
        assert_eq!(a::ONE.explanation(), "First line.\n\n  indented");
    }

    #[test]
    fn lists_in_order_and_finds() {
        assert_eq!(a::ALL.iter().map(|c| c.id).collect::<Vec<_>>(), ["E0001", "E0002"]);
        assert_eq!(find(&[a::ALL], "e0002"), Some(&a::TWO));
        assert_eq!(find(&[a::ALL], "E0003"), None);
    }

    #[test]
    fn unique_unless_two_lists_clash() {
        assert_eq!(check_unique(&[a::ALL]), Ok(()));
        let twice = check_unique(&[a::ALL, b::ALL]).expect_err("E0002 is");
        assert_eq!(twice.to_string(), "E0002 is defined 2 times: two; other");
    }

    #[test]
    fn ids_have_four_digits() {
        assert!(CodeInfo::is_id("E0103"));
        assert!(!CodeInfo::is_id("E103") && !CodeInfo::is_id("X0103") && !CodeInfo::is_id("E010a"));
    }
}
