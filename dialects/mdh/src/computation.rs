//! A computation as the data that schedules are applied to.

use crate::compute::Compute;
use crate::symmetric;
use crate::view::{self, View};
use terrace_ir::{Ir, Value};
use terrace_schedule_model::computation::{Computation, Dim, DimKind, Input, Order, Output};
use terrace_schedule_model::groups::Groups;

impl view::CombineKind {
    /// The same without operators
    fn plain(&self) -> DimKind {
        match self {
            view::CombineKind::Cc => DimKind::Kept,
            view::CombineKind::Ps(_) => DimKind::Prefixes,
            view::CombineKind::Pw(_, order) => DimKind::Reduced(match order {
                view::Order::Source => Order::Source,
                view::Order::Fused => Order::Fused,
                view::Order::Tree => Order::Tree,
                // Its bracket is written before a schedule is applied; until then it is one of the fixed ones.
                view::Order::Fixed | view::Order::Invariant | view::Order::Exact => Order::Fixed,
                view::Order::Free => Order::Free,
            }),
        }
    }
}

impl View {
    /// Distinct buffers that are read, in order of first access
    pub fn buffers(&self) -> Vec<Value> {
        let mut all = Vec::new();
        for input in self.inputs.iter().filter(|input| input.map.is_some()) {
            if !all.contains(&input.value) {
                all.push(input.value);
            }
        }
        all
    }

    /// Access groups of the buffers that are read, in order of first access
    pub fn groups_of_reads(&self) -> Groups {
        let buffers = self.buffers();
        let read = self.inputs.iter().filter_map(|input| {
            let buffer = buffers.iter().position(|other| *other == input.value)?;
            Some((buffer, input.map.as_ref()))
        });
        Groups::of(read)
    }

    /// The same of reads by index maps only
    pub fn groups_of_maps(&self) -> Groups {
        let mapped = View {
            inputs: self.inputs.iter().filter(|input| input.map.is_some()).cloned().collect(),
            ..self.clone()
        };
        mapped.groups_of_reads()
    }

    /// The computation without IR
    pub fn computation(&self, ir: &Ir, op: Compute) -> Computation {
        let buffers = self.buffers();
        let memory = |value: Value| crate::cost::memory(ir, value);
        let groups = self.groups_of_reads();
        let read = self.inputs.iter().filter_map(|input| {
            let buffer = buffers.iter().position(|buffer| *buffer == input.value)?;
            Some((buffer, input))
        });
        let inputs = read.zip(&groups.of).map(|((buffer, input), group)| Input {
            buffer,
            group: *group,
            map: input.map.clone(),
            replaced: input.guard.is_some() || input.other.is_some(),
        });
        let dims = self.dims.iter();
        Computation {
            name: self.name.clone(),
            dims: dims
                .map(|dim| Dim { name: dim.name.clone(), size: dim.size, kind: dim.kind.plain() })
                .collect(),
            inputs: inputs.collect(),
            groups: groups.buffers,
            outputs: self.outputs.iter().map(|out| Output { maps: out.maps.clone() }).collect(),
            bounds: self.bounds(),
            extents: self.extents.iter().map(|extent| extent.most).collect(),
            results: ir.results(op.id()).map(memory).collect(),
            in_order: self.in_order(ir, op),
            symmetric: symmetric::stated(ir, op, self).ok().flatten(),
            buffers: buffers.into_iter().map(memory).collect(),
        }
    }
}
