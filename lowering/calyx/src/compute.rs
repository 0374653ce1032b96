//! Arithmetic as cells. Indices stay sums as long as they can.

use crate::build::{Build, Done, Val, number_bits, refuse};
use crate::graph::{Index, NodeId, What};
use crate::netlist::bits;
use terrace_dialect_arith as arith;
use terrace_dialect_arith::CmpIPredicate;
use terrace_ir::fold::constant_of;
use terrace_ir::{Ir, OpDef, OpId, Value};

const PAIR: &[&str] = &["left", "right"];

/// Cells of two numbers, by op
static CELLS: &[(&OpDef, &str)] = &[
    (arith::AddI::DEF, "std_add"),
    (arith::SubI::DEF, "std_sub"),
    (arith::AndI::DEF, "std_and"),
    (arith::OrI::DEF, "std_or"),
    (arith::XOrI::DEF, "std_xor"),
    (arith::ShLI::DEF, "std_lsh"),
    (arith::ShRUI::DEF, "std_rsh"),
    (arith::ShRSI::DEF, "std_srsh"),
];

/// Comparisons that choose one of two numbers, by op
static CHOICES: &[(&OpDef, &str)] = &[
    (arith::MinSI::DEF, "std_slt"),
    (arith::MaxSI::DEF, "std_sgt"),
    (arith::MinUI::DEF, "std_lt"),
    (arith::MaxUI::DEF, "std_gt"),
];

/// Other ops that have hardware
static OTHERS: &[&OpDef] = &[
    arith::Constant::DEF,
    arith::MulI::DEF,
    arith::DivUI::DEF,
    arith::RemUI::DEF,
    arith::CmpI::DEF,
    arith::Select::DEF,
    arith::ExtSI::DEF,
    arith::ExtUI::DEF,
    arith::TruncI::DEF,
    arith::IndexCast::DEF,
    arith::IndexCastUI::DEF,
];

fn of(table: &'static [(&OpDef, &'static str)], ir: &Ir, op: OpId) -> Option<&'static str> {
    table.iter().find(|(def, _)| ir.is(op, def)).map(|(_, cell)| *cell)
}

/// Names of all ops of arithmetic that have hardware
fn names() -> String {
    let all = CELLS.iter().chain(CHOICES).map(|(def, _)| *def).chain(OTHERS.iter().copied());
    all.map(|def| def.name).collect::<Vec<_>>().join(", ")
}

