//! Convolutions in the layout `NCHWc`: channels and filters in blocks, the elements of a block contiguous.
//!
//! Image and weights are copied in this layout, and results are copied out of it. The copy of the image has the border that results read, so that
//! no subscript of the sums is outside. Where a block has a remainder, copies fill it, and a condition leaves its terms out unless
//! a product with zero changes no sum. Terms keep their order, so values are the same bit for bit in the order of the source, too.

use super::build::{self, Piece, at, below};
use super::structure::{Convolution, Why, Window};
use crate::parts;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::{CombineKind, Condition};
use terrace_ir::{Ir, Value};
use terrace_support::affine::AffineExpr;

/// What no form is built of: subscripts or sizes beyond 64 bits
const LARGE: Why = "its subscripts are too large";

/// Dimensions in blocks
struct Blocks<'a> {
    conv: &'a Convolution,
    /// Elements of a block
    by: i64,
    /// The dimension of channels, of filters, or of groups where there is neither
    dims: Vec<usize>,
    /// Are terms beyond the channels products with zeros?
    filled: bool,
}

/// A coordinate: of a dimension, or of a block and of an element of it
#[derive(Clone)]
enum Coordinate {
    Whole(AffineExpr),
    Blocked { block: AffineExpr, lane: AffineExpr },
}

/// Where all dimensions are in a computation
struct Coordinates(Vec<Coordinate>);

/// Channels and filters in blocks of so many
pub fn blocked(ir: &mut Ir, op: Compute, conv: &Convolution, by: i64) -> Result<Compute, Why> {
    let blocks = Blocks::of(ir, op, conv, by)?;
    let image = blocks.image(ir, op).ok_or(LARGE)?;
    let weights = blocks.weights(ir, op).ok_or(LARGE)?;
    let (made, value) = blocks.sums(ir, op, image, weights).ok_or(LARGE)?;
    blocks.results(ir, op, value).ok_or(LARGE)?;
    Ok(made)
}

