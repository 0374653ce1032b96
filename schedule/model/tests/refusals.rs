//! What a schedule may not say of a computation: each rule with the smallest schedule that it refuses, next to one that it takes.

use crate::small::{copy, prefixes, product, schedule, total};
use terrace_schedule_model::apply::{Extras, apply};
use terrace_schedule_model::computation::{Computation, DimKind, Order};

fn refusal(c: &Computation, text: &str, extras: &Extras) -> String {
    apply(c, &schedule(text), extras).map_or_else(|error| error.to_string(), |_| String::new())
}

#[track_caller]
fn accepts(c: &Computation, text: &str) {
    assert_eq!(refusal(c, text, &Extras::default()), "");
}

#[track_caller]
fn refuses(c: &Computation, text: &str, wanted: &str) {
    assert_eq!(refusal(c, text, &Extras::default()), wanted);
}

#[test]
fn arity_steps_have_as_many_fields_as_the_computation() {
    let c = product(4, 4, 4);
    accepts(&c, "(1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)");
    refuses(
        &c,
        "(1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
        "S-ARITY: step 1 has 2 sizes, the computation takes 3",
    );
    refuses(&c, "(1,1,1) (^,^ ; ^) (FOR.1)", "S-ARITY: step 1 has 1 cores, the computation takes 3");
    refuses(
        &c,
        "(1,1,1) (^,^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
        "S-ARITY: step 1 has 3 input entries, the computation takes 2",
    );
    refuses(
        &c,
        "(1,1,1) (^,^ ; ^,^) (FOR.1,FOR.2,FOR.3)",
        "S-ARITY: step 1 has 2 output entries, the computation takes 1",
    );
}

#[test]
fn label_positions_in_code_are_each_used_once() {
    let c = copy(8, 8);
    accepts(&c, "2: (4,4) (^ ; ^) (FOR.1,FOR.2) 1: (1,1) (^ ; ^) (FOR.1,FOR.2)");
    let text = "labels are 1 to the number of steps, each once";
    refuses(
        &c,
        "1: (4,4) (^ ; ^) (FOR.1,FOR.2) 1: (1,1) (^ ; ^) (FOR.1,FOR.2)",
        &format!("S-LABEL: label 1 of step 2: {text}; 2 is missing"),
    );
    refuses(
        &c,
        "3: (4,4) (^ ; ^) (FOR.1,FOR.2) 1: (1,1) (^ ; ^) (FOR.1,FOR.2)",
        &format!("S-LABEL: label 3 of step 1: {text}; 2 is missing"),
    );
    // Only what comes first says how things are before.
    refuses(
        &c,
        "1: (4,4) (^ ; ^) (FOR.1,FOR.2) 0: (1,1) (^ ; ^) (FOR.1,FOR.2)",
        &format!("S-LABEL: label 0 of step 2: {text}; 2 is missing"),
    );
}

#[test]
fn for_numbers_are_the_order_of_loops() {
    let c = copy(8, 8);
    accepts(&c, "(1,1) (^ ; ^) (FOR.2,FOR.1)");
    // FOR and UNR are numbered together; which numbers does not matter.
    accepts(&c, "(1,1) (^ ; ^) (FOR.7,UNR.2)");
    let text = "numbers are the order of loops";
    refuses(
        &c,
        "(1,1) (^ ; ^) (FOR.1,FOR.1)",
        &format!("S-FOR: number 1 of step 1 for dimensions 1 and 2; {text}"),
    );
    refuses(
        &c,
        "(1,1) (^ ; ^) (UNR.3,FOR.3)",
        &format!("S-FOR: number 3 of step 1 for dimensions 1 and 2; {text}"),
    );
}

#[test]
fn axis_sequential_layers_have_numbers_and_parallel_ones_axes() {
    let c = copy(8, 8);
    refuses(
        &c,
        "(1,1) (^ ; ^) (FOR.x,FOR.1)",
        "S-AXIS: `FOR.x` of step 1: FOR has numbers, the order of loops",
    );
    refuses(
        &c,
        "(1,1) (^ ; ^) (THR.1,FOR.1)",
        "S-AXIS: `THR.1`: the axis is x, y or z (dimension 1, step 1)",
    );
}

