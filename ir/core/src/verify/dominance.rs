//! Dominance by order and scope: one walk that marks values as they come into scope and unmarks them as they leave.
//!
//! Linear in ops and operands: no use looks up a tree. Regions of several blocks are walked in preorder of their
//! dominator tree. Uses in unreachable blocks are not restricted (MLIR's rule), yet values defined there are in scope
//! nowhere else. A mark is the isolation depth at which the value was defined, so that an isolated region sees only
//! its own.

use super::VerifyCx;
use crate::codes;
use crate::dom::DomTree;
use crate::ir::{BlockId, OpId, RegionId, Value, ValueDef};
use crate::traits::Traits;

/// What is left to do, innermost last
enum Todo {
    /// Walk a region
    Region(RegionId),
    /// Walk a block, then the blocks it dominates
    Block(BlockId, usize),
    /// Walk from an op to the end of its block
    Ops(Option<OpId>),
    /// Forget marks down to this many
    Unmark(usize),
    /// Bring the results of an op into scope, after its regions
    Results(OpId),
    /// Leave an isolated region
    Surface,
    /// Drop the innermost dominator tree
    EndTree,
}

struct Walk<'v, 'a> {
    v: &'v VerifyCx<'a>,
    /// Isolation depth at which each value is visible, 0 for not visible
    mark: Vec<u32>,
    marked: Vec<Value>,
    depth: u32,
    trees: Vec<DomTree>,
    todo: Vec<Todo>,
}

pub(super) fn check(v: &VerifyCx<'_>) {
    let mark = vec![0; v.ir.value_capacity()];
    let mut walk = Walk { v, mark, marked: Vec::new(), depth: 1, trees: Vec::new(), todo: Vec::new() };
    let regions: Vec<RegionId> = v.ir.regions(v.ir.root()).collect();
    walk.todo.extend(regions.into_iter().rev().map(Todo::Region));
    walk.run();
}

impl Walk<'_, '_> {
    fn run(&mut self) {
        let ir = self.v.ir;
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Region(region) => self.region(region),
                Todo::Block(block, tree) => {
                    self.todo.push(Todo::Unmark(self.marked.len()));
                    let children = self.trees[tree].children(block).rev();
                    self.todo.extend(children.map(|b| Todo::Block(b, tree)));
                    self.block_args(block);
                    self.todo.push(Todo::Ops(ir.first_op(block)));
                }
                Todo::Ops(next) => self.ops(next),
                Todo::Unmark(len) => {
                    while self.marked.len() > len {
                        let value = self.marked.pop().expect("longer than len");
                        self.mark[value.index()] = 0;
                    }
                }
                Todo::Results(op) => {
                    for result in ir.results(op) {
                        self.show(result);
                    }
                }
                Todo::Surface => self.depth -= 1,
                Todo::EndTree => {
                    self.trees.pop();
                }
            }
        }
    }

    fn show(&mut self, value: Value) {
        self.mark[value.index()] = self.depth;
        self.marked.push(value);
    }

    fn block_args(&mut self, block: BlockId) {
        for &arg in self.v.ir.block_args(block) {
            self.mark[arg.index()] = self.depth;
            self.marked.push(arg);
        }
    }

    fn region(&mut self, region: RegionId) {
        let ir = self.v.ir;
        let Some(entry) = ir.entry(region) else { return };
        let graph = ir.has(ir.region_parent(region), Traits::GraphRegion);
        self.todo.push(Todo::Unmark(self.marked.len()));
        if graph {
            for block in ir.blocks(region) {
                for op in ir.block_ops(block) {
                    for result in ir.results(op) {
                        self.show(result);
                    }
                }
            }
        }
        if ir.single_block(region).is_some() {
            self.block_args(entry);
            self.todo.push(Todo::Ops(ir.first_op(entry)));
            return;
        }
        self.trees.push(DomTree::new(ir, region));
        self.todo.push(Todo::EndTree);
        self.todo.push(Todo::Block(entry, self.trees.len() - 1));
    }

    fn ops(&mut self, mut next: Option<OpId>) {
        let ir = self.v.ir;
        while let Some(op) = next {
            for (n, operand) in ir.operands(op).enumerate() {
                if self.mark[operand.index()] != self.depth {
                    self.report(op, n, operand);
                }
            }
            next = ir.next(op);
            if ir.num_regions(op) > 0 {
                self.todo.push(Todo::Ops(next));
                self.enter(op);
                return;
            }
            for result in ir.results(op) {
                self.show(result);
            }
        }
    }

    /// Push the regions of an op, then its results: an op's regions do not see its results
    fn enter(&mut self, op: OpId) {
        let ir = self.v.ir;
        let regions: Vec<RegionId> = ir.regions(op).collect();
        self.todo.push(Todo::Results(op));
        if ir.has(op, Traits::IsolatedFromAbove) {
            self.depth += 1;
            self.todo.push(Todo::Surface);
        }
        self.todo.extend(regions.into_iter().rev().map(Todo::Region));
    }

    fn report(&self, op: OpId, n: usize, operand: Value) {
        let (v, ir) = (self.v, self.v.ir);
        let place = match ir.value_def(operand) {
            None => None,
            Some(ValueDef::Result(def, _)) => ir.span(def),
            Some(ValueDef::Arg(block, _)) => ir.block_parent(block).and_then(|op| ir.span(op)),
        };
        let name = ir.value_name(operand).map_or(String::new(), |name| format!(" (%{name})"));
        let outer = self.mark[operand.index()];
        let error = if outer != 0 && outer < self.depth {
            v.error(
                op,
                &codes::ISOLATED,
                format!("operand #{n}{name} comes from outside of an isolated region"),
            )
        } else {
            v.error(op, &codes::DOMINANCE, format!("operand #{n}{name} does not dominate this use"))
        };
        let _ = v.emit(error.note_at(place, "the operand is defined here"));
    }
}
