//! Memories: arrays on the chip in banks, each with two ports, and main memory, with one port outside of the component.

use crate::netlist::bits;

/// How many elements memory of these sizes has, each at least one; none if they are more than `most`
pub(crate) fn elements(sizes: &[i64], most: i64) -> Option<i64> {
    let times =
        |all: i64, size: &i64| all.checked_mul(*size).filter(|all| (1..=most).contains(all) && *size > 0);
    sizes.iter().try_fold(1, times)
}

/// A memory
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub name: String,
    /// Bits of an element
    pub width: u32,
    pub sizes: Vec<i64>,
    /// Along each dimension
    pub banks: Vec<i64>,
    /// Two where rounds overlap: one is filled while the other one is in use
    pub copies: usize,
    /// The argument that it is, if it is main memory
    pub argument: Option<usize>,
}

impl Memory {
    /// Elements of a bank along each dimension
    pub fn inside(&self) -> Vec<i64> {
        self.sizes.iter().zip(&self.banks).map(|(size, banks)| (size + banks - 1) / banks).collect()
    }

    /// Elements of a bank
    pub fn words(&self) -> i64 {
        self.inside().iter().product::<i64>().max(1)
    }

    /// Bits of a place in a bank
    pub fn place(&self) -> u32 {
        bits(self.words() - 1)
    }

    pub fn all_banks(&self) -> usize {
        usize::try_from(self.banks.iter().product::<i64>()).unwrap_or(1)
    }

    /// Accesses in a cycle, of a bank
    pub fn ports(&self) -> usize {
        if self.argument.is_some() { 1 } else { 2 }
    }

    /// The name of a copy of a bank
    pub fn cell(&self, bank: usize, copy: usize) -> String {
        format!("{}_b{bank}_{copy}", self.name)
    }

    /// A port of a copy of a bank
    pub fn port(&self, (bank, copy): (usize, usize), port: usize, field: &str) -> String {
        if self.argument.is_some() {
            return format!("{}_{field}", self.name);
        }
        let port = if port == 0 { 'a' } else { 'b' };
        format!("{}.{port}_{field}", self.cell(bank, copy))
    }
}
