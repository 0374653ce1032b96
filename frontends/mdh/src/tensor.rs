//! Tensor expressions.
//!
//! ```text
//! prog   := { fn NAME ; | let NAME = NUMBER ; | NAME : type [ size,… ] ; | stmt ; | operator }
//! stmt   := O [ id,… ] (= | +=) [red] expr [where cond,…]  |  O = einsum ( "ij,jk->ik" , A,… )
//! red    := (sum|prod|min|max|NAME) { [id,…] [; id,…] }        reduced ids; behind `;` ids that keep prefixes
//! id     := NAME [in size]
//! expr   := + - * / min max exp …, cond ? e : e, T[e,…] [else NUMBER], [cond] (1 or 0), ids as numbers
//! ```
//!
//! Ids that only the right side has are reduced, by `sum` if nothing is said. Extents come from declared shapes, else from
//! `in`. `+=` adds to what the tensor is before, if it is declared or computed before. Subscripts are affine in ids, with
//! quotients and remainders by numbers: strides `i*s + r`, dilation `r*d`, groups `k/4*2 + c`.

use crate::codes;
use crate::index::{affine, conditions, scalar};
use crate::model::{
    Computation, Dim, Elem, Function, Input, Kind, Op, OperatorFn, Output, Program, Scalar, type_join,
};
use crate::syntax::{Expr, ExprKind, Token, Words};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, Reported, SourceId, Span, nearest};
use terrace_dialect_mdh::operator::Builtin;
use terrace_dialect_mdh::schedule::Draft;
use terrace_dialect_mdh::view::Order;
use terrace_ir::{Context, Ir};
use terrace_support::affine::AffineExpr;

type Done<T> = Result<T, Reported>;

/// Read a program into a module; nothing if that failed with messages
///
/// `sets` are constants that win over the text's own `let`.
pub fn read(cx: &Arc<Context>, source: SourceId, sets: &[(String, String)], diags: &mut Diags) -> Option<Ir> {
    let wrong = |why: String| Diagnostic::error(&codes::E_RANK, format!("E-RANK: {why}"));
    crate::emit::read(cx, source, diags, |text, diags| program(source, text, sets, diags), wrong)
}

/// The program as data; nothing if that failed with messages
pub fn program(
    source: SourceId,
    text: &str,
    sets: &[(String, String)],
    diags: &mut Diags,
) -> Option<Program> {
    let mut words = Words::new(source, text, &codes::E_SYNTAX, diags)?;
    let mut reader = Reader {
        constants: BTreeMap::new(),
        fixed: Vec::new(),
        program: Program::default(),
        functions: Vec::new(),
    };
    for (name, value) in sets {
        if let Ok(value) = value.parse() {
            reader.constants.insert(name.clone(), value);
            reader.fixed.push(name.clone());
        }
    }
    reader.file(&mut words).ok()?;
    let mut program = reader.program;
    program.functions =
        reader.functions.into_iter().filter(|function| !function.computations.is_empty()).collect();
    Some(program)
}

struct Reader {
    constants: BTreeMap<String, i64>,
    /// From outside
    fixed: Vec<String>,
    program: Program,
    functions: Vec<Function>,
}

/// An id with the extent that `in` gives
#[derive(Clone)]
struct Id {
    name: String,
    size: Option<i64>,
    span: Span,
}

/// How the right side is reduced
struct Reduction {
    op: Op,
    /// Nothing: all that the left side lacks
    over: Option<Vec<Id>>,
    prefixes: Vec<Id>,
}

