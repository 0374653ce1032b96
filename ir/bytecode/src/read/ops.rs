//! Ops, blocks and regions.

use super::parts::{Parts, location};
use super::sections::File;
use super::tables::Tables;
use super::values::Values;
use crate::bytes::{Bytes, Read, Wrong};
use crate::codes;
use crate::numbers::{part, section, since};
use terrace_ir::{Attr, BlockId, Ir, Loc, NewOp, OpId, OpKind, Traits, Value};

/// An op whose regions are being read
struct Frame<'a> {
    op: OpId,
    regions: usize,
    next_region: usize,
    blocks: Vec<BlockId>,
    next_block: usize,
    ops_left: usize,
    /// What comes behind the section that holds the regions
    after: Option<Bytes<'a>>,
    /// The regions have values of their own
    scope: bool,
    /// The unit around the op, if it is one, and where it goes there
    outer: Option<(Ir, BlockId)>,
}

struct Reader<'a> {
    tables: Tables<'a>,
    bytes: Bytes<'a>,
    ir: Ir,
    frames: Vec<Frame<'a>>,
    values: Values,
    parts: Parts,
    operands: Vec<Value>,
}

/// Read the section of ops into a module
pub fn read<'a>(file: &mut File<'a>, tables: Tables<'a>, module: OpKind) -> Read<Ir> {
    let cx = tables.cx;
    let mut bytes = file.take(section::IR)?;
    let mut ir = Ir::new_unit(cx, module, cx.def(module).regions.len().max(1), Loc::UNKNOWN);
    let block = ir.append_block(ir.region(ir.root(), 0));
    let (ops_left, arguments) = bytes.flagged_count()?;
    if arguments {
        return bytes.wrong("the block of the file has arguments");
    }
    let frame = Frame {
        op: ir.root(),
        regions: 0,
        next_region: 0,
        blocks: vec![block],
        next_block: 1,
        ops_left,
        after: None,
        scope: false,
        outer: None,
    };
    let mut reader = Reader {
        tables,
        bytes,
        ir,
        frames: vec![frame],
        values: Values::new(),
        parts: Parts::default(),
        operands: Vec::new(),
    };
    while reader.step()? {}
    if !reader.bytes.is_end() {
        return reader.bytes.wrong("bytes are left behind the ops");
    }
    Ok(terrace_text::only_module(reader.ir, block).unwrap_or_else(|module| module))
}

impl<'a> Reader<'a> {
    /// Read the next thing: an op, the head of a block, or the head of a region; false when the file's block has ended
    fn step(&mut self) -> Read<bool> {
        let Some(frame) = self.frames.last_mut() else { return Ok(false) };
        if frame.ops_left > 0 {
            frame.ops_left -= 1;
            let block = frame.blocks[frame.next_block - 1];
            self.op(block)?;
            return Ok(true);
        }
        if frame.next_block < frame.blocks.len() {
            frame.next_block += 1;
            self.block()?;
            return Ok(true);
        }
        if frame.next_region > 0 {
            self.values.close_region(&self.bytes)?;
        }
        let Some(frame) = self.frames.last_mut() else { return Ok(false) };
        if frame.next_region < frame.regions {
            frame.next_region += 1;
            self.region()?;
            return Ok(true);
        }
        self.end_op()?;
        Ok(!self.frames.is_empty())
    }

    /// The head of a region: blocks and values are counted
    fn region(&mut self) -> Read<()> {
        let blocks = self.bytes.count()?;
        let values = if blocks > 0 { self.bytes.count()? } else { 0 };
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let region = self.ir.region(frame.op, frame.next_region - 1);
        frame.blocks.clear();
        for _ in 0..blocks {
            let block = self.ir.create_block();
            self.ir.place_block(region, block);
            frame.blocks.push(block);
        }
        frame.next_block = 0;
        self.values.open_region(values);
        Ok(())
    }

