//! `memref`: a buffer is a pointer, an offset, sizes and strides, each a number or a name; accesses are flattened.

use crate::emit::{Done, Emit, Refused, Val};
use crate::expr::{Expr, prec};
use crate::table::{Check, Lowering, any};
use crate::types::Scalar;
use crate::{Flavor, codes};
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, AttrKind, Context, DYNAMIC, OpId, Type, TypeKind, Value};
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
    let gpu = c.flavor != Flavor::OpenMp;
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

/// A number that is known, or the name of a variable that holds it
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Dim {
    Const(i64),
    Var(String),
}

impl Dim {
    pub fn expr(&self) -> Expr {
        match self {
            Dim::Const(n) => Expr { narrow: true, ..Expr::new(n.to_string(), prec::ATOM) },
            Dim::Var(name) => Expr::atom(name),
        }
    }
}

/// Where memory is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Space {
    Global,
    Workgroup,
    Private,
    Constant,
}

/// What stands for a memref
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct View {
    pub pointer: String,
    /// What was allocated, where it differs
    pub allocated: String,
    pub offset: Dim,
    pub sizes: Vec<Dim>,
    pub strides: Vec<Dim>,
    pub elem: Scalar,
    pub space: Space,
    /// Nobody writes through the pointer
    pub constant: bool,
}

/// What a memref's type says; `None` where it leaves a number open
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub sizes: Vec<Option<i64>>,
    pub strides: Vec<Option<i64>>,
    pub offset: Option<i64>,
    pub elem: Scalar,
    pub space: Option<Space>,
    /// Rows lie one after another: strides follow from sizes
    pub identity: bool,
}

impl Shape {
    /// Read a type; `None` for one that cannot be said
    pub fn of(cx: &Context, ty: Type) -> Option<Shape> {
        let TypeKind::MemRef { shape, elem, layout, space } = ty.kind(cx) else { return None };
        let known = |n: i64| (n != DYNAMIC).then_some(n);
        let sizes: Vec<Option<i64>> = shape.iter().map(|size| known(*size)).collect();
        let mut strides = vec![Some(1i64); sizes.len()];
        for n in (0..sizes.len().saturating_sub(1)).rev() {
            strides[n] = match (strides[n + 1], sizes[n + 1]) {
                (Some(stride), Some(size)) => Some(stride.checked_mul(size)?),
                _ => None,
            };
        }
        let (mut offset, mut identity) = (Some(0), true);
        match layout.map(|layout| layout.kind(cx)) {
            None => {}
            Some(AttrKind::Strided { strides: given, offset: start }) => {
                strides = given.iter().map(|stride| known(*stride)).collect();
                (offset, identity) = (known(*start), false);
            }
            Some(_) => return None,
        }
        let space = match space {
            None => None,
            Some(space) => Some(space_of(&terrace_ir::show::attr_text(cx, *space))?),
        };
        Some(Shape { sizes, strides, offset, elem: Scalar::of(cx, *elem)?, space, identity })
    }

    /// Number of elements if it is known
    pub fn count(&self) -> Option<i64> {
        self.sizes.iter().try_fold(1i64, |count, size| count.checked_mul((*size)?))
    }
}

/// Memory by what the type says: of GPUs, or a level of the host's, which is plain memory
fn space_of(text: &str) -> Option<Space> {
    let text = text.trim();
    Some(match text {
        "#gpu.address_space<workgroup>" | "3 : i64" | "3" => Space::Workgroup,
        "#gpu.address_space<private>" | "5 : i64" | "5" => Space::Private,
        "#gpu.address_space<global>" | "0 : i64" | "1 : i64" | "0" | "1" => Space::Global,
        "\"reg\"" => Space::Private,
        text if text.starts_with('"') => Space::Global,
        _ => return None,
    })
}

impl Flavor {
    /// Words before a pointer's type
    pub(crate) fn space(self, space: Space) -> &'static str {
        match (self, space) {
            (Flavor::OpenCl, Space::Global) => "__global ",
            (Flavor::OpenCl, Space::Workgroup) => "__local ",
            (Flavor::OpenCl, Space::Constant) => "__constant ",
            (Flavor::OpenMp | Flavor::Cuda, Space::Constant) => "const ",
            _ => "",
        }
    }
}

impl Emit<'_> {
    /// What the type of a memref says, or an error at the op
    pub fn shape(&mut self, op: OpId, ty: Type) -> Done<Shape> {
        if let Some(shape) = Shape::of(self.ir.cx(), ty) {
            return Ok(shape);
        }
        let message = format!(
            "has a buffer of type '{}', which {} cannot say",
            terrace_ir::show::type_text(self.ir.cx(), ty),
            self.flavor.name()
        );
        self.refuse(op, &codes::TYPE, &message, "elements are numbers, layouts are strided")
    }

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
                    let c_type = self.flavor.scalar(Scalar::Int(64));
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
        let place = self.place(view, indices);
        Expr::atom(format!("{}[{}]", view.pointer, place.text)).with(&[&place])
    }

    fn load(&mut self, load: memref::Load) -> Done {
        let (ir, op) = (self.ir, load.id());
        let view = self.values.view(load.memref(ir))?;
        let indices: Vec<Expr> = load.indices(ir).into_iter().map(|index| self.values.expr(index)).collect();
        let mut e = self.element(&view, &indices);
        e.reads = true;
        if view.elem == Scalar::Bool && self.flavor == Flavor::OpenCl {
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
                    let c_type = self.flavor.scalar(Scalar::Int(64));
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
                    let c_type = self.flavor.scalar(Scalar::Int(64));
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
        let space = if self.flavor == Flavor::OpenMp { Space::Global } else { Space::Private };
        let name = self.name(result);
        let strides = self.row_strides(&name, &sizes);
        let count = self.count(&sizes);
        let align = align.and_then(|attr: Attr| attr.as_i64(self.ir.cx()));
        let elem = self.flavor.stored(shape.elem);
        if stack {
            let count = match shape.count() {
                Some(count) => count.max(1).to_string(),
                None => format!("{} > 0 ? {} : 1", count.at(prec::SHIFT), count.text),
            };
            let align = align.map_or(String::new(), |align| match self.flavor {
                Flavor::OpenMp => format!("_Alignas({align}) "),
                _ => String::new(),
            });
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
        };
        self.values.set(result, Val::View(view));
        Ok(())
    }

    fn dealloc(&mut self, dealloc: memref::Dealloc) -> Done {
        let view = self.values.view(dealloc.memref(self.ir))?;
        self.flush();
        self.helpers.include("#include <stdlib.h>");
        self.text.line(&format!("free({});", view.allocated));
        Ok(())
    }

    fn copy(&mut self, copy: memref::Copy) -> Done {
        let (from, to) = (self.values.view(copy.source(self.ir))?, self.values.view(copy.target(self.ir))?);
        self.flush();
        let c_type = self.flavor.scalar(Scalar::Int(64));
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
