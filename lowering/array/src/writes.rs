//! Values on their way to memory: loops for maps, copies for views, write views for layout ops of what is computed.

use crate::boxes::Fill;
use crate::codes;
use crate::destination::Dst;
use crate::layout::{Leaf, Path, Step, path_of};
use crate::lower::{Binding, Done, Lower};
use crate::reads::Found;
use crate::views::{Frame, Guard};
use terrace_dialect_arith as arith;
use terrace_dialect_array::layout::{self, LayoutOp};
use terrace_dialect_array::levels::MapLevel;
use terrace_dialect_array::obligations::pattern_of;
use terrace_dialect_array::patterns::Pattern;
use terrace_dialect_array::{Concat, Generate, Map, Pad, Scatter, Yield};
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{Axis, Level, Write};
use terrace_ir::{Attr, Ir, OpId, Value, ValueDef};
use terrace_support::affine::AffineExpr;

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
        if let Some(view) = layout::of(self.ir, op) {
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
        if self.map_level(level) == Some(MapLevel::Fused) {
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
        (self.map_level(self.level(inner)) == Some(MapLevel::Fused)).then_some(inner)
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
    fn layout_frames(&mut self, op: OpId) -> Option<Vec<Frame>> {
        let (block, yields) = self.body(op).ok()?;
        let (&[mut value], &[arg]) = (yields.as_slice(), self.ir.block_args(block)) else { return None };
        let mut frames = Vec::new();
        while value != arg {
            let Some(ValueDef::Result(op, _)) = self.ir.value_def(value) else { return None };
            if self.ir.block(op) != Some(block) {
                return None;
            }
            match layout::of(self.ir, op) {
                Some(view) => frames.extend(self.only_frame(op, view)?),
                None => frames.push(Frame::Each(self.layout_frames(op)?)),
            }
            value = self.ir.operand(op, 0);
        }
        Some(frames)
    }

    /// What a layout op does to each index of its only operand; `None` inside where it does nothing
    fn only_frame(&mut self, op: OpId, view: LayoutOp) -> Option<Option<Frame>> {
        if view.is_in_memory() || self.ir.num_operands(op) != 1 || self.ir.num_results(op) != 1 {
            return None;
        }
        let mut sources = view.written(self, 0).ok()?.ok()?;
        let source = sources.pop().filter(|source| sources.is_empty() && source.part.is_empty())?;
        matches!(source.frame, None | Some(Frame::Through(_))).then_some(source.frame)
    }

    /// A layout op of something computed
    fn write_view(
        &mut self,
        op: OpId,
        view: LayoutOp,
        result: usize,
        value: Value,
        at: Path,
        dst: &Dst,
    ) -> Done<()> {
        let is_pad = Pad::cast(self.ir, op).is_some();
        if !at.is_empty() {
            // A part: where views lead there, or element by element.
            let is_choice = is_pad || Concat::cast(self.ir, op).is_some();
            if !view.is_in_memory() && !is_choice && view.reaches(&at) {
                let mut guards = Vec::new();
                let (mut other, mut path) = (value, at.clone());
                let found = self.follow(&mut other, &mut path, &mut guards)?;
                if guards.is_empty() && !matches!(found, Found::Either(_)) && other != value {
                    return self.write(other, path, dst);
                }
            }
            return self.elements(value, &at, dst);
        }
        if Scatter::cast(self.ir, op).is_some() {
            return self.scatter_into(op, dst);
        }
        if view.is_in_memory() {
            return Err(self.no_place(op, "is used before it is filled", op));
        }
        let sources = match view.written(self, result)? {
            Ok(sources) => sources,
            Err(why) => {
                return self.stop(
                    &codes::NO_WRITE,
                    format!("stands between what is computed and its memory, and cannot be written through: {why}"),
                    "write what is computed to memory before: `array.place` of its operand, or let `array-place` do so",
                );
            }
        };
        if is_pad {
            self.border(op, dst)?;
        }
        for source in sources {
            let x = self.ir.operand(op, source.operand);
            match source.frame {
                Some(frame) => self.write(x, source.part, &dst.then(frame))?,
                None => self.write(x, source.part, dst)?,
            }
        }
        Ok(())
    }

    /// The padding around what is computed
    fn border(&mut self, op: OpId, dst: &Dst) -> Done<()> {
        let (n, elem) = self.array(self.ir.ty(Pad(op).x(self.ir)))?;
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
            if arith::Constant::cast(self.ir, op).is_some() {
                continue;
            }
            let is_map = || Map::cast(self.ir, op).is_some() && self.is_layout(op);
            if !layout::is_view(self.ir, op) && !is_map() {
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
                    Ok(Some(Fill { src: memory.buffers[n], from: Some(indices), padding: other }))
                })?;
            if !copied {
                self.leaf_elements(value, at, &leaf, &mut Vec::new(), dst)?;
            }
        }
        Ok(())
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
/// Next to it there are views, and maps that are no loops of this one: what is computed there has no memory, so that its elements
/// are computed where they are read.
pub fn sole_map(ir: &Ir, outer: OpId) -> Option<OpId> {
    let body = Map::cast(ir, outer).and_then(|_| ir.entry(ir.region(outer, 0)))?;
    let end = ir.last_op(body).filter(|end| Yield::cast(ir, *end).is_some())?;
    let mut gives = ir.operands(end);
    let (Some(value), None) = (gives.next(), gives.next()) else { return None };
    let inner = ir.defining_op(value).filter(|op| ir.block(*op) == Some(body))?;
    let mut others = ir.block_ops(body).filter(|op| *op != inner && *op != end);
    let quiet = [Map::DEF, Generate::DEF, arith::Constant::DEF];
    let nothing = others.all(|op| layout::is_view(ir, op) || quiet.iter().any(|def| ir.is(op, def)));
    (nothing && Map::cast(ir, inner).is_some()).then_some(inner)
}
