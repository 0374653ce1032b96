//! `--emit=memory`: the buffers of each function, and their sum (LIFT, CC 2022, §5.1.1, and GPGPU 2020, §2.4).
//!
//! A function on arrays has its macros written out, is given places and lowered for it, on a copy; what stands in the file stays as it is.

use std::fmt::Write;
use terrace_diag::Diagnostic;
use terrace_dialect_func::Func;
use terrace_ir::Ir;
use terrace_ir::expand::expand_unit;
use terrace_ir::symbols::Symbols;
use terrace_lowering_array::memory::{Buffer, BufferUse, Memory, list};
use terrace_lowering_array::unfold::unfolded;

/// The report of all functions with a body
pub(crate) fn report(ir: &Ir) -> Result<String, Vec<Diagnostic>> {
    let symbols = Symbols::read(ir);
    let (mut text, mut errors) = (String::new(), Vec::new());
    for function in ir.walk().filter_map(|op| ir.child(op)) {
        let has_body =
            function.is(function.root(), Func::DEF) && function.walk_below(function.root()).next().is_some();
        if !has_body {
            continue;
        }
        let scope = symbols.child_scope(symbols.root(), function);
        // Macros stand for patterns; a size that keeps one from being written out is reported by the lowering.
        let mut written = function.clone_unit();
        let _ = expand_unit(&mut written);
        match list(&written, &symbols, scope) {
            Ok(buffers) => one(&written, &buffers, &mut text),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(text) } else { Err(errors) }
}

/// 12845056 as 12,845,056
fn grouped(bytes: u64) -> String {
    let digits = bytes.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn one(function: &Ir, buffers: &[Buffer], text: &mut String) {
    let cx = function.cx();
    let name = function.attr(function.root(), "sym_name").and_then(|name| name.as_str(cx)).unwrap_or("?");
    let _ = writeln!(text, "func @{name}");
    let mut rows: Vec<[String; 4]> = Vec::new();
    for (n, Buffer { name, kind, ty, bytes, .. }) in buffers.iter().enumerate() {
        let name = if name.is_empty() { format!("#{n}") } else { format!("%{name}") };
        rows.push([name, kind.name().into(), terrace_ir::show::type_text(cx, *ty), grouped(*bytes)]);
    }
    let memory = Memory::of(buffers);
    let sums = [
        ("all in main or device memory", memory.total()),
        ("of these, arguments and results", memory.least()),
        ("of a block, in the kernel that asks for most", memory.local),
        ("of a thread, in the kernel that asks for most", memory.private),
    ];
    let asked = |kind| buffers.iter().any(|buffer| buffer.kind == kind);
    let shown = [true, true, asked(BufferUse::Local), asked(BufferUse::Private)];
    let width = |n: usize| rows.iter().map(|row| row[n].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3).max(grouped(memory.total()).len())];
    for [name, kind, ty, bytes] in &rows {
        let _ = writeln!(
            text,
            "  {name:<a$}  {kind:<b$}  {ty:<c$}  {bytes:>d$}",
            a = widths[0],
            b = widths[1],
            c = widths[2],
            d = widths[3]
        );
    }
    let left = widths[0] + widths[1] + widths[2] + 4;
    for ((words, bytes), _) in sums.into_iter().zip(shown).filter(|(_, shown)| *shown) {
        let _ = writeln!(text, "  {words:<left$}  {bytes:>d$}", bytes = grouped(bytes), d = widths[3]);
    }
    if let Some(found) = unfolded(function) {
        let named =
            |value| function.value_name(value).map_or("a value".to_string(), |name| format!("%{name}"));
        let _ = writeln!(
            text,
            "  windows of {} written out (im2col) would hold {}, {:.1} times as much",
            named(found.source),
            grouped(found.bytes),
            found.bytes as f64 / found.of as f64
        );
    }
}