#[test]
fn grow_tiles_become_smaller() {
    let c = copy(8, 8);
    accepts(&c, "(8,8) (^ ; ^) (FOR.1,FOR.2) (1,1) (^ ; ^) (FOR.1,FOR.2)");
    refuses(
        &c,
        "(16,8) (^ ; ^) (FOR.1,FOR.2)",
        "S-GROW: size 16 of dimension 1 in step 1, but the one above is 8",
    );
    refuses(
        &c,
        "(4,4) (^ ; ^) (FOR.1,FOR.2) (1,8) (^ ; ^) (FOR.1,FOR.2)",
        "S-GROW: size 8 of dimension 2 in step 2, but the one above is 4",
    );
}

#[test]
fn div_sizes_divide_or_say_how_they_end() {
    let c = copy(16, 7);
    accepts(&c, "(4,7) (^ ; ^) (FOR.1,FOR.2) (1,1) (^ ; ^) (FOR.1,FOR.2)");
    for tail in ["limit", "peel", "pad"] {
        let text = format!("(5~{tail},7) (^ ; ^) (FOR.1,FOR.2) (1,1) (^ ; ^) (FOR.1,FOR.2)");
        accepts(&c, &text);
    }
    refuses(
        &c,
        "(5,7) (^ ; ^) (FOR.1,FOR.2) (1,1) (^ ; ^) (FOR.1,FOR.2)",
        "S-DIV: 5 does not divide 16 (dimension 1, step 1); `5~limit`, `5~peel` and `5~pad` need not; 4 and 8 divide it",
    );
    // Of a prime only itself and 1.
    refuses(
        &c,
        "(16,5) (^ ; ^) (FOR.1,FOR.2) (1,1) (^ ; ^) (FOR.1,FOR.2)",
        "S-DIV: 5 does not divide 7 (dimension 2, step 1); `5~limit`, `5~peel` and `5~pad` need not; 1 and 7 divide it",
    );
}

#[test]
fn div_padded_tiles_divide_further_in_and_only_the_outermost_is_padded() {
    let c = copy(20, 1);
    let text = |first: &str, second: &str| {
        format!(
            "({first},1) (^ ; ^) (FOR.1,FOR.2) ({second},1) (^ ; ^) (FOR.1,FOR.2) (1,1) (^ ; ^) (FOR.1,FOR.2)"
        )
    };
    accepts(&c, &text("8~pad", "4"));
    refuses(&c, &text("8~pad", "3~limit"), "S-DIV: `~pad` of dimension 1 needs sizes that divide further in");
    refuses(
        &c,
        &text("10", "4~pad"),
        "S-DIV: `~pad` of dimension 1: tiles that overshoot 10 would reach into the next; only the outermost size may",
    );
}

#[test]
fn div_peeled_tiles_stand_in_the_order_of_their_sizes() {
    let c = copy(20, 1);
    accepts(&c, "1: (8~peel,1) (^ ; ^) (FOR.1,FOR.2) 2: (1,1) (^ ; ^) (FOR.1,FOR.2)");
    accepts(&total(20), "1: (8~peel) (^ ; ^) (FOR.1) 2: (1) (^ ; ^) (FOR.1)");
    refuses(
        &total(20),
        "2: (8~peel) (^ ; ^) (FOR.1) 1: (1) (^ ; ^) (FOR.1)",
        "S-DIV: `~peel` of dimension 1 needs its larger tiles outside",
    );
    refuses(
        &c,
        "(8~peel,1) (^ ; ^) (BLK.x,FOR.1) (1,1) (^ ; ^) (FOR.1,FOR.2)",
        "S-DIV: `~peel` of dimension 1 in step 1, of which BLK.x in step 1 is part: all blocks run one program; `~limit` may be",
    );
}

#[test]
fn end_last_sizes_are_one() {
    let c = product(4, 4, 4);
    accepts(&c, "(1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)");
    refuses(
        &c,
        "(1,1,2) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
        "S-END: dimension 3 still has 2 after the last step",
    );
    refuses(
        &c,
        "(^,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
        "S-END: dimension 1 still has 4 after the last step",
    );
    // A dimension of one is at its end before it begins.
    accepts(&product(1, 4, 4), "(^,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)");
}

#[test]
fn extent_step_0_says_what_is_the_case() {
    let c = copy(8, 6);
    let after = "1: (1,1) (^ ; ^) (FOR.1,FOR.2)";
    accepts(&c, &format!("0: (8,6) (MM ; MM) (CPU.x,CPU.y) {after}"));
    accepts(&c, &format!("0: (^,^) (DM[1,2] ; ^) (GPU.x,GPU.y) {after}"));
    refuses(
        &c,
        &format!("0: (8,7) (^ ; ^) (^,^) {after}"),
        "S-EXTENT: step 0 says 7 for dimension 2, which has 6",
    );
    refuses(
        &c,
        &format!("0: (8~peel,6) (^ ; ^) (^,^) {after}"),
        "S-EXTENT: step 0 says 8~peel for dimension 1, which has 8",
    );
    refuses(
        &c,
        &format!("0: (8) (^ ; ^) (^,^) {after}"),
        "S-ARITY: step 0 has 1 sizes, the computation takes 2",
    );
}

