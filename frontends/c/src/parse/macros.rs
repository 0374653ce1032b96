//! Macros replaced token by token, as C does it: what a macro stands for takes part in the precedence around it.

use super::tokens::{Token, joins, tokens};
use super::{At, Done, EXPANDED, NESTING, Reader};
use crate::codes;
use std::rc::Rc;
use terrace_diag::Span;
use tree_sitter::Node;

/// A macro
#[derive(Debug)]
pub(crate) struct Macro {
    /// Names of parameters; nothing for one without parentheses
    params: Option<Vec<String>>,
    /// What it stands for
    body: Vec<Token>,
}

/// A token with where it comes from
#[derive(Clone)]
struct Placed {
    token: Token,
    /// Its own place, or that of the macro's use
    span: Span,
    hidden: Hidden,
}

/// Macros that a token may not stand for again, the latest first
type Hidden = Option<Rc<Hide>>;

struct Hide {
    name: Rc<str>,
    depth: u32,
    others: Hidden,
}

fn hides(mut hidden: &Hidden, name: &str) -> bool {
    while let Some(one) = hidden {
        if *one.name == *name {
            return true;
        }
        hidden = &one.others;
    }
    false
}

/// The names of both sets
fn union(mut from: &Hidden, mut to: Hidden) -> Hidden {
    while let Some(one) = from {
        if !hides(&to, &one.name) {
            let depth = to.as_ref().map_or(0, |to| to.depth) + 1;
            to = Some(Rc::new(Hide { name: one.name.clone(), depth, others: to }));
        }
        from = &one.others;
    }
    to
}

fn joined(from: Span, to: Span) -> Span {
    Span::new(from.source, from.start.min(to.start), from.end.max(to.end))
}

