//! Reductions in parts, and folds that are reductions.

use crate::rule::{Done, array_rules};
use crate::rules::interchange::lifts;
use crate::site::Site;
use terrace_analysis::nat::Nat;
use terrace_dialect_array::patterns::Pattern;
use terrace_dialect_array::{
    AsScalar, AsVector, Cast, Fold, Join, Map, Reduce, Reorder, Single, Slice, Slide, Split, Transpose, Yield,
};
use terrace_dialect_sched::{Builtin, Operator};
use terrace_ir::{Ir, OpId, Type, TypeKind, Value};
use terrace_rewrite::{Miss, OrMiss};

array_rules! { "reduce":
    /// Parts of `n` neighbors first, then the parts; the start value once.
    SPLIT_REDUCE "splitReduce" ("n", "name?") Some(Reduce::DEF),
        "reduce + init z g x => reduce + init z id (map (reduce + g) (split n x))",
        ["parts divide the size", "order"] => split_reduce;
    /// `n` parts of elements `n` apart.
    SPLIT_REDUCE_STRIDED "splitReduceStrided" ("n") Some(Reduce::DEF),
        "reduce + init z g x => reduce + init z id (map (reduce + g) (transpose (split n x)))",
        ["parts divide the size", "commutative", "order", "identity or elements"] => split_reduce_strided;
    /// Elements in parts of `m` that lie far apart: parts of threads side by side then read side by side. With `on` 0 they
    /// stay where they are, so that it is a parameter whether they do.
    COALESCE "coalesce" ("m", "on?") Some(Reduce::DEF),
        "reduce + init z g x => reduce + init z g (reorder strided (n / m) x)",
        ["parts divide the size", "commutative", "order", "elements"] => coalesce;
    /// Parts together again.
    REDUCE_FLATTEN "reduceFlatten" () Some(Reduce::DEF),
        "reduce + init z id (map (reduce + g) x) => reduce + init z g (join x)",
        ["one_use", "same operator", "order", "independent"] => reduce_flatten;
    /// The start value outside, once.
    INIT_OUT "initOut" () Some(Reduce::DEF),
        "reduce + init z g x => reduce + init z id (single (reduce + g x))",
        ["order", "identity or elements"] => init_out;
    /// Contributions are laid out once, behind the sum, which may get a name.
    REDUCE_LAYOUT "reduceLayout" ("name?") Some(Reduce::DEF),
        "reduce + init z (a -> l (g a)) x => l (reduce + init z g x), l layout",
        ["one known operator", "a number as start value"] => reduce_layout;
    /// A fold by an operator is a reduction in the order of the source.
    FOLD_TO_REDUCE "foldToReduce" () Some(Fold::DEF),
        "fold init z (acc, a -> acc + g a) x => reduce + init z source g x", ["independent"] => fold_to_reduce;
    /// A reduction one after the other.
    REDUCE_TO_FOLD "reduceToFold" () Some(Reduce::DEF),
        "reduce + init z g x => fold init z (acc, a -> acc + g a) x", ["scalar"] => reduce_to_fold;
}

/// A reduction of partial results, with the start value
fn of_parts(s: &mut Site<'_, '_>, parts: Value) -> Result<Value, Miss> {
    let (root, f, x) = (s.op, s.fun(s.op)?, parts);
    let init = s.ir().operands(root).nth(1);
    let name = s.word(1);
    let partial = s.map_named(name, None, x, &mut |s, part| {
        let part = part[0];
        Ok(vec![s.reduce_like(root, None, part, &mut |s, a| s.inline(f, a))?])
    })?;
    s.reduce_like(root, init, partial, &mut |_, a| Ok(a.to_vec()))
}

fn split_reduce(s: &mut Site<'_, '_>) -> Done {
    let (root, x, n) = (s.op, s.x(), s.arg(0)?);
    let size = s.len(x)?;
    s.divides("parts divide the size", &n, &size)?;
    s.reassociable(root)?;
    let parts = s.split(&n, x)?;
    let result = of_parts(s, parts)?;
    s.done(result)
}

fn split_reduce_strided(s: &mut Site<'_, '_>) -> Done {
    let (root, x, n) = (s.op, s.x(), s.arg(0)?);
    let size = s.len(x)?;
    s.divides("parts divide the size", &n, &size)?;
    s.reorderable(root)?;
    has_elements(s, root, &size)?;
    let parts = s.split(&n, x)?;
    let strided = s.transpose(parts)?;
    let result = of_parts(s, strided)?;
    s.done(result)
}

