//! Tensor expressions.
//!
//! ```text
//! prog   := { fn NAME ; | let NAME = NUMBER ; | NAME : size <= bound ; | NAME : type [ [ size,… ] ] [ < bound ] ; | stmt ; | operator }
//! stmt   := out,… (= | +=) [red] value [where cond,…] [order( ORDER )] [schedule( STEPS )]  |  O = einsum ( "ij,jk->ik" , A,… )
//! out    := O [ [ id,… ] ]                               without brackets: one number
//! value  := expr | ( expr, … )                           as many as there are outputs
//! red    := (op | ( op,… ) | argmax | argmin) { [id,…] [; id,…] }      reduced ids; behind `;` ids that keep prefixes
//! op     := (sum | prod) [ <TYPE> ] | min | max | and | or | xor | NAME      TYPE: what it adds in
//! id     := NAME [in size]
//! expr   := + - * / %, comparisons, && ||, cond ? e : e, min max exp …, TYPE(e), T[e,…] [else NUMBER], [cond] (1 or 0),
//!           ids as numbers, T of a tensor that is one number
//! ```
//!
//! Ids that only the right side has are reduced, by `sum` by default. Extents come from declared shapes, else from
//! `in`. `+=` adds to what the tensor is before, if it is declared or computed before. Subscripts are affine in ids, with
//! quotients and remainders by numbers: strides `i*s + r`, dilation `r*d`, groups `k/4*2 + c`; or they are computed from
//! elements: `T[P[i], j]`; `P : i32 [N] < 9` says that these are from 0 to 8.

mod computation;
mod elements;
mod extents;
mod folds;
mod places;
mod scope;
mod sizes;
mod sums;

use crate::codes;
use crate::index::affine;
use crate::model::{Count, Elem, Function, Op, OperatorFn, Program};
use crate::syntax::{Expr, ExprKind, Token, Words};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, Reported, SourceId, Span, nearest};
use terrace_dialect_mdh::operator::Builtin;
use terrace_dialect_mdh::schedule::OpenSchedule;
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
        counts: BTreeMap::new(),
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
    /// Tensors of the function in progress whose dimensions end at sizes that are known at run time
    counts: BTreeMap<String, Vec<Count>>,
}

/// An id with the extent that `in` gives
#[derive(Clone)]
struct Id {
    name: String,
    size: Option<Count>,
    span: Span,
}

/// A tensor on the left, with its indices
struct Target {
    name: String,
    span: Span,
    ids: Vec<Id>,
}

/// By what the right side is reduced
enum Fold {
    /// One operator for all outputs, or one for each
    By(Vec<Op>),
    /// Where the greatest or the least value is
    Place { greatest: bool },
}

/// How the right side is reduced
struct Reduction {
    fold: Fold,
    /// Types that operators state, one for each operator
    types: Vec<Option<Elem>>,
    span: Span,
    /// Nothing: all that the left side lacks
    over: Option<Vec<Id>>,
    prefixes: Vec<Id>,
}

/// A statement as it is written
struct Statement {
    outs: Vec<Target>,
    adds: bool,
    reduction: Reduction,
    values: Vec<Expr>,
    wheres: Vec<Expr>,
    /// What bracketing is allowed
    order: Option<(Order, Span)>,
    schedule: Option<(OpenSchedule, Span)>,
}

