//! Names that upstream's ops suggest for their single result, as data: the op, the name.
//!
//! Ops of our own dialects implement `SuggestNames` instead. Source: what `mlir-opt` 22 prints for each op.

use terrace_ir::{AttrKind, Ir, OpId, Value};

/// Ops in alphabetical order
const NAMES: &[(&str, &str)] = &[
    ("gpu.block_dim", "block_dim"),
    ("gpu.block_id", "block_id"),
    ("gpu.cluster_block_id", "cluster_block_id"),
    ("gpu.cluster_dim", "cluster_dim"),
    ("gpu.cluster_dim_blocks", "cluster_dim_blocks"),
    ("gpu.cluster_id", "cluster_id"),
    ("gpu.global_id", "global_id"),
    ("gpu.grid_dim", "grid_dim"),
    ("gpu.thread_id", "thread_id"),
    ("linalg.broadcast", "broadcasted"),
    ("linalg.map", "mapped"),
    ("linalg.reduce", "reduced"),
    ("linalg.transpose", "transposed"),
    ("memref.alloc", "alloc"),
    ("memref.alloca", "alloca"),
    ("memref.assume_alignment", "assume_align"),
    ("memref.cast", "cast"),
    ("memref.collapse_shape", "collapse_shape"),
    ("memref.dim", "dim"),
    ("memref.expand_shape", "expand_shape"),
    ("memref.extract_aligned_pointer_as_index", "intptr"),
    ("memref.memory_space_cast", "memspacecast"),
    ("memref.reinterpret_cast", "reinterpret_cast"),
    ("memref.reshape", "reshape"),
    ("memref.subview", "subview"),
    ("memref.transpose", "transpose"),
    ("memref.view", "view"),
    ("tensor.cast", "cast"),
    ("tensor.collapse_shape", "collapsed"),
    ("tensor.concat", "concat"),
    ("tensor.dim", "dim"),
    ("tensor.expand_shape", "expanded"),
    ("tensor.extract", "extracted"),
    ("tensor.extract_slice", "extracted_slice"),
    ("tensor.from_elements", "from_elements"),
    ("tensor.insert", "inserted"),
    ("tensor.insert_slice", "inserted_slice"),
    ("tensor.pad", "padded"),
    ("tensor.splat", "splat"),
    ("vector.vscale", "vscale"),
];

fn find(op: &str) -> Option<&'static str> {
    let at = NAMES.binary_search_by(|(name, _)| (*name).cmp(op)).ok()?;
    Some(NAMES[at].1)
}

/// Does the op suggest a name?
pub(super) fn names(op: &str) -> bool {
    find(op).is_some()
}

/// The name for this op's result; ops with a dimension add it
pub(super) fn result_name(ir: &Ir, op: OpId, name: &str) -> Option<String> {
    let stem = find(name)?;
    let dimension = ir.attr(op, "dimension").map(|attr| ir.cx().attr_kind(attr));
    Some(match dimension {
        Some(AttrKind::Enum { def, value }) => format!("{stem}_{}", def.text(*value)),
        _ => stem.to_string(),
    })
}

/// Names for the arguments of an op's body: elements of inputs, then of outputs
pub(super) fn argument_names(ir: &Ir, op: OpId, name: &str) -> Vec<(Value, String)> {
    let last = match name {
        "linalg.generic" => "out",
        "linalg.map" | "linalg.reduce" => "init",
        _ => return Vec::new(),
    };
    let entry = ir.regions(op).next().and_then(|region| ir.entry(region));
    let args = entry.map_or(&[][..], |entry| ir.block_args(entry));
    let inputs = match name {
        "linalg.reduce" => args.len() / 2,
        _ => ir.operand_range(op, 0).len(),
    };
    let name = |n: usize| if n < inputs { "in" } else { last };
    args.iter().enumerate().map(|(n, &arg)| (arg, name(n).to_string())).collect()
}

/// A buffer, an offset, then as many sizes as strides
pub(super) fn names_of_metadata(ir: &Ir, op: OpId) -> Vec<(Value, String)> {
    let count = ir.num_results(op);
    let starts =
        [(0, "base_buffer"), (1, "offset"), (2, "sizes"), (2 + count.saturating_sub(2) / 2, "strides")];
    let there = starts.into_iter().filter(|(n, _)| *n < count);
    there.map(|(n, name)| (ir.result(op, n), name.to_string())).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn in_order() {
        assert!(super::NAMES.is_sorted());
    }
}