/// What an op gives is its operand in another layout: every number is one of the operand's
fn rearranges(ir: &Ir, op: OpId) -> bool {
    let known = [
        Split::DEF,
        Join::DEF,
        Transpose::DEF,
        Slide::DEF,
        Slice::DEF,
        AsVector::DEF,
        AsScalar::DEF,
        Single::DEF,
        Cast::DEF,
    ];
    let own = |op: OpId| known.iter().any(|def| ir.is(op, def));
    let map = |op: OpId| ir.is(op, Map::DEF) || ir.is(op, Yield::DEF);
    let inside = |value: Value| {
        let block = ir.value_block(value).and_then(|block| ir.block_parent(block));
        block.is_some_and(|around| around == op || ir.is_inside(around, op))
    };
    own(op)
        || ir.is(op, Map::DEF)
            && ir.walk_below(op).all(|inner| (own(inner) || map(inner)) && ir.operands(inner).all(inside))
}

fn reduce_layout(s: &mut Site<'_, '_>) -> Done {
    let (root, x, f) = (s.op, s.x(), s.fun(s.op)?);
    let laid_out = s.yielded(f)?;
    let op = s.ir().defining_op(laid_out).filter(|_| s.inside(laid_out, f)).or_miss("nothing is made")?;
    rearranges(s.ir(), op).or_miss("contributions do not end in a layout")?;
    let value = s.ir().operand(op, 0);
    s.inside(value, f).or_miss("what is laid out stands outside")?;
    lifts(s, root)?;
    let init = s.ir().operands(root).nth(1);
    let number = init.is_none_or(|init| s.is_scalar(s.ir().ty(init)));
    s.require("a number as start value", number, |_| "the start value is no number".to_string())?;
    let sum = s.reduce_like(root, init, x, &mut |s, a| s.copy(f, a, &[], &[value]))?;
    if let Some(name) = s.word(0) {
        s.call(sum, name);
    }
    let params = s.params(f);
    let done = s.copy(f, &params, &[(value, sum)], &[laid_out])?;
    s.done(done[0])
}

fn coalesce(s: &mut Site<'_, '_>) -> Done {
    let (root, x, m, g) = (s.op, s.x(), s.arg(0)?, s.fun(s.op)?);
    let size = s.len(x)?;
    s.divides("parts divide the size", &m, &size)?;
    s.reorderable(root)?;
    s.at_most("elements", &Nat::from(1), &size)?;
    let mut stride = s.size(size.exact_div(&m))?;
    if s.word(1).is_some() {
        // 1, the order that there is, or n / m.
        let (on, one) = (s.arg(1)?, Nat::from(1));
        let both = stride.minus(&one).and_then(|more| on.times(&more)).and_then(|more| more.plus(&one));
        let is_flag = on.as_constant().is_none_or(|on| on == 0 || on == 1);
        is_flag.or_miss("`on` is 0 or 1")?;
        stride = s.size(both)?;
    }
    s.implied();
    let stride = s.nat_attr(&stride);
    let ordered = s.view(Reorder::DEF, &[x], &[("stride", Some(stride))])?;
    let init = s.ir().operands(root).nth(1);
    let result = s.reduce_like(root, init, ordered, &mut |s, a| s.inline(g, a))?;
    s.done(result)
}

/// A reduction without a start value has one to give: an element, or the neutral element
fn has_elements(s: &mut Site<'_, '_>, root: OpId, size: &Nat) -> Result<(), Miss> {
    if s.identities(root).is_ok() {
        return Ok(());
    }
    s.at_most("identity or elements", &Nat::from(1), size)
}

fn reduce_flatten(s: &mut Site<'_, '_>) -> Done {
    let (root, parts) = (s.op, s.x());
    let id = s.fun(root)?;
    s.is_identity(id).or_miss("the outer reduction works on the parts")?;
    let map = s.from(parts, Map::DEF)?;
    s.one_use(parts)?;
    let rows = s.fun(map)?;
    let inner = s.only(rows, Reduce::DEF)?;
    (s.ir().num_operands(inner) == 1).or_miss("the parts have start values")?;
    let same = s.ir().attr(root, "operators") == s.ir().attr(inner, "operators");
    s.require("same operator", same, |_| "the parts are combined by another operator".to_string())?;
    s.reassociable(root)?;
    s.reassociable(inner)?;
    let (g, x, init) = (s.fun(inner)?, Map(map).x(s.ir()), s.ir().operands(root).nth(1));
    let all = s.join(x)?;
    let result = s.reduce_like(root, init, all, &mut |s, a| s.inline(g, a))?;
    s.done(result)
}

fn init_out(s: &mut Site<'_, '_>) -> Done {
    let (root, x, g) = (s.op, s.x(), s.fun(s.op)?);
    let init = s.ir().operands(root).nth(1).or_miss("there is no start value")?;
    s.reassociable(root)?;
    let size = s.len(x)?;
    has_elements(s, root, &size)?;
    let inside = s.reduce_like(root, None, x, &mut |s, a| s.inline(g, a))?;
    let one = s.view(Single::DEF, &[inside], &[])?;
    let result = s.reduce_like(root, Some(init), one, &mut |_, a| Ok(a.to_vec()))?;
    s.done(result)
}

