//! Which ops, and which classes of values, something depends on.

use super::classes::Classes;
use terrace_dataflow::Tree;
use terrace_ir::{Effects, Ir, OpId, OpKind, RegionId, Traits, Value};

/// What is needed
pub struct Needs {
    ops: Vec<Vec<bool>>,
    values: Vec<Vec<bool>>,
    classes: Vec<bool>,
}

enum Todo {
    Op(usize, OpId),
    Value(usize, Value),
}

impl Needs {
    /// Follow needs backward
    pub fn of(tree: &Tree<'_>, classes: &Classes) -> Needs {
        let units = 0..tree.len();
        let mut needs = Needs {
            ops: units.clone().map(|n| vec![false; tree.get(n).op_capacity()]).collect(),
            values: units.clone().map(|n| vec![false; tree.get(n).value_capacity()]).collect(),
            classes: vec![false; classes.len()],
        };
        let mut todo = Vec::new();
        for n in units {
            let ir = tree.get(n);
            todo.push(Todo::Op(n, ir.root()));
            todo.extend(ir.walk().filter(|op| has_effect(ir, *op)).map(|op| Todo::Op(n, op)));
        }
        while let Some(next) = todo.pop() {
            match next {
                Todo::Op(n, op) => needs.op(tree.get(n), n, op, classes, &mut todo),
                Todo::Value(n, value) => needs.value(tree, n, value, classes, &mut todo),
            }
        }
        needs
    }

    /// Must the op stay?
    pub fn has_op(&self, n: usize, op: OpId) -> bool {
        self.ops[n][op.index()]
    }

    /// Must a class of values stay?
    pub fn has_class(&self, class: usize) -> bool {
        self.classes[class]
    }

    fn op(&mut self, ir: &Ir, n: usize, op: OpId, classes: &Classes, todo: &mut Vec<Todo>) {
        if std::mem::replace(&mut self.ops[n][op.index()], true) || ir.kind(op) == OpKind::SLOT {
            return;
        }
        todo.extend(ir.parent(op).map(|around| Todo::Op(n, around)));
        let fixed = (0..ir.num_operands(op)).filter(|k| classes.of_use((n, op, *k)).is_none());
        todo.extend(fixed.map(|k| Todo::Value(n, ir.operand(op, k))));
        for region in ir.regions(op).collect::<Vec<RegionId>>() {
            let ends = ir.blocks(region).filter_map(|block| ir.last_op(block));
            todo.extend(ends.filter(|end| ir.has(*end, Traits::Terminator)).map(|end| Todo::Op(n, end)));
        }
    }

    fn value(&mut self, tree: &Tree<'_>, n: usize, value: Value, classes: &Classes, todo: &mut Vec<Todo>) {
        if std::mem::replace(&mut self.values[n][value.index()], true) {
            return;
        }
        let ir = tree.get(n);
        let owner =
            ir.defining_op(value).or_else(|| ir.value_block(value).and_then(|block| ir.block_parent(block)));
        todo.extend(owner.map(|owner| Todo::Op(n, owner)));
        if let Some(class) = classes.of_value((n, value))
            && !std::mem::replace(&mut self.classes[class], true)
        {
            let members = classes.members(class).iter();
            todo.extend(members.map(|&(n, op, k)| Todo::Value(n, tree.get(n).operand(op, k))));
        }
    }
}

/// Does an op do something by itself, whatever becomes of its results?
fn has_effect(ir: &Ir, op: OpId) -> bool {
    match ir.kind(op) {
        OpKind::UNREGISTERED | OpKind::SLOT => true,
        _ if ir.has(op, Traits::Symbol) => true,
        _ if ir.has(op, Traits::Terminator) => false,
        _ if ir.has(op, Traits::RecursiveEffects) => false,
        _ => ir.num_regions(op) > 0 || ir.effects(op).0 & !Effects::READ.0 != 0,
    }
}