impl Build<'_> {
    /// The result of an op without memory
    pub fn compute(&mut self, op: OpId) -> Done<Val> {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let by_index = ir.ty(result).is_index(ir.cx());
        if ir.is(op, arith::Constant::DEF) {
            return self.constant(op, result);
        }
        if by_index && let Some(index) = self.index_op(op)? {
            return Ok(Val::Index(index));
        }
        let width = self.width(op, result)?;
        let is = |defs: &[&'static OpDef]| ir.is_any(op, defs);
        let node = if is(&[arith::MulI::DEF]) {
            self.product(op, width)?
        } else if is(&[arith::DivUI::DEF, arith::RemUI::DEF]) {
            self.division(op, width)?
        } else if is(&[arith::CmpI::DEF]) {
            self.comparison(op)?
        } else if is(&[arith::Select::DEF]) {
            let [bit, yes, no] = [0, 1, 2].map(|n| self.node(op, ir.operand(op, n)));
            self.choice(bit?, yes?, no?)
        } else if is(&[arith::ExtSI::DEF, arith::ExtUI::DEF, arith::TruncI::DEF]) {
            let node = self.node(op, ir.operand(op, 0))?;
            self.resized(node, width, is(&[arith::ExtSI::DEF]))
        } else if is(&[arith::IndexCast::DEF, arith::IndexCastUI::DEF]) {
            let index = self.index(op, ir.operand(op, 0))?;
            self.graph.value(&index, width, 1)
        } else {
            self.pair(op, width)?
        };
        Ok(if by_index { Val::Index(Index::of(node)) } else { Val::Node(node) })
    }

    /// An op of two numbers that is a cell, or a comparison and a choice
    fn pair(&mut self, op: OpId, width: u32) -> Done<NodeId> {
        let ir = self.ir;
        let (cell, choice) = (of(CELLS, ir, op), of(CHOICES, ir, op));
        let Some(primitive) = cell.or(choice) else {
            // A float is the reason that helps more.
            ir.operands(op).chain(ir.results(op)).try_for_each(|value| self.width(op, value).map(|_| ()))?;
            return Err(refuse(ir, op, "has no hardware", &format!("these ops have: {}", names())));
        };
        let (a, b) = (self.node(op, ir.operand(op, 0))?, self.node(op, ir.operand(op, 1))?);
        // Sums of lanes begin with a zero.
        if ir.is(op, arith::AddI::DEF) && self.graph.as_number(a) == Some(0) {
            return Ok(b);
        }
        if cell.is_some() {
            return Ok(self.gate(primitive, PAIR, &[a, b], width, 1));
        }
        let bit = self.gate(primitive, PAIR, &[a, b], 1, 1);
        Ok(self.choice(bit, a, b))
    }

    fn constant(&mut self, op: OpId, result: Value) -> Done<Val> {
        let ir = self.ir;
        let number = constant_of(ir, result).and_then(|attr| attr.as_int(ir.cx()));
        if ir.ty(result).is_index(ir.cx()) {
            return Ok(Val::Index(Index::number(number.map_or(0, |(number, _)| number as i64))));
        }
        let width = number_bits(ir, op, ir.ty(result))?;
        let (number, _) = number.ok_or_else(|| refuse(ir, op, "is no number", "use integers"))?;
        Ok(Val::Node(self.graph.number(number as i64, width)))
    }

    /// Sums of indices and products with numbers; none of other ops
    fn index_op(&mut self, op: OpId) -> Done<Option<Index>> {
        let ir = self.ir;
        let is = |defs: &[&'static OpDef]| ir.is_any(op, defs);
        if is(&[arith::AddI::DEF, arith::SubI::DEF]) {
            let (a, b) = (self.index(op, ir.operand(op, 0))?, self.index(op, ir.operand(op, 1))?);
            return Ok(Some(a.plus(&b.times(if is(&[arith::AddI::DEF]) { 1 } else { -1 }))));
        }
        if is(&[arith::MulI::DEF]) {
            return Ok(match (self.number(op, 0), self.number(op, 1)) {
                (_, Some(by)) => Some(self.index(op, ir.operand(op, 0))?.times(by)),
                (Some(by), _) => Some(self.index(op, ir.operand(op, 1))?.times(by)),
                _ => None,
            });
        }
        if is(&[arith::IndexCast::DEF, arith::IndexCastUI::DEF]) {
            let node = self.node(op, ir.operand(op, 0))?;
            let wide = self.resized(node, 64, is(&[arith::IndexCast::DEF]));
            return Ok(Some(match self.graph.as_number(wide) {
                Some(number) => Index::number(number),
                None => Index::of(wide),
            }));
        }
        Ok(None)
    }

    /// By a number that is not zero, and fits the plain literals of Verilog
    fn division(&mut self, op: OpId, width: u32) -> Done<NodeId> {
        let ir = self.ir;
        let by = self.number(op, 1).filter(|by| (1..=i64::from(i32::MAX)).contains(by));
        let Some(by) = by else {
            let help = "numbers without a sign are divided by constants from 1 to 2^31 - 1";
            return Err(refuse(ir, op, "divides by a value", help));
        };
        let index = self.index(op, ir.operand(op, 0))?;
        let bits_of = self.graph.bits_of(&index).min(width).max(bits(by));
        let node = match index.terms.as_slice() {
            [] => self.graph.number(index.constant, bits_of),
            _ => {
                let node = self.graph.value(&index, bits_of, 1);
                self.resized(node, bits_of, false)
            }
        };
        // Without bounds from 0 on it is any number of these bits.
        let most = match self.graph.bounds(&index) {
            Some((least, most)) if least >= 0 => most as u64,
            _ => u64::MAX >> 64u32.saturating_sub(width),
        };
        let found = match ir.is(op, arith::DivUI::DEF) {
            true => {
                let most = i64::try_from(most / by as u64).ok();
                self.by_number("terrace_quotient", node, by, most)
            }
            false => {
                let most = i64::try_from(most).map_or(by - 1, |most| most.min(by - 1));
                self.by_number("terrace_remainder", node, by, Some(most))
            }
        };
        // An index keeps the narrow one: places need no more bits.
        let narrow = ir.ty(ir.result(op, 0)).is_index(ir.cx());
        Ok(if narrow { found } else { self.resized(found, width, false) })
    }

    fn comparison(&mut self, op: OpId) -> Done<NodeId> {
        use CmpIPredicate::*;
        let ir = self.ir;
        let predicate = arith::CmpI(op).predicate(ir);
        let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
        let (a, b) = match ir.ty(a).is_index(ir.cx()) {
            true => {
                let (a, b) = (self.index(op, a)?, self.index(op, b)?);
                // One bit for the sign.
                let width = self.graph.bits_of(&a).max(self.graph.bits_of(&b)).saturating_add(1).min(64);
                (self.wide(&a, width), self.wide(&b, width))
            }
            false => (self.node(op, a)?, self.node(op, b)?),
        };
        let primitive = match predicate {
            Eq => "std_eq",
            Ne => "std_neq",
            Slt => "std_slt",
            Sle => "std_sle",
            Sgt => "std_sgt",
            Sge => "std_sge",
            Ult => "std_lt",
            Ule => "std_le",
            Ugt => "std_gt",
            Uge => "std_ge",
        };
        Ok(self.gate(primitive, PAIR, &[a, b], 1, 1))
    }

    fn wide(&mut self, index: &Index, width: u32) -> NodeId {
        let node = self.graph.value(index, width, 1);
        self.resized(node, width, false)
    }

    /// A product: with a number it is a sum of shifted values; else in as few bits as it has, since multipliers of few bits are small
    fn product(&mut self, op: OpId, width: u32) -> Done<NodeId> {
        let ir = self.ir;
        let (a, b) = (self.node(op, ir.operand(op, 0))?, self.node(op, ir.operand(op, 1))?);
        if let Some((node, by)) =
            self.graph.as_number(b).map(|by| (a, by)).or(self.graph.as_number(a).map(|by| (b, by)))
        {
            let what = What::Sum { by: vec![by], constant: 0, delay: 2 };
            return Ok(self.graph.node(what, &[node], width, None));
        }
        let ((a_from, a_bits), (b_from, b_bits)) = (self.exact(a), self.exact(b));
        let narrow = (a_bits + b_bits).min(width);
        let a = if narrow < width { self.resized(a_from, narrow, true) } else { a };
        let b = if narrow < width { self.resized(b_from, narrow, true) } else { b };
        let node = self.graph.node(What::Product, &[a, b], narrow, None);
        Ok(self.resized(node, width, true))
    }

    /// What a value is the extension of, and the bits with a sign that it is exact in
    fn exact(&mut self, node: NodeId) -> (NodeId, u32) {
        let own = &self.graph.nodes[node];
        match (&own.what, own.args.as_slice()) {
            (What::Cell { primitive: "std_signext", .. }, [from]) => (*from, self.graph.nodes[*from].width),
            (What::Cell { primitive: "std_pad", .. }, [from]) => {
                let (from, width) = (*from, self.graph.nodes[*from].width + 1);
                (self.resized(from, width, false), width)
            }
            _ => (node, own.width),
        }
    }
}
