//! Options behind a pass, as text: `top-down=false disable-patterns={a b} test-convergence`.

use super::pipeline::Named;

/// What is wrong with options behind a pass, in lines
pub struct BadOptions {
    /// What LLVM's option parser says, with the program's name before it
    pub llvm: Option<String>,
    /// What the pass manager says
    pub error: String,
}

/// Options of a pass: `a=1 b={x y} c`
pub fn options(pass: Named, text: &str) -> Result<Vec<(String, String)>, BadOptions> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find([' ', '=']).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix('=') {
            Some(after) => value(after),
            None => (String::new(), after),
        };
        let known = match pass {
            Named::Upstream(known) => known.option(key).map(|option| option.check(&value)),
            Named::Own(info) => info.options.iter().any(|option| option.name == key).then_some(Ok(())),
        };
        match known {
            None => {
                let error = format!("<Pass-Options-Parser>: no such option {key}\n");
                return Err(BadOptions { llvm: None, error });
            }
            Some(Err(why)) => return Err(BadOptions { llvm: Some(why), error: String::new() }),
            Some(Ok(())) => {}
        }
        let value = match (pass, value) {
            (Named::Own(_), value) if value.is_empty() => "true".to_string(),
            (Named::Upstream(known), value) => match known.option(key) {
                Some(option) => option.plain(value),
                None => value,
            },
            (_, value) => value,
        };
        found.push((key.to_string(), value));
        rest = after.trim_start();
    }
    Ok(found)
}

/// The value at the start of a text, without the quotes or braces around it, and what follows
fn value(text: &str) -> (String, &str) {
    let mut letters = text.char_indices();
    let close = match letters.next() {
        Some((_, '\'')) => Some('\''),
        Some((_, '"')) => Some('"'),
        _ => None,
    };
    if let Some(close) = close
        && let Some(len) = text[1..].find(close)
    {
        return (text[1..1 + len].to_string(), &text[len + 2..]);
    }
    let mut depth = 0usize;
    let mut end = text.len();
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let (value, rest) = text.split_at(end);
    let inner = value.strip_prefix('{').and_then(|value| value.strip_suffix('}'));
    (inner.unwrap_or(value).to_string(), rest)
}
