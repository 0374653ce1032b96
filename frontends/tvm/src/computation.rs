//! Computations as scripts see them, read from `mdh.compute`.

use crate::refusal::{Code, NoScript};
use crate::{Computation, Dim, Input};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{Groups, OpenSchedule, ScheduleError};
use terrace_dialect_mdh::view::{CombineKind, View};
use terrace_ir::{Ir, Value};

impl Computation {
    /// Steps as text, whose buffers are this computation's, or the access groups of its reads
    pub fn steps(&self, text: &str, groups: &Groups) -> Result<OpenSchedule, ScheduleError> {
        let draft = OpenSchedule::read(text)?;
        let ins: Vec<Option<&str>> = self.ins.iter().map(|input| Some(input.name.as_str())).collect();
        let outs: Vec<Option<&str>> = self.outs.iter().map(|name| Some(name.as_str())).collect();
        draft.names_fit(&ins, groups, &outs)?;
        Ok(draft)
    }

    /// What scripts see of a computation
    pub fn of(ir: &Ir, op: Compute) -> Result<Computation, NoScript> {
        let view = View::read(ir, op)?;
        if let Some(dim) = view.dims.iter().find(|dim| matches!(dim.kind, CombineKind::Ps(_))) {
            let why = format!("prefixes (dimension {}) have no axis in scripts", dim.name);
            return Err(Code::Word.because(why).into());
        }
        let dims =
            view.dims.iter().map(|dim| Dim { name: dim.name.clone(), size: dim.size, kept: dim.kind.kept() });
        let mut ins: Vec<(Value, Input)> = Vec::new();
        for (n, input) in view.inputs.iter().enumerate() {
            let Some(map) = &input.map else { continue };
            if !ins.iter().any(|(value, _)| *value == input.value) {
                let name = ir.value_name(input.value).map_or(format!("in{}", n + 1), String::from);
                ins.push((input.value, Input { name, rank: map.results.len() }));
            }
        }
        let named: Vec<Option<&str>> = ir.results(op.id()).map(|value| ir.value_name(value)).collect();
        let outs = (0..view.outputs.len())
            .map(|n| named.get(n).copied().flatten().map_or(format!("out{}", n + 1), String::from));
        let mut axes: Vec<usize> = Vec::new();
        let used = |expr: &terrace_support::affine::AffineExpr, dim: usize| expr.uses_dim(dim as u32);
        let first = view.outputs.first().and_then(|out| out.maps.first());
        for expr in first.iter().flat_map(|map| &map.results) {
            let here: Vec<usize> =
                (0..view.dims.len()).filter(|n| used(expr, *n) && !axes.contains(n)).collect();
            axes.extend(here);
        }
        let rest: Vec<usize> =
            (0..view.dims.len()).filter(|n| view.dims[*n].kind.kept() && !axes.contains(n)).collect();
        axes.extend(rest);
        Ok(Computation {
            name: view.name.clone().unwrap_or_else(|| "compute".into()),
            dims: dims.collect(),
            outs: outs.collect(),
            ins: ins.into_iter().map(|(_, input)| input).collect(),
            axes,
        })
    }
}
