//! What buffers do. Layouts other than the identity are refused; `alloca` is not freed when its function returns.

use super::{Alloc, Alloca, Cast, Copy, Dealloc, Dim, Load, Store};
use terrace_interp::{Interpret, Machine, MemRef, RtValue, Step, Trap, codes};
use terrace_ir::{DYNAMIC, TypeKind, Value};

fn alloc(m: &mut Machine<'_>, dynamic: Vec<Value>) -> Result<Step, Trap> {
    let ir = m.ir();
    let TypeKind::MemRef { shape, layout: None, .. } = ir.ty(ir.result(m.op(), 0)).kind(m.cx()) else {
        return Err(Trap::new(&codes::UNSUPPORTED, "the interpreter allocates row by row only"));
    };
    let mut dynamic = dynamic.into_iter();
    let mut sizes = Vec::with_capacity(shape.len());
    for &size in shape {
        if size != DYNAMIC {
            sizes.push(size);
            continue;
        }
        let value = dynamic.next().ok_or_else(|| Trap::new(&codes::INVALID, "a size is missing"))?;
        sizes.push(m.decide_i64(value, "the size")?);
    }
    let view = m.memory().alloc(&sizes)?;
    m.set_result(0, RtValue::MemRef(view));
    Ok(Step::Next)
}

fn place(m: &Machine<'_>, indices: Vec<Value>) -> Result<Vec<i64>, Trap> {
    indices.into_iter().map(|index| m.decide_i64(index, "the index")).collect()
}

impl Interpret for Alloc {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        alloc(m, self.dynamic_sizes(m.ir())).into()
    }
}

impl Interpret for Alloca {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        alloc(m, self.dynamic_sizes(m.ir())).into()
    }
}

/// Implement by a method that may trap
macro_rules! by_method {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                self.run(m).map(|()| Step::Next).into()
            }
        }
    )*};
}
by_method!(Dealloc Load Store Dim Cast Copy);

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
            let value = m.memory().load(&from, &at)?;
            m.memory().store(&to, &at, value)?;
            // The next place in row order; done when all dimensions are at their end.
            let Some(n) = (0..at.len()).rev().find(|n| at[*n] + 1 < from.sizes[*n]) else { return Ok(()) };
            at[n] += 1;
            at[n + 1..].fill(0);
        }
    }
}
