//! Values on their way to memory: loops for maps, copies for views, write views for layout ops of what is computed.

use crate::codes;
use crate::layout::{Leaf, Memory, Path, Step};
use crate::lower::{Binding, Done, Lower};
use crate::reads::Found;
use crate::views::{Frame, Guard};
use std::sync::Arc;
use terrace_analysis::Range;
use terrace_dialect_array::obligations::pattern_of;
use terrace_dialect_array::patterns::Pattern;
use terrace_dialect_array::{Generate, Map, View, Yield};
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{Axis, By, CopySpec, Level, Operator, Per, Write};
use terrace_dialect_sched::{Space, space};
use terrace_ir::{Attr, Ir, OpId, Value, ValueDef};
use terrace_support::affine::AffineExpr;

/// What became of a box
enum Boxed {
    No,
    Done,
    /// Loops that would divide nothing, for each dimension
    Divided(Vec<Vec<i64>>),
}

/// Where a value goes
#[derive(Clone)]
pub(crate) struct Dst {
    pub memory: Arc<Memory>,
    /// From the buffer to the value
    pub frames: Vec<Frame>,
    /// Merged into what is there
    pub combine: Option<Operator>,
    /// How copies run
    pub by: Vec<By>,
}

impl Dst {
    pub fn new(memory: Arc<Memory>) -> Dst {
        Dst { memory, frames: Vec::new(), combine: None, by: Vec::new() }
    }

    pub fn then(&self, frame: Frame) -> Dst {
        let mut dst = self.clone();
        dst.frames.push(frame);
        dst
    }

    /// A part of it
    pub fn part(&self, path: Path) -> Dst {
        self.then(Frame::Inside(path))
    }

    fn element(&self, index: AffineExpr, part: Option<usize>) -> Dst {
        let mut path = Path::default();
        if let Some(part) = part {
            path.push(Step::Part(part));
        }
        path.push_index(index);
        self.part(path)
    }
}

