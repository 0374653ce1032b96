//! `memref`: allocation and access; accesses are flattened.

use crate::buffer::{Dim, Shape, Space, View};
use crate::emit::{Check, Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::refusal::{Done, Refused};
use crate::types::Scalar;
use crate::values::Val;
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, OpId, Value};
use terrace_lowering_table::{Checked, Refusal, rows};

pub(crate) static OPS: &[Lowering] = rows! { memref:
    Alloc can_allocate, |e, op| e.alloc(op, false);
    Alloca can_allocate, |e, op| e.alloc(op, true);
    AllocaScope any, |e, op| e.execute_region(op);
    AllocaScopeReturn any, |e, op| e.end(op);
    Cast any, |e, op| e.buffer_cast(memref::Cast(op));
    Copy any, |e, op| e.copy(memref::Copy(op));
    Dim any, |e, op| e.dim_op(memref::Dim(op));
    Load any, |e, op| e.load(memref::Load(op));
    Store any, |e, op| e.store(memref::Store(op));
};

pub(crate) static HOST: &[Lowering] = rows! { memref:
    Dealloc any, |e, op| e.dealloc(memref::Dealloc(op));
};

/// Kernels have variables of fixed size, and nothing else
fn can_allocate(c: &Check<'_>, op: OpId) -> Checked {
    let stack = memref::Alloca::cast(c.ir, op).is_some();
    // A type that cannot be said is reported as such.
    let Some(shape) = Shape::of(c.cx(), c.ir.ty(c.ir.result(op, 0))) else { return Ok(()) };
    let gpu = !c.lang.is_host();
    if c.lang.is_hardware() && shape.count().is_none() {
        return Err(Refusal::new("hardware has no heap", "buffers of fixed size are arrays"));
    }
    if !shape.identity {
        return Err("it allocates with a layout of its own".into());
    }
    if gpu && !stack {
        let help = "`promote-buffers` turns buffers of fixed size into `memref.alloca`";
        return Err(Refusal::new("kernels cannot allocate", help));
    }
    if gpu && shape.count().is_none() {
        return Err("the size of a kernel's variable is not fixed".into());
    }
    if gpu && shape.space == Some(Space::Workgroup) {
        let help = "workgroup memory is an attribution of `gpu.func`";
        return Err(Refusal::new("it allocates workgroup memory inside of a kernel", help));
    }
    Ok(())
}

