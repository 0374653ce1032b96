//! A computation and its schedule as a document: what every form (picture, page, TOML, JSON, text) shows.
//!
//! Invariant: only [`Document::draft`] can be changed by a form that is read back; everything else is the computation's and
//! is there to be looked at. [`Document::reads`] holds what a form says against the computation.

use crate::error::{Code, ViewError};
use terrace_devices::{Layer, Region};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::schedule::{self, Entry, Groups, OpenSchedule, OpenStep, SCHEDULE};
use terrace_dialect_mdh::view::{CombineKind, Output, View};
use terrace_ir::show::elem_bytes;
use terrace_ir::{Context, Ir, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Version of the document
pub const VERSION: &str = "mdh-schedule/1";

/// A dimension
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dim {
    /// Name
    pub name: String,
    /// Extent
    pub size: i64,
    /// How it is combined: `++`, `+`, `max`, …
    pub operator: String,
    /// Is it a dimension of the result? Prefixes are
    pub kept: bool,
}

/// An input or output
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// Name
    pub name: String,
    /// Number of its dimensions
    pub rank: usize,
    /// Its own sizes; none where they are not known
    pub sizes: Vec<Option<i64>>,
    /// Bytes of an element, 0 if its type does not say
    pub bytes: u64,
    /// Index functions, one text per access
    pub maps: Vec<String>,
    /// Per dimension of the buffer, what one step of each dimension of the computation moves (first access); none where
    /// quotients do
    pub factors: Vec<Option<Vec<i64>>>,
    /// Per dimension of the buffer, how far its accesses are apart; none where they differ by more than constants
    pub apart: Vec<Option<i64>>,
}

impl Buffer {
    /// Shape of the part that a tile of these sizes reaches, as far as the buffer goes; nothing for what is not known
    pub fn reach(&self, sizes: &[Option<i64>]) -> Vec<Option<i64>> {
        let along = |(factors, apart): (&Option<Vec<i64>>, &Option<i64>)| {
            factors.as_ref()?.iter().zip(sizes).filter(|(factor, _)| **factor != 0).try_fold(
                (*apart)?.checked_add(1)?,
                |all, (factor, size)| {
                    all.checked_add(factor.checked_abs()?.checked_mul((*size)?.checked_sub(1)?)?)
                },
            )
        };
        let reached = self.factors.iter().zip(&self.apart).map(along);
        let held = |(n, reached): (usize, Option<i64>)| {
            let own = self.sizes.get(n).copied().flatten();
            reached.map(|reached| own.map_or(reached, |own| reached.min(own)))
        };
        reached.enumerate().map(held).collect()
    }
}

/// All that is shown
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// Name of the computation
    pub compute: String,
    /// What it was scheduled for, if that is known
    pub target: Option<String>,
    /// Dimensions
    pub dims: Vec<Dim>,
    /// Input buffers in order of first access
    pub ins: Vec<Buffer>,
    /// Access groups of the inputs; a step may have an entry for each
    pub groups: Groups,
    /// Inputs by access groups; empty where each buffer is one
    pub grouped: Vec<Buffer>,
    /// Outputs
    pub outs: Vec<Buffer>,
    /// Kept dimensions in the order of the first output's own
    pub axes: Vec<usize>,
    /// The scalar function, printed
    pub body: Vec<String>,
    /// The schedule
    pub draft: OpenSchedule,
}

impl Document {
    /// Of a computation; `None` as schedule is an empty one
    pub fn of(ir: &Ir, op: Compute) -> Result<Document, ViewError> {
        let cx = ir.cx();
        let view = View::read(ir, op)?;
        let draft = match ir.discardable(op.id(), SCHEDULE) {
            Some(attr) => schedule::open(cx, attr)?,
            None => OpenSchedule::default(),
        };
        let dims = view.dims.iter().map(|dim| Dim {
            name: dim.name.clone(),
            size: dim.size,
            operator: operator(cx, &dim.kind),
            kept: dim.kind.kept(),
        });
        let dims = dims.collect();
        let buffers = Buffers { ir, op, names: view.names(), view: &view };
        let grouped = buffers.grouped();
        Ok(Document {
            groups: view.groups_of_reads(),
            compute: view.name.clone().unwrap_or_else(|| "compute".into()),
            target: None,
            dims,
            ins: buffers.ins(&draft, &grouped),
            grouped,
            outs: buffers.outs(),
            axes: axes(&view),
            body: body(ir, op),
            draft,
        })
    }