impl Lower<'_> {
    /// Write a part of a value
    pub fn write(&mut self, value: Value, at: Path, dst: &Dst) -> Done<()> {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.write_inside(value, at, dst))
    }

    fn write_inside(&mut self, mut value: Value, mut at: Path, dst: &Dst) -> Done<()> {
        while let Some(Binding::Part(other, first)) = self.binding(value) {
            let (other, first) = (*other, first.clone());
            at.push_all(&first);
            value = other;
        }
        let ty = self.ir.ty(value);
        let Some(part) = self.part_type(ty, &at) else {
            return self.stop(&codes::NO_LOOP, "is used at a place that it lacks", "");
        };
        if self.is_numbers(part) {
            return self.write_numbers(value, &at, part, dst);
        }
        if self.binding(value).is_some() || self.is_view(value) {
            return self.copy(value, &at, dst);
        }
        let Some(ValueDef::Result(op, result)) = self.ir.value_def(value) else {
            return self.stop(&codes::NO_LOOP, "uses a value from outside", "");
        };
        let back = self.enter(op);
        if let Some(view) = View::of(self.ir, op) {
            self.write_view(op, view, result as usize, value, at, dst)?;
        } else if let Some(pattern) = pattern_of(self.ir, op) {
            self.write_pattern(op, pattern, value, at, dst)?;
        } else {
            self.elements(value, &at, dst)?;
        }
        self.leave(back);
        Ok(())
    }

    fn write_pattern(
        &mut self,
        op: OpId,
        pattern: Pattern,
        value: Value,
        mut at: Path,
        dst: &Dst,
    ) -> Done<()> {
        if at.is_empty() {
            return match pattern {
                Pattern::Map if self.is_layout(op) => {
                    let frames = self.layout_frames(op);
                    match frames {
                        Some(frames) => {
                            let x = self.ir.operand(op, 0);
                            self.write(x, at, &dst.then(Frame::Each(frames)))
                        }
                        None => self.write_map(op, dst),
                    }
                }
                Pattern::Map => self.write_map(op, dst),
                Pattern::Generate => self.write_generated(op, dst),
                Pattern::Reduce => self.reduce_into(op, dst),
                Pattern::Scan => self.scan_into(op, dst),
                Pattern::Iterate => self.iterate_into(op, dst),
                Pattern::Fold => self.fold_into(op, dst),
            };
        }
        if pattern == Pattern::Map && matches!(at.first(), Some(Step::Index(_))) {
            // One element of a map: its function, here.
            let index = self.index(&mut at)?;
            let x = self.ir.operand(op, 0);
            let (block, yields) = self.body(op)?;
            self.push_scope(Some(block))?;
            self.bind_element(block, 0, x, index);
            let done = self.write_yields(block, &yields, at, dst);
            self.pop_scope();
            return done;
        }
        self.elements(value, &at, dst)
    }

    /// What a function yields, or a part of it
    fn write_yields(
        &mut self,
        block: terrace_ir::BlockId,
        yields: &[Value],
        mut at: Path,
        dst: &Dst,
    ) -> Done<()> {
        if let ([_, _, ..], Some(Step::Part(n))) = (yields, at.first()) {
            let chosen = yields[*n];
            at.pop();
            self.block(block, &[chosen])?;
            return self.write(chosen, at, dst);
        }
        self.block(block, yields)?;
        for (n, value) in yields.iter().enumerate() {
            let path = Path::of((yields.len() > 1).then_some(Step::Part(n)));
            self.write(*value, at.clone(), &dst.part(path))?;
        }
        Ok(())
    }

    /// A number, or a tuple of them
    fn write_numbers(&mut self, value: Value, at: &Path, part: terrace_ir::Type, dst: &Dst) -> Done<()> {
        for leaf in self.leaves(part)? {
            let inner = Path::of(leaf.parts.iter().map(|(_, n)| Step::Part(*n)));
            let mut path = inner.clone();
            path.push_all(at);
            let number = self.read(value, path)?;
            self.put(number, inner, dst)?;
        }
        Ok(())
    }

    /// Store a number
    pub fn put(&mut self, number: Value, path: Path, dst: &Dst) -> Done<()> {
        let mut guards = Vec::new();
        let start = self.sums.len();
        let forwarded = self.forward(&dst.frames, path, &mut guards)?;
        self.sums.truncate(start);
        let Some(path) = forwarded else { return Ok(()) };
        let guards = self.without_implied(&guards);
        let memory = dst.memory.clone();
        let Some((n, leaf, indices)) = memory.find(&path) else {
            return self.stop(&codes::NO_LOOP, "is written to a place that does not exist", "");
        };
        let at = self.access(&indices, &[])?;
        let clip = !guards.is_empty() && self.are_bounds(&guards, &indices, &leaf.shape);
        let buffer = memory.buffers[n];
        if guards.is_empty() || clip {
            self.store(number, buffer, &at, dst, clip);
            return Ok(());
        }
        self.only_where(&guards, &mut |s| {
            s.store(number, buffer, &at, dst, false);
            Ok(())
        })
    }

    fn store(&mut self, number: Value, buffer: Value, at: &Access, dst: &Dst, clip: bool) {
        let write = Write::make(&mut self.b(), number, buffer, at, dst.combine.as_ref());
        let unit = self.cx.common().unit;
        write.set_clip(self.ir, clip.then_some(unit));
    }

    fn only_where(&mut self, guards: &[Guard], inside: &mut dyn FnMut(&mut Self) -> Done<()>) -> Done<()> {
        let Some((guard, rest)) = guards.split_first() else { return inside(self) };
        let test = self.test(&guard.index, Some(0), Some(guard.size))?;
        self.only_if(test, &mut |s| s.only_where(rest, inside))
    }

    /// A map: a loop at its level
    fn write_map(&mut self, op: OpId, dst: &Dst) -> Done<()> {
        let mut chain = vec![op];
        // Maps inside that are one loop with this one.
        while let Some(inner) = self.fused_inside(chain[chain.len() - 1]) {
            chain.push(inner);
        }
        let mut extents = Vec::new();
        for map in &chain {
            extents.push(self.array(self.ir.ty(self.ir.operand(*map, 0)))?.0);
        }
        let level = self.level(op);
        if level.and_then(|level| level.as_str(&self.cx)) == Some("fused") {
            return self.stop(
                &codes::LEVEL,
                "is fused, but is not the only thing inside of another map",
                "a fused map makes one loop with the map around it, whose function it is",
            );
        }
        let all = extents.iter().fold(1i64, |all, extent| all.saturating_mul(*extent));
        let depth = self.depth();
        self.each(all, level, &mut |s, index| s.map_body(&chain, &extents, Some(depth), index, dst))
    }

    /// The function of a map, or of the last of maps that are one loop; `depth`: where that loop was opened, of the first
    fn map_body(
        &mut self,
        chain: &[OpId],
        extents: &[i64],
        depth: Option<usize>,
        index: AffineExpr,
        dst: &Dst,
    ) -> Done<()> {
        let Some((map, inner)) = chain.split_first() else { return Ok(()) };
        let rest = extents[1..].iter().fold(1i64, |all, extent| all.saturating_mul(*extent));
        let (own, left) = match inner {
            [] => (index, AffineExpr::Constant(0)),
            _ => (self.div(index.clone(), rest.max(1)), self.rem(index, rest.max(1))),
        };
        if let Some(depth) = depth.filter(|_| !inner.is_empty()) {
            self.outermost_of(depth, &own, extents[0]);
        }
        let x = self.ir.operand(*map, 0);
        let (block, yields) = self.body(*map)?;
        self.push_scope(Some(block))?;
        self.bind_element(block, 0, x, own.clone());
        let done = if inner.is_empty() {
            self.block(block, &yields).and_then(|()| {
                for (n, value) in yields.iter().enumerate() {
                    let part = (yields.len() > 1).then_some(n);
                    self.write(*value, Path::default(), &dst.element(own.clone(), part))?;
                }
                Ok(())
            })
        } else {
            let dst = dst.element(own, None);
            let next = &extents[1..];
            let below = next[1..].iter().fold(1i64, |all, extent| all.saturating_mul(*extent));
            let at = if below > 1 { self.div(left.clone(), below) } else { left.clone() };
            self.inside_of(&at, next[0], |s| s.map_body(inner, next, None, left, &dst))
        };
        self.pop_scope();
        done
    }

    /// A map that is all that this one's function does, and is to be one loop with it
    fn fused_inside(&self, op: OpId) -> Option<OpId> {
        let inner = sole_map(self.ir, op)?;
        let level = self.level(inner).and_then(|level| level.as_str(&self.cx));
        (level == Some("fused")).then_some(inner)
    }

    fn write_generated(&mut self, op: OpId, dst: &Dst) -> Done<()> {
        let size = self.property(op, "size")?;
        let level = self.level(op);
        let (block, yields) = self.body(op)?;
        self.each(size, level, &mut |s, index| {
            let arg = s.ir.block_args(block)[0];
            s.push_scope(Some(block))?;
            s.bind(arg, Binding::Index(index.clone()));
            s.block(block, &yields)?;
            for (n, value) in yields.iter().enumerate() {
                let part = (yields.len() > 1).then_some(n);
                s.write(*value, Path::default(), &dst.element(index.clone(), part))?;
            }
            s.pop_scope();
            Ok(())
        })
    }

    /// What a function of layout ops does to each element, if it is one chain from its argument
    fn layout_frames(&self, op: OpId) -> Option<Vec<Frame>> {
        let (block, yields) = self.body(op).ok()?;
        let (&[mut value], &[arg]) = (yields.as_slice(), self.ir.block_args(block)) else { return None };
        let mut frames = Vec::new();
        while value != arg {
            let Some(ValueDef::Result(op, _)) = self.ir.value_def(value) else { return None };
            if self.ir.block(op) != Some(block) {
                return None;
            }
            match View::of(self.ir, op) {
                Some(View::Cast) => {}
                Some(
                    view @ (View::Split
                    | View::Join
                    | View::Transpose
                    | View::Slice
                    | View::Reorder
                    | View::Single
                    | View::AsVector
                    | View::AsScalar),
                ) => frames.push(Frame::Through(op, view)),
                Some(_) => return None,
                None => frames.push(Frame::Each(self.layout_frames(op)?)),
            }
            value = self.ir.operand(op, 0);
        }
        Some(frames)
    }

    /// A layout op of something computed
    fn write_view(
        &mut self,
        op: OpId,
        view: View,
        result: usize,
        value: Value,
        mut at: Path,
        dst: &Dst,
    ) -> Done<()> {
        let x = self.ir.operand(op, 0);
        if !at.is_empty() {
            // A part: where views lead there, or element by element.
            if !matches!(view, View::Place | View::Scatter | View::Concat | View::Pad)
                && self.reaches(view, &at)
            {
                let mut guards = Vec::new();
                let (mut other, mut path) = (value, at.clone());
                let found = self.follow(&mut other, &mut path, &mut guards)?;
                if guards.is_empty() && !matches!(found, Found::Either(_)) && other != value {
                    return self.write(other, path, dst);
                }
            }
            return self.elements(value, &at, dst);
        }
        if let Err(why) = self.has_inverse(op, view) {
            return self.stop(
                &codes::NO_WRITE,
                format!(
                    "stands between what is computed and its memory, and cannot be written through: {why}"
                ),
                "write what is computed to memory before: `array.place` of its operand, or let `array-place` do so",
            );
        }
        match view {
            View::Zip => {
                let xs: Vec<Value> = self.ir.operands(op).collect();
                for (n, x) in xs.into_iter().enumerate() {
                    self.write(x, Path::default(), &dst.then(Frame::Component(n)))?;
                }
                Ok(())
            }
            View::Tuple => {
                let xs: Vec<Value> = self.ir.operands(op).collect();
                for (n, x) in xs.into_iter().enumerate() {
                    self.write(x, Path::default(), &dst.part(Path::of([Step::Part(n)])))?;
                }
                Ok(())
            }
            View::Unzip => self.write(x, Path::default(), &dst.then(Frame::Only(result))),
            View::Get => {
                let n = self.property(op, "component")?;
                at.push(Step::Part(n as usize));
                self.write(x, at, dst)
            }
            View::At => {
                let index = self.index_of(self.ir.operand(op, 1))?;
                at.push_index(index);
                self.write(x, at, dst)
            }
            View::Concat => {
                let (n, _) = self.array(self.ir.ty(x))?;
                self.write(x, Path::default(), dst)?;
                let y = self.ir.operand(op, 1);
                self.write(y, Path::default(), &dst.then(Frame::Shift(n)))
            }
            View::Pad => {
                self.border(op, dst)?;
                self.write(x, at, &dst.then(Frame::Through(op, view)))
            }
            View::Scatter => self.scatter_into(op, dst),
            View::Cast => self.write(x, at, dst),
            View::Place => Err(self.no_place(op, "is used before it is filled", op)),
            _ => self.write(x, at, &dst.then(Frame::Through(op, view))),
        }
    }

    /// The padding around what is computed
    fn border(&mut self, op: OpId, dst: &Dst) -> Done<()> {
        let (n, elem) = self.array(self.ir.ty(self.ir.operand(op, 0)))?;
        let (low, high) = (self.property(op, "low")?, self.property(op, "high")?);
        let padding = self.ir.operand(op, 1);
        let splat = self.ir.ty(padding) != elem;
        for (start, size) in [(0, low.min(n + low + high)), ((n + low).max(low.max(0)), high)] {
            self.each(size.max(0), None, &mut |s, index| {
                let dst = dst.element(index + start.max(0).into(), None);
                if !splat {
                    return s.write(padding, Path::default(), &dst);
                }
                let number = s.read(padding, Path::default())?;
                s.fill(number, elem, &dst)
            })?;
        }
        Ok(())
    }

    /// One number in all places of a type
    pub fn fill(&mut self, number: Value, ty: terrace_ir::Type, dst: &Dst) -> Done<()> {
        for leaf in self.leaves(ty)? {
            self.fill_one(number, &leaf, dst)?;
        }
        Ok(())
    }

    /// One number in all places of a leaf
    pub fn fill_one(&mut self, number: Value, leaf: &Leaf, dst: &Dst) -> Done<()> {
        if self.fill_copy(number, leaf, dst)? {
            return Ok(());
        }
        self.fill_leaf(number, leaf, &mut Vec::new(), dst)
    }

    fn fill_leaf(
        &mut self,
        number: Value,
        leaf: &Leaf,
        indices: &mut Vec<AffineExpr>,
        dst: &Dst,
    ) -> Done<()> {
        let n = indices.len();
        if n == leaf.shape.len() {
            return self.put(number, path_of(leaf, indices), dst);
        }
        self.each(leaf.shape[n], None, &mut |s, index| {
            indices.push(index);
            let done = s.fill_leaf(number, leaf, indices, dst);
            indices.pop();
            done
        })
    }

    /// A number into a box, if its place is one
    fn fill_copy(&mut self, number: Value, leaf: &Leaf, dst: &Dst) -> Done<bool> {
        self.boxed(leaf, dst, &mut |_, _| Ok(Some((number, None, None, Vec::new()))))
    }

    /// Is there nothing to compute on the way to memory?
    pub fn is_view(&self, value: Value) -> bool {
        let mut pending = vec![value];
        let mut seen = terrace_support::HashSet::default();
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            match self.binding(value) {
                Some(Binding::Part(other, _)) => {
                    pending.push(*other);
                    continue;
                }
                Some(_) => continue,
                None => {}
            }
            let Some(ValueDef::Result(op, _)) = self.ir.value_def(value) else { continue };
            if self.ir.op_name(op) == "arith.constant" {
                continue;
            }
            let layout = match View::of(self.ir, op) {
                Some(View::Place | View::Scatter) => false,
                Some(_) => true,
                None => Map::cast(self.ir, op).is_some() && self.is_layout(op),
            };
            if !layout {
                return false;
            }
            pending.extend(self.ir.operands(op));
            for inner in self.ir.walk_below(op) {
                pending.extend(self.ir.operands(inner));
            }
        }
        true
    }

    /// A view: one copy for each of its buffers, or loops where copies cannot say it
    fn copy(&mut self, value: Value, at: &Path, dst: &Dst) -> Done<()> {
        let Some(part) = self.part_type(self.ir.ty(value), at) else {
            return self.stop(&codes::NO_LOOP, "is used at a place that it lacks", "");
        };
        let kernel = self.launches && self.is_top();
        for leaf in self.leaves(part)? {
            let copied = !kernel
                && self.boxed(&leaf, dst, &mut |s, inner| {
                    let (mut value, mut path, mut guards) = (value, inner, Vec::new());
                    path.push_all(at);
                    let start = s.sums.len();
                    let found = s.follow(&mut value, &mut path, &mut guards);
                    if let Ok(found) = &found {
                        s.keep_sums(found, &path, start);
                    }
                    let Ok(Found::Memory(memory)) = found else { return Ok(None) };
                    let Some((n, from, indices)) = memory.find(&path) else { return Ok(None) };
                    let guards = s.without_implied(&guards);
                    if !s.are_bounds(&guards, &indices, &from.shape) {
                        return Ok(None);
                    }
                    let other = guards.first().and_then(|guard| guard.other.clone());
                    Ok(Some((memory.buffers[n], Some(indices), other, Vec::new())))
                })?;
            if !copied {
                self.leaf_elements(value, at, &leaf, &mut Vec::new(), dst)?;
            }
        }
        Ok(())
    }

    /// One copy, if both sides are a function of the box's variables without branches
    #[allow(clippy::type_complexity)]
    fn boxed(
        &mut self,
        leaf: &Leaf,
        dst: &Dst,
        source: &mut dyn FnMut(
            &mut Self,
            Path,
        ) -> Done<
            Option<(Value, Option<Vec<AffineExpr>>, Option<(Value, Path)>, Vec<u32>)>,
        >,
    ) -> Done<bool> {
        if leaf.shape.is_empty() {
            return Ok(false);
        }
        if leaf.shape.contains(&0) {
            return Ok(true);
        }
        let shape: Vec<Vec<i64>> = leaf.shape.iter().map(|size| vec![*size]).collect();
        match self.boxed_by(leaf, &shape, dst, source)? {
            Boxed::No => Ok(false),
            Boxed::Done => Ok(true),
            // Not a loop that divides its variable, but loops.
            Boxed::Divided(shape) => Ok(!matches!(self.boxed_by(leaf, &shape, dst, source)?, Boxed::No)),
        }
    }

    /// The same, with the extents of loops for each dimension; asks for others where one is divided
    #[allow(clippy::type_complexity)]
    fn boxed_by(
        &mut self,
        leaf: &Leaf,
        shape: &[Vec<i64>],
        dst: &Dst,
        source: &mut dyn FnMut(
            &mut Self,
            Path,
        ) -> Done<
            Option<(Value, Option<Vec<AffineExpr>>, Option<(Value, Path)>, Vec<u32>)>,
        >,
    ) -> Done<Boxed> {
        let vars = self.vars();
        let (quiet, at_op) = (self.quiet, (self.op, self.loc));
        self.quiet = true;
        let mut domain = Vec::new();
        let mut indices = Vec::new();
        for extents in shape {
            let mut index = AffineExpr::Constant(0);
            for size in extents {
                domain.push(self.vars() as u32);
                let range = Range::below(*size).unwrap_or(Range::one(0));
                index = index * (*size).into() + self.var(None, range);
            }
            indices.push(self.simple(&index));
        }
        let path = path_of(leaf, &indices);
        let mut guards = Vec::new();
        let start = self.sums.len();
        let to = self.forward(&dst.frames, path.clone(), &mut guards);
        self.sums.truncate(start);
        if let Ok(Some(to)) = &to
            && let Some((n, _, places)) = dst.memory.find(to)
        {
            for (d, place) in places.iter().enumerate() {
                if let AffineExpr::Dim(var) = self.simple(place) {
                    self.boxes.push((var, (dst.memory.buffers[n], d)));
                }
            }
        }
        let found = source(self, path);
        self.boxes.clear();
        self.quiet = quiet;
        self.leave(at_op);
        let memory = dst.memory.clone();
        let (Ok(Some((src, from, other, _))), Ok(to)) = (found, to) else {
            self.forget(vars);
            return Ok(Boxed::No);
        };
        let Some(to) = to else {
            self.forget(vars);
            return Ok(Boxed::Done);
        };
        let guards = self.without_implied(&guards);
        let place = memory.find(&to);
        let Some((n, into, places)) =
            place.filter(|(_, into, places)| self.are_bounds(&guards, places, &into.shape))
        else {
            self.forget(vars);
            return Ok(Boxed::No);
        };
        let _ = into;
        if let Some(exprs) = from.as_ref().filter(|_| !self.on_grid && shape.iter().all(|own| own.len() == 1))
        {
            let strips = self.divided(exprs, &domain, &leaf.shape);
            if strips.iter().any(|own| own.len() > 1) {
                self.forget(vars);
                return Ok(Boxed::Divided(strips));
            }
        }
        let padding = match other {
            Some((value, path)) => Some(self.read(value, path)?),
            None => None,
        };
        let from = match from {
            Some(exprs) => Some(self.access(&exprs, &domain)?),
            None => None,
        };
        let buffer = memory.buffers[n];
        // The threads of a block fill its memory together.
        let shared = space::of(&self.cx, self.ir.ty(buffer)) == Space::Shared;
        let together = shared && self.launches && self.threads == 0 && dst.by.is_empty() && guards.is_empty();
        let spec = CopySpec {
            padding,
            per: together.then_some(Per::Block),
            by: if together { Vec::new() } else { self.by(leaf, shape, [src, buffer], dst) },
            clip: !guards.is_empty(),
            combine: dst.combine.clone(),
            ..CopySpec::new(shape.concat(), (src, from), (buffer, self.access(&places, &domain)?))
        };
        self.forget(vars);
        let copy = spec.build(&mut self.b());
        if together {
            let linear = self.cx.array_attr(&[self.cx.str_attr("linear")]);
            copy.set_by(self.ir, Some(linear));
        }
        Ok(Boxed::Done)
    }

    /// How a copy runs: as said; vectors are lanes, registers have no addresses
    fn by(&self, leaf: &Leaf, shape: &[Vec<i64>], buffers: [Value; 2], dst: &Dst) -> Vec<By> {
        let dims: usize = shape.iter().map(Vec::len).sum();
        if dst.by.len() == dims {
            return dst.by.clone();
        }
        let private = |buffer: &Value| space::of(&self.cx, self.ir.ty(*buffer)) == Space::Private;
        let registers = buffers.iter().any(private);
        // Numbers that are the lanes of vectors in registers.
        let lanes = shape.last().filter(|last| leaf.vector || registers && last.len() > 1);
        let Some(lanes) = lanes.and_then(|last| last.last()) else { return Vec::new() };
        let level = if registers { Level::Unroll } else { Level::Seq };
        let mut by = vec![By::Level(level); dims - 1];
        by.push(By::Vector(*lanes));
        by
    }

    /// Element by element
    pub fn elements(&mut self, value: Value, at: &Path, dst: &Dst) -> Done<()> {
        let Some(part) = self.part_type(self.ir.ty(value), at) else {
            return self.stop(&codes::NO_LOOP, "is used at a place that it lacks", "");
        };
        for leaf in self.leaves(part)? {
            self.leaf_elements(value, at, &leaf, &mut Vec::new(), dst)?;
        }
        Ok(())
    }

    fn leaf_elements(
        &mut self,
        value: Value,
        at: &Path,
        leaf: &Leaf,
        indices: &mut Vec<AffineExpr>,
        dst: &Dst,
    ) -> Done<()> {
        let n = indices.len();
        if n == leaf.shape.len() {
            let inner = path_of(leaf, indices);
            let mut path = inner.clone();
            path.push_all(at);
            let number = self.read(value, path)?;
            return self.put(number, inner, dst);
        }
        let lanes = leaf.vector && n + 1 == leaf.shape.len();
        let mut level: Option<Attr> = lanes.then(|| self.cx.str_attr(Level::Vector.class()));
        if self.launches && (n == 0 && self.is_top() || self.copies > 0) && !lanes {
            // The last dimensions are those of the grid.
            let behind = leaf.shape.len() - usize::from(leaf.vector) - 1 - n;
            level = Axis::ALL.get(behind).map(|axis| self.cx.str_attr(&Level::Global(*axis).to_string()));
            self.copies += 1;
            let done = self.leaf_loop(value, at, leaf, indices, dst, level);
            self.copies -= 1;
            return done;
        }
        self.leaf_loop(value, at, leaf, indices, dst, level)
    }

    fn leaf_loop(
        &mut self,
        value: Value,
        at: &Path,
        leaf: &Leaf,
        indices: &mut Vec<AffineExpr>,
        dst: &Dst,
        level: Option<Attr>,
    ) -> Done<()> {
        let n = indices.len();
        self.each(leaf.shape[n], level, &mut |s, index| {
            indices.push(index);
            let done = s.leaf_elements(value, at, leaf, indices, dst);
            indices.pop();
            done
        })
    }
}

