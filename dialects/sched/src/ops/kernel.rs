//! `kernel`: one launch on a device with a grid.

use super::*;
use terrace_ir::rules::{I64Attr, StrAttr};
use terrace_ir::{Ir, NewOp, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::CustomAsm;

/// One launch: its loops at block and thread levels are spread over this grid; it may use values from outside
///
/// ```mlir
/// func.func @copy(%A: memref<64xf32>, %B: memref<64xf32>) {
///   sched.kernel @copy grid [4, 1, 1] block [16, 1, 1] {
///     sched.for (%b in 64 by 16 dim 0 : block.x, %t in 16 by 1 dim 0 : thread.x) {
///       %a = sched.read %A[%b + %t] : memref<64xf32>
///       sched.write %a, %B[%b + %t] : memref<64xf32>
///     }
///   }
///   return
/// }
/// ```
#[op(
    "sched.kernel",
    traits(SingleBlock, NoTerminator, RecursiveEffects),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct Kernel {
    #[attr]
    name: StrAttr,
    #[attr]
    grid: TripleAttr,
    #[attr]
    block: TripleAttr,
    #[attr(optional)]
    cluster: TripleAttr,
    #[attr(optional)]
    unroll_max: I64Attr,
    #[attr(optional)]
    subgroup: I64Attr,
    #[region(single_block)]
    body: Region,
}

/// Discardable attribute of a kernel: it runs in the blocks of the kernel in front of it
pub const JOINS: &str = "sched.joins";

/// Threads of a warp where a kernel does not say it
const SUBGROUP: i64 = 32;

/// Most threads of a warp on any device
const MOST_LANES: i64 = 128;

impl Kernel {
    /// Sizes of the grid in blocks
    pub fn grid_size(self, ir: &Ir) -> [i64; 3] {
        triple(ir, self.grid(ir))
    }

    /// Sizes of a block in threads
    pub fn block_size(self, ir: &Ir) -> [i64; 3] {
        triple(ir, self.block(ir))
    }

    /// Blocks of a cluster along each axis; 1 by default
    pub fn cluster_size(self, ir: &Ir) -> [i64; 3] {
        self.cluster(ir).map_or([1; 3], |cluster| triple(ir, cluster))
    }

    /// Threads of a warp: what its levels `warp` and `lane` mean; 32 by default
    pub fn subgroup_size(self, ir: &Ir) -> i64 {
        self.subgroup(ir).and_then(|size| size.as_i64(ir.cx())).unwrap_or(SUBGROUP)
    }

    /// Make a kernel with an empty body
    pub fn make(b: &mut terrace_ir::Builder<'_>, name: &str, grid: [i64; 3], block: [i64; 3]) -> Kernel {
        let kind = b.kind(Kernel::DEF);
        let cx = b.cx();
        let slots = [
            Some(cx.str_attr(name)),
            Some(cx.i64_array(&grid)),
            Some(cx.i64_array(&block)),
            None,
            None,
            None,
        ];
        let op = b.insert(&NewOp { slots: &slots, regions: 1, ..NewOp::new(kind) });
        let region = b.ir().region(op, 0);
        b.ir().append_block(region);
        Kernel(op)
    }
}

fn triple(ir: &Ir, attr: Attr) -> [i64; 3] {
    attr.as_dense_array(ir.cx()).and_then(|all| <[i64; 3]>::try_from(all).ok()).unwrap_or([1; 3])
}

fn parse_triple(p: &mut OpParser<'_, '_>, name: &str) -> Result<(), Reported> {
    p.punct("[")?;
    let mut sizes = vec![p.int64()?];
    while p.punct_opt(",") {
        sizes.push(p.int64()?);
    }
    p.punct("]")?;
    let attr = p.cx().i64_array(&sizes);
    p.set_attr(name, attr);
    Ok(())
}

fn print_triple(p: &mut OpPrinter<'_>, before: &str, attr: Attr) {
    p.text(before);
    p.text("[");
    for (n, size) in triple(p.ir(), attr).into_iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        p.int(size.into());
    }
    p.text("]");
}

impl CustomAsm for Kernel {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let name = p.symbol_name()?;
        let name = p.cx().str_attr(p.cx().str(name));
        p.set_attr("name", name);
        p.keyword("grid")?;
        parse_triple(p, "grid")?;
        p.keyword("block")?;
        parse_triple(p, "block")?;
        if p.keyword_opt("cluster") {
            parse_triple(p, "cluster")?;
        }
        if p.keyword_opt("unroll_max") {
            let value = p.int64()?;
            let attr = p.cx().int_attr(value.into(), p.cx().common().i64);
            p.set_attr("unroll_max", attr);
        }
        if p.keyword_opt("subgroup") {
            let value = p.int64()?;
            let attr = p.cx().int_attr(value.into(), p.cx().common().i64);
            p.set_attr("subgroup", attr);
        }
        p.region(&[])?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        if let Some(name) = self.name(ir).as_str_id(ir.cx()) {
            p.symbol(name);
        }
        print_triple(p, " grid ", self.grid(ir));
        print_triple(p, " block ", self.block(ir));
        if let Some(cluster) = self.cluster(ir) {
            print_triple(p, " cluster ", cluster);
        }
        if let Some(max) = self.unroll_max(ir).and_then(|max| max.as_i64(ir.cx())) {
            p.text(" unroll_max ");
            p.int(max.into());
        }
        if let Some(size) = self.subgroup(ir).and_then(|size| size.as_i64(ir.cx())) {
            p.text(" subgroup ");
            p.int(size.into());
        }
        p.text(" ");
        p.region(self.body(ir), false, true);
        p.attr_dict(&["name", "grid", "block", "cluster", "unroll_max", "subgroup"]);
    }
}

impl Kernel {
    /// The op alone: what it says of itself
    pub(crate) fn verify_alone(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        for (name, sizes) in [("grid", self.grid_size(ir)), ("block", self.block_size(ir))] {
            if sizes.iter().any(|size| *size < 1) {
                return v.fail(
                    self.0,
                    &codes::OP_RULE,
                    format!("expects sizes of '{name}' to be at least 1"),
                );
            }
        }
        let size = self.subgroup_size(ir);
        if !(1..=MOST_LANES).contains(&size) || size & (size - 1) != 0 {
            let message =
                format!("expects 'subgroup' to be a power of two up to {MOST_LANES}, but it is {size}");
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        for (axis, (blocks, cluster)) in self.grid_size(ir).into_iter().zip(self.cluster_size(ir)).enumerate()
        {
            if cluster < 1 || blocks % cluster != 0 {
                let axis = ["x", "y", "z"][axis];
                let message = format!(
                    "expects clusters of {cluster} blocks along {axis} to divide the {blocks} blocks of the grid"
                );
                return v.fail(self.0, &codes::OP_RULE, message);
            }
        }
        let mut outer = ir.parent(self.0);
        while let Some(op) = outer {
            if Kernel::cast(ir, op).is_some() {
                return v.fail(self.0, &codes::OP_RULE, "stands inside of another kernel");
            }
            outer = ir.parent(op);
        }
        Ok(())
    }
}