impl Reduction {
    /// The default
    fn plain(span: Span) -> Reduction {
        let fold = Fold::By(vec![Builtin::Add.into()]);
        Reduction { fold, types: Vec::new(), span, over: None, prefixes: Vec::new() }
    }
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
                self.begin(name, span.start);
                continue;
            }
            if w.eat_word("op") {
                let operator: OperatorFn = crate::operators::operator(w)?;
                self.program.operators.push(operator);
                continue;
            }
            if self.functions.is_empty() {
                self.begin("main".into(), start.start);
            }
            let (name, span) = w.name("a declaration or a statement")?;
            if w.eat(":") {
                self.declaration(w, name, span)?;
            } else {
                self.statement(w, name, span)?;
            }
            if *w.peek() != Token::End {
                w.expect(";")?;
            }
        }
        Ok(())
    }

    /// Begin a function
    fn begin(&mut self, name: String, offset: u32) {
        let (sizes, tensors, computations) = (Vec::new(), Vec::new(), Vec::new());
        let below = BTreeMap::new();
        self.functions.push(Function { name, sizes, tensors, below, computations, offset });
        self.counts.clear();
    }

    fn constant(&self, name: &str) -> Option<AffineExpr> {
        self.constants.get(name).map(|value| AffineExpr::from(*value))
    }

    /// The function in progress
    fn function(&mut self) -> &mut Function {
        let n = self.functions.len() - 1;
        &mut self.functions[n]
    }

    fn declaration(&mut self, w: &mut Words<'_>, name: String, span: Span) -> Done<()> {
        let (ty, at) = w.name("a type, or `size`")?;
        if ty == "size" {
            return self.open_size(w, name, span);
        }
        let Some(elem) = Elem::parse(&ty) else {
            return Err(w.error(&codes::E_NAME, at, format!("{ty} is no type known here")));
        };
        let sizes = if w.is("[") { w.list("[", "]", Words::expr)? } else { Vec::new() };
        let counts = sizes.iter().map(|e| self.size(w, e)).collect::<Done<Vec<Count>>>()?;
        self.is_new(w, &name, span)?;
        let shape = counts.iter().map(|count| count.most).collect();
        self.counts.insert(name.clone(), counts);
        self.function().tensors.push((name.clone(), elem, Some(shape)));
        self.below(w, &name, elem)
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

    fn einsum(&mut self, w: &mut Words<'_>, out: Target) -> Done<()> {
        w.expect_word("einsum")?;
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
        let (Some(product), Some(ids)) = (product, named(right)) else {
            return Err(w.error(&codes::E_SYNTAX, at, "ids are single letters"));
        };
        let ids = ids.into_iter().map(|name| Id { name, size: None, span: at }).collect();
        let outs = vec![Target { ids, ..out }];
        let reduction = Reduction::plain(at);
        let (order, schedule) = (crate::text::order(w, &codes::E_NAME)?, crate::text::schedule(w)?);
        let (values, wheres) = (vec![product], Vec::new());
        self.computation(w, Statement { outs, adds: false, reduction, values, wheres, order, schedule })
    }

    /// A tensor on the left; its name has been read
    fn target(&self, w: &mut Words<'_>, (name, span): (String, Span)) -> Done<Target> {
        let ids = if w.is("[") { w.list("[", "]", |w| self.id(w))? } else { Vec::new() };
        Ok(Target { name, span, ids })
    }

    fn statement(&mut self, w: &mut Words<'_>, name: String, span: Span) -> Done<()> {
        let bare = !w.is("[");
        let mut outs = vec![self.target(w, (name, span))?];
        while w.eat(",") {
            let next = w.name("a tensor")?;
            let next = self.target(w, next)?;
            if outs.iter().any(|other| other.name == next.name) {
                let message = format!("{} is there twice on the left", next.name);
                return Err(w.error(&codes::E_NAME, next.span, message));
            }
            outs.push(next);
        }
        let adds = w.eat("+=");
        if !adds {
            w.expect("=")?;
        }
        for out in &outs {
            self.not_bounded(w, &out.name, out.span)?;
        }
        let einsum = matches!(w.peek(), Token::Name(word) if word == "einsum") && w.then_is("(");
        if einsum && bare && !adds && outs.len() == 1 {
            return self.einsum(w, outs.remove(0));
        }
        let reduction = self.reduction(w)?;
        let e = w.expr()?;
        let at = e.span;
        let values = match e.kind {
            ExprKind::Tuple(all) => all,
            _ => vec![e],
        };
        let wanted = match reduction.fold {
            Fold::Place { .. } => 1,
            Fold::By(_) => outs.len(),
        };
        if values.len() != wanted {
            let (help, message) = match reduction.fold {
                Fold::By(_) => (
                    format!("`{}`", vec!["…"; wanted].join(", ")),
                    format!("{} values for {wanted} tensors on the left", values.len()),
                ),
                Fold::Place { .. } => (
                    "`v[i], p[i] = argmax{j} X[i, j]` gives the value and its place".into(),
                    format!("{} values, of which one is compared", values.len()),
                ),
            };
            return Err(w.error_with_help(&codes::E_RANK, at, &message, Some(help)));
        }
        let mut wheres = Vec::new();
        if w.eat_word("where") {
            wheres.push(w.expr()?);
            while w.eat(",") {
                wheres.push(w.expr()?);
            }
        }
        let (order, schedule) = (crate::text::order(w, &codes::E_NAME)?, crate::text::schedule(w)?);
        self.computation(w, Statement { outs, adds, reduction, values, wheres, order, schedule })
    }

    /// An operator by its word
    fn operator(&self, w: &mut Words<'_>, word: &str, at: Span) -> Done<Op> {
        match word {
            "sum" => return Ok(Op::Builtin(Builtin::Add)),
            "prod" => return Ok(Op::Builtin(Builtin::Mul)),
            _ => {}
        }
        if let Ok(builtin) = word.parse() {
            return Ok(Op::Builtin(builtin));
        }
        if self.program.operators.iter().any(|operator| operator.name == *word) {
            return Ok(Op::Named(word.to_string()));
        }
        let names = self.program.operators.iter().map(|operator| operator.name.as_str());
        let known = ["sum", "prod", "min", "max", "and", "or", "xor", "argmax", "argmin"];
        let near = nearest(word, names.chain(known));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        Err(w.error_with_help(&codes::E_NAME, at, &format!("{word} is no reduction"), help))
    }

    /// An operator, and the type that a sum or product states
    fn typed_operator(&self, w: &mut Words<'_>) -> Done<(Op, Option<Elem>)> {
        let (word, at) = w.name("sum, prod, min, max, and, or, xor or the name of an operator")?;
        let stated = w.is("<");
        let op = match stated && matches!(word.as_str(), "argmax" | "argmin") {
            true => Op::Named(word.clone()),
            false => self.operator(w, &word, at)?,
        };
        if !w.eat("<") {
            return Ok((op, None));
        }
        let (ty, place) = w.name("a type")?;
        let Some(elem) = Elem::parse(&ty) else {
            return Err(w.error(&codes::E_NAME, place, format!("{ty} is no type known here")));
        };
        w.expect(">")?;
        if !matches!(op, Op::Builtin(Builtin::Add | Builtin::Mul)) {
            let message = format!("{word} has the type of its terms: only sums and products state one");
            let help = Some(format!("`{word}{{…}} {ty}(…)` converts the terms"));
            return Err(w.error_with_help(&codes::E_NAME, place, &message, help));
        }
        Ok((op, Some(elem)))
    }

    fn reduction(&mut self, w: &mut Words<'_>) -> Done<Reduction> {
        let at = w.span();
        let mut types = Vec::new();
        let fold = match w.peek().clone() {
            Token::Name(word) if w.then_is("{") && matches!(word.as_str(), "argmax" | "argmin") => {
                w.take();
                Fold::Place { greatest: word == "argmax" }
            }
            Token::Name(_) if w.then_is("{") || w.typed_then("{") => {
                let (op, ty) = self.typed_operator(w)?;
                types.push(ty);
                Fold::By(vec![op])
            }
            Token::Mark("(") if w.group_then("{") => Fold::By(w.list("(", ")", |w| {
                let (op, ty) = self.typed_operator(w)?;
                types.push(ty);
                Ok(op)
            })?),
            _ => return Ok(Reduction::plain(at)),
        };
        let span = w.since(at);
        w.expect("{")?;
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
        Ok(Reduction { fold, types, span, over, prefixes })
    }
}
