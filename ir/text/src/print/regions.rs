//! Regions and blocks, and ops in generic form: one loop with a stack of its own over generic ops inside of each other.
//!
//! A custom syntax calls back for its regions, which recurses; the machine stack grows on demand for that, so that
//! depth costs memory only.

use super::kinds::Property;
use super::op::OpPrinter;
use super::stack::deeper;
use terrace_ir::show::push_int;
use terrace_ir::{BlockId, OpId, OpKind, RegionId};
use terrace_support::HashMap;

/// What to do when a region is closed
#[derive(Clone, Copy)]
enum After {
    /// The caller goes on
    Return,
    /// Next region or the end of this op in generic form
    Generic(OpId, usize),
}

/// A region being printed
struct Frame {
    block: Option<BlockId>,
    op: Option<OpId>,
    /// Terminator that is left out
    elided: Option<OpId>,
    after: After,
    /// Default dialect outside
    dialect: &'static str,
    /// Blocks before each, once for each branch, where comments name them
    predecessors: HashMap<BlockId, Vec<BlockId>>,
}

impl OpPrinter<'_> {
    /// The root op of the unit at hand
    pub(super) fn root_op(&mut self) {
        let root = self.ir.root();
        self.op = root;
        self.results();
        deeper(|| match self.is_generic(root) {
            true => self.generic_with_regions(root),
            false => self.custom(root),
        });
    }

    /// `"name"(%a)[^bb1] <{…}>`
    pub(super) fn generic_head(&mut self, op: OpId) {
        let ir = self.ir;
        self.string(ir.op_name(op));
        self.text("(");
        self.operands(ir.operands(op));
        self.text(")");
        if ir.num_successors(op) > 0 {
            for (n, block) in ir.successors(op).enumerate() {
                self.text(if n == 0 { "[" } else { ", " });
                self.successor(block);
            }
            self.text("]");
        }
        if ir.kind(op) == OpKind::UNREGISTERED {
            if let Some(properties) = ir.raw_properties(op) {
                self.text(" <");
                self.w.attr(properties);
                self.text(">");
            }
            return;
        }
        let info = self.info(op);
        let mut any = false;
        for &(name, property) in &info.properties {
            let attr = match property {
                Property::Slot(slot) => ir.slot(op, slot).or(info.stored[slot]),
                Property::OperandSegments | Property::ResultSegments => None,
            };
            let sizes = match property {
                Property::Slot(_) => None,
                Property::OperandSegments => ir.operand_segments(op),
                Property::ResultSegments => ir.result_segments(op),
            };
            if attr.is_none() && sizes.is_none() {
                continue;
            }
            self.text(if any { ", " } else { " <{" });
            any = true;
            if let Some(attr) = attr {
                self.entry(name, attr);
            }
            if let Some(sizes) = sizes {
                self.text(name);
                self.text(" = array<i32");
                for (n, &size) in sizes.iter().enumerate() {
                    self.text(if n == 0 { ": " } else { ", " });
                    push_int(&mut self.w.out, size.into());
                }
                self.text(">");
            }
        }
        if any {
            self.text("}>");
        }
    }

    /// ` {…} : (…) -> …`
    pub(super) fn generic_tail(&mut self, op: OpId) {
        let outer = std::mem::replace(&mut self.op, op);
        if self.ir.dict(op).is_some() {
            self.dict_of(&[], u64::MAX, " {");
        }
        self.text(" : ");
        self.functional_type();
        self.op = outer;
    }

    /// `{…}`
    pub(super) fn region_with(
        &mut self,
        region: RegionId,
        entry_args: bool,
        terminators: bool,
        empty_block: bool,
    ) {
        if self.options.skip_regions {
            return self.text("{...}");
        }
        deeper(|| {
            let outer = self.op;
            let mut stack = Vec::new();
            self.open(region, entry_args, terminators, empty_block, After::Return, &mut stack);
            self.run(&mut stack);
            self.op = outer;
        });
    }

    fn open(
        &mut self,
        region: RegionId,
        entry_args: bool,
        terminators: bool,
        empty_block: bool,
        after: After,
        stack: &mut Vec<Frame>,
    ) {
        let ir = self.ir;
        self.text("{\n");
        let dialect = self.dialect;
        let entry = ir.entry(region);
        let predecessors = self.predecessors(region);
        let mut frame = Frame { block: entry, op: None, elided: None, after, dialect, predecessors };
        if let Some(entry) = entry {
            self.dialect = self.info(ir.region_parent(region)).default_dialect;
            let first = ir.first_op(entry);
            if (entry_args && !ir.block_args(entry).is_empty()) || (empty_block && first.is_none()) {
                self.header(entry, true, &frame.predecessors);
            }
            frame.op = first;
            frame.elided = ir.last_op(entry).filter(|_| !terminators);
        }
        stack.push(frame);
        self.depth += 1;
    }

    /// What comments of a region are about; nothing where there are none
    fn predecessors(&self, region: RegionId) -> HashMap<BlockId, Vec<BlockId>> {
        let mut found: HashMap<BlockId, Vec<BlockId>> = HashMap::default();
        if self.options.predecessors {
            for block in self.ir.blocks(region) {
                for to in self.ir.last_op(block).into_iter().flat_map(|last| self.ir.successors(last)) {
                    found.entry(to).or_default().push(block);
                }
            }
        }
        found
    }

    /// `^name(%a: i32):` and a line break, at the level of the region's braces
    fn header(&mut self, block: BlockId, entry: bool, predecessors: &HashMap<BlockId, Vec<BlockId>>) {
        self.indent();
        self.successor(block);
        let args = self.ir.block_args(block);
        for (n, &arg) in args.iter().enumerate() {
            self.text(if n == 0 { "(" } else { ", " });
            self.block_arg_with_type(arg);
            self.arg_loc(arg);
        }
        self.text(if args.is_empty() { ":" } else { "):" });
        if self.options.predecessors {
            match predecessors.get(&block).map_or(&[][..], Vec::as_slice) {
                [] if entry => {}
                [] => self.text("  // no predecessors"),
                [one] => {
                    self.text("  // pred: ");
                    self.successor(*one);
                }
                several => {
                    self.text("  // ");
                    self.int(several.len() as i128);
                    for (n, one) in several.iter().enumerate() {
                        self.text(if n == 0 { " preds: " } else { ", " });
                        self.successor(*one);
                    }
                }
            }
        }
        self.text("\n");
    }

    fn run(&mut self, stack: &mut Vec<Frame>) {
        let ir = self.ir;
        while let Some(frame) = stack.last_mut() {
            if let Some(op) = frame.op {
                if frame.elided == Some(op) {
                    frame.op = None;
                    continue;
                }
                frame.op = ir.next(op);
                if self.hollow && ir.kind(op) == OpKind::SLOT {
                    self.hole = Some(self.w.out.len());
                    continue;
                }
                self.indent();
                if ir.num_regions(op) > 0 && self.is_generic(op) {
                    self.op = op;
                    self.results();
                    self.generic_head(op);
                    self.text(" (");
                    self.open(ir.region(op, 0), true, true, true, After::Generic(op, 0), stack);
                } else {
                    self.whole_op(op);
                    self.end_line(op);
                }
                continue;
            }
            frame.block = frame.block.and_then(|block| ir.next_block(block));
            if let Some(block) = frame.block {
                (frame.op, frame.elided) = (ir.first_op(block), None);
                let predecessors = std::mem::take(&mut frame.predecessors);
                self.depth -= 1;
                self.header(block, false, &predecessors);
                self.depth += 1;
                if let Some(frame) = stack.last_mut() {
                    frame.predecessors = predecessors;
                }
                continue;
            }
            let (after, dialect) = (frame.after, frame.dialect);
            stack.pop();
            self.depth -= 1;
            self.dialect = dialect;
            self.indent();
            self.text("}");
            let After::Generic(op, n) = after else { continue };
            if n + 1 < ir.num_regions(op) {
                self.text(", ");
                self.open(ir.region(op, n + 1), true, true, true, After::Generic(op, n + 1), stack);
            } else {
                self.text(")");
                self.generic_tail(op);
                self.end_line(op);
            }
        }
    }

    /// An op with everything inside, wherever it is, without line break
    pub(super) fn op_anywhere(&mut self, op: OpId) {
        let ir = self.ir;
        if op == ir.root() {
            return self.root_op();
        }
        if !self.is_generic(op) || ir.num_regions(op) == 0 {
            return self.whole_op(op);
        }
        self.op = op;
        self.results();
        self.generic_with_regions(op);
    }

    /// An op in generic form; its regions are printed one after the other, what is inside of them by the loop
    fn generic_with_regions(&mut self, op: OpId) {
        self.generic_head(op);
        let regions: Vec<RegionId> = self.ir.regions(op).collect();
        for (n, &region) in regions.iter().enumerate() {
            self.text(if n == 0 { " (" } else { ", " });
            self.region_with(region, true, true, true);
        }
        if !regions.is_empty() {
            self.text(")");
        }
        self.generic_tail(op);
    }

    fn end_line(&mut self, op: OpId) {
        self.trailing_loc(op);
        self.text("\n");
        if let Some(sink) = &mut self.sink {
            sink.drain(&mut self.w.out);
        }
    }
}
