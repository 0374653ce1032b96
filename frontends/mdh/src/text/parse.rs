//! The grammar: a file of MDH text as definitions, uses, parameters and operators

use super::{Access, Buffer, Comb, Definition, Done, File, Fun};
use crate::codes;
use crate::operators::operator;
use crate::syntax::{Expr, ExprKind, Token, Words};
use terrace_diag::{Code, Reported, Span, nearest};
use terrace_dialect_mdh::schedule::{OpenSchedule, ScheduleError};
use terrace_dialect_mdh::view::Order;

pub(super) fn file(w: &mut Words<'_>) -> Done<File> {
    let mut found = File::default();
    while *w.peek() != Token::End {
        if w.eat(";") {
            continue;
        }
        if w.eat_word("with") {
            bindings(w, &mut found)?;
            continue;
        }
        if matches!(w.peek(), Token::Name(name) if name == "op") && !w.then_is(":=") && !w.then_is("<") {
            w.take();
            let operator = operator(w)?;
            found.operators.push(operator);
            continue;
        }
        let (name, span) = w.name("a definition")?;
        let Parameters { types, sizes, open, values } = parameters(w, span)?;
        if !w.is(":=") {
            found.uses.push((name, types, values, span));
            w.expect(";")?;
            continue;
        }
        w.take();
        if found.definitions.iter().any(|definition| definition.name == name) {
            return Err(w.error(&codes::D_DUP, span, format!("{name} is defined twice")));
        }
        let definition = Definition { types, sizes, open, ..definition(w, name, span)? };
        found.definitions.push(definition);
    }
    Ok(found)
}

/// `NAME = (NUMBER|TYPE), …` behind `with`
fn bindings(w: &mut Words<'_>, found: &mut File) -> Done<()> {
    loop {
        let (name, _) = w.name("the name of a parameter")?;
        w.expect("=")?;
        let value = match w.take() {
            Token::Name(text) | Token::Number(text) => text,
            _ => return Err(w.unexpected("a number or a type")),
        };
        found.with.insert(name, value);
        if !w.eat(",") {
            return Ok(());
        }
    }
}

/// What stands in `< … >` behind the name of a definition or of a use
#[derive(Default)]
struct Parameters {
    types: Vec<String>,
    /// Names of sizes, in a definition
    sizes: Vec<String>,
    /// Those with a bound
    open: Vec<(String, Expr)>,
    /// Numbers in their place, in a use
    values: Vec<i64>,
}

fn parameters(w: &mut Words<'_>, span: Span) -> Done<Parameters> {
    let mut all = Parameters::default();
    if !w.eat("<") {
        return Ok(all);
    }
    // Where there are no types, sizes need no bar.
    let only_sizes =
        matches!(w.peek(), Token::Name(word) if word == "int") || matches!(w.peek(), Token::Number(_));
    while !only_sizes && !w.is("|") && !w.is(">") {
        if !all.types.is_empty() {
            w.expect(",")?;
        }
        w.eat_word("Type");
        all.types.push(w.name("a type")?.0);
    }
    if only_sizes || w.eat("|") {
        while !w.is(">") {
            if !all.sizes.is_empty() || !all.open.is_empty() || !all.values.is_empty() {
                w.expect(",")?;
            }
            w.eat_word("int");
            match w.take() {
                Token::Name(name) if w.eat("<=") => all.open.push((name, term(w)?)),
                Token::Name(name) => all.sizes.push(name),
                Token::Number(text) => match text.parse() {
                    Ok(value) => all.values.push(value),
                    Err(_) => return Err(w.error(&codes::D_TYPE, span, format!("{text} is no size"))),
                },
                _ => return Err(w.unexpected("a size")),
            }
        }
    }
    w.expect(">")?;
    Ok(all)
}

fn definition(w: &mut Words<'_>, name: String, span: Span) -> Done<Definition> {
    w.expect_word("out_view")?;
    let out_types = angle(w)?;
    let outs = buffers(w)?;
    w.expect_word("o")?;
    w.expect_word("md_hom")?;
    w.expect("<")?;
    let mut extents = vec![term(w)?];
    while w.eat(",") {
        extents.push(term(w)?);
    }
    w.expect(">")?;
    w.expect("(")?;
    let function = function(w)?;
    w.expect(",")?;
    let combs = w.list("(", ")", comb)?;
    let mut all = Vec::new();
    w.expect(")")?;
    if w.eat_word("where") {
        all.push(w.expr()?);
        while w.eat(",") {
            all.push(w.expr()?);
        }
    }
    let order = match order(w, &codes::D_NAME)? {
        Some((_, at)) if !combs.iter().any(|comb| matches!(comb, Comb::Point(..))) => {
            return Err(w.error(&codes::D_ARITY, at, "no dimension is folded, so nothing has an order"));
        }
        order => order.map_or(Order::Fixed, |(order, _)| order),
    };
    w.expect_word("o")?;
    w.expect_word("inp_view")?;
    let inp_types = angle(w)?;
    let inps = buffers(w)?;
    let schedule = schedule(w)?;
    let span = w.since(span);
    Ok(Definition {
        name,
        types: Vec::new(),
        sizes: Vec::new(),
        open: Vec::new(),
        out_types,
        outs,
        extents,
        function,
        combs,
        conditions: all,
        order,
        inp_types,
        inps,
        schedule,
        span,
    })
}

