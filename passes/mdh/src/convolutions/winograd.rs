//! Minimal filtering by Winograd's algorithm (Lavin and Gray, *Fast Algorithms for Convolutional Neural Networks*, 2016): F(2, 3) and F(4, 3).
//!
//! Along each window of three taps, `m` results are `AT · ((G · w) ⊙ (BT · x))` of `m + 2` elements. Windows along several dimensions nest. So there are
//! six kinds of computations: weights and image transformed along each window, products summed over channels, and these transformed back. Each
//! transformation reads a matrix of constants.
//!
//! Sums and differences of elements take the place of products, so results are rounded in another way: see [`Matrices::bound`].

use super::build::{self, Piece, at, below};
use super::matrices::{Matrices, TAPS};
use super::structure::{Convolution, Why, Window};
use crate::dependent::constant;
use crate::parts;
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::view::{CombineKind, Other};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::{Builder, FloatKind, Ir, TypeKind, Value};
use terrace_support::affine::AffineExpr;

/// What no form is built of: subscripts or sizes beyond 64 bits
const LARGE: Why = "its subscripts are too large";

/// A convolution in tiles
struct Tiled<'a> {
    op: Compute,
    conv: &'a Convolution,
    m: &'static Matrices,
    /// How sums are combined
    sum: CombineKind,
    /// Windows, outermost in the result first
    order: Vec<usize>,
}

/// An axis of a tensor between the computations
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    /// A dimension of the convolution
    Dim(usize),
    /// Elements of the image along a window
    Row(usize),
    /// Tiles along a window
    Tile(usize),
    /// Points of a transformed tile
    Point(usize),
    /// Results of a tile
    Within(usize),
}

/// How an operand of the convolution is read in a computation with these axes, with the combined axis at a place: subscripts, and what is outside
type Reading<'r> = dyn Fn(&[Axis], &AffineExpr) -> Option<(Vec<AffineExpr>, Option<Other>)> + 'r;

/// A transformation along one axis
struct Along {
    name: String,
    /// The tensor and its axes, points of other windows first
    from: (Value, Vec<Axis>),
    /// Axes of the result
    to: Vec<Axis>,
    /// The matrix: rows are those of this axis of the result
    matrix: (Value, Axis),
    /// The axis that is combined
    eaten: Axis,
}

/// The convolution by tiles of so many results along each window
pub fn tiled(ir: &mut Ir, op: Compute, conv: &Convolution, m: &'static Matrices) -> Result<Compute, Why> {
    applies(ir, op, conv)?;
    let sum = conv.sum()?;
    let mut order: Vec<usize> = (0..conv.windows.len()).collect();
    let coordinates = conv.coordinates();
    order.sort_by_key(|n| coordinates.iter().position(|dim| *dim == conv.windows[*n].at));
    let tiled = Tiled { op, conv, m, sum, order };
    let weights = tiled.weights(ir).ok_or(LARGE)?;
    let image = tiled.image(ir).ok_or(LARGE)?;
    let (made, products) = tiled.products(ir, image, weights).ok_or(LARGE)?;
    tiled.results(ir, products).ok_or(LARGE)?;
    Ok(made)
}

fn applies(ir: &Ir, op: Compute, conv: &Convolution) -> Result<(), Why> {
    let wide =
        matches!(conv.elem.kind(ir.cx()), TypeKind::Float(FloatKind::F32 | FloatKind::F64)) && conv.uniform;
    if !wide {
        return Err("image, weights and result are not all `f32`, or all `f64`");
    }
    if conv.in_order(ir, op) {
        return Err("terms have the order of the source");
    }
    if conv.windows.iter().any(|window| conv.size(window.tap) != TAPS) {
        return Err("a window does not have three taps");
    }
    if conv.windows.iter().any(|window| window.stride != 1 || window.dilation != 1) {
        return Err("a window has a stride or a dilation");
    }
    conv.zeros_for_conditions(ir)?;
    let taps = conv.windows.iter().all(|window| conv.weights_map().results.contains(&at(window.tap)));
    if !taps {
        return Err("taps are no subscripts of the weights");
    }
    Ok(())
}

