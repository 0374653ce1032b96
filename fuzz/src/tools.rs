//! The driver as test files run it: the command line stands in the text.

use crate::text;

/// Options that write files, start other programs or can take long
const LEFT_OUT: &[&str] = &["-o", "--output", "--reproducer", "--reference", "--threads"];
/// Back ends in this process
const FORMS: &[&str] = &["mlir", "generic", "opencl", "cuda", "openmp", "memory"];

/// A text that starts with `// test: opt ARGUMENTS` makes output or messages
pub fn tools(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let Some(line) = text.lines().find_map(|line| line.trim_start().strip_prefix("// test: opt")) else {
        return;
    };
    let args = words(line);
    if args.len() > 16 || args.iter().any(|word| LEFT_OUT.iter().any(|other| word.starts_with(other))) {
        return;
    }
    if args.iter().filter_map(|word| word.strip_prefix("--emit=")).any(|form| !FORMS.contains(&form)) {
        return;
    }
    // Seconds that somebody may ask for.
    if args
        .iter()
        .any(|word| ["saturate", "array-map", "tune", "search"].iter().any(|long| word.contains(long)))
    {
        return;
    }
    let tool = terrace_opt::Tool::OPT;
    if let Ok(finished) = terrace_opt::run_on(tool, &args, "fuzz.mlir", text) {
        assert!(
            finished.out.is_some()
                || finished.failed
                || !finished.messages.is_empty()
                || args.iter().any(|a| a == "--verify-diagnostics")
        );
    }
}

/// Words between blanks, blanks in double quotes kept
fn words(line: &str) -> Vec<String> {
    let (mut all, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => all.push(String::new()),
            c => all.last_mut().expect("it starts with one").push(c),
        }
    }
    all.retain(|word| !word.is_empty());
    all
}
