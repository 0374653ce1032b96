//! One iteration of a loop nest as a graph: loops that are copies are written out, conditions become guards.

use crate::codes;
use crate::graph::{Bank, Graph, Index, NodeId, What};
use crate::memory::Memory;
use crate::netlist::bits;
use crate::outer::{Held, Outer};
use terrace_diag::Diagnostic;
use terrace_dialect_builtin::marks::UNROLL;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::fold::constant_of;
use terrace_ir::verify::op_error;
use terrace_ir::{BlockId, Ir, OpId, Value};
use terrace_support::HashMap;

/// Nodes of an iteration; more are no hardware of any use
const MOST: usize = 1 << 16;
/// Ops of an iteration, of which not all make a node, and copies of loops
const STEPS: usize = 1 << 20;

/// What a value is in an iteration
#[derive(Clone, Debug)]
pub(crate) enum Val {
    Index(Index),
    Node(NodeId),
    Memory(Held),
}

pub(crate) struct Build<'a> {
    pub ir: &'a Ir,
    pub memories: &'a [Memory],
    pub outer: &'a HashMap<Value, Outer>,
    pub graph: Graph,
    pub env: HashMap<Value, Val>,
    /// Loads since the last store of their memory
    pub loads: HashMap<(usize, Bank, Index, Option<NodeId>), NodeId>,
    pub when: Option<NodeId>,
    /// Ops that were looked at, and copies of loops
    steps: usize,
}

pub(crate) type Done<T> = Result<T, Diagnostic>;

/// A refusal of an op
pub(crate) fn refuse(ir: &Ir, op: OpId, why: &str, help: &str) -> Diagnostic {
    op_error(ir, op, &codes::HARDWARE, why).help(help)
}

impl<'a> Build<'a> {
    pub fn new(ir: &'a Ir, memories: &'a [Memory], outer: &'a HashMap<Value, Outer>) -> Self {
        let (graph, env, loads) = Default::default();
        Build { ir, memories, outer, graph, env, loads, when: None, steps: 0 }
    }

    /// A loop of the nest: its variable counts
    pub fn count(&mut self, iv: Value, loop_: usize, trips: i64, first: i64, step: i64) {
        let what = What::Counter(loop_);
        let counter = self.graph.node(what, &[], bits(trips - 1), Some(trips - 1));
        let index = Index::of(counter).times(step).plus(&Index::number(first));
        self.env.insert(iv, Val::Index(if trips > 1 { index } else { Index::number(first) }));
    }

    /// A value that passes from iteration to iteration is in a register
    pub fn carry(&mut self, value: Value, register: usize, width: u32) {
        let node = self.graph.node(What::Carried(register), &[], width, None);
        self.env.insert(value, Val::Node(node));
    }

    /// What the end of a block leaves in registers
    pub fn pass_on(&mut self, block: BlockId, widths: &[u32]) -> Done<()> {
        for (n, (value, width)) in self.ends(block)?.into_iter().zip(widths).enumerate() {
            let next = self.in_bits(&value, *width);
            let reads = self.graph.node(What::Carried(n), &[], *width, None);
            self.graph.carried.push((reads, next));
        }
        Ok(())
    }

    /// All ops of a block but its end
    pub fn block(&mut self, block: BlockId) -> Done<()> {
        let end = self.ir.last_op(block);
        let ops: Vec<OpId> = self.ir.block_ops(block).filter(|op| Some(*op) != end).collect();
        ops.into_iter().try_for_each(|op| self.op(op))
    }

    pub fn op(&mut self, op: OpId) -> Done<()> {
        let ir = self.ir;
        self.count_step(op)?;
        if scf::For::cast(ir, op).is_some() {
            return self.copies(op);
        }
        if scf::If::cast(ir, op).is_some() {
            return self.condition(op);
        }
        if let Some(load) = memref::Load::cast(ir, op) {
            let node = self.load(op, load)?;
            return self.give(ir.result(op, 0), node);
        }
        if let Some(store) = memref::Store::cast(ir, op) {
            return self.store(op, store);
        }
        if ir.num_regions(op) > 0 || ir.num_results(op) != 1 {
            return Err(refuse(ir, op, "has no hardware", "`terrace-run --on=hls` runs it on this CPU"));
        }
        let val = self.compute(op)?;
        self.env.insert(ir.result(op, 0), val);
        Ok(())
    }

    fn count_step(&mut self, op: OpId) -> Done<()> {
        self.steps += 1;
        if self.graph.nodes.len() > MOST || self.steps > STEPS {
            let help = "make copies of hardware fewer";
            return Err(refuse(self.ir, op, "is in a loop of too many copies", help));
        }
        Ok(())
    }

    fn give(&mut self, value: Value, node: NodeId) -> Done<()> {
        let val = match self.ir.ty(value).is_index(self.ir.cx()) {
            true => Val::Index(Index::of(node)),
            false => Val::Node(node),
        };
        self.env.insert(value, val);
        Ok(())
    }

