//! Between arrays and builtin tensors of fixed shape: the same values, seen by another type.
//!
//! Tensors have no symbolic sizes and no tuples: what has those has no tensor. Sizes bound by `array-bind` have.

use crate::codes;
use crate::interp::{list, make};
use crate::misfit::Misfit;
use crate::syntax::{print_value, refuse, value};
use crate::types::{AnyArray, array_of, flatten};
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes as traps};
use terrace_ir::rules::{AnyRankedTensor, AnyType};
use terrace_ir::show::type_text;
use terrace_ir::{Context, OpId, Type, TypeKind, Verify, VerifyCx};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// A tensor of fixed shape as an array of arrays
///
/// ```mlir
/// func.func @f(%x: tensor<4x3xf32>) -> !array.of<4 x 3 x f32> {
///   %y = array.from_tensor %x
///   return %y : !array.of<4 x 3 x f32>
/// }
/// ```
#[op("array.from_tensor", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct FromTensor {
    x: AnyRankedTensor,
    #[result]
    result: AnyType,
}

/// An array of arrays whose sizes are numbers as a tensor
///
/// ```mlir
/// func.func @f(%x: !array.of<4 x 3 x f32>) -> tensor<4x3xf32> {
///   %y = array.to_tensor %x
///   return %y : tensor<4x3xf32>
/// }
/// ```
#[op("array.to_tensor", traits(Pure), interfaces(CustomAsm, Interpret), hooks(verify))]
pub struct ToTensor {
    x: AnyArray,
    #[result]
    result: AnyType,
}

/// Array of a tensor's type
fn array_of_tensor(cx: &Context, ty: Type) -> Result<Type, Misfit> {
    let refused =
        || Misfit::ty(format!("needs a tensor of fixed shape with a dimension, not {}", type_text(cx, ty)));
    let TypeKind::Tensor { shape, elem, encoding: None } = ty.kind(cx) else { return Err(refused()) };
    if shape.is_empty() || shape.iter().any(|size| *size < 0) {
        return Err(refused());
    }
    Ok(shape.iter().rev().fold(*elem, |elem, size| array_of(cx, &Nat::from(*size), elem)))
}

/// Tensor of an array's type
fn tensor_of_array(cx: &Context, ty: Type) -> Result<Type, Misfit> {
    let (sizes, elem) = flatten(cx, ty);
    let mut shape = Vec::new();
    for size in &sizes {
        let Some(size) = size.as_constant() else {
            return Err(Misfit::size(format!(
                "{size} is no number; bind the symbols first, with `array-bind`"
            )));
        };
        shape.push(size);
    }
    match elem.kind(cx) {
        _ if shape.is_empty() => Err(Misfit::ty(format!("needs an array, not {}", type_text(cx, ty)))),
        TypeKind::Int { .. } | TypeKind::Index | TypeKind::Float(_) => Ok(cx.tensor(&shape, elem)),
        _ => Err(Misfit::ty(format!("elements of tensors are numbers, not {}", type_text(cx, elem)))),
    }
}

type Typing = fn(&Context, Type) -> Result<Type, Misfit>;

fn parse(p: &mut OpParser<'_, '_>, typing: Typing) -> Result<(), Reported> {
    let (x, ty) = value(p)?;
    p.attr_dict()?;
    let result = typing(p.cx(), ty).map_err(|why| refuse(p, &x, &why))?;
    p.resolve(&x, ty)?;
    p.add_result(result);
    Ok(())
}

fn print(p: &mut OpPrinter<'_>) {
    let x = p.ir().operand(p.op(), 0);
    p.text(" ");
    print_value(p, x);
    p.attr_dict(&[]);
}

fn verify(v: &VerifyCx<'_>, op: OpId, typing: Typing) -> Result<(), Reported> {
    let declared = v.ir.ty(v.ir.result(op, 0));
    match typing(v.ir.cx(), v.ir.ty(v.ir.operand(op, 0))) {
        Ok(ty) if ty == declared => Ok(()),
        Ok(ty) => {
            v.fail(op, &codes::TYPE, format!("TYPE: gives {}, declared {}", v.show(ty), v.show(declared)))
        }
        Err(why) => v.fail(op, why.code(), why.to_string()),
    }
}

macro_rules! both {
    ($($name:ident $typing:ident $run:ident)*) => {$(
        impl CustomAsm for $name {
            fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
                parse(p, $typing)
            }

            fn print(self, p: &mut OpPrinter<'_>) {
                print(p);
            }
        }

        impl Verify for $name {
            fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
                verify(v, self.0, $typing)
            }
        }

        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                $run(m, self.x(m.ir())).map(|value| {
                    m.set_result(0, value);
                    Step::Next
                }).into()
            }
        }
    )*};
}
both!(FromTensor array_of_tensor nested ToTensor tensor_of_array flat);

/// A tensor's elements, row by row, as arrays of arrays
fn nested(m: &mut Machine<'_>, x: terrace_ir::Value) -> Result<RtValue, Trap> {
    let shape = m.ir().ty(x).shape(m.cx()).unwrap_or(&[]).to_vec();
    let mut level = list(&m.value(x))?.to_vec();
    for size in shape.iter().skip(1).rev() {
        let size = usize::try_from(*size).unwrap_or(0);
        if size == 0 {
            // Nothing is in them, but there are some.
            let outer = usize::try_from(shape[0]).unwrap_or(0);
            return Ok(make(vec![make(Vec::new()); outer]));
        }
        level = level.chunks(size).map(|chunk| make(chunk.to_vec())).collect();
    }
    Ok(make(level))
}

/// The other way
fn flat(m: &mut Machine<'_>, x: terrace_ir::Value) -> Result<RtValue, Trap> {
    let (sizes, _) = flatten(m.cx(), m.ir().ty(x));
    let mut level = list(&m.value(x))?.to_vec();
    for _ in 1..sizes.len() {
        let mut next = Vec::new();
        for part in &level {
            next.extend(list(part)?.iter().cloned());
        }
        level = next;
    }
    let count = m.ir().result(m.op(), 0);
    if i64::try_from(level.len()).ok() != m.ir().ty(count).num_elements(m.cx()) {
        return Err(Trap::new(&traps::INVALID, "an array of another size than its type says"));
    }
    Ok(make(level))
}
