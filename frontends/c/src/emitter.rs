//! Where code goes: the unit in progress, the insertion point, and one way to make an op.

use terrace_diag::Span;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_ir::{Attr, BlockId, Builder, Ir, Loc, Name, NewOp, OpDef, OpId, Type, Value};

/// The unit in progress and the place in it where code goes
pub struct Emitter<'a> {
    pub ir: &'a mut Ir,
    pub block: BlockId,
    pub loc: Loc,
}

impl Emitter<'_> {
    /// Code comes from here
    pub fn set_loc(&mut self, span: Span) {
        self.loc = Loc::offset(span.start);
    }

    /// Make an op by its name
    ///
    /// # Panics
    /// If its dialect is not registered: front ends need the upstream dialects.
    pub fn op_id(&mut self, def: &'static OpDef, operands: &[Value], results: &[Type]) -> OpId {
        // Ops with several varying fields are made here without operands only.
        let segments = if def.operand_segments() { vec![0; def.operands.len()] } else { Vec::new() };
        let mut b = self.b();
        let kind = b.kind(def);
        b.insert(&NewOp {
            operands,
            segments: &segments,
            results,
            regions: def.regions.len(),
            ..NewOp::new(kind)
        })
    }

    /// Make an op of one result and without attributes
    pub fn op(&mut self, def: &'static OpDef, operands: &[Value], result: Type) -> Value {
        let op = self.op_id(def, operands, &[result]);
        self.ir.result(op, 0)
    }

    /// A constant of the attribute's type
    pub fn constant_value(&mut self, attr: Attr) -> Value {
        let mut b = self.b();
        arith::Constant::build(&mut b, attr).result(b.read())
    }

    /// A comparison of integers
    pub fn compare_ints(&mut self, predicate: CmpIPredicate, a: Value, b: Value) -> Value {
        let mut builder = self.b();
        arith::CmpI::build(&mut builder, a, b, predicate).result(builder.read())
    }

    /// At the end of the block in progress
    pub fn b(&mut self) -> Builder<'_> {
        let (block, loc) = (self.block, self.loc);
        let mut b = Builder::at_end(self.ir, block);
        b.set_loc(loc);
        b
    }

    /// An index constant
    pub fn index(&mut self, value: i64) -> Value {
        let attr = self.ir.cx().index_attr(value);
        self.constant_value(attr)
    }

    /// Give a value the name that its author gave it
    pub fn name(&mut self, value: Value, name: &str) {
        let name = Name::Str(self.ir.cx().intern(name));
        self.ir.set_value_name(value, name);
    }
}