impl<'a> Blocks<'a> {
    fn of(ir: &Ir, op: Compute, conv: &'a Convolution, by: i64) -> Result<Blocks<'a>, Why> {
        let dims = match (conv.channels.as_slice(), conv.filters.as_slice(), conv.groups.as_slice()) {
            ([], [], [group]) => vec![*group],
            ([channel], [filter], _) => vec![*channel, *filter],
            ([channel], [], _) => vec![*channel],
            ([], [filter], _) => vec![*filter],
            ([], [], _) => return Err("no dimension is one of channels"),
            _ => return Err("several dimensions are channels, or several filters"),
        };
        if conv.in_order(ir, op) && conv.view.outputs[0].init.is_some() {
            return Err("start values are the first terms in the order of the source");
        }
        // Of weights, what is beyond the channels must be outside of the tensor.
        let shape = ir.ty(conv.view.inputs[conv.weights].value).shape(ir.cx()).unwrap_or(&[]);
        let ends = |dim: &usize| {
            let mut axes = conv.weights_map().results.iter().zip(shape);
            axes.any(|(expr, size)| *expr == at(*dim) && *size == conv.size(*dim))
        };
        let filled = conv.fills && conv.channels.iter().all(ends);
        Ok(Blocks { conv, by, dims, filled })
    }

    fn is_blocked(&self, dim: usize) -> bool {
        self.dims.contains(&dim)
    }

    /// A dimension of the convolution in a computation
    fn add(&self, piece: &mut Piece, dim: usize, kind: &CombineKind) -> Coordinate {
        if !self.is_blocked(dim) {
            return Coordinate::Whole(piece.same(self.conv, dim, kind.clone()));
        }
        let size = self.conv.size(dim);
        let count = (size as u64).div_ceil(self.by as u64) as i64;
        let name = &self.conv.view.dims[dim].name;
        let block = piece.dim(&format!("{name}_block"), count, kind.clone());
        let lane = piece.dim(name, self.by, kind.clone());
        Coordinate::Blocked { block, lane }
    }

    /// Axes of an operand in order: whole dimensions and blocks, `between`, then elements of blocks, filters last
    fn axes(&self, of: &[usize], at: &Coordinates, between: &[AffineExpr]) -> Vec<AffineExpr> {
        let outer = of.iter().map(|dim| match &at.0[*dim] {
            Coordinate::Whole(expr) => expr.clone(),
            Coordinate::Blocked { block, .. } => block.clone(),
        });
        let lanes = self.dims.iter().filter(|dim| of.contains(dim));
        let lanes = lanes.filter_map(|dim| match &at.0[*dim] {
            Coordinate::Blocked { lane, .. } => Some(lane.clone()),
            Coordinate::Whole(_) => None,
        });
        outer.chain(between.iter().cloned()).chain(lanes).collect()
    }

    /// Dimensions of an operand that are no coordinates of windows, outermost first
    fn of_image(&self) -> Vec<usize> {
        let conv = self.conv;
        [&conv.batch, &conv.groups, &conv.channels].into_iter().flatten().copied().collect()
    }

    fn of_weights(&self) -> Vec<usize> {
        let conv = self.conv;
        let taps = conv.windows.iter().map(|window| window.tap);
        [&conv.groups, &conv.filters, &conv.channels].into_iter().flatten().copied().chain(taps).collect()
    }

    fn of_results(&self) -> Vec<usize> {
        let conv = self.conv;
        [&conv.batch, &conv.groups, &conv.filters].into_iter().flatten().copied().collect()
    }

    /// Does a block of some dimensions have a remainder?
    fn remains(&self, of: &[usize]) -> bool {
        self.dims.iter().any(|dim| of.contains(dim) && self.conv.size(*dim) % self.by != 0)
    }

    /// The image, with the border that results read
    fn image(&self, ir: &mut Ir, op: Compute) -> Option<Value> {
        let conv = self.conv;
        let of = self.of_image();
        let mut copy = Piece::new(build::name(conv, "image"));
        let mut coords = Coordinates(vec![Coordinate::Whole(0.into()); conv.view.dims.len()]);
        for dim in &of {
            coords.0[*dim] = self.add(&mut copy, *dim, &CombineKind::Cc);
        }
        let mut between = Vec::new();
        for window in &conv.windows {
            let name = format!("{}_in", conv.view.dims[window.at].name);
            between.push(copy.dim(&name, conv.span(window)?, CombineKind::Cc));
        }
        let mut subscripts = coords.replaced(&conv.image_map().results, self.by)?;
        for (window, expr) in conv.windows.iter().zip(&between) {
            subscripts[window.subscript] = AffineExpr::add(expr.clone(), window.shift.into());
        }
        let beyond = self.remains(&of).then(|| build::zero(ir, conv.view.inputs[conv.image].value));
        let other = build::outside(ir, conv).or(beyond);
        copy.place = self.axes(&of, &coords, &between);
        let value = conv.view.inputs[conv.image].value;
        copy.read(value, subscripts, other);
        let elem = ir.ty(value).scalar(ir.cx());
        let body = build::passes_on(ir, elem);
        Some(copy.tensor(ir, op, elem, body)?.1)
    }

    fn weights(&self, ir: &mut Ir, op: Compute) -> Option<Value> {
        let conv = self.conv;
        let of = self.of_weights();
        let mut copy = Piece::new(build::name(conv, "weights"));
        let mut coords = Coordinates(vec![Coordinate::Whole(0.into()); conv.view.dims.len()]);
        for dim in &of {
            coords.0[*dim] = self.add(&mut copy, *dim, &CombineKind::Cc);
        }
        let value = conv.view.inputs[conv.weights].value;
        let other = self.remains(&of).then(|| build::zero(ir, value));
        copy.read(value, coords.replaced(&conv.weights_map().results, self.by)?, other);
        copy.place = self.axes(&of, &coords, &[]);
        let elem = ir.ty(value).scalar(ir.cx());
        let body = build::passes_on(ir, elem);
        Some(copy.tensor(ir, op, elem, body)?.1)
    }

    /// The sums, in the order of the dimensions as written
    fn sums(&self, ir: &mut Ir, op: Compute, image: Value, weights: Value) -> Option<(Compute, Value)> {
        let conv = self.conv;
        let mut sums = Piece::new(build::main_name(conv));
        let mut coords = Coordinates(Vec::new());
        for dim in 0..conv.view.dims.len() {
            let added = self.add(&mut sums, dim, &conv.view.dims[dim].kind);
            coords.0.push(added);
        }
        let along = |window: &Window| {
            let [y, r] = [window.at, window.tap].map(|dim| coords.whole(dim, self.by));
            AffineExpr::add(
                AffineExpr::mul(y, window.stride.into()),
                AffineExpr::mul(r, window.dilation.into()),
            )
        };
        let between: Vec<AffineExpr> = conv.windows.iter().map(along).collect();
        let mut reads = [
            (image, self.axes(&self.of_image(), &coords, &between)),
            (weights, self.axes(&self.of_weights(), &coords, &[])),
        ];
        if conv.image == 1 {
            reads.swap(0, 1);
        }
        for (value, subscripts) in reads {
            sums.read(value, subscripts, None);
        }
        for channel in conv.channels.iter().filter(|dim| self.is_blocked(**dim)) {
            if conv.size(*channel) % self.by != 0 && !self.filled {
                sums.conditions.push(below(coords.whole(*channel, self.by), conv.size(*channel)));
            }
        }
        if !(conv.fills && conv.zeros_for_conditions(ir).is_ok()) {
            for condition in &conv.view.conditions {
                sums.conditions.push(coords.condition(condition, self.by)?);
            }
        }
        let places: Vec<AffineExpr> = conv.windows.iter().map(|one| coords.whole(one.at, self.by)).collect();
        sums.place = self.axes(&self.of_results(), &coords, &places);
        let body = parts::copied_body(ir, op, |_, _| None)?;
        sums.tensor(ir, op, conv.elem, body)
    }

    /// Results where they were
    fn results(&self, ir: &mut Ir, op: Compute, sums: Value) -> Option<()> {
        let conv = self.conv;
        let mut copy = Piece::new(build::name(conv, "results"));
        let mut coords = Coordinates(vec![Coordinate::Whole(0.into()); conv.view.dims.len()]);
        let kept: Vec<usize> =
            (0..conv.view.dims.len()).filter(|dim| conv.view.dims[*dim].kind.kept()).collect();
        let mut blocks = Coordinates(coords.0.clone());
        for dim in &kept {
            if self.remains(&[*dim]) {
                // What the last block has beyond is no point, and needs no condition.
                let whole = copy.dim(&conv.view.dims[*dim].name, conv.size(*dim), CombineKind::Cc);
                let block = AffineExpr::floor_div(whole.clone(), self.by.into());
                let lane = AffineExpr::modulo(whole.clone(), self.by.into());
                blocks.0[*dim] = Coordinate::Blocked { block, lane };
                coords.0[*dim] = Coordinate::Whole(whole);
            } else {
                coords.0[*dim] = self.add(&mut copy, *dim, &CombineKind::Cc);
                blocks.0[*dim] = coords.0[*dim].clone();
            }
        }
        let places: Vec<AffineExpr> = conv.windows.iter().map(|one| coords.whole(one.at, self.by)).collect();
        let read = self.axes(&self.of_results(), &blocks, &places);
        copy.place = coords.replaced(&conv.place().results, self.by)?;
        let ty = ir.ty(ir.result(op.id(), 0));
        let body = match conv.view.outputs[0].init.clone() {
            None => build::passes_on(ir, conv.elem),
            Some((value, own)) => {
                let own = match own {
                    Some(own) => Some(coords.replaced(&own.results, self.by)?),
                    None => None,
                };
                let starts = own.clone().unwrap_or_else(|| copy.place.clone());
                copy.read(value, starts, None);
                let whole = ty.shape(ir.cx()).is_some_and(|shape| conv.view.axes(0, shape).is_some());
                if !whole {
                    // Start values stay where no point writes.
                    copy.init = Some((value, own));
                }
                build::of_two(ir, conv.elem, true)
            }
        };
        copy.read(sums, read, None);
        let (made, _) = copy.build(ir, op, ty, body)?;
        parts::replace(ir, op, made);
        Some(())
    }
}

impl Coordinates {
    /// The coordinate of a dimension as a whole
    fn whole(&self, dim: usize, by: i64) -> AffineExpr {
        match &self.0[dim] {
            Coordinate::Whole(expr) => expr.clone(),
            Coordinate::Blocked { block, lane } => {
                AffineExpr::add(AffineExpr::mul(block.clone(), by.into()), lane.clone())
            }
        }
    }

    /// Expressions over the dimensions of the convolution
    fn replaced(&self, exprs: &[AffineExpr], by: i64) -> Option<Vec<AffineExpr>> {
        let all: Vec<AffineExpr> = (0..self.0.len()).map(|dim| self.whole(dim, by)).collect();
        exprs.iter().map(|expr| expr.replace(&all, &[])).collect()
    }

    fn condition(&self, condition: &Condition, by: i64) -> Option<Condition> {
        let one = |expr: &AffineExpr| self.replaced(std::slice::from_ref(expr), by)?.pop();
        let low = condition.low.as_ref().map_or(Some(None), |low| one(low).map(Some))?;
        Some(Condition { low, expr: one(&condition.expr)?, high: one(&condition.high)? })
    }
}
