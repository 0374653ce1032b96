//! Printing from a device, and device code that was compiled before.

use super::attrs::Printed;
use super::objects::{ObjectsAttr, SelectObject};
use terrace_diag::Reported;
use terrace_ir::rules::{AnyAttr, StrAttr, SymbolName};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Print numbers from a device, as `printf` of C does
///
/// ```mlir
/// func.func @f(%i: index, %x: f32) {
///   gpu.printf "%d: %f\n", %i, %x : index, f32
///   return
/// }
/// ```
#[op("gpu.printf", interfaces(terrace_interp::Interpret), effects(write))]
#[asm("$format attr-dict (`,` $args^ `:` type($args))?")]
pub struct Printf {
    #[attr]
    format: StrAttr,
    args: Variadic<Printed>,
}

/// Device code that was compiled: objects of which one is chosen
///
/// ```mlir
/// gpu.binary @kernels [#gpu.object<#nvvm.target, bin = "code">]
/// ```
#[op("gpu.binary", traits(Symbol), interfaces(CustomAsm))]
pub struct Binary {
    #[attr]
    sym_name: SymbolName,
    #[attr(name = "offloadingHandler", optional)]
    offloading_handler: AnyAttr,
    #[attr]
    objects: ObjectsAttr,
}

impl CustomAsm for Binary {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        p.own_symbol()?;
        // The first object is selected by default.
        let handler = if p.punct_opt("<") {
            let handler = p.attr()?;
            p.punct(">")?;
            handler
        } else {
            SelectObject::get(p.cx(), p.cx().common().unit)
        };
        p.set_attr("offloadingHandler", handler);
        p.attr_dict()?;
        let objects = p.attr()?;
        p.set_attr("objects", objects);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        if let Some(name) = self.sym_name(ir).as_str_id(ir.cx()) {
            p.symbol(name);
        }
        p.text(" ");
        let first = SelectObject::get(ir.cx(), ir.cx().common().unit);
        if let Some(handler) = self.offloading_handler(ir).filter(|handler| *handler != first) {
            p.text("<");
            p.attr(handler);
            p.text(">");
        }
        p.attr_dict(&["sym_name", "offloadingHandler", "objects"]);
        p.text(" ");
        p.attr(self.objects(ir));
    }
}