impl Tiled<'_> {
    /// A matrix as a tensor, whose elements a computation selects: constants that differ have a form on buffers only behind a pass of whole modules
    fn matrix(&self, ir: &mut Ir, numbers: &[f64], columns: i64) -> Option<Value> {
        let mut matrix = Piece::new(build::name(self.conv, "matrix"));
        matrix.place = vec![
            matrix.dim("row", numbers.len() as i64 / columns, CombineKind::Cc),
            matrix.dim("column", columns, CombineKind::Cc),
        ];
        let (body, elem) = (ir.create_block(), self.conv.elem);
        let mut b = Builder::at_end(ir, body);
        let [row, column] = [0, 1].map(|dim| parts::index(&mut b, dim));
        let by = parts::index_constant(&mut b, columns);
        let before = arith::MulI::build(&mut b, row, by).result(b.read());
        let place = arith::AddI::build(&mut b, before, column).result(b.read());
        let mut value = constant(&mut b, elem, 0.0)?;
        for (n, number) in numbers.iter().enumerate().filter(|(_, number)| **number != 0.0) {
            let here = parts::index_constant(&mut b, n as i64);
            let is_here = arith::CmpI::build(&mut b, place, here, arith::CmpIPredicate::Eq).result(b.read());
            let number = constant(&mut b, elem, *number)?;
            value = arith::Select::build(&mut b, is_here, number, value).result(b.read());
        }
        Yield::build(&mut b, &[value]);
        Some(matrix.tensor(ir, self.op, elem, body)?.1)
    }

    fn size(&self, axis: Axis) -> i64 {
        let tiles = |n: usize| {
            let window: &Window = &self.conv.windows[n];
            (self.conv.size(window.at) as u64).div_ceil(self.m.results as u64) as i64
        };
        match axis {
            Axis::Dim(dim) => self.conv.size(dim),
            Axis::Tile(n) => tiles(n),
            Axis::Row(n) => tiles(n) * self.m.results + TAPS - 1,
            Axis::Point(_) => self.m.points(),
            Axis::Within(_) => self.m.results,
        }
    }

    fn axis_name(&self, axis: Axis) -> String {
        let (n, what) = match axis {
            Axis::Dim(dim) => return self.conv.view.dims[dim].name.clone(),
            Axis::Row(n) => (n, "in"),
            Axis::Tile(n) => (n, "tile"),
            Axis::Point(n) => (n, "point"),
            Axis::Within(n) => (n, "within"),
        };
        format!("{}_{what}", self.conv.view.dims[self.conv.windows[n].at].name)
    }

    /// A computation whose kept dimensions are these axes
    fn piece(&self, name: String, axes: &[Axis]) -> Piece {
        let mut piece = Piece::new(name);
        for axis in axes {
            piece.dim(&self.axis_name(*axis), self.size(*axis), CombineKind::Cc);
        }
        piece.place = (0..axes.len()).map(at).collect();
        piece
    }

    fn points(&self) -> impl Iterator<Item = Axis> {
        self.order.iter().map(|n| Axis::Point(*n))
    }

    /// Channels, filters, and batch with `along` behind it, as axes of a transformed operand: rows are along the image or along filters, as
    /// those of the result
    fn inner(
        &self,
        channels: &[usize],
        filters: &[usize],
        along: Option<&dyn Fn(usize) -> Axis>,
    ) -> Vec<Axis> {
        let conv = self.conv;
        let dims = |dims: &[usize]| dims.iter().map(|dim| Axis::Dim(*dim)).collect::<Vec<_>>();
        let columns = along.map_or(Vec::new(), |along| {
            dims(&conv.batch).into_iter().chain(self.order.iter().map(|n| along(*n))).collect()
        });
        let (filters, channels) = (dims(filters), dims(channels));
        match conv.ends_in_window() {
            true => [dims(&conv.groups), filters, channels, columns].concat(),
            false => [dims(&conv.groups), columns, channels, filters].concat(),
        }
    }

    /// Coordinates of all dimensions of the convolution, in a computation with these axes; that of `eaten` is given
    fn coords(&self, axes: &[Axis], eaten: (Axis, &AffineExpr)) -> Vec<AffineExpr> {
        let coordinate = |dim| coordinate(axes, eaten, Axis::Dim(dim)).unwrap_or(0.into());
        (0..self.conv.view.dims.len()).map(coordinate).collect()
    }

    /// Transform a tensor along an axis; an operand of the convolution is read by `subscripts`
    fn transformed(&self, ir: &mut Ir, along: Along, operand: Option<&Reading<'_>>) -> Option<Value> {
        let Along { name, from: (value, axes), to, matrix: (matrix, row), eaten } = along;
        let mut step = self.piece(name, &to);
        let size = if matches!(eaten, Axis::Row(_)) { self.m.points() } else { self.size(eaten) };
        let term = step.dim(&self.axis_name(eaten), size, self.sum.clone());
        let place = self.within_tile(&to, eaten, &term)?;
        let get = |axis: &Axis| coordinate(&to, (eaten, &place), *axis);
        let (read, other) = match operand {
            Some(operand) => operand(&to, &place)?,
            None => (axes.iter().map(get).collect::<Option<_>>()?, None),
        };
        step.read(matrix, vec![get(&row)?, term], None);
        step.read(value, read, other);
        let body = build::of_two(ir, self.conv.elem, false);
        Some(step.tensor(ir, self.op, self.conv.elem, body)?.1)
    }

    /// Where a term of a transformation is along the axis that is combined: elements of the image are behind the tile's first
    fn within_tile(&self, to: &[Axis], eaten: Axis, term: &AffineExpr) -> Option<AffineExpr> {
        let Axis::Row(n) = eaten else { return Some(term.clone()) };
        let tile = coordinate(to, (eaten, term), Axis::Tile(n))?;
        Some(AffineExpr::add(AffineExpr::mul(tile, self.m.results.into()), term.clone()))
    }

    /// Weights with points in place of taps
    fn weights(&self, ir: &mut Ir) -> Option<Value> {
        let conv = self.conv;
        let matrix = self.matrix(ir, self.m.weights, TAPS)?;
        let mut value = conv.view.inputs[conv.weights].value;
        let taps = |done: usize| self.order[done..].iter().map(|n| Axis::Dim(conv.windows[*n].tap));
        let inner = self.inner(&conv.channels, &conv.filters, None);
        let axes = |done: usize| -> Vec<Axis> {
            self.points().take(done).chain(inner.iter().copied()).chain(taps(done)).collect()
        };
        for n in 0..self.order.len() {
            let eaten = Axis::Dim(conv.windows[self.order[n]].tap);
            let along = Along {
                name: build::name(conv, &format!("weights_{}", n + 1)),
                from: (value, axes(n)),
                to: axes(n + 1),
                matrix: (matrix, Axis::Point(self.order[n])),
                eaten,
            };
            let read: &Reading<'_> = &|to, place| {
                let coords = self.coords(to, (eaten, place));
                Some((replaced(&conv.weights_map().results, &coords)?, None))
            };
            value = self.transformed(ir, along, (n == 0).then_some(read))?;
        }
        Some(value)
    }

    /// The image with points and tiles in place of coordinates
    fn image(&self, ir: &mut Ir) -> Option<Value> {
        let conv = self.conv;
        let matrix = self.matrix(ir, self.m.image, self.m.points())?;
        let mut value = conv.view.inputs[conv.image].value;
        let other = build::outside(ir, conv).unwrap_or(build::zero(ir, value));
        let axes = |done: usize| -> Vec<Axis> {
            let along = |n: usize| match self.order[..done].contains(&n) {
                true => Axis::Tile(n),
                false => Axis::Row(n),
            };
            self.points().take(done).chain(self.inner(&conv.channels, &[], Some(&along))).collect()
        };
        for n in 0..self.order.len() {
            let eaten = Axis::Row(self.order[n]);
            let along = Along {
                name: build::name(conv, &format!("image_{}", n + 1)),
                from: (value, axes(n)),
                to: axes(n + 1),
                matrix: (matrix, Axis::Point(self.order[n])),
                eaten,
            };
            let read: &Reading<'_> = &|to, place| {
                let mut read = replaced(&conv.image_map().results, &self.coords(to, (eaten, place)))?;
                for (k, window) in conv.windows.iter().enumerate() {
                    let here = coordinate(to, (eaten, place), Axis::Row(k))?;
                    read[window.subscript] = AffineExpr::add(here, window.shift.into());
                }
                Some((read, Some(other)))
            };
            value = self.transformed(ir, along, (n == 0).then_some(read))?;
        }
        Some(value)
    }

    /// Products at each point, summed over channels
    fn products(&self, ir: &mut Ir, image: Value, weights: Value) -> Option<(Compute, Value)> {
        let conv = self.conv;
        let to = self.axes_of_products(0);
        let mut step = self.piece(build::main_name(conv), &to);
        let mut all = to.clone();
        for channel in &conv.channels {
            step.same(conv, *channel, self.sum.clone());
            all.push(Axis::Dim(*channel));
        }
        let of_image = self.points().chain(self.inner(&conv.channels, &[], Some(&Axis::Tile)));
        let of_weights = self.points().chain(self.inner(&conv.channels, &conv.filters, None));
        let read = |axes: Vec<Axis>| -> Option<Vec<AffineExpr>> {
            axes.into_iter().map(|axis| all.iter().position(|one| *one == axis).map(at)).collect()
        };
        let mut reads = [(image, read(of_image.collect())?), (weights, read(of_weights.collect())?)];
        if conv.image == 1 {
            reads.swap(0, 1);
        }
        for (value, subscripts) in reads {
            step.read(value, subscripts, None);
        }
        let body = build::of_two(ir, conv.elem, false);
        step.tensor(ir, self.op, conv.elem, body)
    }

    /// Axes of products of which so many windows are transformed back
    fn axes_of_products(&self, done: usize) -> Vec<Axis> {
        let inner = self.inner(&[], &self.conv.filters, Some(&Axis::Tile)).into_iter();
        let within = |axis: Axis| match axis {
            Axis::Tile(n) if self.order[..done].contains(&n) => vec![axis, Axis::Within(n)],
            _ => vec![axis],
        };
        self.points().skip(done).chain(inner.flat_map(within)).collect()
    }

    /// Products transformed back along each window, the last time to where results are
    fn results(&self, ir: &mut Ir, mut value: Value) -> Option<()> {
        let conv = self.conv;
        let matrix = self.matrix(ir, self.m.back, self.m.points())?;
        let last = self.order.len() - 1;
        for n in 0..last {
            let own = self.order[n];
            let along = Along {
                name: build::name(conv, &format!("results_{}", n + 1)),
                from: (value, self.axes_of_products(n)),
                to: self.axes_of_products(n + 1),
                matrix: (matrix, Axis::Within(own)),
                eaten: Axis::Point(own),
            };
            value = self.transformed(ir, along, None)?;
        }
        let (own, to) = (self.order[last], self.axes_of_products(last + 1));
        let mut step = self.piece(build::name(conv, "results"), &to);
        let eaten = Axis::Point(own);
        let point = step.dim(&self.axis_name(eaten), self.m.points(), self.sum.clone());
        let get = |axis: Axis| coordinate(&to, (eaten, &point), axis);
        let mut coords = self.coords(&to, (eaten, &point));
        for (k, window) in conv.windows.iter().enumerate() {
            let tile = AffineExpr::mul(get(Axis::Tile(k))?, self.m.results.into());
            coords[window.at] = AffineExpr::add(tile, get(Axis::Within(k))?);
            if conv.size(window.at) % self.m.results != 0 {
                step.conditions.push(below(coords[window.at].clone(), conv.size(window.at)));
            }
        }
        step.place = replaced(&conv.place().results, &coords)?;
        step.init = match conv.view.outputs[0].init.clone() {
            Some((start, Some(own))) => Some((start, Some(replaced(&own.results, &coords)?))),
            Some((start, None)) => Some((start, None)),
            None => None,
        };
        step.read(matrix, vec![get(Axis::Within(own))?, point.clone()], None);
        let axes = self.axes_of_products(last);
        step.read(value, axes.into_iter().map(get).collect::<Option<_>>()?, None);
        let body = build::of_two(ir, conv.elem, false);
        let ty = ir.ty(ir.result(self.op.id(), 0));
        let (made, _) = step.build(ir, self.op, ty, body)?;
        parts::replace(ir, self.op, made);
        Some(())
    }
}

/// The coordinate of an axis among these; of the one that is combined it is given
fn coordinate(axes: &[Axis], (eaten, place): (Axis, &AffineExpr), axis: Axis) -> Option<AffineExpr> {
    match axis == eaten {
        true => Some(place.clone()),
        false => axes.iter().position(|one| *one == axis).map(at),
    }
}

fn replaced(exprs: &[AffineExpr], coords: &[AffineExpr]) -> Option<Vec<AffineExpr>> {
    exprs.iter().map(|expr| expr.replace(coords, &[])).collect()
}
