//! What buffers do. Layouts without strides are refused. What `alloca` gives ends with its scope.

mod atomics;
mod shapes;
mod views;

use super::layout::{Strided, strided};
use super::{Alloc, Alloca, Cast, Copy, Dealloc, Dim, Load, Store};
use terrace_interp::{Interpret, Machine, MemRef, Quick, RtValue, Step, Trap, codes};
use terrace_ir::{AttrKind, DYNAMIC, Ir, Type, TypeKind, Value};

/// Static numbers with the values of the unknown ones put in
fn filled(m: &Machine<'_>, numbers: &[i64], dynamic: Vec<Value>, what: &str) -> Result<Vec<i64>, Trap> {
    let mut dynamic = dynamic.into_iter();
    let mut all = Vec::with_capacity(numbers.len());
    for &number in numbers {
        if number != DYNAMIC {
            all.push(number);
            continue;
        }
        let value = dynamic.next().ok_or_else(|| Trap::new(&codes::INVALID, "an operand is missing"))?;
        all.push(m.decide_i64(value, what)?);
    }
    Ok(all)
}

fn alloc(m: &mut Machine<'_>, dynamic: Vec<Value>, symbols: Vec<Value>) -> Result<Step, Trap> {
    let ir = m.ir();
    let ty = ir.ty(ir.result(m.op(), 0));
    let sizes = filled(m, ty.shape(m.cx()).unwrap_or(&[]), dynamic, "the size")?;
    let view = make(m, ty, &sizes, symbols)?;
    m.set_result(0, RtValue::MemRef(view));
    Ok(Step::Next)
}

/// Memory for a buffer of a type
fn make(m: &mut Machine<'_>, ty: Type, sizes: &[i64], symbols: Vec<Value>) -> Result<MemRef, Trap> {
    let cx = m.cx();
    let TypeKind::MemRef { layout: Some(layout), .. } = ty.kind(cx) else {
        return Ok(m.memory().alloc(sizes)?);
    };
    let known = strided(cx, ty).filter(|layout| layout.dynamic() == 0);
    let Strided { offset, strides } = match layout.kind(cx) {
        // The identity says nothing of dynamic sizes.
        AttrKind::AffineMap(map) if map.is_identity() => return Ok(m.memory().alloc(sizes)?),
        AttrKind::Strided { strides, offset } => {
            let numbers: Vec<i64> = [*offset].into_iter().chain(strides.iter().copied()).collect();
            let mut all = filled(m, &numbers, symbols, "a stride")?;
            Strided { offset: all.remove(0), strides: all }
        }
        _ => known
            .ok_or_else(|| Trap::new(&codes::UNSUPPORTED, "the interpreter does not know this layout"))?,
    };
    let bounds = || Trap::new(&codes::BOUNDS, "offset, size or stride is negative or too large");
    let mut end = i128::from(offset) + 1;
    for (size, stride) in sizes.iter().zip(&strides) {
        if *size < 0 || *stride < 0 || offset < 0 {
            return Err(bounds());
        }
        end += i128::from((*size).max(1) - 1) * i128::from(*stride);
    }
    let end = if sizes.contains(&0) { 0 } else { i64::try_from(end).map_err(|_| bounds())? };
    let all = m.memory().alloc(&[end])?;
    Ok(MemRef { alloc: all.alloc, offset, sizes: sizes.into(), strides: strides.into(), bytes: None })
}

fn place(m: &Machine<'_>, indices: Vec<Value>) -> Result<Vec<i64>, Trap> {
    indices.into_iter().map(|index| m.decide_i64(index, "the index")).collect()
}

impl Interpret for Alloc {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        alloc(m, self.dynamic_sizes(m.ir()), self.symbol_operands(m.ir())).into()
    }
}

impl Interpret for Alloca {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let step = alloc(m, self.dynamic_sizes(m.ir()), self.symbol_operands(m.ir()));
        if let RtValue::MemRef(view) = m.value(self.memref(m.ir())) {
            m.end_with_scope(&view);
        }
        step.into()
    }
}

terrace_interp::interpret_by_run!(Dealloc Dim Cast Copy);

impl Interpret for Load {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.run(m).map(|()| Step::Next).into()
    }

    fn quick(self, _: &Ir) -> Option<Quick> {
        Some(Quick::Load)
    }
}

impl Interpret for Store {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.run(m).map(|()| Step::Next).into()
    }

    fn quick(self, _: &Ir) -> Option<Quick> {
        Some(Quick::Store)
    }
}

impl Dealloc {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.memref(m.ir()))?;
        Ok(m.memory().free(&view)?)
    }
}

impl Load {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.memref(m.ir()))?;
        let at = place(m, self.indices(m.ir()))?;
        let value = m.memory().load(&view, &at)?;
        m.set_result(0, value);
        Ok(())
    }
}

impl Store {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.memref(m.ir()))?;
        let at = place(m, self.indices(m.ir()))?;
        let value = m.value(self.value(m.ir()));
        Ok(m.memory().store(&view, &at, value)?)
    }
}

impl Dim {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.source(m.ir()))?;
        let n = m.decide_i64(self.index(m.ir()), "the dimension")?;
        let size = usize::try_from(n).ok().and_then(|n| view.sizes.get(n).copied());
        let size = size.ok_or_else(|| Trap::new(&codes::BOUNDS, "there is no such dimension"))?;
        m.set_result(0, RtValue::index(size));
        Ok(())
    }
}

impl Cast {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.source(m.ir()))?;
        let shape = m.ir().ty(self.dest(m.ir())).shape(m.cx());
        let fits = shape.is_none_or(|shape| {
            shape.len() == view.sizes.len()
                && shape.iter().zip(&*view.sizes).all(|(wanted, size)| *wanted == DYNAMIC || wanted == size)
        });
        if !fits {
            return Err(Trap::new(&codes::BOUNDS, "the buffer has another shape"));
        }
        if let Some(wanted) = strided(m.cx(), m.ir().ty(self.dest(m.ir()))) {
            let differs = |wanted: i64, is: i64| wanted != DYNAMIC && wanted != is;
            let strides = wanted.strides.iter().zip(&*view.strides).zip(&*view.sizes);
            if differs(wanted.offset, view.offset)
                || strides.into_iter().any(|((wanted, is), size)| *size > 1 && differs(*wanted, *is))
            {
                return Err(Trap::new(&codes::BOUNDS, "the buffer has another layout"));
            }
        }
        m.set_result(0, RtValue::MemRef(view));
        Ok(())
    }
}

impl Copy {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let from: MemRef = m.decide_memref(self.source(m.ir()))?;
        let to = m.decide_memref(self.target(m.ir()))?;
        if from.sizes != to.sizes {
            return Err(Trap::new(&codes::BOUNDS, "the buffers have different shapes"));
        }
        if from.sizes.contains(&0) {
            return Ok(());
        }
        let mut at = vec![0i64; from.sizes.len()];
        loop {
            m.memory().carry((&from, &at), (&to, &at))?;
            // The next place in row order; done when all dimensions are at their end.
            let Some(n) = (0..at.len()).rev().find(|n| at[*n] + 1 < from.sizes[*n]) else { return Ok(()) };
            at[n] += 1;
            at[n + 1..].fill(0);
        }
    }
}
