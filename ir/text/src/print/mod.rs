//! Printer (to come).

use std::marker::PhantomData;
use terrace_ir::{Attr, BlockId, Ir, OpId, RegionId, Str, Type, Value};

/// Writes one op in its custom syntax
pub struct OpPrinter<'a> {
    ir: &'a Ir,
    op: OpId,
    life: PhantomData<&'a mut ()>,
}

#[allow(missing_docs, unused_variables)]
impl<'a> OpPrinter<'a> {
    pub fn ir(&self) -> &'a Ir {
        let _ = self.life;
        self.ir
    }
    pub fn op(&self) -> OpId {
        self.op
    }
    pub fn text(&mut self, text: &str) {}
    pub fn operand(&mut self, value: Value) {}
    pub fn operands(&mut self, values: impl IntoIterator<Item = Value>) {}
    pub fn ty(&mut self, ty: Type) {}
    pub fn attr(&mut self, attr: Attr) {}
    pub fn attr_value(&mut self, attr: Attr) {}
    pub fn symbol(&mut self, name: Str) {}
    pub fn attr_dict(&mut self, elide: &[&str]) {}
    pub fn attr_dict_with_keyword(&mut self, elide: &[&str]) {}
    pub fn region(&mut self, region: RegionId, print_entry_args: bool, print_terminators: bool) {}
    pub fn successor(&mut self, block: BlockId) {}
    pub fn block_arg_with_type(&mut self, arg: Value) {}
    pub fn functional_type(&mut self) {}
    pub fn result_types(&mut self) {}
}
