//! Several blocks for each result: forms by value, what the model chooses under which order, and what switches leave out.

use crate::common::*;
use terrace_devices::{Device, Mechanism};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::{SCHEDULE, to_attr};
use terrace_dialect_mdh::view::View;
use terrace_dialect_test::values::shown;
use terrace_ir::Ir;
use terrace_passes_mdh::access;
use terrace_schedule_choose::grid::blocks::{Form, Stride, blocks};
use terrace_schedule_cost::grid::{KernelEstimate, TermName};
use terrace_schedule_model::Schedule;
use terrace_schedule_model::apply::Extras;

/// Rows (`i`) of `n` reduced elements (`j`), or columns
fn text(m: i64, n: i64, columns: bool, combine: &str, elem: &str) -> String {
    let (shape, at) = if columns { (format!("{n}x{m}"), "j, i") } else { (format!("{m}x{n}"), "i, j") };
    format!(
        "func.func @f(%A: tensor<{shape}x{elem}>) -> tensor<{m}x{elem}> {{
  %c = mdh.compute \"c\" (i in {m}, j in {n} pw {combine}) ins(%a = %A[{at}]) outs([i]) {{
    mdh.yield %a : {elem}
  }} : (tensor<{shape}x{elem}>) -> tensor<{m}x{elem}>
  return %c : tensor<{m}x{elem}>
}}"
    )
}

fn cuda() -> Device {
    Device::find("cuda").expect("a device")
}

/// The schedule of a form, and the only computation with it
fn with_form(ir: &mut Ir, form: Form) -> Option<(Schedule, KernelEstimate)> {
    let module = ir.walk().find(|op| ir.child(*op).is_some()).expect("a function");
    let unit = ir.child_mut(module).expect("a function");
    let op = unit.walk().find_map(|op| Compute::cast(unit, op)).expect("a computation");
    let view = View::read(unit, op).expect("well formed");
    let schedule = blocks(&access::read(unit, op, &view), &cuda(), form)?;
    let computed = view.computed(unit, op).expect("plain");
    let kernel =
        computed.on_grid(&schedule, &Extras::default(), &cuda()).expect("legal").expect("an estimate");
    let attr = to_attr(unit.cx(), &schedule.steps);
    unit.set_attr(op.id(), SCHEDULE, Some(attr));
    Some((schedule, kernel))
}

const ATOMIC: Form =
    Form { blocks: 3, threads: 64, wide: false, stride: Stride::Block, via: Some(Mechanism::Atomic) };

#[test]
fn both_strides_have_the_values_of_the_computation() {
    for (m, n, columns) in
        [(3, 1009, false), (1, 640, false), (2, 256, false), (37, 11, true), (130, 7, true)]
    {
        let text = text(m, n, columns, "add", "i32");
        let wanted = as_it_is(&parse(&text), "f");
        for stride in [Stride::Block, Stride::Grid] {
            let mut ir = parse(&text);
            let form = Form { stride, ..ATOMIC };
            let (schedule, _) = with_form(&mut ir, form).unwrap_or_else(|| panic!("{m}, {n}, {columns}"));
            for step in ["func.func(mdh-to-sched)", DOWN] {
                lower(&mut ir, step, &text);
            }
            same(&wanted, &lowered(&ir, "f", &text, 1), &format!("{stride:?}, {schedule:?}\n{text}"));
        }
    }
}

/// Reduced tiles along block.x, reduced points along thread.x, the kept loop along block.y; from element to element by so many
#[test]
fn levels_are_those_of_the_paper() {
    for (stride, step) in [(Stride::Block, "by 64"), (Stride::Grid, "by 192")] {
        let text = text(5, 1009, false, "add free", "f32");
        let mut ir = parse(&text);
        with_form(&mut ir, Form { stride, ..ATOMIC }).expect("rows are long");
        lower(&mut ir, "func.func(mdh-to-sched)", &text);
        let shown = shown(&ir);
        let line =
            |word: &str| shown.lines().find(|line| line.contains(word)).unwrap_or_else(|| panic!("{shown}"));
        assert!(line("via atomic").contains("dim 1 : block.x pw add free via atomic"), "{shown}");
        assert!(line("via atomic").contains("dim 0 : block.y"), "{shown}");
        assert!(line("dim 1 : thread.x").contains("via shuffle"), "{shown}");
        let rounds = shown.lines().find(|line| line.contains(step) && !line.contains("block"));
        assert!(rounds.is_some_and(|line| line.contains("limit")), "{stride:?}\n{shown}");
    }
}

