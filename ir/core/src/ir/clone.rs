//! Copying ops, within a unit or between units, with a map of values.

use super::{BlockId, Ir, Loc, LocView, Name, NewOp, OpId, Value};
use crate::handles::OpKind;
use terrace_support::HashMap;

/// What stands for a value of the original in the copy
#[derive(Default)]
pub struct ValueMap {
    values: HashMap<Value, Value>,
    blocks: HashMap<BlockId, BlockId>,
}

impl ValueMap {
    /// Let `new` stand for `old`
    pub fn insert(&mut self, old: Value, new: Value) {
        self.values.insert(old, new);
    }

    /// Let block `new` stand for `old`
    pub fn insert_block(&mut self, old: BlockId, new: BlockId) {
        self.blocks.insert(old, new);
    }

    /// What stands for the value, if anything does
    pub fn get(&self, old: Value) -> Option<Value> {
        self.values.get(&old).copied()
    }

    /// What stands for the block, if anything does
    pub fn get_block(&self, old: BlockId) -> Option<BlockId> {
        self.blocks.get(&old).copied()
    }
}

impl Ir {
    /// The unit's own op alone, which is what its parent and other units know of it; an empty block stands for a body
    pub fn shell(&self) -> Ir {
        let root = self.root();
        let mut shell = Ir::new_unit(&self.cx, self.kind(root), self.num_regions(root), self.loc(root));
        shell.source = self.source;
        for slot in 0..self.fixed_slots(self.kind(root)) {
            shell.set_slot(root, slot, self.slot(root, slot));
        }
        shell.set_dict(root, self.dict(root));
        for (n, region) in self.regions(root).enumerate() {
            if self.entry(region).is_some() {
                let body = shell.region(root, n);
                shell.append_block(body);
            }
        }
        shell
    }

    /// A copy of the whole unit with the units inside
    pub fn clone_unit(&self) -> Box<Ir> {
        fn shallow(ir: &Ir) -> Box<Ir> {
            Box::new(Ir {
                cx: ir.cx.clone(),
                ops: ir.ops.clone(),
                blocks: ir.blocks.clone(),
                regions: ir.regions.clone(),
                values: ir.values.clone(),
                operands: ir.operands.clone(),
                words: ir.words.clone(),
                arg_lists: ir.arg_lists.clone(),
                arg_locs: ir.arg_locs.clone(),
                children: Vec::new(),
                free_ops: ir.free_ops.clone(),
                free_spans: ir.free_spans,
                source: ir.source,
                resources: ir.resources.clone(),
            })
        }
        // Depth first with a list: (original, copy so far, next child).
        let mut stack: Vec<(&Ir, Box<Ir>, usize)> = vec![(self, shallow(self), 0)];
        loop {
            let (original, copy, next) = stack.last_mut().expect("ends with the root");
            match original.children.get(*next) {
                Some(None) => {
                    copy.children.push(None);
                    *next += 1;
                }
                Some(Some(child)) => {
                    *next += 1;
                    let child: &Ir = child;
                    stack.push((child, shallow(child), 0));
                }
                None => {
                    let (_, done, _) = stack.pop().expect("not empty");
                    match stack.last_mut() {
                        Some((_, parent, _)) => parent.children.push(Some(done)),
                        None => return done,
                    }
                }
            }
        }
    }

