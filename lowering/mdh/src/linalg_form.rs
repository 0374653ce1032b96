//! The computation of an op by its form: what its body reads, what it gives, and how that is combined.

use crate::linalg_fold::{fold_of, negative};
use crate::no_form::Rule;
use crate::tensors::{Done, few, named, replace, shape};
use terrace_dialect_arith as arith;
use terrace_dialect_func as func;
use terrace_dialect_linalg::{self as linalg, Form};
use terrace_dialect_mdh::operator::{Operator, declared, identity};
use terrace_dialect_mdh::view::{CombineKind, Input, Order, Output, View};
use terrace_dialect_mdh::{Index, Yield};
use terrace_dialect_tensor as tensor;
use terrace_ir::ir::ValueMap;
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Attr, BlockId, Builder, Ir, OpId, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// The computation of a form, with the op's own body
pub(crate) fn compute(ir: &mut Ir, symbols: (&Symbols, ScopeId), op: OpId, form: Form) -> Done<()> {
    let sizes = extents(ir, &form)?;
    let body = Body::of(ir, op, &form)?;
    let given = Given::of(ir, symbols, &body)?;
    let reads = Reads::of(ir, op, &form, &body);
    let (outputs, results) = outputs(ir, op, &form, &sizes, &given)?;
    let block = scalar(ir, &body, &given, &reads)?;
    let kind = |reduce: &bool| match reduce {
        true => CombineKind::Pw(given.operators.clone(), given.order),
        false => CombineKind::Cc,
    };
    let dims = named(&sizes, form.reduces.iter().map(kind).collect());
    let inputs = reads.values.into_iter().map(|(value, map)| Input { value, map, other: None, guard: None });
    let name =
        Some(ir.def(op)).filter(|_| !ir.is(op, linalg::Generic::DEF)).map(|def| def.mnemonic().to_string());
    let view =
        View { name, dims, inputs: inputs.collect(), outputs, conditions: Vec::new(), extents: Vec::new() };
    replace(ir, op, &view, &results, block);
    Ok(())
}

/// Extent of each iterator, all numbers
fn extents(ir: &Ir, form: &Form) -> Done<Vec<i64>> {
    for (value, _) in &form.operands {
        if ir.ty(*value).shape(ir.cx()).is_some() {
            shape(ir, *value)?;
        }
    }
    let sizes = form.extents(ir);
    match sizes.iter().position(|size| *size < 0) {
        Some(n) => Err(Rule::Map.because(format!("nothing says how many turns iterator {n} has"))),
        None => few(&sizes).map(|()| sizes),
    }
}

/// What fills a tensor, if that is a constant
fn filled(ir: &Ir, value: Value) -> Option<Attr> {
    let op = ir.defining_op(value)?;
    let scalar = linalg::Fill::cast(ir, op)?.inputs(ir).first().copied()?;
    let maker = ir.defining_op(scalar).filter(|op| ir.is(*op, arith::Constant::DEF))?;
    ir.attr(maker, "value")
}

/// The body of an op
struct Body {
    entry: BlockId,
    /// Arguments for elements of inputs
    ins: Vec<Value>,
    /// Arguments for elements of outputs
    outs: Vec<Value>,
    end: OpId,
    yields: Vec<Value>,
    /// Is something reduced?
    folds: bool,
}

impl Body {
    fn of(ir: &Ir, op: OpId, form: &Form) -> Done<Body> {
        let entry = ir.entry(ir.region(op, 0)).ok_or_else(|| Rule::Body.because("the op has no body"))?;
        let args = ir.block_args(entry);
        if args.len() != form.operands.len() {
            return Err(Rule::Body.because("one argument for each operand"));
        }
        let (ins, outs) = args.split_at(form.inputs);
        let end = ir.last_op(entry).filter(|op| ir.is(*op, linalg::Yield::DEF));
        let end = end.ok_or_else(|| Rule::Body.because("the body has no end"))?;
        Ok(Body {
            entry,
            ins: ins.to_vec(),
            outs: outs.to_vec(),
            end,
            yields: ir.operands(end).collect(),
            folds: form.reduces.contains(&true),
        })
    }
}

/// What a point gives to each output
struct Given {
    /// Operators that combine it, where something is reduced
    operators: Vec<Operator>,
    order: Order,
    contributions: Vec<Value>,
    /// Contributions that are subtracted
    negated: Vec<bool>,
    /// Ops that combine: the operators say what they do
    skipped: Vec<OpId>,
}

impl Given {
    fn of(ir: &Ir, symbols: (&Symbols, ScopeId), body: &Body) -> Done<Given> {
        let mut given = Given {
            operators: Vec::new(),
            order: Order::Fixed,
            contributions: body.yields.clone(),
            negated: vec![false; body.yields.len()],
            skipped: Vec::new(),
        };
        if !body.folds {
            return Ok(given);
        }
        if let Some((call, function, associative)) = called(ir, symbols, &body.yields, &body.outs) {
            given.operators.push(function);
            given.order = if associative { Order::Fixed } else { Order::Source };
            given.contributions = ir.operands(call).skip(body.outs.len()).collect();
            given.skipped.push(call);
            return Ok(given);
        }
        for (n, (value, out)) in body.yields.iter().zip(&body.outs).enumerate() {
            let fold = fold_of(ir, body.entry, *value, *out)
                .map_err(|why| Rule::Body.because(format!("output {n} {why}")))?;
            given.operators.push(Operator::Builtin(fold.builtin));
            given.contributions[n] = fold.part;
            given.negated[n] = fold.negated;
            given.skipped.extend(fold.ops);
        }
        Ok(given)
    }
}

/// What a body reads: operands by index functions, and values from outside
#[derive(Default)]
struct Reads {
    values: Vec<(Value, Option<AffineMap>)>,
    /// What stands for each in the body
    inside: Vec<Value>,
}

