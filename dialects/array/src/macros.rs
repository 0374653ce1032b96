//! Patterns in several dimensions and other short forms: macros, which stand for patterns of one dimension.
//!
//! Each op states once what it stands for, in [`ShortForm::expand`]. Types, conditions, the pass `array-expand` and the
//! interpreter all use that. No pass after `array-expand` sees a macro.

mod functions;
mod layouts;
mod properties;
mod text;

pub use functions::{Dot, Let, LevelsAttr, Map2, MapNd, ReduceNd};
pub use layouts::{Crop, CropNd, Drop, JoinNd, PadNd, SlideNd, SplitNd, Take, TransposeNd, ZipNd};

use crate::layout::Operand;
use crate::make::{Body, Make, Ops, Types};
use crate::misfit::Misfit;
use crate::patterns::Yield;
use crate::size::{Obligation, check};
use properties::Properties;
use terrace_diag::Reported;
use terrace_ir::interface::Interface;
use terrace_ir::ir::ValueMap;
use terrace_ir::{Attr, Builder, Ir, OpId, Type, Value, VerifyCx};
use terrace_text::{OpParser, OpPrinter};

/// An op that stands for patterns
pub(crate) trait ShortForm: From<OpId> + 'static {
    /// Has it a function?
    const FUNCTION: bool = false;

    /// What it stands for; `body` is its function, if it has one
    fn expand<M: Make>(m: &mut M, xs: &[M::V], p: &Properties<'_>, body: Body<'_, M>)
    -> Result<M::V, Misfit>;

    /// What the verifier checks beyond types and conditions
    fn check(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let _ = v;
        Ok(())
    }

    /// Read properties and operands
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Vec<Operand>, Reported>;

    /// Write them
    fn print(self, p: &mut OpPrinter<'_>);

    /// Entry for the op's interfaces
    const ENTRY: Interface = Interface::new(const { &ShortFormTable { types: types_of::<Self> } });
}

type Typed = Result<(Type, Vec<Obligation>), Misfit>;

/// Table behind [`ShortForm`]
pub(crate) struct ShortFormTable {
    types: fn(&Ir, OpId) -> Typed,
}

/// Hooks of macros that follow from [`ShortForm`]
macro_rules! short_forms {
    ($($name:ident)*) => {$(
        impl CustomAsm for $name {
            fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
                super::text::parse::<$name>(p)
            }

            fn print(self, p: &mut OpPrinter<'_>) {
                super::text::print(self, p);
            }
        }

        impl Verify for $name {
            fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
                super::verify(v, self, self.0)
            }
        }

        impl Expand for $name {
            fn expand(self, ir: &mut Ir) -> Result<(), String> {
                super::write_out::<$name>(ir, self.0).map_err(|why| why.to_string())
            }
        }
    )*};
}
use short_forms;

/// The first operand
fn first<V>(xs: &[V]) -> Result<&V, Misfit> {
    xs.first().ok_or_else(|| Misfit::ty("an operand is missing"))
}

fn yields_of(ir: &Ir, op: OpId) -> Option<(Vec<Value>, Vec<Value>)> {
    let entry = ir.entry(ir.regions(op).next()?)?;
    let end = ir.last_op(entry).filter(|end| Yield::cast(ir, *end).is_some());
    let yields = end.map_or(Vec::new(), |end| ir.operands(end).collect());
    Some((ir.block_args(entry).to_vec(), yields))
}

/// Does the op stand for patterns?
pub fn is_macro(ir: &Ir, op: OpId) -> bool {
    ir.def(op).interface::<ShortFormTable>().is_some()
}

/// Type of what an op gives and its conditions on sizes, if it is a macro
pub(crate) fn types(ir: &Ir, op: OpId) -> Option<Typed> {
    ir.def(op).interface::<ShortFormTable>().map(|table| (table.types)(ir, op))
}

