//! Rules of products, convolutions and Fourier transforms.

use super::*;
use crate::windows::{self, WindowAttrs, WindowError};

verify! {
    Dot dot;
    DotGeneral dot_general;
    Convolution convolution;
    Fft fft;
}

fn precision(check: Check<'_>, config: Option<terrace_ir::Attr>) -> Done {
    let count = config.and_then(|config| config.as_array(check.cx())).map_or(0, <[_]>::len);
    check.require(count <= 2, || {
        format!("expects precision config to be empty or have <= 2 elements, got {count}")
    })
}

fn dot(op: Dot, check: Check<'_>) -> Done {
    let ir = check.ir();
    precision(check, op.precision_config(ir))?;
    let (lhs, rhs) = (check.shape(op.lhs(ir)), check.shape(op.rhs(ir)));
    let fits = (1..=2).contains(&lhs.len()) && (1..=2).contains(&rhs.len());
    check.require(fits, || "expected both lhs/rhs ranks to be either 1 or 2".into())?;
    check.require(agree(lhs[lhs.len() - 1], rhs[0]), || {
        "contracting dimension sizes must match for lhs/rhs".into()
    })?;
    check.result_shape(&[&lhs[..lhs.len() - 1], &rhs[1..]].concat())
}

fn dot_general(op: DotGeneral, check: Check<'_>) -> Done {
    let (ir, cx) = (check.ir(), check.cx());
    precision(check, op.precision_config(ir))?;
    let Some(dims) = DotDimensionNumbers::cast(cx, op.dot_dimension_numbers(ir)) else { return Ok(()) };
    let dims = dims.dims(cx);
    check.require(dims.lhs_batching.len() == dims.rhs_batching.len(), || {
        "lhs and rhs should have the same number of batching dimensions".into()
    })?;
    check.require(dims.lhs_contracting.len() == dims.rhs_contracting.len(), || {
        "lhs and rhs should have the same number of contracting dimensions".into()
    })?;
    let (lhs, rhs) = (check.shape(op.lhs(ir)), check.shape(op.rhs(ir)));
    let sides = [
        (
            lhs,
            dims.lhs_batching,
            dims.lhs_contracting,
            ["lhs_batching_dimensions", "lhs_contracting_dimensions"],
        ),
        (
            rhs,
            dims.rhs_batching,
            dims.rhs_contracting,
            ["rhs_batching_dimensions", "rhs_contracting_dimensions"],
        ),
    ];
    for (shape, batching, contracting, names) in sides {
        check.distinct(batching, contracting, names)?;
        for (list, name) in [(batching, names[0]), (contracting, names[1])] {
            let rank = shape.len() as i64;
            if let Some(dim) = list.iter().find(|dim| !(0..rank).contains(*dim)) {
                return check.fail(format!("{name} value: {dim} is out of range: [0, {rank})"));
            }
        }
    }
    let same = |a: &[i64], b: &[i64]| a.iter().zip(b).all(|(a, b)| agree(lhs[*a as usize], rhs[*b as usize]));
    check.require(same(dims.lhs_batching, dims.rhs_batching), || {
        "batching dimension sizes must match for lhs/rhs".into()
    })?;
    check.require(same(dims.lhs_contracting, dims.rhs_contracting), || {
        "contracting dimension sizes must match for lhs/rhs".into()
    })?;
    let plain = |config: terrace_ir::Attr| {
        let all = config.as_array(cx).unwrap_or(&[]);
        all.iter().all(|attr| Precision::of(cx, *attr) == Some(Precision::Default))
    };
    check.require(op.algorithm(ir).is_none() || op.precision_config(ir).is_none_or(plain), || {
        "must specify DEFAULT precision config when algorithm is set.".into()
    })?;
    check.result_shape(&dims.result(lhs, rhs))
}

impl DotDims<'_> {
    /// Dimensions of an operand of this rank that are neither shared nor summed over
    pub fn free(rank: usize, batching: &[i64], contracting: &[i64]) -> Vec<i64> {
        (0..rank as i64).filter(|dim| !batching.contains(dim) && !contracting.contains(dim)).collect()
    }

    /// Shape of the result: shared dimensions, those left of the lhs, those left of the rhs
    pub fn result(&self, lhs: &[i64], rhs: &[i64]) -> Vec<i64> {
        let shared = self.lhs_batching.iter().zip(self.rhs_batching).map(|(a, b)| {
            let (a, b) = (lhs[*a as usize], rhs[*b as usize]);
            if a == DYNAMIC { b } else { a }
        });
        let left = Self::free(lhs.len(), self.lhs_batching, self.lhs_contracting);
        let right = Self::free(rhs.len(), self.rhs_batching, self.rhs_contracting);
        let left = left.into_iter().map(|dim| lhs[dim as usize]);
        let right = right.into_iter().map(|dim| rhs[dim as usize]);
        shared.chain(left).chain(right).collect()
    }
}