    /// Copy `op` of `from` with everything inside into this unit, detached; operands go through `map`
    ///
    /// Values without an entry stand for themselves if `from` is `None` (copying within this unit). Copying from
    /// another unit needs an entry for each value from outside: one that lacks it is an error of the caller, and the
    /// copy gets no such operand. Results and block arguments are entered into `map`.
    pub fn clone_op(&mut self, from: Option<&Ir>, op: OpId, map: &mut ValueMap) -> OpId {
        let root = self.clone_record(from, op, map);
        let mut pending = vec![(op, root)];
        // Blocks first, then ops in order, so that successors and forward uses find their copies.
        let mut late: Vec<(OpId, OpId)> = Vec::new();
        while let Some((old, new)) = pending.pop() {
            late.push((old, new));
            let shape: Vec<(Vec<BlockId>, super::RegionId)> = {
                let source = from.unwrap_or(self);
                source.regions(old).map(|r| source.blocks(r).collect()).zip(self.regions(new)).collect()
            };
            for (blocks, region) in &shape {
                for &block in blocks {
                    let copy = self.append_block(*region);
                    map.insert_block(block, copy);
                    let (args, name): (Vec<_>, _) = {
                        let source = from.unwrap_or(self);
                        let args =
                            source.block_args(block).iter().map(|arg| (*arg, source.ty(*arg))).collect();
                        (args, source.block_name(block).map(str::to_string))
                    };
                    if let Some(name) = name {
                        let name = self.cx.intern(&name);
                        self.set_block_name(copy, Name::Str(name));
                    }
                    for (arg, ty) in args {
                        let new = self.add_block_arg(copy, ty);
                        self.copy_arg_loc(from, arg, new);
                        self.copy_name(from, arg, new);
                        map.insert(arg, new);
                    }
                }
            }
            let start = pending.len();
            for (blocks, _) in &shape {
                for &block in blocks {
                    let ops: Vec<OpId> = from.unwrap_or(self).block_ops(block).collect();
                    let copy = map.get_block(block).expect("made above");
                    for op in ops {
                        let new = self.clone_record(from, op, map);
                        self.append(copy, new);
                        pending.push((op, new));
                    }
                }
            }
            pending[start..].reverse();
        }
        for (old, new) in late {
            self.remap(from, old, new, map);
        }
        root
    }

    fn clone_record(&mut self, from: Option<&Ir>, op: OpId, map: &mut ValueMap) -> OpId {
        let source = from.unwrap_or(self);
        let kind = source.kind(op);
        if kind == OpKind::SLOT {
            let unit = source.child(op).expect("a slot has its unit").clone_unit();
            return self.adopt(unit);
        }
        let parts = source.parts(op);
        let loc = match parts.loc.view() {
            LocView::Offset(_) if from.is_some_and(|from| from.source != self.source) => Loc::UNKNOWN,
            _ => parts.loc,
        };
        let old_results = source.results(op);
        // Operands and successors follow once their copies are there.
        let new = NewOp { operands: &[], successors: &[], loc, ..parts.as_new() };
        let copy = self.create(&new);
        for (old, new) in old_results.zip(self.results(copy)) {
            self.copy_name(from, old, new);
            map.insert(old, new);
        }
        copy
    }

    fn copy_arg_loc(&mut self, from: Option<&Ir>, old: Value, new: Value) {
        let source = from.unwrap_or(self);
        let foreign = from.is_some_and(|from| from.source != self.source);
        match source.arg_loc(old) {
            loc if matches!(loc.view(), LocView::Offset(_)) && foreign => {}
            Loc::UNKNOWN => {}
            loc => self.set_arg_loc(new, loc),
        }
    }

    fn copy_name(&mut self, from: Option<&Ir>, old: Value, new: Value) {
        let source = from.unwrap_or(self);
        if let Some(name) = source.value_name(old) {
            let name = self.cx.intern(name);
            self.set_value_name(new, Name::Str(name));
        }
    }

    /// Operands and successors, once all values and blocks of the copy are there
    fn remap(&mut self, from: Option<&Ir>, old: OpId, new: OpId, map: &ValueMap) {
        if self.kind(new) == OpKind::SLOT {
            return;
        }
        let inside = from.is_none();
        let source = from.unwrap_or(self);
        let operands: Vec<Value> = source
            .operands(old)
            .filter_map(|value| map.get(value).or_else(|| inside.then_some(value)))
            .collect();
        let segments = source.operand_segments(old).unwrap_or(&[]).to_vec();
        let successors: Vec<BlockId> = source
            .successors(old)
            .filter_map(|block| map.get_block(block).or_else(|| inside.then_some(block)))
            .collect();
        self.set_operands(new, &operands, &segments);
        if !successors.is_empty() {
            self.set_successors(new, &successors);
        }
    }

    /// Replace all successors; the words move to the end of the pool
    pub fn set_successors(&mut self, op: OpId, blocks: &[BlockId]) {
        let regions: Vec<u32> = self.regions(op).map(|region| region.raw()).collect();
        let old = self.ops[op.index()].extra as usize;
        let end = self.successors_at(op);
        let extra = self.words.len() as u32;
        self.words.extend_from_within(old..end);
        self.words.extend(blocks.iter().map(|block| block.raw()));
        self.words.extend(regions);
        let data = &mut self.ops[op.index()];
        (data.extra, data.successors_len) = (extra, blocks.len() as u16);
    }
}
