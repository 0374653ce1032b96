//! Loads and stores: which bank of which array, and the place in it.

use crate::build::{Build, Done, Val, refuse};
use crate::graph::{Access, Bank, Index, NodeId, What};
use crate::netlist::bits;
use crate::outer::Held;
use terrace_dialect_memref as memref;
use terrace_ir::{OpId, Value};

impl Build<'_> {
    fn held(&mut self, op: OpId, value: Value) -> Done<Held> {
        match self.value(op, value)? {
            Val::Memory(held) => Ok(held),
            _ => Err(refuse(self.ir, op, "accesses memory that is chosen at run time", "name an array")),
        }
    }

    /// Bank, place in it, and position in the memory
    fn place(&mut self, op: OpId, held: &Held, indices: &[Value]) -> Done<(Bank, NodeId, Index)> {
        let memory = &self.memories[held.memory];
        let (mut place, mut element, mut bank) = (Index::default(), Index::default(), Index::default());
        let inside = memory.inside();
        for (dim, value) in indices.iter().enumerate() {
            let index = self.index(op, *value)?;
            element = element.times(memory.sizes[dim]).plus(&index);
            let (own, within) = self.divided(&index, memory.banks[dim], memory.sizes[dim]);
            bank = bank.times(memory.banks[dim]).plus(&own);
            place = place.times(inside[dim]).plus(&within);
        }
        let bank = match bank.terms.is_empty() {
            true => Bank::Known(usize::try_from(bank.constant).unwrap_or(0)),
            false => Bank::Found(self.graph.value(&bank, bits(memory.all_banks() as i64 - 1), 0)),
        };
        Ok((bank, self.graph.value(&place, memory.place(), 0), element))
    }

    /// The bank along a dimension, and the place in it: elements are dealt to banks one by one
    fn divided(&mut self, index: &Index, banks: i64, size: i64) -> (Index, Index) {
        if banks == 1 {
            return (Index::default(), index.clone());
        }
        if index.terms.iter().all(|(_, by)| by % banks == 0) {
            let terms = index.terms.iter().map(|(node, by)| (*node, by / banks)).collect();
            let within = Index { constant: index.constant.div_euclid(banks), terms };
            return (Index::number(index.constant.rem_euclid(banks)), within);
        }
        let width = bits((size - 1).max(banks));
        let at = self.graph.value(index, width, 0);
        let [own, within] = [("terrace_remainder", banks - 1), ("terrace_quotient", (size - 1) / banks)]
            .map(|(primitive, most)| self.by_number(primitive, at, banks, Some(most)));
        (Index::of(own), Index::of(within))
    }

    /// Quotient or remainder by a number, at most this large where that is known
    pub fn by_number(&mut self, primitive: &'static str, node: NodeId, by: i64, most: Option<i64>) -> NodeId {
        let width = self.graph.nodes[node].width;
        let params = vec![width, u32::try_from(by).unwrap_or(u32::MAX)];
        let what = What::Cell { primitive, ports: &["left"], params, delay: 1 };
        self.graph.node(what, &[node], width, most)
    }

    pub fn load(&mut self, op: OpId, load: memref::Load) -> Done<NodeId> {
        let held = self.held(op, load.memref(self.ir))?;
        let (bank, place, element) = self.place(op, &held, &load.indices(self.ir))?;
        let key = (held.memory, bank.clone(), element.clone(), self.when);
        if let Some(node) = self.loads.get(&key) {
            return Ok(*node);
        }
        let width = self.memories[held.memory].width;
        let Held { memory, second } = held;
        let access = Access { memory, second, bank, element, when: self.when, stores: false };
        let node = self.graph.node(What::Access(access), &[place], width, None);
        self.loads.insert(key, node);
        Ok(node)
    }

    pub fn store(&mut self, op: OpId, store: memref::Store) -> Done<()> {
        let held = self.held(op, store.memref(self.ir))?;
        let (bank, place, element) = self.place(op, &held, &store.indices(self.ir))?;
        let value = self.node(op, store.value(self.ir))?;
        let Held { memory, second } = held;
        self.loads.retain(|(other, ..), _| *other != memory);
        let width = self.memories[memory].width;
        let access = Access { memory, second, bank, element, when: self.when, stores: true };
        self.graph.node(What::Access(access), &[place, value], width, None);
        Ok(())
    }
}
