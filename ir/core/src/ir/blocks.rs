//! Blocks and regions: creating, placing, arguments, moving ops between blocks.

use super::{ARG, BlockData, BlockId, Ir, Loc, Name, OpId, RegionId, Span32, Value, ValueData};
use crate::handles::Type;

impl Ir {
    /// Append an empty block to a region
    pub fn append_block(&mut self, region: RegionId) -> BlockId {
        let block = self.create_block();
        self.place_block(region, block);
        block
    }

    /// Make a block that is in no region yet
    pub fn create_block(&mut self) -> BlockId {
        let block = BlockId::new(self.blocks.len());
        let args = Span32 { start: self.arg_lists.len() as u32, len: 0 };
        let empty =
            BlockData { region: None, args, first: None, last: None, prev: None, next: None, name: 0 };
        self.blocks.push(empty);
        block
    }

    /// Put a block that is in no region at the end of one
    pub fn place_block(&mut self, region: RegionId, block: BlockId) {
        debug_assert!(self.blocks[block.index()].region.is_none());
        let last = self.regions[region.index()].last;
        let data = &mut self.blocks[block.index()];
        (data.region, data.prev, data.next) = (Some(region), last, None);
        match last {
            Some(last) => self.blocks[last.index()].next = Some(block),
            None => self.regions[region.index()].first = Some(block),
        }
        self.regions[region.index()].last = Some(block);
    }

    /// Put a block that is in no region right after another one
    pub fn place_block_after(&mut self, prev: BlockId, block: BlockId) {
        let Some(region) = self.blocks[prev.index()].region else { return };
        let next = self.blocks[prev.index()].next;
        let data = &mut self.blocks[block.index()];
        (data.region, data.prev, data.next) = (Some(region), Some(prev), next);
        self.blocks[prev.index()].next = Some(block);
        match next {
            Some(next) => self.blocks[next.index()].prev = Some(block),
            None => self.regions[region.index()].last = Some(block),
        }
    }

    /// Take a block out of its region and keep it
    pub fn detach_block(&mut self, block: BlockId) {
        let data = &mut self.blocks[block.index()];
        let (region, prev, next) = (data.region.take(), data.prev.take(), data.next.take());
        let Some(region) = region else { return };
        match prev {
            Some(prev) => self.blocks[prev.index()].next = next,
            None => self.regions[region.index()].first = next,
        }
        match next {
            Some(next) => self.blocks[next.index()].prev = prev,
            None => self.regions[region.index()].last = prev,
        }
    }

    /// Erase a block with its ops; nothing outside may use what it defines
    pub fn erase_block(&mut self, block: BlockId) {
        let ops: Vec<OpId> = self.block_ops(block).collect();
        for &op in ops.iter().rev() {
            self.erase(op);
        }
        for arg in self.block_args(block).to_vec() {
            self.values[arg.index()].def = 0;
        }
        self.detach_block(block);
    }

    /// Remove blocks with everything in them, whose values nothing else uses
    ///
    /// Uses among these blocks may run in any direction.
    pub fn erase_blocks(&mut self, blocks: &[BlockId]) {
        let ops: Vec<OpId> = blocks.iter().flat_map(|block| self.block_ops(*block)).collect();
        for op in ops {
            let inside: Vec<OpId> = self.walk_below(op).chain([op]).collect();
            for op in inside {
                let segments = self.no_operands(op);
                self.set_operands(op, &[], &segments);
            }
        }
        for block in blocks {
            self.erase_block(*block);
        }
    }

    /// Region of a block
    pub fn block_region(&self, block: BlockId) -> Option<RegionId> {
        self.blocks[block.index()].region
    }

    /// The op that a region belongs to
    #[inline]
    pub fn region_parent(&self, region: RegionId) -> OpId {
        self.regions[region.index()].parent
    }

    /// The op around a block
    pub fn block_parent(&self, block: BlockId) -> Option<OpId> {
        Some(self.region_parent(self.block_region(block)?))
    }

    /// First block of a region
    #[inline]
    pub fn entry(&self, region: RegionId) -> Option<BlockId> {
        self.regions[region.index()].first
    }

    /// The only block of a region
    pub fn single_block(&self, region: RegionId) -> Option<BlockId> {
        let data = &self.regions[region.index()];
        if data.first == data.last { data.first } else { None }
    }

