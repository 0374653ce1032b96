//! `#pragma mdh`: the paper's form, and clauses of our own.
//!
//! ```text
//! pragma := #pragma mdh ( out, … : comb, … ) clause…            paper: one out, combs, no clause
//! comb   := ++ | op | ps(op) | ++prefix-sum(op) | (op, …)       op := + * min max & | ^ && || | NAME
//! clause := inout(NAME,…) order(source|invariant|exact|fixed|free) name(ID) disjoint(NAME,…) gather(NAME,…) assume(NAME=INT,NAME<=INT,…)
//!           schedule(STEPS)                                                          all ours
//! #pragma mdh operator(associative [, commutative] [, exact] [, identity(c,…)])        ours; above a function
//! ```

use super::{At, Done, Reader};
use crate::ast::{Comb, Directive, Operator};
use crate::codes;
use terrace_diag::{Diagnostic, Span, nearest};

/// A directive of ours
pub enum Pragma {
    /// Above a loop
    Compute(Box<Directive>),
    /// Above a function
    Operator(Operator),
}

/// A piece of the directive with the byte where it starts
struct Piece<'a> {
    text: &'a str,
    start: usize,
}

impl Piece<'_> {
    fn trimmed(&self) -> Self {
        let skipped = self.text.len() - self.text.trim_start().len();
        Piece { text: self.text.trim(), start: self.start + skipped }
    }
}

/// Pieces between a separator, outside of parentheses and brackets
fn split<'a>(piece: &Piece<'a>, separator: char) -> Vec<Piece<'a>> {
    let (mut depth, mut start) = (0i32, 0);
    let mut all = Vec::new();
    for (at, c) in piece.text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            c if c == separator && depth == 0 => {
                all.push(Piece { text: &piece.text[start..at], start: piece.start + start });
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    all.push(Piece { text: &piece.text[start..], start: piece.start + start });
    all.into_iter().map(|piece| piece.trimmed()).collect()
}

/// Words with parentheses behind them: `name(…) other(…)`
fn clauses<'a>(piece: &Piece<'a>) -> Result<Vec<(Piece<'a>, Option<Piece<'a>>)>, usize> {
    let mut all = Vec::new();
    let bytes = piece.text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let from = at;
        while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
            at += 1;
        }
        let word = Piece { text: &piece.text[from..at], start: piece.start + from };
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let mut inside = None;
        if bytes.get(at) == Some(&b'(') {
            let open = at + 1;
            let mut depth = 1;
            at = open;
            while at < bytes.len() && depth > 0 {
                match bytes[at] {
                    b'(' => depth += 1,
                    b')' => depth -= 1,
                    _ => {}
                }
                at += 1;
            }
            if depth > 0 {
                return Err(piece.start + open - 1);
            }
            inside = Some(Piece { text: &piece.text[open..at - 1], start: piece.start + open });
        } else if word.text.is_empty() {
            return Err(piece.start + from);
        }
        all.push((word, inside));
    }
    Ok(all)
}

/// Words of clauses
/// Greatest bound of a size
const MOST: i64 = 1 << 40;

const WORDS: [&str; 7] = ["inout", "order", "name", "disjoint", "gather", "assume", "schedule"];

/// Read a directive whose text (from `mdh` on) begins at a byte of the file
pub(crate) fn parse(r: &mut Reader<'_>, text: &str, shift: i64, span: Span) -> Done<Option<Pragma>> {
    let start = text.find("mdh").unwrap_or(0) + 3;
    let rest = Piece { text: &text[start..], start };
    let all = match clauses(&rest) {
        Ok(all) => all,
        Err(at) => {
            let span = spot(r, shift, at, 1);
            return r.fail(&codes::PRAGMA, span, "C-PRAGMA: a word with what belongs to it in parentheses");
        }
    };
    if let Some((word, inside)) = all.first()
        && word.text == "operator"
    {
        return operator(r, inside.as_ref(), shift, span).map(|found| Some(Pragma::Operator(found)));
    }
    let mut directive = Directive {
        span,
        outs: Vec::new(),
        combs: Vec::new(),
        inout: Vec::new(),
        order: None,
        name: None,
        disjoint: Vec::new(),
        gather: Vec::new(),
        assume: Vec::new(),
        most: Vec::new(),
        schedule: None,
    };
    for (n, (word, inside)) in all.iter().enumerate() {
        let at = spot(r, shift, word.start, word.text.len().max(1));
        match inside {
            Some(inside) if word.text.is_empty() && n == 0 => head(r, inside, shift, &mut directive)?,
            Some(inside) => clause(r, (word.text, at), inside, shift, &mut directive)?,
            None => {
                return r.fail(&codes::PRAGMA, at, format!("C-PRAGMA: `{}` needs parentheses", word.text));
            }
        }
    }
    Ok(Some(Pragma::Compute(Box::new(directive))))
}

/// Bytes of a directive in the file
fn spot(r: &Reader<'_>, shift: i64, start: usize, len: usize) -> Span {
    let at = (start as i64 + shift) as u32;
    Span::new(r.source, at, at + len as u32)
}

/// Names between commas
fn names(r: &Reader<'_>, inside: &Piece<'_>, shift: i64) -> Vec<(String, Span)> {
    let pieces = split(inside, ',').into_iter();
    pieces.map(|piece| (piece.text.to_string(), spot(r, shift, piece.start, piece.text.len()))).collect()
}