    /// The head of a block: number of ops, arguments
    fn block(&mut self) -> Read<()> {
        let (ops, arguments) = self.bytes.flagged_count()?;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.ops_left = ops;
        let block = frame.blocks[frame.next_block - 1];
        if !arguments {
            return Ok(());
        }
        let count = self.bytes.count()?;
        let short = self.tables.version >= since::SHORT_ARGUMENTS;
        for _ in 0..count {
            let at = self.bytes.at();
            let (ty, located) = if short { self.bytes.flagged()? } else { (self.bytes.number()?, true) };
            let ty = Bytes::below(at, ty, self.tables.num_types(), "type")?;
            let ty = self.tables.type_at(ty)?;
            let loc = if located { location(&mut self.tables, &mut self.bytes)? } else { Loc::UNKNOWN };
            let arg = self.ir.add_block_arg(block, ty);
            if loc != Loc::UNKNOWN {
                self.ir.set_arg_loc(arg, loc);
            }
            self.values.define(&mut self.ir, arg, &self.bytes)?;
        }
        if self.tables.version >= since::USE_ORDERS && self.bytes.byte()? != 0 {
            self.skip_use_orders(count)?;
        }
        Ok(())
    }

    /// Orders of the uses of some values: use lists have none here
    fn skip_use_orders(&mut self, values: usize) -> Read<()> {
        let bytes = &mut self.bytes;
        let count = if values > 1 { bytes.count()? } else { 1 };
        for _ in 0..count {
            if values > 1 {
                bytes.number()?;
            }
            for _ in 0..bytes.flagged_count()?.0 {
                bytes.number()?;
            }
        }
        Ok(())
    }

    fn op(&mut self, block: BlockId) -> Read<()> {
        let at = self.bytes.at();
        let name = self.bytes.index(self.tables.ops.len(), "name of an op")?;
        let mask = self.bytes.byte()?;
        let cx = self.tables.cx;
        let kind = self.tables.ops[name].kind;
        if kind.is_none() {
            self.accept_unregistered(name, at)?;
        }
        let loc = location(&mut self.tables, &mut self.bytes)?;
        let mut parts = std::mem::take(&mut self.parts);
        parts.read(&mut self.tables, &mut self.bytes, name, mask)?;
        let kind = kind.unwrap_or(OpKind::UNREGISTERED);
        self.operands.clear();
        if mask & part::OPERANDS != 0 {
            for _ in 0..self.bytes.count()? {
                let value = self.values.read(&mut self.ir, &mut self.bytes)?;
                self.operands.push(value);
            }
        }
        let successors = self.successors(mask)?;
        if mask & part::USE_ORDERS != 0 {
            self.skip_use_orders(parts.results.len())?;
        }
        let (regions, isolated) =
            if mask & part::REGIONS != 0 { self.bytes.flagged_count()? } else { (0, false) };
        if [regions, parts.results.len(), successors.len()].into_iter().max() > Some(usize::from(u16::MAX)) {
            return self.bytes.wrong("an op has at most 65535 results, regions and successors");
        }
        parts.check(cx, kind, self.operands.len(), &self.bytes)?;
        let dict = std::mem::take(&mut parts.dict);
        let dict = (!dict.is_empty()).then(|| cx.dict_attr(dict));
        if cx.def(kind).traits.has(Traits::Unit) {
            let values = self.operands.len() + parts.results.len() + successors.len();
            if values > 0 || regions != cx.def(kind).regions.len() {
                let message = format!("`{}` takes and gives no values", cx.def(kind).name);
                return Err(Wrong::with(at, &codes::DAMAGED, message));
            }
            self.begin_unit(kind, &parts, dict, loc, isolated, block)?;
            self.parts = parts;
            return Ok(());
        }
        let unregistered = match kind {
            OpKind::UNREGISTERED => {
                [Attr::from_raw(cx.intern(&self.tables.ops[name].name).raw()), parts.raw_properties]
            }
            _ => [None; 2],
        };
        let op = self.ir.create(&NewOp {
            kind,
            operands: &self.operands,
            segments: &parts.segments,
            results: &parts.results,
            result_segments: &parts.result_segments,
            slots: if kind == OpKind::UNREGISTERED { &unregistered } else { &parts.slots },
            dict,
            successors: &successors,
            regions,
            loc,
        });
        self.parts = parts;
        self.ir.append(block, op);
        for n in 0..self.ir.num_results(op) {
            let result = self.ir.result(op, n);
            self.values.define(&mut self.ir, result, &self.bytes)?;
        }
        if regions > 0 { self.begin(op, regions, isolated, isolated, None) } else { Ok(()) }
    }

