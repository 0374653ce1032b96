//! Spaces that follow from the loops of FlexTensor's operators, with nothing given: points by value.

use crate::common::{DOWN, HARNESS, as_it_is, lower, lowered, parse, same};
use std::path::Path;
use terrace_devices::Device;
use terrace_diag::{Diags, render_all};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{SCHEDULE, to_attr};
use terrace_dialect_mdh::view::View;
use terrace_dialect_test::Numbers;
use terrace_dialect_test::values::{shown, verify};
use terrace_ir::{Context, Ir, OpId};
use terrace_passes_mdh::inline::INLINE;
use terrace_schedule_model::{Decision, OpenSchedule, Point, Schedule};
use terrace_search_explore::sample;
use terrace_search_graphs::{Graph, Node};
use terrace_search_primitives::orders::{Order, Phase, search};
use terrace_search_primitives::primitive::{Primitive, applied};
use terrace_search_primitives::{GraphSpace, Layout, Parts, Plan, PrimitiveSpace, decode};
use terrace_search_schedules::{Legal, OfSchedules, Refusal};
use terrace_support::Random;

/// An operator at sizes `M=8 N=12`, as text of the IR
pub fn operator(name: &str, sizes: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/operators/flextensor");
    let text = std::fs::read_to_string(folder.join(format!("{name}.tensor"))).expect("it is there");
    let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_mdh::ALL].concat());
    let set = |word: &str| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let sets: Vec<(String, String)> = sizes.split_whitespace().filter_map(set).collect();
    let (source, mut diags) = (cx.sources().add(name, text), Diags::default());
    let module = terrace_frontend_mdh::tensor::read(&cx, source, &sets, &mut diags);
    let module = module.unwrap_or_else(|| panic!("{}", render_all(diags.iter(), cx.sources(), false)));
    let mut out = String::new();
    terrace_text::print(&module, &Default::default(), &mut out);
    out
}

/// The function of the module, and its number of results
pub fn function(module: &Ir) -> (OpId, &Ir) {
    let unit = |op: OpId| Some((op, module.child(op)?));
    module.walk().find_map(unit).expect("it has a function")
}

/// An operator's main node
struct Case {
    text: String,
    graph: Graph,
    target: &'static str,
    device: Device,
    buffers: [usize; 2],
}

impl Case {
    fn new(text: String, target: &'static str) -> Case {
        let module = parse(&text);
        let (_, unit) = function(&module);
        let graph = Graph::read(unit).expect("it was verified");
        let main = graph.main().expect("it has nodes");
        let op = Compute::cast(unit, graph.nodes[main].op).expect("a node is a computation");
        let computation = View::read(unit, op).expect("it was verified").computation(unit, op);
        let buffers = [computation.buffers.len(), computation.results.len()];
        let device = Device::find(target).expect("a device");
        Case { text, graph, target, device, buffers }
    }

    /// The program with a schedule of the main node, lowered to loops
    fn program(&self, schedule: &Schedule) -> Result<Box<Ir>, String> {
        let mut module = parse(&self.text);
        let (op, _) = function(&module);
        let attr = to_attr(module.cx(), &OpenSchedule::from(schedule).steps);
        let node = &self.graph.nodes[self.graph.main().expect("it has nodes")];
        module.child_mut(op).expect("a unit").set_attr(node.op, SCHEDULE, Some(attr));
        let pipeline = format!("func.func(mdh-schedule{{target={}}},mdh-to-sched)", self.target);
        HARNESS.transform(&mut module, &pipeline)?;
        verify(&module).map(|()| module)
    }

    fn legal(&self, schedule: &Schedule) -> Result<(), Refusal> {
        self.program(schedule).map(|_| ()).map_err(Refusal::of)
    }

    fn layout(&self, parts: Parts) -> Layout {
        let node = &self.graph.nodes[self.graph.main().expect("it has nodes")];
        let [ins, outs] = self.buffers;
        Layout::of_node(node, &self.device, parts, ins, outs).expect("it has loops")
    }
}

/// Does what a primitive makes stand in a nest of `sched`?
fn stands(primitive: Primitive, loops: &str) -> bool {
    let level = |word: &str| {
        let level = format!(" : {word}");
        loops.split(&level).skip(1).any(|rest| rest.starts_with([')', ' ', ',', '.']))
    };
    match primitive {
        Primitive::Unroll => level("unroll"),
        Primitive::Vectorize => level("vector"),
        Primitive::Parallel => level("task"),
        Primitive::Bind => level("block") && level("thread"),
        Primitive::Cache => loops.contains("sched.alloc"),
        _ => true,
    }
}