    /// Sizes of the tile of a step, 0 for all there is; nothing for open ones
    pub fn tile(&self, step: usize) -> Vec<Option<i64>> {
        let mut sizes: Vec<Option<i64>> = self.dims.iter().map(|dim| Some(dim.size)).collect();
        for step in &self.draft.steps[..step.min(self.draft.steps.len())] {
            for (size, field) in sizes.iter_mut().zip(&step.sizes) {
                if field.tile() != Some(None) {
                    *size = field.tile().flatten();
                }
            }
        }
        sizes
    }

    /// Does the schedule speak of a device with a grid of blocks?
    pub fn on_grid(&self) -> bool {
        let steps = &self.draft.steps;
        let mut entries = steps.iter().flat_map(|step| step.ins.iter().chain(&step.outs));
        let mut cores = steps.iter().flat_map(|step| &step.cores);
        let of_grid = |layer: Layer| matches!(layer, Layer::Gpu | Layer::Blk | Layer::Wrp);
        let of_host = |region: Region| matches!(region, Region::Mm | Region::Cache(_) | Region::Reg);
        cores.any(|core| core.layer().is_some_and(of_grid))
            || entries.any(|entry| matches!(entry.region.known(), Some(Some(region)) if !of_host(*region)))
    }

    /// A step in which everything is as above, to be filled field by field
    pub fn empty_step(&self, position: usize) -> OpenStep {
        OpenStep::above(position, self.dims.len(), self.ins.len(), self.outs.len())
    }

    /// Does a form that says these names speak of this computation?
    pub fn reads(&self, compute: Option<&str>, dims: Option<&str>) -> Result<(), ViewError> {
        if let Some(found) = compute.filter(|found| *found != self.compute) {
            return Err(Code::Stale.because(format!(
                "this is the schedule of `{found}`, not of `{}`; name the computation with --compute",
                self.compute
            )));
        }
        let own = self.dim_names();
        match dims.filter(|found| *found != own) {
            Some(found) => Err(Code::Stale.because(format!("dimensions are {found} there and {own} here"))),
            None => Ok(()),
        }
    }

    /// Names of a step's so many input entries: of buffers, or of access groups where it has one for each
    pub fn in_names(&self, entries: usize) -> Vec<String> {
        self.ins_of(entries).iter().map(|buffer| buffer.name.clone()).collect()
    }

    /// What a step's so many input entries are for: buffers, or access groups where it has one for each
    pub fn ins_of(&self, entries: usize) -> &[Buffer] {
        if self.groups.one_each(entries) { &self.grouped } else { &self.ins }
    }

    /// The entry of a step for an input; that of its first access group where the step has one for each
    pub fn entry_of<'s>(&self, step: &'s OpenStep, input: usize) -> Option<&'s Entry> {
        let by_group = self.groups.one_each(step.ins.len()) && step.ins.len() != self.ins.len();
        let group = |input| self.groups.buffers.iter().position(|buffer| *buffer == input);
        step.ins.get(if by_group { group(input)? } else { input })
    }

    /// Names of the dimensions with commas between
    pub fn dim_names(&self) -> String {
        self.dims.iter().map(|dim| dim.name.as_str()).collect::<Vec<_>>().join(",")
    }
}

/// Reads the buffers of a computation
struct Buffers<'a> {
    ir: &'a Ir,
    op: Compute,
    view: &'a View,
    /// Names of dimensions
    names: Vec<String>,
}

