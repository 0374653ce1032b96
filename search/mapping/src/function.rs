//! The mapping problem of a function: its maps, and the rules of the schedule that it lowers to with all levels open.
//!
//! The function is lowered once, by the one lowering there is; loops know the maps they come from by their open levels. What
//! that needs, as numbers for sizes, may be missing: then the rules of `sched` are not asked, and the diagnostic says why.

use crate::codes;
use crate::explain;
use crate::joint::{Said, Sizes};
use crate::kernels::{self, Kernels};
use crate::legality::MappedNest;
use crate::levels::{self, MapLevel, MapLevels};
use crate::problem::{Join, Options, Problem};
use crate::rules::{Given, Tag};
use crate::sites::Sites;
use crate::tree::{Space as Memory, Tree};
use terrace_diag::Diagnostic;
use terrace_dialect_array::size::NoValue;
use terrace_dialect_array::{Map, threads};
use terrace_dialect_sched::{Alloc, For};
use terrace_dialect_sched::{Space, space};
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Attr, Ir, OpId, VerifyCx};
use terrace_schedule_model::nest::{Access, BufferId, LoopId};
use terrace_schedule_rules::Limits;
use terrace_search_solver::Var;
use terrace_support::HashMap;
use terrace_support::affine::AffineExpr;

/// The parameter of a map: `m.A`, or `m.m3` where its name is no word
pub fn parameter(tree: &Tree, n: usize) -> String {
    let name = &tree.loops[n].name;
    let word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if word { format!("m.{name}") } else { format!("m.m{}", tree.loops[n].number) }
}

/// The level that a map says
pub fn decided(ir: &Ir, tree: &Tree, n: usize) -> Option<MapLevel> {
    let level = Map::cast(ir, tree.loops[n].op)?.level(ir)?;
    codes::parse(level.as_str(ir.cx())?)
}

/// Give maps without a level a parameter as level; how many
pub fn open_levels(ir: &mut Ir, tree: &Tree, all: bool) -> u64 {
    let mut count = 0;
    for n in 0..tree.loops.len() {
        if !all && decided(ir, tree, n).is_some() {
            continue;
        }
        let level = ir.cx().symbol_attr(&parameter(tree, n));
        ir.set_attr(tree.loops[n].op, "level", Some(level));
        count += 1;
    }
    count
}

/// The sizes of blocks that the program gives for each map
fn said(unit: &Ir, tree: &Tree, default: Said) -> Result<Vec<Said>, Diagnostic> {
    let known = terrace_dialect_array::size::bound(unit);
    let one = |op: OpId| {
        let of = |name: &str, default: [i64; 3]| {
            let own = threads::said(unit, op, name, &known)?;
            Ok::<[i64; 3], NoValue>(std::array::from_fn(|axis| {
                if own[axis] > 0 { own[axis] } else { default[axis] }
            }))
        };
        Ok::<Said, NoValue>(Said {
            block: of(threads::BLOCK, default.block)?,
            grid: of(threads::GRID, default.grid)?,
        })
    };
    let all = tree.loops.iter().map(|each| {
        one(each.op).map_err(|why| {
            let message = format!("sizes of blocks are no numbers: {why}");
            Diagnostic::error(&terrace_lowering_array::codes::OPEN, message).at(unit.span(each.op))
        })
    });
    all.collect()
}

/// Outermost loops of a function on buffers
fn tops(lowered: &Ir) -> Vec<OpId> {
    let is_loop = |op: &OpId| For::cast(lowered, *op).is_some();
    let outermost = |op: &OpId| {
        let mut around = std::iter::successors(lowered.parent(*op), |op| lowered.parent(*op));
        !around.any(|op| is_loop(&op))
    };
    lowered.walk().filter(is_loop).filter(outermost).collect()
}

