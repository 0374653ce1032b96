//! `memref.atomic_rmw` and `generic_atomic_rmw`: the language's own functions where it has them, else loops that compare
//! and exchange.

use crate::Flavor;
use crate::emit::{Done, Emit, Val};
use crate::expr::Expr;
use crate::extrema::Extremum;
use crate::helpers::Helpers;
use crate::memref::{Shape, Space};
use crate::scf::End;
use crate::table::{Check, Lowering, any};
use crate::types::Scalar;
use terrace_dialect_memref as memref;
use terrace_ir::{OpId, Value};
use terrace_lowering_table::{Checked, Refusal, rows};

pub(crate) static OPS: &[Lowering] = rows! { memref:
    AtomicRmw |c, op| can_update(c, memref::AtomicRmw(op).memref(c.ir)), |e, op| e.atomic_rmw(memref::AtomicRmw(op));
    AtomicYield any, |e, op| e.end(op);
    GenericAtomicRmw |c, op| can_update(c, memref::GenericAtomicRmw(op).memref(c.ir)), |e, op| {
        e.generic_atomic_rmw(memref::GenericAtomicRmw(op))
    };
};

/// Devices update 32 and 64 bits at once
fn can_update(c: &Check<'_>, buffer: Value) -> Checked {
    let bits = Shape::of(c.cx(), c.ir.ty(buffer)).map_or(32, |shape| shape.elem.bytes() * 8);
    if c.flavor == Flavor::OpenMp || bits >= 32 {
        return Ok(());
    }
    Err(Refusal::new(format!("there are no atomics of {bits} bits"), "32 and 64 bits are there"))
}

/// Variables of an update, and what comes when it has succeeded
struct Names<'a> {
    old: &'a str,
    next: &'a str,
    done: &'a str,
}

/// An update whose body is being printed
#[derive(Clone, Debug)]
pub(crate) struct Update {
    /// The element, the variable that holds what was there
    place: String,
    old: String,
    ty: Scalar,
    space: Space,
}

impl Helpers {
    /// A pointer to an element for atomic functions of this type
    pub fn cast_pointer(&self, space: Space, ty: &str, place: &str) -> String {
        let volatile = if self.flavor == Flavor::OpenCl { "volatile " } else { "" };
        format!("({volatile}{}{ty} *)&{place}", self.flavor.space(space))
    }

    /// A call of the function that the language has for an update
    pub fn own_function(
        &mut self,
        kind: &str,
        ty: Scalar,
        space: Space,
        place: &str,
        value: &str,
    ) -> Option<String> {
        let integer = matches!(ty, Scalar::Int(_));
        let short = match kind {
            "addi" => "add",
            "andi" => "and",
            "ori" => "or",
            "xori" => "xor",
            "maxs" | "maxu" => "max",
            "mins" | "minu" => "min",
            "assign" => "xchg",
            "addf" => "addf",
            _ => return None,
        };
        let unsigned = matches!(kind, "maxu" | "minu");
        let (c_type, u) = (self.flavor.scalar(ty), self.flavor.unsigned(ty));
        match self.flavor {
            Flavor::OpenMp => {
                let name = match short {
                    "add" | "and" | "or" | "xor" if integer => format!("__atomic_fetch_{short}"),
                    "xchg" if integer => "__atomic_exchange_n".to_string(),
                    _ => return None,
                };
                Some(format!("{name}(&{place}, {value}, __ATOMIC_RELAXED)"))
            }
            Flavor::OpenCl => {
                if !integer {
                    return None;
                }
                let wide = ty.width() == 64;
                if wide {
                    let which = if matches!(short, "add" | "xchg") { "base" } else { "extended" };
                    self.include(match which {
                        "base" => "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable",
                        _ => "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable",
                    });
                }
                let (prefix, ty) = (if wide { "atom" } else { "atomic" }, if unsigned { u } else { c_type });
                Some(format!("{prefix}_{short}({}, {value})", self.cast_pointer(space, ty, place)))
            }
            Flavor::Cuda => {
                let name = match short {
                    "addf" => return Some(format!("atomicAdd(&{place}, {value})")),
                    _ if !integer => return None,
                    "xchg" => "atomicExch".to_string(),
                    _ => format!("atomic{}{}", short[..1].to_uppercase(), &short[1..]),
                };
                let minmax = matches!(short, "max" | "min");
                if ty.width() == 64 && !minmax || unsigned {
                    return Some(format!("{name}(({u} *)&{place}, {value})"));
                }
                Some(format!("{name}(&{place}, {value})"))
            }
        }
    }

