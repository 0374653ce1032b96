//! `memref.atomic_rmw` and `generic_atomic_rmw`: the language's own functions where it has them, else loops that compare
//! and exchange.

use crate::buffer::{Shape, Space};
use crate::emit::{Emit, Lowering, any};
use crate::expr::Expr;
use crate::extrema::Extremum;
use crate::frame::{AtomicBody, End};
use crate::helpers::Helpers;
use crate::language::{AtomicElement, AtomicExchange, AtomicUpdate, Lang};
use crate::refusal::Done;
use crate::types::Scalar;
use crate::updates::Target;
use crate::values::Val;
use terrace_devices::{Support, Updated};
use terrace_dialect_memref::{self as memref, AtomicRmwKind};
use terrace_ir::{Ir, OpId, Value};
use terrace_lowering_table::{Refusal, rows};

pub(crate) static OPS: &[Lowering] = rows! { memref:
    AtomicRmw |c, op| {
        let update = memref::AtomicRmw(op);
        support(c.ir, c.lang, update.memref(c.ir), Some(update.kind(c.ir))).map(|_| ())
    }, |e, op| e.atomic_rmw(memref::AtomicRmw(op));
    AtomicYield any, |e, op| e.end(op);
    GenericAtomicRmw |c, op| {
        support(c.ir, c.lang, memref::GenericAtomicRmw(op).memref(c.ir), None).map(|_| ())
    }, |e, op| e.generic_atomic_rmw(memref::GenericAtomicRmw(op));
};

/// How elements of a buffer are updated on the language's device
fn support(ir: &Ir, lang: Lang, buffer: Value, kind: Option<AtomicRmwKind>) -> Result<Support, Refusal> {
    let shape = Shape::of(ir.cx(), ir.ty(buffer));
    let (elem, space) = shape.map_or((Scalar::Int(32), None), |shape| (shape.elem, shape.space));
    let memory = match (lang.is_host(), space) {
        (true, _) => Updated::Main,
        (false, Some(Space::Workgroup)) => Updated::Shared,
        (false, _) => Updated::Device,
    };
    Target { device: lang.device(), memory }.update(kind, elem.suffix(), elem.bytes() * 8)
}

impl Helpers {
    /// A call of the function that the language has for an update
    fn own_function(
        &mut self,
        kind: &str,
        ty: Scalar,
        space: Space,
        place: &str,
        value: &str,
    ) -> Option<String> {
        let call = self.lang.atomic_call(AtomicUpdate::of_kind(kind)?, ty, space, place, value)?;
        if let Some(line) = call.needs {
            self.include(line);
        }
        Some(call.text)
    }

    /// How to read an element at once, and how to exchange it if it still is the old one
    fn exchange(&mut self, element: &AtomicElement<'_>) -> (String, String) {
        let AtomicExchange { mut read, reader, lines, needs } = self.lang.atomic_exchange(element);
        if let Some(line) = needs {
            self.include(line);
        }
        if let Some((name, param, body)) = reader {
            let c_type = self.lang.scalar(element.ty);
            read = self.function(&name, c_type, &param, &["at"], &body) + &read;
        }
        (read, lines)
    }
}

