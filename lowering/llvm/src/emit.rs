//! Emitting the body of a function: values, blocks, branches. What ops become stands in one file per dialect.
//!
//! A value is a list of LLVM values, its *parts*: one for a scalar, one per innermost row for a vector, and for a memref
//! allocated pointer, aligned pointer, offset, sizes, strides. What a memref's type knows is a constant and nowhere passed,
//! not even through block arguments. Blocks are emitted in reverse postorder, so that definitions come before uses; what
//! cannot be reached is left out.

use crate::check::Check;
use crate::flow::{Flow, reverse_postorder};
use crate::form::{Elem, Form, MemForm, Spaces, VectorForm, form};
use crate::module::Program;
use crate::moves;
use crate::parts::{Parts, elem_type, part, part_types, static_parts};
use crate::raw::{Bb, Llvm, T, V};
use crate::runtime::give;
use crate::versions;
use terrace_ir::{BlockId, Context, Ir, OpId, Type, TypeKind, Value};
use terrace_lowering_table::{Checked, Row, Table};

/// An op with what it becomes; the check comes after that of types, and its error completes "`op` …"
pub(crate) type Lowering = Row<fn(&Check<'_>, OpId) -> Checked, fn(&mut Emitter<'_>, OpId)>;

/// All of them
pub(crate) type Lowerings = Table<fn(&Check<'_>, OpId) -> Checked, fn(&mut Emitter<'_>, OpId)>;

/// State while one function is emitted
pub(crate) struct Emitter<'a> {
    pub(crate) ll: &'a Llvm,
    pub(crate) program: &'a Program<'a>,
    /// What each op becomes; ops that hold others emit them through it
    table: &'static Lowerings,
    pub(crate) ir: &'a Ir,
    pub(crate) function: V,
    /// Room for stack slots: ends in the branch to the first block
    pub(crate) entry: Bb,
    /// Blocks of the runtime, with their bytes, that go when the function returns
    pub(crate) at_return: Vec<(V, V)>,
    /// The mask around the op that is being emitted
    pub(crate) under: Option<Under>,
    values: Vec<Option<Parts>>,
    pub(crate) flow: Flow,
}

