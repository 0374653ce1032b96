//! Ops that make tensors or move their elements.

use super::elements::convert;
use super::*;
use crate::*;

terrace_interp::interpret_by_run! {
    Iota Reshape Transpose BroadcastInDim Broadcast Slice DynamicSlice DynamicUpdateSlice Concatenate Pad Reverse Gather
    OptimizationBarrier TopK
}

fn poison() -> RtValue {
    RtValue::Poison
}

impl Iota {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let dim = self.iota_dimension(m.ir()).as_i64(m.cx()).unwrap_or(0) as usize;
        let to = Elem::of(m.cx(), m.ir().ty(self.output(m.ir())))?;
        let index = Elem::Int { width: 64, unsigned: false };
        fill(m, |at| convert(&RtValue::index(at[dim]), index, to))
    }
}

impl Reshape {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let value = m.operand(0);
        m.set_result(0, value);
        Ok(())
    }
}

impl OptimizationBarrier {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let values = m.operands();
        m.set_results(values);
        Ok(())
    }
}

/// The result has at each index the operand's element at another one
fn moved(m: &mut Machine<'_>, from: impl Fn(&[i64]) -> Vec<i64>) -> Result<(), Trap> {
    let operand = Tensor::of(m, m.ir().operand(m.op(), 0))?;
    fill(m, |at| Ok(operand.get(&from(at)).cloned().unwrap_or_else(poison)))
}

impl Transpose {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let order = attrs::list(m.cx(), self.permutation(m.ir())).to_vec();
        moved(m, |at| {
            let mut from = vec![0; at.len()];
            for (n, dim) in order.iter().enumerate() {
                from[*dim as usize] = at[n];
            }
            from
        })
    }
}

impl BroadcastInDim {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let dims = attrs::list(m.cx(), self.broadcast_dimensions(m.ir())).to_vec();
        let shape = sizes(m, self.operand(m.ir()))?;
        moved(m, |at| {
            dims.iter()
                .zip(&shape)
                .map(|(dim, size)| if *size == 1 { 0 } else { at[*dim as usize] })
                .collect()
        })
    }
}

impl Broadcast {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let added = attrs::list(m.cx(), self.broadcast_sizes(m.ir())).len();
        moved(m, |at| at[added..].to_vec())
    }
}

impl Slice {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let starts = attrs::list(cx, self.start_indices(ir));
        let strides = attrs::list(cx, self.strides(ir));
        moved(m, |at| {
            at.iter().zip(starts.iter().zip(strides)).map(|(i, (start, stride))| start + i * stride).collect()
        })
    }
}

impl Reverse {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let dims = attrs::list(m.cx(), self.dimensions(m.ir())).to_vec();
        let shape = sizes(m, self.operand(m.ir()))?;
        let turned = |(n, i): (usize, &i64)| if dims.contains(&(n as i64)) { shape[n] - 1 - i } else { *i };
        moved(m, |at| at.iter().enumerate().map(turned).collect())
    }
}

/// Starts that are data, clamped so that a part fits into the whole
fn clamped(m: &Machine<'_>, starts: &[Value], part: &[i64], whole: &[i64]) -> Result<Vec<i64>, Trap> {
    let fit = |(start, (part, whole)): (&Value, (&i64, &i64))| {
        let last = (whole - part).max(0);
        Ok(decide(m, *start)?.clamp(0, last.into()) as i64)
    };
    starts.iter().zip(part.iter().zip(whole)).map(fit).collect()
}

fn sum(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

impl DynamicSlice {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (whole, part) = (sizes(m, self.operand(ir))?, sizes(m, self.result(ir))?);
        let starts = clamped(m, &self.start_indices(ir), &part, &whole)?;
        moved(m, |at| sum(at, &starts))
    }
}

impl DynamicUpdateSlice {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (operand, update) = (Tensor::of(m, self.operand(ir))?, Tensor::of(m, self.update(ir))?);
        let starts = clamped(m, &self.start_indices(ir), &update.sizes, &operand.sizes)?;
        fill(m, |at| {
            let inner: Vec<i64> = at.iter().zip(&starts).map(|(i, start)| i - start).collect();
            Ok(update.get(&inner).or_else(|| operand.get(at)).cloned().unwrap_or_else(poison))
        })
    }
}

impl Concatenate {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let dim = self.dimension(m.ir()).as_i64(m.cx()).unwrap_or(0) as usize;
        let inputs = self.inputs(m.ir());
        let inputs: Vec<Tensor> =
            inputs.into_iter().map(|value| Tensor::of(m, value)).collect::<Result<_, _>>()?;
        fill(m, |at| {
            let mut at = at.to_vec();
            for input in &inputs {
                if at[dim] < input.sizes[dim] {
                    return Ok(input.get(&at).cloned().unwrap_or_else(poison));
                }
                at[dim] -= input.sizes[dim];
            }
            Ok(poison())
        })
    }
}