impl Emit<'_> {
    fn atomic_rmw(&mut self, update: memref::AtomicRmw) -> Done {
        let (ir, op, result) = (self.ir, update.id(), update.result(self.ir));
        let view = self.values.view(update.memref(ir))?;
        let kind = update.kind(ir).word();
        let value = self.values.expr(update.value(ir));
        let indices: Vec<Expr> =
            update.indices(ir).into_iter().map(|index| self.values.expr(index)).collect();
        self.flush();
        let place = self.element(&view, &indices);
        let ty = view.elem;
        let native = support(ir, self.lang, update.memref(ir), Some(update.kind(ir))) == Ok(Support::Native);
        let own =
            |helpers: &mut Helpers| helpers.own_function(kind, ty, view.space, &place.text, &value.text);
        let call = match native.then(|| own(self.helpers)).flatten() {
            Some(call) => call,
            None => {
                let function = self.loop_function(op, kind, ty, view.space)?;
                Expr::call(&function, &[&Expr::atom(format!("&{}", place.text)), &value]).text
            }
        };
        if ir.is_used(result) {
            self.bind_now(result, Expr::atom(call));
        } else {
            self.text.line(&format!("{call};"));
        }
        Ok(())
    }

    /// A function that updates in a loop; its name
    fn loop_function(&mut self, op: OpId, kind: &str, ty: Scalar, space: Space) -> Done<String> {
        let (c_type, u) = (self.lang.scalar(ty), self.lang.unsigned(ty));
        let next = match kind {
            "addf" | "mulf" if self.lang.soft(ty) => {
                let (wide, narrow) = (self.helpers.widening(ty), self.helpers.narrowing(ty));
                format!("{narrow}({wide}(old) {} {wide}(value))", if kind == "addf" { '+' } else { '*' })
            }
            "addf" | "mulf" if self.lang.widens(ty) => {
                format!("({c_type})((float)old {} (float)value)", if kind == "addf" { '+' } else { '*' })
            }
            "addf" => "old + value".to_string(),
            "mulf" => "old * value".to_string(),
            "addi" | "muli" => {
                let wide = if ty.width() < 32 { self.lang.unsigned(Scalar::Int(32)) } else { u };
                let sign = if kind == "addi" { '+' } else { '*' };
                format!("({c_type})(({wide})old {sign} ({wide})value)")
            }
            "assign" => "value".to_string(),
            "andi" => format!("({c_type})(old & value)"),
            "ori" => format!("({c_type})(old | value)"),
            "xori" => format!("({c_type})(old ^ value)"),
            "maxs" => "old > value ? old : value".to_string(),
            "mins" => "old < value ? old : value".to_string(),
            "maxu" => format!("({u})old > ({u})value ? old : value"),
            "minu" => format!("({u})old < ({u})value ? old : value"),
            _ => match Extremum::of_kind(kind) {
                Some(what) => format!("{}(old, value)", self.helpers.extremum(what, ty)),
                None => return self.unknown(op),
            },
        };
        let memory = if space == Space::Workgroup { self.lang.space_suffix(space) } else { "" };
        let name = format!("terrace_atomic_{kind}_{}{memory}", ty.suffix());
        let qualified = format!("{}{c_type} *at", self.lang.space(space));
        let volatile = self.lang.volatile();
        let element =
            AtomicElement { ty, space, place: "*at", old: "old", next: "next", done: "return old;" };
        let (first, exchange) = self.helpers.exchange(&element);
        let body = format!(
            "  {c_type} old = {first};\n  for (;;) {{\n    {c_type} next = {next};\n    {}\n  }}",
            exchange.replace('\n', "\n    ")
        );
        let text = format!(
            "{}{c_type} {name}({volatile}{qualified}, {c_type} value) {{\n{body}\n}}",
            self.lang.linkage()
        );
        self.helpers.declare(&name, text);
        Ok(name)
    }

    fn generic_atomic_rmw(&mut self, update: memref::GenericAtomicRmw) -> Done {
        let (ir, result) = (self.ir, update.result(self.ir));
        let view = self.values.view(update.memref(ir))?;
        let block = self.only_block(update.id(), update.atomic_body(ir))?;
        let indices: Vec<Expr> = update.indices(ir).into_iter().map(|index| self.leaf(index)).collect();
        self.flush();
        let place = self.element(&view, &indices).text;
        let name = self.name(result);
        let c_type = self.lang.scalar(view.elem);
        let (ty, space) = (view.elem, view.space);
        let element = AtomicElement { ty, space, place: &place, old: "", next: "", done: "" };
        let (first, _) = self.helpers.exchange(&element);
        self.text.line(&format!("{c_type} {name} = {first};"));
        let arg: Option<Value> = ir.block_args(block).first().copied();
        for value in arg.into_iter().chain([result]) {
            self.values.set(value, Val::Expr(Expr::atom(&name)));
        }
        self.text.open("for (;;) {");
        self.enter(block, End::Update(AtomicBody { place, old: name, ty: view.elem, space: view.space }));
        Ok(())
    }

    /// `memref.atomic_yield`: try to write
    pub(crate) fn update_end(&mut self, op: OpId, update: &AtomicBody) -> Done {
        let value = self.values.expr(memref::AtomicYield(op).result(self.ir));
        let c_type = self.lang.scalar(update.ty);
        let next = self.text.names.fresh("next");
        self.text.line(&format!("{c_type} {next} = {};", value.text));
        let AtomicBody { place, old, ty, space } = update;
        let element = AtomicElement { ty: *ty, space: *space, place, old, next: &next, done: "break;" };
        let (_, exchange) = self.helpers.exchange(&element);
        for line in exchange.lines() {
            self.text.line(line);
        }
        Ok(())
    }
}
