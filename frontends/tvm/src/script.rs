//! Loops and buffers as a script.
//!
//! Each buffer of results is a stage; its loops are cut from coarse to fine, put in the order of code, and bound. Loops that
//! stand inside of a buffer of results but are coarser than loops outside of it make a tile that is no box: where they are
//! the innermost ones they are virtual threads, else no script says them.

use crate::nest::{Core, DOUBLE, Event, Item, Loop, Nest};
use crate::refusal::{Code, Refusal};
use crate::{Computation, ident};
use std::collections::BTreeSet;
use std::fmt::Write;
use terrace_devices::Region;

/// A copy of an input
struct Fetch {
    /// Loops of the stage around it
    place: usize,
    event: Event,
    /// Name of its stage
    name: String,
}

/// A stage of the result with what stands in it
#[derive(Default)]
struct Stage {
    name: String,
    loops: Vec<Loop>,
    /// After so many of its loops
    copies: Vec<Fetch>,
    layout: String,
}

pub(crate) fn write(mut nest: Nest, of: &Computation) -> Result<String, Refusal> {
    let grid = nest.grid();
    sort_grid(&mut nest.items, grid);
    check_axes(&nest.items, grid)?;
    let mut names = Names::of(of);
    let mut out = String::new();
    let output = ident(of.outs.first().map_or("", String::as_str));
    let s = names.fresh(if names.used.contains("s") { "sch" } else { "s" });
    let _ = writeln!(out, "# Schedule of {}\n{s} = te.create_schedule({output}.op)", of.name);
    let mut stages = vec![Stage { name: output.clone(), ..Stage::default() }];
    let mut copies: Vec<(usize, String)> = Vec::new();
    let mut declared = String::new();
    let mut from: Vec<String> = of.ins.iter().map(|input| ident(&input.name)).collect();
    for item in &nest.items {
        let last = stages.len() - 1;
        match item {
            Item::Loop(one) => {
                stages[last].loops.push(one.clone());
            }
            Item::Event(event) if event.out => {
                if last > 0 && stages[last].loops.is_empty() {
                    return Err(Code::At.because("two buffers of the result at one loop"));
                }
                let outer = &stages[last];
                if let Some(one) = outer.loops.iter().find(|one| !of.dims[one.dim].kept) {
                    return Err(Code::Reduce.because(format!(
                        "the loop of `{}` stands around a buffer of the result, which `rfactor` would say; it is read, and \
                         not written",
                        one.name
                    )));
                }
                let scope = scope(event.region, grid);
                let name = names.fresh(&format!("{}_{}", stages[last].name, scope.replace('.', "_")));
                let _ = writeln!(out, "{name} = {s}.cache_write({}, \"{scope}\")", stages[last].name);
                stages.push(Stage { layout: transform(event), name, ..Stage::default() });
            }
            Item::Event(event) => {
                let at = stages[last].loops.len();
                let twice = |other: &Fetch| other.place == at && other.event.buffer == event.buffer;
                if stages[last].copies.iter().any(twice) {
                    return Err(
                        Code::At.because(format!("two buffers of `{}` at one loop", from[event.buffer]))
                    );
                }
                stages[last].copies.push(Fetch { place: at, event: event.clone(), name: String::new() });
            }
        }
    }
    let compute = stages[stages.len() - 1].name.clone();
    for stage in &mut stages {
        for Fetch { event, name: own, .. } in &mut stage.copies {
            let scope = scope(event.region, grid);
            let source = &from[event.buffer];
            let name = names.fresh(&format!("{source}_{}", scope.replace('.', "_")));
            let _ = writeln!(declared, "{name} = {s}.cache_read({source}, \"{scope}\", [{compute}])");
            copies.push((event.buffer, name.clone()));
            own.clone_from(&name);
            from[event.buffer] = name;
        }
    }
    out.push_str(&declared);
    strided(&mut stages)?;
    let mut tile: Vec<i64> = of.dims.iter().map(|dim| dim.size.max(1)).collect();
    let mut around: Option<(String, String)> = None;
    let block = nest.block;
    let count = stages.len();
    for (n, stage) in stages.iter().enumerate() {
        let mut text = Body { s: &s, names: &mut names, out: &mut out, of, grid };
        around = text.stage(stage, &mut tile, around, (n == 0, n + 1 == count), block.filter(|_| n == 0))?;
    }
    Ok(out)
}