impl Convolution {
    /// Windows over the dimensions of space, or what is wrong with an attribute
    pub fn windows(self, ir: &Ir) -> Result<Vec<windows::Window>, WindowError> {
        let cx = ir.cx();
        let Some(numbers) = ConvDimensionNumbers::cast(cx, self.dimension_numbers(ir)) else {
            return Ok(Vec::new());
        };
        let kernel = ir.ty(self.rhs(ir)).shape(cx).unwrap_or(&[]);
        let list = |attr: Option<terrace_ir::Attr>| attr.map_or(&[][..], |attr| attrs::list(cx, attr));
        let size = |dim: &i64| kernel.get(*dim as usize).copied().unwrap_or(0);
        let attrs = WindowAttrs {
            sizes: numbers.dims(cx)[1].spatial.iter().map(size).collect(),
            strides: list(self.window_strides(ir)),
            padding: padding(cx, self.padding(ir))?,
            base_dilations: list(self.lhs_dilation(ir)),
            dilations: list(self.rhs_dilation(ir)),
            reversals: list(self.window_reversal(ir)),
        };
        attrs.windows()
    }
}

/// Rows of the attribute; none if it is absent
pub(super) fn padding(cx: &Context, attr: Option<terrace_ir::Attr>) -> Result<Vec<[i64; 2]>, WindowError> {
    match attr {
        None => Ok(Vec::new()),
        Some(attr) => windows::pairs(cx, attr)
            .ok_or_else(|| WindowError::Padding(attr.ty(cx).map_or(String::new(), |ty| type_text(cx, ty)))),
    }
}

fn convolution(op: Convolution, check: Check<'_>) -> Done {
    let (ir, cx) = (check.ir(), check.cx());
    let (lhs, rhs) = (op.lhs(ir), op.rhs(ir));
    let texts = || [check.text(check.ty(lhs)), check.text(check.ty(rhs))];
    let (input, kernel) = (check.shape(lhs), check.shape(rhs));
    check.require(input.len() >= 2, || {
        let [a, b] = texts();
        format!("expects convolution arguments to have >= 2 dimensions. Got: {a} and {b}.")
    })?;
    check.require(input.len() == kernel.len(), || {
        let [a, b] = texts();
        format!("expects convolution arguments to have same number of dimensions. Got: {a} and {b}.")
    })?;
    let opaque = |ty: Type| matches!(ty.kind(cx), TypeKind::Opaque { .. });
    let (a, b) = (check.elem(lhs), check.elem(rhs));
    check.require(a == b || opaque(a) || opaque(b), || {
        let (a, b) = (check.text(a), check.text(b));
        format!("expects lhs and rhs to have compatible element type. Got: {a} and {b}")
    })?;
    let Some(numbers) = ConvDimensionNumbers::cast(cx, op.dimension_numbers(ir)) else { return Ok(()) };
    let [of_input, of_kernel, of_output] = numbers.dims(cx);
    let space = [of_input, of_kernel, of_output].map(|dims| dims.spatial.len());
    check.require(space[0] == space[1] && space[0] == space[2], || {
        let [a, b, c] = space;
        format!("expects the same size for input, kernel and output spatial-dimensions, but got {a}, {b}, and {c} resp.")
    })?;
    check.require(input.len() == space[0] + 2, || {
        format!("expects convolution arguments to have {} dimensions. Got: {}", space[0] + 2, input.len())
    })?;
    groups(op, check, [input, kernel], [of_input, of_kernel])?;
    precision(check, op.precision_config(ir))?;
    let windows = match op.windows(ir) {
        Ok(windows) => windows,
        Err(message) => return check.fail(message),
    };
    let mut output = vec![DYNAMIC; input.len()];
    for ((window, from), to) in windows.iter().zip(of_input.spatial).zip(of_output.spatial) {
        output[*to as usize] = window.count(input[*from as usize]);
    }
    let batches = op.batch_group_count(ir).as_i64(cx).unwrap_or(1);
    let batch = input[of_input.first as usize];
    output[of_output.first as usize] = if batch == DYNAMIC { DYNAMIC } else { batch / batches };
    output[of_output.second as usize] = kernel[of_kernel.second as usize];
    check.result_shape(&output)
}