/// Points of the space of an operator compute what it says; which primitives stand in their loops
fn agree(name: &str, sizes: &str, target: &'static str, points: u64) -> Vec<Primitive> {
    let case = Case::new(operator(name, sizes), target);
    let legal = |schedule: &Schedule| case.legal(schedule);
    let layout = case.layout(Parts::ARTIFACT).knowing(&legal);
    let space = PrimitiveSpace::new(layout, &legal);
    let wanted = as_it_is(&parse(&case.text), "main");
    let mut found = Vec::new();
    for n in 0..points {
        let Some(point) = sample(&space, &mut Random::of(&[n, 7])) else {
            panic!("{name} on {target}: no point; refused: {}", space.refusals());
        };
        let vector = space.vector(&point).expect("it is whole");
        let schedule = decode(space.layout(), &vector).expect("it is of the space");
        let what = format!("{name} on {target}, {vector}\n{}", space.fill(&point));
        let mut module = case.program(&schedule).unwrap_or_else(|why| panic!("{why}: {what}"));
        let loops = shown(&module);
        same(&wanted, &lowered(&module, "main", &what, wanted.len()), &what);
        if n == 0 {
            lower(&mut module, DOWN, &what);
            same(&wanted, &lowered(&module, "main", &what, wanted.len()), &what);
        }
        let all = applied(space.layout(), &vector).expect("it is whole").into_iter().map(|one| one.primitive);
        found.extend(all.filter(|primitive| stands(*primitive, &loops)));
    }
    println!("{name} on {target}: refused: {}", space.refusals());
    found.sort_unstable();
    found.dedup();
    found
}

/// A whole graph as its plan says
impl Case {
    fn planned(&self, plan: &Plan) -> Result<Box<Ir>, String> {
        let mut module = parse(&self.text);
        let (op, _) = function(&module);
        let inlined: Vec<bool> = plan.schedules.iter().map(Option::is_none).collect();
        for (node, inlined) in self.graph.nodes.iter().zip(inlined) {
            let attr = module.cx().bool_attr(inlined);
            module.child_mut(op).expect("a unit").set_attr(node.op, INLINE, Some(attr));
        }
        HARNESS.run(&mut module, "func.func(mdh-inline)")?;
        let unit = module.child_mut(op).expect("a unit");
        let left: Vec<OpId> = unit.walk().filter(|op| Compute::cast(unit, *op).is_some()).collect();
        let schedules: Vec<&Schedule> = plan.schedules.iter().flatten().collect();
        if left.len() != schedules.len() {
            return Err(format!("INLINE: {} computations are left of {}", left.len(), schedules.len()));
        }
        for (op, schedule) in left.into_iter().zip(schedules) {
            let attr = to_attr(unit.cx(), &OpenSchedule::from(schedule).steps);
            unit.set_attr(op, SCHEDULE, Some(attr));
        }
        let pipeline = format!("func.func(mdh-schedule{{target={}}},mdh-to-sched)", self.target);
        HARNESS.transform(&mut module, &pipeline)?;
        verify(&module).map(|()| module)
    }

    /// Spaces of all nodes, whose points are judged together
    fn nodes<'a>(&self, any: &'a Legal<'a>) -> Vec<PrimitiveSpace<'a>> {
        let space = |node: &Node| {
            let parts = Parts { spatial: 2, reduce: 2 };
            let layout = Layout::of_node(node, &self.device, parts, node.reads.len(), node.makes.len());
            PrimitiveSpace::new(layout.expect("it has loops"), any)
        };
        self.graph.nodes.iter().map(space).collect()
    }

    /// Values of a plan are those of the program as it is; the nest
    fn holds(&self, wanted: &Numbers, plan: &Plan) -> Box<Ir> {
        let what = format!("{plan:?}\n{}", self.text);
        let module = self.planned(plan).unwrap_or_else(|why| panic!("{why}: {what}"));
        same(wanted, &lowered(&module, "main", &what, wanted.len()), &what);
        module
    }
}

/// A producer that only doubles, and a product that reads it
const DOUBLED: &str = "\
func.func @main(%A: tensor<8x6xf32>, %B: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %D = mdh.compute \"D\" (i in 8, k in 6) ins(%a = %A[i, k]) outs([i, k]) {
    %s = arith.addf %a, %a : f32
    mdh.yield %s : f32
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %C = mdh.compute \"C\" (i in 8, j in 4, k in 6 pw add) ins(%d = %D[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %d, %b : f32
    mdh.yield %p : f32
  } : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  return %C : tensor<8x4xf32>
}
";

/// D7: producers have loops of their own, or are computed where they are read; for a tile of the reader if nothing stands for their elements
#[test]
fn nodes_are_inlined_and_computed_at_a_tile() {
    let any = |_: &Schedule| Ok(());
    for (name, text, tiles) in [
        ("c1d", operator("c1d", SIZES[3].1), false),
        ("t1d", operator("t1d", SIZES[4].1), false),
        ("doubled", DOUBLED.to_owned(), true),
    ] {
        let case = Case::new(text, "x86-64-v3");
        let legal = |plan: &Plan| case.planned(plan).map(|_| ()).map_err(Refusal::of);
        let space = GraphSpace::new(&case.graph, case.nodes(&any), &legal);
        let wanted = as_it_is(&parse(&case.text), "main");
        let (mut apart, mut inlined, mut at_tiles) = (0, 0, 0);
        for n in 0..12 {
            let Some(point) = sample(&space, &mut Random::of(&[n, 3])) else { continue };
            let plan = space.plan(&point).expect("it is whole");
            let nest = shown(&case.holds(&wanted, &plan));
            let mut steps = plan.schedules.iter().flatten().flat_map(|own| &own.steps);
            let tiled = steps.any(|step| step.ins.iter().any(Option::is_some));
            match plan.schedules.iter().any(Option::is_none) {
                true if tiled => {
                    assert!(nest.contains("\"l1\">"), "the tile has a buffer:\n{nest}");
                    at_tiles += 1;
                }
                true => inlined += 1,
                false => apart += 1,
            }
        }
        let refused = space.refusals();
        println!("{name}: {apart} apart, {inlined} inlined, {at_tiles} at a tile; refused: {refused}");
        assert!(
            apart > 0 && inlined > 0 && (at_tiles > 0) == tiles,
            "{name}: {apart} {inlined} {at_tiles}; {refused}"
        );
    }
}

