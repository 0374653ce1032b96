//! The only way for rules and passes to change a unit: it tells the driver what has changed.

use terrace_ir::steps::Steps;
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Attr, BlockId, Builder, Ir, Loc, NewOp, OpId, OpKind, Traits, Type, Value};
use terrace_support::{HashMap, HashSet};

/// Ops to look at, last in first out, each at most once
#[derive(Default)]
pub(crate) struct Worklist {
    list: Vec<OpId>,
    listed: Vec<bool>,
}

impl Worklist {
    pub(crate) fn push(&mut self, op: OpId) {
        let index = op.index();
        if index >= self.listed.len() {
            self.listed.resize(index + 1 + index / 4, false);
        }
        if !std::mem::replace(&mut self.listed[index], true) {
            self.list.push(op);
        }
    }

    pub(crate) fn pop(&mut self) -> Option<OpId> {
        loop {
            let op = self.list.pop()?;
            if std::mem::replace(&mut self.listed[op.index()], false) {
                return Some(op);
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        for op in self.list.drain(..) {
            self.listed[op.index()] = false;
        }
    }

    fn forget(&mut self, op: OpId) {
        if let Some(listed) = self.listed.get_mut(op.index()) {
            *listed = false;
        }
    }
}

/// The only predecessor of a block
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolePred {
    /// The terminator that leads to the block
    pub end: OpId,
    /// In how many ways
    pub edges: u32,
}

/// Users of users to look at again
const USERS: usize = 4;

/// What makes constants one: entry block of the region that they go to, dialect, value and type
pub(crate) type Key = (BlockId, &'static str, Attr, Type);

/// Constants of a unit
#[derive(Default)]
pub(crate) struct Constants {
    /// At the start of their blocks
    pub settled: HashMap<Key, OpId>,
    /// Where they were made, some twice and some gone
    pub made: Vec<OpId>,
    /// Are new ones made where they are needed?
    pub in_place: bool,
}

/// Changes a unit and remembers what to look at again
pub struct Rewriter<'a> {
    ir: &'a mut Ir,
    pub(crate) work: Worklist,
    pub(crate) constants: Constants,
    /// As of the last look at all blocks; what leads to more blocks since then is taken out
    preds: HashMap<BlockId, SolePred>,
    /// Blocks known to do nothing but lead on
    empty: HashSet<BlockId>,
    changed: bool,
    /// What rules may ask beyond the unit
    pub asks: Asks<'a>,
    because: Option<String>,
    /// Room for lists that are made for each change
    users: Vec<OpId>,
    operands: Vec<Value>,
}

/// What rules may ask beyond the unit
#[derive(Clone, Copy, Default)]
pub struct Asks<'a> {
    /// Symbol tables of the whole tree, and the table the unit is in
    pub symbols: Option<(&'a Symbols, ScopeId)>,
    /// Conditions that are neither proved nor refuted are taken to hold
    pub assume: bool,
    /// The condition of this name is not asked: only for tests that show what it is needed for
    pub without: Option<&'a str>,
    /// Where applications are counted, if they are
    pub steps: Option<&'a Steps>,
}

impl<'a> Rewriter<'a> {
    /// Rewrite this unit
    pub fn new(ir: &'a mut Ir) -> Self {
        Rewriter {
            ir,
            work: Worklist::default(),
            constants: Constants::default(),
            preds: HashMap::default(),
            empty: HashSet::default(),
            changed: false,
            asks: Asks::default(),
            because: None,
            users: Vec::new(),
            operands: Vec::new(),
        }
    }

    /// The unit, to read
    #[inline]
    pub fn ir(&self) -> &Ir {
        self.ir
    }

    /// Has anything been changed through this rewriter?
    pub fn changed(&self) -> bool {
        self.changed
    }

    /// Values that go with the reason of a miss, for those who explain it
    pub fn because(&mut self, values: impl Into<String>) {
        self.because = Some(values.into());
    }

    /// The values that the last miss was about, once
    pub fn take_because(&mut self) -> Option<String> {
        self.because.take()
    }

    /// Count an application that began from an op of this kind
    #[inline]
    pub(crate) fn applied(&self, what: &'static str, kind: OpKind) {
        if let Some(steps) = self.asks.steps {
            steps.take(what, self.ir.cx().def(kind).name);
        }
    }

    /// May nothing be changed any more?
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.asks.steps.is_some_and(Steps::is_spent)
    }

    /// For work before the worklist is made
    pub(crate) fn ir_quiet(&mut self) -> &mut Ir {
        self.ir
    }

    pub(crate) fn ir_mut(&mut self) -> &mut Ir {
        self.changed = true;
        self.ir
    }

    /// Look at this op again
    pub fn touch(&mut self, op: OpId) {
        self.work.push(op);
    }

    /// Build new ops before `op`; each is looked at
    pub fn build_before<T>(&mut self, op: OpId, build: impl FnOnce(&mut Builder<'_>) -> T) -> T {
        let prev = self.ir.prev(op);
        let result = build(&mut Builder::before(self.ir_mut(), op));
        let block = self.ir.block(op);
        let mut at = match prev {
            Some(prev) => self.ir.next(prev),
            None => block.and_then(|block| self.ir.first_op(block)),
        };
        while let Some(new) = at.filter(|new| *new != op) {
            self.made(new);
            at = self.ir.next(new);
        }
        result
    }

    /// Build new ops at the end of a block; each is looked at
    pub fn build_at_end<T>(&mut self, block: BlockId, build: impl FnOnce(&mut Builder<'_>) -> T) -> T {
        let last = self.ir.last_op(block);
        let result = build(&mut Builder::at_end(self.ir_mut(), block));
        let mut at = match last {
            Some(last) => self.ir.next(last),
            None => self.ir.first_op(block),
        };
        while let Some(new) = at {
            self.made(new);
            at = self.ir.next(new);
        }
        result
    }

    fn made(&mut self, new: OpId) {
        self.work.push(new);
        for next in self.ir.successors(new) {
            self.preds.remove(&next);
        }
    }

    /// Make one op before `op`
    pub fn insert_before(&mut self, op: OpId, new: &NewOp<'_>) -> OpId {
        self.build_before(op, |b| b.insert(new))
    }

    /// A constant of this type before `op`, made by the dialect of `like`; `None` if that dialect has no such constant
    pub fn constant(&mut self, op: OpId, attr: Attr, ty: Type, like: OpKind) -> Option<Value> {
        self.constant_for(op, attr, ty, like)
    }

    /// Let the users of `op` use these values, and erase it
    pub fn replace(&mut self, op: OpId, values: &[Value]) {
        debug_assert_eq!(values.len(), self.ir.num_results(op));
        for (n, &value) in values.iter().enumerate() {
            let old = self.ir.result(op, n);
            self.replace_all_uses(old, value);
        }
        self.erase(op);
    }

    /// Let the users of `old` use `new`
    pub fn replace_all_uses(&mut self, old: Value, new: Value) {
        if old == new {
            return;
        }
        let mut users = std::mem::take(&mut self.users);
        users.clear();
        users.extend(self.ir.uses(old).map(|(user, _)| user));
        users.reverse();
        // Rules look at the operands of operands: who uses the users comes after them.
        for &user in &users {
            self.touch_users(user);
        }
        for &user in &users {
            self.touch_with_around(user);
        }
        self.users = users;
        // The name of an argument is where it stands, too.
        if self.ir.defining_op(new).is_some() {
            self.ir.copy_value_name(old, new);
        }
        self.ir_mut().replace_all_uses(old, new);
    }

    /// Look at an op whose operands have changed: what ends a block gives them to the op around, which comes next
    fn touch_with_around(&mut self, op: OpId) {
        if self.ir.has(op, Traits::Terminator)
            && let Some(around) = self.ir.parent(op).filter(|around| *around != self.ir.root())
        {
            self.work.push(around);
        }
        self.work.push(op);
    }

    /// Look at the users of an op's only result again, unless they are many
    fn touch_users(&mut self, op: OpId) {
        if self.ir.num_results(op) != 1 {
            return;
        }
        let users = self.ir.uses(self.ir.result(op, 0)).take(USERS);
        for (user, _) in users {
            self.work.push(user);
        }
    }

    /// Erase an op with all inside; its results must be unused. Those who defined its operands are looked at, and the op
    /// around it, if it may now be dead
    pub fn erase(&mut self, op: OpId) {
        self.forget_constant(op);
        let mut operands = std::mem::take(&mut self.operands);
        operands.clear();
        operands.extend(self.ir.operands(op));
        if self.ir.num_regions(op) > 0 {
            let inside: Vec<OpId> = self.ir.walk_below(op).collect();
            for inner in inside {
                operands.extend(self.ir.operands(inner));
                self.forget_constant(inner);
                self.work.forget(inner);
            }
        }
        let around = self.ir.parent(op);
        self.work.forget(op);
        self.ir_mut().erase(op);
        // Values from inside have no definition any more.
        for &operand in &operands {
            self.touch_def(operand);
        }
        self.operands = operands;
        if let Some(around) = around.filter(|around| *around != self.ir.root() && self.ir.is_unused(*around))
        {
            self.work.push(around);
        }
    }

    /// A definition is worth a look once it has at most one use left
    fn touch_def(&mut self, value: Value) {
        if self.ir.value_def(value).is_none() || (self.ir.is_used(value) && !self.ir.has_one_use(value)) {
            return;
        }
        // What a constant folds to does not depend on its uses.
        if let Some(def) = self.ir.defining_op(value)
            && !(self.ir.is_used(value) && self.ir.has(def, Traits::ConstantLike))
        {
            self.work.push(def);
        }
    }

    /// Change one operand; the op, and the definition it used, are looked at again
    pub fn set_operand(&mut self, op: OpId, n: usize, value: Value) {
        let old = self.ir.operand(op, n);
        self.ir_mut().set_operand(op, n, value);
        self.touch_def(old);
        self.touch_with_around(op);
    }

    /// Change all operands
    pub fn set_operands(&mut self, op: OpId, values: &[Value], segments: &[u32]) {
        let old: Vec<Value> = self.ir.operands(op).collect();
        self.ir_mut().set_operands(op, values, segments);
        for value in old {
            self.touch_def(value);
        }
        self.touch_with_around(op);
    }

    /// Change a property slot; the op is looked at again
    pub fn set_slot(&mut self, op: OpId, slot: usize, attr: Option<Attr>) {
        self.ir_mut().set_slot(op, slot, attr);
        self.work.push(op);
    }

    /// The only predecessor of a block, where that is known: once control flow has been looked at as a whole
    pub fn sole_pred(&self, block: BlockId) -> Option<SolePred> {
        let sole = *self.preds.get(&block)?;
        // The op may have been replaced since.
        let leads = self.ir.is_alive(sole.end)
            && self.ir.block(sole.end).is_some()
            && self.ir.successors(sole.end).filter(|next| *next == block).count() == sole.edges as usize;
        leads.then_some(sole)
    }

    /// True if that is news
    pub(crate) fn know_pred(&mut self, block: BlockId, sole: Option<SolePred>) -> bool {
        match sole {
            Some(sole) => self.preds.insert(block, sole) != Some(sole),
            None => self.preds.remove(&block).is_some(),
        }
    }

    /// True if it was not known that the block does nothing but lead on
    pub(crate) fn know_empty(&mut self, block: BlockId) -> bool {
        self.empty.insert(block)
    }

    /// Change a successor; the op is looked at again
    pub fn set_successor(&mut self, op: OpId, n: usize, block: BlockId) {
        self.preds.remove(&block);
        self.ir_mut().set_successor(op, n, block);
        self.work.push(op);
    }

    /// Change a location
    pub fn set_loc(&mut self, op: OpId, loc: Loc) {
        self.ir_mut().set_loc(op, loc);
    }

    /// Move the ops of `block` before `op` and let `values` stand for the block's arguments; the block stays, empty
    ///
    /// For inlining a region of one block. The terminator comes along.
    pub fn inline_block(&mut self, block: BlockId, op: OpId, values: &[Value]) {
        let args = self.ir.block_args(block).to_vec();
        debug_assert_eq!(args.len(), values.len());
        for (arg, &value) in args.into_iter().zip(values) {
            self.replace_all_uses(arg, value);
        }
        while let Some(first) = self.ir.first_op(block) {
            self.ir_mut().detach(first);
            self.ir_mut().insert_before(op, first);
            self.work.push(first);
        }
    }

    /// Any other change: the caller says which ops to look at again afterwards with `touch`
    pub fn edit<T>(&mut self, edit: impl FnOnce(&mut Ir) -> T) -> T {
        edit(self.ir_mut())
    }
}