impl Reader {
    fn file(&mut self, w: &mut Words<'_>) -> Done<()> {
        while *w.peek() != Token::End {
            if w.eat(";") {
                continue;
            }
            let start = w.span();
            if w.eat_word("let") {
                let (name, _) = w.name("a name")?;
                w.expect("=")?;
                let e = w.expr()?;
                let value = affine(&e, &|name| self.constant(name)).and_then(|e| e.as_constant());
                let Some(value) = value else {
                    return Err(w.error(&codes::E_NAME, e.span, "this is no constant"));
                };
                if !self.fixed.contains(&name) {
                    self.constants.insert(name, value);
                }
                continue;
            }
            if w.eat_word("fn") {
                let (name, span) = w.name("the function's name")?;
                self.functions.push(Function {
                    name,
                    tensors: Vec::new(),
                    computations: Vec::new(),
                    offset: span.start,
                });
                continue;
            }
            if w.eat_word("op") {
                let operator: OperatorFn = crate::operators::operator(w)?;
                self.program.operators.push(operator);
                continue;
            }
            if self.functions.is_empty() {
                let offset = start.start;
                self.functions.push(Function {
                    name: "main".into(),
                    tensors: Vec::new(),
                    computations: Vec::new(),
                    offset,
                });
            }
            let (name, span) = w.name("a declaration or a statement")?;
            if w.eat(":") {
                self.declaration(w, name, span)?;
            } else if w.eat("=") {
                w.expect_word("einsum")?;
                self.einsum(w, name, span)?;
            } else {
                self.statement(w, name, span)?;
            }
            if *w.peek() != Token::End {
                w.expect(";")?;
            }
        }
        Ok(())
    }

    fn constant(&self, name: &str) -> Option<AffineExpr> {
        self.constants.get(name).map(|value| AffineExpr::from(*value))
    }

    /// The function in progress
    fn function(&mut self) -> &mut Function {
        let n = self.functions.len() - 1;
        &mut self.functions[n]
    }

    fn size(&self, w: &mut Words<'_>, e: &Expr) -> Done<i64> {
        match affine(e, &|name| self.constant(name)).and_then(|e| e.as_constant()).filter(|size| *size >= 0) {
            Some(size) => Ok(size),
            None => {
                let help = match &e.kind {
                    ExprKind::Name(name) => Some(format!("`let {name} = 16;`, or `--set {name}=16`")),
                    _ => None,
                };
                Err(w.error_with_help(&codes::E_NAME, e.span, "this size is not known", help))
            }
        }
    }

    fn declaration(&mut self, w: &mut Words<'_>, name: String, span: Span) -> Done<()> {
        let (ty, at) = w.name("a type")?;
        let Some(elem) = Elem::parse(&ty) else {
            return Err(w.error(&codes::E_NAME, at, format!("{ty} is no type known here")));
        };
        let sizes = if w.is("[") { w.list("[", "]", Words::expr)? } else { Vec::new() };
        let mut shape = Vec::new();
        for e in &sizes {
            shape.push(self.size(w, e)?);
        }
        if self.function().elem(&name).is_some() {
            return Err(w.error(&codes::E_NAME, span, format!("{name} is declared twice")));
        }
        self.function().tensors.push((name, elem, Some(shape)));
        Ok(())
    }

    fn id(&self, w: &mut Words<'_>) -> Done<Id> {
        let (name, span) = w.name("an index")?;
        let mut size = None;
        if w.eat_word("in") {
            let e = w.expr()?;
            size = Some(self.size(w, &e)?);
        }
        Ok(Id { name, size, span })
    }