impl Reader<'_> {
    pub(super) fn define(&mut self, name: String, params: Option<Vec<String>>, text: &str) {
        // Values from outside win.
        if !self.sets.contains_key(&name) {
            self.macros.insert(name, Rc::new(Macro { params, body: tokens(text) }));
        }
    }

    /// A node's text with its macros replaced; nothing where it has none
    pub(super) fn replaced(&mut self, node: Node<'_>) -> Done<Option<(String, At)>> {
        if self.macros.is_empty() || matches!(self.at, At::Spelled { .. }) {
            return Ok(None);
        }
        let tokens = tokens(self.slice(node));
        if !tokens.iter().any(|token| self.macros.contains_key(&*token.text)) {
            return Ok(None);
        }
        let placed = self.placed(node, tokens);
        self.replace(placed).map(|all| Some(spelled(&all)))
    }

    /// The text of an `#if`, where `defined X` has a meaning before macros are replaced
    pub(super) fn replaced_condition(&mut self, node: Node<'_>) -> Done<(String, At)> {
        let mut known = Vec::new();
        let mut all = self.placed(node, tokens(self.slice(node))).into_iter().peekable();
        while let Some(mut one) = all.next() {
            if &*one.token.text == "defined" {
                let open = all.next_if(|next| &*next.token.text == "(").is_some();
                let name = all.next_if(|next| next.token.is_word()).map(|next| next.token.text);
                let closed = !open || all.next_if(|next| &*next.token.text == ")").is_some();
                let Some(name) = name.filter(|_| closed) else {
                    return self.fail(&codes::SYNTAX, one.span, "C-SYNTAX: `defined` takes a name");
                };
                one.token.text = if self.defined(&name) { "1" } else { "0" }.into();
            }
            known.push(one);
        }
        self.replace(known).map(|all| spelled(&all))
    }

    fn placed(&self, node: Node<'_>, tokens: Vec<Token>) -> Vec<Placed> {
        let place = |token: Token| {
            let start = node.start_byte() + token.start;
            Placed { span: self.bytes(start, start + token.text.len()), token, hidden: None }
        };
        tokens.into_iter().map(place).collect()
    }

    fn replace(&mut self, mut rest: Vec<Placed>) -> Done<Vec<Placed>> {
        // The next token is the last one: what a macro stands for is read again, together with what follows.
        rest.reverse();
        let mut done: Vec<Placed> = Vec::new();
        while let Some(one) = rest.pop() {
            let member = done.last().is_some_and(|last| matches!(&*last.token.text, "." | "->"));
            let found = self.macros.get(&*one.token.text);
            let Some(found) = found.filter(|_| !member && !hides(&one.hidden, &one.token.text)).cloned()
            else {
                done.push(one);
                continue;
            };
            match &found.params {
                None => self.stand(&one, one.span, &found, &[], &mut rest)?,
                Some(_) if rest.last().is_none_or(|next| &*next.token.text != "(") => done.push(one),
                Some(params) => {
                    let (args, span) = self.arguments(&one, params.len(), &mut rest)?;
                    self.stand(&one, span, &found, &args, &mut rest)?;
                }
            }
        }
        Ok(done)
    }

    /// Arguments of a use, their own macros replaced, and the span of the use
    fn arguments(
        &mut self,
        name: &Placed,
        count: usize,
        rest: &mut Vec<Placed>,
    ) -> Done<(Vec<Vec<Placed>>, Span)> {
        rest.pop();
        let (mut args, mut depth) = (vec![Vec::new()], 0);
        let end = loop {
            let Some(next) = rest.pop() else {
                let message = format!("C-SYNTAX: the arguments of macro {} have no end", name.token.text);
                return self.fail(&codes::SYNTAX, name.span, message);
            };
            match &*next.token.text {
                ")" if depth == 0 => break next.span,
                "," if depth == 0 => {
                    args.push(Vec::new());
                    continue;
                }
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            args.last_mut().into_iter().for_each(|arg| arg.push(next.clone()));
        };
        let span = joined(name.span, end);
        if args.len() == 1 && args[0].is_empty() {
            args.clear();
        }
        if args.len() != count {
            let message =
                format!("C-SYNTAX: macro {} takes {count} arguments, not {}", name.token.text, args.len());
            return self.fail(&codes::SYNTAX, span, message);
        }
        let args = args.into_iter().map(|arg| self.deeper(span, |r| r.replace(arg))).collect::<Done<_>>()?;
        Ok((args, span))
    }

    /// Put what a use stands for in front of what follows it
    fn stand(
        &mut self,
        name: &Placed,
        span: Span,
        found: &Macro,
        args: &[Vec<Placed>],
        rest: &mut Vec<Placed>,
    ) -> Done<()> {
        let word = &name.token.text;
        if found.body.is_empty() {
            return self.fail(&codes::SYNTAX, span, format!("C-SYNTAX: macro {word} stands for nothing"));
        }
        let depth = name.hidden.as_ref().map_or(0, |hidden| hidden.depth) + 1;
        if depth > NESTING {
            return self.fail(&codes::SYNTAX, span, format!("C-SYNTAX: nested deeper than {NESTING}"));
        }
        let hidden = Some(Rc::new(Hide { name: word.clone(), depth, others: name.hidden.clone() }));
        let params = found.params.as_deref().unwrap_or_default();
        for (n, token) in found.body.iter().enumerate().rev() {
            let spaced = if n == 0 { name.token.spaced } else { token.spaced };
            let Some(arg) = params.iter().position(|param| **param == *token.text) else {
                self.expands(word, 1, span)?;
                let token = Token { spaced, ..token.clone() };
                rest.push(Placed { token, span, hidden: hidden.clone() });
                continue;
            };
            self.expands(word, args[arg].len(), span)?;
            for (n, one) in args[arg].iter().enumerate().rev() {
                let mut one = one.clone();
                if n == 0 {
                    one.token.spaced = spaced;
                }
                // A macro's name that is left in an argument is one that may not be replaced, or lacks its parentheses.
                if self.macros.contains_key(&*one.token.text) {
                    one.hidden = union(&hidden, one.hidden);
                }
                rest.push(one);
            }
        }
        Ok(())
    }

    /// Count what a macro gives, against those that double each other
    fn expands(&mut self, name: &str, size: usize, span: Span) -> Done<()> {
        self.expanded = self.expanded.saturating_add(size);
        match self.expanded > EXPANDED {
            true => {
                let message = format!(
                    "C-SYNTAX: with macro {name}, macros of this file stand for more than {EXPANDED} tokens"
                );
                self.fail(&codes::SYNTAX, span, message)
            }
            false => Ok(()),
        }
    }
}

/// Tokens as a text, with where each of them comes from
fn spelled(all: &[Placed]) -> (String, At) {
    let (mut text, mut spans) = (String::new(), Vec::new());
    for one in all {
        if !joins(&text, &one.token) {
            text.push(' ');
        }
        spans.push((text.len(), one.span));
        text.push_str(&one.token.text);
    }
    (text, At::Spelled { from: 0, spans: spans.into() })
}
