//! `hls-pipeline`: banks of arrays, and the interval of each innermost loop (paper, Table 2: `partition` and `pipeline`).
//!
//! An array gets as many banks along a dimension as iterations that run at once access elements of it, and no more than the function states
//! (`terrace.banks`). The interval of a loop follows from the accesses of its fullest bank and from the distance of updates, by the
//! formula that judges designs ([`terrace_schedule_fpga::interval`]).

mod access;
mod room;

use crate::memory::{banks, banks_in, is_array, of_argument};
use crate::rounds::trips;
use access::{Accessed, accessed, depends};
use terrace_diag::Reported;
use terrace_dialect_builtin::marks::{BANKS, PARTITION, PIPELINE, UNROLL};
use terrace_dialect_func as func;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{AttrKind, Ir, OpId, Str, Value};
use terrace_pass::{OptionError, OptionKind, OptionSpec, Pass, PassCx, PassInfo, Scope};
use terrace_schedule_fpga::{Fpga, interval};
use terrace_support::HashMap;

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "hls-pipeline",
    aliases: &[],
    summary: "Banks of arrays on the chip, and intervals of pipelined loops, for a device",
    docs: "An array gets as many banks along a dimension as loops with the mark `terrace.unroll` access elements of at once, at most as many as \
           `terrace.banks` of the function states (`terrace.partition`). Each innermost loop gets the interval that ports of banks and \
           sums that wait for themselves allow (`terrace.pipeline`). Arrays and products that the device has no room for are refused.",
    scope: Scope::Tree,
    anchor: None,
    options: &[OptionSpec {
        name: "device",
        kind: OptionKind::Text,
        default: "vu9p",
        docs: "the FPGA: vu9p, calyx, or the path of a file",
    }],
    stats: &["arrays in banks", "loops pipelined"],
    make: |options| {
        let device = Fpga::find(&options.text(&INFO, "device")).map_err(OptionError::because)?;
        Ok(Box::new(HlsPipeline { device }))
    },
};

struct HlsPipeline {
    device: Fpga,
}

/// Arguments of functions by name and number, with a number for each dimension
type OfArguments = HashMap<(Str, usize), Vec<i64>>;

impl Pass for HlsPipeline {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut wanted = OfArguments::default();
        for function in functions(unit) {
            wanted.extend(lanes_of_arguments(function));
        }
        let mut given = OfArguments::default();
        let (mut arrays, mut loops) = (0, 0);
        for function in unit.children_mut().filter(|child| child.is(child.root(), func::Func::DEF)) {
            arrays += divide(function, &wanted, &mut given);
        }
        for function in unit.children_mut().filter(|child| child.is(child.root(), func::Func::DEF)) {
            pass_on(function, &given);
            loops += self.intervals(function);
        }
        cx.count("arrays in banks", arrays);
        cx.count("loops pipelined", loops);
        cx.set_changed(arrays + loops > 0);
        room::check(cx, unit, &self.device)
    }
}

impl HlsPipeline {
    /// Give each innermost loop its interval; how many there are
    fn intervals(&self, ir: &mut Ir) -> u64 {
        let loops: Vec<OpId> = ir.walk().filter(|op| is_pipelined(ir, *op)).collect();
        for op in &loops {
            let cycles = interval(&self.device, fullest_bank(ir, *op), between_updates(ir, *op));
            let attr = ir.cx().int_attr(cycles.into(), ir.cx().common().i64);
            ir.set_discardable(*op, PIPELINE, Some(attr));
        }
        loops.len() as u64
    }
}

/// Functions of a table
pub(crate) fn functions(table: &Ir) -> impl Iterator<Item = &Ir> {
    table.walk().filter_map(|op| table.child(op)).filter(|child| child.is(child.root(), func::Func::DEF))
}

pub(crate) fn is_unrolled(ir: &Ir, op: OpId) -> bool {
    scf::For::cast(ir, op).is_some() && ir.discardable(op, UNROLL).is_some()
}

/// Is it a loop in which only copies of hardware repeat?
pub(crate) fn is_pipelined(ir: &Ir, op: OpId) -> bool {
    let repeats = |op: OpId| {
        ir.is_any(op, &[scf::For::DEF, scf::Parallel::DEF, scf::While::DEF]) && !is_unrolled(ir, op)
            || func::Call::cast(ir, op).is_some()
    };
    scf::For::cast(ir, op).is_some() && !is_unrolled(ir, op) && !ir.walk_below(op).any(repeats)
}

/// The number of the argument that a value is
fn argument(ir: &Ir, value: Value) -> Option<usize> {
    let entry = ir.entry(ir.region(ir.root(), 0))?;
    ir.block_args(entry).iter().position(|arg| *arg == value)
}

/// Banks of a value that is an array on the chip
fn banks_of(ir: &Ir, value: Value) -> Option<Vec<i64>> {
    if is_array(ir, value) {
        return banks(ir, ir.defining_op(value)?);
    }
    let attrs = of_argument(ir, argument(ir, value)?)?;
    banks_in(ir, value, attrs.entry(ir.cx(), PARTITION)?)
}

/// The most elements that are accessed at once, along each dimension of each argument that is an array
fn lanes_of_arguments(ir: &Ir) -> OfArguments {
    let mut all = OfArguments::default();
    let Some(name) = symbol_name(ir, ir.root()) else { return all };
    for (value, lanes) in lanes(ir) {
        if let Some(n) = argument(ir, value) {
            all.insert((name, n), lanes);
        }
    }
    all
}