impl Emit<'_> {
    /// Place of an element
    pub fn place(&mut self, view: &View, indices: &[Expr]) -> Expr {
        let mut constant = 0i64;
        // Places in a buffer of known and small size are small, and so are their parts.
        let extent = view.sizes.iter().zip(&view.strides).try_fold(0i64, |sum, part| match part {
            (Dim::Const(size), Dim::Const(stride)) if *stride >= 0 => {
                sum.checked_add(size.checked_mul(*stride)?)
            }
            _ => None,
        });
        let small = extent.is_some_and(|extent| extent <= i64::from(i32::MAX));
        let mut sum: Option<Expr> = None;
        let add = |sum: &mut Option<Expr>, term: Expr| {
            *sum = Some(match sum.take() {
                Some(sum) => Expr::binary("+", prec::SUM, &sum, &term),
                None => term,
            });
        };
        match &view.offset {
            Dim::Const(n) => constant = *n,
            Dim::Var(_) => add(&mut sum, view.offset.expr()),
        }
        for (index, stride) in indices.iter().zip(&view.strides) {
            match (index.text.parse::<i64>(), stride) {
                (Ok(n), Dim::Const(stride)) if n.checked_mul(*stride).is_some() => {
                    constant = constant.wrapping_add(n * stride);
                }
                (Ok(0), _) => {}
                (Ok(1), stride) => add(&mut sum, stride.expr()),
                (_, Dim::Const(0)) => {}
                (_, Dim::Const(1)) => add(&mut sum, index.clone()),
                _ => {
                    let c_type = self.lang.scalar(Scalar::Int(64));
                    let index =
                        if index.narrow && !small { Expr::cast(c_type, index) } else { index.clone() };
                    add(&mut sum, Expr::binary("*", prec::PRODUCT, &index, &stride.expr()));
                }
            }
        }
        match sum {
            None => Expr::atom(constant.to_string()),
            Some(sum) if constant == 0 => sum,
            Some(sum) if constant < 0 && constant != i64::MIN => {
                Expr::binary("-", prec::SUM, &sum, &Expr::atom((-constant).to_string()))
            }
            Some(sum) => Expr::binary("+", prec::SUM, &sum, &Expr::atom(constant.to_string())),
        }
    }

    /// `A[i * 16 + j]`
    pub fn element(&mut self, view: &View, indices: &[Expr]) -> Expr {
        if view.array {
            return self.array_element(view, indices);
        }
        let place = self.place(view, indices);
        Expr::atom(format!("{}[{}]", view.pointer, place.text)).with(&[&place])
    }

    fn load(&mut self, load: memref::Load) -> Done {
        let (ir, op) = (self.ir, load.id());
        let view = self.values.view(load.memref(ir))?;
        let indices: Vec<Expr> = load.indices(ir).into_iter().map(|index| self.values.expr(index)).collect();
        let mut e = self.element(&view, &indices);
        e.reads = true;
        if self.lang.stored(view.elem) != self.lang.scalar(view.elem) {
            e = Expr::binary("!=", prec::EQUAL, &e, &Expr::atom("0"));
        }
        self.bind(op, load.result(ir), e)
    }

    fn store(&mut self, store: memref::Store) -> Done {
        let (ir, op) = (self.ir, store.id());
        let view = self.written(op, store.memref(ir))?;
        let value = self.values.expr(store.value(ir));
        let indices: Vec<Expr> = store.indices(ir).into_iter().map(|index| self.values.expr(index)).collect();
        self.flush();
        let place = self.element(&view, &indices);
        self.text.line(&format!("{} = {};", place.text, value.text));
        Ok(())
    }

    /// A size as a number or a name
    pub fn dim(&mut self, value: Value) -> Dim {
        let (low, high) = self.range(value);
        match i64::try_from(low) {
            Ok(n) if low == high => {
                self.values.expr(value);
                Dim::Const(n)
            }
            _ => {
                let e = self.leaf(value);
                if e.narrow {
                    let name = self.name(value);
                    let c_type = self.lang.scalar(Scalar::Int(64));
                    self.text.line(&format!("{c_type} {name} = {};", e.text));
                    return Dim::Var(name);
                }
                Dim::Var(e.text)
            }
        }
    }

    /// Strides of rows that lie one after another; products become variables
    pub fn row_strides(&mut self, name: &str, sizes: &[Dim]) -> Vec<Dim> {
        let mut strides = vec![Dim::Const(1); sizes.len()];
        for n in (0..sizes.len().saturating_sub(1)).rev() {
            strides[n] = match (&strides[n + 1], &sizes[n + 1]) {
                (Dim::Const(a), Dim::Const(b)) => Dim::Const(a.wrapping_mul(*b)),
                (Dim::Const(1), size) => size.clone(),
                (a, b) => {
                    let product = Expr::binary("*", prec::PRODUCT, &b.expr(), &a.expr());
                    let c_type = self.lang.scalar(Scalar::Int(64));
                    Dim::Var(self.text.variable(c_type, &format!("{name}_stride{n}"), &product).text)
                }
            };
        }
        strides
    }

    /// Product of sizes
    fn count(&mut self, sizes: &[Dim]) -> Expr {
        let mut constant = 1i64;
        let mut product: Option<Expr> = None;
        for size in sizes {
            match size {
                Dim::Const(n) => constant = constant.saturating_mul(*n),
                Dim::Var(_) => {
                    product = Some(match product {
                        Some(product) => Expr::binary("*", prec::PRODUCT, &product, &size.expr()),
                        None => size.expr(),
                    });
                }
            }
        }
        let number = Expr::atom(constant.to_string());
        match product {
            None => number,
            Some(product) if constant == 1 => product,
            Some(product) => Expr::binary("*", prec::PRODUCT, &product, &number),
        }
    }

    fn alloc(&mut self, op: OpId, stack: bool) -> Done {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let shape = self.shape(op, ir.ty(result))?;
        let (dynamic, align) = match memref::Alloca::cast(ir, op) {
            Some(alloca) => (alloca.dynamic_sizes(ir), alloca.alignment(ir)),
            None => (memref::Alloc(op).dynamic_sizes(ir), memref::Alloc(op).alignment(ir)),
        };
        let mut dynamic = dynamic.into_iter();
        let mut sizes = Vec::new();
        for size in &shape.sizes {
            sizes.push(match (size, dynamic.len()) {
                (Some(size), _) => Dim::Const(*size),
                (None, 0) => return Err(Refused),
                (None, _) => match dynamic.next() {
                    Some(value) => self.dim(value),
                    None => return Err(Refused),
                },
            });
        }
        let space = if self.lang.is_host() { Space::Global } else { Space::Private };
        let name = self.name(result);
        let strides = self.row_strides(&name, &sizes);
        let count = self.count(&sizes);
        let align = align.and_then(|attr: Attr| attr.as_i64(self.ir.cx()));
        let elem = self.lang.stored(shape.elem);
        let banks = self.banks_of(op, &shape);
        if let Some(banks) = &banks {
            let dims: String =
                shape.sizes.iter().flatten().map(|size| format!("[{}]", size.max(&1))).collect();
            self.text.line(&format!("{elem} {name}{dims};"));
            self.partition(&name, banks);
        } else if self.lang.is_hardware() && !stack {
            self.text.line(&format!("static {elem} {name}[{}];", shape.count().unwrap_or(1).max(1)));
        } else if stack {
            let count = match shape.count() {
                Some(count) => count.max(1).to_string(),
                None => format!("{} > 0 ? {} : 1", count.at(prec::SHIFT), count.text),
            };
            let align = align.map_or(String::new(), |align| self.lang.alignment(align));
            self.text.line(&format!("{align}{elem} {name}[{count}];"));
        } else {
            let align = align.unwrap_or(64).max(64);
            let function = self.helpers.allocate();
            let bytes = Expr::binary("*", prec::PRODUCT, &count, &Expr::atom(format!("sizeof({elem})")));
            self.text.line(&format!("{elem} *{name} = {function}({}, {align});", bytes.text));
        }
        let view = View {
            pointer: name.clone(),
            allocated: name,
            offset: Dim::Const(0),
            sizes,
            strides,
            elem: shape.elem,
            space,
            constant: false,
            array: banks.is_some(),
        };
        self.values.set(result, Val::View(view));
        Ok(())
    }

    fn dealloc(&mut self, dealloc: memref::Dealloc) -> Done {
        let view = self.values.view(dealloc.memref(self.ir))?;
        self.flush();
        if self.lang.is_hardware() {
            return Ok(());
        }
        self.helpers.include("#include <stdlib.h>");
        self.text.line(&format!("free({});", view.allocated));
        Ok(())
    }

    fn copy(&mut self, copy: memref::Copy) -> Done {
        let (from, to) = (self.values.view(copy.source(self.ir))?, self.values.view(copy.target(self.ir))?);
        self.flush();
        let c_type = self.lang.scalar(Scalar::Int(64));
        let mut indices = Vec::new();
        for n in 0..from.sizes.len() {
            let size = match (&from.sizes[n], &to.sizes[n]) {
                (Dim::Var(_), known) => known.expr(),
                (known, _) => known.expr(),
            };
            // The scope has to be there before the name is taken.
            self.text.names.push();
            let i = self.text.names.induction();
            let brace = if n + 1 == from.sizes.len() { " {" } else { "" };
            self.text.line(&format!("for ({c_type} {i} = 0; {i} < {}; {i}++){brace}", size.at(prec::SHIFT)));
            self.text.depth += 1;
            indices.push(Expr::atom(i));
        }
        let (target, source) = (self.element(&to, &indices), self.element(&from, &indices));
        self.text.line(&format!("{} = {};", target.text, source.text));
        for n in 0..from.sizes.len() {
            self.text.names.pop();
            self.text.depth -= 1;
            if n == 0 {
                self.text.line("}");
            }
        }
        Ok(())
    }

    fn dim_op(&mut self, dim: memref::Dim) -> Done {
        let (op, result) = (dim.id(), dim.result(self.ir));
        let view = self.values.view(dim.source(self.ir))?;
        let (n, high) = self.range(dim.index(self.ir));
        let size = usize::try_from(n).ok().filter(|_| n == high).and_then(|n| view.sizes.get(n).cloned());
        let Some(size) = size else {
            return self.no_op(
                op,
                "which dimension it asks for is not a constant",
                "`canonicalize` may help",
            );
        };
        let range = match size {
            Dim::Const(n) => (i128::from(n), i128::from(n)),
            Dim::Var(_) => (0, i128::from(i64::MAX)),
        };
        self.values.set_range(result, range);
        self.values.set(result, Val::Expr(size.expr()));
        Ok(())
    }

    fn buffer_cast(&mut self, cast: memref::Cast) -> Done {
        let (ir, result) = (self.ir, cast.dest(self.ir));
        let mut view = self.values.view(cast.source(ir))?;
        let shape = self.shape(cast.id(), ir.ty(result))?;
        // Whichever knows more: what the view knows holds, and so does what the type promises.
        let parts =
            view.sizes.iter_mut().zip(&shape.sizes).chain(view.strides.iter_mut().zip(&shape.strides));
        for (dim, known) in parts.chain([(&mut view.offset, &shape.offset)]) {
            if let (Dim::Var(_), Some(known)) = (&*dim, known) {
                *dim = Dim::Const(*known);
            }
        }
        self.values.set(result, Val::View(view));
        Ok(())
    }
}
