//! Code for FPGAs as Calyx, which its compiler turns into SystemVerilog: integers, with every cycle known.
//!
//! Input is the program that `lowering/hls` leaves: stages as functions, arrays in banks, loops that are pipelined or copies of hardware. No pass of
//! Calyx's pipelines loops, so this crate gives each op of a nest its cycle ([`time`]) and builds the registers between. Nests are static
//! groups. Stages of rounds run in `par`, on arrays in two copies.
//!
//! The component `main` has a port of main memory for each argument and pipeline (see [`Port`]), of one access in a cycle. `computing`, `reading`,
//! `writing` and `passing` are set in cycles in which a nest touches arrays alone, reads main memory, writes it, or both.
//!
//! **Invariant:** values are those of the interpreter. What has no hardware is refused by name.

mod access;
mod alias;
mod arrays;
mod build;
pub mod codes;
mod compute;
mod control;
mod emit;
mod graph;
mod loops;
mod memory;
mod netlist;
mod order;
mod outer;
mod pipelines;
mod program;
mod rounds;
mod time;
mod values;

use build::{number_bits, refuse};
use control::Control;
use memory::Memory;
use netlist::Wire;
use outer::Outer;
use program::{Place, Program};
use std::fmt::Write;
use terrace_diag::Diagnostic;
use terrace_ir::Ir;

/// A port of main memory: `NAME_addr` and `NAME_en` leave the component, `NAME_write` and `NAME_in` where it writes; where it reads, `NAME_out` has the
/// element a cycle later
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Begin of the names
    pub name: String,
    /// Which argument of the function it is
    pub argument: usize,
    /// Bits of an element
    pub width: u32,
    /// Bits of a position
    pub place: u32,
    /// Are elements written?
    pub writes: bool,
}

/// A number that is an argument: an input of the component
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// Its name
    pub name: String,
    /// Which argument of the function it is
    pub argument: usize,
    /// Its bits
    pub width: u32,
}

/// The text, and how it is connected
#[derive(Clone, Debug)]
pub struct Printed {
    /// Calyx
    pub text: String,
    /// Ports of main memory
    pub ports: Vec<Port>,
    /// Inputs that are numbers
    pub numbers: Vec<Number>,
}

/// Kinds of cycles that are counted, by the names of their outputs
pub const PROBES: [&str; 4] = ["computing", "reading", "writing", "passing"];

/// Elements of an argument at most
const MAIN: i64 = 1 << 32;

/// What Calyx's library lacks
const OWN: [(&str, &str); 3] = [
    ("terrace_memory", include_str!("memory.futil")),
    (
        "terrace_quotient",
        "comb primitive terrace_quotient[WIDTH, BY](left: WIDTH) -> (out: WIDTH) {\n  assign out = left / BY;\n};\n",
    ),
    (
        "terrace_remainder",
        "comb primitive terrace_remainder[WIDTH, BY](left: WIDTH) -> (out: WIDTH) {\n  assign out = left % BY;\n};\n",
    ),
];

/// The component of a function of a table
pub fn print(table: &Ir, function: &Ir) -> Result<Printed, Diagnostic> {
    let mut program = Program::new(table);
    let mut place = Place::new(function);
    let numbers = arguments(function, &mut place)?;
    let body = function.regions(function.root()).next().and_then(|region| function.single_block(region));
    let Some(body) = body else {
        return Err(refuse(function, function.root(), "is no function of one block", "loops are `scf.for`"));
    };
    let control = program.block(&mut place, body)?;
    if program.net.groups.is_empty() {
        let help = "hardware has a loop or an access of memory at least";
        return Err(refuse(function, function.root(), "does nothing", help));
    }
    for probe in PROBES {
        let counts = program.net.groups.iter().any(|group| group.contains(&format!(" {probe}.in = ")));
        let bit = if counts { format!("{probe}.out") } else { "1'd0".into() };
        program.net.cells.extend(counts.then(|| format!("{probe} = std_wire(1);")));
        program.net.drive(&format!("is_{probe}"), "", &bit);
    }
    let drives = |memory: &Memory, field: &str| {
        let port = format!("{} = ", memory.port((0, 0), 0, field));
        program.net.wires.iter().any(|wire| wire.starts_with(&port))
    };
    let port = |memory: &Memory| {
        let argument = memory.argument.filter(|_| drives(memory, "en"))?;
        let (name, width, place) = (memory.name.clone(), memory.width, memory.place());
        Some(Port { name, argument, width, place, writes: drives(memory, "write") })
    };
    let ports: Vec<Port> = program.memories.iter().filter_map(port).collect();
    Ok(Printed { text: text(&program, &control, &ports, &numbers), ports, numbers })
}

