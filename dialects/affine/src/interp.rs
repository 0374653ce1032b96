//! What affine ops do: maps are evaluated at the values of their operands.
//!
//! State between regions: `for` its variable and the upper bound; `parallel` what was reduced so far, in row order.
//! Reductions start from the identity of their kind.

use super::indices::{delinearize, inner, linearize, mixed};
use super::{
    Apply, DelinearizeIndex, For, If, LinearizeIndex, Load, Max, Min, Parallel, Prefetch, Store, VectorLoad,
    VectorStore, Yield,
};
use terrace_dialect_memref::AtomicRmwKind;
use terrace_dialect_scf::enter_next_point;
use terrace_dialect_vector::interp::{elements, points, shape};
use terrace_interp::combine::combine;
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes};
use terrace_ir::{Attr, AttrKind, Type, Value};

terrace_interp::interpret_by_run!(Apply Max Min Load Store VectorLoad VectorStore Prefetch DelinearizeIndex LinearizeIndex);

/// The results of a map at its operands; none if one is poison or has no value
fn eval(m: &Machine<'_>, map: Attr, operands: Vec<Value>) -> Option<Vec<i64>> {
    let map = map.as_affine_map(m.cx())?;
    let values: Vec<i64> =
        operands.into_iter().map(|value| m.value(value).as_i64()).collect::<Option<_>>()?;
    let (dims, symbols) = values.split_at_checked(map.dims as usize)?;
    map.eval(dims, symbols)
}

/// The same where the result decides what runs
fn decide(m: &Machine<'_>, map: Attr, operands: Vec<Value>) -> Result<Vec<i64>, Trap> {
    eval(m, map, operands).ok_or_else(|| Trap::new(&codes::POISON, "an affine expression has no value"))
}

fn set(m: &mut Machine<'_>, value: Option<i64>) -> Result<(), Trap> {
    m.set_result(0, value.map_or(RtValue::Poison, RtValue::index));
    Ok(())
}

impl Apply {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let value = eval(m, self.map(ir), self.operands(ir)).and_then(|all| all.first().copied());
        set(m, value)
    }
}

impl Min {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let value = eval(m, self.map(ir), self.operands(ir)).and_then(|all| all.into_iter().min());
        set(m, value)
    }
}

impl Max {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let value = eval(m, self.map(ir), self.operands(ir)).and_then(|all| all.into_iter().max());
        set(m, value)
    }
}

fn sizes(m: &Machine<'_>, sizes: &[i64], dynamic: &[Value], parts: usize) -> Option<Vec<i64>> {
    let all = inner(&mixed(sizes, dynamic), parts);
    all.into_iter().map(|size| size.or_else(|value| m.value(value).as_i64().ok_or(())).ok()).collect()
}

impl DelinearizeIndex {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let count = ir.num_results(self.0);
        let parts = || {
            let sizes = sizes(m, self.sizes(ir), &self.dynamic_basis(ir), count)?;
            delinearize(m.value(self.linear_index(ir)).as_i64()?, &sizes)
        };
        let values = match parts() {
            Some(parts) => parts.into_iter().map(RtValue::index).collect(),
            None => vec![RtValue::Poison; count],
        };
        m.set_results(values);
        Ok(())
    }
}

impl LinearizeIndex {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let parts = self.multi_index(ir);
        let value = || {
            let values: Vec<i64> = parts.iter().map(|part| m.value(*part).as_i64()).collect::<Option<_>>()?;
            let sizes = sizes(m, self.sizes(ir), &self.dynamic_basis(ir), parts.len())?;
            let inside = values.iter().skip(1).zip(&sizes).all(|(part, size)| (0..*size).contains(part));
            if self.is_disjoint(ir) && !inside {
                return None;
            }
            if values.is_empty() { Some(0) } else { linearize(&values, &sizes) }
        };
        let value = value();
        set(m, value)
    }
}

impl Load {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.memref(ir))?;
        let at = decide(m, self.map(ir), self.indices(ir))?;
        let value = m.memory().load(&view, &at)?;
        m.set_result(0, value);
        Ok(())
    }
}

impl Store {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.memref(ir))?;
        let at = decide(m, self.map(ir), self.indices(ir))?;
        let value = m.value(self.value(ir));
        Ok(m.memory().store(&view, &at, value)?)
    }
}

/// The place of a vector's element
fn shifted(at: &[i64], point: &[i64]) -> Vec<i64> {
    terrace_dialect_vector::interp::shifted(at, point)
}