#[test]
fn the_model_counts_updates_and_the_launch_that_starts_results() {
    let kernel = |combine: &str, blocks: i64| {
        let text = text(8, 131_072, false, combine, "f32");
        with_form(&mut parse(&text), Form { blocks, ..ATOMIC }).expect("rows are long").1
    };
    let of = |kernel: &KernelEstimate, name: TermName| {
        *kernel.terms.iter().find(|term| term.name == name).expect("a term")
    };
    let (few, many, cas) = (kernel("add free", 4), kernel("add free", 64), kernel("mul free", 64));
    assert_eq!([&few, &many].map(|own| own.counts.updates), [4.0, 64.0]);
    assert_eq!(of(&few, TermName::Launch).count, 2.0);
    assert!(of(&many, TermName::Updates).seconds > of(&few, TermName::Updates).seconds);
    // `mul` is a loop that compares and exchanges in the device's file.
    assert!(of(&cas, TermName::Updates).seconds > 10.0 * of(&many, TermName::Updates).seconds);
}

/// What is scheduled with options, and its kernels
fn scheduled(text: &str, options: &str) -> (String, usize) {
    let mut ir = parse(text);
    lower(&mut ir, &format!("func.func(mdh-schedule{{target=cuda{options}}})"), text);
    let schedules = shown(&ir);
    lower(&mut ir, "func.func(mdh-to-sched)", text);
    (schedules, shown(&ir).matches("sched.kernel").count())
}

#[test]
fn many_results_of_few_blocks_are_updated_where_any_order_will_do() {
    let free = text(4096, 4099, true, "add free", "f32");
    let (schedules, kernels) = scheduled(&free, " last=false");
    assert!(schedules.contains("BLK.x(atomic)"), "{schedules}");
    // The launch that starts the results counts, so that last blocks go before: the model sees no other difference.
    assert_eq!(kernels, 2);
    assert!(scheduled(&free, "").0.contains("terrace.last"));
    // Integers have one value in any order; rounded sums in a fixed one meet otherwise, and so does what is a slow loop.
    let whole = free.replace("add free", "add").replace("f32", "i32");
    assert!(scheduled(&whole, " last=false").0.contains("(atomic)"));
    let (fixed, kernels) = scheduled(&free.replace("add free", "add"), "");
    assert!(!fixed.contains("(atomic)") && fixed.contains("c_parts"), "{fixed}");
    assert_eq!(kernels, 2);
    // Few results are one launch if the last block joins them.
    let few = scheduled(&text(8, 262_144, false, "add free", "f32"), "").0;
    assert!(!few.contains("(atomic)") && few.contains("terrace.last"), "{few}");
}

#[test]
fn switches_leave_mechanisms_out() {
    let free = text(4096, 4099, true, "add free", "f32");
    let (without, kernels) = scheduled(&free, " atomics=false last=false");
    assert!(!without.contains("(atomic)") && without.contains("c_parts"), "{without}");
    assert_eq!(kernels, 2);
    let (one, kernels) = scheduled(&free, " blocks=false");
    assert!(!one.contains("(atomic)") && !one.contains("parts"), "{one}");
    assert_eq!(kernels, 1);
    // Of schedules that are given, too, where they do not say how blocks meet.
    let given = text(4, 512, false, "add", "i32").replace(
        "outs([i]) {",
        "outs([i]) attributes {mdh.schedule = [\"1: (1,64) (^ ; ^) (BLK.y,BLK.x)\", \"2: (1,1) (^ ; ^) (FOR.1,FOR.2)\"]} {",
    );
    assert!(scheduled(&given, "").0.contains("(atomic)"));
    assert!(!scheduled(&given, " atomics=false").0.contains("(atomic)"));
    // The last block is a word of its own.
    let few = text(8, 262_144, false, "add", "f32");
    assert!(scheduled(&few, "").0.contains("terrace.last"));
    assert!(!scheduled(&few, " last=false").0.contains("terrace.last"));
    assert!(!scheduled(&few, " blocks=false").0.contains("terrace.last"));
}
