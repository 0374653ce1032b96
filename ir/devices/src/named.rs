//! Device files of the user, found by name.
//!
//! They lie in one folder: `$TERRACE_DEVICES`, else `terrace/devices` in the user's configuration (`$XDG_CONFIG_HOME`, else
//! `~/.config`). Built-in names come first, so that a file never changes what `host` or `cuda` means.

use std::env;
use std::path::PathBuf;

/// The folder
pub fn folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("TERRACE_DEVICES").or_else(|| {
        let own = set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")))?;
        Some(own.join("terrace/devices"))
    })
}

/// Where the file of a name is, or would be; none for what is no name
pub fn path(name: &str) -> Option<PathBuf> {
    is_name(name).then(folder)?.map(|folder| folder.join(format!("{name}.toml")))
}

/// Names of the files that are there, in order
pub fn words() -> Vec<String> {
    let entries = folder().and_then(|folder| std::fs::read_dir(folder).ok());
    let mut words: Vec<String> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".toml")?.to_owned()))
        .filter(|word| is_name(word))
        .collect();
    words.sort();
    words
}

/// Letters, digits, `-`, `_` and `.`, of which the first is none of the last three
fn is_name(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric();
    word.starts_with(plain) && word.chars().all(|c| plain(c) || "-_.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_leave_the_folder() {
        assert!(["my-machine", "x86_64.v5", "7"].into_iter().all(is_name));
        assert!(!["", ".", "..", "../up", "a/b", "-x", "a b", "\u{e4}"].into_iter().any(is_name));
        assert_eq!(path("../up"), None);
    }
}