/// The operator that an op of arithmetic is
fn operator_of(s: &Site<'_, '_>, op: OpId) -> Option<Builtin> {
    let mut all = Builtin::WORDS.iter().filter_map(|word| word.parse::<Builtin>().ok());
    all.find(|one| [false, true].iter().any(|float| one.op(*float).is_some_and(|def| s.ir().is(op, def))))
}

fn fold_to_reduce(s: &mut Site<'_, '_>) -> Done {
    let (x, init, f) = (s.x(), s.ir().operand(s.op, 1), s.fun(s.op)?);
    let (yields, params) = (s.yields(f), s.params(f));
    let (acc, _) = params.split_at(yields.len().min(params.len()));
    let mut operators = Vec::new();
    let mut contributions = Vec::new();
    for (n, value) in yields.iter().enumerate() {
        let op = s.ir().defining_op(*value).filter(|_| s.inside(*value, f));
        let op = op.or_miss("what is yielded is not computed")?;
        let builtin = operator_of(s, op).or_miss("the last op is no operator that combines")?;
        let (left, right) = (s.ir().operand(op, 0), s.ir().operand(op, 1));
        let other = match (left == acc[n], right == acc[n]) {
            (true, false) => right,
            (false, true) => left,
            _ => return Err(Miss("what there is so far is not combined once")),
        };
        operators.push(Operator::Builtin(builtin).to_attr(s.cx()));
        contributions.push(other);
    }
    // The contribution must not know what there is so far.
    let needs = s.needed(f, &contributions, &[]);
    let knows = acc.iter().copied().find(|acc| {
        contributions.contains(acc)
            || needs.iter().any(|op| {
                let below = s.ir().walk_below(*op).flat_map(|op| s.ir().operands(op).collect::<Vec<_>>());
                below.chain(s.ir().operands(*op)).any(|value| value == *acc)
            })
    });
    s.require("independent", knows.is_none(), |ir| {
        knows.and_then(|value| ir.value_name(value)).unwrap_or("what there is so far").to_string()
    })?;
    let operators = s.cx().array_attr(&operators);
    let attrs = [("operators", Some(operators)), ("order", Some(s.cx().str_attr("source")))];
    let count = yields.len();
    let result = s.pattern(Pattern::Reduce, &[x, init], &attrs, &mut |s, a| {
        let accs = &s.params(f)[..count];
        let args = [accs, a].concat();
        s.copy(f, &args, &[], &contributions)
    })?;
    s.done(result)
}

/// `a ⊕ b` of numbers or vectors of them
fn apply(s: &mut Site<'_, '_>, operator: &Operator, a: Value, b: Value) -> Result<Value, Miss> {
    let ty = s.ir().ty(a);
    let number = match ty.kind(s.cx()) {
        TypeKind::Vector { elem, .. } => *elem,
        _ => ty,
    };
    let float = number.is_float(s.cx());
    let fits = s.is_scalar(number);
    s.require("scalar", fits, |_| "what is combined is no number".to_string())?;
    let Operator::Builtin(builtin) = operator else {
        return Err(Miss("only known operators have an op of their own"));
    };
    let def = builtin.op(float).or_miss("the operator does not exist for the type")?;
    s.op(def, &[a, b], ty)
}

fn reduce_to_fold(s: &mut Site<'_, '_>) -> Done {
    let (root, x, g) = (s.op, s.x(), s.fun(s.op)?);
    let types: Vec<Type> = s.yields(g).into_iter().map(|value| s.ir().ty(value)).collect();
    let operators = s.operators(root);
    let one_each: Vec<Operator> = match operators.as_slice() {
        [one] => vec![one.clone(); types.len()],
        several => several.to_vec(),
    };
    for ty in &types {
        let fits = s.is_scalar(*ty);
        s.require("scalar", fits, |_| "what is combined is no number".to_string())?;
    }
    let given = s.ir().operands(root).nth(1);
    let init = match given {
        Some(init) if s.ir().ty(init) == s.together(&types) => init,
        Some(number) => {
            let all = vec![number; types.len()];
            s.pack(&all)?
        }
        None => {
            let neutral = s.identities(root)?;
            let mut all = Vec::new();
            for (attr, ty) in neutral.iter().zip(&types) {
                all.push(s.number(*attr, *ty)?);
            }
            (all.len() == types.len()).or_miss("neutral elements of other types")?;
            s.pack(&all)?
        }
    };
    let result = s.pattern(Pattern::Fold, &[x, init], &[], &mut |s, args| {
        let (acc, a) = args.split_at(types.len());
        let given = s.inline(g, a)?;
        let pairs = one_each.iter().zip(acc).zip(given);
        pairs.map(|((operator, acc), value)| apply(s, operator, *acc, value)).collect()
    })?;
    s.done(result)
}
