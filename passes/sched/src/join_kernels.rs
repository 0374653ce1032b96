//! `sched-join-kernels`: kernels that hand rows to each other become one, and what they hand over moves to the memory of a block.
//!
//! A kernel that says `sched.joins` follows the kernel in front of it in the same blocks. That is right where their loops over blocks are
//! alike, and every buffer that one writes and the other touches is accessed by both at coordinates of these loops: a block then needs
//! nothing of another one. Threads of a block wait for each other where the lowering finds that they must.

use crate::codes;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_gpu::AddressSpace;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{Alloc, Combination, For, JOINS, Kernel, Level, LoopInfo, Read, Write};
use terrace_ir::{BlockId, Builder, Ir, Name, OpId, Traits, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Kernels that hand rows to each other become one
///
/// A kernel with `sched.joins` runs in the blocks of the kernel in front of it: loops over blocks must be alike, and buffers between
/// them accessed at the loops' own coordinates; else it stays a kernel of its own, and a remark says why. A buffer that no other kernel uses becomes one of each block, in its memory.
#[pass("sched-join-kernels", anchor = "func.func", stats("kernels joined", "buffers of blocks"))]
pub struct SchedJoinKernels;

impl Pass for SchedJoinKernels {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let (mut joined, mut moved) = (0, 0);
        let marked: Vec<OpId> = unit
            .walk()
            .filter(|op| Kernel::cast(unit, *op).is_some() && unit.discardable(*op, JOINS).is_some())
            .collect();
        let mut whole: Vec<OpId> = Vec::new();
        for second in marked {
            match join(unit, second) {
                Ok(first) => {
                    joined += 1;
                    whole.retain(|other| *other != first);
                    whole.push(first);
                }
                Err(why) => {
                    let said = format!("it stays a kernel of its own: it {why}");
                    let _ = cx.emit(Diagnostic::remark(&codes::JOINS, said).at(unit.span(second)));
                    unit.set_attr(second, JOINS, None);
                }
            }
        }
        for kernel in whole {
            moved += to_blocks(unit, kernel);
        }
        cx.count("kernels joined", joined);
        cx.count("buffers of blocks", moved);
        cx.set_changed(joined > 0);
        Ok(())
    }
}

/// The loops over blocks at a kernel's front, each all that is in the one before
fn blocks(ir: &Ir, kernel: Kernel) -> Vec<LoopInfo> {
    let mut all = Vec::new();
    let mut at = ir.entry(kernel.body(ir)).and_then(|block| only(ir, block));
    while let Some(info) = at.and_then(|op| For::cast(ir, op)).and_then(|op| op.info(ir)) {
        if !matches!(info.level, Level::Block(_)) {
            break;
        }
        at = ir.entry(info.op.body(ir)).and_then(|block| only(ir, block));
        all.push(info);
    }
    all
}

/// The only op of a block but for its end
fn only(ir: &Ir, block: BlockId) -> Option<OpId> {
    let mut ops = ir.block_ops(block).filter(|op| !ir.has(*op, Traits::Terminator));
    let first = ops.next()?;
    ops.next().is_none().then_some(first)
}

/// The kernel in front, and the buffers and constants between
fn leader(ir: &Ir, second: OpId) -> Option<(Kernel, Vec<OpId>)> {
    let mut between = Vec::new();
    let mut at = ir.prev(second)?;
    loop {
        if let Some(first) = Kernel::cast(ir, at) {
            return Some((first, between));
        }
        if Alloc::cast(ir, at).is_none() && !ir.has(at, Traits::ConstantLike) {
            return None;
        }
        between.push(at);
        at = ir.prev(at)?;
    }
}