/// A mask around an op
#[derive(Clone)]
pub(crate) struct Under {
    pub(crate) form: VectorForm,
    pub(crate) mask: Parts,
    /// What elements are where it is not set, if the op states it
    pub(crate) through: Option<Parts>,
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(
        program: &'a Program<'a>,
        table: &'static Lowerings,
        ir: &'a Ir,
        function: V,
    ) -> Emitter<'a> {
        let ll = program.ll;
        Emitter {
            ll,
            program,
            table,
            ir,
            function,
            entry: ll.append_block(function, "entry"),
            at_return: Vec::new(),
            under: None,
            values: vec![None; ir.value_capacity()],
            flow: Flow::default(),
        }
    }

    pub(crate) fn cx(&self) -> &'a Context {
        self.ir.cx()
    }

    pub(crate) fn spaces(&self) -> Spaces {
        self.program.spaces
    }

    /// Emit all blocks; the first one's arguments have these parts
    pub(crate) fn body(&mut self, first: BlockId, args: Vec<Vec<V>>) {
        for (arg, parts) in self.ir.block_args(first).to_vec().into_iter().zip(args) {
            self.set(arg, parts);
        }
        let order = reverse_postorder(self.ir, first);
        for &block in &order {
            let start = self.ll.append_block(self.function, "");
            self.flow.add(block, start);
        }
        for &block in &order[1..] {
            self.phis(block);
        }
        for &block in &order {
            self.ll.at_end(self.flow.state(block).start);
            self.flow.begin(block);
            for op in self.ir.block_ops(block) {
                self.op(op);
            }
        }
        self.ll.at_end(self.entry);
        self.ll.br(self.flow.state(first).start);
        if !self.at_return.is_empty() {
            self.ll.before_each_return(self.function, || {
                self.at_return.iter().for_each(|(block, bytes)| give(self.ll, *block, *bytes));
            });
        }
    }

    /// Emit one op
    pub(crate) fn op(&mut self, op: OpId) {
        let row = self.table.row_of(self.ir, op);
        (row.expect("the coverage check has seen every op").emit)(self, op);
    }

    fn phis(&mut self, block: BlockId) {
        let (mut phis, mut typed) = (Vec::new(), Vec::new());
        self.ll.at_end(self.flow.state(block).start);
        for &arg in self.ir.block_args(block) {
            let form = self.form_of(arg);
            let mut parts = self.static_parts(&form);
            for (part, ty) in parts.iter_mut().zip(self.part_types(&form)) {
                if part.is_none() {
                    phis.push(self.ll.phi(moves::moved_as(self.ll, self.spaces(), ty)));
                    *part = phis.last().copied();
                }
            }
            typed.push((arg, parts, self.part_types(&form)));
        }
        // Behind all of them: a block starts with its phis.
        for (arg, parts, types) in typed {
            let parts = parts.into_iter().flatten().zip(types);
            let parts: Vec<V> = parts.map(|(part, ty)| moves::typed(self.ll, part, ty)).collect();
            self.set(arg, parts);
        }
        self.flow.set_phis(block, phis);
    }

    /// Values for the block's arguments on the edge from here; gives where to branch to
    pub(crate) fn pass(&mut self, to: BlockId, values: &[Value]) -> Bb {
        let mut passed = Vec::new();
        for &value in values {
            let fixed = self.static_parts(&self.form_of(value));
            let parts = self.get(value);
            passed
                .extend(parts.iter().zip(fixed).filter(|(_, fixed)| fixed.is_none()).map(|(part, _)| *part));
        }
        let from = self.ll.block();
        let state = self.flow.state(to);
        for (phi, value) in state.phis.iter().zip(passed) {
            let value = moves::typed(self.ll, value, self.ll.type_of(*phi));
            self.ll.add_incoming(*phi, value, from);
        }
        state.start
    }

    /// Does an op of the loop from a block to a branch back to it have a vector? All blocks begun in between count
    pub(crate) fn has_vectors(&self, header: BlockId, branch: OpId) -> bool {
        let vector = |op: OpId| self.ir.results(op).any(|value| self.is_vector(value));
        let blocks = self.flow.loop_blocks(self.ir, header, branch);
        blocks.iter().any(|block| self.ir.block_ops(*block).any(vector))
    }

    // Values

    pub(crate) fn get(&self, value: Value) -> Parts {
        self.values[value.index()].clone().expect("blocks come in an order that keeps definitions first")
    }

    /// The only part of a scalar or one-dimensional vector
    pub(crate) fn one(&self, value: Value) -> V {
        self.get(value)[0]
    }

    pub(crate) fn set(&mut self, value: Value, parts: impl Into<Parts>) {
        let parts = parts.into();
        if let Some(name) = self.ir.value_name(value) {
            self.suggest(name, &self.form_of(value), &parts);
        }
        self.values[value.index()] = Some(parts);
    }

    /// Names that authors gave, on what has none yet
    fn suggest(&self, name: &str, form: &Form, parts: &[V]) {
        for (n, part) in parts.iter().enumerate() {
            match (form, n.checked_sub(part::SIZES)) {
                _ if parts.len() == 1 => self.ll.suggest_name(*part, name),
                (Form::MemRef(_), _) if n == part::ALIGNED => self.ll.suggest_name(*part, name),
                (Form::MemRef(mem), Some(n)) if n < mem.rank() => {
                    self.ll.suggest_name(*part, &format!("{name}.size{n}"));
                }
                (Form::MemRef(mem), Some(n)) => {
                    self.ll.suggest_name(*part, &format!("{name}.stride{}", n - mem.rank()));
                }
                (Form::MemRef(_), None) => {
                    let what = if n == part::OFFSET { "offset" } else { "block" };
                    self.ll.suggest_name(*part, &format!("{name}.{what}"));
                }
                _ => self.ll.suggest_name(*part, &format!("{name}.{n}")),
            }
        }
    }

    pub(crate) fn set_result(&mut self, op: OpId, n: usize, parts: impl Into<Parts>) {
        self.set(self.ir.result(op, n), parts);
    }

    /// Set the only result part by part from operands of its shape
    pub(crate) fn each(&mut self, op: OpId, f: impl Fn(&Self, &[V]) -> V) {
        let operands: Vec<Parts> = self.ir.operands(op).map(|value| self.get(value)).collect();
        let count = operands.iter().map(|parts| parts.len()).max().unwrap_or(0);
        let parts: Vec<V> = (0..count)
            .map(|n| {
                // A scalar among vectors (the condition of `select`) serves all parts.
                let each: Vec<V> = operands.iter().map(|parts| parts[n.min(parts.len() - 1)]).collect();
                f(self, &each)
            })
            .collect();
        self.set_result(op, 0, parts);
    }

    // Forms and types

    pub(crate) fn form(&self, ty: Type) -> Form {
        form(self.cx(), ty, self.spaces()).expect("the coverage check has seen every type")
    }

    pub(crate) fn form_of(&self, value: Value) -> Form {
        self.form(self.ir.ty(value))
    }

    pub(crate) fn vector_of(&self, value: Value) -> VectorForm {
        match self.form_of(value) {
            Form::Vector(vector) => vector,
            Form::Scalar(elem) => VectorForm { elem, shape: Vec::new() },
            _ => unreachable!("the coverage check wants a vector here"),
        }
    }

    pub(crate) fn mem_of(&self, value: Value) -> MemForm {
        match self.form_of(value) {
            Form::MemRef(mem) => mem,
            _ => unreachable!("the coverage check wants a memref here"),
        }
    }

    pub(crate) fn elem_of(&self, value: Value) -> Elem {
        match self.form_of(value) {
            Form::Scalar(elem) => elem,
            Form::Vector(vector) => vector.elem,
            _ => unreachable!("the coverage check wants numbers here"),
        }
    }

    pub(crate) fn is_vector(&self, value: Value) -> bool {
        matches!(self.ir.ty(value).kind(self.cx()), TypeKind::Vector { .. })
    }

    /// Are the elements of a memref vectors?
    pub(crate) fn of_vectors(&self, base: Value) -> bool {
        matches!(*self.mem_of(base).elem, Form::Vector(_))
    }

    /// May code use a feature of the processor, by LLVM's name?
    pub(crate) fn has_feature(&self, name: &str) -> bool {
        versions::has_feature(self.program, self.ir, name)
    }

    pub(crate) fn elem_type(&self, elem: Elem) -> T {
        elem_type(self.ll, elem)
    }

    /// LLVM type of each part
    pub(crate) fn part_types(&self, form: &Form) -> Vec<T> {
        part_types(self.ll, form)
    }

    /// Parts that the type knows
    pub(crate) fn static_parts(&self, form: &Form) -> Vec<Option<V>> {
        static_parts(self.ll, form)
    }

    /// Type of a part of a scalar or vector
    pub(crate) fn part_type(&self, value: Value) -> T {
        self.part_types(&self.form_of(value))[0]
    }

    // Small pieces of code

    /// A stack slot of the function, made once
    pub(crate) fn slot(&self, ty: T) -> V {
        self.in_entry(|e| e.ll.alloca(ty))
    }

    /// Instructions at the start of the function
    pub(crate) fn in_entry(&self, make: impl FnOnce(&Self) -> V) -> V {
        let here = self.ll.block();
        self.ll.at_start(self.entry);
        let made = make(self);
        self.ll.at_end(here);
        made
    }

    /// Fast-math flags of an op
    pub(crate) fn fast(&self, op: OpId) -> u64 {
        use terrace_dialect_arith::FastMathFlags;
        let flags = self.ir.attr(op, "fastmath").and_then(|attr| FastMathFlags::of(self.cx(), attr));
        flags.unwrap_or_default().bits()
    }

    /// Who sees atomic updates of a memory: on a device all threads of it, or of a block for its own memory
    pub(crate) fn scope(&self, mem: &MemForm) -> Option<&'static str> {
        match (self.spaces(), mem.space) {
            (Spaces::Host, _) => None,
            (Spaces::Nvptx, 3) => Some("block"),
            (Spaces::Spirv, 3) => Some("workgroup"),
            (Spaces::Nvptx | Spaces::Spirv, _) => Some("device"),
        }
    }

    /// Is an optional unit attribute there?
    pub(crate) fn is_set(&self, op: OpId, name: &str) -> bool {
        self.ir.attr(op, name).is_some()
    }
}