#[test]
fn region_step_0_has_buffers_as_the_caller_has_them() {
    let c = copy(8, 6);
    let after = "1: (1,1) (^ ; ^) (FOR.1,FOR.2)";
    let text = "in step 0, where buffers are as the caller has them: in DM or MM, in the order given";
    refuses(&c, &format!("0: (8,6) (L2 ; ^) (^,^) {after}"), &format!("S-REGION: L2 {text}"));
    refuses(&c, &format!("0: (8,6) (^ ; MM[2,1]) (^,^) {after}"), &format!("S-REGION: MM[2,1] {text}"));
    refuses(
        &c,
        &format!("0: (8,6) (^ ; ^) (BLK.x,^) {after}"),
        "S-LAYER: BLK.x in step 0, which is all of the device: GPU or CPU",
    );
}

#[test]
fn atomic_kept_dimensions_meet_nowhere() {
    let c = product(4, 4, 4);
    refuses(
        &c,
        "(1,1,1) (^,^ ; ^) (THR.x(atomic),FOR.1,FOR.2)",
        "S-ATOMIC: `(atomic)` of dimension 1, which is kept: nothing of it meets",
    );
    accepts(&c, "(1,1,1) (^,^ ; ^) (FOR.1,FOR.2,THR.x(partials))");
    // One iteration meets no other, whatever its level is.
    accepts(&product(1, 4, 4), "(1,1,1) (^,^ ; ^) (THR.x(atomic),FOR.1,FOR.2)");
}

#[test]
fn atomic_a_second_kernel_is_made_before() {
    refuses(
        &total(64),
        "(16) (^ ; ^) (BLK.x(kernel)) (1) (^ ; ^) (FOR.1)",
        "S-ATOMIC: `(kernel)` of dimension 1 makes two computations of one, which `mdh-schedule` does; run it before",
    );
}

#[test]
fn nest_an_axis_runs_over_one_loop() {
    let c = copy(8, 8);
    accepts(&c, "(1,1) (^ ; ^) (BLK.x,THR.x)");
    accepts(&c, "(1,1) (^ ; ^) (BLK.x,BLK.y)");
    refuses(
        &c,
        "(1,1) (^ ; ^) (BLK.x,BLK.x)",
        "S-NEST: BLK.x twice with more than one iteration: dimension 1 in step 1 and dimension 2 in step 1; use another axis, or FOR for one of them",
    );
    accepts(&copy(8, 1), "(1,1) (^ ; ^) (BLK.x,BLK.x)");
    // `^` takes the core above: the same axis a second time.
    refuses(
        &c,
        "(2,1) (^ ; ^) (BLK.y,BLK.x) (1,1) (^ ; ^) (^,^)",
        "S-NEST: BLK.y twice with more than one iteration: dimension 1 in step 1 and dimension 1 in step 2; use another axis, or FOR for one of them",
    );
}

#[test]
fn nest_devices_stand_outermost() {
    let c = copy(8, 8);
    accepts(&c, "1: (2,^) (^ ; ^) (CPU.x,^) 2: (1,1) (^ ; ^) (FOR.1,FOR.2)");
    refuses(
        &c,
        "2: (2,^) (^ ; ^) (CPU.x,^) 1: (1,1) (^ ; ^) (FOR.1,FOR.2)",
        "S-NEST: dimension 1 in step 1 is spread over devices inside of other loops; label its step first",
    );
}

#[test]
fn reduce_results_of_devices_meet_nowhere() {
    refuses(
        &total(64),
        "(16) (^ ; ^) (GPU.x) (1) (^ ; ^) (FOR.1)",
        "S-REDUCE: dimension 1 in step 1 is reduced; results of several devices meet nowhere; spread it over blocks",
    );
}

#[test]
fn vec_lanes_are_innermost() {
    let c = copy(8, 16);
    accepts(&c, "(1,4) (^ ; ^) (FOR.1,FOR.2) (1,1) (^ ; ^) (^,VEC.x)");
    refuses(
        &c,
        "(1,4) (^ ; ^) (FOR.1,VEC.x) (1,1) (^ ; ^) (FOR.1,FOR.2)",
        "S-VEC: lanes of dimension 2 stand around another loop of it; label VEC last",
    );
    refuses(
        &c,
        "(1,1) (^ ; ^) (VEC.x,VEC.y)",
        "S-NEST: lanes inside of lanes; one dimension is on VEC, others on UNR",
    );
}