impl VectorLoad {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.memref(ir))?;
        let at = decide(m, self.map(ir), self.indices(ir))?;
        let mut all = Vec::new();
        points(shape(m, ir.ty(self.result(ir)))?, |point| {
            all.push(m.memory().load(&view, &shifted(&at, point))?);
            Ok(())
        })?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl VectorStore {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.memref(ir))?;
        let at = decide(m, self.map(ir), self.indices(ir))?;
        let mut all = elements(m, self.value(ir))?.into_iter();
        points(shape(m, ir.ty(self.value(ir)))?, |point| {
            let value = all.next().unwrap_or(RtValue::Poison);
            Ok(m.memory().store(&view, &shifted(&at, point), value)?)
        })
    }
}

impl Prefetch {
    fn run(self, _: &mut Machine<'_>) -> Result<(), Trap> {
        Ok(())
    }
}

impl Interpret for Yield {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}

impl If {
    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let AttrKind::IntegerSet(set) = self.condition(ir).kind(m.cx()) else {
            return Err(Trap::new(&codes::INVALID, "the condition is not a set"));
        };
        let values = self.operands(ir).into_iter().map(|value| m.decide_i64(value, "the condition"));
        let values: Vec<i64> = values.collect::<Result<_, _>>()?;
        let (dims, symbols) = values.split_at(set.dims as usize);
        let inside = set.contains(dims, symbols);
        let inside = inside.ok_or_else(|| Trap::new(&codes::POISON, "the condition has no value"))?;
        let region = if inside { self.then_region(ir) } else { self.else_region(ir) };
        Ok(match ir.entry(region) {
            Some(_) => Step::Enter { region, args: Vec::new() },
            None => Step::Next,
        })
    }
}

impl Interpret for If {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }
}

impl For {
    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let lower = decide(m, self.lower_map(ir), self.lower(ir))?.into_iter().max();
        let upper = decide(m, self.upper_map(ir), self.upper(ir))?.into_iter().min();
        let inits = m.values(self.inits(ir));
        Ok(self.go(m, lower.unwrap_or(0), upper.unwrap_or(0), inits))
    }

    fn go(self, m: &mut Machine<'_>, at: i64, upper: i64, mut carried: Vec<RtValue>) -> Step {
        if at >= upper {
            m.set_results(carried);
            return Step::Next;
        }
        *m.state() = vec![RtValue::index(at), RtValue::index(upper)];
        carried.insert(0, RtValue::index(at));
        Step::Enter { region: self.region(m.ir()), args: carried }
    }
}

impl Interpret for For {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        let step = self.step_size(m.ir());
        let state: Vec<i64> = m.state().iter().filter_map(RtValue::as_i64).collect();
        let [at, upper] = state[..] else {
            return Step::Trap(Trap::new(&codes::INVALID, "the loop was not entered"));
        };
        // A variable that leaves 64 bits is behind every bound.
        self.go(m, at.checked_add(step).unwrap_or(upper), upper, values)
    }
}

/// The value that changes nothing when combined
fn identity(m: &Machine<'_>, kind: AtomicRmwKind, ty: Type) -> RtValue {
    let attr = kind.combining().and_then(|kind| terrace_dialect_arith::identity(m.cx(), kind, ty));
    attr.and_then(|attr| RtValue::of_attr(m.cx(), attr)).unwrap_or(RtValue::Poison)
}

impl Parallel {
    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for (upper, all) in [(false, &mut low), (true, &mut high)] {
            let bounds = self.bounds(ir, upper);
            let bounds = bounds.ok_or_else(|| Trap::new(&codes::INVALID, "the loop has no bounds"))?;
            let map = if upper { self.upper_map(ir) } else { self.lower_map(ir) };
            let values = decide(m, map, bounds.operands.clone())?;
            for range in bounds.ranges() {
                let group = values.get(range).unwrap_or(&[]).iter().copied();
                all.push(if upper { group.min() } else { group.max() }.unwrap_or(0));
            }
        }
        let so_far: Vec<RtValue> = ir
            .results(self.0)
            .zip(self.kinds(ir))
            .map(|(result, kind)| identity(m, kind, ir.ty(result)))
            .collect();
        let bounds = low.into_iter().zip(high).zip(self.step_sizes(ir));
        let bounds: Vec<(i64, i64, i64)> = bounds.map(|((low, high), step)| (low, high, step)).collect();
        m.open_points(&bounds, !so_far.is_empty())?;
        *m.state() = so_far;
        Ok(enter_next_point(m, self.region(ir)))
    }

    fn next(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Result<Step, Trap> {
        let ir = m.ir();
        let mut state = std::mem::take(m.state());
        for ((so_far, value), kind) in state.iter_mut().zip(values).zip(self.kinds(ir)) {
            *so_far = match kind.combining() {
                Some(kind) => combine(kind, so_far, &value)?,
                None => value,
            };
        }
        *m.state() = state;
        Ok(enter_next_point(m, self.region(ir)))
    }
}

impl Interpret for Parallel {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        self.next(m, values).into()
    }
}
