//! MDH text: the form of the paper's second listing.
//!
//! ```text
//! file   := { definition | use ; | with NAME = (NUMBER|TYPE), … ; | operator }
//! definition := NAME [< Type T,… | int I,… >] :=
//!           out_view<type,…>( buf,… ) o md_hom<size,…>( fn , ( comb,… ) ) o inp_view<type,…>( buf,… )
//!           [schedule( STEPS )]                         -- ours: (de/re)-composition steps of this computation
//! use    := NAME < type,… | NUMBER,… >                  -- one function of that name, or NAME as it was before
//! buf    := B [ [size,…] ] : access , …                 -- a new buffer begins where a name stands before `:`
//! access := ( id,… ) -> ( e,… ) [else NUMBER] [if e % NUMBER == 0]
//! fn     := * | + | max | min | (x,…) -> expr | (x,…) -> (expr,…)      -- x: accesses in order; names of dimensions: coordinates
//! comb   := ++ | cc | op | pw(op) | ps(op) | ++prefix-sum(op) | (op,…)
//! where  := where cond, …                               -- ours, behind md_hom(…)
//! into   := into B [( id,… ) -> ( e,… )]                -- ours, behind an output's accesses
//! operator := op NAME < type,… > ( a,… ) := expr | (expr,…) : associative, commutative, exact, identity c,…      -- ours
//! ```
//!
//! `o` is composition, from right to left. Dimensions have the names of the first access.

use crate::codes;
use crate::index::{affine, conditions, scalar};
use crate::model::{
    Bin, Computation, Dim, Elem, Function, Input, Kind, Op, OperatorFn, Output, Program, Scalar,
};
use crate::operators::{elem, operator};
use crate::syntax::{Expr, ExprKind, Token, Words};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, Reported, SourceId, Span, nearest};
use terrace_dialect_mdh::schedule::{Draft, DraftError};
use terrace_dialect_mdh::view::Order;
use terrace_ir::{Context, Ir};
use terrace_support::affine::AffineExpr;

type Done<T> = Result<T, Reported>;

/// A name in `< … >`, or a number or type in its place
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// Name
    pub name: String,
    /// Type parameters
    pub types: Vec<String>,
    /// Size parameters
    pub sizes: Vec<String>,
    /// Types of the outputs
    pub out_types: Vec<String>,
    /// Outputs
    pub outs: Vec<Buffer>,
    /// Sizes of the dimensions
    pub extents: Vec<Expr>,
    /// Scalar function
    pub function: Fun,
    /// Operators
    pub combs: Vec<Comb>,
    /// Conditions
    pub conditions: Vec<Expr>,
    /// Types of the inputs
    pub inp_types: Vec<String>,
    /// Inputs
    pub inps: Vec<Buffer>,
    /// Steps of a schedule, and where they stand
    pub schedule: Option<(Draft, Span)>,
    pub(crate) span: Span,
}

/// A buffer with its accesses
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// Name
    pub name: String,
    /// Declared sizes
    pub shape: Option<Vec<Expr>>,
    /// Accesses
    pub accesses: Vec<Access>,
    /// `into`
    pub into: Option<(String, Option<Access>)>,
    pub(crate) span: Span,
}

/// `(i,j) -> (e,…)`
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// Names of the dimensions, here only
    pub ids: Vec<String>,
    /// Index functions
    pub index: Vec<Expr>,
    /// `else`
    pub other: Option<f64>,
    /// `if … == 0`
    pub guard: Option<Expr>,
    pub(crate) span: Span,
}

/// The scalar function
#[derive(Clone, PartialEq, Debug)]
pub enum Fun {
    /// `*` and so on, between all inputs
    Mark(String, Span),
    /// `(x,…) -> expr`
    Lambda(Vec<String>, Vec<Expr>, Span),
}

/// A combine operator
#[derive(Clone, PartialEq, Debug)]
pub enum Comb {
    /// `++`
    Keep,
    /// `op`
    Point(Vec<String>, Span),
    /// `ps(op)`
    Prefix(Vec<String>, Span),
}

/// Read a file into a module; nothing if that failed with messages
///
/// `sets` give sizes and types of parameters: `I=16`, `T=f32`.
pub fn read(cx: &Arc<Context>, source: SourceId, sets: &[(String, String)], diags: &mut Diags) -> Option<Ir> {
    let wrong = |why: String| Diagnostic::error(&codes::D_TYPE, format!("D-TYPE: {why}"));
    crate::emit::read(cx, source, diags, |text, diags| program(source, text, sets, diags).ok(), wrong)
}

