//! The joint operators, as functions that declare what they are.

use terrace_dialect_arith::{self as arith, CmpFPredicate};
use terrace_dialect_func as func;
use terrace_dialect_math as math;
use terrace_dialect_mdh::operator::DECLARED;
use terrace_ir::show::round_to_bits;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, Builder, Context, Ir, OpId, OpKind, Str, Type, TypeKind, Value};
use terrace_support::HashSet;

/// A power that sums are of
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Base {
    /// e
    E,
    /// 2
    Two,
}

/// A joint operator
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Joint {
    /// The maximum m of x, and the sum of `base` to the power of `scale` (x − m)
    Softmax { base: Base, scale: f64 },
    /// Number, sum, and sum of squared differences from the mean
    Welford,
}

/// Operators of one table of symbols: each function is there once
#[derive(Default)]
pub struct Operators {
    made: Vec<(Joint, Type, Str)>,
    /// Functions that are to be added
    new: Vec<Ir>,
}

impl Operators {
    /// Name of an operator's function
    pub fn name(&mut self, from: &Ir, taken: &HashSet<Str>, joint: Joint, ty: Type) -> Option<Str> {
        let known = self.made.iter().find(|(own, of, _)| *own == joint && *of == ty);
        if let Some((_, _, name)) = known {
            return Some(*name);
        }
        let cx = from.cx_arc().clone();
        let TypeKind::Float(kind) = ty.kind(&cx) else { return None };
        let first = match joint {
            Joint::Softmax { .. } => format!("online_softmax_{}", kind.word()),
            Joint::Welford => format!("welford_{}", kind.word()),
        };
        let free = |name: &String| {
            let name = cx.intern(name);
            !taken.contains(&name) && self.made.iter().all(|(_, _, other)| *other != name)
        };
        let name = std::iter::once(first.clone()).chain((0..).map(|n| format!("{first}_{n}"))).find(free)?;
        self.new.push(function(from, &name, joint, ty)?);
        let name = cx.intern(&name);
        self.made.push((joint, ty, name));
        Some(name)
    }

    /// Put the functions that are not there yet in front of an op of the table
    pub fn place(&mut self, table: &mut Ir, before: OpId) {
        for function in self.new.drain(..) {
            let slot = table.adopt(Box::new(function));
            table.insert_before(before, slot);
        }
    }
}

/// Names of a table
pub fn names(table: &Ir) -> HashSet<Str> {
    table.walk().filter_map(|op| symbol_name(table, op)).collect()
}

/// A number of a type of floats
pub fn number(cx: &Context, ty: Type, value: f64) -> Option<Attr> {
    let TypeKind::Float(kind) = ty.kind(cx) else { return None };
    Some(cx.float_attr(round_to_bits(value, *kind)?, ty))
}

/// Its constant
pub fn constant(b: &mut Builder<'_>, ty: Type, value: f64) -> Option<Value> {
    let attr = number(b.cx(), ty, value)?;
    let made = arith::Constant::build(b, attr);
    Some(made.result(b.read()))
}

