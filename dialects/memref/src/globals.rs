//! Buffers that the module owns: `global get_global`.

use super::rules::{AlignmentAttr, MemRefTypeAttr, StaticMemRef};
use terrace_diag::Reported;
use terrace_ir::rules::{AnyAttr, FlatSymbolRef, StrAttr, SymbolName, UnitAttr};
use terrace_ir::{AttrKind, DYNAMIC, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// A buffer of the module, with or without initial contents; without any it is declared only
///
/// ```mlir
/// memref.global "private" constant @weights : memref<2xf32> = dense<[0.5, 1.5]>
/// memref.global "private" @scratch : memref<4xi32> = uninitialized
/// memref.global "private" @elsewhere : memref<4xi32>
/// ```
#[op(
    "memref.global",
    traits(Symbol),
    effects(none),
    interfaces(CustomAsm, terrace_interp::PlaceGlobal),
    hooks(verify)
)]
pub struct Global {
    #[attr]
    sym_name: SymbolName,
    #[attr(optional)]
    sym_visibility: StrAttr,
    #[attr(name = "type")]
    ty: MemRefTypeAttr,
    #[attr(optional)]
    initial_value: AnyAttr,
    #[attr(optional)]
    constant: UnitAttr,
    #[attr(optional)]
    alignment: AlignmentAttr,
}

/// The buffer that a `global` names
///
/// ```mlir
/// memref.global "private" @table : memref<2xf32> = dense<1.0>
/// func.func @f() -> memref<2xf32> {
///   %t = memref.get_global @table : memref<2xf32>
///   return %t : memref<2xf32>
/// }
/// ```
#[op("memref.get_global", traits(Pure), interfaces(terrace_interp::Interpret), hooks(verify))]
#[asm("$name `:` type($result) attr-dict")]
pub struct GetGlobal {
    #[attr]
    name: FlatSymbolRef,
    #[result]
    result: StaticMemRef,
}

impl CustomAsm for Global {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        if p.at_punct("\"") {
            let visibility = p.string()?;
            let visibility = p.cx().str_attr(&visibility);
            p.set_attr("sym_visibility", visibility);
        }
        if p.keyword_opt("constant") {
            let unit = p.cx().common().unit;
            p.set_attr("constant", unit);
        }
        p.own_symbol()?;
        let ty = p.colon_type()?;
        let cx = p.cx();
        let TypeKind::MemRef { shape, elem, .. } = ty.kind(cx) else {
            return Err(p.error("type should be static shaped memref"));
        };
        if shape.contains(&DYNAMIC) {
            return Err(p.error("type should be static shaped memref"));
        }
        p.set_attr("type", cx.type_attr(ty));
        if p.punct_opt("=") {
            let value = if p.keyword_opt("uninitialized") {
                cx.common().unit
            } else {
                p.attr_of(cx.tensor(shape, *elem))?
            };
            p.set_attr("initial_value", value);
        }
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        if let Some(visibility) = self.sym_visibility(ir).and_then(|attr| attr.as_str(ir.cx())) {
            p.string(visibility);
            p.text(" ");
        }
        p.text(if self.constant(ir).is_some() { "constant " } else { "" });
        if let Some(name) = self.sym_name(ir).as_str_id(ir.cx()) {
            p.symbol(name);
        }
        p.text(" : ");
        if let Some(ty) = self.ty(ir).as_type(ir.cx()) {
            p.ty(ty);
        }
        match self.initial_value(ir) {
            None => {}
            Some(value) if value == ir.cx().common().unit => p.text(" = uninitialized"),
            Some(value) => {
                p.text(" = ");
                p.attr_value(value);
            }
        }
        p.attr_dict(&["sym_name", "sym_visibility", "type", "initial_value", "constant"]);
    }
}

impl Verify for Global {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let ty = self.ty(ir).as_type(cx);
        let Some((ty, TypeKind::MemRef { shape, elem, .. })) = ty.map(|ty| (ty, ty.kind(cx))) else {
            return Ok(());
        };
        if shape.contains(&DYNAMIC) {
            let message = format!("type should be static shaped memref, but got '{}'", v.show(ty));
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        let Some(value) = self.initial_value(ir).filter(|value| *value != cx.common().unit) else {
            return Ok(());
        };
        let dense = matches!(
            value.kind(cx),
            AttrKind::Dense { .. } | AttrKind::Sparse { .. } | AttrKind::Resource { .. }
        );
        let Some(given) = value.ty(cx).filter(|_| dense) else {
            let message = "initial value should be a unit or elements attribute, but got something else";
            return v.fail(self.0, &codes::OP_RULE, message);
        };
        if given.element(cx) != Some(*elem) {
            let found = given.element(cx).map_or(String::new(), |elem| v.show(elem));
            let message =
                format!("initial value element expected to be '{}', but got '{found}'", v.show(*elem));
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        if given.shape(cx) != Some(shape) {
            let list = |shape: &[i64]| shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            let found = list(given.shape(cx).unwrap_or(&[]));
            let message = format!("initial value shape expected to be {} but was {found}", list(shape));
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}

impl Verify for GetGlobal {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let name = self.name(ir).as_symbol(cx).map_or("", |(name, _)| cx.str(name));
        let found = v.lookup(self.name(ir));
        let Some(global) = found.filter(|symbol| cx.kind_of(Global::DEF) == Some(symbol.kind)) else {
            let message = format!("'{name}' does not reference a valid global memref");
            return v.fail(self.0, &codes::OP_RULE, message);
        };
        let ty = ir.ty(self.result(ir));
        match global.ty.and_then(|ty| ty.as_type(cx)) {
            Some(defined) if defined != ty => {
                let message = format!(
                    "result type '{}' does not match type '{}' of the global memref @{name}",
                    v.show(ty),
                    v.show(defined)
                );
                v.fail(self.0, &codes::OP_RULE, message)
            }
            _ => Ok(()),
        }
    }
}