/// Definitions of a text, before sizes are known
pub fn definitions(source: SourceId, text: &str, diags: &mut Diags) -> Option<Vec<Definition>> {
    let mut words = Words::new(source, text, &codes::D_SYNTAX, diags)?;
    file(&mut words).ok().map(|file| file.definitions)
}

#[derive(Default)]
struct File {
    definitions: Vec<Definition>,
    uses: Vec<(String, Vec<String>, Vec<i64>, Span)>,
    with: BTreeMap<String, String>,
    operators: Vec<OperatorFn>,
}

fn program(source: SourceId, text: &str, sets: &[(String, String)], diags: &mut Diags) -> Done<Program> {
    let Some(mut words) = Words::new(source, text, &codes::D_SYNTAX, diags) else {
        return Err(diags.result().unwrap_err());
    };
    let mut found = file(&mut words)?;
    found.with.extend(sets.iter().cloned());
    let mut program = Program { operators: found.operators.clone(), functions: Vec::new() };
    for definition in &found.definitions {
        let uses: Vec<_> = found.uses.iter().filter(|(name, ..)| *name == definition.name).collect();
        if uses.is_empty() {
            let function = instance(&mut words, definition, &found, &found.with.clone())?;
            program.functions.push(function);
        }
        for (n, (_, types, sizes, span)) in uses.iter().enumerate() {
            if types.len() != definition.types.len() || sizes.len() != definition.sizes.len() {
                let message = format!(
                    "{} takes {} types and {} sizes, not {} and {}",
                    definition.name,
                    definition.types.len(),
                    definition.sizes.len(),
                    types.len(),
                    sizes.len()
                );
                return Err(words.error(&codes::D_ARITY, *span, message));
            }
            let mut with: BTreeMap<String, String> = BTreeMap::new();
            with.extend(definition.types.iter().cloned().zip(types.iter().cloned()));
            with.extend(definition.sizes.iter().cloned().zip(sizes.iter().map(i64::to_string)));
            let mut function = instance(&mut words, definition, &found, &with)?;
            if n > 0 {
                function.name = format!("{}_{n}", function.name);
            }
            program.functions.push(function);
        }
    }
    for (name, _, _, span) in &found.uses {
        if !found.definitions.iter().any(|definition| definition.name == *name) {
            let near = nearest(name, found.definitions.iter().map(|definition| definition.name.as_str()));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            return Err(words.error_with_help(
                &codes::D_NAME,
                *span,
                &format!("{name} is not defined"),
                help,
            ));
        }
    }
    Ok(program)
}

fn file(w: &mut Words<'_>) -> Done<File> {
    let mut found = File::default();
    while *w.peek() != Token::End {
        if w.eat(";") {
            continue;
        }
        if w.eat_word("with") {
            loop {
                let (name, _) = w.name("the name of a parameter")?;
                w.expect("=")?;
                let value = match w.take() {
                    Token::Name(text) | Token::Number(text) => text,
                    _ => return Err(w.unexpected("a number or a type")),
                };
                found.with.insert(name, value);
                if !w.eat(",") {
                    break;
                }
            }
            continue;
        }
        if matches!(w.peek(), Token::Name(name) if name == "op") && !w.then_is(":=") && !w.then_is("<") {
            w.take();
            let operator = operator(w)?;
            found.operators.push(operator);
            continue;
        }
        let (name, span) = w.name("a definition")?;
        let (mut types, mut sizes) = (Vec::new(), Vec::new());
        let mut values = Vec::new();
        if w.eat("<") {
            // Where there are no types, sizes need no bar.
            let only_sizes = matches!(w.peek(), Token::Name(word) if word == "int")
                || matches!(w.peek(), Token::Number(_));
            while !only_sizes && !w.is("|") && !w.is(">") {
                if !types.is_empty() {
                    w.expect(",")?;
                }
                w.eat_word("Type");
                types.push(w.name("a type")?.0);
            }
            if only_sizes || w.eat("|") {
                while !w.is(">") {
                    if !sizes.is_empty() || !values.is_empty() {
                        w.expect(",")?;
                    }
                    w.eat_word("int");
                    match w.take() {
                        Token::Name(name) => sizes.push(name),
                        Token::Number(text) => match text.parse() {
                            Ok(value) => values.push(value),
                            Err(_) => {
                                return Err(w.error(&codes::D_TYPE, span, format!("{text} is no size")));
                            }
                        },
                        _ => return Err(w.unexpected("a size")),
                    }
                }
            }
            w.expect(">")?;
        }
        if !w.is(":=") {
            found.uses.push((name, types, values, span));
            w.expect(";")?;
            continue;
        }
        w.take();
        if found.definitions.iter().any(|definition| definition.name == name) {
            return Err(w.error(&codes::D_DUP, span, format!("{name} is defined twice")));
        }
        let definition = definition(w, name, types, sizes, span)?;
        found.definitions.push(definition);
    }
    Ok(found)
}