impl Buffers<'_> {
    /// Inputs, or their access groups where the entries of a schedule are for those
    fn ins(&self, draft: &OpenSchedule, grouped: &[Buffer]) -> Vec<Buffer> {
        let of_groups = |step: &OpenStep| step.ins.len() == grouped.len();
        if !grouped.is_empty() && !draft.steps.is_empty() && draft.steps.iter().all(of_groups) {
            return grouped.to_vec();
        }
        let reads = self.reads();
        let whole = |buffer: &Value| {
            let own = reads.iter().filter(|(_, value)| value == buffer).map(|(map, _)| *map);
            self.buffer(self.input_name(*buffer), Some(*buffer), &own.collect::<Vec<_>>())
        };
        self.view.buffers().iter().filter_map(whole).collect()
    }

    /// Access groups of the inputs, where a buffer has several
    fn grouped(&self) -> Vec<Buffer> {
        let groups = self.view.groups_of_maps();
        if !groups.split() {
            return Vec::new();
        }
        let buffers = self.view.buffers();
        let own_names: Vec<String> = buffers.iter().map(|value| self.input_name(*value)).collect();
        let given: Vec<Option<&str>> = own_names.iter().map(|name| Some(name.as_str())).collect();
        let group_names = groups.names(&given);
        let reads = self.reads();
        let group = |(slot, buffer): (usize, &usize)| {
            let name = group_names[slot].as_deref().unwrap_or("_").to_owned();
            let own = reads.iter().zip(&groups.of).filter(|(_, group)| **group == slot);
            self.buffer(name, Some(buffers[*buffer]), &own.map(|((map, _), _)| *map).collect::<Vec<_>>())
        };
        groups.buffers.iter().enumerate().filter_map(group).collect()
    }

    /// Index maps of what is read, with the buffers
    fn reads(&self) -> Vec<(&AffineMap, Value)> {
        self.view.inputs.iter().filter_map(|input| Some((input.map.as_ref()?, input.value))).collect()
    }

    fn outs(&self) -> Vec<Buffer> {
        let results: Vec<Value> = self.ir.results(self.op.id()).collect();
        let out = |(n, out): (usize, &Output)| {
            let value = results.get(n).copied();
            let own = value.and_then(|value| self.ir.value_name(value));
            let name = own.map_or_else(|| format!("out{}", n + 1), String::from);
            self.buffer(name, value, &out.maps.iter().collect::<Vec<_>>())
        };
        self.view.outputs.iter().enumerate().filter_map(out).collect()
    }

    /// A buffer with its accesses; `None` where there is no access
    fn buffer(&self, name: String, value: Option<Value>, maps: &[&AffineMap]) -> Option<Buffer> {
        let first = maps.first()?;
        Some(Buffer {
            name,
            rank: first.results.len(),
            sizes: value.map_or_else(Vec::new, |value| sizes(self.ir, value)),
            bytes: value.map_or(0, |value| elem(self.ir, value)),
            maps: maps.iter().map(|map| self.indices(map)).collect(),
            factors: self.factors(first),
            apart: apart(maps),
        })
    }

    /// The name that a buffer has, or one by the number of its first access
    fn input_name(&self, value: Value) -> String {
        let first = self.view.inputs.iter().position(|input| input.map.is_some() && input.value == value);
        let number = first.map_or(0, |n| n + 1);
        self.ir.value_name(value).map_or_else(|| format!("in{number}"), String::from)
    }

    /// Index functions as text
    fn indices(&self, map: &AffineMap) -> String {
        let text = |e: &AffineExpr| terrace_dialect_mdh::expr_text(e, &self.names);
        format!("({})", map.results.iter().map(text).collect::<Vec<_>>().join(", "))
    }

    /// What one step of each dimension moves along each of the buffer
    fn factors(&self, map: &AffineMap) -> Vec<Option<Vec<i64>>> {
        let along = |expr: &AffineExpr| {
            let linear = expr.as_linear()?;
            Some((0..self.view.dims.len()).map(|dim| linear.dim(dim)).collect())
        };
        map.results.iter().map(along).collect()
    }
}