/// The most elements that are accessed at once, along each dimension of arrays
fn lanes(ir: &Ir) -> HashMap<Value, Vec<i64>> {
    let mut all: HashMap<Value, Vec<i64>> = HashMap::default();
    for access in ir.walk().filter_map(|op| accessed(ir, op)) {
        let Some(one) = banks_of(ir, access.memory) else { continue };
        let lanes = all.entry(access.memory).or_insert_with(|| vec![1; one.len()]);
        for (n, most) in lanes.iter_mut().enumerate() {
            *most = (*most).max(access.along(n));
        }
    }
    all
}

/// Set the banks of a function's arrays, and note those of arguments that they are passed as; how many have more than one
fn divide(ir: &mut Ir, wanted: &OfArguments, given: &mut OfArguments) -> u64 {
    let cx = ir.cx_arc().clone();
    let most = ir.discardable(ir.root(), BANKS).and_then(|attr| attr.as_i64(&cx)).unwrap_or(i64::MAX).max(1);
    let own = lanes(ir);
    let mut count = 0;
    let arrays: Vec<OpId> =
        ir.walk().filter(|op| ir.num_results(*op) == 1 && is_array(ir, ir.result(*op, 0))).collect();
    for op in arrays {
        let value = ir.result(op, 0);
        let mut all = banks(ir, op).unwrap_or_default();
        let mut take =
            |other: &[i64]| all.iter_mut().zip(other).for_each(|(all, other)| *all = (*all).max(*other));
        if let Some(lanes) = own.get(&value) {
            take(lanes);
        }
        let passed: Vec<(Str, usize)> =
            ir.uses(value).filter_map(|(user, n)| Some((callee(ir, user)?, n))).collect();
        passed.iter().filter_map(|place| wanted.get(place)).for_each(|lanes| take(lanes));
        all.iter_mut().for_each(|banks| *banks = (*banks).min(most));
        count += u64::from(all.iter().any(|banks| *banks > 1));
        for place in passed {
            given.insert(place, all.clone());
        }
        let attr = cx.attr(AttrKind::DenseArray { elem: cx.common().i64, values: all.into() });
        ir.set_discardable(op, PARTITION, Some(attr));
    }
    count
}

/// The function that an op calls
pub(crate) fn callee(ir: &Ir, op: OpId) -> Option<Str> {
    Some(func::Call::cast(ir, op)?.callee(ir).as_symbol(ir.cx())?.0)
}

/// Set the banks of a function's arguments
fn pass_on(ir: &mut Ir, given: &OfArguments) {
    let cx = ir.cx_arc().clone();
    let root = ir.root();
    let Some(name) = symbol_name(ir, root) else { return };
    let Some(attrs) = ir.attr(root, "arg_attrs").and_then(|attr| attr.as_array(&cx)) else { return };
    let changed = |(n, dict): (usize, &terrace_ir::Attr)| {
        let Some(banks) = given.get(&(name, n)) else { return *dict };
        let key = cx.intern(PARTITION);
        let mut entries: Vec<_> = dict.as_dict(&cx).unwrap_or(&[]).to_vec();
        entries.retain(|(own, _)| *own != key);
        let banks = AttrKind::DenseArray { elem: cx.common().i64, values: banks.clone().into() };
        entries.push((key, cx.attr(banks)));
        cx.dict_attr(entries)
    };
    let attrs: Vec<terrace_ir::Attr> = attrs.iter().enumerate().map(changed).collect();
    let attrs = cx.array_attr(&attrs);
    ir.set_attr(root, "arg_attrs", Some(attrs));
}

/// Accesses of the bank that an iteration of a loop accesses most
fn fullest_bank(ir: &Ir, op: OpId) -> i64 {
    let mut all: HashMap<Value, i64> = HashMap::default();
    for access in ir.walk_below(op).filter_map(|op| accessed(ir, op)) {
        let Some(banks) = banks_of(ir, access.memory) else { continue };
        let sum = all.entry(access.memory).or_default();
        *sum = sum.saturating_add(access.of_fullest(&banks));
    }
    all.into_values().max().unwrap_or(0)
}

/// Iterations of a pipelined loop from one update of an element to the next of the same; none if nothing is updated
fn between_updates(ir: &Ir, op: OpId) -> Option<i64> {
    if !scf::For(op).inits(ir).is_empty() {
        return Some(1);
    }
    let inside: Vec<Accessed> = ir.walk_below(op).filter_map(|op| accessed(ir, op)).collect();
    let read = |memory: Value| inside.iter().any(|other| !other.writes && other.memory == memory);
    inside
        .iter()
        .filter(|access| access.writes && read(access.memory))
        .map(|access| distance(ir, op, access))
        .min()
}

/// Iterations of a loop nest until an access is of the same element again
fn distance(ir: &Ir, innermost: OpId, access: &Accessed) -> i64 {
    let mut all = 1i64;
    let mut around = Some(innermost);
    while let Some(op) = around {
        if let Some(one) = scf::For::cast(ir, op) {
            let iv = ir.entry(one.region(ir)).and_then(|block| ir.block_args(block).first().copied());
            let moves = iv.is_some_and(|iv| access.indices.iter().any(|index| depends(ir, *index, iv)));
            match trips(ir, op).filter(|_| moves) {
                Some(trips) => all = all.saturating_mul(trips),
                None => return all,
            }
        } else if memref::AllocaScope::cast(ir, op).is_none() && scf::If::cast(ir, op).is_none() {
            return all;
        }
        around = ir.parent(op);
    }
    all
}