fn definition(
    w: &mut Words<'_>,
    name: String,
    types: Vec<String>,
    sizes: Vec<String>,
    span: Span,
) -> Done<Definition> {
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
    w.expect_word("o")?;
    w.expect_word("inp_view")?;
    let inp_types = angle(w)?;
    let inps = buffers(w)?;
    let schedule = schedule(w)?;
    let span = w.since(span);
    Ok(Definition {
        name,
        types,
        sizes,
        out_types,
        outs,
        extents,
        function,
        combs,
        conditions: all,
        inp_types,
        inps,
        schedule,
        span,
    })
}

/// `schedule( … )`, if it is there
pub(crate) fn schedule(w: &mut Words<'_>) -> Done<Option<(Draft, Span)>> {
    if !w.eat_word("schedule") {
        return Ok(None);
    }
    let (text, place) = w.steps()?;
    match Draft::read(&text) {
        Ok(draft) => Ok(Some((draft, place))),
        Err(error) => Err(wrong_steps(w, place, &error)),
    }
}

/// A mistake in a schedule, at its place in the file
pub(crate) fn wrong_steps(w: &mut Words<'_>, place: Span, error: &DraftError) -> Reported {
    let at = |offset: usize| place.start.saturating_add(offset as u32).min(place.end);
    let span = Span::new(place.source, at(error.at.start), at(error.at.end));
    w.error(&codes::D_SCHEDULE, span, error.message.clone())
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

/// A definition with sizes and types put in
fn instance(
    w: &mut Words<'_>,
    d: &Definition,
    file: &File,
    with: &BTreeMap<String, String>,
) -> Done<Function> {
    let constant =
        |name: &str| with.get(name).and_then(|text| text.parse::<i64>().ok()).map(AffineExpr::from);
    let Some(first) = d.outs.iter().chain(&d.inps).flat_map(|buffer| buffer.accesses.first()).next() else {
        return Err(w.error(&codes::D_ARITY, d.span, "there is no access"));
    };
    let names = first.ids.clone();
    let rank = d.extents.len();
    if names.len() != rank || d.combs.len() != rank {
        let message =
            format!("{rank} sizes, {} operators, {} names of dimensions", d.combs.len(), names.len());
        return Err(w.error(&codes::D_ARITY, d.span, message));
    }
    let mut sizes = Vec::new();
    for e in &d.extents {
        match affine(e, &constant).and_then(|e| e.as_constant()) {
            Some(size) if size > 0 => sizes.push(size),
            Some(size) => {
                return Err(w.error(
                    &codes::D_TYPE,
                    e.span,
                    format!("a dimension has {size} points, not one or more"),
                ));
            }
            None => {
                let text = match &e.kind {
                    ExprKind::Name(name) => name.clone(),
                    _ => "this".into(),
                };
                let help = Some(format!("`with {text} = 16;`, `{}<…>;`, or `--set {text}=16`", d.name));
                return Err(w.error_with_help(
                    &codes::D_TYPE,
                    e.span,
                    &format!("size {text} is not known"),
                    help,
                ));
            }
        }
    }
    let mut tensors: Vec<(String, Elem, Option<Vec<i64>>)> = Vec::new();
    for (types, buffers, what) in [(&d.inp_types, &d.inps, "inputs"), (&d.out_types, &d.outs, "outputs")] {
        if types.len() != buffers.len() {
            let message = format!("{} types for {} {what}", types.len(), buffers.len());
            return Err(w.error(&codes::D_ARITY, d.span, message));
        }
        for (ty, buffer) in types.iter().zip(buffers) {
            let elem = elem(w, with, ty, buffer.span)?;
            let mut shape = None;
            if let Some(all) = &buffer.shape {
                let mut sizes = Vec::new();
                for e in all {
                    match affine(e, &constant).and_then(|e| e.as_constant()) {
                        Some(size) => sizes.push(size),
                        None => return Err(w.error(&codes::D_TYPE, e.span, "this size is not known")),
                    }
                }
                shape = Some(sizes);
            }
            let own = buffer.into.as_ref().is_some_and(|(name, _)| *name == buffer.name);
            if !own && tensors.iter().any(|(name, ..)| *name == buffer.name) {
                return Err(w.error(
                    &codes::D_DUP,
                    buffer.span,
                    format!("{} is input and output", buffer.name),
                ));
            }
            if let Some((name, _)) = &buffer.into
                && !tensors.iter().any(|(other, ..)| other == name)
            {
                tensors.push((name.clone(), elem, None));
            }
            match tensors.iter_mut().find(|(name, ..)| own && *name == buffer.name) {
                Some(known) => known.2 = known.2.take().or(shape),
                None => tensors.push((buffer.name.clone(), elem, shape)),
            }
        }
    }
    let index = |w: &mut Words<'_>, access: &Access, e: &Expr| -> Done<AffineExpr> {
        let name = |text: &str| {
            access
                .ids
                .iter()
                .position(|id| id == text)
                .map(|n| AffineExpr::Dim(n as u32))
                .or_else(|| constant(text))
        };
        match affine(e, &name) {
            Some(e) => Ok(e),
            None => Err(w.error(&codes::D_INDEX, e.span, "this is not affine in the names of the access")),
        }
    };
    let map = |w: &mut Words<'_>, access: &Access| -> Done<Vec<AffineExpr>> {
        if access.ids.len() != rank {
            let message = format!("{} names for {rank} dimensions", access.ids.len());
            return Err(w.error(&codes::D_ARITY, access.span, message));
        }
        access.index.iter().map(|e| index(w, access, e)).collect()
    };
    let mut inputs = Vec::new();
    for buffer in &d.inps {
        for access in &buffer.accesses {
            let guard = match &access.guard {
                Some(e) => Some(index(w, access, e)?),
                None => None,
            };
            inputs.push(Input {
                tensor: buffer.name.clone(),
                map: map(w, access)?,
                other: access.other,
                guard,
                whole: false,
            });
        }
    }
    let mut outputs = Vec::new();
    let mut yields = 0;
    for buffer in &d.outs {
        let maps = buffer.accesses.iter().map(|access| map(w, access)).collect::<Done<Vec<_>>>()?;
        yields += maps.len();
        let init = match &buffer.into {
            Some((name, Some(access))) => Some((name.clone(), Some(map(w, access)?))),
            Some((name, None)) => Some((name.clone(), None)),
            None => None,
        };
        outputs.push(Output { tensor: buffer.name.clone(), maps, init, inner: false });
    }
    let mut all = Vec::new();
    let dim_name = |text: &str| {
        names.iter().position(|id| id == text).map(|n| AffineExpr::Dim(n as u32)).or_else(|| constant(text))
    };
    for e in &d.conditions {
        match conditions(e, &dim_name) {
            Some(found) => all.extend(found),
            None => {
                return Err(w.error(
                    &codes::D_INDEX,
                    e.span,
                    "a condition compares sums of names of dimensions",
                ));
            }
        }
    }
    let body = scalar_function(w, d, &names, inputs.len(), yields, &constant)?;
    let mut dims = Vec::new();
    for ((name, size), comb) in names.iter().zip(&sizes).zip(&d.combs) {
        let kind = match comb {
            Comb::Keep => Kind::Cc,
            Comb::Point(words, span) => {
                Kind::Pw(operators(w, words, *span, file, outputs.len())?, Order::Fixed)
            }
            Comb::Prefix(words, span) => Kind::Ps(operators(w, words, *span, file, outputs.len())?),
        };
        dims.push(Dim { name: name.clone(), size: *size, kind });
    }
    let name = function_name(&d.name);
    let one = Computation {
        name: name.clone(),
        dims,
        inputs,
        outputs,
        conditions: all,
        body,
        schedule: d.schedule.as_ref().map(|(draft, _)| draft.clone()),
        offset: d.span.start,
    };
    if let Some((draft, place)) = &d.schedule
        && let Err(error) = one.check_schedule(draft)
    {
        return Err(wrong_steps(w, *place, &error));
    }
    Ok(Function { name, tensors, computations: vec![one], offset: d.span.start })
}

