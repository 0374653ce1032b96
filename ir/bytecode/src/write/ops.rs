//! Ops, blocks and regions.

use super::places::Places;
use super::tables::Tables;
use crate::emitter::Emitter;
use crate::layout::{self, Property};
use crate::numbers::{part, section, since};
use terrace_ir::{Attr, AttrKind, BlockId, Ir, Loc, LocKind, LocView, OpId, OpKind, RegionId, Str, Traits};

/// An op whose regions are being written
struct Frame<'a> {
    ir: &'a Ir,
    regions: std::vec::IntoIter<RegionId>,
    blocks: std::vec::IntoIter<BlockId>,
    next_op: Option<OpId>,
    /// Where the section of the regions begins
    section: Option<usize>,
    /// The number that was free before the region in progress
    free: usize,
    /// The number that was free before isolated regions
    outside: Option<usize>,
    /// Numbers of the unit around, where the op is a unit
    around: Option<Numbers>,
}

/// Numbers of a unit's values, and of blocks in their regions
#[derive(Default)]
struct Numbers {
    values: Vec<u32>,
    blocks: Vec<u32>,
}

impl Numbers {
    fn of(ir: &Ir) -> Numbers {
        Numbers { values: vec![0; ir.value_capacity()], blocks: vec![0; ir.block_capacity()] }
    }
}

struct Writer<'a, 't> {
    tables: &'t mut Tables<'a>,
    out: Emitter,
    numbers: Numbers,
    frames: Vec<Frame<'a>>,
    /// The next number of a value
    free: usize,
    /// The source of the last op
    places: Option<Places<'a>>,
}

/// The section of ops
pub fn write<'a>(ir: &'a Ir, tables: &mut Tables<'a>) -> Emitter {
    let mut writer = Writer {
        tables,
        out: Emitter::default(),
        numbers: Numbers::default(),
        frames: Vec::new(),
        free: 0,
        places: None,
    };
    // One op, and no arguments.
    writer.out.flagged(1, false);
    writer.op(ir, ir.root());
    while writer.step() {}
    writer.out
}