fn types_of<S: ShortForm>(ir: &Ir, op: OpId) -> Typed {
    let cx = ir.cx();
    let mut m = Types::default();
    let operands: Vec<Type> = ir.operands(op).map(|value| ir.ty(value)).collect();
    let p = Properties { cx, attr: &|name| ir.attr(op, name) };
    let of = |values: &[Value]| values.iter().map(|value| ir.ty(*value)).collect::<Vec<Type>>();
    let function = yields_of(ir, op).map(|(args, yields)| (of(&args), of(&yields)));
    let list = |types: &[Type]| {
        types.iter().map(|ty| terrace_ir::show::type_text(cx, *ty)).collect::<Vec<_>>().join(", ")
    };
    let ty = S::expand(&mut m, &operands, &p, &mut |_, args| match &function {
        Some((have, yields)) if have == args => Ok(yields.clone()),
        Some((have, _)) => {
            Err(Misfit::ty(format!("the function takes ({}), it gets ({})", list(have), list(args))))
        }
        None => Err(Misfit::ty("has no function")),
    })?;
    Ok((ty, m.obligations))
}

fn verify<S: ShortForm>(v: &VerifyCx<'_>, macro_op: S, op: OpId) -> Result<(), Reported> {
    let fail = |why: Misfit| v.fail(op, why.code(), why.to_string());
    let (ty, obligations) = match types_of::<S>(v.ir, op) {
        Ok(found) => found,
        Err(why) => return fail(why),
    };
    check(v, op, &obligations)?;
    macro_op.check(v)?;
    let declared = v.ir.ty(v.ir.result(op, 0));
    if declared == ty {
        Ok(())
    } else {
        fail(Misfit::ty(format!("gives {}, declared {}", v.show(ty), v.show(declared))))
    }
}

/// The macro's patterns in its place
fn write_out<S: ShortForm>(ir: &mut Ir, op: OpId) -> Result<(), Misfit> {
    let cx = ir.cx_arc().clone();
    let specs = ir.def(op).attrs.iter().enumerate();
    let attrs: Vec<(&str, Attr)> =
        specs.filter_map(|(slot, spec)| Some((spec.name, ir.slot_or_default(op, slot)?))).collect();
    let operands: Vec<Value> = ir.operands(op).collect();
    let result = ir.result(op, 0);
    let inside: Vec<OpId> = match ir.regions(op).next().and_then(|region| ir.entry(region)) {
        Some(entry) => ir.block_ops(entry).collect(),
        None => Vec::new(),
    };
    let function = yields_of(ir, op);
    let attr = |name: &str| attrs.iter().find(|(other, _)| *other == name).map(|(_, attr)| *attr);
    let p = Properties { cx: &cx, attr: &attr };
    let mut b = Builder::before(ir, op);
    let mut m = Ops { b: &mut b };
    let new = S::expand(&mut m, &operands, &p, &mut |m, args| {
        let Some((names, yields)) = &function else { return Err(Misfit::ty("has no function")) };
        if names.len() != args.len() {
            return Err(Misfit::ty("the function has other arguments"));
        }
        let mut map = ValueMap::default();
        for (name, arg) in names.iter().zip(args) {
            map.insert(*name, *arg);
            let name = m.b.read().value_name(*name).map(|name| m.b.cx().intern(name));
            if let (Some(name), None) = (name, m.b.read().value_name(*arg)) {
                m.b.ir().set_value_name(*arg, terrace_ir::Name::Str(name));
            }
        }
        for inner in &inside[..inside.len().saturating_sub(1)] {
            let copy = m.b.ir().clone_op(None, *inner, &mut map);
            m.b.place(copy);
        }
        Ok(yields.iter().map(|value| map.get(*value).unwrap_or(*value)).collect())
    })?;
    let name = ir.value_name(result).map(|name| cx.intern(name));
    if let (Some(name), None) = (name, ir.value_name(new)) {
        ir.set_value_name(new, terrace_ir::Name::Str(name));
    }
    ir.replace_all_uses(result, new);
    ir.erase(op);
    Ok(())
}
