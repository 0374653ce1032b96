//! Names that upstream's ops suggest for their single result, as data: the op, the name.
//!
//! Ops of our own dialects implement `SuggestNames` instead. Source: what `mlir-opt` 22 prints for each op.

use terrace_ir::{AttrKind, Ir, OpId};

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

#[cfg(test)]
mod tests {
    #[test]
    fn in_order() {
        assert!(super::NAMES.is_sorted());
    }
}