/// Arguments: memories of fixed size, and numbers
fn arguments(function: &Ir, place: &mut Place<'_>) -> Result<Vec<Number>, Diagnostic> {
    let (cx, root) = (function.cx(), function.root());
    let entry = function.regions(root).next().and_then(|region| function.entry(region));
    let args = entry.map_or(&[][..], |entry| function.block_args(entry));
    let mut numbers = Vec::new();
    let results = function.attr(root, "function_type").and_then(|attr| attr.as_type(cx));
    if results.and_then(|ty| ty.as_function(cx)).is_some_and(|(_, results)| !results.is_empty()) {
        return Err(refuse(function, root, "gives a value", "results of hardware are in memory"));
    }
    for (argument, value) in args.iter().enumerate() {
        let ty = function.ty(*value);
        if ty.is_index(cx) {
            let (name, width) = (format!("n{argument}"), 64);
            place.env.insert(*value, Outer::Value(Wire::new(name.clone(), width)));
            numbers.push(Number { name, argument, width });
            continue;
        }
        let width = number_bits(function, root, ty.scalar(cx))?;
        match ty.shape(cx) {
            None => {
                let name = format!("n{argument}");
                place.env.insert(*value, Outer::Value(Wire::new(name.clone(), width)));
                numbers.push(Number { name, argument, width });
            }
            Some(_) => {
                let Some(sizes) = arrays::shape(cx, ty) else {
                    let text = terrace_ir::show::type_text(cx, ty);
                    let why = format!("takes {text}, which is no memory in row-major layout");
                    return Err(refuse(function, root, &why, "arrays are memrefs without a layout"));
                };
                if memory::elements(sizes, MAIN).is_none() {
                    let help =
                        "sizes of hardware are fixed: give them with `--set`; memory has up to 2^32 elements";
                    return Err(refuse(function, root, "takes memory whose size is no number", help));
                }
                place.arguments.insert(*value, argument);
            }
        }
    }
    Ok(numbers)
}

fn text(program: &Program<'_>, control: &Control, ports: &[Port], numbers: &[Number]) -> String {
    let net = &program.net;
    let mut out = String::new();
    for library in ["core", "binary_operators", "pipelined"] {
        let _ = writeln!(out, "import \"primitives/{library}.futil\";");
    }
    for (_, own) in OWN.iter().filter(|(name, _)| net.own.contains(name)) {
        let _ = write!(out, "\n{own}");
    }
    let mut inputs: Vec<String> =
        numbers.iter().map(|number| format!("{}: {}", number.name, number.width)).collect();
    let mut outputs: Vec<String> = PROBES.iter().map(|probe| format!("is_{probe}: 1")).collect();
    for Port { name, width, place, writes, .. } in ports {
        inputs.push(format!("{name}_out: {width}"));
        outputs.push(format!("{name}_addr: {place}, {name}_en: 1"));
        if *writes {
            outputs.push(format!("{name}_write: 1, {name}_in: {width}"));
        }
    }
    let _ = writeln!(
        out,
        "\ncomponent main(\n  {}\n) -> (\n  {}\n) {{",
        inputs.join(",\n  "),
        outputs.join(",\n  ")
    );
    let lines = |lines: &[String]| lines.iter().map(|line| format!("    {line}\n")).collect::<String>();
    let _ = writeln!(out, "  cells {{\n{}  }}", lines(&net.cells));
    let _ = writeln!(out, "  wires {{\n{}{}  }}", lines(&net.wires), net.groups.concat());
    out.push_str("  control {\n");
    control.print(&mut out, 2);
    out.push_str("  }\n}\n");
    out
}