impl<'a> Writer<'a, '_> {
    /// Write the next op, or the head of a block or region; false when all is written
    fn step(&mut self) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let ir = frame.ir;
        if let Some(op) = frame.next_op {
            frame.next_op = ir.next(op);
            match ir.child(op) {
                Some(unit) => self.op(unit, unit.root()),
                None => self.op(ir, op),
            }
        } else if let Some(block) = frame.blocks.next() {
            frame.next_op = ir.first_op(block);
            self.block(ir, block);
        } else {
            self.free = frame.free;
            match frame.regions.next() {
                Some(region) => self.region(ir, region),
                None => self.end(),
            }
        }
        true
    }

    /// The head of a region; its values get numbers
    fn region(&mut self, ir: &'a Ir, region: RegionId) {
        let blocks: Vec<BlockId> = ir.blocks(region).collect();
        let start = self.free;
        for (n, &block) in blocks.iter().enumerate() {
            self.numbers.blocks[block.index()] = n as u32;
            for &arg in ir.block_args(block) {
                self.numbers.values[arg.index()] = self.free as u32;
                self.free += 1;
            }
            for op in ir.block_ops(block) {
                for result in ir.results(op) {
                    self.numbers.values[result.index()] = self.free as u32;
                    self.free += 1;
                }
            }
        }
        self.out.number(blocks.len() as u64);
        if !blocks.is_empty() {
            self.out.number((self.free - start) as u64);
        }
        if let Some(frame) = self.frames.last_mut() {
            (frame.free, frame.blocks) = (start, blocks.into_iter());
        }
    }

    fn block(&mut self, ir: &Ir, block: BlockId) {
        let args = ir.block_args(block);
        self.out.flagged(ir.block_ops(block).count() as u64, !args.is_empty());
        if args.is_empty() {
            return;
        }
        let version = self.tables.version;
        self.out.number(args.len() as u64);
        for &arg in args {
            let ty = self.tables.ty(ir.ty(arg));
            let loc = ir.arg_loc(arg);
            let known = loc != Loc::UNKNOWN;
            if version < since::SHORT_ARGUMENTS {
                self.out.number(ty)
            } else {
                self.out.flagged(ty, known)
            }
            if known || version < since::SHORT_ARGUMENTS {
                self.loc(ir, loc);
            }
        }
        if version >= since::USE_ORDERS {
            self.out.byte(0);
        }
    }

    fn loc(&mut self, ir: &Ir, loc: Loc) {
        let cx = self.tables.cx;
        let number = match (loc.view(), ir.source()) {
            (LocView::Attr(attr), _) => self.tables.attr(attr),
            (LocView::Offset(at), Some(source)) => {
                let places = match &mut self.places {
                    Some(places) if places.is_of(source) => places,
                    places => places.insert(Places::of(cx, source)),
                };
                let (line, col) = places.line_col(at);
                let file = places.file;
                self.tables.place(file, line, col)
            }
            _ => self.tables.attr(cx.attr(AttrKind::Loc(LocKind::Unknown))),
        };
        self.out.number(number);
    }

    fn op(&mut self, ir: &'a Ir, op: OpId) {
        let kind = ir.kind(op);
        let name = self.tables.op(kind, ir.op_name(op));
        self.out.number(name);
        let at = self.out.bytes.len();
        self.out.byte(0);
        self.loc(ir, ir.loc(op));
        let mut mask = self.attrs(ir, op, kind);
        let results = ir.num_results(op);
        if results > 0 {
            mask |= part::RESULTS;
            self.out.number(results as u64);
            for result in ir.results(op) {
                let ty = self.tables.ty(ir.ty(result));
                self.out.number(ty);
            }
        }
        let operands = ir.num_operands(op);
        if operands > 0 {
            mask |= part::OPERANDS;
            self.out.number(operands as u64);
            for operand in ir.operands(op) {
                self.out.number(self.numbers.values[operand.index()].into());
            }
        }
        let successors = ir.num_successors(op);
        if successors > 0 {
            mask |= part::SUCCESSORS;
            self.out.number(successors as u64);
            for block in ir.successors(op) {
                self.out.number(self.numbers.blocks[block.index()].into());
            }
        }
        let regions: Vec<RegionId> = ir.regions(op).collect();
        if !regions.is_empty() {
            mask |= part::REGIONS;
            self.begin(ir, op, regions);
        }
        self.out.bytes[at] = mask;
    }

    /// Attributes and properties; the parts that there are
    fn attrs(&mut self, ir: &Ir, op: OpId, kind: OpKind) -> u8 {
        let cx = self.tables.cx;
        let apart = self.tables.version >= since::PROPERTIES;
        let mut entries: Vec<(Str, Attr)> =
            ir.dict(op).and_then(|dict| dict.as_dict(cx)).unwrap_or_default().to_vec();
        let mut properties = None;
        if kind == OpKind::UNREGISTERED {
            match ir.raw_properties(op) {
                Some(raw) if apart => {
                    let mut bytes = Emitter::default();
                    bytes.number(self.tables.attr(raw));
                    properties = Some(bytes);
                }
                raw => entries.extend(raw.and_then(|raw| raw.as_dict(cx)).unwrap_or_default()),
            }
        } else if apart {
            properties = self.properties(ir, op, kind, &mut entries);
        } else {
            self.own_entries(ir, op, &mut entries);
        }
        let mut mask = 0;
        if !entries.is_empty() {
            mask |= part::ATTRS;
            let dict = self.tables.attr(cx.dict_attr(entries));
            self.out.number(dict);
        }
        if let Some(properties) = properties {
            mask |= part::PROPERTIES;
            let number = self.tables.property(properties.bytes);
            self.out.number(number);
        }
        mask
    }

    /// The op's own attributes among the others
    fn own_entries(&mut self, ir: &Ir, op: OpId, entries: &mut Vec<(Str, Attr)>) {
        let (cx, def) = (self.tables.cx, ir.def(op));
        for (slot, spec) in def.attrs.iter().enumerate() {
            // Upstream has no attribute for a C++ value that is the default.
            let default = || spec.stored_default(cx).filter(|_| !layout::is_flag(def, spec.name));
            let value = ir.slot(op, slot).or_else(default);
            entries.extend(value.map(|value| (cx.intern(spec.name), value)));
        }
        let segments = [
            ("operandSegmentSizes", ir.operand_segments(op)),
            ("resultSegmentSizes", ir.result_segments(op)),
        ];
        for (name, sizes) in segments {
            entries.extend(sizes.map(|sizes| (cx.intern(name), sizes_attr(ir, sizes))));
        }
    }

    /// The op's properties in their order; what is a property upstream only is taken out of the entries
    fn properties(
        &mut self,
        ir: &Ir,
        op: OpId,
        kind: OpKind,
        entries: &mut Vec<(Str, Attr)>,
    ) -> Option<Emitter> {
        let (cx, def) = (self.tables.cx, ir.def(op));
        let layout = self.tables.layout(kind);
        if layout.is_empty() {
            return None;
        }
        let value = |slot: usize| ir.slot(op, slot).or_else(|| def.attrs[slot].stored_default(cx));
        let mut out = Emitter::default();
        for property in layout.iter() {
            match *property {
                Property::Attr { slot, optional } => self.attr_of(value(slot), optional, &mut out),
                Property::Other { name, optional } => {
                    let at = entries.iter().position(|(other, _)| cx.str(*other) == name);
                    let value = at.map(|at| entries.remove(at).1);
                    self.attr_of(value, optional, &mut out);
                }
                Property::SegmentsAttr { operands } => {
                    let sizes = if operands { ir.operand_segments(op) } else { ir.result_segments(op) };
                    let sizes = sizes_attr(ir, sizes.unwrap_or_default());
                    self.attr_of(Some(sizes), false, &mut out);
                }
                Property::Segments { operands } => {
                    let sizes = if operands { ir.operand_segments(op) } else { ir.result_segments(op) };
                    let sizes = sizes.unwrap_or_default();
                    out.flagged(sizes.len() as u64, false);
                    sizes.iter().for_each(|size| out.number((*size).into()));
                }
                Property::Flag { slot } => out.byte(u8::from(value(slot) == Some(cx.common().unit))),
            }
        }
        Some(out)
    }

    /// An attribute that may be absent, or one that is there in verified IR
    fn attr_of(&mut self, value: Option<Attr>, optional: bool, out: &mut Emitter) {
        match (value, optional) {
            (Some(value), true) => out.flagged(self.tables.attr(value), true),
            (None, true) => out.number(0),
            (value, false) => {
                let value = value.unwrap_or(self.tables.cx.common().unit);
                out.number(self.tables.attr(value));
            }
        }
    }

    /// The regions of an op follow
    fn begin(&mut self, ir: &'a Ir, op: OpId, regions: Vec<RegionId>) {
        let isolated = ir.has(op, Traits::IsolatedFromAbove);
        self.out.flagged(regions.len() as u64, isolated);
        let sections = isolated && self.tables.version >= since::REGION_SECTIONS;
        let section = sections.then(|| self.out.open(section::IR));
        let outside = isolated.then(|| std::mem::take(&mut self.free));
        let unit = op == ir.root();
        let around = unit.then(|| std::mem::replace(&mut self.numbers, Numbers::of(ir)));
        self.frames.push(Frame {
            ir,
            regions: regions.into_iter(),
            blocks: Vec::new().into_iter(),
            next_op: None,
            section,
            free: self.free,
            outside,
            around,
        });
    }

    /// All regions of an op are written
    fn end(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if let Some(start) = frame.section {
            self.out.close(start);
        }
        if let Some(outside) = frame.outside {
            self.free = outside;
        }
        if let Some(around) = frame.around {
            self.numbers = around;
        }
    }
}

/// `array<i32: …>` of sizes
fn sizes_attr(ir: &Ir, sizes: &[u32]) -> Attr {
    let (cx, elem) = (ir.cx(), ir.cx().common().i32);
    cx.attr(AttrKind::DenseArray { elem, values: sizes.iter().map(|size| i64::from(*size)).collect() })
}