/// Groups divide batches and features
fn groups(op: Convolution, check: Check<'_>, shapes: [&[i64]; 2], dims: [ConvDims<'_>; 2]) -> Done {
    let (ir, cx) = (check.ir(), check.cx());
    let count = |attr: terrace_ir::Attr| attr.as_i64(cx).unwrap_or(0);
    let (features, batches) = (count(op.feature_group_count(ir)), count(op.batch_group_count(ir)));
    for (count, name) in [(features, "feature_group_count"), (batches, "batch_group_count")] {
        check.require(count > 0, || {
            format!("attribute '{name}' failed to satisfy constraint: its value is positive")
        })?;
    }
    check.require(batches == 1 || features == 1, || {
        format!("expects batch_group_count and feature_group_count not to be both greater than 1. Got {batches} and {features} resp.")
    })?;
    let at = |n: usize, dim: i64| shapes[n][dim as usize];
    let (batch, input) = (at(0, dims[0].first), at(0, dims[0].second));
    let (kernel_input, kernel_output) = (at(1, dims[1].first), at(1, dims[1].second));
    let divides = |all: i64, by: i64| all == DYNAMIC || all % by == 0;
    check.require(divides(batch, batches), || {
        format!("expects input batch dimension ({batch}) to be divisible by batch_group_count. Got batch_group_count = {batches}.")
    })?;
    check.require(divides(input, features), || {
        format!("expects input feature dimension ({input}) to be a multiple of feature_group_count. Got feature_group_count = {features}.")
    })?;
    check.require(input == DYNAMIC || agree(input / features, kernel_input), || {
        format!("expects input feature dimension ({input}) / feature_group_count = kernel input feature dimension ({kernel_input}). Got feature_group_count = {features}.")
    })?;
    check.require(divides(kernel_output, batches), || {
        format!("expects output feature dimension size ({kernel_output}) to be a multiple of batch_group_count. Got batch_group_count = {batches}.")
    })?;
    check.require(divides(kernel_output, features), || {
        format!("expects kernel output feature dimension ({kernel_output}) to be divisible by feature_group_count. For feature_group_count = {features}.")
    })
}

fn fft(op: Fft, check: Check<'_>) -> Done {
    let (ir, cx) = (check.ir(), check.cx());
    let (operand, kind) = (op.operand(ir), op.fft_type(ir));
    let lengths = check.numbers(op.fft_length(ir));
    let rank = lengths.len();
    check.require((1..=3).contains(&rank), || format!("rank must be between 1 and 3, but got {rank}."))?;
    let elem = check.elem(operand);
    let complex = types::is_complex(cx, elem);
    check.require(complex != (kind == FftType::Rfft), || {
        let elem = check.text(elem);
        match kind {
            FftType::Rfft => format!("RFFT requires f32 or f64 input type, but is given {elem}."),
            _ => format!("FFT/IFFT/IRFFT take a complex tensor as input, but is given {elem}."),
        }
    })?;
    let mut shape = check.shape(operand).to_vec();
    check.require(shape.len() >= rank, || {
        let ty = check.text(check.ty(operand));
        format!("operand rank must not be less than fft rank of {rank} for operand of type {ty}.")
    })?;
    let at = shape.len() - rank;
    let checked = if kind == FftType::Irfft { rank - 1 } else { rank };
    check.require(shapes_agree(&shape[at..at + checked], &lengths[..checked]), || {
        let (shape, lengths) = (sizes_text(&shape), sizes_text(lengths));
        format!(
            "{} requires dimensions to be compatible with fft_length. Got: {shape} but wanted {lengths}.",
            kind.word()
        )
    })?;
    let last = shape.len() - 1;
    let half = lengths[rank - 1] / 2 + 1;
    let result = match (kind, elem.kind(cx)) {
        (FftType::Rfft, _) => {
            shape[last] = if lengths[rank - 1] == 0 { 0 } else { half };
            cx.ty(TypeKind::Complex(elem))
        }
        (FftType::Irfft, TypeKind::Complex(part)) => {
            check.require(agree(shape[last], half) || lengths[rank - 1] == 0, || {
                format!("IRFFT requires innermost dimension to be compatible with fft_length[-1]/2+1. Got: {} but fft_length is {}.", shape[last], sizes_text(lengths))
            })?;
            shape[last] = lengths[rank - 1];
            *part
        }
        _ => elem,
    };
    check.result_type(&shape, result)
}
