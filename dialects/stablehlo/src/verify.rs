//! Rules of the ops, by the constraints of the StableHLO specification. Words are upstream's.
//!
//! Sizes that are not known go with any size. `Check` is what all rules ask; the files below go by the kind of op.

mod elementwise;
mod products;
mod regions;
mod shapes;

use super::*;
use std::fmt::Display;
use terrace_diag::Reported;
use terrace_ir::show::type_text;
use terrace_ir::{
    BlockId, Context, DYNAMIC, Ir, OpId, RegionId, Traits, Type, TypeKind, Value, VerifyCx, codes,
};

type Done = Result<(), Reported>;

/// An op under verification
#[derive(Clone, Copy)]
struct Check<'a> {
    v: &'a VerifyCx<'a>,
    op: OpId,
}

/// Sizes as a list, `?` for those that are not known
fn sizes_text(sizes: &[i64]) -> String {
    let text = |size: &i64| if *size == DYNAMIC { "?".to_string() } else { size.to_string() };
    format!("[{}]", sizes.iter().map(text).collect::<Vec<_>>().join(", "))
}

/// May two sizes be the same?
fn agree(a: i64, b: i64) -> bool {
    a == b || a == DYNAMIC || b == DYNAMIC
}

/// May two shapes be the same?
fn shapes_agree(a: &[i64], b: &[i64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(*a, *b))
}

/// Are the numbers rising, and each there once?
fn is_unique(all: &[i64]) -> bool {
    (1..all.len()).all(|n| !all[..n].contains(&all[n]))
}

