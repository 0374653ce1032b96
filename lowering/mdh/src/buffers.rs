//! Buffers around the loops: destinations and their start values, tiles that steps own and what copies them.

use crate::nest::{Done, Nest, Sink, State};
use crate::scalar::{self, Combine};
use crate::tile::{Tile, space};
use terrace_analysis::Range;
use terrace_dialect_mdh::schedule::{Part, Placement};
use terrace_dialect_mdh::view::Input;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{self as sched, CopySpec, Level, LoopSpec};
use terrace_ir::{InsertPoint, Name, Type, TypeKind, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Threads of a launch that only copies
const LINE: i64 = 128;

/// Most blocks along the second and third axis
const ACROSS: i64 = 65_535;

impl Nest<'_> {
    /// Start values, or neutral elements where contributions meet in memory or may be missing
    pub(crate) fn fill(&mut self, at: InsertPoint, sinks: &[Sink]) -> Done<()> {
        let empty = self.view.dims.iter().any(|dim| dim.size == 0);
        for (n, out) in self.view.outputs.iter().enumerate() {
            if self.ir.ty(self.dests[n]).shape(self.ir.cx()).is_some_and(|shape| shape.contains(&0)) {
                continue;
            }
            if let (Some(start), Some((_, own))) = (self.starts[n], &out.init) {
                match own {
                    _ if sinks[n].direct || start == self.dests[n] => {}
                    None => self.copy_all(at, start, self.dests[n]),
                    Some(own) => {
                        for map in &out.maps {
                            self.copy_kept(at, start, own, self.dests[n], map)?;
                        }
                    }
                }
            } else if self.reduces() && (empty || self.guarded(n) || sinks[n].combine) {
                let value = self.neutral(at, n)?;
                self.copy_all(at, value, self.dests[n]);
            }
        }
        Ok(())
    }

    /// Fill an output's tile with its start values; false if their places cannot be told from the tile's
    fn start_tile(&mut self, n: usize, layer: usize, st: &State, tile: &Tile, out: usize) -> Done<bool> {
        let (Some(start), Some((_, own))) = (self.starts[out], &self.view.outputs[out].init) else {
            return Ok(false);
        };
        let mut from = self.base(tile, st)?;
        let map = &self.view.outputs[out].maps[0];
        let mut exprs = map.results.clone();
        if let Some(own) = own {
            let mut coords: Vec<AffineExpr> = vec![0.into(); self.view.dims.len()];
            for (dim, coord) in coords.iter_mut().enumerate() {
                if !own.results.iter().any(|expr| expr.uses_dim(dim as u32)) {
                    continue;
                }
                let plain = |expr: &AffineExpr| {
                    expr.as_linear()
                        .is_some_and(|linear| linear.dim(dim) == 1)
                        .then(|| expr.as_linear())
                        .flatten()
                };
                let found =
                    map.results.iter().zip(&from.map.results).find_map(|(expr, at)| Some((plain(expr)?, at)));
                let Some((linear, at)) = found else { return Ok(false) };
                *coord = AffineExpr::add(at.clone(), (-linear.constant).into());
            }
            let results: Option<Vec<AffineExpr>> =
                own.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            let results = results.ok_or("an index function is too deep")?;
            from.map = AffineMap::new(from.map.dims, 0, results).ok_or("an index function is too deep")?;
            exprs = own.results.clone();
        }
        let shape = self.ir.ty(start).shape(self.ir.cx()).unwrap_or(&[]).to_vec();
        let inside = self.fits(st, &exprs, &shape, true);
        self.copy_tile(n, st, tile, start, Some(from), tile.memref, None, (layer, !inside), None);
        Ok(true)
    }

    /// The neutral element of an output
    pub(crate) fn neutral(&mut self, at: InsertPoint, out: usize) -> Done<Value> {
        let id = self.yields.place.iter().position(|place| *place == (out, 0)).unwrap_or(0);
        let Some(identity) = self.yields.identity[id] else {
            return Err("an operator without identity: nothing stands for what is missing".into());
        };
        Ok(scalar::constant(&mut self.b(at), identity))
    }

    /// Buffers of a step: filled before what follows, results copied out after
    pub(crate) fn owner(&mut self, n: usize, layer: usize, st: State) -> Done<()> {
        let mut inner = st.clone();
        self.inputs_of(n, layer, &mut inner)?;
        let step = &self.plan.steps[layer - 1];
        let mut made = Vec::new();
        for (out, place) in step.outs.iter().enumerate() {
            let Some(place) = place else { continue };
            let maps = &self.view.outputs[out].maps;
            let ([map], true) = (maps.as_slice(), self.reduces()) else { continue };
            let exprs = map.results.clone();
            let several = exprs
                .iter()
                .any(|expr| (0..self.view.dims.len() as u32).filter(|dim| expr.uses_dim(*dim)).count() > 1);
            if several {
                return Err("S-REGION: a tile of an output whose places mix dimensions".into());
            }
            let tile = self.tile(n, &st, &exprs, &[], place, self.dests[out]);
            let mut tile = tile.map_err(|why| said(why, place, layer))?;
            if let Some((e, by)) = tile.broken_panel() {
                return Err(format!(
                    "S-LAYOUT: panels of {by} of dimension {} of a result's tile, which they do not fill",
                    e + 1
                ));
            }
            if let Some(dim) = tile.spills {
                return Err(format!(
                    "S-DIV: tiles of dimension {} that overshoot would write into the next of a result; use `~peel`",
                    dim + 1
                ));
            }
            if tile.torn {
                return Err("S-REGION: a tile of an output with others' elements between its own".into());
            }
            tile.memref = self.alloc(&st, layer, &tile, place, self.dests[out])?;
            let shape = self.ir.ty(self.dests[out]).shape(self.ir.cx()).unwrap_or(&[]).to_vec();
            let spoils = self.spoils(&st, &exprs, &shape, Some(&tile));
            let last = st.sinks[out].tile.is_none() && !st.sinks[out].combine;
            if let Some(dim) = spoils.filter(|_| last) {
                return Err(format!(
                    "S-DIV: tiles of dimension {} that overshoot would write into the rest of the result; use `~peel`",
                    dim + 1
                ));
            }
            let mut combine = self.merges(n + 1, out);
            let mut direct = st.sinks[out].direct;
            let so_far = self.continues(&st, out);
            if so_far {
                let (memref, from) = match &st.sinks[out].tile {
                    Some(outer) => (outer.memref, self.base_in(&tile, outer, &st)?),
                    None => (self.dests[out], self.base(&tile, &st)?),
                };
                let inside = st.sinks[out].tile.is_some() || self.fits(&st, &exprs, &shape, true);
                self.copy_tile(n, &st, &tile, memref, Some(from), tile.memref, None, (layer, !inside), None);
                combine = true;
            } else if direct && st.sinks[out].tile.is_none() && self.start_tile(n, layer, &st, &tile, out)? {
                (combine, direct) = (true, false);
            } else if direct {
                return Err("S-REGION: start values whose places cannot be told from a tile's".into());
            } else if combine
                || tile.strided
                || spoils.is_some()
                || !self.view.bounds().is_empty()
                || !self.fits(&st, &exprs, &shape, true)
            {
                let value = self.neutral(st.at, out)?;
                self.copy_tile(n, &st, &tile, value, None, tile.memref, None, (layer, false), None);
            }
            inner.sinks[out] = Sink { tile: Some(tile.clone()), combine, direct };
            made.push((out, tile, exprs));
        }
        self.nest(n + 1, inner)?;
        for (out, tile, exprs) in made {
            let memref = st.sinks[out].tile.as_ref().map_or(self.dests[out], |tile| tile.memref);
            let shape = self.ir.ty(memref).shape(self.ir.cx()).unwrap_or(&[]).to_vec();
            let to = match &st.sinks[out].tile {
                Some(outer) => self.base_in(&tile, outer, &st)?,
                None => self.base(&tile, &st)?,
            };
            let clip = st.sinks[out].tile.is_none() && !self.fits(&st, &exprs, &shape, true);
            if clip && !self.fills(out, &shape) {
                return Err(
                    "S-DIV: tiles that overshoot would write into the rest of the result; use `~peel`".into(),
                );
            }
            let combine = st.sinks[out].combine && !self.continues(&st, out);
            let operator = self.yields.operators().get(self.id(out)).cloned().filter(|_| combine);
            let own = Some(own(&tile));
            self.copy_tile(n, &st, &tile, tile.memref, own, memref, Some(to), (layer, clip), operator);
        }
        Ok(())
    }

    /// Does a tile of an output go on with what is around it, and replace it afterwards?
    ///
    /// Components of a tuple are combined together, each wherever it is: a tile of one of them holds what there is so far, and so do
    /// the places of the others. That is in order: loops over what tuples reduce are not spread.
    fn continues(&self, st: &State, out: usize) -> bool {
        matches!(self.yields.combine, Combine::Joint(_)) && st.sinks[out].combine
    }

    fn id(&self, out: usize) -> usize {
        self.yields.place.iter().position(|place| *place == (out, 0)).unwrap_or(0)
    }

    /// Do an output's places reach the ends of its buffer?
    fn fills(&self, out: usize, shape: &[i64]) -> bool {
        let sizes: Vec<Range> =
            self.view.dims.iter().map(|dim| Range::below(dim.size).unwrap_or(Range::one(0))).collect();
        self.view.outputs[out].maps.iter().all(|map| {
            map.results.iter().zip(shape).all(|(expr, size)| {
                let turned =
                    expr.as_linear().is_some_and(|linear| (0..sizes.len()).any(|dim| linear.dim(dim) < 0));
                terrace_analysis::range_of(expr, &sizes)
                    .is_some_and(|range| range.max() + 1 == *size && (!turned || range.min() == 0))
            })
        })
    }

    /// Tiles of inputs that a step owns
    pub(crate) fn inputs_of(&mut self, n: usize, layer: usize, st: &mut State) -> Done<()> {
        let outer = st.clone();
        for (buffer, place) in self.plan.steps[layer - 1].ins.iter().enumerate() {
            let Some(place) = place else { continue };
            let value = self.buffers[buffer];
            let reads: Vec<(usize, &Input)> =
                self.view.inputs.iter().enumerate().filter(|(_, input)| input.value == value).collect();
            let plain = reads.iter().all(|(_, read)| read.guard.is_none() && read.other.is_none());
            let maps: Option<Vec<&[AffineExpr]>> =
                reads.iter().map(|(_, read)| Some(&read.map.as_ref()?.results[..])).collect();
            let (Some((input, _)), Some(maps), true) =
                (reads.first(), maps.filter(|maps| !maps.is_empty()), plain)
            else {
                return Err(format!(
                    "S-REGION: {place} in step {layer} is a tile of a buffer with elements that something stands for (`else`)"
                ));
            };
            let exprs = maps[0].to_vec();
            let source = self.inputs[*input];
            let tile = self.tile(n, &outer, &exprs, &maps[1..], place, source);
            let mut tile = tile.map_err(|why| said(why, place, layer))?;
            tile.memref = self.alloc(&outer, layer, &tile, place, source)?;
            let (from, memref) = match &outer.tiles[buffer] {
                Some(around) => {
                    let from = self.base_in(&tile, around, &outer);
                    (from.map_err(|why| said(why, place, layer))?, around.memref)
                }
                None => (self.base(&tile, &outer)?, source),
            };
            let shape = self.ir.ty(memref).shape(self.ir.cx()).unwrap_or(&[]).to_vec();
            // Panels may be longer than what they hold.
            let panels = place.layout.iter().any(|part| matches!(part, Part::Div(..)));
            let inside = outer.tiles[buffer].is_none()
                && !panels
                && maps.iter().all(|exprs| self.fits(&outer, exprs, &shape, true));
            self.copy_tile(n, &outer, &tile, memref, Some(from), tile.memref, None, (layer, !inside), None);
            st.tiles[buffer] = Some(tile);
        }
        Ok(())
    }

    fn alloc(
        &mut self,
        st: &State,
        layer: usize,
        tile: &Tile,
        place: &Placement,
        like: Value,
    ) -> Done<Value> {
        let cx = self.ir.cx();
        let space = space(cx, place.region);
        let elem = self.ir.ty(like).scalar(cx);
        let elem = self.ir.ty(like).element(cx).unwrap_or(elem);
        let ty: Type =
            cx.ty(TypeKind::MemRef { shape: tile.shape.clone().into(), elem, layout: None, space });
        let per = tile.per().map(|per| cx.str_attr(per.word()));
        let alloc = sched::Alloc::build(&mut self.b(st.at), ty);
        alloc.set_per(self.ir, per);
        let label = self.plan.steps[layer - 1].label as i64;
        let step = self.ir.cx().i64_array(&[layer as i64, label]);
        alloc.set_step(self.ir, Some(step));
        let memref = alloc.memref(self.ir);
        let name = self
            .ir
            .value_name(like)
            .map(|name| format!("{name}_{}", place.region.word().to_ascii_lowercase()));
        if let Some(name) = name {
            let name = Name::Str(self.ir.cx().intern(&name));
            self.ir.set_value_name(memref, name);
        }
        Ok(memref)
    }

    /// Copy a tile, into it unless `to` is given; the flag pads or clips
    #[allow(clippy::too_many_arguments)]
    fn copy_tile(
        &mut self,
        n: usize,
        st: &State,
        tile: &Tile,
        src: Value,
        from: Option<Access>,
        dst: Value,
        to: Option<Access>,
        (layer, edges): (usize, bool),
        combine: Option<sched::Operator>,
    ) {
        let into = to.is_none();
        let padding = (into && edges).then(|| {
            let cx = self.ir.cx();
            let elem = self.ir.ty(dst).element(cx).unwrap_or(cx.common().f32);
            let zero = if elem.is_float(cx) { cx.float_attr(0, elem) } else { cx.int_attr(0, elem) };
            scalar::constant(&mut self.b(st.at), zero)
        });
        let label = self.plan.steps[layer - 1].label as i64;
        let whole = CopySpec {
            padding,
            per: tile.per(),
            clip: !into && edges,
            combine,
            step: Some((layer as i64, label)),
            ..CopySpec::new(tile.shape.clone(), (src, from), (dst, to.unwrap_or_else(|| own(tile))))
        };
        let dest = self.dests.iter().position(|dest| *dest == dst && !into);
        let past = dest.is_some_and(|out| self.plan.past.contains(&(out as i64)) && whole.combine.is_none());
        let past = past.then(|| self.ir.cx().common().unit);
        let strips = self.strips(n, tile).filter(|_| tile.registers && tile.per().is_none());
        let Some((dim, strips)) = strips else {
            let copy = across(whole, tile).build(&mut self.b(st.at));
            self.ir.set_discardable(copy.0, sched::NONTEMPORAL, past);
            return;
        };
        for (start, size, lanes) in strips {
            let mut strip = whole.clone();
            strip.domain[dim] = size;
            strip.by = vec![sched::By::Level(Level::Unroll); strip.domain.len()];
            strip.by[dim] = sched::By::Vector(lanes);
            for access in strip.from.iter_mut().chain([&mut strip.to]) {
                let dims: Vec<AffineExpr> = (0..access.map.dims)
                    .map(|d| match d as usize == dim {
                        true => AffineExpr::add(AffineExpr::Dim(d), start.into()),
                        false => AffineExpr::Dim(d),
                    })
                    .collect();
                let results: Option<Vec<AffineExpr>> =
                    access.map.results.iter().map(|expr| expr.replace(&dims, &[])).collect();
                if let Some(map) = results.and_then(|results| AffineMap::new(access.map.dims, 0, results)) {
                    access.map = map;
                }
            }
            let copy = strip.build(&mut self.b(st.at));
            self.ir.set_discardable(copy.0, sched::NONTEMPORAL, past);
        }
    }

    /// A copy before the loops: as it is, or on a device with a grid a launch of its own
    fn place_copy(&mut self, at: InsertPoint, spec: &CopySpec) {
        if !self.plan.kernel {
            spec.build(&mut self.b(at));
            return;
        }
        let last = spec.domain.len().checked_sub(1);
        let size = |n: usize| spec.domain[n].max(0);
        let threads = last.map_or(1, |n| LINE.min(size(n).max(1)));
        // Long dimensions are no second or third axis: these have fewer blocks.
        let spread: Vec<usize> =
            (0..spec.domain.len()).rev().filter(|n| Some(*n) == last || size(*n) <= ACROSS).take(3).collect();
        let mut grid = [1; 3];
        for (axis, n) in spread.iter().enumerate() {
            let tile = if axis == 0 { threads } else { 1 };
            grid[axis] = (size(*n) as u64).div_ceil(tile as u64).max(1) as i64;
        }
        let name = format!("{}_start", self.view.name.as_deref().unwrap_or("compute"));
        let kernel = sched::Kernel::make(&mut self.b(at), &name, grid, [threads, 1, 1]);
        let body = kernel.body(self.ir);
        let mut at = InsertPoint::End(self.ir.entry(body).expect("just built with a block"));
        let mut dims = Dims::default();
        let mut coords: Vec<AffineExpr> = Vec::new();
        let mut order: Vec<(usize, i64, Level)> = Vec::new();
        for (axis, n) in spread.iter().copied().enumerate() {
            order.push((n, if axis == 0 { threads } else { 1 }, Level::Block(sched::Axis::ALL[axis])));
        }
        order.extend((0..spec.domain.len()).filter(|n| !spread.contains(n)).map(|n| (n, 1, Level::Seq)));
        order.extend(last.filter(|_| threads > 1).map(|n| (n, 0, Level::Thread(sched::Axis::X))));
        coords.resize(spec.domain.len(), 0.into());
        for (n, tile, level) in order {
            let mut one =
                LoopSpec { extent: size(n), tile, dim: Some(n as i64), level, ..Default::default() };
            if tile == 0 {
                (one.extent, one.tile) = (threads, 1);
                let left = AffineExpr::sub(AffineExpr::Constant(size(n)), coords[n].clone());
                let cut = size(n) % threads != 0;
                let access = if cut { dims.clone().access(vec![left]) } else { None };
                one.limit = access.map(|access| sched::Bound { map: access.map, values: access.values });
            }
            let inner = one.build(&mut self.b(at));
            let block = self.ir.entry(inner.body(self.ir)).expect("just built with a block");
            let iv = dims.value(self.ir.block_args(block)[0]);
            coords[n] = AffineExpr::add(coords[n].clone(), iv);
            at = self.inside(inner);
        }
        let place = |access: &Access| {
            let results: Option<Vec<AffineExpr>> =
                access.map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            results.and_then(|results| dims.clone().access(results))
        };
        let (from, to) = (spec.from.as_ref().and_then(place), place(&spec.to));
        let value = match from {
            Some(from) => {
                let mut b = self.b(at);
                let read = sched::Read::make(&mut b, spec.src, &from, None).id();
                b.read().result(read, 0)
            }
            None => spec.src,
        };
        if let Some(to) = to {
            sched::Write::make(&mut self.b(at), value, spec.dst, &to, None);
        }
    }

    /// Every element of a buffer, from a buffer of its shape or from a value
    pub(crate) fn copy_all(&mut self, at: InsertPoint, from: Value, to: Value) {
        let spec = CopySpec::whole(self.ir, from, to);
        self.place_copy(at, &spec);
    }

    /// For every kept coordinate an element from one place to another
    pub(crate) fn copy_kept(
        &mut self,
        at: InsertPoint,
        from: Value,
        source: &AffineMap,
        to: Value,
        target: &AffineMap,
    ) -> Done<()> {
        let dims = &self.view.dims;
        let kept: Vec<usize> = (0..dims.len()).filter(|n| dims[*n].kind.kept()).collect();
        let place = |n: usize| kept.iter().position(|m| *m == n);
        let coords: Vec<AffineExpr> =
            (0..dims.len()).map(|n| place(n).map_or(0.into(), |at| AffineExpr::Dim(at as u32))).collect();
        let access = |map: &AffineMap| {
            let results: Option<Vec<AffineExpr>> =
                map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            let map = AffineMap::new(kept.len() as u32, 0, results?)?;
            Some(Access { map, values: Vec::new() })
        };
        let too_deep = || "an index function is too deep".to_string();
        let domain = kept.iter().map(|n| dims[*n].size).collect();
        let (read, written) = (access(source).ok_or_else(too_deep)?, access(target).ok_or_else(too_deep)?);
        let spec = CopySpec {
            names: kept.iter().map(|n| dims[*n].name.clone()).collect(),
            ..CopySpec::new(domain, (from, Some(read)), (to, written))
        };
        self.place_copy(at, &spec);
        Ok(())
    }
}

