//! Convolutions, recognized by how a sum of products moves over its two operands.
//!
//! | dimension | moves in | role |
//! |---|---|---|
//! | kept, with a reduced one in a subscript of the image | image, result | coordinate of a window |
//! | reduced, with a kept one in a subscript of the image | image, weights | tap of that window |
//! | reduced, any other | image, weights | channel |
//! | kept | image, result | batch |
//! | kept | weights, result | filter |
//! | kept | image, weights, result | group |
//!
//! Names, the order of dimensions, and the order of subscripts decide nothing.

use crate::inline::quotients::{self, Cut};
use terrace_dialect_arith as arith;
use terrace_dialect_arith::FastMathFlags;
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::view::{CombineKind, Order, View};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_ir::{Ir, OpId, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Why a computation is no convolution, or has no such form
pub type Why = &'static str;

/// A subscript `stride · at + dilation · tap + shift` of the image
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Which subscript
    pub subscript: usize,
    /// The kept dimension
    pub at: usize,
    /// The reduced dimension
    pub tap: usize,
    /// Factor of the kept dimension, at least 1
    pub stride: i64,
    /// Factor of the reduced dimension, at least 1
    pub dilation: i64,
    /// What is added
    pub shift: i64,
}

/// A computation that is a convolution
pub struct Convolution {
    /// The computation as it is; a dimension that a subscript of the image divides is two
    pub view: View,
    /// Accesses of both inputs
    maps: Vec<AffineMap>,
    /// Number of the input that windows move over
    pub image: usize,
    /// Number of the other input
    pub weights: usize,
    /// Windows in the order of the image's subscripts
    pub windows: Vec<Window>,
    /// Reduced dimensions that are no taps
    pub channels: Vec<usize>,
    /// Kept dimensions of the image alone that are no coordinates of windows
    pub batch: Vec<usize>,
    /// Kept dimensions of the weights alone
    pub filters: Vec<usize>,
    /// Kept dimensions of both
    pub groups: Vec<usize>,
    /// Element type of the result
    pub elem: Type,
    /// Are image and weights of the type of the result?
    pub uniform: bool,
    /// May a product with zero stand where there is none? Of integers, and where flags exclude what is no number and the sign of zero
    pub fills: bool,
}

/// Does an access move with a dimension?
pub fn moves(map: &AffineMap, dim: usize) -> bool {
    map.results.iter().any(|expr| expr.uses_dim(dim as u32))
}

impl Convolution {
    /// Read a computation; the error says why it is none
    pub fn read(ir: &Ir, op: Compute) -> Result<Convolution, Why> {
        let view = View::read(ir, op).map_err(|_| "its properties do not fit together")?;
        sums(ir, op, &view)?;
        let ([first, second], [_]) = (view.inputs.as_slice(), view.outputs.as_slice()) else {
            return Err("it does not sum products of two tensors into one result");
        };
        let (Some(_), Some(_)) = (&first.map, &second.map) else {
            return Err("an operand is a scalar, or read at places that the body computes");
        };
        let product = product(ir, op).ok_or("its body is not the product of both operands")?;
        let view = undivided(view)?;
        let maps: Vec<AffineMap> = view.inputs.iter().filter_map(|input| input.map.clone()).collect();
        let found: Vec<Vec<Window>> = (0..2).map(|n| windows(&view, &maps[n], &maps[1 - n])).collect();
        let image = match [found[0].is_empty(), found[1].is_empty()] {
            [false, true] => 0,
            [true, false] => 1,
            [true, true] => {
                return Err("no subscript of an operand moves with a kept and a reduced dimension");
            }
            [false, false] => return Err("windows move over both operands"),
        };
        let windows = found[image].clone();
        let weights = 1 - image;
        let plain = view.inputs[weights].other.is_none() && view.inputs.iter().all(|one| one.guard.is_none());
        if !plain {
            return Err("an operand is read under a guard, or weights outside of their tensor");
        }
        let elem = ir.ty(ir.result(op.id(), 0)).scalar(ir.cx());
        let uniform = view.inputs.iter().all(|input| ir.ty(input.value).scalar(ir.cx()) == elem);
        let fills = fills(ir, product);
        let made = Convolution {
            image,
            weights,
            windows,
            channels: Vec::new(),
            batch: Vec::new(),
            filters: Vec::new(),
            groups: Vec::new(),
            elem,
            uniform,
            fills,
            maps,
            view,
        };
        made.with_roles()
    }

    /// The access of the image
    pub fn image_map(&self) -> &AffineMap {
        &self.maps[self.image]
    }

    /// The access of the weights
    pub fn weights_map(&self) -> &AffineMap {
        &self.maps[self.weights]
    }

    /// The access of the result
    pub fn place(&self) -> &AffineMap {
        &self.view.outputs[0].maps[0]
    }

    /// The window that a dimension is the coordinate or the tap of
    pub fn window(&self, dim: usize) -> Option<&Window> {
        self.windows.iter().find(|window| window.at == dim || window.tap == dim)
    }

