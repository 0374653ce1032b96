//! Matrices of a subgroup: each thread has the whole matrix as a vector, row by row, and all have the same.
//!
//! Which thread holds which elements is the hardware's matter; here thread `n` of `s` holds elements `n`, `n + s`, … The
//! first thread of the subgroup reads, writes and multiplies for all. Sums are taken from left to right, and rounded to the
//! type of C after each product.
//!
//! State: the phase; after the second meeting the first thread's value is everybody's.

use super::super::mma::parts;
use super::super::{
    MmaCompute, MmaConstant, MmaElementwise, MmaElementwiseOp, MmaExtract, MmaInsert, MmaLoad, MmaStore,
};
use super::thread;
use terrace_interp::combine::{Combining, combine, number};
use terrace_interp::{Exchange, Interpret, Machine, MemRef, RtValue, Step, Sync, Trap, codes};
use terrace_ir::{Attr, TypeKind, Value};

fn unsupported(message: &str) -> Trap {
    Trap::new(&codes::UNSUPPORTED, message)
}

fn lost() -> Trap {
    Trap::new(&codes::INVALID, "the threads have exchanged nothing")
}

/// Rows and columns of a matrix value
fn shape(m: &Machine<'_>, value: Value) -> Result<[usize; 2], Trap> {
    let sizes = parts(m.cx(), m.ir().ty(value)).map_or(&[][..], |(sizes, ..)| sizes);
    match sizes {
        &[rows @ 1..=1024, columns @ 1..=1024] => Ok([rows as usize, columns as usize]),
        _ => Err(unsupported("the matrix has no size or is too large")),
    }
}

/// The elements of a matrix
fn elements(m: &Machine<'_>, value: Value) -> Result<Vec<RtValue>, Trap> {
    let [rows, columns] = shape(m, value)?;
    match m.value(value) {
        RtValue::Vector(all) if all.len() == rows * columns => Ok(all.to_vec()),
        _ => Ok(vec![RtValue::Poison; rows * columns]),
    }
}

/// Show values to the subgroup
fn meet(m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
    match thread(m) {
        Ok(_) => Step::Sync(Sync::exchange_within(m.subgroup_size(), values)),
        Err(trap) => Step::Trap(trap),
    }
}

fn exchange(m: &Machine<'_>) -> Result<Exchange, Trap> {
    m.exchange().cloned().ok_or_else(lost)
}

/// Have all threads shown the same?
fn uniform(m: &Machine<'_>) -> Result<Exchange, Trap> {
    let shown = exchange(m)?;
    if shown.all.iter().all(|other| *other == shown.all[0]) {
        return Ok(shown);
    }
    Err(Trap::new(&codes::DIVERGENCE, "the threads of a subgroup ask for different matrices"))
}

/// The first thread computes, all get the result
fn once(
    m: &mut Machine<'_>,
    f: impl FnOnce(&mut Machine<'_>) -> Result<RtValue, Trap>,
) -> Result<Step, Trap> {
    if m.state().is_empty() {
        let shown = uniform(m)?;
        let values = if shown.me == 0 { vec![f(m)?] } else { Vec::new() };
        m.state().push(RtValue::bool(true));
        return Ok(meet(m, values));
    }
    let value = exchange(m)?.all.first().and_then(|values| values.first().cloned()).ok_or_else(lost)?;
    m.set_result(0, value);
    Ok(Step::Next)
}

/// The part of memory that a matrix is in
fn window(
    m: &Machine<'_>,
    memory: Value,
    indices: Vec<Value>,
    [rows, columns]: [usize; 2],
    lead: Attr,
    transpose: bool,
) -> Result<MemRef, Trap> {
    if m.ir().ty(memory).scalar(m.cx()) != elem_of_memref(m, memory) {
        return Err(unsupported("the interpreter knows no matrices in memory of vectors"));
    }
    let view = m.decide_memref(memory)?;
    let bounds = || Trap::new(&codes::BOUNDS, "the matrix begins outside of the memory");
    let mut offset = view.offset;
    for ((index, size), stride) in indices.into_iter().zip(&*view.sizes).zip(&*view.strides) {
        let at = m.decide_i64(index, "the index")?;
        let step = if (0..*size).contains(&at) { at.checked_mul(*stride) } else { None };
        offset = step.and_then(|step| offset.checked_add(step)).ok_or_else(bounds)?;
    }
    let lead = lead.as_i64(m.cx()).unwrap_or(0);
    let strides = if transpose { [1, lead] } else { [lead, 1] };
    let sizes = [rows as i64, columns as i64];
    Ok(MemRef { alloc: view.alloc, offset, sizes: sizes.into(), strides: strides.into(), bytes: view.bytes })
}

fn elem_of_memref(m: &Machine<'_>, memory: Value) -> terrace_ir::Type {
    match m.ir().ty(memory).kind(m.cx()) {
        TypeKind::MemRef { elem, .. } => *elem,
        _ => m.ir().ty(memory),
    }
}

fn places([rows, columns]: [usize; 2]) -> impl Iterator<Item = [i64; 2]> {
    (0..rows as i64).flat_map(move |row| (0..columns as i64).map(move |column| [row, column]))
}

impl Interpret for MmaLoad {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let shown = m.operands();
        meet(m, shown)
    }

    fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
        once(m, |m| {
            let ir = m.ir();
            let shape = shape(m, self.res(ir))?;
            let transpose = self.transpose(ir).is_some();
            let view = window(m, self.src(ir), self.indices(ir), shape, self.lead_dimension(ir), transpose)?;
            let all: Result<Vec<RtValue>, Trap> =
                places(shape).map(|at| Ok(m.memory().load(&view, &at)?)).collect();
            Ok(RtValue::Vector(all?.into()))
        })
        .into()
    }
}