/// Kept dimensions in the order of the first output's own
fn axes(view: &View) -> Vec<usize> {
    let first = view.outputs.first().and_then(|out| out.maps.first());
    let mut axes: Vec<usize> = Vec::new();
    for expr in first.iter().flat_map(|map| &map.results) {
        let used = (0..view.dims.len()).filter(|n| expr.uses_dim(*n as u32) && !axes.contains(n));
        axes.extend(used.collect::<Vec<_>>());
    }
    let others = (0..view.dims.len()).filter(|n| view.dims[*n].kind.kept() && !axes.contains(n));
    axes.extend(others.collect::<Vec<_>>());
    axes
}

/// Sizes of a value that are constants
fn sizes(ir: &Ir, value: Value) -> Vec<Option<i64>> {
    let shape = ir.ty(value).shape(ir.cx()).unwrap_or(&[]);
    shape.iter().map(|n| Some(*n).filter(|n| *n >= 0)).collect()
}

/// Bytes of an element of a value
fn elem(ir: &Ir, value: Value) -> u64 {
    let (cx, ty) = (ir.cx(), ir.ty(value));
    elem_bytes(cx, ty.element(cx).unwrap_or(ty.scalar(cx))) as u64
}

/// How far several accesses of a buffer are apart along each of its dimensions
fn apart(maps: &[&AffineMap]) -> Vec<Option<i64>> {
    let along = |e: usize| {
        let all: Option<Vec<&AffineExpr>> = maps.iter().map(|map| map.results.get(e)).collect();
        let ([first, rest @ ..], all) = (maps, all?) else { return None };
        if rest.is_empty() {
            return Some(0);
        }
        let start = all[0].as_linear()?;
        let mut range = (start.constant, start.constant);
        for expr in &all[1..] {
            let other = expr.as_linear()?;
            let alike = (0..first.dims as usize).all(|dim| other.dim(dim) == start.dim(dim));
            range = (range.0.min(other.constant), range.1.max(other.constant));
            if !alike {
                return None;
            }
        }
        range.1.checked_sub(range.0)
    };
    (0..maps.first().map_or(0, |map| map.results.len())).map(along).collect()
}

fn operator(cx: &Context, kind: &CombineKind) -> String {
    let names = |prefix: &str| {
        let all: Vec<String> =
            kind.operators().iter().map(|op| format!("{prefix}{}", short(cx, op))).collect();
        all.join(", ")
    };
    match kind {
        CombineKind::Cc => "++".into(),
        CombineKind::Pw(..) => names(""),
        CombineKind::Ps(_) => names("++prefix "),
    }
}

fn short(cx: &Context, op: &Operator) -> String {
    let word = match op {
        Operator::Builtin(op) => op.to_string(),
        Operator::Func(name) => cx.str(*name).to_string(),
        Operator::Accumulated(_) => op.text(cx),
    };
    match word.as_str() {
        "add" => "+".into(),
        "mul" => "*".into(),
        _ => word,
    }
}

/// The scalar function, a line per op: `p = arith.mulf a, b`
fn body(ir: &Ir, op: Compute) -> Vec<String> {
    let Some(entry) = ir.entry(op.body(ir)) else { return Vec::new() };
    let mut unnamed: Vec<Value> = Vec::new();
    let mut name = |value: Value| match ir.value_name(value) {
        Some(name) => name.to_owned(),
        None => {
            let known = unnamed.iter().position(|other| *other == value);
            known
                .unwrap_or_else(|| {
                    unnamed.push(value);
                    unnamed.len() - 1
                })
                .to_string()
        }
    };
    let mut list = |values: Vec<Value>| values.into_iter().map(&mut name).collect::<Vec<_>>().join(", ");
    let mut lines = Vec::new();
    for op in ir.block_ops(entry) {
        let operands = list(ir.operands(op).collect());
        let results = list(ir.results(op).collect());
        let call = format!("{} {operands}", ir.op_name(op));
        lines.push(if results.is_empty() { call } else { format!("{results} = {call}") });
    }
    lines
}