    /// A loop whose iterations are copies of hardware
    fn copies(&mut self, op: OpId) -> Done<()> {
        let ir = self.ir;
        let one = scf::For(op);
        let bounds = crate::loops::Bounds::of(ir, op);
        let Some(bounds) = bounds.filter(|_| ir.discardable(op, UNROLL).is_some()) else {
            let help = "loops with bounds that are numbers, and sums in memory, are pipelined";
            return Err(refuse(ir, op, "is inside of a loop that is pipelined", help));
        };
        let mut carried = Vec::new();
        for init in one.inits(ir) {
            carried.push(self.value(op, init)?);
        }
        for n in 0..bounds.trips {
            self.count_step(op)?;
            let args = ir.block_args(bounds.body).to_vec();
            let at = bounds.first.wrapping_add(bounds.step.wrapping_mul(n));
            let width = ir.ty(args[0]).bit_width(ir.cx());
            let iv = match width.filter(|_| !ir.ty(args[0]).is_index(ir.cx())) {
                Some(width) => Val::Node(self.graph.number(at, width)),
                None => Val::Index(Index::number(at)),
            };
            self.env.insert(args[0], iv);
            for (arg, value) in args[1..].iter().zip(&carried) {
                self.env.insert(*arg, value.clone());
            }
            self.block(bounds.body)?;
            carried = self.ends(bounds.body)?;
        }
        for (result, value) in ir.results(op).zip(carried) {
            self.env.insert(result, value);
        }
        Ok(())
    }

    /// The values that a block ends with
    fn ends(&mut self, block: BlockId) -> Done<Vec<Val>> {
        let Some(end) = self.ir.last_op(block) else { return Ok(Vec::new()) };
        let values: Vec<Value> = self.ir.operands(end).collect();
        values.into_iter().map(|value| self.value(end, value)).collect()
    }

    /// Both sides are computed; accesses and results follow the condition
    fn condition(&mut self, op: OpId) -> Done<()> {
        let ir = self.ir;
        let bit = self.node(op, ir.operand(op, 0))?;
        let around = self.when;
        let mut sides: Vec<Vec<Val>> = Vec::new();
        for (n, region) in ir.regions(op).enumerate() {
            let own = if n == 0 { bit } else { self.gate("std_not", &["in"], &[bit], 1, 0) };
            let own = match around {
                Some(around) => self.gate("std_and", &["left", "right"], &[around, own], 1, 0),
                None => own,
            };
            self.when = Some(own);
            if let Some(block) = ir.entry(region) {
                self.block(block)?;
                sides.push(self.ends(block)?);
            }
            self.when = around;
        }
        let results: Vec<Value> = ir.results(op).collect();
        for (n, result) in results.into_iter().enumerate() {
            let width = self.width(op, result)?;
            let side = |side: usize| sides.get(side).and_then(|values| values.get(n)).cloned();
            let (Some(yes), Some(no)) = (side(0), side(1)) else { continue };
            let (yes, no) = (self.in_bits(&yes, width), self.in_bits(&no, width));
            let node = self.choice(bit, yes, no);
            self.give(result, node)?;
        }
        Ok(())
    }

    pub fn choice(&mut self, bit: NodeId, yes: NodeId, no: NodeId) -> NodeId {
        let width = self.graph.nodes[yes].width;
        self.gate("std_mux", &["cond", "tru", "fal"], &[bit, yes, no], width, 1)
    }

    /// A cell whose first parameter are the bits of its last argument
    pub fn gate(
        &mut self,
        primitive: &'static str,
        ports: &'static [&'static str],
        args: &[NodeId],
        width: u32,
        delay: i64,
    ) -> NodeId {
        let bits = args.last().map_or(1, |arg| self.graph.nodes[*arg].width);
        let what = What::Cell { primitive, ports, params: vec![bits], delay };
        self.graph.node(what, args, width, None)
    }

    /// With zeros, or the sign, in front; or the last bits
    pub fn resized(&mut self, node: NodeId, width: u32, sign: bool) -> NodeId {
        let own = self.graph.nodes[node].width;
        if let Some(number) = self.graph.as_number(node) {
            let spare = 64 - own;
            let number = if sign { number } else { ((number as u64) << spare >> spare) as i64 };
            return self.graph.number(number, width);
        }
        let primitive = match own.cmp(&width) {
            std::cmp::Ordering::Equal => return node,
            std::cmp::Ordering::Greater => "std_slice",
            std::cmp::Ordering::Less if sign => "std_signext",
            std::cmp::Ordering::Less => "std_pad",
        };
        // A number whose first bit is set is negative to an extension by the sign.
        let keeps = |most: &i64| width >= bits(*most) && (!sign || own > bits(*most));
        let most = self.graph.nodes[node].most.filter(keeps);
        let what = What::Cell { primitive, ports: &["in"], params: vec![own, width], delay: 0 };
        self.graph.node(what, &[node], width, most)
    }

    /// The number that an operand is
    pub fn number(&self, op: OpId, n: usize) -> Option<i64> {
        constant_of(self.ir, self.ir.operand(op, n))?.as_i64(self.ir.cx())
    }
}

/// Bits of a type of numbers
pub(crate) fn number_bits(ir: &Ir, op: OpId, ty: terrace_ir::Type) -> Done<u32> {
    let cx = ir.cx();
    if ty.scalar(cx).is_float(cx) {
        let text = terrace_ir::show::type_text(cx, ty);
        let why = format!("works on {text}, and Calyx's library has no float units");
        return Err(refuse(ir, op, &why, "use integers: i8, i16, i32, i64"));
    }
    match ty.bit_width(cx).filter(|bits| ty.is_int(cx) && (1..=64).contains(bits)) {
        Some(bits) => Ok(bits),
        None => {
            let text = terrace_ir::show::type_text(cx, ty);
            Err(refuse(
                ir,
                op,
                &format!("works on {text}, which has no hardware"),
                "use integers of up to 64 bits",
            ))
        }
    }
}