    fn einsum(&mut self, w: &mut Words<'_>, name: String, span: Span) -> Done<()> {
        w.expect("(")?;
        let at = w.span();
        let Token::Text(text) = w.take() else {
            return Err(w.error(&codes::E_SYNTAX, at, "expected \"ij,jk->ik\""));
        };
        let mut tensors = Vec::new();
        while w.eat(",") {
            tensors.push(w.name("a tensor")?);
        }
        w.expect(")")?;
        let Some((left, right)) = text.split_once("->") else {
            return Err(w.error(&codes::E_SYNTAX, at, "ids of the operands, `->`, ids of the result"));
        };
        let parts: Vec<&str> = left.split(',').map(str::trim).collect();
        if parts.len() != tensors.len() {
            let message = format!("{} operands in the text, {} tensors", parts.len(), tensors.len());
            return Err(w.error(&codes::E_RANK, at, message));
        }
        let named = |letters: &str| -> Option<Vec<String>> {
            letters.trim().chars().map(|c| c.is_ascii_alphabetic().then(|| c.to_string())).collect()
        };
        let mut product: Option<Expr> = None;
        for (part, (tensor, at)) in parts.iter().zip(&tensors) {
            let Some(ids) = named(part) else {
                return Err(w.error(&codes::E_SYNTAX, *at, "ids are single letters"));
            };
            let subs = ids.into_iter().map(|id| Expr { span: *at, kind: ExprKind::Name(id) }).collect();
            let access = Expr { span: *at, kind: ExprKind::Access(tensor.clone(), subs, None) };
            product = Some(match product {
                Some(before) => {
                    Expr { span: *at, kind: ExprKind::Op("*", Box::new(before), Box::new(access)) }
                }
                None => access,
            });
        }
        let (Some(product), Some(out)) = (product, named(right)) else {
            return Err(w.error(&codes::E_SYNTAX, at, "ids are single letters"));
        };
        let ids = out.into_iter().map(|name| Id { name, size: None, span: at }).collect();
        let reduction = Reduction { op: Builtin::Add.into(), over: None, prefixes: Vec::new() };
        let schedule = crate::text::schedule(w)?;
        self.computation(w, name, span, ids, false, reduction, product, Vec::new(), schedule)
    }

    fn statement(&mut self, w: &mut Words<'_>, name: String, span: Span) -> Done<()> {
        let mut ids = Vec::new();
        w.expect("[")?;
        while !w.eat("]") {
            if !ids.is_empty() {
                w.expect(",")?;
            }
            ids.push(self.id(w)?);
        }
        let adds = w.eat("+=");
        if !adds {
            w.expect("=")?;
        }
        let reduction = self.reduction(w)?;
        let e = w.expr()?;
        let mut all = Vec::new();
        if w.eat_word("where") {
            all.push(w.expr()?);
            while w.eat(",") {
                all.push(w.expr()?);
            }
        }
        let schedule = crate::text::schedule(w)?;
        self.computation(w, name, span, ids, adds, reduction, e, all, schedule)
    }

    fn reduction(&mut self, w: &mut Words<'_>) -> Done<Reduction> {
        let at = w.span();
        let word = match w.peek().clone() {
            Token::Name(word) if w.then_is("{") => word,
            _ => return Ok(Reduction { op: Builtin::Add.into(), over: None, prefixes: Vec::new() }),
        };
        w.take();
        w.take();
        let op = match word.as_str() {
            "sum" => Op::Builtin(Builtin::Add),
            "prod" => Op::Builtin(Builtin::Mul),
            other => match other.parse() {
                Ok(builtin) => Op::Builtin(builtin),
                Err(()) if self.program.operators.iter().any(|operator| operator.name == *other) => {
                    Op::Named(other.to_string())
                }
                Err(()) => {
                    let names = self.program.operators.iter().map(|operator| operator.name.as_str());
                    let near = nearest(other, names.chain(["sum", "prod", "min", "max"]));
                    let help = near.map(|near| format!("did you mean `{near}`?"));
                    return Err(w.error_with_help(
                        &codes::E_NAME,
                        at,
                        &format!("{other} is no reduction"),
                        help,
                    ));
                }
            },
        };
        let (mut over, mut prefixes) = (Vec::new(), Vec::new());
        let mut behind = false;
        while !w.eat("}") {
            if w.eat(";") {
                behind = true;
                continue;
            }
            if !(if behind { &prefixes } else { &over }).is_empty() {
                w.expect(",")?;
            }
            let id = self.id(w)?;
            if behind { prefixes.push(id) } else { over.push(id) }
        }
        let over = if over.is_empty() { None } else { Some(over) };
        Ok(Reduction { op, over, prefixes })
    }