fn function(from: &Ir, name: &str, joint: Joint, ty: Type) -> Option<Ir> {
    let cx = from.cx_arc();
    let (components, identity): (usize, &[f64]) = match joint {
        Joint::Softmax { .. } => (2, &[f64::NEG_INFINITY, 0.0]),
        Joint::Welford => (3, &[0.0, 0.0, 0.0]),
    };
    let kind = cx.kind_of(func::Func::DEF).unwrap_or(OpKind::UNREGISTERED);
    let mut ir = Ir::new_unit(cx, kind, 1, from.loc(from.root()));
    ir.set_source(from.source());
    let (root, types) = (ir.root(), vec![ty; components]);
    for (key, attr) in [
        ("sym_name", cx.str_attr(name)),
        ("function_type", cx.type_attr(cx.function(&[&types[..], &types[..]].concat(), &types))),
        ("sym_visibility", cx.str_attr("private")),
    ] {
        ir.set_attr(root, key, Some(attr));
    }
    let identity: Vec<Attr> = identity.iter().map(|value| number(cx, ty, *value)).collect::<Option<_>>()?;
    let words: &[&str] = match joint {
        Joint::Softmax { .. } => &["associative", "commutative"],
        Joint::Welford => &["associative", "commutative", "counted"],
    };
    let words = words.iter().map(|word| (cx.intern(word), cx.common().unit));
    let words = words.chain([(cx.intern("identity"), cx.array_attr(&identity))]);
    ir.set_discardable(root, DECLARED, Some(cx.dict_attr(words.collect())));
    let region = ir.region(root, 0);
    let entry = ir.append_block(region);
    let args: Vec<Value> = (0..2 * components).map(|_| ir.add_block_arg(entry, ty)).collect();
    let mut b = Builder::at_end(&mut ir, entry);
    let results = match joint {
        Joint::Softmax { base, scale } => softmax(&mut b, &args, ty, base, scale)?,
        Joint::Welford => welford(&mut b, &args, ty)?,
    };
    func::Return::build(&mut b, &results);
    Some(ir)
}

/// `e = base^(−scale · |m1 − m2|)`, or 1 where both are equal: infinities have no difference. The sum of the lesser maximum is scaled by it
fn softmax(b: &mut Builder<'_>, args: &[Value], ty: Type, base: Base, scale: f64) -> Option<Vec<Value>> {
    let &[m1, s1, m2, s2] = args else { return None };
    let one = constant(b, ty, 1.0)?;
    let factor = constant(b, ty, -scale)?;
    let m = arith::MaximumF::build(b, m1, m2).result(b.read());
    let apart = arith::SubF::build(b, m1, m2).result(b.read());
    let apart = math::AbsF::build(b, apart).result(b.read());
    let power = arith::MulF::build(b, apart, factor).result(b.read());
    let e = match base {
        Base::E => math::Exp::build(b, power).result(b.read()),
        Base::Two => math::Exp2::build(b, power).result(b.read()),
    };
    let equal = arith::CmpF::build(b, m1, m2, CmpFPredicate::Oeq).result(b.read());
    let e = arith::Select::build(b, equal, one, e).result(b.read());
    let left = arith::CmpF::build(b, m1, m2, CmpFPredicate::Ogt).result(b.read());
    let large = arith::Select::build(b, left, s1, s2).result(b.read());
    let small = arith::Select::build(b, left, s2, s1).result(b.read());
    let scaled = arith::MulF::build(b, small, e).result(b.read());
    let s = arith::AddF::build(b, large, scaled).result(b.read());
    Some(vec![m, s])
}

/// Chan, Golub and LeVeque: `M = M1 + M2 + (n1 S2 − n2 S1)² / (n1 n2 (n1 + n2))`, where nothing is added if a side has no elements
fn welford(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Vec<Value>> {
    let &[n1, s1, q1, n2, s2, q2] = args else { return None };
    let one = constant(b, ty, 1.0)?;
    let mul = |b: &mut Builder<'_>, x, y| arith::MulF::build(b, x, y).result(b.read());
    let add = |b: &mut Builder<'_>, x, y| arith::AddF::build(b, x, y).result(b.read());
    let n = add(b, n1, n2);
    let s = add(b, s1, s2);
    let (left, right) = (mul(b, n1, s2), mul(b, n2, s1));
    let apart = arith::SubF::build(b, left, right).result(b.read());
    // Where one of them has no elements, `apart` is 0, and so is what is divided by 1.
    let both = mul(b, n1, n2);
    let both = arith::MaximumF::build(b, both, one).result(b.read());
    let all = arith::MaximumF::build(b, n, one).result(b.read());
    let mean = arith::DivF::build(b, apart, both).result(b.read());
    let share = arith::DivF::build(b, apart, all).result(b.read());
    let between = mul(b, mean, share);
    let within = add(b, q1, q2);
    let q = add(b, within, between);
    Some(vec![n, s, q])
}