impl MmaStore {
    fn after(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        if uniform(m)?.me == 0 {
            let shape = shape(m, self.src(ir))?;
            let transpose = self.transpose(ir).is_some();
            let view = window(m, self.dst(ir), self.indices(ir), shape, self.lead_dimension(ir), transpose)?;
            for (at, value) in places(shape).zip(elements(m, self.src(ir))?) {
                m.memory().store(&view, &at, value)?;
            }
        }
        Ok(Step::Next)
    }
}

impl Interpret for MmaStore {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let shown = m.operands();
        meet(m, shown)
    }

    fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
        self.after(m).into()
    }
}

/// `c + a * b`, the product exact, rounded to the type of `c`
fn add_product(a: &RtValue, b: &RtValue, c: &RtValue) -> Result<RtValue, Trap> {
    match (a, b, c) {
        (RtValue::Poison, ..) | (_, RtValue::Poison, _) | (.., RtValue::Poison) => Ok(RtValue::Poison),
        (RtValue::Float { .. }, RtValue::Float { .. }, RtValue::Float { kind, .. }) => {
            let read = |value: &RtValue| value.as_f64().ok_or_else(|| unsupported("a float of this type"));
            number(read(c)? + read(a)? * read(b)?, *kind)
        }
        _ => {
            let read = |value: &RtValue| value.as_signed().ok_or_else(lost);
            let RtValue::Int { width, .. } = c else { return Err(unsupported("factors and sums differ")) };
            Ok(RtValue::int(read(c)?.wrapping_add(read(a)?.wrapping_mul(read(b)?)), *width))
        }
    }
}

/// Factors with the sign that their type says, wide enough for both readings
fn factors(m: &Machine<'_>, value: Value) -> Result<Vec<RtValue>, Trap> {
    let unsigned = parts(m.cx(), m.ir().ty(value)).is_some_and(|(_, elem, _)| {
        matches!(elem.kind(m.cx()), TypeKind::Int { sign: terrace_ir::Sign::Unsigned, .. })
    });
    let widen = |value: RtValue| match (&value, value.as_signed(), value.as_unsigned()) {
        (RtValue::Int { .. }, Some(signed), Some(bits)) => {
            RtValue::int(if unsigned { bits as i128 } else { signed }, 64)
        }
        _ => value,
    };
    Ok(elements(m, value)?.into_iter().map(widen).collect())
}

impl Interpret for MmaCompute {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let shown = m.operands();
        meet(m, shown)
    }

    fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
        once(m, |m| {
            let ir = m.ir();
            let ([rows, inner], [_, columns]) = (shape(m, self.a(ir))?, shape(m, self.b(ir))?);
            let (a, b) = (factors(m, self.a(ir))?, factors(m, self.b(ir))?);
            let mut c = elements(m, self.c(ir))?;
            for row in 0..rows {
                for column in 0..columns {
                    let sum = &mut c[row * columns + column];
                    for k in 0..inner {
                        *sum = add_product(&a[row * inner + k], &b[k * columns + column], sum)?;
                    }
                }
            }
            Ok(RtValue::Vector(c.into()))
        })
        .into()
    }
}

terrace_interp::interpret_by_run!(MmaConstant MmaElementwise MmaExtract);

impl MmaConstant {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let [rows, columns] = shape(m, self.res(ir))?;
        let value = m.value(self.value(ir));
        m.set_result(0, RtValue::Vector(vec![value; rows * columns].into()));
        Ok(())
    }
}