    #[allow(clippy::too_many_arguments)]
    fn computation(
        &mut self,
        w: &mut Words<'_>,
        name: String,
        span: Span,
        left: Vec<Id>,
        adds: bool,
        reduction: Reduction,
        e: Expr,
        wheres: Vec<Expr>,
        schedule: Option<(Draft, Span)>,
    ) -> Done<()> {
        let mut ids = left.clone();
        for (n, id) in left.iter().enumerate() {
            if left[..n].iter().any(|other| other.name == id.name) {
                return Err(w.error(
                    &codes::E_RANK,
                    id.span,
                    format!("{} is there twice on the left", id.name),
                ));
            }
        }
        ids.extend(reduction.over.iter().flatten().cloned());
        // What the right side has besides.
        let mut accesses: Vec<(String, Vec<Expr>, Option<f64>, Span)> = Vec::new();
        let mut found: Vec<(String, Span)> = Vec::new();
        collect(&e, &mut accesses, &mut found);
        for (id, at) in found {
            if self.constants.contains_key(&id) || ids.iter().any(|other| other.name == id) {
                continue;
            }
            if reduction.over.is_some() {
                let message = format!("{id} is neither on the left nor reduced over");
                return Err(w.error(&codes::E_NAME, at, message));
            }
            ids.push(Id { name: id, size: None, span: at });
        }
        let name_of = |text: &str| {
            ids.iter()
                .position(|id| id.name == text)
                .map(|n| AffineExpr::Dim(n as u32))
                .or_else(|| self.constant(text))
        };
        let shapes = match self.functions.last().map(Function::shapes) {
            Some(Ok(shapes)) => shapes,
            _ => BTreeMap::new(),
        };
        let mut inputs: Vec<Input> = Vec::new();
        let mut spans = Vec::new();
        for (tensor, subs, other, at) in &accesses {
            let Some(shape) = shapes.get(tensor) else {
                let near = nearest(tensor, shapes.keys().map(String::as_str));
                let help = near.map(|near| format!("did you mean `{near}`?"));
                let message = format!("tensor {tensor} is not declared: `{tensor} : f32 [sizes];`");
                return Err(w.error_with_help(&codes::E_NAME, *at, &message, help));
            };
            if shape.len() != subs.len() {
                let message = format!("{tensor} has {} dimensions, not {}", shape.len(), subs.len());
                return Err(w.error(&codes::E_RANK, *at, message));
            }
            let mut map = Vec::new();
            for sub in subs {
                match affine(sub, &name_of) {
                    Some(e) => map.push(e),
                    None => {
                        let message = format!("this subscript of {tensor} is not affine in indices");
                        return Err(w.error(&codes::E_INDEX, sub.span, message));
                    }
                }
            }
            let input = Input { tensor: tensor.clone(), map, other: *other, guard: None };
            if !inputs.contains(&input) {
                inputs.push(input);
                spans.push(*at);
            }
        }
        let sizes = self.extents(w, &ids, &inputs, &spans, &shapes)?;
        let mut all = Vec::new();
        for e in &wheres {
            match conditions(e, &name_of) {
                Some(found) => all.extend(found),
                None => return Err(w.error(&codes::E_INDEX, e.span, "a condition compares sums of indices")),
            }
        }
        let body = {
            let mut leaf = |e: &Expr| match &e.kind {
                ExprKind::Name(name) => {
                    let dim = ids.iter().position(|id| id.name == *name).map(Scalar::Index);
                    Ok(dim.or(self.constants.get(name).map(|value| Scalar::Int(*value))))
                }
                ExprKind::Access(tensor, subs, other) => {
                    let map: Option<Vec<AffineExpr>> = subs.iter().map(|sub| affine(sub, &name_of)).collect();
                    let n = inputs.iter().position(|input| {
                        input.tensor == *tensor && Some(&input.map) == map.as_ref() && input.other == *other
                    });
                    Ok(n.map(Scalar::Arg))
                }
                _ => Ok(None),
            };
            match scalar(&e, &mut leaf) {
                Ok(body) => body,
                Err((e, why)) => return Err(w.error(&codes::E_NAME, e.span, why)),
            }
        };
        let reduced = ids.len() > left.len();
        let dims = ids
            .iter()
            .zip(&sizes)
            .enumerate()
            .map(|(n, (id, size))| {
                let prefix = reduction.prefixes.iter().any(|other| other.name == id.name);
                let kind = match () {
                    () if prefix => Kind::Ps(vec![reduction.op.clone()]),
                    () if n < left.len() => Kind::Cc,
                    () => Kind::Pw(vec![reduction.op.clone()], Order::Fixed),
                };
                Dim { name: id.name.clone(), size: *size, kind }
            })
            .collect();
        let map: Vec<AffineExpr> = (0..left.len()).map(|n| AffineExpr::Dim(n as u32)).collect();
        let function = self.function();
        let known = function.elem(&name);
        let elems: Vec<Elem> =
            inputs.iter().map(|input| function.elem(&input.tensor).unwrap_or(Elem::Float(32))).collect();
        if known.is_none() {
            let own = match &reduction.op {
                Op::Named(name) => {
                    self.program.operators.iter().find(|one| one.name == *name).map(|one| one.elems[0])
                }
                Op::Builtin(_) => None,
            };
            let plain = if fraction(&body) { Elem::Float(32) } else { Elem::Int(32) };
            let elem = own.or(type_join(&body, &elems)).unwrap_or(plain);
            let function = self.function();
            function.tensors.push((name.clone(), elem, None));
        }
        let mut body = body;
        let mut init = None;
        let function = self.function();
        if adds && known.is_some() {
            if reduced {
                init = Some((name.clone(), None));
            } else {
                // Nothing is folded: the old element is one more input.
                inputs.push(Input { tensor: name.clone(), map: map.clone(), other: None, guard: None });
                let old = Box::new(Scalar::Arg(inputs.len() - 1));
                body = Scalar::Op(crate::model::Bin::Add, old, Box::new(body));
            }
        }
        let title = if function.name == "main" { name.to_lowercase() } else { function.name.clone() };
        let outputs = vec![Output { tensor: name, maps: vec![map], init }];
        let one = Computation {
            name: title,
            dims,
            inputs,
            outputs,
            conditions: all,
            body: vec![body],
            schedule: schedule.as_ref().map(|(draft, _)| draft.clone()),
            offset: span.start,
        };
        if let Some((draft, place)) = &schedule
            && let Err(error) = one.check_schedule(draft)
        {
            return Err(crate::text::wrong_steps(w, *place, &error));
        }
        let function = self.function();
        function.computations.push(one);
        Ok(())
    }