/// Join a kernel to the one in front of it; the error says why that is not right
fn join(ir: &mut Ir, second: OpId) -> Result<OpId, String> {
    let next = Kernel::cast(ir, second).ok_or("is no kernel")?;
    let (first, between) = leader(ir, second)
        .ok_or("joins no kernel: none is in front of it, or more than buffers and constants are between")?;
    let (ours, theirs) = (blocks(ir, first), blocks(ir, next));
    let own = |kernel: Kernel| (kernel.grid_size(ir), kernel.cluster_size(ir), kernel.subgroup_size(ir));
    if own(first) != own(next) {
        return Err("joins a kernel of another grid".into());
    }
    let plain = |info: &LoopInfo| {
        info.kind == Combination::Cc
            && info.from.is_none()
            && info.limit.is_none()
            && info.ops.is_empty()
            && ir.num_results(info.op.0) == 0
    };
    let alike = ours.len() == theirs.len()
        && ours
            .iter()
            .zip(&theirs)
            .all(|(a, b)| plain(a) && plain(b) && (a.extent, a.tile, a.level) == (b.extent, b.tile, b.level));
    let all = |kernel: Kernel, front: &[LoopInfo]| {
        let loops = ir.walk_below(kernel.0).filter_map(|op| For::cast(ir, op)?.info(ir));
        loops.filter(|info| matches!(info.level, Level::Block(_) | Level::Global(_))).count() == front.len()
    };
    if !alike || !all(first, &ours) || !all(next, &theirs) {
        return Err(
            "joins a kernel whose loops over blocks are others, or are not at the front of both".into()
        );
    }
    apart(ir, (first.0, &ours), (second, &theirs))?;
    let block = {
        let (a, b) = (first.block_size(ir), next.block_size(ir));
        std::array::from_fn::<i64, 3, _>(|axis| a[axis].max(b[axis]))
    };
    let entry = |ir: &Ir, kernel: Kernel, front: &[LoopInfo]| match front.last() {
        Some(info) => ir.entry(info.op.body(ir)),
        None => ir.entry(kernel.body(ir)),
    };
    let (to, from) = entry(ir, first, &ours)
        .zip(entry(ir, next, &theirs))
        .ok_or("joins a kernel, and one of them has no body")?;
    renumber(ir, second, &theirs, &ours);
    crate::layers::behind(ir, second, &theirs, &ours);
    for op in between {
        ir.detach(op);
        ir.insert_before(first.0, op);
    }
    let moved: Vec<OpId> = ir.block_ops(from).filter(|op| !ir.has(*op, Traits::Terminator)).collect();
    let end = ir.last_op(to).filter(|op| ir.has(*op, Traits::Terminator));
    for op in moved {
        ir.detach(op);
        match end {
            Some(end) => ir.insert_before(end, op),
            None => ir.append(to, op),
        }
    }
    for (theirs, ours) in theirs.iter().zip(&ours) {
        ir.replace_all_uses(theirs.iv, ours.iv);
    }
    ir.erase(second);
    let attr = ir.cx().i64_array(&block);
    ir.set_attr(first.0, "block", Some(attr));
    Ok(first.0)
}

/// Dimensions of the second kernel get the numbers that the first one has for the blocks
fn renumber(ir: &mut Ir, second: OpId, theirs: &[LoopInfo], ours: &[LoopInfo]) {
    let mut names: Vec<(i64, i64)> =
        theirs.iter().zip(ours).filter_map(|(theirs, ours)| theirs.dim.zip(ours.dim)).collect();
    let free = |names: &[(i64, i64)]| (0..).find(|n| names.iter().all(|(_, to)| to != n)).unwrap_or_default();
    let loops: Vec<(OpId, i64)> =
        ir.walk_below(second).filter_map(|op| Some((op, For::cast(ir, op)?.info(ir)?.dim?))).collect();
    for (op, dim) in loops {
        let to = match names.iter().find(|(from, _)| *from == dim) {
            Some((_, to)) => *to,
            None => {
                let to = if names.iter().any(|(_, to)| *to == dim) { free(&names) } else { dim };
                names.push((dim, to));
                to
            }
        };
        let attr = ir.cx().int_attr(to.into(), ir.cx().common().i64);
        ir.set_attr(op, "dim", Some(attr));
    }
}