#[test]
fn region_no_buffer_is_made_inside_of_lanes() {
    let c = product(4, 8, 4);
    refuses(
        &c,
        "(4,1,4) (^,^ ; ^) (FOR.1,VEC.x,FOR.2) (1,1,1) (L1,^ ; ^) (FOR.1,FOR.2,FOR.3)",
        "S-REGION: buffers of step 2 inside of lanes; say them a step before",
    );
}

#[test]
fn region_a_kernel_makes_no_device_memory() {
    let c = product(4, 4, 4);
    let text =
        |place: &str| format!("(1,^,^) ({place},^ ; ^) (BLK.x,^,^) (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)");
    accepts(&c, &text("SM"));
    // Where it is anyhow.
    accepts(&c, &text("DM"));
    refuses(
        &c,
        &text("DM[2,1]"),
        "S-REGION: DM[2,1] in step 1: a kernel makes no buffer in device memory; `^` takes what is there as it is, SM and RM are made",
    );
}

#[test]
fn region_a_blocks_memory_is_not_filled_from_registers() {
    let c = product(8, 4, 4);
    refuses(
        &c,
        "(4,^,^) (^,RM ; ^) (BLK.x,^,^) (1,1,1) (^,SM ; ^) (FOR.1,FOR.2,FOR.3)",
        "S-REGION: SM in step 2 inside of RM in step 1: a block's memory holds no part of what each thread has for itself; say RM last",
    );
}

#[test]
fn order_prefixes_follow_each_other() {
    accepts(&prefixes(16), "(4) (^ ; ^) (FOR.1) (1) (^ ; ^) (UNR.1)");
    refuses(
        &prefixes(16),
        "(4) (^ ; ^) (THR.x) (1) (^ ; ^) (FOR.1)",
        "S-ORDER: dimension 1 (i) in step 1 is a prefix sum, whose parts follow each other; use FOR or UNR",
    );
    accepts(&prefixes(1), "(1) (^ ; ^) (THR.x)");
}

/// A product that keeps the order of its source
fn in_order() -> Computation {
    let mut c = product(4, 4, 8);
    c.dims[2].kind = DimKind::Reduced(Order::Source);
    c.in_order = true;
    c
}

#[test]
fn source_no_part_is_summed_for_itself() {
    let c = in_order();
    accepts(&c, "(1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)");
    accepts(&c, "(1,1,4) (^,^ ; ^) (THR.x,FOR.1,FOR.2) (1,1,1) (^,^ ; ^) (^,^,UNR.1)");
    let error = refusal(&c, "(1,1,1) (^,^ ; ^) (FOR.1,FOR.2,THR.x)", &Extras::default());
    assert!(
        error.starts_with(
            "S-SOURCE: dimension 3 (k) in step 1 is on THR.x, but is folded in the order of the source"
        ),
        "{error}"
    );
    let error = refusal(
        &c,
        "(^,^,4) (^,^ ; REG) (^,^,FOR.1) (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
        &Extras::default(),
    );
    assert!(
        error.starts_with("S-SOURCE: REG in step 1 holds results inside of dimension 3 (k) in step 1"),
        "{error}"
    );
}

#[test]
fn source_contributions_come_in_their_order() {
    let mut c = in_order();
    accepts(&c, "1: (1,1,4) (^,^ ; ^) (FOR.1,FOR.2,FOR.3) 2: (1,1,1) (^,^ ; ^) (^,^,FOR.1)");
    let turned = "2: (1,1,4) (^,^ ; ^) (FOR.1,FOR.2,FOR.3) 1: (1,1,1) (^,^ ; ^) (FOR.2,FOR.3,FOR.1)";
    let error = refusal(&c, turned, &Extras::default());
    let text = "S-SOURCE: dimension 3 (k) in step 1 stands inside of dimension 3 (k) in step 2";
    assert!(error.starts_with(text), "{error}");
    // Who does not promise the order may do so.
    c.in_order = false;
    accepts(&c, turned);
}