/// `MatMul` is `matmul` as a symbol
fn function_name(name: &str) -> String {
    name.to_lowercase()
}

fn operators(w: &mut Words<'_>, words: &[String], span: Span, file: &File, outputs: usize) -> Done<Vec<Op>> {
    let mut all = Vec::new();
    for word in words {
        let text = match word.as_str() {
            "+" => "add",
            "*" => "mul",
            "&" => "and",
            "|" => "or",
            "^" => "xor",
            other => other,
        };
        if let Ok(builtin) = text.parse() {
            all.push(Op::Builtin(builtin));
        } else if file.operators.iter().any(|operator| operator.name == *text) {
            all.push(Op::Named(text.to_string()));
        } else {
            let names = file.operators.iter().map(|operator| operator.name.as_str());
            let near = nearest(text, names.chain(["add", "mul", "min", "max", "and", "or", "xor"]));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            return Err(w.error_with_help(&codes::D_NAME, span, &format!("`{word}` is no operator"), help));
        }
    }
    let joint = all.len() == 1 && matches!(&all[0], Op::Named(_));
    if all.len() == 1 && outputs > 1 && !joint {
        // The same for every output.
        all = vec![all[0].clone(); outputs];
    }
    if all.len() != outputs && !joint {
        let message = format!("{} operators for {outputs} outputs", all.len());
        return Err(w.error(&codes::D_ARITY, span, message));
    }
    Ok(all)
}

