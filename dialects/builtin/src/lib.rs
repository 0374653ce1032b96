//! `builtin`: modules, and casts that stand for themselves; what all dialects need: conversion of types, attributes that passes
//! leave on ops.

pub mod conversion;
pub mod marks;

use terrace_diag::Reported;
use terrace_ir::rules::{AnyType, StrAttr, SymbolName};
use terrace_ir::{Fold, FoldCx, FoldResult, Folded, Verify, VerifyCx, codes};
use terrace_macros::{dialect, op};
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// A list of functions and other symbols
///
/// ```mlir
/// module @m {
///   func.func private @f()
/// }
/// ```
#[op(
    "builtin.module",
    traits(
        Unit,
        SymbolTable,
        Symbol,
        IsolatedFromAbove,
        NoTerminator,
        SingleBlock,
        GraphRegion,
        RecursiveEffects,
        AffineScope
    ),
    interfaces(CustomAsm)
)]
pub struct Module {
    #[attr(optional)]
    sym_name: SymbolName,
    #[attr(optional)]
    sym_visibility: StrAttr,
    #[region(single_block)]
    body: Region,
}

impl CustomAsm for Module {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        if p.at_punct("@") {
            p.own_symbol()?;
        }
        p.attr_dict_with_keyword()?;
        p.region(&[])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        if let Some(name) = self.sym_name(ir).and_then(|name| name.as_str_id(ir.cx())) {
            p.text(" ");
            p.symbol(name);
        }
        p.attr_dict_with_keyword(&["sym_name"]);
        p.text(" ");
        p.region(self.body(ir), false, true);
    }
}

/// Values of one kind as values of another, for a conversion in progress
///
/// ```mlir
/// func.func @f(%a: i32) -> i64 {
///   %b = builtin.unrealized_conversion_cast %a : i32 to i64
///   return %b : i64
/// }
/// ```
#[op("builtin.unrealized_conversion_cast", traits(Pure), hooks(fold, verify))]
#[asm("($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict")]
pub struct UnrealizedConversionCast {
    inputs: Variadic<AnyType>,
    #[result]
    outputs: Variadic<AnyType>,
}

impl Verify for UnrealizedConversionCast {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        if v.ir.num_results(self.0) > 0 {
            return Ok(());
        }
        v.fail(self.0, &codes::OP_RULE, "expected at least one result for cast operation")
    }
}

impl Fold for UnrealizedConversionCast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ir = cx.ir;
        let same =
            ir.operands(cx.op).map(|value| ir.ty(value)).eq(ir.results(cx.op).map(|value| ir.ty(value)));
        if same {
            return Folded::Many(ir.operands(cx.op).map(FoldResult::Value).collect());
        }
        // cast(cast(x)) back to the types it came from
        let Some(inner) = ir.operands(cx.op).next().and_then(|value| ir.defining_op(value)) else {
            return Folded::No;
        };
        let undone = ir.is(inner, Self::DEF)
            && ir.operands(cx.op).eq(ir.results(inner))
            && ir.operands(inner).map(|value| ir.ty(value)).eq(ir.results(cx.op).map(|value| ir.ty(value)));
        if undone { Folded::Many(ir.operands(inner).map(FoldResult::Value).collect()) } else { Folded::No }
    }
}

dialect! {
    /// Modules and what belongs to no other dialect
    pub BUILTIN = "builtin" { ops: [Module, UnrealizedConversionCast] }
}