/// `word(inside)`
fn clause(
    r: &mut Reader<'_>,
    (word, at): (&str, Span),
    inside: &Piece<'_>,
    shift: i64,
    directive: &mut Directive,
) -> Done<()> {
    match word {
        "inout" => directive.inout = names(r, inside, shift),
        "disjoint" => directive.disjoint = names(r, inside, shift),
        "gather" => directive.gather = names(r, inside, shift),
        "assume" => {
            for (text, at) in names(r, inside, shift) {
                let bound = text.split_once("<=").map(|pair| (pair, true));
                let pair = bound.or_else(|| text.split_once('=').map(|pair| (pair, false)));
                let pair = pair.map(|((name, value), most)| (name.trim(), value.trim().parse::<i64>(), most));
                match pair {
                    Some((name, Ok(value), false)) => directive.assume.push((name.to_string(), value, at)),
                    Some((name, Ok(value @ 0..=MOST), true)) => {
                        directive.most.push((name.to_string(), value, at));
                    }
                    _ => {
                        let message = "C-PRAGMA: a size and its value, or its bound: `assume(n = 1024)`, `assume(n <= 1024)`";
                        return r.fail(&codes::PRAGMA, at, message);
                    }
                }
            }
        }
        "schedule" => {
            let steps = inside.trimmed();
            let at = spot(r, shift, steps.start, steps.text.len().max(1));
            directive.schedule = Some((steps.text.to_string(), at));
        }
        "order" => {
            let order = inside.trimmed().text.to_string();
            if !["source", "invariant", "exact", "fixed", "free"].contains(&order.as_str()) {
                let message =
                    format!("C-PRAGMA: order is source, invariant, exact, fixed or free, not {order}");
                return r.fail(&codes::PRAGMA, at, message);
            }
            directive.order = Some(order);
        }
        "name" => {
            let name = inside.trimmed().text;
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(word) {
                return r.fail(&codes::PRAGMA, at, "C-PRAGMA: one word is the name: `name(layer1)`");
            }
            directive.name = Some(name.to_string());
        }
        other => {
            let message = format!("C-PRAGMA: `{other}` is no clause");
            let diagnostic = Diagnostic::error(&codes::PRAGMA, message).at(at);
            return Err(r.diags.emit(match nearest(other, WORDS) {
                Some(word) => diagnostic.help(format!("did you mean `{word}`?")),
                None => diagnostic.help(format!("clauses are {}", WORDS.join(", "))),
            }));
        }
    }
    Ok(())
}

/// `out, … : comb, …`
fn head(r: &mut Reader<'_>, inside: &Piece<'_>, shift: i64, directive: &mut Directive) -> Done<()> {
    let spot = |piece: &Piece<'_>| {
        let at = (piece.start as i64 + shift) as u32;
        Span::new(directive.span.source, at, at + piece.text.len().max(1) as u32)
    };
    let parts = split(inside, ':');
    let [outs, combs] = parts.as_slice() else {
        let message = "C-PRAGMA: outputs, a colon, then one operator for each loop: `C[i][j] : ++ , ++ , +`";
        return r.fail(&codes::PRAGMA, spot(inside), message);
    };
    for piece in split(outs, ',') {
        let at = At::Shift(piece.start as i64 + shift);
        let out = r.expression_at(piece.text, at, spot(&piece))?;
        directive.outs.push(out);
    }
    for piece in split(combs, ',') {
        let at = spot(&piece);
        let list =
            |text: &str| -> Vec<String> { text.split(',').map(|word| word.trim().to_string()).collect() };
        let unwrap = |text: &str, head: &str| -> Option<String> {
            let inner = text.strip_prefix(head)?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
            Some(inner.trim().trim_start_matches('(').trim_end_matches(')').to_string())
        };
        let comb = if piece.text == "++" || piece.text == "cc" {
            Comb::Keep
        } else if let Some(inner) = unwrap(piece.text, "++prefix-sum").or_else(|| unwrap(piece.text, "ps")) {
            Comb::Prefix(list(&inner))
        } else if let Some(inner) = unwrap(piece.text, "pw").or_else(|| unwrap(piece.text, "")) {
            Comb::Point(list(&inner))
        } else {
            Comb::Point(list(piece.text))
        };
        let empty = matches!(&comb, Comb::Point(all) | Comb::Prefix(all) if all.iter().any(String::is_empty));
        if empty {
            return r.fail(&codes::PRAGMA, at, "C-PRAGMA: expected an operator");
        }
        directive.combs.push((comb, at));
    }
    Ok(())
}

fn operator(r: &mut Reader<'_>, inside: Option<&Piece<'_>>, shift: i64, span: Span) -> Done<Operator> {
    let mut found = Operator { span: Some(span), ..Operator::default() };
    let Some(inside) = inside else {
        return r.fail(&codes::PRAGMA, span, "C-PRAGMA: `operator(associative, …)`");
    };
    for piece in split(inside, ',') {
        let at = (piece.start as i64 + shift) as u32;
        let at = Span::new(span.source, at, at + piece.text.len().max(1) as u32);
        match piece.text {
            "associative" => found.associative = true,
            "commutative" => found.commutative = true,
            "exact" => found.exact = true,
            text => {
                let values = text
                    .strip_prefix("identity")
                    .map(|rest| (rest.len() - rest.trim_start().len(), rest.trim_start()));
                let values = values
                    .and_then(|(skip, rest)| Some((skip + 9, rest.strip_prefix('(')?.strip_suffix(')')?)));
                let Some((skip, values)) = values else {
                    let words = "associative, commutative, exact, identity(…)";
                    return r.fail(&codes::PRAGMA, at, format!("C-PRAGMA: `{text}` is none of {words}"));
                };
                for value in split(&Piece { text: values, start: piece.start + skip }, ',') {
                    let from = value.start as i64 + shift;
                    let own = Span::new(span.source, from as u32, from as u32 + value.text.len() as u32);
                    let value = r.expression_at(value.text, At::Shift(from), own)?;
                    found.identity.push(value);
                }
            }
        }
    }
    Ok(found)
}