    /// How to read an element at once, and how to exchange it if it still is `old`
    fn exchange(&mut self, ty: Scalar, space: Space, place: &str, names: &Names<'_>) -> (String, String) {
        let Names { old, next, done } = *names;
        let (c_type, bits) = (self.flavor.scalar(ty), self.flavor.unsigned(ty));
        let int = Scalar::Int(ty.bytes() * 8);
        match self.flavor {
            Flavor::OpenMp => {
                let function = format!("load_{}", ty.suffix());
                let body = format!(
                    "  {c_type} value;\n  __atomic_load(at, &value, __ATOMIC_RELAXED);\n  return value;"
                );
                let function = self.function(&function, c_type, &format!("{c_type} *"), &["at"], &body);
                let target = place.strip_prefix('*').map_or(format!("&{place}"), String::from);
                let exchange = format!(
                    "if (__atomic_compare_exchange({target}, &{old}, &{next}, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {done}"
                );
                (format!("{function}({target})"), exchange)
            }
            Flavor::OpenCl => {
                let prefix = if ty.width() == 64 { "atom" } else { "atomic" };
                if ty.width() == 64 {
                    self.include("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable");
                }
                let target = match place.strip_prefix('*') {
                    Some(name) => format!("(volatile {}{bits} *){name}", self.flavor.space(space)),
                    None => self.cast_pointer(space, bits, place),
                };
                let back = |text: &str| {
                    if ty.is_float() { format!("as_{c_type}({text})") } else { format!("({c_type}){text}") }
                };
                let to = |text: &str| {
                    if ty.is_float() { format!("as_{bits}({text})") } else { format!("({bits}){text}") }
                };
                let exchange = format!(
                    "{bits} seen = {prefix}_cmpxchg({target}, {}, {});\nif (seen == {}) {done}\n{old} = {};",
                    to(old),
                    to(next),
                    to(old),
                    back("seen")
                );
                (back(&format!("{prefix}_add({target}, 0)")), exchange)
            }
            Flavor::Cuda => {
                let target = match place.strip_prefix('*') {
                    Some(name) => format!("({bits} *){name}"),
                    None => format!("({bits} *)&{place}"),
                };
                let convert = |from: Scalar, to: Scalar, text: &str| match (from, to) {
                    (Scalar::F32, _) => format!("__float_as_uint({text})"),
                    (Scalar::F64, _) => format!("({bits})__double_as_longlong({text})"),
                    (_, Scalar::F32) => format!("__uint_as_float({text})"),
                    (_, Scalar::F64) => format!("__longlong_as_double((long long){text})"),
                    (_, _) => format!("({}){text}", if to == int { bits } else { c_type }),
                };
                let to = |text: &str| {
                    if ty.is_float() { convert(ty, int, text) } else { format!("({bits}){text}") }
                };
                let back = |text: &str| {
                    if ty.is_float() { convert(int, ty, text) } else { format!("({c_type}){text}") }
                };
                let exchange = format!(
                    "{bits} seen = atomicCAS({target}, {}, {});\nif (seen == {}) {done}\n{old} = {};",
                    to(old),
                    to(next),
                    to(old),
                    back("seen")
                );
                let pointer = place.strip_prefix('*').map_or(format!("&{place}"), String::from);
                (format!("*(volatile {c_type} *)({pointer})"), exchange)
            }
        }
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
        let call = match self.helpers.own_function(kind, ty, view.space, &place.text, &value.text) {
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
        let (c_type, u) = (self.flavor.scalar(ty), self.flavor.unsigned(ty));
        let next = match kind {
            "addf" | "mulf" if self.flavor.soft(ty) => {
                let (wide, narrow) = (self.helpers.widening(ty), self.helpers.narrowing(ty));
                format!("{narrow}({wide}(old) {} {wide}(value))", if kind == "addf" { '+' } else { '*' })
            }
            "addf" | "mulf" if self.flavor.widens(ty) => {
                format!("({c_type})((float)old {} (float)value)", if kind == "addf" { '+' } else { '*' })
            }
            "addf" => "old + value".to_string(),
            "mulf" => "old * value".to_string(),
            "addi" | "muli" => {
                let wide = if ty.width() < 32 { self.flavor.unsigned(Scalar::Int(32)) } else { u };
                let sign = if kind == "addi" { '+' } else { '*' };
                format!("({c_type})(({wide})old {sign} ({wide})value)")
            }
            "assign" => "value".to_string(),
            "maxs" => "old > value ? old : value".to_string(),
            "mins" => "old < value ? old : value".to_string(),
            "maxu" => format!("({u})old > ({u})value ? old : value"),
            "minu" => format!("({u})old < ({u})value ? old : value"),
            _ => match Extremum::of_kind(kind) {
                Some(what) => format!("{}(old, value)", self.helpers.extremum(what, ty)),
                None => return self.unknown(op),
            },
        };
        let name = match (self.flavor, space) {
            (Flavor::OpenCl, Space::Workgroup) => format!("atomic_{kind}_{}_local", ty.suffix()),
            _ => format!("atomic_{kind}_{}", ty.suffix()),
        };
        let name = format!("terrace_{name}");
        let qualified = format!("{}{c_type} *at", self.flavor.space(space));
        let volatile = if self.flavor == Flavor::OpenCl { "volatile " } else { "" };
        let names = Names { old: "old", next: "next", done: "return old;" };
        let (first, exchange) = self.helpers.exchange(ty, space, "*at", &names);
        let body = format!(
            "  {c_type} old = {first};\n  for (;;) {{\n    {c_type} next = {next};\n    {}\n  }}",
            exchange.replace('\n', "\n    ")
        );
        let text = format!(
            "{}{c_type} {name}({volatile}{qualified}, {c_type} value) {{\n{body}\n}}",
            self.helpers.linkage()
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
        let c_type = self.flavor.scalar(view.elem);
        let names = Names { old: "", next: "", done: "" };
        let (first, _) = self.helpers.exchange(view.elem, view.space, &place, &names);
        self.text.line(&format!("{c_type} {name} = {first};"));
        let arg: Option<Value> = ir.block_args(block).first().copied();
        for value in arg.into_iter().chain([result]) {
            self.values.set(value, Val::Expr(Expr::atom(&name)));
        }
        self.text.open("for (;;) {");
        self.enter(block, End::Update(Update { place, old: name, ty: view.elem, space: view.space }));
        Ok(())
    }

    /// `memref.atomic_yield`: try to write
    pub(crate) fn update_end(&mut self, op: OpId, update: &Update) -> Done {
        let value = self.values.expr(memref::AtomicYield(op).result(self.ir));
        let c_type = self.flavor.scalar(update.ty);
        let next = self.text.names.fresh("next");
        self.text.line(&format!("{c_type} {next} = {};", value.text));
        let names = Names { old: &update.old, next: &next, done: "break;" };
        let (_, exchange) = self.helpers.exchange(update.ty, update.space, &update.place, &names);
        for line in exchange.lines() {
            self.text.line(line);
        }
        Ok(())
    }
}
