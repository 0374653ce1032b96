//! Boxes: what one copy writes, where both sides are functions of the box's variables without branches.

use crate::destination::Dst;
use crate::layout::{Leaf, Path, path_of};
use crate::lower::{Done, Lower};
use crate::views::Guard;
use terrace_analysis::Range;
use terrace_dialect_sched::{By, CopySpec, Level, Per, Space, space};
use terrace_ir::Value;
use terrace_support::affine::AffineExpr;

/// What became of a box
enum Boxed {
    No,
    Done,
    /// Loops that would divide nothing, for each dimension
    Divided(Vec<Vec<i64>>),
}

/// What fills a box
pub(crate) struct Fill {
    /// A buffer, or a number
    pub src: Value,
    /// Indices into the buffer
    pub from: Option<Vec<AffineExpr>>,
    /// What is read outside of it
    pub padding: Option<(Value, Path)>,
}

/// Finds what fills a box, at a path over its variables
type Filler<'f, 'a> = &'f mut dyn FnMut(&mut Lower<'a>, Path) -> Done<Option<Fill>>;

/// The variables of a box, one for each loop
struct Domain<'s> {
    /// Extents of the loops of each dimension
    shape: &'s [Vec<i64>],
    vars: Vec<u32>,
    /// The index of each dimension
    indices: Vec<AffineExpr>,
}

/// Where a box goes
struct Target {
    buffer: Value,
    places: Vec<AffineExpr>,
    /// The bounds of the buffer cut something off
    clip: bool,
}

impl<'a> Lower<'a> {
    /// One copy, if there is one
    pub fn boxed(&mut self, leaf: &Leaf, dst: &Dst, filler: Filler<'_, 'a>) -> Done<bool> {
        if leaf.shape.is_empty() {
            return Ok(false);
        }
        if leaf.shape.contains(&0) {
            return Ok(true);
        }
        let shape: Vec<Vec<i64>> = leaf.shape.iter().map(|size| vec![*size]).collect();
        match self.boxed_by(leaf, &shape, dst, filler)? {
            Boxed::No => Ok(false),
            Boxed::Done => Ok(true),
            // Not a loop that divides its variable, but loops.
            Boxed::Divided(shape) => Ok(!matches!(self.boxed_by(leaf, &shape, dst, filler)?, Boxed::No)),
        }
    }

    /// A number into a box, if its place is one
    pub fn fill_copy(&mut self, number: Value, leaf: &Leaf, dst: &Dst) -> Done<bool> {
        self.boxed(leaf, dst, &mut |_, _| Ok(Some(Fill { src: number, from: None, padding: None })))
    }

    /// The same, with the extents of loops for each dimension; returns others where one is divided
    fn boxed_by(
        &mut self,
        leaf: &Leaf,
        shape: &[Vec<i64>],
        dst: &Dst,
        filler: Filler<'_, 'a>,
    ) -> Done<Boxed> {
        let vars = self.vars();
        let done = self.boxed_over(leaf, shape, dst, filler);
        self.forget(vars);
        done
    }

    fn boxed_over(
        &mut self,
        leaf: &Leaf,
        shape: &[Vec<i64>],
        dst: &Dst,
        filler: Filler<'_, 'a>,
    ) -> Done<Boxed> {
        let domain = self.domain(shape);
        let path = path_of(leaf, &domain.indices);
        let mut guards = Vec::new();
        let (to, fill) = self.quietly(|s| {
            let start = s.sums.len();
            let to = s.forward(&dst.frames, path.clone(), &mut guards);
            s.sums.truncate(start);
            if let Ok(Some(to)) = &to {
                s.note_boxes(dst, to);
            }
            let fill = filler(s, path);
            s.boxes.clear();
            (to, fill)
        });
        let (Ok(Some(fill)), Ok(to)) = (fill, to) else { return Ok(Boxed::No) };
        let Some(to) = to else { return Ok(Boxed::Done) };
        let Some(target) = self.target(dst, &to, &guards) else { return Ok(Boxed::No) };
        let plain = !self.on_grid && shape.iter().all(|own| own.len() == 1);
        if let Some(exprs) = fill.from.as_ref().filter(|_| plain) {
            let strips = self.divided(exprs, &domain.vars, &leaf.shape);
            if strips.iter().any(|own| own.len() > 1) {
                return Ok(Boxed::Divided(strips));
            }
        }
        self.copy_box(leaf, &domain, dst, fill, target)?;
        Ok(Boxed::Done)
    }

    /// Find out without making ops; errors are about the op before
    fn quietly<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let (quiet, back) = (std::mem::replace(&mut self.quiet, true), (self.op, self.loc));
        let done = run(self);
        self.quiet = quiet;
        self.leave(back);
        done
    }

    fn domain<'s>(&mut self, shape: &'s [Vec<i64>]) -> Domain<'s> {
        let mut domain = Domain { shape, vars: Vec::new(), indices: Vec::new() };
        for extents in shape {
            let mut index = AffineExpr::Constant(0);
            for size in extents {
                domain.vars.push(self.vars() as u32);
                let range = Range::below(*size).unwrap_or(Range::one(0));
                index = index * (*size).into() + self.var(None, range);
            }
            domain.indices.push(self.simple(&index));
        }
        domain
    }

    /// Variables of the box that are dimensions of the buffer it goes to
    fn note_boxes(&mut self, dst: &Dst, to: &Path) {
        let Some((n, _, places)) = dst.memory.find(to) else { return };
        for (d, place) in places.iter().enumerate() {
            if let AffineExpr::Dim(var) = self.simple(place) {
                self.boxes.push((var, (dst.memory.buffers[n], d)));
            }
        }
    }

    fn target(&self, dst: &Dst, to: &Path, guards: &[Guard]) -> Option<Target> {
        let guards = self.without_implied(guards);
        let (n, into, places) = dst.memory.find(to)?;
        let clip = !guards.is_empty();
        self.are_bounds(&guards, &places, &into.shape).then_some(Target {
            buffer: dst.memory.buffers[n],
            places,
            clip,
        })
    }

    fn copy_box(
        &mut self,
        leaf: &Leaf,
        domain: &Domain<'_>,
        dst: &Dst,
        fill: Fill,
        target: Target,
    ) -> Done<()> {
        let padding = match fill.padding {
            Some((value, path)) => Some(self.read(value, path)?),
            None => None,
        };
        let from = match fill.from {
            Some(exprs) => Some(self.access(&exprs, &domain.vars)?),
            None => None,
        };
        let to = self.access(&target.places, &domain.vars)?;
        // The threads of a block fill its memory together.
        let shared = space::of(&self.cx, self.ir.ty(target.buffer)) == Space::Shared;
        let together = shared && self.launches && self.threads == 0 && dst.by.is_empty() && !target.clip;
        let by = self.by(leaf, domain.shape, [fill.src, target.buffer], dst);
        let spec = CopySpec {
            padding,
            per: together.then_some(Per::Block),
            by: if together { Vec::new() } else { by },
            clip: target.clip,
            combine: dst.combine.clone(),
            ..CopySpec::new(domain.shape.concat(), (fill.src, from), (target.buffer, to))
        };
        let copy = spec.build(&mut self.b());
        if together {
            let linear = self.cx.array_attr(&[self.cx.str_attr("linear")]);
            copy.set_by(self.ir, Some(linear));
        }
        Ok(())
    }

    /// How a copy runs: as its place states; vectors are lanes, registers have no addresses
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
}