impl Reads {
    fn of(ir: &Ir, op: OpId, form: &Form, body: &Body) -> Reads {
        let mut reads = Reads::default();
        for ((value, map), arg) in form.ins().iter().zip(&body.ins) {
            if ir.is_used(*arg) {
                let scalar = ir.ty(*value).shape(ir.cx()).is_none();
                reads.push(*value, (!scalar).then(|| map.clone()), *arg);
            }
        }
        if !body.folds {
            for ((value, map), arg) in form.outs().iter().zip(&body.outs) {
                if ir.is_used(*arg) {
                    reads.push(*value, Some(map.clone()), *arg);
                }
            }
        }
        // The body's values from outside are inputs too.
        let inner: Vec<OpId> = ir.walk_below(op).collect();
        let own: Vec<Option<BlockId>> =
            std::iter::once(Some(body.entry)).chain(inner.iter().map(|inner| ir.block(*inner))).collect();
        for value in inner.into_iter().flat_map(|inner| ir.operands(inner)) {
            if !own.contains(&ir.value_block(value)) && !reads.inside.contains(&value) {
                reads.push(value, None, value);
            }
        }
        reads
    }

    fn push(&mut self, value: Value, map: Option<AffineMap>, inside: Value) {
        self.values.push((value, map));
        self.inside.push(inside);
    }
}

/// Outputs and their types; what an output held before counts where points leave places out, or a sum does not start from the
/// neutral element
fn outputs(ir: &Ir, op: OpId, form: &Form, sizes: &[i64], given: &Given) -> Done<(Vec<Output>, Vec<Type>)> {
    let folds = form.reduces.contains(&true);
    let mut outputs = Vec::new();
    let mut results = Vec::new();
    for (n, (value, map)) in form.outs().iter().enumerate() {
        let ty = ir.ty(ir.result(op, n));
        let neutral = given.operators.get(n).and_then(|op| match op {
            Operator::Builtin(builtin) => identity(*builtin, ir.cx(), ty.scalar(ir.cx())),
            Operator::Func(_) | Operator::Accumulated(_) => None,
        });
        let empty = ir.defining_op(*value).is_some_and(|op| ir.is(op, tensor::Empty::DEF));
        // What is larger than a number is refused as a computation.
        let points = map.results.iter().fold(1i64, |all, e| all.saturating_mul(hull(e, sizes)));
        let whole = shape(ir, *value)?.into_iter().fold(1i64, i64::saturating_mul);
        let starts = if folds {
            !empty && (neutral.is_none() || filled(ir, *value) != neutral)
        } else {
            points != whole
        };
        outputs.push(Output { maps: vec![map.clone()], init: starts.then_some((*value, None)) });
        results.push(ty);
    }
    Ok((outputs, results))
}

/// The body on single values, without what combines
fn scalar(ir: &mut Ir, body: &Body, given: &Given, reads: &Reads) -> Done<BlockId> {
    let block = ir.create_block();
    let mut values = ValueMap::default();
    for ((value, map), inside) in reads.values.iter().zip(&reads.inside) {
        let ty = if map.is_some() { ir.ty(*value).scalar(ir.cx()) } else { ir.ty(*value) };
        let arg = ir.add_block_arg(block, ty);
        values.insert(*inside, arg);
    }
    for inner in ir.block_ops(body.entry).collect::<Vec<OpId>>() {
        if inner == body.end || given.skipped.contains(&inner) {
            continue;
        }
        if let Some(index) = linalg::Index::cast(ir, inner) {
            let dim = index.dim(ir);
            let ty = ir.cx().common().index;
            let made = Index::build(&mut Builder::at_end(ir, block), dim, ty);
            let (from, to) = (index.result(ir), made.result(ir));
            values.insert(from, to);
            continue;
        }
        let copy = ir.clone_op(None, inner, &mut values);
        ir.append(block, copy);
    }
    let yields: Option<Vec<Value>> = given.contributions.iter().map(|value| values.get(*value)).collect();
    let mut yields = yields.ok_or_else(|| Rule::Body.because("the body yields a value from outside"))?;
    for (value, _) in yields.iter_mut().zip(&given.negated).filter(|(_, negated)| **negated) {
        *value = negative(ir, block, *value)?;
    }
    Yield::build(&mut Builder::at_end(ir, block), &yields);
    Ok(block)
}

/// The call of a function that combines all outputs with something new, and whether it may be taken in any bracketing
fn called(
    ir: &Ir,
    (symbols, scope): (&Symbols, ScopeId),
    yields: &[Value],
    outs: &[Value],
) -> Option<(OpId, Operator, bool)> {
    let call = func::Call::cast(ir, ir.defining_op(*yields.first()?)?)?;
    let args: Vec<Value> = ir.operands(call.id()).collect();
    let (old, new) = args.split_at_checked(outs.len())?;
    let alone =
        outs.iter().all(|out| ir.has_one_use(*out)) && yields.iter().all(|value| ir.has_one_use(*value));
    let (name, nested) = call.callee(ir).as_symbol(ir.cx())?;
    let fits = old == outs && new.len() == outs.len() && ir.results(call.id()).eq(yields.iter().copied());
    let says = declared(ir.cx(), symbols.lookup(scope, name, nested).and_then(|def| def.dict))?;
    (fits && alone && nested.is_empty()).then_some((call.id(), Operator::Func(name), says.associative))
}

/// Number of values of an index function, if it is one iterator or a constant
fn hull(e: &AffineExpr, sizes: &[i64]) -> i64 {
    match e {
        AffineExpr::Dim(n) => sizes[*n as usize],
        AffineExpr::Constant(_) => 1,
        _ => 0,
    }
}