/// A use of a buffer, and the loops of each dimension around it
struct Touch {
    memref: Value,
    access: Option<Access>,
    writes: bool,
    op: OpId,
}

fn touches(ir: &Ir, kernel: OpId) -> Vec<Touch> {
    let mut all = Vec::new();
    for op in ir.walk_below(kernel) {
        if let Some(read) = Read::cast(ir, op) {
            all.push(Touch { memref: read.memref(ir), access: Some(read.access(ir)), writes: false, op });
        } else if let Some(write) = Write::cast(ir, op) {
            all.push(Touch { memref: write.memref(ir), access: Some(write.access(ir)), writes: true, op });
        } else {
            let memory = |value: &Value| matches!(ir.ty(*value).kind(ir.cx()), TypeKind::MemRef { .. });
            let opaque = |memref| Touch { memref, access: None, writes: true, op };
            all.extend(ir.operands(op).filter(memory).map(opaque));
        }
    }
    all
}

/// Variables of the loops of a dimension around an op
fn around(ir: &Ir, op: OpId, dim: Option<i64>) -> Vec<Value> {
    let mut all = Vec::new();
    let mut at = ir.parent(op);
    while let Some(outer) = at {
        if let Some(info) = For::cast(ir, outer).and_then(|outer| outer.info(ir))
            && dim.is_some()
            && info.dim == dim
        {
            all.push(info.iv);
        }
        at = ir.parent(outer);
    }
    all
}

/// Is an index the coordinate that these variables make together?
fn is_sum(access: &Access, axis: usize, ivs: &[Value]) -> bool {
    let Some(linear) = access.map.results.get(axis).and_then(AffineExpr::as_linear) else { return false };
    let factors = access.values.iter().enumerate().map(|(n, value)| (linear.dim(n), ivs.contains(value)));
    let mut count = 0;
    let fits = factors.into_iter().all(|(factor, ours)| {
        count += usize::from(ours && factor == 1);
        factor == i64::from(ours)
    });
    fits && count == ivs.len() && linear.constant == 0
}

/// The axis at which every use of a buffer has the coordinate of a loop over blocks
fn axis(ir: &Ir, uses: &[(&Touch, &LoopInfo)], rank: usize) -> Option<usize> {
    (0..rank).find(|axis| {
        uses.iter().all(|(touch, info)| {
            let ivs = around(ir, touch.op, info.dim);
            ivs.contains(&info.iv) && touch.access.as_ref().is_some_and(|access| is_sum(access, *axis, &ivs))
        })
    })
}