/// D23: bottom-up, top-down and recurrent orders over the two nodes of a convolution, by the cost model: each gives a schedule of the
/// whole graph that is right and cheaper than where it began
#[test]
fn each_order_schedules_a_graph() {
    let any = |_: &Schedule| Ok(());
    let case = Case::new(operator("c1d", SIZES[3].1), "x86-64-v3");
    let legal = |plan: &Plan| case.planned(plan).map(|_| ()).map_err(Refusal::of);
    let space = GraphSpace::new(&case.graph, case.nodes(&any), &legal);
    let wanted = as_it_is(&parse(&case.text), "main");
    let cost = |point: &[Decision]| {
        let plan = space.plan(point).ok()?;
        let nests = terrace_dialect_sched::nests(&*case.planned(&plan).ok()?);
        Some(terrace_schedule_cost::estimate(&nests, &case.device)?.total)
    };
    let start = (0..).find_map(|n| sample(&space, &mut Random::of(&[n, 1]))).expect("there are points");
    let first = cost(&start).expect("it has an estimate");
    for order in [Order::BottomUp, Order::TopDown, Order::Recurrent(2)] {
        let mut draws = 0;
        let mut best = |phase: &Phase<'_>, _: &Point| {
            let mut found: Option<(Point, f64)> = None;
            for _ in 0..4 {
                draws += 1;
                let point = sample(phase, &mut Random::of(&[draws, 9]));
                let Some((point, own)) = point.and_then(|point| Some((point.clone(), cost(&point)?))) else {
                    continue;
                };
                if found.as_ref().is_none_or(|(_, cost)| own < *cost) {
                    found = Some((point, own));
                }
            }
            found
        };
        let groups = |group| space.params(group);
        let found = search(&space, order, space.len(), &groups, (start.clone(), first), &mut best);
        assert!(found.cost < first && found.phases.len() >= 3, "{order:?}: {found:?}");
        case.holds(&wanted, &space.plan(&found.point).expect("it is whole"));
        println!("{order:?}: {first} to {} in {} rounds", found.cost, found.rounds);
    }
}

const SIZES: [(&str, &str); 12] = [
    ("gmv", "M=24 K=12"),
    ("gmm", "M=8 N=12 K=6"),
    ("bil", "N=4 M=8 K=3 L=4"),
    ("c1d", "C=2 L=9 K=4 R=3 S=1 P=1"),
    ("t1d", "C=2 L=5 K=4 R=3 S=2 P=1"),
    ("c2d", "C=2 H=6 W=5 K=4 R=3 S=1 P=1"),
    ("t2d", "C=2 H=3 W=3 K=4 R=3 S=2 P=1"),
    ("c3d", "C=2 D=3 H=3 W=3 K=2 R=3 S=1 P=1"),
    ("t3d", "C=2 D=2 H=2 W=2 K=2 R=3 S=2 P=1"),
    ("grp", "C=4 H=5 W=5 K=8 R=3 S=1 P=1 G=2"),
    ("dep", "C=4 H=6 W=6 M=2 R=3 S=1 P=1"),
    ("dil", "C=2 H=7 W=7 K=4 R=3 S=1 P=1"),
];

/// D1, D7, D12, D24: on a processor every operator of Table 1 has a space with nothing given, whose points are right
#[test]
fn points_on_processors_are_right() {
    let mut all = Vec::new();
    for (name, sizes) in SIZES {
        all.extend(agree(name, sizes, "x86-64-v3", 3));
    }
    use Primitive::*;
    for wanted in [Split, Reorder, Fuse, Unroll, Vectorize, Parallel, Cache] {
        assert!(all.contains(&wanted), "{wanted}");
    }
}

/// D7, D12, D25: on a grid as well, in blocks and threads, with inputs in a block's memory
#[test]
fn points_on_grids_are_right() {
    let mut all = Vec::new();
    // Volumes have the loops of images and one more, and take the interpreter long.
    for (name, sizes) in SIZES.into_iter().filter(|(name, _)| !["c3d", "t3d"].contains(name)) {
        all.extend(agree(name, sizes, "cuda", 1));
    }
    use Primitive::*;
    for wanted in [Split, Reorder, Unroll, Bind, Cache] {
        assert!(all.contains(&wanted), "{wanted}");
    }
}