/// Blocks, and threads of a block, have no order: neighbours stand in the order of their axes
fn sort_grid(items: &mut [Item], grid: bool) {
    let axis = |item: &Item| match item {
        Item::Loop(Loop { core: Core::Block(axis), .. }) => Some((0, *axis)),
        Item::Loop(Loop { core: Core::Thread(axis), .. }) if grid => Some((1, *axis)),
        _ => None,
    };
    for run in items.chunk_by_mut(|a, b| axis(a).zip(axis(b)).is_some_and(|(a, b)| a.0 == b.0)) {
        run.sort_by_key(axis);
    }
}

fn check_axes(items: &[Item], grid: bool) -> Result<(), Refusal> {
    let mut taken: Vec<Core> = Vec::new();
    for item in items {
        let Item::Loop(one) = item else { continue };
        if !matches!(one.core, Core::Block(_) | Core::Thread(_)) {
            continue;
        }
        if grid && taken.contains(&one.core) {
            return Err(
                Code::Bind.because(format!("a second loop (of `{}`) on one axis of the grid", one.name))
            );
        }
        taken.push(one.core);
    }
    match !grid && taken.len() > 3 {
        true => Err(Code::Bind.because("more than three parallel loops; there are three axes of threads")),
        false => Ok(()),
    }
}

/// Virtual threads move to the stage in which they are cut; others that are coarser than loops outside are refused
fn strided(stages: &mut [Stage]) -> Result<(), Refusal> {
    for n in 1..stages.len() {
        let (outer, rest) = stages.split_at_mut(n);
        let inner: Vec<Stage> = rest.iter_mut().map(std::mem::take).collect();
        let Some((own, further)) = inner.split_first() else { continue };
        let mut moved: Vec<(usize, Loop)> = Vec::new();
        let mut kept: Vec<Loop> = Vec::new();
        for (at, one) in own.loops.iter().enumerate() {
            let finer = |stage: &Stage| {
                stage.loops.iter().any(|other| other.dim == one.dim && other.stride < one.stride)
            };
            let Some(to) = outer.iter().position(finer) else {
                kept.push(one.clone());
                continue;
            };
            let after = own.loops[at + 1..].iter().all(|other| {
                other.core == Core::Vector
                    || outer.iter().any(|stage| {
                        stage.loops.iter().any(|outer| outer.dim == other.dim && outer.stride < other.stride)
                    })
            });
            let alone = further.is_empty() && own.copies.iter().all(|fetch| fetch.place <= at);
            if !matches!(one.core, Core::Seq | Core::Unroll) || !after || !alone {
                return Err(Code::Label.because(format!(
                    "the loop of `{}` with steps of {} stands inside of one with smaller steps and around others; only \
                     innermost ones are virtual threads",
                    one.name, one.stride
                )));
            }
            moved
                .push((to, Loop { core: Core::Virtual { unroll: one.core == Core::Unroll }, ..one.clone() }));
        }
        for (place, stage) in rest.iter_mut().zip(inner) {
            *place = stage;
        }
        rest[0].loops = kept;
        // Copies stood before all that moved.
        for (to, one) in moved {
            let loops = &mut outer[to].loops;
            let at = loops.iter().position(|one| !one.core.is_block() && !one.core.is_virtual());
            let at = at.unwrap_or(0);
            loops.insert(at, one);
            for Fetch { place, .. } in &mut outer[to].copies {
                *place += usize::from(*place > at);
            }
        }
    }
    Ok(())
}

/// The scope that reads as a region
fn scope(region: Region, grid: bool) -> String {
    match (region, grid) {
        (Region::Rm, true) | (Region::Reg, false) => "local".into(),
        (Region::Sm, true) => "shared".into(),
        (Region::Dm, true) | (Region::L2, false) => "global".into(),
        _ if region.is_private() => format!("local.{region}"),
        _ if region.is_shared() => format!("shared.{region}"),
        _ => format!("global.{region}"),
    }
}