/// Which map a loop comes from, by its open level
fn variables(lowered: &Ir, tree: &Tree) -> HashMap<OpId, usize> {
    let by_name: HashMap<String, usize> = (0..tree.loops.len()).map(|n| (parameter(tree, n), n)).collect();
    let of = |op: OpId| {
        let level = For::cast(lowered, op)?.level(lowered)?;
        let (name, _) = level.as_symbol(lowered.cx())?;
        Some((op, *by_name.get(lowered.cx().str(name))?))
    };
    lowered.walk().filter_map(of).collect()
}

/// Of each map the one whose loop is around its own, if it has a loop
fn around(lowered: &Ir, tree: &Tree, variables: &HashMap<OpId, usize>) -> Vec<Option<Option<usize>>> {
    let mut found: Vec<Option<Option<usize>>> = vec![None; tree.loops.len()];
    for op in lowered.walk() {
        let Some(n) = variables.get(&op).copied() else { continue };
        let mut outer = std::iter::successors(lowered.parent(op), |op| lowered.parent(*op));
        let outer = outer.find_map(|op| variables.get(&op).copied());
        // Of a map that is computed at several places, where it stands in the text.
        if found[n].is_none() || outer == tree.loops[n].parent {
            found[n] = Some(outer);
        }
    }
    found
}

/// The problem of a function, and what kept the rules of `sched` from being asked
pub fn problem(
    unit: &Ir,
    symbols: &Symbols,
    scope: ScopeId,
    options: Options,
) -> (Problem, Option<Diagnostic>) {
    let tree = Tree::of(unit);
    let decide = |tree: &Tree| (0..tree.loops.len()).map(|n| decided(unit, tree, n)).collect::<Vec<_>>();
    let of_text = |tree: Tree| {
        let decided = decide(&tree);
        let mut problem = Problem { decided, ..Problem::new(tree, options.clone()) };
        if !options.is_paper() {
            problem.given.extend(fused_roots(&problem));
        }
        problem
    };
    if options.is_paper() {
        return (of_text(tree), None);
    }
    let mut lowered = unit.clone_unit();
    open_levels(&mut lowered, &tree, true);
    let missing = match terrace_lowering_array::lower(&mut lowered, symbols, scope) {
        Err(error) => Some(error),
        // Nothing to do with arrays.
        Ok(None) => return (of_text(tree), None),
        Ok(Some(_)) => said(unit, &tree, options.said).err(),
    };
    if missing.is_some() {
        return (of_text(tree), missing);
    }
    let by_text = variables(&lowered, &tree);
    let tree = tree.with_loops(unit, &around(&lowered, &tree, &by_text));
    let said = said(unit, &tree, options.said).unwrap_or_default();
    let mut problem = of_text(tree);
    let v = VerifyCx::new(&lowered, symbols, scope);
    Schedule { v: &v, tops: tops(&lowered), maps: variables(&lowered, &problem.tree), said }
        .judge(&mut problem);
    (problem, None)
}

/// The schedule that a function lowers to, with its levels open
struct Schedule<'a> {
    v: &'a VerifyCx<'a>,
    /// Outermost loops
    tops: Vec<OpId>,
    /// The maps that loops come from
    maps: HashMap<OpId, usize>,
    /// The sizes of blocks that the program gives for each map
    said: Vec<Said>,
}