/// The map that is all that a map's function writes: the two may be one loop
///
/// Beside it there are views, and maps that are no loops of this one: what is computed there has no memory, so that its elements
/// are computed where they are read.
pub fn sole_map(ir: &Ir, outer: OpId) -> Option<OpId> {
    let body = Map::cast(ir, outer).and_then(|_| ir.entry(ir.region(outer, 0)))?;
    let end = ir.last_op(body).filter(|end| Yield::cast(ir, *end).is_some())?;
    let mut gives = ir.operands(end);
    let (Some(value), None) = (gives.next(), gives.next()) else { return None };
    let inner = ir.defining_op(value).filter(|op| ir.block(*op) == Some(body))?;
    let mut others = ir.block_ops(body).filter(|op| *op != inner && *op != end);
    let nothing = others.all(|op| match View::of(ir, op) {
        Some(view) => !matches!(view, View::Place | View::Scatter),
        None => {
            Map::cast(ir, op).is_some()
                || Generate::cast(ir, op).is_some()
                || ir.op_name(op) == "arith.constant"
        }
    });
    (nothing && Map::cast(ir, inner).is_some()).then_some(inner)
}

/// The path of a leaf with these indices
pub(crate) fn path_of(leaf: &Leaf, indices: &[AffineExpr]) -> Path {
    let mut steps = Vec::new();
    let mut parts = leaf.parts.iter().peekable();
    for n in 0..=indices.len() {
        while let Some((_, part)) = parts.next_if(|(before, _)| *before == n) {
            steps.push(Step::Part(*part));
        }
        if let Some(index) = indices.get(n) {
            steps.push(Step::Index(index.clone()));
        }
    }
    Path::of(steps)
}