impl<'a> Check<'a> {
    fn ir(self) -> &'a Ir {
        self.v.ir
    }

    fn cx(self) -> &'a Context {
        self.v.cx()
    }

    fn fail<T>(self, message: impl Display) -> Result<T, Reported> {
        self.v.fail(self.op, &codes::OP_RULE, message)
    }

    fn require(self, holds: bool, message: impl FnOnce() -> String) -> Done {
        if holds { Ok(()) } else { self.fail(message()) }
    }

    fn ty(self, value: Value) -> Type {
        self.ir().ty(value)
    }

    fn shape(self, value: Value) -> &'a [i64] {
        self.ty(value).shape(self.cx()).unwrap_or(&[])
    }

    fn rank(self, value: Value) -> i64 {
        self.shape(value).len() as i64
    }

    fn elem(self, value: Value) -> Type {
        self.ty(value).scalar(self.cx())
    }

    fn text(self, ty: Type) -> String {
        type_text(self.cx(), ty)
    }

    /// Types as a list
    fn texts(self, types: impl IntoIterator<Item = Type>) -> String {
        types.into_iter().map(|ty| format!("'{}'", self.text(ty))).collect::<Vec<_>>().join(", ")
    }

    fn result(self) -> Value {
        self.ir().result(self.op, 0)
    }

    /// May both be the same type?
    fn types_agree(self, a: Type, b: Type) -> bool {
        a == b
            || matches!(
                (a.kind(self.cx()), b.kind(self.cx())),
                (TypeKind::Tensor { .. }, TypeKind::Tensor { .. })
            ) && a.element(self.cx()) == b.element(self.cx())
                && a.shape(self.cx()).zip(b.shape(self.cx())).is_some_and(|(a, b)| shapes_agree(a, b))
    }

    fn lists_agree(self, a: &[Type], b: &[Type]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.types_agree(*a, *b))
    }

    /// All operands and results may be of one type
    fn one_type(self) -> Done {
        let ty = self.ty(self.result());
        let all = self.ir().operands(self.op).all(|value| self.types_agree(self.ty(value), ty));
        self.require(all, || "requires compatible types for all operands and results".into())
    }

    /// All operands and the result may be of one shape
    fn one_shape(self) -> Done {
        let shape = self.shape(self.result());
        let all = self.ir().operands(self.op).all(|value| shapes_agree(self.shape(value), shape));
        self.require(all, || "requires the same shape for all operands and results".into())
    }

    /// These operands and the result have the same elements
    fn one_element(self, operands: &[Value]) -> Done {
        let elem = self.elem(self.result());
        let all = operands.iter().all(|value| self.elem(*value) == elem);
        self.require(all, || "requires the same element type for all operands and results".into())
    }

    /// The result has the shape that the operands give
    fn result_shape(self, inferred: &[i64]) -> Done {
        let ty = self.ty(self.result());
        self.require(shapes_agree(inferred, self.shape(self.result())), || {
            format!(
                "inferred shape '{}' is incompatible with return type of operation {}",
                sizes_text(inferred),
                self.text(ty)
            )
        })
    }

    fn result_type(self, shape: &[i64], elem: Type) -> Done {
        self.nth_result_type(0, shape, elem)
    }

    /// The n-th result has the shape and the elements that the operands give
    fn nth_result_type(self, n: usize, shape: &[i64], elem: Type) -> Done {
        let (wanted, ty) = (self.cx().tensor(shape, elem), self.ty(self.ir().result(self.op, n)));
        self.require(self.types_agree(wanted, ty), || {
            let wanted = self.text(wanted);
            let ty = self.text(ty);
            format!("inferred type(s) '{wanted}' are incompatible with return type(s) of operation '{ty}'")
        })
    }

    /// Each dimension is in the range of a rank
    fn in_range(self, dims: &[i64], rank: i64, name: &str, of: &str) -> Done {
        match dims.iter().find(|dim| !(0..rank).contains(*dim)) {
            None => Ok(()),
            Some(dim) => self.fail(format!(
                "Expects each element of {name} to be in range [0, {of}) i.e. [0, {rank}). got: {dim}."
            )),
        }
    }

    /// No dimension is there twice in two lists
    fn distinct(self, a: &[i64], b: &[i64], names: [&str; 2]) -> Done {
        let all = [a, b].concat();
        match (1..all.len()).find(|n| all[..*n].contains(&all[*n])) {
            None => Ok(()),
            Some(n) => {
                let [a, b] = names;
                self.fail(format!("has duplicated dimension from {a} and {b}: {}", all[n]))
            }
        }
    }

    fn sorted(self, dims: &[i64], name: &str) -> Done {
        self.require(dims.is_sorted(), || format!("expects {name} to be sorted, got: {}", sizes_text(dims)))
    }

    fn once(self, dims: &[i64], name: &str) -> Done {
        self.require(is_unique(dims), || format!("expects {name} to not repeat, got: {}", sizes_text(dims)))
    }

    /// The block of a region that must have one, and the values that its end returns
    fn body(self, region: RegionId) -> Result<(BlockId, Vec<Value>), Reported> {
        let Some(block) = self.ir().entry(region) else { return self.fail("expects non-empty regions") };
        let end = self.ir().last_op(block).filter(|end| self.ir().has(*end, Traits::Terminator));
        match end {
            Some(end) => Ok((block, self.ir().operands(end).collect())),
            None => self.fail("expects regions that end with 'stablehlo.return'"),
        }
    }

    fn arg_types(self, block: BlockId) -> Vec<Type> {
        self.ir().block_args(block).iter().map(|arg| self.ty(*arg)).collect()
    }

    fn value_types(self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|value| self.ty(*value)).collect()
    }

    fn numbers(self, attr: terrace_ir::Attr) -> &'a [i64] {
        attrs::list(self.cx(), attr)
    }

    /// A tensor of no dimensions
    fn scalar(self, elem: Type) -> Type {
        self.cx().tensor(&[], elem)
    }

    fn is_predicate(self, ty: Type) -> bool {
        ty == self.scalar(self.cx().common().i1)
    }
}

/// A verifier from a function of `Check`
macro_rules! verify {
    ($($name:ident $rule:expr;)*) => {$(
        impl terrace_ir::Verify for $name {
            fn verify(self, v: &VerifyCx<'_>) -> Done {
                #[allow(clippy::redundant_closure_call)]
                ($rule)(self, Check { v, op: self.0 })
            }
        }
    )*};
}
use verify;