impl Pad {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let operand = Tensor::of(m, self.operand(ir))?;
        let value = single(&m.value(self.padding_value(ir)));
        let (low, between) =
            (attrs::list(cx, self.edge_padding_low(ir)), attrs::list(cx, self.interior_padding(ir)));
        fill(m, |at| {
            let mut inner = Vec::with_capacity(at.len());
            for ((i, low), between) in at.iter().zip(low).zip(between) {
                let (i, step) = (i - low, between + 1);
                if i.rem_euclid(step) != 0 {
                    return Ok(value.clone());
                }
                inner.push(i.div_euclid(step));
            }
            Ok(operand.get(&inner).unwrap_or(&value).clone())
        })
    }
}

/// The numbers of the index that belongs to a point of the indices' other dimensions
pub(super) fn index_at(
    indices: &Tensor,
    elem: Elem,
    dims: &GatherDims<'_>,
    walked: &[i64],
) -> Result<Vec<i128>, Trap> {
    let vector = dims.index_vector as usize;
    (0..dims.index_map.len() as i64)
        .map(|n| {
            let mut at = walked.to_vec();
            if vector < indices.sizes.len() {
                at.insert(vector.min(at.len()), n);
            }
            match indices.get(&at) {
                None | Some(RtValue::Poison) => Err(Trap::new(&codes::POISON, "an index is poison")),
                Some(value) => elem.int(value),
            }
        })
        .collect()
}

/// Where a slice begins in the operand, before it is clamped
pub(super) fn slice_start(dims: &GatherDims<'_>, rank: usize, index: &[i128], walked: &[i64]) -> Vec<i128> {
    let mut start = vec![0i128; rank];
    for (dim, number) in dims.index_map.iter().zip(index) {
        start[*dim as usize] = *number;
    }
    for (dim, at) in dims.operand_batching.iter().zip(dims.indices_batching) {
        // Dimensions of the indices behind the index vector come one earlier.
        let at = if *at < dims.index_vector { *at } else { at - 1 };
        start[*dim as usize] = walked[at as usize].into();
    }
    start
}

/// A point of the result (of updates): what belongs to the indices, and what to the slice, in dimensions of the operand
pub(super) fn split(dims: &GatherDims<'_>, rank: usize, at: &[i64]) -> (Vec<i64>, Vec<i64>) {
    let is_offset = |n: usize| dims.offset.contains(&(n as i64));
    let walked = (0..at.len()).filter(|n| !is_offset(*n)).map(|n| at[n]).collect();
    let mut offsets = (0..at.len()).filter(|n| is_offset(*n)).map(|n| at[n]);
    let left_out = |dim: i64| dims.collapsed.contains(&dim) || dims.operand_batching.contains(&dim);
    let offset = |dim: i64| if left_out(dim) { 0 } else { offsets.next().unwrap_or(0) };
    (walked, (0..rank as i64).map(offset).collect())
}

impl Gather {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let (operand, indices) = (Tensor::of(m, self.operand(ir))?, Tensor::of(m, self.start_indices(ir))?);
        let elem = Elem::of(cx, ir.ty(self.start_indices(ir)))?;
        let numbers = GatherDimensionNumbers::cast(cx, self.dimension_numbers(ir)).ok_or_else(unsupported)?;
        let (dims, part) = (numbers.dims(cx), attrs::list(cx, self.slice_sizes(ir)));
        let result = sizes(m, self.result(ir))?;
        let all: Vec<RtValue> = Points::of(&result)
            .map(|at| {
                let (walked, offset) = split(&dims, operand.sizes.len(), &at);
                let index = index_at(&indices, elem, &dims, &walked)?;
                let start = slice_start(&dims, operand.sizes.len(), &index, &walked);
                let from: Vec<i64> = (0..offset.len())
                    .map(|n| start[n].clamp(0, (operand.sizes[n] - part[n]).max(0).into()) as i64 + offset[n])
                    .collect();
                Ok(operand.get(&from).cloned().unwrap_or_else(poison))
            })
            .collect::<Result<_, Trap>>()?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl TopK {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let operand = Tensor::of(m, self.operand(ir))?;
        let (k, row) = (self.k(ir).as_i64(cx).unwrap_or(0), *operand.sizes.last().unwrap_or(&1));
        let (k, row) = (usize::try_from(k).unwrap_or(0), usize::try_from(row).unwrap_or(1).max(1));
        let elem = Elem::of(cx, ir.ty(self.operand(ir)))?;
        let place = Elem::of(cx, ir.ty(self.indices(ir)))?;
        let (mut values, mut indices) = (Vec::new(), Vec::new());
        for row in operand.all.chunks(row) {
            let mut order: Vec<(i128, usize)> = Vec::new();
            for (n, value) in row.iter().enumerate() {
                order.push((elements::rank(elem, value)?, n));
            }
            // The earlier one of equals comes first.
            order.sort_by_key(|(rank, n)| (std::cmp::Reverse(*rank), *n));
            for (_, n) in order.into_iter().take(k) {
                values.push(row[n].clone());
                indices.push(place.make(n as i128)?);
            }
        }
        m.set_results(vec![RtValue::Vector(values.into()), RtValue::Vector(indices.into())]);
        Ok(())
    }
}