/// Does no block of the second kernel touch what another block of the first writes, nor the other way round?
fn apart(
    ir: &Ir,
    (first, ours): (OpId, &[LoopInfo]),
    (second, theirs): (OpId, &[LoopInfo]),
) -> Result<(), String> {
    let (a, b) = (touches(ir, first), touches(ir, second));
    for x in &a {
        for y in b.iter().filter(|y| x.writes || y.writes) {
            if memref::root(ir, x.memref) != memref::root(ir, y.memref) {
                continue;
            }
            if x.memref != y.memref {
                return Err("joins a kernel that uses another view of the same buffer".into());
            }
            let rank = ir.ty(x.memref).shape(ir.cx()).map_or(0, <[i64]>::len);
            for (ours, theirs) in ours.iter().zip(theirs).filter(|(ours, _)| ours.trip() > 1) {
                let of = |all: &[Touch]| -> Vec<usize> {
                    (0..all.len()).filter(|n| all[*n].memref == x.memref).collect()
                };
                let mut uses: Vec<(&Touch, &LoopInfo)> = of(&a).into_iter().map(|n| (&a[n], ours)).collect();
                uses.extend(of(&b).into_iter().map(|n| (&b[n], theirs)));
                if axis(ir, &uses, rank).is_none() {
                    let name = ir.value_name(x.memref).unwrap_or("a buffer").to_string();
                    return Err(format!(
                        "joins a kernel, but blocks touch elements of '{name}' that other blocks write"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Buffers that one kernel alone uses, at the coordinates of its blocks, become buffers of each block; their number
fn to_blocks(ir: &mut Ir, kernel: OpId) -> u64 {
    let Some(kernel) = Kernel::cast(ir, kernel) else { return 0 };
    let front = blocks(ir, kernel);
    let start = match front.last() {
        Some(info) => ir.entry(info.op.body(ir)),
        None => ir.entry(kernel.body(ir)),
    };
    let Some(start) = start.and_then(|block| ir.first_op(block)) else { return 0 };
    let all = touches(ir, kernel.0);
    let mut buffers: Vec<Value> = Vec::new();
    for touch in &all {
        if !buffers.contains(&touch.memref)
            && ir.defining_op(touch.memref).is_some_and(|op| Alloc::cast(ir, op).is_some())
        {
            buffers.push(touch.memref);
        }
    }
    let mut moved = 0;
    for buffer in buffers {
        let uses: Vec<&Touch> = all.iter().filter(|touch| touch.memref == buffer).collect();
        moved += u64::from(to_block(ir, (kernel, &front), start, buffer, &uses).is_some());
    }
    moved
}

fn to_block(
    ir: &mut Ir,
    (kernel, front): (Kernel, &[LoopInfo]),
    start: OpId,
    old: Value,
    uses: &[&Touch],
) -> Option<()> {
    let alloc = ir.defining_op(old)?;
    let inside = |op: OpId| {
        let mut at = ir.parent(op);
        while let Some(around) = at {
            if around == kernel.0 {
                return true;
            }
            at = ir.parent(around);
        }
        false
    };
    let known = ir.uses(old).count() == uses.len() && uses.iter().all(|touch| touch.access.is_some());
    if inside(alloc) || !known || !ir.uses(old).all(|(op, _)| inside(op)) {
        return None;
    }
    let TypeKind::MemRef { shape, elem, layout: None, space: None } = ir.ty(old).kind(ir.cx()) else {
        return None;
    };
    let (mut shape, elem) = (shape.to_vec(), *elem);
    let mut axes = Vec::new();
    for info in front.iter().filter(|info| info.trip() > 1) {
        let uses: Vec<(&Touch, &LoopInfo)> = uses.iter().map(|touch| (*touch, info)).collect();
        let axis = axis(ir, &uses, shape.len())?;
        shape[axis] = info.tile.min(info.extent);
        axes.push((axis, info.iv));
    }
    let maps: Option<Vec<AffineMap>> = uses
        .iter()
        .map(|touch| {
            let Access { map, values } = touch.access.as_ref()?;
            let mut results = map.results.clone();
            for (axis, iv) in &axes {
                let place = values.iter().position(|value| value == iv)?;
                let linear = results.get(*axis)?.as_linear()?;
                let others = (0..values.len()).filter(|n| *n != place && linear.dim(*n) != 0);
                results[*axis] =
                    others.fold(0.into(), |sum, n| AffineExpr::add(sum, AffineExpr::Dim(n as u32)));
            }
            AffineMap::new(map.dims, 0, results)
        })
        .collect();
    let maps = maps?;
    let space = AddressSpace::Workgroup.attr(ir.cx());
    let ty = ir.cx().ty(TypeKind::MemRef { shape: shape.into(), elem, layout: None, space: Some(space) });
    let own = Alloc::build(&mut Builder::before(ir, start), ty).memref(ir);
    if let Some(name) = ir.value_name(old) {
        let name = Name::Str(ir.cx().intern(name));
        ir.set_value_name(own, name);
    }
    for (touch, map) in uses.iter().zip(maps) {
        let operand = ir.operands(touch.op).position(|value| value == old)?;
        ir.set_operand(touch.op, operand, own);
        let map = ir.cx().map_attr(map);
        ir.set_attr(touch.op, "map", Some(map));
    }
    ir.erase(alloc);
    Some(())
}
