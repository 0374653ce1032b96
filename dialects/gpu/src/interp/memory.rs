//! Memory of the device: only kernels may use it, and copies.

use super::super::{Alloc, Dealloc, Memcpy, Memset};
use super::give_token;
use terrace_interp::{Interpret, Machine, MemRef, RtValue, Space, Step, Trap, codes};
use terrace_ir::{DYNAMIC, TypeKind};

/// Implement by a method that may trap; the number of the result that is a token, and what messages call it
macro_rules! by_method {
    ($($name:ident $token:literal $word:literal)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                let ir = m.ir();
                let tokens = m.values(self.async_dependencies(ir));
                let asynchronous = self.async_token(ir).is_some();
                if !m.has_device() {
                    m.begin_work(&tokens, asynchronous, $word);
                    let done = self.run(m).map(|()| super::end(m, self.0, asynchronous, $token));
                    return done.map(|()| Step::Next).into();
                }
                // What kernels still write is not moved or freed before: its dependencies if it has some, otherwise all kernels.
                let waited = if asynchronous { m.wait_for_tokens(&tokens) } else { m.wait_for_all() };
                let done = waited.and_then(|()| self.run(m));
                give_token(m, self.0, $token);
                done.map(|()| Step::Next).into()
            }
        }
    )*};
}
by_method!(Alloc 1 "allocation" Dealloc 0 "release" Memcpy 0 "copy" Memset 0 "fill");

impl Alloc {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let TypeKind::MemRef { shape, layout: None, .. } = ir.ty(self.memref(ir)).kind(m.cx()) else {
            return Err(Trap::new(&codes::UNSUPPORTED, "the interpreter allocates row by row only"));
        };
        let mut dynamic = self.dynamic_sizes(ir).into_iter();
        let mut sizes = Vec::with_capacity(shape.len());
        for &size in shape {
            let value = if size == DYNAMIC { dynamic.next() } else { None };
            sizes.push(match value {
                Some(value) => m.decide_i64(value, "the size")?,
                None => size,
            });
        }
        let space = if self.host_shared(ir).is_some() { Space::Any } else { Space::Device };
        let view = m.memory().alloc_in(&sizes, space)?;
        m.memory().claim(&view)?;
        m.set_result(0, RtValue::MemRef(view));
        Ok(())
    }
}

impl Dealloc {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.memref(m.ir()))?;
        m.memory().free(&view)?;
        Ok(())
    }
}

/// Every place of a view in row order
fn places(view: &MemRef, mut each: impl FnMut(&[i64]) -> Result<(), Trap>) -> Result<(), Trap> {
    if view.sizes.iter().any(|size| *size <= 0) {
        return Ok(());
    }
    let mut at = vec![0i64; view.sizes.len()];
    loop {
        each(&at)?;
        let Some(n) = (0..at.len()).rev().find(|n| at[*n] + 1 < view.sizes[*n]) else { return Ok(()) };
        at[n] += 1;
        at[n + 1..].fill(0);
    }
}

impl Memcpy {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (to, from) = (m.decide_memref(self.dst(ir))?, m.decide_memref(self.src(ir))?);
        if from.sizes != to.sizes {
            return Err(Trap::new(&codes::BOUNDS, "the buffers have different shapes"));
        }
        places(&from, |at| Ok(m.memory().transfer((&from, at), (&to, at))?))
    }
}

impl Memset {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (to, value) = (m.decide_memref(self.dst(ir))?, m.value(self.value(ir)));
        places(&to, |at| Ok(m.memory().set_as_driver(&to, at, value.clone())?))
    }
}
