//! The grammar of LLVM's command lines: one or two dashes, `--x=v` or `--x v`, `--`, response files.
//!
//! Reads words by a look-up of what each option takes; what the values mean is the caller's affair. Every mistake is
//! reported, in LLVM's words.

use std::collections::VecDeque;
use std::fs::File;
use terrace_support::read;

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

/// Most words that response files may have
const MOST: usize = 100_000;

/// Most bytes that they may have
const MOST_BYTES: usize = 16 << 20;

/// Files that name files do so to this depth
const DEEPEST: usize = 16;

/// Put the words of response files in the place of `@file`; a file that cannot be read stays as it is written
///
/// Words in a file are separated by blanks and line breaks; quotes and backslashes protect, as in LLVM's files for Unix.
/// Files may name files, though not those that they are named in.
///
/// # Errors
/// For a file inside of itself, and for more than any command line has.
pub fn with_response_files(
    words: Vec<String>,
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    let mut pending = VecDeque::from(words);
    // Files whose words are not all taken yet, with the number of words behind them.
    let mut open: Vec<(String, usize)> = Vec::new();
    let (mut seen, mut bytes) = (0, 0);
    while let Some(word) = pending.pop_front() {
        let behind = pending.len();
        while open.pop_if(|(_, last)| behind < *last).is_some() {}
        let Some((file, text)) = word.strip_prefix('@').and_then(|file| Some((file, read(file)?))) else {
            out.push(word);
            continue;
        };
        if open.iter().any(|(other, _)| other == file) {
            return Err(format!("recursive expansion of: '{file}'"));
        }
        let inner = tokens(&text);
        seen += inner.len();
        bytes += text.len();
        if open.len() >= DEEPEST || seen > MOST || bytes > MOST_BYTES {
            return Err(format!("response files are too large or nest too deep, at '{file}'"));
        }
        open.push((file.to_string(), behind));
        inner.into_iter().rev().for_each(|word| pending.push_front(word));
    }
    Ok(out)
}

/// The text of a response file; none where that does not end
pub fn response_file(file: &str) -> Option<String> {
    let bytes = read::up_to(&mut File::open(file).ok()?, MOST_BYTES as u64).ok()?;
    String::from_utf8(bytes).ok()
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
pub fn number<T: TryFrom<i128>>(name: &str, value: &str, kind: &str) -> Result<T, String> {
    integer(value).and_then(|number| number.try_into().ok()).ok_or_else(|| invalid(name, value, kind))
}

/// An integer in LLVM's spelling: `12`, `-3`, `0x1f`, `0b11`, `0o17`, `017`
pub fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let radixes = [("0x", 16), ("0X", 16), ("0b", 2), ("0B", 2), ("0o", 8)];
    let based = radixes.iter().find_map(|(prefix, radix)| Some((digits.strip_prefix(prefix)?, *radix)));
    let octal = || digits.strip_prefix('0').filter(|rest| !rest.is_empty()).map(|rest| (rest, 8));
    let (digits, radix) = based.or_else(octal).unwrap_or((digits, 10));
    // The number's own sign is read above.
    let number = Some(digits).filter(|digits| !digits.starts_with(['+', '-']))?;
    i128::from_str_radix(number, radix).ok().map(|number| sign * number)
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
    fn integers_have_several_radixes() {
        for (text, number) in
            [("12", 12), ("0", 0), ("-3", -3), ("0x1F", 31), ("0b11", 3), ("0o17", 15), ("010", 8)]
        {
            assert_eq!(integer(text), Some(number), "{text}");
        }
        for text in ["", "-", "+5", "0x", "0x-1", "08", "1_0", "--1", "a"] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    #[test]
    fn response_files_name_files() {
        let read = |name: &str| match name {
            "a" => Some("x 'y z'\n@b \\@c".to_string()),
            "b" => Some("\"\" \"q\\\"\"".to_string()),
            _ => None,
        };
        let words = with_response_files(vec!["@a".into(), "@none".into()], &read);
        let words = words.expect("no file is inside of itself");
        assert_eq!(words, ["x", "y z", "", "q\"", "@c", "@none"]);
        let twice = with_response_files(vec!["@b".into(), "@b".into()], &read);
        assert_eq!(twice.map(|words| words.len()), Ok(4));
    }

    #[test]
    fn files_inside_of_themselves_are_refused() {
        let read = |name: &str| match name {
            "a" => Some("@b @b".to_string()),
            _ => Some("x @a".to_string()),
        };
        let error = with_response_files(vec!["y".into(), "@a".into()], &read);
        assert_eq!(error, Err("recursive expansion of: 'a'".to_string()));
    }

    #[test]
    fn files_that_name_many_others_end() {
        // Another name each time, as links give it.
        let more = |name: &str| Some(format!("@{name}/x @{name}/y @{name}/z"));
        assert!(with_response_files(vec!["@a".into()], &more).is_err());
        let wide = |name: &str| Some(format!("@{name}x ").repeat(if name.len() < 9 { 12 } else { 0 }));
        assert!(with_response_files(vec!["@a".into()], &wide).is_err());
        let blank = |_: &str| Some(" ".repeat(1 << 20));
        assert!(with_response_files(vec!["@a".into(); 100], &blank).is_err());
    }
}
