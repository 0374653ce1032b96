//! The page of codes.

use super::unindented;
use terrace_diag::Code;

/// All codes in order of their numbers
pub(super) fn page(lists: &[&'static [Code]]) -> String {
    let mut codes: Vec<Code> = lists.iter().flat_map(|list| list.iter().copied()).collect();
    codes.sort_by_key(|code| code.id);
    let mut out = String::from(
        "# Codes\n\nEvery error has a code; `terrace-opt --explain=CODE` shows its entry. The second column says whose fault it \
         is.\n\n| Code | Fault | What |\n|---|---|---|\n",
    );
    for code in &codes {
        let id = code.id;
        out.push_str(&format!("| [{id}](#{}) | {} | {} |\n", id.to_lowercase(), code.fault, code.title));
    }
    for code in &codes {
        out.push_str(&format!("\n## {}\n\n**{}**\n\n{}\n", code.id, code.title, unindented(code.explain)));
    }
    out
}