impl Schedule<'_> {
    /// Add what the rules of `sched` ask
    fn judge(self, problem: &mut Problem) {
        let any = (0..problem.tree.loops.len()).any(|n| problem.domain(n).may_be_at(levels::OF_KERNEL));
        let any = any || problem.options.levels.may_be_at(levels::OF_KERNEL);
        let limits = problem.options.limits.or(any.then_some(Limits::ANY));
        let (sizes, mut given) = self.sizes(problem, limits);
        given.extend(home(self.v.ir, problem));
        given.extend(inlined(problem));
        problem.given.extend(given);
        let sizes = Sizes { sites: self.sites(problem), ..sizes };
        if let Some(limits) = &limits {
            let given = sizes.constraints(&problem.tree, limits, &|n| problem.domain(n));
            problem.given.extend(given);
        }
        problem.joins = self.joins(problem);
        problem.sizes = Some(sizes);
        problem.settle();
    }

    /// The nest of each outermost loop
    fn nests<'n>(
        &'n self,
        domain: &'n dyn Fn(usize) -> MapLevels,
    ) -> impl Iterator<Item = MappedNest<'n>> + 'n {
        let variable = |op: OpId| self.maps.get(&op).copied();
        self.tops.iter().filter_map(move |top| MappedNest::read(self.v, *top, &variable, domain))
    }

    /// Trip counts and what the rules ask of kernels, with the constraints of single paths
    fn sizes(&self, problem: &Problem, limits: Option<Limits>) -> (Sizes, Vec<Given>) {
        let domain = |n: usize| problem.domain(n);
        let (mut given, mut all) = (Vec::new(), Kernels::default());
        let mut trips = vec![1; problem.tree.loops.len()];
        for mapped in self.nests(&domain) {
            given.extend(mapped.constraints(problem.options.strict_local));
            if let Some(limits) = limits {
                given.extend(kernels::read(&mapped, limits, &mut all));
            }
            let nest = mapped.sequential();
            for id in nest.loops.ids() {
                if let Some(n) = mapped.map_of(id) {
                    trips[n] = nest.trip(id);
                }
            }
        }
        (Sizes { trips, kernels: all, sites: Sites::default(), said: self.said.clone() }, given)
    }

    /// Pairs of uses of local memory
    fn joins(&self, problem: &Problem) -> Vec<Join> {
        let buffers = &problem.tree.buffers;
        let mut places = (0..buffers.len()).filter(|n| buffers[*n].space == Memory::Local);
        let domain = |n: usize| problem.domain(n);
        let mut out = Vec::new();
        for mapped in self.nests(&domain) {
            let nest = mapped.sequential();
            for (id, _, _) in nest.made().filter(|(_, buffer, _)| buffer.space == Space::Shared) {
                let Some(place) = places.next() else { break };
                out.extend(joins_of(&mapped, id, place));
            }
        }
        out
    }

    /// Accesses between which threads may wait, for the levels that the rules of paths leave to maps
    fn sites(&self, problem: &Problem) -> Sites {
        let asked = Options { tags: vec![Tag::Beyond], ..problem.options.clone() };
        let model = Problem { options: asked, ..problem.clone() }.model();
        let parts = terrace_search_solver::classify::Parts::of(&model).ok();
        let left = |n: usize| match &parts {
            Some(parts) => parts.values(&model, Var(n as u32)).map(codes::chosen).collect(),
            None => problem.domain(n),
        };
        let all: Vec<MapLevels> = (0..problem.tree.loops.len()).map(left).collect();
        let spread = |n: usize| all[n].may_be_at(levels::SPREAD);
        let fusable = |n: usize| all[n].fused;
        let domain = |n: usize| problem.domain(n);
        let mut sites = Sites::default();
        for mapped in self.nests(&domain) {
            sites.read(&mapped, &spread, &fusable, &|n, trip| self.said[n].strips(trip));
        }
        sites
    }
}

/// Maps without a loop have no level
fn inlined(problem: &Problem) -> Vec<Given> {
    let all = (0..problem.tree.loops.len()).filter(|n| problem.tree.loops[*n].inlined);
    all.map(|n| Given {
        rule: "INLINED",
        kind: "INLINED",
        tag: Tag::Beyond,
        formula: codes::is_in(n, MapLevel::SEQ),
        about: vec![n],
        reason: format!(
            "{} has no loop: its elements are computed where they are read, since they are in no memory",
            problem.tree.loops[n].name
        ),
    })
    .collect()
}

/// Outermost maps of which the program says that they are one with a map around
fn fused_roots(problem: &Problem) -> Vec<Given> {
    let roots = problem.tree.roots().filter(|n| problem.decided[*n] == Some(MapLevel::Fused));
    roots
        .map(|n| Given {
            rule: "FUSED",
            kind: "FUSED",
            tag: Tag::Beyond,
            formula: codes::is_in(n, MapLevel::Fused).not(),
            about: vec![n],
            reason: explain::outermost(&problem.tree.loops[n].name),
        })
        .collect()
}

