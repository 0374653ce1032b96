//! What a loaded dialect leaves to C++ code, as one warning.

use crate::codes;
use crate::define::Loaded;
use terrace_diag::Diagnostic;

/// A warning with counts, if something is left; with a note for each place if details are wanted
pub fn warning(loaded: &Loaded, details: bool) -> Option<Diagnostic> {
    let mut kinds: Vec<(&'static str, usize)> = Vec::new();
    for left in &loaded.left {
        match kinds.iter_mut().find(|(what, _)| *what == left.what) {
            Some((_, count)) => *count += 1,
            None => kinds.push((left.what, 1)),
        }
    }
    if kinds.is_empty() {
        return None;
    }
    kinds.sort_unstable();
    let counts: Vec<String> = kinds.iter().map(|(what, count)| format!("{count} {what}")).collect();
    let message = format!("dialect `{}`: C++ code is not run: {}", loaded.dialect.name, counts.join(", "));
    let mut warning = Diagnostic::warning(&codes::LEFT, message);
    if !details {
        return Some(warning.help("`--dialect-details` lists them"));
    }
    for left in &loaded.left {
        let detail = if left.detail.is_empty() { String::new() } else { format!(": {}", left.detail) };
        warning = warning.note(format!("{}: `{}`{detail}", left.what, left.of));
    }
    Some(warning)
}