fn scalar_function(
    w: &mut Words<'_>,
    d: &Definition,
    names: &[String],
    inputs: usize,
    yields: usize,
    constant: &dyn Fn(&str) -> Option<AffineExpr>,
) -> Done<Vec<Scalar>> {
    match &d.function {
        Fun::Mark(mark, span) => {
            let bin = match mark.as_str() {
                "*" | "mul" => Bin::Mul,
                "+" | "add" => Bin::Add,
                "-" | "sub" => Bin::Sub,
                "min" => Bin::Min,
                "max" => Bin::Max,
                "id" if inputs == 1 => return Ok(vec![Scalar::Arg(0); yields]),
                other => {
                    return Err(w.error(&codes::D_NAME, *span, format!("`{other}` is no scalar function")));
                }
            };
            if inputs < 2 || yields != 1 {
                let message = format!("`{mark}` of {inputs} inputs for {yields} outputs; say `(x) -> …`");
                return Err(w.error(&codes::D_ARITY, *span, message));
            }
            let all = (1..inputs)
                .fold(Scalar::Arg(0), |a, n| Scalar::Op(bin, Box::new(a), Box::new(Scalar::Arg(n))));
            Ok(vec![all])
        }
        Fun::Lambda(params, body, span) => {
            if params.len() != inputs {
                let message = format!("{} parameters for {inputs} accesses of inputs", params.len());
                return Err(w.error(&codes::D_ARITY, *span, message));
            }
            let body = match (body.len(), yields) {
                (1, n) if n > 1 => vec![body[0].clone(); n],
                (n, m) if n == m => body.clone(),
                (n, m) => {
                    let message = format!("{n} values for {m} accesses of outputs");
                    return Err(w.error(&codes::D_ARITY, *span, message));
                }
            };
            let mut all = Vec::new();
            for e in &body {
                let mut leaf = |e: &Expr| match &e.kind {
                    ExprKind::Name(name) => {
                        let param = params.iter().position(|param| param == name).map(Scalar::Arg);
                        let dim = names.iter().position(|dim| dim == name).map(Scalar::Index);
                        let number = constant(name).and_then(|e| e.as_constant()).map(Scalar::Int);
                        Ok(param.or(dim).or(number))
                    }
                    _ => Ok(None),
                };
                match scalar(e, &mut leaf) {
                    Ok(found) => all.push(found),
                    Err((e, why)) => return Err(w.error(&codes::D_NAME, e.span, why)),
                }
            }
            Ok(all)
        }
    }
}