/// Memory of blocks and threads that is made outside of all maps: there is no kernel
fn home(lowered: &Ir, problem: &Problem) -> Vec<Given> {
    let cx = lowered.cx();
    let top = |op: &OpId| lowered.parent(*op) == Some(lowered.root());
    let space =
        |op: OpId| Alloc::cast(lowered, op).map(|alloc| space::of(cx, lowered.ty(alloc.memref(lowered))));
    let mut found = lowered.walk().filter(top).filter_map(space);
    let Some(space) = found.find(|space| matches!(space, Space::Shared | Space::Private)) else {
        return Vec::new();
    };
    let all = (0..problem.tree.loops.len()).filter(|n| problem.domain(*n).may_be_at(levels::OF_KERNEL));
    all.map(|n| Given {
        rule: "HOME",
        kind: "HOME",
        tag: Tag::Beyond,
        formula: codes::is_in(n, problem.domain(n).without(levels::OF_KERNEL)),
        about: vec![n],
        reason: format!("{} is made outside of all maps, where there is no kernel", space.name()),
    })
    .collect()
}

/// Pairs of a write and a read of a buffer, with the maps around each within its scope
fn joins_of(mapped: &MappedNest<'_>, memory: BufferId, buffer: usize) -> Vec<Join> {
    let nest = mapped.sequential();
    let mut out: Vec<Join> = Vec::new();
    let own: Vec<&Access> = mapped.nest.accesses.iter().filter(|access| access.buffer == memory).collect();
    for write in own.iter().filter(|access| !access.reads()) {
        for read in own.iter().filter(|access| access.reads()) {
            let maps = |access: &Access| -> Vec<(LoopId, usize)> {
                let between = nest.between_uses(memory, access.around.inside).into_iter();
                between.filter_map(|id| Some((id, mapped.map_of(id)?))).collect()
            };
            let (writers, readers) = (maps(write), maps(read));
            let alone = |access: &Access, id: LoopId, dim: usize| match access.map.results.get(dim) {
                Some(AffineExpr::Dim(n)) => access.dim_of(id) == Some(*n as usize),
                _ => false,
            };
            let mut equal = Vec::new();
            for (w, writer) in &writers {
                for (r, reader) in &readers {
                    let trips = nest.trip(*w) == nest.trip(*r);
                    let rank = write.map.results.len();
                    if trips && (0..rank).any(|dim| alone(write, *w, dim) && alone(read, *r, dim)) {
                        equal.push((*writer, *reader));
                    }
                }
            }
            let join = Join {
                buffer,
                writer: writers.into_iter().map(|(_, n)| n).collect(),
                reader: readers.into_iter().map(|(_, n)| n).collect(),
                equal,
            };
            if !out.contains(&join) {
                out.push(join);
            }
        }
    }
    out
}

/// Write sizes of blocks and grids into a function, where it says none for itself
pub fn say(ir: &mut Ir, said: Said) {
    for (name, sizes) in [(threads::BLOCK, said.block), (threads::GRID, said.grid)] {
        if sizes == [0; 3] {
            continue;
        }
        let (root, cx) = (ir.root(), ir.cx_arc().clone());
        let own: Vec<Attr> = ir
            .discardable(root, name)
            .and_then(|attr| attr.as_array(&cx))
            .map(<[Attr]>::to_vec)
            .unwrap_or_default();
        let all = sizes.iter().enumerate().map(|(axis, size)| match own.get(axis) {
            Some(own) if own.as_i64(&cx) != Some(0) => *own,
            _ => cx.int_attr((*size).into(), cx.common().i64),
        });
        let all: Vec<Attr> = all.collect();
        ir.set_discardable(root, name, Some(cx.array_attr(&all)));
    }
}

/// Write a mapping into the maps of a function
pub fn apply(ir: &mut Ir, tree: &Tree, values: &[MapLevel]) {
    for (each, value) in tree.loops.iter().zip(values) {
        let attr = ir.cx().str_attr(&value.to_string());
        ir.set_attr(each.op, "level", Some(attr));
    }
}