    /// Blocks of a region in order
    pub fn blocks(&self, region: RegionId) -> impl Iterator<Item = BlockId> + Clone + '_ {
        std::iter::successors(self.entry(region), |block| self.blocks[block.index()].next)
    }

    /// The block after this one in its region
    pub fn next_block(&self, block: BlockId) -> Option<BlockId> {
        self.blocks[block.index()].next
    }

    /// First op of a block
    #[inline]
    pub fn first_op(&self, block: BlockId) -> Option<OpId> {
        self.blocks[block.index()].first
    }

    /// Last op of a block: its terminator in verified IR that needs one
    #[inline]
    pub fn last_op(&self, block: BlockId) -> Option<OpId> {
        self.blocks[block.index()].last
    }

    /// Ops of a block in order
    #[inline]
    pub fn block_ops(&self, block: BlockId) -> impl Iterator<Item = OpId> + Clone + '_ {
        std::iter::successors(self.first_op(block), |op| self.next(*op))
    }

    /// Arguments of a block
    #[inline]
    pub fn block_args(&self, block: BlockId) -> &[Value] {
        &self.arg_lists[self.blocks[block.index()].args.range()]
    }

    /// Append an argument to a block
    pub fn add_block_arg(&mut self, block: BlockId, ty: Type) -> Value {
        let value = Value::new(self.values.len());
        let span = self.blocks[block.index()].args;
        let data = ValueData { ty, def: block.raw() | ARG, index: span.len, first_use: 0, name: 0 };
        self.values.push(data);
        if span.range().end != self.arg_lists.len() {
            let start = self.arg_lists.len() as u32;
            self.arg_lists.extend_from_within(span.range());
            self.blocks[block.index()].args.start = start;
        }
        self.arg_lists.push(value);
        self.blocks[block.index()].args.len += 1;
        value
    }

    /// Location of a block argument: as it was given, else where its name stands
    pub fn arg_loc(&self, arg: Value) -> Loc {
        if let Ok(at) = self.arg_locs.binary_search_by_key(&arg.raw(), |(arg, _)| arg.raw()) {
            return self.arg_locs[at].1;
        }
        match Name::decode(self.values[arg.index()].name) {
            Name::Offset(at) => Loc::offset(at),
            _ => Loc::UNKNOWN,
        }
    }

    /// Give a block argument a location
    pub fn set_arg_loc(&mut self, arg: Value, loc: Loc) {
        // Arguments mostly get theirs in order of their making.
        match self.arg_locs.binary_search_by_key(&arg.raw(), |(arg, _)| arg.raw()) {
            Ok(at) => self.arg_locs[at].1 = loc,
            Err(at) => self.arg_locs.insert(at, (arg, loc)),
        }
    }

    /// Remove an unused argument of a block; those after it move up
    pub fn remove_block_arg(&mut self, block: BlockId, n: usize) {
        let range = self.blocks[block.index()].args.range();
        let dead = self.arg_lists[range.start + n];
        debug_assert!(!self.is_used(dead));
        self.values[dead.index()].def = 0;
        self.arg_lists.copy_within(range.start + n + 1..range.end, range.start + n);
        self.blocks[block.index()].args.len -= 1;
        for at in range.start + n..range.end - 1 {
            let value = self.arg_lists[at];
            self.values[value.index()].index = (at - range.start) as u32;
        }
    }

    /// Remove the arguments that do not stay, which are unused; gives their numbers. Linear in arguments
    pub fn retain_block_args(
        &mut self,
        block: BlockId,
        mut stays: impl FnMut(&Ir, Value) -> bool,
    ) -> Vec<usize> {
        let args = self.block_args(block).to_vec();
        let start = self.blocks[block.index()].args.range().start;
        let (mut left, mut gone) = (0, Vec::new());
        for (n, arg) in args.into_iter().enumerate() {
            if stays(self, arg) {
                self.arg_lists[start + left] = arg;
                self.values[arg.index()].index = left as u32;
                left += 1;
            } else {
                debug_assert!(!self.is_used(arg));
                self.values[arg.index()].def = 0;
                gone.push(n);
            }
        }
        self.blocks[block.index()].args.len = left as u32;
        gone
    }

    /// Name a block
    pub fn set_block_name(&mut self, block: BlockId, name: Name) {
        self.blocks[block.index()].name = name.encode();
    }

    /// Move an op and all after it to the end of another block
    pub fn move_tail(&mut self, from: OpId, to: BlockId) {
        let mut next = Some(from);
        while let Some(op) = next {
            next = self.next(op);
            self.detach(op);
            self.append(to, op);
        }
    }

    /// Split a block before `op`: the new block follows it in the region and gets `op` and all after it
    pub fn split_block(&mut self, op: OpId) -> Option<BlockId> {
        let block = self.block(op)?;
        let tail = self.create_block();
        self.place_block_after(block, tail);
        self.move_tail(op, tail);
        Some(tail)
    }

    /// Move all blocks of one region to the end of another one of this unit
    pub fn move_blocks(&mut self, from: RegionId, to: RegionId) {
        let blocks: Vec<BlockId> = self.blocks(from).collect();
        for block in blocks {
            self.detach_block(block);
            self.place_block(to, block);
        }
    }
}