/// `order( … )`, if it is there
pub(crate) fn order(w: &mut Words<'_>, code: Code) -> Done<Option<(Order, Span)>> {
    let at = w.span();
    if !w.eat_word("order") {
        return Ok(None);
    }
    w.expect("(")?;
    let (word, place) = w.name("an order")?;
    w.expect(")")?;
    match word.parse() {
        Ok(order) => Ok(Some((order, w.since(at)))),
        Err(()) => {
            let near = nearest(&word, Order::WORDS.iter().copied());
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let message = format!("{word} is no order: {} are", Order::WORDS.join(", "));
            Err(w.error_with_help(code, place, &message, help))
        }
    }
}

/// `schedule( … )`, if it is there
pub(crate) fn schedule(w: &mut Words<'_>) -> Done<Option<(OpenSchedule, Span)>> {
    if !w.eat_word("schedule") {
        return Ok(None);
    }
    let (text, place) = w.steps()?;
    match OpenSchedule::read(&text) {
        Ok(draft) => Ok(Some((draft, place))),
        Err(error) => Err(wrong_steps(w, place, &error)),
    }
}

/// A mistake in a schedule, at its place in the file
pub(crate) fn wrong_steps(w: &mut Words<'_>, place: Span, error: &ScheduleError) -> Reported {
    let at = |offset: usize| place.start.saturating_add(offset as u32).min(place.end);
    let span = Span::new(place.source, at(error.at.start), at(error.at.end));
    w.error(&codes::D_SCHEDULE, span, error.to_string())
}

/// A size in `< … >`: no comparison, since `>` ends the list
fn term(w: &mut Words<'_>) -> Done<Expr> {
    let span = w.span();
    match w.take() {
        Token::Name(name) => Ok(Expr { span, kind: ExprKind::Name(name) }),
        Token::Number(text) => match text.parse() {
            Ok(value) => Ok(Expr { span, kind: ExprKind::Int(value) }),
            Err(_) => Err(w.error(&codes::D_TYPE, span, format!("{text} is no size"))),
        },
        Token::Mark("(") => {
            let inner = w.expr()?;
            w.expect(")")?;
            Ok(inner)
        }
        _ => Err(w.unexpected("a size")),
    }
}

fn angle(w: &mut Words<'_>) -> Done<Vec<String>> {
    w.list("<", ">", |w| w.name("a type").map(|(name, _)| name))
}

fn buffers(w: &mut Words<'_>) -> Done<Vec<Buffer>> {
    w.expect("(")?;
    let mut all: Vec<Buffer> = Vec::new();
    while !w.eat(")") {
        if !all.is_empty() {
            w.expect(",")?;
        }
        let (name, span) = w.name("a buffer")?;
        if all.iter().any(|buffer| buffer.name == name) {
            return Err(w.error(
                &codes::D_DUP,
                span,
                format!("buffer {name} is there twice; say its accesses together"),
            ));
        }
        let shape = if w.is("[") { Some(w.list("[", "]", Words::expr)?) } else { None };
        w.expect(":")?;
        let mut accesses = vec![access(w)?];
        while w.is(",") && w.then_is("(") {
            w.take();
            accesses.push(access(w)?);
        }
        let mut into = None;
        if w.eat_word("into") {
            let (name, _) = w.name("a buffer")?;
            into = Some((name, if w.is("(") { Some(access(w)?) } else { None }));
        }
        all.push(Buffer { name, shape, accesses, into, span });
    }
    Ok(all)
}

fn access(w: &mut Words<'_>) -> Done<Access> {
    let span = w.span();
    let ids = w.list("(", ")", |w| w.name("the name of a dimension").map(|(name, _)| name))?;
    w.expect("->")?;
    let index = w.list("(", ")", Words::expr)?;
    let other = if w.eat_word("else") { Some(w.number()?) } else { None };
    let mut guard = None;
    if w.eat_word("if") {
        let e = w.expr()?;
        match e.kind {
            ExprKind::Op("==", left, right) if right.kind == ExprKind::Int(0) => guard = Some(*left),
            _ => return Err(w.error(&codes::D_SYNTAX, e.span, "a guard is `e % n == 0`")),
        }
    }
    Ok(Access { ids, index, other, guard, span: w.since(span) })
}

fn function(w: &mut Words<'_>) -> Done<Fun> {
    let span = w.span();
    if let Token::Mark(mark @ ("*" | "+" | "-")) = w.peek().clone() {
        w.take();
        return Ok(Fun::Mark(mark.into(), span));
    }
    if let Token::Name(name) = w.peek().clone()
        && !w.then_is("->")
    {
        w.take();
        return Ok(Fun::Mark(name, span));
    }
    let params = match w.is("(") {
        true => w.list("(", ")", |w| w.name("a parameter").map(|(name, _)| name))?,
        false => vec![w.name("a parameter")?.0],
    };
    w.expect("->")?;
    let body = w.expr()?;
    let body = match body.kind {
        ExprKind::Tuple(all) => all,
        _ => vec![body],
    };
    Ok(Fun::Lambda(params, body, w.since(span)))
}

fn operator_word(w: &mut Words<'_>) -> Done<String> {
    match w.take() {
        Token::Mark(mark @ ("+" | "*" | "&" | "|" | "^")) => Ok(mark.into()),
        Token::Name(name) => Ok(name),
        _ => Err(w.unexpected("an operator")),
    }
}

fn comb(w: &mut Words<'_>) -> Done<Comb> {
    let span = w.span();
    if w.eat("++") || w.eat_word("cc") {
        return Ok(Comb::Keep);
    }
    let prefix = w.eat("++prefix-sum") || w.eat_word("ps");
    if !prefix {
        w.eat_word("pw");
    }
    let words = match w.is("(") {
        true => w.list("(", ")", operator_word)?,
        false => vec![operator_word(w)?],
    };
    let span = w.since(span);
    Ok(if prefix { Comb::Prefix(words, span) } else { Comb::Point(words, span) })
}
