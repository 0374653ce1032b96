//! Functions of Rust source and their lengths; which of them are flat tables

use crate::source::{Blank, Source, blank};

/// Longest function, in lines from `fn` to its closing brace
pub const LIMIT: usize = 80;

/// Longest row of a flat table, in lines
const ROW: usize = 3;

/// Lines of a flat table that are not in the table
const AROUND: usize = 12;

/// A function of a file
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name
    pub name: String,
    /// Line of its `fn`, from zero
    pub line: usize,
    /// Lines from there to its closing brace
    pub lines: usize,
    /// Its body is one list of short rows and little else: a `match`, an array, the arguments of a macro
    pub flat: bool,
}

/// Functions with bodies, those in other functions too; tests at the bottom of the file are left out
pub fn of(file: &Source) -> Vec<Function> {
    let code = blank(&file.text, Blank::CommentsAndStrings);
    let lines: Vec<&str> = code.lines().take(file.lines_before_tests()).collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = name(line) else { continue };
        let Some(end) = end(&lines[start..]) else { continue };
        let flat = flat(&lines[start..=start + end]);
        found.push(Function { name: name.to_owned(), line: start, lines: end + 1, flat });
    }
    found
}

/// Those of a file that are too long
pub fn long(file: &Source) -> Vec<Function> {
    let mut all = of(file);
    all.retain(|function| function.lines > LIMIT && !function.flat);
    all
}

/// The name after `fn`, where a line defines a function
fn name(line: &str) -> Option<&str> {
    let (head, tail) = match line.trim_start().strip_prefix("fn ") {
        Some(tail) => ("", tail),
        None => line.split_once(" fn ")?,
    };
    let modifier = |word: &str| {
        matches!(word, "pub" | "const" | "async" | "unsafe" | "extern" | "default")
            || word.starts_with("pub(")
            || word.starts_with('"')
    };
    if !head.split_whitespace().all(modifier) {
        return None;
    }
    let end = tail.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (end > 0).then(|| &tail[..end])
}

/// The line of the brace that closes the function; none if it has no body
fn end(lines: &[&str]) -> Option<usize> {
    let (mut braces, mut others) = (0i32, 0i32);
    for (n, line) in lines.iter().enumerate() {
        for c in line.chars() {
            match c {
                '{' => braces += 1,
                '}' => {
                    braces -= 1;
                    if braces == 0 {
                        return Some(n);
                    }
                }
                '(' | '[' => others += 1,
                ')' | ']' => others -= 1,
                ';' if braces == 0 && others == 0 => return None,
                _ => {}
            }
        }
    }
    None
}

/// Whether the lines are one list of short rows: the longest bracket of the body
fn flat(lines: &[&str]) -> bool {
    // Depth of brackets at the start of each line; a line that closes some counts as outside of them.
    let mut depth = 0usize;
    let depths: Vec<usize> = lines
        .iter()
        .map(|line| {
            let at = depth;
            let closing = line.trim_start().chars().take_while(|c| matches!(c, ')' | ']' | '}')).count();
            for c in line.chars() {
                match c {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            at.saturating_sub(closing)
        })
        .collect();
    // Runs of lines deeper than the body's own statements: the longest is the table.
    let mut table = 0..0;
    let mut start = 0;
    for n in 0..=depths.len() {
        if n == depths.len() || depths[n] < 2 {
            if n - start > table.len() {
                table = start..n;
            }
            start = n + 1;
        }
    }
    let Some(rows_at) = depths[table.clone()].iter().copied().min() else { return false };
    let mut row = 0;
    for depth in &depths[table.clone()] {
        row = if *depth == rows_at { 1 } else { row + 1 };
        if row > ROW {
            return false;
        }
    }
    lines.len() - table.len() <= AROUND
}

#[cfg(test)]
mod tests {
    use super::*;

    fn functions(text: &str) -> Vec<Function> {
        of(&Source { path: "ir/a.rs".into(), text: text.into() })
    }

    #[test]
    fn a_function_ends_at_its_brace() {
        let found =
            functions("pub(crate) const fn a(\n  x: [u8; 2],\n) -> T {\n  \"}\";\n}\ntrait B { fn c(); }\n");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].lines), ("a", 5));
    }

    #[test]
    fn a_match_of_short_rows_is_flat() {
        let rows = "        A => 1,\n        B => {\n            2\n        }\n".repeat(50);
        let table = format!("fn f(x: X) -> u8 {{\n    match x {{\n{rows}    }}\n}}\n");
        assert!(functions(&table)[0].flat);
        let statements = format!("fn f() {{\n{}}}\n", "    let a = 1;\n".repeat(100));
        assert!(!functions(&statements)[0].flat);
        let arm = format!("        C => {{\n{}        }}\n", "            step();\n".repeat(4));
        assert!(!functions(&table.replace("        A => 1,\n", &arm))[0].flat);
    }

    #[test]
    fn long_functions_are_found() {
        let text = format!("fn f() {{\n{}}}\nfn g() {{}}\n", "    step();\n".repeat(LIMIT));
        assert_eq!(long(&Source { path: "ir/a.rs".into(), text }).len(), 1);
    }
}