    #[cold]
    fn accept_unregistered(&self, name: usize, at: usize) -> Read<()> {
        let name = &self.tables.ops[name].name;
        let dialect = name.split_once('.').map_or("", |(dialect, _)| dialect);
        if self.tables.allows_unregistered() && self.tables.cx.dialect(dialect).is_none() {
            return Ok(());
        }
        let message = match self.tables.cx.dialect(dialect) {
            Some(_) => format!("dialect `{dialect}` has no op `{name}`"),
            None => format!("unknown op `{name}`: the dialect `{dialect}` is not registered"),
        };
        Err(Wrong::with(at, &terrace_text::codes::UNKNOWN_OP, message))
    }

    fn successors(&mut self, mask: u8) -> Read<Vec<BlockId>> {
        let mut successors = Vec::new();
        if mask & part::SUCCESSORS != 0 {
            for _ in 0..self.bytes.count()? {
                let blocks = self.frames.last().map_or(&[][..], |frame| &frame.blocks);
                let index = self.bytes.index(blocks.len(), "block")?;
                successors.push(blocks[index]);
            }
        }
        Ok(successors)
    }

    /// The regions of an op follow, in a section of their own where they are isolated
    fn begin(
        &mut self,
        op: OpId,
        regions: usize,
        isolated: bool,
        scope: bool,
        outer: Option<(Ir, BlockId)>,
    ) -> Read<()> {
        let mut after = None;
        if isolated && self.tables.version >= since::REGION_SECTIONS {
            let at = self.bytes.at();
            let (number, content) = self.bytes.section()?;
            if number != section::IR {
                let message =
                    format!("isolated regions are in a section of ops, and this is section {number}");
                return Err(Wrong::with(at, &codes::DAMAGED, message));
            }
            after = Some(std::mem::replace(&mut self.bytes, content));
        }
        if scope {
            self.values.open_scope(!isolated);
        }
        self.frames.push(Frame {
            op,
            regions,
            next_region: 0,
            blocks: Vec::new(),
            next_block: 0,
            ops_left: 0,
            after,
            scope,
            outer,
        });
        Ok(())
    }

    fn begin_unit(
        &mut self,
        kind: OpKind,
        parts: &Parts,
        dict: Option<Attr>,
        loc: Loc,
        isolated: bool,
        block: BlockId,
    ) -> Read<()> {
        let regions = self.tables.cx.def(kind).regions.len();
        let mut unit = Ir::new_unit(self.tables.cx, kind, regions, loc);
        let root = unit.root();
        for (n, slot) in parts.slots.iter().enumerate() {
            unit.set_slot(root, n, *slot);
        }
        unit.set_dict(root, dict);
        let outer = std::mem::replace(&mut self.ir, unit);
        self.begin(root, regions, isolated, true, Some((outer, block)))
    }

    /// All regions of an op have been read
    fn end_op(&mut self) -> Read<()> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        if let Some(after) = frame.after {
            if !self.bytes.is_end() {
                return self.bytes.wrong("bytes are left behind the regions of an op");
            }
            self.bytes = after;
        }
        if frame.scope {
            self.values.close_scope();
        }
        if let Some((outer, block)) = frame.outer {
            let unit = std::mem::replace(&mut self.ir, outer);
            let slot = self.ir.adopt(Box::new(unit));
            self.ir.append(block, slot);
        }
        Ok(())
    }
}
