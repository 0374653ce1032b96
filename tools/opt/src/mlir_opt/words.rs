//! The grammar of LLVM's command lines: one or two dashes, `--x=v` or `--x v`, `--`, response files.
//!
//! Reads words by a look-up of what each option takes; what the values mean is the caller's affair. Every mistake is
//! reported, in LLVM's words.

use std::collections::VecDeque;

/// What an option takes
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Nothing, or a truth value behind `=`
    Flag,
    /// A value behind `=`, or the next word
    Value,
    /// A value behind `=`, or nothing
    Optional,
}

/// An option with its value, in the order of the command line
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// Its name, without dashes
    pub name: String,
    /// Its value, where one is written
    pub value: Option<String>,
}

/// A command line in parts
#[derive(Default, Debug)]
pub struct Words {
    /// Options, in order
    pub options: Vec<Given>,
    /// Words that are no option
    pub files: Vec<String>,
    /// What is wrong, without the program's name
    pub errors: Vec<String>,
}

/// Split a command line
///
/// `takes` says of a name what it takes, `nearest` which name a wrong one may have been.
pub fn split(
    words: Vec<String>,
    program: &str,
    takes: &dyn Fn(&str) -> Option<Takes>,
    nearest: &dyn Fn(&str) -> Option<String>,
) -> Words {
    let mut found = Words::default();
    let mut words = VecDeque::from(words);
    while let Some(word) = words.pop_front() {
        if word == "--" {
            found.files.extend(words.drain(..));
            break;
        }
        let Some(option) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            found.files.push(word);
            continue;
        };
        let option = option.strip_prefix('-').unwrap_or(option);
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (option, None),
        };
        let value = match (takes(name), value) {
            (None, value) => {
                found
                    .errors
                    .push(format!("Unknown command line argument '{word}'.  Try: '{program} --help'"));
                if let Some(near) = nearest(name) {
                    let dashes = if near.len() == 1 { "-" } else { "--" };
                    let value = value.map_or(String::new(), |value| format!("={value}"));
                    found.errors.push(format!("Did you mean '{dashes}{near}{value}'?"));
                }
                continue;
            }
            (Some(Takes::Value), None) => match words.pop_front() {
                Some(next) => Some(next),
                None => {
                    let dashes = if name.len() == 1 { "-" } else { "--" };
                    found.errors.push(format!("for the {dashes}{name} option: requires a value!"));
                    continue;
                }
            },
            (Some(_), value) => value,
        };
        found.options.push(Given { name: name.to_string(), value });
    }
    found
}

/// Most words that response files may stand for
const MOST: usize = 100_000;

/// Put the words of response files in the place of `@file`; a file that cannot be read stays as it is written
///
/// Words in a file are separated by blanks and line breaks; quotes and backslashes protect, as in LLVM's files for Unix.
/// Files may name files.
pub fn with_response_files(words: Vec<String>, read: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut out = Vec::new();
    let mut pending: VecDeque<(String, usize)> = words.into_iter().map(|word| (word, 0)).collect();
    while let Some((word, depth)) = pending.pop_front() {
        let text = word.strip_prefix('@').filter(|_| depth < 16 && pending.len() < MOST).and_then(read);
        match text {
            Some(text) => {
                for word in tokens(&text).into_iter().rev() {
                    pending.push_front((word, depth + 1));
                }
            }
            None => out.push(word),
        }
    }
    out
}

fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quote != Some('\'') => word.get_or_insert_default().extend(letters.next()),
            _ if quote == Some(letter) => quote = None,
            _ if quote.is_some() => word.get_or_insert_default().push(letter),
            '"' | '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            _ if letter.is_whitespace() => found.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    found.extend(word);
    found
}

/// A truth value, or what is wrong with it
pub fn truth(name: &str, value: Option<&str>) -> Result<bool, String> {
    match value {
        None | Some("" | "true" | "TRUE" | "True" | "1") => Ok(true),
        Some("false" | "FALSE" | "False" | "0") => Ok(false),
        Some(other) => Err(format!(
            "for the --{name} option: '{other}' is invalid value for boolean argument! Try 0 or 1"
        )),
    }
}

/// A number, or what is wrong with it; `kind` is LLVM's word for its type
pub fn number<T: std::str::FromStr>(name: &str, value: &str, kind: &str) -> Result<T, String> {
    value.parse().map_err(|_| invalid(name, value, kind))
}

/// What is wrong with a value that is none of its type
pub fn invalid(name: &str, value: &str, kind: &str) -> String {
    format!("for the --{name} option: '{value}' value invalid for {kind} argument!")
}

/// One of several words, or what is wrong with it
pub fn choice<T: Copy>(name: &str, value: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| *word == value);
    found
        .map(|(_, meaning)| *meaning)
        .ok_or_else(|| format!("for the --{name} option: Cannot find option named '{value}'!"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Words {
        let takes = |name: &str| match name {
            "cse" => Some(Takes::Optional),
            "o" => Some(Takes::Value),
            "fast" => Some(Takes::Flag),
            _ => None,
        };
        split(words.iter().map(|word| word.to_string()).collect(), "tool", &takes, &|_| Some("cse".into()))
    }

    #[test]
    fn one_dash_or_two_and_the_next_word() {
        let found = read(&["-o", "-x", "a", "--cse=b=1", "-fast", "--", "-o"]);
        assert_eq!(found.files, ["a", "-o"]);
        let names: Vec<_> =
            found.options.iter().map(|one| (one.name.as_str(), one.value.as_deref())).collect();
        assert_eq!(names, [("o", Some("-x")), ("cse", Some("b=1")), ("fast", None)]);
        assert!(found.errors.is_empty());
    }

    #[test]
    fn what_is_unknown_is_reported_with_its_value() {
        let found = read(&["--csee=1", "-o"]);
        assert_eq!(found.errors[1], "Did you mean '--cse=1'?");
        assert_eq!(found.errors[2], "for the -o option: requires a value!");
    }

    #[test]
    fn response_files_name_files() {
        let read = |name: &str| match name {
            "a" => Some("x 'y z'\n@b \\@c".to_string()),
            "b" => Some("\"\" \"q\\\"\"".to_string()),
            _ => None,
        };
        let words = with_response_files(vec!["@a".into(), "@none".into()], &read);
        assert_eq!(words, ["x", "y z", "", "q\"", "@c", "@none"]);
    }

    #[test]
    fn files_that_name_themselves_end() {
        let words = with_response_files(vec!["@a".into()], &|_| Some("@a @a".to_string()));
        assert!(words.len() <= MOST);
    }
}
