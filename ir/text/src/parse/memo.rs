//! Formats of ops that have a few values, one in each field, in order, and the types that were found for them.

use terrace_ir::asm::Asm;
use terrace_ir::{Arity, OpDef, Type, TypeRel};

/// Most operands
pub(super) const OPERANDS: usize = 3;
/// Most types in the text
pub(super) const GIVEN: usize = 2;

/// Types of the op of a kind that was read last
#[derive(Clone, Copy)]
pub(super) struct Memo {
    pub given: [Option<Type>; GIVEN],
    pub operands: [Option<Type>; OPERANDS],
    pub result: Option<Type>,
}

/// Can ops of this kind be read the short way?
pub(super) fn is_plain(def: &OpDef) -> bool {
    let one = |arity: Arity| arity == Arity::One;
    let fields = def.operands.len() <= OPERANDS
        && def.results.len() <= 1
        && def.operands.iter().all(|spec| one(spec.arity))
        && def.results.iter().all(|spec| one(spec.arity));
    let by_types = def.infer.is_none()
        && !def.relations.iter().any(|relation| matches!(relation, TypeRel::TypeOfAttr { .. }));
    let (mut operands, mut types) = (0, 0);
    let in_order = def.asm.iter().all(|piece| match piece {
        Asm::Operand(n) => {
            operands += 1;
            usize::from(*n) + 1 == operands
        }
        Asm::OperandType(_) | Asm::ResultType(_) => {
            types += 1;
            types <= GIVEN
        }
        piece => has_no_values(piece),
    });
    fields && by_types && in_order && operands == def.operands.len()
}

fn has_no_values(piece: &Asm) -> bool {
    match piece {
        Asm::Space(_) | Asm::Lit(_) | Asm::Attr(_) | Asm::AttrDict | Asm::AttrDictWithKeyword => true,
        Asm::Optional { then, otherwise, .. } => then.iter().chain(*otherwise).all(has_no_values),
        _ => false,
    }
}