#[test]
fn reduce_blocks_do_not_meet_in_what_they_do_not_share() {
    let c = total(64);
    let text = |place: &str, core: &str| format!("(16) (^ ; {place}) (BLK.x{core}) (1) (^ ; ^) (FOR.1)");
    accepts(&c, &text("^", "(atomic)"));
    accepts(&c, &text("SM", "(atomic)"));
    let error = refusal(&c, &text("SM", ""), &Extras::default());
    assert_eq!(
        error,
        "S-REDUCE: SM at step 1: results of 4 blocks in dimension 1, which is reduced, cannot meet there. Say the buffer at a later step, take size 64 (one of them), or say how they meet: (atomic), (kernel)"
    );
    // One block may (footnote 5 of the paper).
    accepts(&c, "(64) (^ ; SM) (BLK.x) (1) (^ ; ^) (FOR.1)");
}

#[test]
fn layout_every_dimension_is_there_once() {
    let c = product(8, 8, 8);
    let text = |layout: &str| {
        format!("(4,4,^) (^,L2[{layout}] ; ^) (FOR.1,FOR.2,^) (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)")
    };
    for layout in ["1,2", "2,1", "2/2,1,2%2", "1/4,2,1%4", "1/4,2/2,1%4,2%2"] {
        accepts(&c, &text(layout));
    }
    let missing =
        |dim: usize| format!("S-LAYOUT: dimension {dim} is not there once, or not as `/n` and `%n` (");
    for (layout, dim) in [("1,1", 1), ("1", 2), ("1,2/2", 2), ("2/2,1,2%4", 2), ("1,2,2%2", 2)] {
        let error = refusal(&c, &text(layout), &Extras::default());
        assert!(error.starts_with(&missing(dim)), "{layout}: {error}");
    }
    let error = refusal(&c, &text("1,2,3"), &Extras::default());
    assert!(error.starts_with("S-LAYOUT: the buffer has no dimension 3"), "{error}");
}

#[test]
fn word_each_word_is_said_of_what_it_is_about() {
    let c = product(8, 8, 8);
    let inputs = |place: &str, core: &str| {
        format!("(4,^,^) ({place},^ ; ^) ({core},^,^) (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)")
    };
    accepts(&c, &inputs("L2 swizzle 1", "FOR.1"));
    accepts(&c, &inputs("MM prefetch 2", "FOR.1"));
    refuses(
        &c,
        &inputs("L2 nt", "FOR.1"),
        "S-WORD: `nt` of input L2 nt in step 1: it is a word for results, which are not read again soon",
    );
    refuses(
        &c,
        &inputs("L2 prefetch 1", "FOR.1"),
        "S-WORD: `L2 prefetch 1` in step 1: `prefetch` is said of memory as it is, at the step of a loop: `MM prefetch 1`",
    );
    refuses(
        &c,
        &inputs("MM prefetch 1025", "FOR.1"),
        "S-WORD: `prefetch 1025` of step 1: at most 1024 rounds ahead",
    );
    refuses(&c, &inputs("SM stages 9", "BLK.x"), "S-WORD: `stages 9` of step 1: a buffer has 1 to 8 parts");
    refuses(
        &c,
        &inputs("L2 stages 2", "FOR.1"),
        "S-WORD: `stages 2` of L2 in step 1: it is said of buffers in SM, which a block fills together",
    );
}

#[test]
fn word_step_0_turns_no_rows() {
    refuses(
        &copy(8, 8),
        "0: (8,8) (MM swizzle 1 ; ^) (^,^) 1: (1,1) (^ ; ^) (FOR.1,FOR.2)",
        "S-WORD: `MM swizzle 1` in step 0, where buffers are as the caller has them",
    );
}

#[test]
fn scatter_bins_are_shared_by_all_who_write_them() {
    let c = product(8, 8, 8);
    let extras = Extras { picks: vec![1], ..Extras::default() };
    let text = |place: &str, core: &str| {
        format!("(^,^,2) (^,^ ; {place}) (^,^,{core}) (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)")
    };
    assert_eq!(refusal(&c, &text("^", "FOR.1"), &extras), "");
    assert_eq!(
        refusal(&c, &text("REG", "FOR.1"), &extras),
        "S-SCATTER: REG holds a tile of an output whose places only values name; shared memory of a block may"
    );
    assert_eq!(refusal(&c, &text("^", "BLK.x(atomic)"), &extras), "");
    assert_eq!(
        refusal(&c, &text("^", "BLK.x"), &extras),
        "S-SCATTER: in a kernel, places that values name meet by atomics only; say (atomic) at the core of k in step 1"
    );
}

#[test]
fn empty_dimensions_make_no_loops() {
    let c = product(4, 0, 4);
    let nest = apply(&c, &schedule("(1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"), &Extras::default());
    assert!(nest.expect("legal").loops.is_empty());
}