fn element_wise(
    kind: MmaElementwiseOp,
    v: &[RtValue],
    cast: Option<terrace_ir::FloatKind>,
) -> Result<RtValue, Trap> {
    let no = || unsupported("the interpreter does not know this operation on matrices");
    if v.iter().any(RtValue::has_poison) {
        return Ok(RtValue::Poison);
    }
    let kinds = match v {
        [a] => (a, a),
        [a, b] => (a, b),
        _ => return Err(no()),
    };
    let float = |f: fn(f64, f64) -> f64| match kinds {
        (RtValue::Float { kind, .. }, RtValue::Float { .. }) => {
            let (a, b) = (kinds.0.as_f64().ok_or_else(no)?, kinds.1.as_f64().ok_or_else(no)?);
            number(f(a, b), cast.unwrap_or(*kind))
        }
        _ => Err(no()),
    };
    let int = |f: fn(i128, i128) -> Option<i128>, signed: bool| match kinds {
        (RtValue::Int { width, .. }, RtValue::Int { .. }) => {
            let read = |value: &RtValue| {
                let bits = value.as_unsigned().map(u128::cast_signed);
                (if signed { value.as_signed() } else { bits }).ok_or_else(no)
            };
            let result = f(read(kinds.0)?, read(kinds.1)?);
            let zero = || Trap::new(&codes::DIVISION, "division by zero");
            Ok(RtValue::int(result.ok_or_else(zero)?, *width))
        }
        _ => Err(no()),
    };
    match kind {
        MmaElementwiseOp::AddF | MmaElementwiseOp::AddI => combine(Combining::Add, kinds.0, kinds.1),
        MmaElementwiseOp::MulF | MmaElementwiseOp::MulI => combine(Combining::Mul, kinds.0, kinds.1),
        MmaElementwiseOp::MaxF => combine(Combining::MaximumF, kinds.0, kinds.1),
        MmaElementwiseOp::MinF => combine(Combining::MinimumF, kinds.0, kinds.1),
        // f64 holds the operands of all others exactly, and its one rounding more is harmless.
        MmaElementwiseOp::SubF => float(|a, b| a - b),
        MmaElementwiseOp::DivF => float(|a, b| a / b),
        MmaElementwiseOp::NegateF => float(|a, _| -a),
        MmaElementwiseOp::ExtF => float(|a, _| a),
        MmaElementwiseOp::SubI => int(|a, b| Some(a.wrapping_sub(b)), true),
        MmaElementwiseOp::NegateS => int(|a, _| Some(a.wrapping_neg()), true),
        MmaElementwiseOp::DivS => int(i128::checked_div, true),
        MmaElementwiseOp::DivU => int(i128::checked_div, false),
    }
}

impl MmaElementwise {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let kind = self.kind(ir);
        let args: Result<Vec<Vec<RtValue>>, Trap> =
            self.args(ir).into_iter().map(|value| elements(m, value)).collect();
        let args = args?;
        let [rows, columns] = shape(m, self.res(ir))?;
        let cast = parts(cx, ir.ty(self.res(ir))).and_then(|(_, elem, _)| match elem.kind(cx) {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        });
        let one = |n: usize| {
            let scalars: Option<Vec<RtValue>> = args.iter().map(|all| all.get(n).cloned()).collect();
            element_wise(kind, &scalars.ok_or_else(lost)?, cast)
        };
        let all: Result<Vec<RtValue>, Trap> = (0..rows * columns).map(one).collect();
        m.set_result(0, RtValue::Vector(all?.into()));
        Ok(())
    }
}

/// Which element a thread means by its own indices
fn own(m: &Machine<'_>, indices: Vec<Value>) -> Result<usize, Trap> {
    let lanes = m.subgroup_size();
    let lane = thread(m)?.member % lanes;
    // With several indices the last one counts within the thread; the others must be 0.
    let mut all = indices;
    let last = all.pop().ok_or_else(|| unsupported("an element without an index"))?;
    for index in all {
        if m.decide_i64(index, "the index")? != 0 {
            return Err(unsupported("elements of a thread are counted by one index"));
        }
    }
    let index = m.decide_i64(last, "the index")?;
    let index = u64::try_from(index).ok().and_then(|index| index.checked_mul(lanes)?.checked_add(lane));
    let index = index.and_then(|index| usize::try_from(index).ok());
    index.ok_or_else(|| Trap::new(&codes::BOUNDS, "the thread holds no such element"))
}

fn no_element() -> Trap {
    Trap::new(&codes::BOUNDS, "the thread holds no such element")
}

impl MmaExtract {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let at = own(m, self.indices(ir))?;
        let value = elements(m, self.matrix(ir))?.into_iter().nth(at).ok_or_else(no_element)?;
        m.set_result(0, value);
        Ok(())
    }
}

impl MmaInsert {
    /// Each thread changes its own element; all get all changes
    fn after(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let mut all = elements(m, self.matrix(m.ir()))?;
        for values in exchange(m)?.all.iter() {
            let [at, value] = &values[..] else { return Err(lost()) };
            let at = at.as_unsigned().and_then(|at| usize::try_from(at).ok()).ok_or_else(lost)?;
            *all.get_mut(at).ok_or_else(no_element)? = value.clone();
        }
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(Step::Next)
    }
}

impl Interpret for MmaInsert {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        match own(m, self.indices(ir)) {
            Ok(at) => {
                let shown = vec![RtValue::index(at as i64), m.value(self.value(ir))];
                meet(m, shown)
            }
            Err(trap) => Step::Trap(trap),
        }
    }

    fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
        self.after(m).into()
    }
}