    /// The size of a dimension
    pub fn size(&self, dim: usize) -> i64 {
        self.view.dims[dim].size
    }

    /// Elements of the image along a window that results read, from the one at `shift`
    pub fn span(&self, window: &Window) -> Option<i64> {
        let far = |dim: usize, factor: i64| (self.size(dim) - 1).checked_mul(factor);
        far(window.at, window.stride)?.checked_add(far(window.tap, window.dilation)?)?.checked_add(1)
    }

    /// Is the result's last subscript the coordinate of a window? Then lanes are along the image, else along filters
    pub fn ends_in_window(&self) -> bool {
        let last = self.place().results.last();
        last.is_some_and(|expr| self.windows.iter().any(|window| expr.uses_dim(window.at as u32)))
    }

    /// Reduced dimensions in the order in which the weights hold them
    pub fn reduced(&self) -> Vec<usize> {
        let reduced = |dim: &usize| !self.view.dims[*dim].kind.kept();
        let axis =
            |dim: &usize| self.weights_map().results.iter().position(|expr| expr.uses_dim(*dim as u32));
        let mut all: Vec<usize> = (0..self.view.dims.len()).filter(reduced).collect();
        all.sort_by_key(axis);
        all
    }

    /// Coordinates of windows in the order in which the result holds them
    pub fn coordinates(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.windows.iter().map(|window| window.at).collect();
        all.sort_by_key(|dim| self.place().results.iter().position(|expr| expr.uses_dim(*dim as u32)));
        all
    }

    /// Is each element of a sum combined in the order of the source, where that shows?
    pub fn in_order(&self, ir: &Ir, op: Compute) -> bool {
        self.view.in_order(ir, op)
    }

    /// How all reduced dimensions are combined as one: in the strictest of their orders
    pub fn sum(&self) -> Result<CombineKind, Why> {
        // One dimension in the order of the source makes one fold from the left of all.
        let orders = [Order::Fused, Order::Source, Order::Fixed, Order::Free];
        let dim = orders.into_iter().find_map(|order| self.view.order(order));
        dim.map(|dim| self.view.dims[dim].kind.clone()).ok_or("nothing is reduced")
    }

    /// May zeros outside of the image take the place of conditions, if there are any? The error says why not: terms that conditions leave in may read
    /// another value there, or conditions say more than where the image ends
    pub fn zeros_for_conditions(&self, ir: &Ir) -> Result<(), Why> {
        let image = &self.view.inputs[self.image];
        let zero = image.other.is_none_or(|other| other == super::build::zero(ir, image.value));
        match (self.view.conditions.is_empty(), zero, self.conditions_are_borders(ir)) {
            (true, ..) | (false, true, true) => Ok(()),
            (false, false, _) => {
                Err("conditions leave terms out, and another value than zero stands outside of the image")
            }
            (false, true, false) => Err("conditions are not those of a border"),
        }
    }

    /// Do conditions say no more than that the image is read inside of its tensor?
    fn conditions_are_borders(&self, ir: &Ir) -> bool {
        let shape = ir.ty(self.view.inputs[self.image].value).shape(ir.cx()).unwrap_or(&[]);
        let ends = |window: &Window| {
            let expr = self.image_map().results.get(window.subscript)?;
            let high = AffineExpr::sub(
                AffineExpr::sub((*shape.get(window.subscript)?).into(), expr.clone()),
                1.into(),
            );
            Some([expr.as_linear()?, high.as_linear()?])
        };
        let all: Vec<_> = self.windows.iter().filter_map(ends).flatten().collect();
        self.view.bounds().iter().all(|bound| {
            bound.as_linear().is_some_and(|bound| {
                let same = |end: &terrace_support::affine::Linear| {
                    end.constant == bound.constant
                        && (0..self.view.dims.len()).all(|dim| end.dim(dim) == bound.dim(dim))
                };
                all.iter().any(same)
            })
        })
    }

    /// Each dimension in its role
    fn with_roles(mut self) -> Result<Convolution, Why> {
        for dim in 0..self.view.dims.len() {
            let uses = [moves(self.image_map(), dim), moves(self.weights_map(), dim)];
            let kept = self.view.dims[dim].kind.kept();
            match (self.window(dim).is_some(), kept, uses) {
                (true, ..) => {}
                (_, true, [true, false]) => self.batch.push(dim),
                (_, true, [false, true]) => self.filters.push(dim),
                (_, true, [true, true]) => self.groups.push(dim),
                (_, false, [true, true]) => self.channels.push(dim),
                _ => return Err("a dimension moves in one operand alone, or in none"),
            }
        }
        let taps = self.windows.iter().all(|window| moves(self.weights_map(), window.tap));
        if !taps {
            return Err("weights do not depend on the taps of a window");
        }
        Ok(self)
    }
}

