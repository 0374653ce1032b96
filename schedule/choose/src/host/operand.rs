//! Operands of contractions: tensors whose every index is one dimension of the computation.

use crate::access::Access;
use terrace_devices::Region;
use terrace_schedule_model::{Part, Placement};

/// An operand: its number, and which of its dimensions moves with which of the computation's
pub(crate) struct Operand {
    pub(crate) group: usize,
    /// Dimension of the computation per dimension of the buffer
    pub(crate) dims: Vec<usize>,
}

impl Operand {
    pub(crate) fn of(access: &Access) -> Option<Operand> {
        let mut dims = Vec::new();
        for expr in &access.map.results {
            let linear = expr.as_linear().filter(|linear| linear.constant == 0)?;
            let used: Vec<usize> = (0..access.strides.len()).filter(|dim| linear.dim(*dim) != 0).collect();
            let [dim] = used.as_slice() else { return None };
            if linear.dim(*dim) != 1 || dims.contains(dim) {
                return None;
            }
            dims.push(*dim);
        }
        access.plain.then_some(Operand { group: access.group, dims })
    }

    pub(crate) fn uses(&self, dim: usize) -> bool {
        self.dims.contains(&dim)
    }

    /// A copy with these dimensions innermost, in this order
    pub(crate) fn panel(&self, innermost: &[usize]) -> Placement {
        let rank = |dim: &usize| innermost.iter().position(|other| other == dim).map_or(0, |n| n + 1);
        let mut order: Vec<usize> = (0..self.dims.len()).collect();
        order.sort_by_key(|n| rank(&self.dims[*n]));
        Placement::new(Region::L2, order.into_iter().map(Part::Whole).collect())
    }
}