/// A copy of panels row by row of what they are cut from, all panels at once: long stretches of it are read in order
fn across(copy: CopySpec, tile: &Tile) -> CopySpec {
    let last = tile.layout.len().saturating_sub(1);
    let panel = match tile.layout.last() {
        Some(Part::Mod(e, _)) => {
            tile.layout.iter().position(|part| matches!(part, Part::Div(of, _) if of == e))
        }
        _ => None,
    };
    let Some(panel) = panel.filter(|panel| panel + 1 < last && copy.domain.len() == last + 1) else {
        return copy;
    };
    // Where each old variable goes.
    let place = |n: usize| match n {
        _ if n == panel => last - 1,
        _ if n > panel && n < last => n - 1,
        _ => n,
    };
    let moved = |access: &Access| {
        let dims: Vec<AffineExpr> = (0..access.map.dims)
            .map(|n| AffineExpr::Dim(if n as usize <= last { place(n as usize) as u32 } else { n }))
            .collect();
        let results: Option<Vec<AffineExpr>> =
            access.map.results.iter().map(|expr| expr.replace(&dims, &[])).collect();
        let map = AffineMap::new(access.map.dims, 0, results?)?;
        Some(Access { map, values: access.values.clone() })
    };
    let from = match copy.from.as_ref().map(moved) {
        Some(None) => return copy,
        Some(from) => from,
        None => None,
    };
    let Some(to) = moved(&copy.to) else { return copy };
    let mut domain = copy.domain.clone();
    for (n, size) in copy.domain.iter().enumerate() {
        domain[place(n)] = *size;
    }
    CopySpec { domain, from, to, ..copy }
}

/// What is wrong with a buffer, with where it is said
fn said(why: String, place: &Placement, layer: usize) -> String {
    format!("{why} ({place} in step {layer})")
}

/// A tile's own elements, by the variables of its domain
fn own(tile: &Tile) -> Access {
    let mut map = AffineMap::identity(tile.shape.len() as u32);
    tile.turned(&mut map.results, |expr| expr);
    Access { map, values: Vec::new() }
}
