//! Reading directives.

/// What a line of output must be like
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Somewhere after the last match
    Check,
    /// Right after the last match
    Next,
    /// Not before the next match
    Not,
}

/// An expectation with its line in the file
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    pub kind: Kind,
    pub text: String,
    pub line: usize,
}

/// Everything the comments of a file say
#[derive(Default, Debug)]
pub(crate) struct Directives {
    pub runs: Vec<(usize, Vec<String>)>,
    pub round_trip_only: bool,
    pub expectations: Vec<Expectation>,
    pub rules: Vec<String>,
    pub evals: Vec<crate::eval::Eval>,
}

/// Read all directives; the error names the line
pub(crate) fn read(text: &str) -> Result<Directives, String> {
    let mut found = Directives::default();
    for (n, line) in text.lines().enumerate() {
        let line_number = n + 1;
        let Some((_, comment)) = line.split_once("//") else { continue };
        let comment = comment.trim();
        let Some((key, rest)) = comment.split_once(':') else { continue };
        let rest = rest.trim();
        let kind = match key {
            "test" if rest == "round-trip" => {
                found.round_trip_only = true;
                continue;
            }
            "test" => {
                let mut words = split_words(rest).map_err(|why| format!("line {line_number}: {why}"))?;
                if words.first().map(String::as_str) != Some("opt") {
                    return Err(format!("line {line_number}: a test is `opt …` or `round-trip`"));
                }
                words.remove(0);
                found.runs.push((line_number, words));
                continue;
            }
            "rule" => {
                found.rules.extend(rest.split(',').map(|name| name.trim().to_string()));
                continue;
            }
            "eval" => {
                found.evals.push(crate::eval::Eval { line: line_number, text: rest.to_string() });
                continue;
            }
            "check" => Kind::Check,
            "next" => Kind::Next,
            "not" => Kind::Not,
            _ => continue,
        };
        if rest.is_empty() {
            return Err(format!("line {line_number}: `{key}:` expects nothing"));
        }
        found.expectations.push(Expectation { kind, text: rest.to_string(), line: line_number });
    }
    if found.runs.is_empty() && !found.round_trip_only {
        return Err("the file has no `// test:` line".into());
    }
    Ok(found)
}

/// Words with double or single quotes for those that hold blanks or the other kind of quotes
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quoted, mut any) = (None, false);
    for c in text.chars() {
        match c {
            '"' | '\'' if quoted.is_none_or(|quote| quote == c) => {
                quoted = if quoted.is_none() { Some(c) } else { None };
                any = true;
            }
            c if c.is_whitespace() && quoted.is_none() => {
                if any {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            c => {
                word.push(c);
                any = true;
            }
        }
    }
    if quoted.is_some() {
        return Err("a quote is not closed".into());
    }
    if any {
        words.push(word);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_runs_and_expectations() {
        let text = "// test: opt --pipeline=\"func.func(cse, dce)\" --stats\n// check: a\nx // not: b\n";
        let found = read(text).expect("well formed");
        assert_eq!(found.runs[0].1, ["--pipeline=func.func(cse, dce)", "--stats"]);
        assert_eq!(found.expectations.len(), 2);
    }

    #[test]
    fn a_file_must_say_what_it_tests() {
        assert!(read("func.func @f()").is_err());
        assert!(read("// test: opt\n// check:\n").is_err());
    }
}
