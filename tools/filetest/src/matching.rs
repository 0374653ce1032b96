//! Expectations against output.

use crate::directives::{Expectation, Wanted};
use crate::failure::{Failure, Kind};

/// One blank for each run of blanks, none at the ends
pub(crate) fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Does the line contain the text, where `{{…}}` stands for anything?
pub(crate) fn matches(line: &str, text: &str) -> bool {
    let mut rest = line;
    let mut pattern = text;
    loop {
        let (piece, after) = match pattern.split_once("{{") {
            Some((piece, tail)) => (piece, tail.split_once("}}").map(|(_, after)| after)),
            None => (pattern, None),
        };
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
        match after {
            Some(after) => pattern = after,
            None => return true,
        }
    }
}

/// Check all expectations in order; the error shows the output around the place
pub(crate) fn check(output: &str, expectations: &[Expectation]) -> Result<(), Failure> {
    let lines: Vec<String> = output.lines().map(normal).collect();
    let mut at = 0;
    let mut forbidden: Vec<&Expectation> = Vec::new();
    let refuse = |from: usize, to: usize, forbidden: &[&Expectation]| -> Result<(), Failure> {
        for expectation in forbidden {
            let text = normal(&expectation.text);
            if let Some(n) = (from..to).find(|n| matches(&lines[*n], &text)) {
                let why = format!(
                    "`{}` must not be there, but line {} of the output is\n  {}",
                    expectation.text,
                    n + 1,
                    lines[n]
                );
                return Err(Kind::Output.because(why).at(expectation.line));
            }
        }
        Ok(())
    };
    for expectation in expectations {
        let text = normal(&expectation.text);
        let found = match expectation.wanted {
            Wanted::Not => {
                forbidden.push(expectation);
                continue;
            }
            Wanted::Next => (at < lines.len() && matches(&lines[at], &text)).then_some(at),
            Wanted::Check => (at..lines.len()).find(|n| matches(&lines[*n], &text)),
        };
        let Some(found) = found else {
            let rest: Vec<&str> = lines[at..].iter().take(8).map(String::as_str).collect();
            let place = if rest.is_empty() { "the end".to_string() } else { rest.join("\n  ") };
            let why = format!("`{}` not found; the output goes on with\n  {place}", expectation.text);
            return Err(Kind::Output.because(why).at(expectation.line));
        };
        refuse(at, found, &forbidden)?;
        forbidden.clear();
        at = found + 1;
    }
    refuse(at, lines.len(), &forbidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expect(wanted: Wanted, text: &str) -> Expectation {
        Expectation { wanted, text: text.into(), line: 1 }
    }

    #[test]
    fn order_matters() {
        let all = [expect(Wanted::Check, "b"), expect(Wanted::Check, "a")];
        assert!(check("a\nb\n", &all).is_err());
        assert!(check("b\na\n", &all).is_ok());
    }

    #[test]
    fn next_means_next() {
        let all = [expect(Wanted::Check, "a"), expect(Wanted::Next, "c")];
        assert!(check("a\nb\nc\n", &all).is_err());
    }

    #[test]
    fn not_reaches_to_the_next_match() {
        let all = [expect(Wanted::Check, "a"), expect(Wanted::Not, "x"), expect(Wanted::Check, "b")];
        assert!(check("a\nx\nb\n", &all).is_err());
        assert!(check("a\nb\nx\n", &all).is_ok());
        assert!(check("x", &[expect(Wanted::Not, "x")]).is_err());
    }

    #[test]
    fn holes_match_anything_on_the_line() {
        assert!(matches("%0 = arith.addi %a, %b", "%{{.*}} = arith.addi"));
        assert!(!matches("arith.addi", "addi {{.*}} x"));
    }
}
