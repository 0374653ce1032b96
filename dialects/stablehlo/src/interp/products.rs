//! Products and convolutions: sums of products, in the order of the summed dimensions.

use super::elements::{Two, convert};
use super::*;
use crate::windows::Window;
use crate::*;

terrace_interp::interpret_by_run! { Dot DotGeneral Convolution }

/// Adds up products in a type: that of the result, but f32 for floats that are narrower
struct Sum {
    from: [Elem; 2],
    over: Elem,
    to: Elem,
    all: RtValue,
}

impl Sum {
    fn of(m: &Machine<'_>) -> Result<Sum, Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let elem = |n| Elem::of(cx, ir.ty(ir.operand(m.op(), n)));
        let to = Elem::of(cx, ir.ty(ir.result(m.op(), 0)))?;
        let over = match to {
            Elem::Float(kind) if kind.width() < 32 => Elem::Float(FloatKind::F32),
            other => other,
        };
        let all = convert(&RtValue::bool(false), Elem::Pred, over)?;
        Ok(Sum { from: [elem(0)?, elem(1)?], over, to, all })
    }

    fn add(&mut self, lhs: &RtValue, rhs: &RtValue) -> Result<(), Trap> {
        if [lhs, rhs, &self.all].iter().any(|value| matches!(value, RtValue::Poison)) {
            self.all = RtValue::Poison;
            return Ok(());
        }
        let lhs = convert(lhs, self.from[0], self.over)?;
        let rhs = convert(rhs, self.from[1], self.over)?;
        self.all = Add::of(self.over, &self.all, &Multiply::of(self.over, &lhs, &rhs)?)?;
        Ok(())
    }

    /// The sum, and start again
    fn take(&mut self) -> Result<RtValue, Trap> {
        let zero = convert(&RtValue::bool(false), Elem::Pred, self.over)?;
        convert(&std::mem::replace(&mut self.all, zero), self.over, self.to)
    }
}

/// The sums of products of two tensors
fn product(m: &mut Machine<'_>, dims: DotDims<'_>) -> Result<(), Trap> {
    let (lhs, rhs) = (Tensor::of(m, m.ir().operand(m.op(), 0))?, Tensor::of(m, m.ir().operand(m.op(), 1))?);
    let left = DotDims::free(lhs.sizes.len(), dims.lhs_batching, dims.lhs_contracting);
    let right = DotDims::free(rhs.sizes.len(), dims.rhs_batching, dims.rhs_contracting);
    let summed: Vec<i64> = dims.lhs_contracting.iter().map(|dim| lhs.sizes[*dim as usize]).collect();
    let mut sum = Sum::of(m)?;
    let (mut a, mut b) = (vec![0; lhs.sizes.len()], vec![0; rhs.sizes.len()]);
    let put = |to: &mut [i64], dims: &[i64], at: &[i64]| {
        dims.iter().zip(at).for_each(|(dim, i)| to[*dim as usize] = *i);
    };
    fill(m, |at| {
        let (shared, rest) = at.split_at(dims.lhs_batching.len());
        put(&mut a, dims.lhs_batching, shared);
        put(&mut b, dims.rhs_batching, shared);
        put(&mut a, &left, &rest[..left.len()]);
        put(&mut b, &right, &rest[left.len()..]);
        for k in Points::of(&summed) {
            put(&mut a, dims.lhs_contracting, &k);
            put(&mut b, dims.rhs_contracting, &k);
            let missing = RtValue::Poison;
            sum.add(lhs.get(&a).unwrap_or(&missing), rhs.get(&b).unwrap_or(&missing))?;
        }
        sum.take()
    })
}

impl DotGeneral {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let numbers = DotDimensionNumbers::cast(m.cx(), self.dot_dimension_numbers(m.ir()));
        product(m, numbers.ok_or_else(unsupported)?.dims(m.cx()))
    }
}

impl Dot {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let last = sizes(m, self.lhs(m.ir()))?.len() as i64 - 1;
        let none = &[][..];
        let dims = DotDims {
            lhs_batching: none,
            rhs_batching: none,
            lhs_contracting: &[last],
            rhs_contracting: &[0],
        };
        product(m, dims)
    }
}

/// The element of the base that a window sees at a place of it; nothing in the border and between elements
pub(super) fn seen(window: &Window, place: i64, offset: i64, base: i64) -> Option<i64> {
    let offset = if window.reversed { window.size - 1 - offset } else { offset };
    let at = place * window.stride + offset * window.dilation - window.low;
    let inside = at >= 0 && at % window.base_dilation == 0 && at / window.base_dilation < base;
    inside.then(|| at / window.base_dilation)
}

impl Convolution {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let (lhs, rhs) = (Tensor::of(m, self.lhs(ir))?, Tensor::of(m, self.rhs(ir))?);
        let numbers = ConvDimensionNumbers::cast(cx, self.dimension_numbers(ir)).ok_or_else(unsupported)?;
        let [of_input, of_kernel, of_output] = numbers.dims(cx);
        let windows = self.windows(ir).map_err(|message| Trap::new(&codes::INVALID, message))?;
        let number = |attr: terrace_ir::Attr| attr.as_i64(cx).unwrap_or(1).max(1);
        let (groups, batches) = (number(self.feature_group_count(ir)), number(self.batch_group_count(ir)));
        let size = |dim: i64| rhs.sizes[dim as usize];
        let space: Vec<i64> = of_kernel.spatial.iter().map(|dim| size(*dim)).collect();
        let (features, outputs) = (size(of_kernel.first), size(of_kernel.second));
        let batch = lhs.sizes[of_input.first as usize] / batches;
        let mut sum = Sum::of(m)?;
        let (mut a, mut b) = (vec![0; lhs.sizes.len()], vec![0; rhs.sizes.len()]);
        fill(m, |at| {
            let (n, output) = (at[of_output.first as usize], at[of_output.second as usize]);
            // A group of outputs sees its own part of the features, or of the batches.
            let group = output / (outputs / groups).max(1);
            a[of_input.first as usize] =
                output / (outputs / batches).max(1) * batch * i64::from(batches > 1) + n;
            b[of_kernel.second as usize] = output;
            for k in Points::of(&space) {
                let mut inside = true;
                for (d, window) in windows.iter().enumerate() {
                    b[of_kernel.spatial[d] as usize] =
                        if window.reversed { window.size - 1 - k[d] } else { k[d] };
                    let base = lhs.sizes[of_input.spatial[d] as usize];
                    let plain = Window { reversed: false, ..*window };
                    match seen(&plain, at[of_output.spatial[d] as usize], k[d], base) {
                        Some(from) => a[of_input.spatial[d] as usize] = from,
                        None => inside = false,
                    }
                }
                for feature in (0..features).filter(|_| inside) {
                    a[of_input.second as usize] = group * features * i64::from(groups > 1) + feature;
                    b[of_kernel.first as usize] = feature;
                    let missing = RtValue::Poison;
                    sum.add(lhs.get(&a).unwrap_or(&missing), rhs.get(&b).unwrap_or(&missing))?;
                }
            }
            sum.take()
        })
    }
}