/// A layout as a function of indices
fn transform(event: &Event) -> String {
    use terrace_dialect_mdh::schedule::Part;
    let Some(rank) = event.layout.iter().map(|part| part.dim() + 1).max() else { return String::new() };
    let names: Vec<String> = (0..rank).map(|n| format!("d{}", n + 1)).collect();
    let parts: Vec<String> = event
        .layout
        .iter()
        .map(|part| match part {
            Part::Whole(dim) => names[*dim].clone(),
            Part::Div(dim, by) => format!("{} // {by}", names[*dim]),
            Part::Mod(dim, by) => format!("{} % {by}", names[*dim]),
        })
        .collect();
    format!("lambda {}: [{}]", names.join(", "), parts.join(", "))
}

struct Body<'a> {
    s: &'a str,
    names: &'a mut Names,
    out: &'a mut String,
    of: &'a Computation,
    grid: bool,
}

impl Body<'_> {
    fn line(&mut self, stage: &str, text: &str) {
        let _ = writeln!(self.out, "{}[{stage}].{text}", self.s);
    }

    /// Loops of a stage; gives the stage and loop that the next one is computed at
    fn stage(
        &mut self,
        stage: &Stage,
        tile: &mut [i64],
        around: Option<(String, String)>,
        (first, last): (bool, bool),
        block: Option<usize>,
    ) -> Result<Option<(String, String)>, Refusal> {
        let _ = writeln!(self.out);
        let mut axes = self.axes(stage, last);
        if let Some(dim) = block {
            self.one_block(stage, &mut axes, dim)?;
        }
        let names = self.splits(stage, &mut axes, tile);
        let kept = self.of.axes.iter().filter(|dim| tile[**dim] > 1);
        // What is left of kept dimensions are loops of the copy.
        let wanted: Vec<String> =
            names.iter().cloned().chain(kept.map(|dim| axes.left[*dim].clone())).collect();
        let found = axes.leafs.iter().filter(|leaf| wanted.contains(leaf));
        if !found.eq(wanted.iter()) {
            self.line(&stage.name, &format!("reorder({})", wanted.join(", ")));
        }
        for (name, one) in names.iter().zip(&stage.loops) {
            self.annotate(&stage.name, name, one);
        }
        if !first {
            if let Some((outer, at)) = &around {
                self.line(&stage.name, &format!("compute_at({}[{outer}], {at})", self.s));
            }
            if !stage.layout.is_empty() {
                self.line(&stage.name, &format!("transform_layout({})", stage.layout));
            }
        }
        for fetch in &stage.copies {
            let at = match fetch.place.checked_sub(1) {
                Some(n) => Some((stage.name.clone(), names[n].clone())),
                None => around.clone(),
            };
            self.copy(fetch, at);
        }
        Ok(names.last().map(|name| (stage.name.clone(), name.clone())).or(around))
    }

    /// Name the axes of a stage; those that are reduced belong to the last one
    fn axes(&mut self, stage: &Stage, last: bool) -> Axes {
        let kept: Vec<usize> = self.of.axes.clone();
        let reduced = (0..self.of.dims.len()).filter(|dim| last && !self.of.dims[*dim].kept).collect();
        let mut axes = Axes { left: vec![String::new(); self.of.dims.len()], leafs: Vec::new() };
        for (what, dims) in [("axis", kept), ("reduce_axis", reduced)] {
            let all: Vec<String> =
                dims.iter().map(|dim| self.names.fresh(&self.of.dims[*dim].name)).collect();
            for (dim, name) in dims.iter().zip(&all) {
                axes.left[*dim].clone_from(name);
            }
            if !all.is_empty() {
                let comma = if all.len() == 1 { "," } else { "" };
                let _ = writeln!(self.out, "{}{comma} = {}.op.{what}", all.join(", "), stage.name);
            }
            axes.leafs.extend(all);
        }
        axes
    }

    /// Bind a loop of one iteration to blocks
    fn one_block(&mut self, stage: &Stage, axes: &mut Axes, dim: usize) -> Result<(), Refusal> {
        let Some(whole) = axes.left.get(dim).filter(|axis| !axis.is_empty()).cloned() else {
            return Err(Code::Bind.because("one block, but the result has no axis that could be bound to it"));
        };
        let name = self.names.fresh("block");
        let _ = writeln!(self.out, "{name}, {whole} = {}[{}].split({whole}, nparts=1)", self.s, stage.name);
        self.bind(&stage.name, &name, "blockIdx.x");
        axes.cut(&whole, &name);
        Ok(())
    }

    /// Split axes from coarse to fine; gives the names of the loops
    fn splits(&mut self, stage: &Stage, axes: &mut Axes, tile: &mut [i64]) -> Vec<String> {
        let mut order: Vec<usize> = (0..stage.loops.len()).collect();
        order.sort_by_key(|n| (stage.loops[*n].dim, -stage.loops[*n].stride));
        let mut names: Vec<String> = vec![String::new(); stage.loops.len()];
        for n in order {
            let one = &stage.loops[n];
            let whole = axes.left[one.dim].clone();
            if one.stride == 1 {
                names[n] = whole;
                axes.left[one.dim].clear();
            } else {
                names[n] = self.names.fresh(&one.name);
                let (name, size) = (&names[n], one.stride);
                let _ = writeln!(
                    self.out,
                    "{name}, {whole} = {}[{}].split({whole}, factor={size})",
                    self.s, stage.name
                );
                axes.cut(&whole, name);
            }
            tile[one.dim] = one.stride;
        }
        names
    }

    /// Who runs a loop, and how its last tile is treated
    fn annotate(&mut self, stage: &str, name: &str, one: &Loop) {
        match one.core {
            Core::Seq => {}
            Core::Unroll => self.line(stage, &format!("unroll({name})")),
            Core::Vector => self.line(stage, &format!("vectorize({name})")),
            Core::Thread(_) if !self.grid => self.line(stage, &format!("parallel({name})")),
            Core::Block(axis) => self.bind(stage, name, &format!("blockIdx.{}", axis.name())),
            Core::Thread(axis) => self.bind(stage, name, &format!("threadIdx.{}", axis.name())),
            Core::Virtual { unroll } => {
                self.bind(stage, name, "vthread");
                if unroll {
                    self.line(stage, &format!("pragma({name}, \"unroll_explicit\", True)"));
                }
            }
        }
        if one.peel {
            self.line(stage, &format!("pragma({name}, \"loop_partition_hint\", True)"));
        }
        if one.pad {
            self.line(stage, &format!("pragma({name}, \"whole_tiles\", True)"));
        }
        if one.mask {
            self.line(stage, &format!("pragma({name}, \"one_partial_vector\", True)"));
        }
    }

    /// A copy of an input, computed at this loop
    fn copy(&mut self, Fetch { event, name, .. }: &Fetch, at: Option<(String, String)>) {
        if let Some((outer, at)) = at {
            self.line(name, &format!("compute_at({}[{outer}], {at})", self.s));
        }
        let layout = transform(event);
        if !layout.is_empty() {
            self.line(name, &format!("transform_layout({layout})"));
        }
        if event.words == DOUBLE {
            self.line(name, "double_buffer()");
        }
    }

    fn bind(&mut self, stage: &str, name: &str, tag: &str) {
        self.line(stage, &format!("bind({name}, te.thread_axis(\"{tag}\"))"));
    }
}

/// Axes of a stage while they are split
struct Axes {
    /// What is left of each dimension's axis
    left: Vec<String>,
    /// All axes in the order of loops
    leafs: Vec<String>,
}

impl Axes {
    /// An axis stands before what is left of the one that it was cut from
    fn cut(&mut self, whole: &str, name: &str) {
        if let Some(at) = self.leafs.iter().position(|leaf| leaf == whole) {
            self.leafs.insert(at, name.to_owned());
        }
    }
}

/// Names that are taken
struct Names {
    used: BTreeSet<String>,
}

impl Names {
    fn of(of: &Computation) -> Names {
        let fixed = ["te", "tvm", "topi", "tir", "tuple", "list"].map(String::from);
        let buffers = of.ins.iter().map(|input| &input.name).chain(&of.outs).chain([&of.name]);
        Names { used: buffers.map(|name| ident(name)).chain(fixed).collect() }
    }

    fn fresh(&mut self, base: &str) -> String {
        let base = ident(base);
        let numbered = (1..).map(|n| format!("{base}{n}"));
        let name = std::iter::once(base.clone()).chain(numbered).find(|name| !self.used.contains(name));
        let name = name.unwrap_or(base);
        self.used.insert(name.clone());
        name
    }
}
