//! Attributes of ours that passes leave on upstream's ops for those below: each name in one place.
//!
//! All but the last five are hints: without them a program means the same, and who does not know them may drop them.
//! The last five are promises about arguments, two of them upstream's.

use terrace_ir::{Attr, Context, Ir, Value};

/// Of a call of `f(begin, end, …)`: `[begin, end)` may be cut into any pieces, and these run in any order or at once
pub const PARALLEL: &str = "terrace.parallel";

/// Of a parallel loop and of a call: iterations that a thread takes at a time (dynamic schedule)
///
/// Without it, iterations are divided evenly in advance.
pub const GRAIN: &str = "terrace.grain";

/// Of a function: the device it is for, by name; `mdh-schedule` schedules for it, code is made for that processor
pub const TARGET: &str = "terrace.target";

/// Of a function: those that may stand for it, best first
pub const VERSIONS: &str = "terrace.versions";

/// Of a public function: its author declared it in C, and its code is called so, buffers as pointers
///
/// A dictionary of texts: `parameters` and `result` as C declares them; `arguments`, the C expression of each argument
/// (`x`, or `p.x` of a structure that is given by value); `fields` of a result that is a structure; `structures`, definitions of
/// those that are named.
pub const C: &str = "terrace.c";

/// Of a computation, a kernel, a launch: the last block of the launch before may run it
pub const LAST: &str = "terrace.last";

/// Of a loop: each iteration is for another device
pub const DEVICES: &str = "terrace.devices";

/// Of a function: those that prepare its arguments once for all calls, in the order in which they run, as symbols
///
/// Each says which arguments it takes ([`TAKES`]) and what there is behind it ([`GIVES`]).
pub const PREPARED_BY: &str = "terrace.prepared_by";

/// Of a function that prepares: positions of the arguments that it takes, in the list before it
pub const TAKES: &str = "terrace.takes";

/// Of a function that prepares: the list behind it. `n` is argument `n` of the list before, `-1 - n` its own result `n`
pub const GIVES: &str = "terrace.gives";

/// Of a loop: its iterations become copies of hardware next to each other
pub const UNROLL: &str = "terrace.unroll";

/// Of a loop: cycles from the start of an iteration to the start of the next (initiation interval)
pub const PIPELINE: &str = "terrace.pipeline";

/// Of a loop: the calls in its body are stages that overlap with those of the next iterations
pub const DATAFLOW: &str = "terrace.dataflow";

/// Of a buffer, and in the attributes of an argument: it is an array on the chip, with so many banks along each dimension
/// (`array<i64>`; cyclic: element e is in bank e mod n)
pub const PARTITION: &str = "terrace.partition";

/// Of a function: banks that a dimension of its arrays on the chip has at most
pub const BANKS: &str = "terrace.banks";

/// Of an argument or a launch: the name that its author gave it or the kernel
pub const NAME: &str = "terrace.name";

/// Of an argument: its elements are integers from 0 to below this number
pub const BELOW: &str = "terrace.below";

/// Of an argument: it is the same in every call, as the weights of a network are
pub const CONSTANT: &str = "terrace.constant";

/// Of an argument: none of its elements is infinite or NaN
pub const FINITE: &str = "terrace.finite";

/// Of an argument that is a buffer: while the function runs, what is written in it is reached through this argument alone
pub const NOALIAS: &str = "llvm.noalias";

/// Of an argument that is a buffer: the function does not write to it
pub const READONLY: &str = "llvm.readonly";

/// A mark of an argument of the function that the unit is; nothing if the value is no argument of it
pub fn of_argument(ir: &Ir, value: Value, mark: &str) -> Option<Attr> {
    let entry = ir.regions(ir.root()).next().and_then(|region| ir.entry(region))?;
    let n = ir.block_args(entry).iter().position(|arg| *arg == value)?;
    let dict = *ir.attr(ir.root(), "arg_attrs")?.as_array(ir.cx())?.get(n)?;
    terrace_ir::attrs::dict_get(ir.cx(), dict.as_dict(ir.cx())?, mark)
}

/// An argument's attributes, with the promise that nothing else reaches its memory
pub fn alone(cx: &Context, attrs: Attr) -> Attr {
    with_unit(cx, attrs, NOALIAS)
}

/// A dictionary with one more unit attribute
pub fn with_unit(cx: &Context, dict: Attr, name: &str) -> Attr {
    let mut entries = dict.as_dict(cx).unwrap_or(&[]).to_vec();
    if terrace_ir::attrs::dict_get(cx, &entries, name).is_none() {
        entries.push((cx.intern(name), cx.common().unit));
    }
    cx.dict_attr(entries)
}