    /// Extents of ids: from `in`, from shapes where an id stands alone, then from shapes where all others are known
    fn extents(
        &self,
        w: &mut Words<'_>,
        ids: &[Id],
        inputs: &[Input],
        spans: &[Span],
        shapes: &BTreeMap<String, Vec<i64>>,
    ) -> Done<Vec<i64>> {
        let mut sizes: Vec<Option<(i64, String, Span)>> = ids
            .iter()
            .map(|id| id.size.map(|size| (size, format!("`{} in {size}`", id.name), id.span)))
            .collect();
        for (input, span) in inputs.iter().zip(spans) {
            for (n, (e, size)) in input.map.iter().zip(&shapes[&input.tensor]).enumerate() {
                let AffineExpr::Dim(id) = e else { continue };
                let from = format!("{} dim {} is {size}", input.tensor, n + 1);
                match &sizes[*id as usize] {
                    None => sizes[*id as usize] = Some((*size, from, *span)),
                    Some((other, text, _)) if other != size && input.other.is_none() => {
                        let message =
                            format!("extents of {} differ: {text}, but {from}", ids[*id as usize].name);
                        return Err(w.error(&codes::E_EXTENT, *span, message));
                    }
                    Some(_) => {}
                }
            }
        }
        loop {
            let mut changed = false;
            for (input, span) in inputs.iter().zip(spans).filter(|(input, _)| input.other.is_none()) {
                for (n, (e, size)) in input.map.iter().zip(&shapes[&input.tensor]).enumerate() {
                    let Some(linear) = e.as_linear() else { continue };
                    let used: Vec<usize> = (0..ids.len()).filter(|id| linear.dim(*id) != 0).collect();
                    let open: Vec<usize> = used.iter().copied().filter(|id| sizes[*id].is_none()).collect();
                    let [only] = open.as_slice() else { continue };
                    if used.iter().any(|id| linear.dim(*id) < 0) {
                        continue;
                    }
                    let others: i64 = used
                        .iter()
                        .filter_map(|id| sizes[*id].as_ref().map(|(size, ..)| linear.dim(*id) * (size - 1)))
                        .sum();
                    let rest = size - 1 - others - linear.constant;
                    let extent = if rest < 0 { 0 } else { rest / linear.dim(*only) + 1 };
                    sizes[*only] = Some((extent, format!("{} dim {} is {size}", input.tensor, n + 1), *span));
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        // Shifted reads of a tensor by one id leave fewer places: all of them must be inside.
        for input in inputs.iter().filter(|input| input.other.is_none()) {
            for (e, size) in input.map.iter().zip(&shapes[&input.tensor]) {
                let Some(linear) = e.as_linear() else { continue };
                let used: Vec<usize> = (0..ids.len()).filter(|id| linear.dim(*id) != 0).collect();
                let [only] = used.as_slice() else { continue };
                let (by, rest) = (linear.dim(*only), size - 1 - linear.constant);
                if by > 0
                    && rest >= 0
                    && ids[*only].size.is_none()
                    && let Some((extent, ..)) = &mut sizes[*only]
                {
                    *extent = (*extent).min(rest / by + 1);
                }
            }
        }
        let mut all = Vec::new();
        for (id, size) in ids.iter().zip(sizes) {
            match size {
                Some((size, ..)) => all.push(size),
                None => {
                    let help = Some(format!("say it: `{} in 16`", id.name));
                    let message = format!("nothing gives the extent of {}", id.name);
                    return Err(w.error_with_help(&codes::E_EXTENT, id.span, &message, help));
                }
            }
        }
        Ok(all)
    }
}

/// Is there a number with a point?
fn fraction(e: &Scalar) -> bool {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match e {
            Scalar::Float(_) => return true,
            Scalar::Arg(_) | Scalar::Index(_) | Scalar::Int(_) => {}
            Scalar::Neg(a) => stack.push(a),
            Scalar::Op(_, a, b) => stack.extend([&**a, &**b]),
            Scalar::Call(_, all) => stack.extend(all),
            Scalar::Select(a, b, c) => stack.extend([&**a, &**b, &**c]),
        }
    }
    false
}

/// Accesses, and names in subscripts and elsewhere, in order
fn collect(
    e: &Expr,
    accesses: &mut Vec<(String, Vec<Expr>, Option<f64>, Span)>,
    names: &mut Vec<(String, Span)>,
) {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => {}
            ExprKind::Name(name) => {
                if !names.iter().any(|(other, _)| other == name) {
                    names.push((name.clone(), e.span));
                }
            }
            ExprKind::Access(name, subs, other) => {
                accesses.push((name.clone(), subs.clone(), *other, e.span));
                stack.extend(subs.iter().rev());
            }
            ExprKind::Neg(a) | ExprKind::Iverson(a) => stack.push(a),
            ExprKind::Op(_, a, b) => stack.extend([&**b, &**a]),
            ExprKind::Cond(a, b, c) => stack.extend([&**c, &**b, &**a]),
            ExprKind::Call(_, all) | ExprKind::Tuple(all) => stack.extend(all.iter().rev()),
        }
    }
}