/// A sum without coordinates as values, of dimensions that have points, with one place in the result for each kept point
fn sums(ir: &Ir, op: Compute, view: &View) -> Result<(), Why> {
    let adds = |kind: &CombineKind| match kind {
        CombineKind::Cc => true,
        CombineKind::Pw(operators, order) => {
            let bracketed = matches!(order, Order::Tree | Order::Invariant | Order::Exact);
            !bracketed && operators.as_slice() == [Operator::Builtin(Builtin::Add)]
        }
        CombineKind::Ps(_) => false,
    };
    if !view.dims.iter().all(|dim| adds(&dim.kind)) {
        return Err("it is no sum, or states the bracket of its sums");
    }
    if view.dims.iter().all(|dim| dim.kind.kept()) {
        return Err("nothing is reduced");
    }
    if view.dims.iter().any(|dim| dim.size < 1) || !view.extents.is_empty() {
        return Err("a dimension has no points, or ends at run time");
    }
    let one = view.outputs.iter().all(|out| out.maps.len() == 1);
    if !one || ir.walk_below(op.id()).any(|op| ir.is(op, Index::DEF)) {
        return Err("its body uses coordinates, or a point has several places");
    }
    Ok(())
}

/// The op that multiplies both arguments of a body, each converted to a wider type at most
fn product(ir: &Ir, op: Compute) -> Option<OpId> {
    let body = ir.entry(op.body(ir))?;
    let root = Yield::cast(ir, ir.last_op(body)?)?.values(ir).into_iter().next()?;
    let times = ir.defining_op(root)?;
    let multiplies = arith::MulF::cast(ir, times).is_some() || arith::MulI::cast(ir, times).is_some();
    let args = ir.block_args(body);
    let factor = |value: Value| {
        let widens = |op: &OpId| {
            [arith::ExtF::DEF, arith::ExtSI::DEF, arith::ExtUI::DEF].iter().any(|def| ir.is(*op, def))
        };
        let from = ir.defining_op(value).filter(widens).map_or(value, |op| ir.operand(op, 0));
        args.iter().position(|arg| *arg == from)
    };
    let factors: Vec<usize> = ir.operands(times).filter_map(factor).collect();
    (multiplies && matches!(factors.as_slice(), [0, 1] | [1, 0])).then_some(times)
}

/// Does a product with zero in place of a factor change no sum?
fn fills(ir: &Ir, product: OpId) -> bool {
    let flags = ir.attr(product, "fastmath").and_then(|attr| FastMathFlags::of(ir.cx(), attr));
    let excluded = [FastMathFlags::NNAN, FastMathFlags::NSZ];
    arith::MulI::cast(ir, product).is_some()
        || flags.is_some_and(|flags| excluded.iter().all(|flag| flags.has(*flag)))
}

/// The same with dimensions of the result that a subscript divides, such as filters of groups, as two
fn undivided(mut view: View) -> Result<View, Why> {
    let linear = |view: &View| {
        let inputs = view.inputs.iter().filter_map(|input| input.map.as_ref());
        let maps = inputs.chain(view.outputs.iter().flat_map(|out| &out.maps));
        maps.flat_map(|map| &map.results).all(|expr| expr.as_linear().is_some())
    };
    let why = "a subscript has a quotient that no two dimensions stand for";
    while !linear(&view) {
        let exprs = view.inputs.iter().filter_map(|input| input.map.as_ref()).flat_map(|map| &map.results);
        let cut = exprs.clone().find_map(|expr| {
            (0..view.dims.len()).find_map(|dim| Some(Cut { dim, by: quotients::divisor(expr, dim)? }))
        });
        let cut = cut.ok_or(why)?;
        let dim = &view.dims[cut.dim];
        let divides = dim.size % cut.by == 0 && cut.by < dim.size && dim.kind.kept();
        if !divides || !view.conditions.is_empty() || view.outputs.iter().any(|out| out.init.is_some()) {
            return Err(why);
        }
        view = quotients::view_of(&view, cut).ok_or(why)?;
    }
    Ok(view)
}

/// Subscripts of an operand that move with a kept dimension, which the other operand does not have, and a reduced one
fn windows(view: &View, map: &AffineMap, other: &AffineMap) -> Vec<Window> {
    let window = |(subscript, expr): (usize, &AffineExpr)| {
        let linear = expr.as_linear()?;
        let used: Vec<usize> = (0..view.dims.len()).filter(|dim| linear.dim(*dim) != 0).collect();
        let (at, tap) = match used.as_slice() {
            [a, b] if view.dims[*a].kind.kept() => (*a, *b),
            [a, b] => (*b, *a),
            _ => return None,
        };
        let once = |dim: usize| map.results.iter().filter(|expr| expr.uses_dim(dim as u32)).count() == 1;
        let (stride, dilation) = (linear.dim(at), linear.dim(tap));
        let fits = view.dims[at].kind.kept() && !view.dims[tap].kind.kept() && !moves(other, at);
        (fits && once(at) && once(tap) && stride > 0 && dilation > 0).then_some(Window {
            subscript,
            at,
            tap,
            stride,
            dilation,
            shift: linear.constant,
        })
    };
    map.results.iter().enumerate().filter_map(window).collect()
}
