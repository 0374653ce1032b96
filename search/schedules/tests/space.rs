//! Spaces of schedules: what they hold, counted by other means.

use std::collections::HashSet;
use terrace_devices::Device;
use terrace_schedule_model::{Decision, OpenSchedule, Point, Schedule};
use terrace_search_explore::{Space, Walk, check, sample};
use terrace_search_schedules::{OfSchedules, Refusal, ScheduleSpace};

fn any(_: &Schedule) -> Result<(), Refusal> {
    Ok(())
}

fn points(text: &str, extents: &[i64], device: &str) -> Vec<Point> {
    let device = Device::find(device).expect("a device");
    let space =
        ScheduleSpace::new(OpenSchedule::read(text).expect("well formed"), extents.to_vec(), &device, &any);
    Walk::new(&space.expect("well formed")).collect()
}

fn texts(points: &[Point]) -> Vec<Vec<String>> {
    points.iter().map(|point| point.iter().map(Decision::to_string).collect()).collect()
}

#[test]
fn three_free_sizes_per_dimension() {
    // Chains of two divisors before the last 1: 15, 100 and 78 for 16, 1000 and 2048; one fewer: 5, 16, 12.
    let step = |n: usize, size: &str| format!("{n}: ({size}) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n");
    let three = step(1, "?,?,?") + &step(2, "?,?,?") + &step(3, "?,?,?");
    assert_eq!(points(&three, &[16, 1000, 2048], "openmp").len(), 117_000);
    let two = step(1, "?,?,?") + &step(2, "?,?,?");
    assert_eq!(points(&two, &[16, 1000, 2048], "openmp").len(), 960);
}

#[test]
fn sizes_keep_what_comes_later_possible() {
    let found =
        points("1: (?) (^ ; ^) (FOR.1)\n2: (6) (^ ; ^) (FOR.1)\n3: (1) (^ ; ^) (FOR.1)", &[36], "openmp");
    assert_eq!(texts(&found), [["6"], ["12"], ["18"], ["36"]]);
    // Nothing after it: it must be 1. A tail makes 5 possible where it does not divide.
    assert_eq!(texts(&points("1: (?) (^ ; ^) (FOR.1)", &[36], "openmp")), [["1"]]);
    let tails = points("1: ({3,5,7..8,64}~limit) (^ ; ^) (FOR.1)\n2: (1) (^ ; ^) (FOR.1)", &[36], "openmp");
    assert_eq!(texts(&tails), [["3"], ["5"], ["7"], ["8"]]);
    let lists = points("1: ({div}) (^ ; ^) (FOR.1)\n2: (?) (^ ; ^) (FOR.1)", &[6], "openmp");
    assert_eq!(lists.len(), 4);
}

#[test]
fn every_kind_of_field_can_be_open() {
    for (text, wanted) in [
        // Labels: 3! orders.
        ("?: (4,4) (^ ; ^) (FOR.1,FOR.2)\n?: (2,2) (^ ; ^) (FOR.1,FOR.2)\n?: (1,1) (^ ; ^) (FOR.1,FOR.2)", 6),
        // Regions of openmp: ^ L1 L2 L3 REG.
        ("1: (1,1) (? ; ^) (FOR.1,FOR.2)", 5),
        ("1: (1,1) (^ ; ?) (FOR.1,FOR.2)", 5),
        // A layout of two dimensions.
        ("1: (1,1) (L2[?,?] ; ^) (FOR.1,FOR.2)", 2),
        // First core: THR.x y z, FOR.1 2, UNR.1 2, VEC.x; each with what is left for the second.
        ("1: (1,1) (^ ; ^) (?,?)", 3 * 7 + 4 * 6 + 7),
        // Loop order alone, an axis alone: what is left of both.
        ("1: (1,1) (^ ; ^) (FOR.?,FOR.?)", 2),
        ("1: (1,1) (^ ; ^) (THR.?,THR.?)", 6),
        // Mechanisms, tails, panels and numbers of words.
        ("1: (1,1) (^ ; ^) (FOR.1,THR.x(?))", 6),
        ("1: (3~?,^) (^ ; ^) (FOR.1,FOR.2)\n2: (1,1) (^ ; ^) (FOR.1,FOR.2)", 4),
        ("1: (1,1) (L2[1/?N,2,1%?N] ; ^) (FOR.1,FOR.2)", 6),
        ("1: (1,1) (SM stages ? swizzle ? ; ^) (FOR.1,FOR.2)", 16),
        // Lists in each place.
        ("{1,2}: (4,4) (^ ; ^) (FOR.1,FOR.2)\n{1,2}: (1,1) (^ ; ^) (FOR.1,FOR.2)", 2),
        ("1: ({2,4},{3..5}) (^ ; ^) (FOR.1,FOR.2)\n2: (1,1) (^ ; ^) (FOR.1,FOR.2)", 2),
        ("1: (1,1) ({L1,L2} ; {^,REG}) (FOR.1,FOR.2)", 4),
        ("1: (1,1) (L2[{1,2},?] ; ^) (FOR.1,FOR.2)", 2),
        ("1: (1,1) (L2[1/{8,16},2,1%8] ; ^) (FOR.1,FOR.2)", 2),
        ("1: (1,1) (^ ; ^) ({THR.x,FOR.1},FOR.2)", 2),
        ("1: (1,1) (^ ; ^) (FOR.1,THR.x({shared,partials}))", 2),
        ("1: (3~{peel,pad},^) (^ ; ^) (FOR.1,FOR.2)\n2: (1,1) (^ ; ^) (FOR.1,FOR.2)", 2),
        ("1: (1,1) (SM stages {2,3} ; ^) (FOR.1,FOR.2)", 2),
        // One name, one value.
        ("1: (?N,?N) (^ ; ^) (FOR.1,FOR.2)\n2: (1,1) (^ ; ^) (FOR.1,FOR.2)", 4),
    ] {
        let found = points(text, &[8, 8], "openmp");
        assert_eq!(found.len(), wanted, "{text}");
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), wanted, "{text}");
    }
}

#[test]
fn a_list_inside_of_a_word_is_one_of_whole_values() {
    let schedule = |size: &str, region: &str, part: &str, core: &str| {
        format!("1: ({size},4) ({region}[{part},?] ; ^) ({core},FOR.2)\n2: (1,1) (^ ; ^) (FOR.1,FOR.2)")
    };
    let whole = schedule("{12,14}~peel", "{L2,L1}", "{2,1}", "{THR.x,THR.y}");
    let wanted = points(&whole, &[24, 8], "openmp");
    assert!(wanted.len() > 8 && texts(&wanted)[0][..2] == ["12", "L2"], "{wanted:?}");
    let inside = schedule("1{2,4}~peel", "L{2,1}", "{2,1}", "{THR.x,THR.y}");
    assert_eq!(points(&inside, &[24, 8], "openmp"), wanted);
    let short = schedule("{1}2~peel", "{L}2", "{2,1}", "T?");
    let long = schedule("{12}~peel", "{L2}", "{2,1}", "THR.?");
    assert_eq!(points(&short, &[24, 8], "openmp"), points(&long, &[24, 8], "openmp"));
}

#[test]
fn a_field_is_open_in_one_place() {
    let device = Device::find("host").expect("a device");
    let draft = OpenSchedule::read("1: (?~?) (^ ; ^) (FOR.1)").expect("well formed");
    let error = ScheduleSpace::new(draft, vec![4], &device, &any).err().expect("two holes");
    assert!(error.to_string().starts_with("S-HOLE: `?~?` is open in two places"), "{error}");
}

#[test]
fn blocks_have_no_more_threads_than_they_can() {
    let text = "1: (?,?) (^ ; ^) (THR.y,?)\n2: (1,1) (^ ; ^) (FOR.1,FOR.2)";
    let device = Device::find("cuda").expect("a device");
    for point in texts(&points(text, &[256, 256], "cuda")) {
        let trips = |n: usize| 256 / point[n].parse::<i64>().expect("a size");
        let threads = trips(0) * if point[2].starts_with("THR") { trips(1) } else { 1 };
        assert!(threads <= device.block_threads || !point[2].starts_with("THR"), "{point:?}");
    }
}

#[test]
fn what_only_a_whole_schedule_shows_is_asked_at_the_end() {
    let legal = |schedule: &Schedule| {
        let product: i64 = schedule.steps[0].sizes.iter().filter_map(|size| size.value).product();
        if product <= 16 {
            Ok(())
        } else {
            Err(Refusal::of(format!("S-CAP: {product} elements are too many")))
        }
    };
    let device = Device::find("host").expect("a device");
    let text = "1: (?,?) (^ ; ^) (FOR.1,FOR.2)\n2: (1,1) (^ ; ^) (FOR.1,FOR.2)";
    let draft = OpenSchedule::read(text).expect("well formed");
    let space = ScheduleSpace::new(draft, vec![16, 16], &device, &legal).expect("well formed");
    let all: Vec<Point> = Walk::new(&space).collect();
    assert_eq!(all.len(), 15);
    assert_eq!(space.refusals().count("S-CAP"), 10);
    let mut rng = terrace_support::Random::new(1);
    for _ in 0..200 {
        let point = sample(&space, &mut rng).expect("a point");
        assert!(check(&space, &point).is_ok());
        let filled = space.fill(&point);
        assert!(filled.is_decided());
        assert_eq!(space.point(&filled), Some(point));
    }
    assert_eq!(space.names(), ["step.1.size.1", "step.1.size.2"]);
}

#[test]
fn a_step_of_another_rank_is_refused() {
    let device = Device::find("host").expect("a device");
    let draft = OpenSchedule::read("1: (?) (^ ; ^) (FOR.1)").expect("well formed");
    let error = ScheduleSpace::new(draft, vec![4, 4], &device, &any).err().expect("one size, two dimensions");
    assert!(error.to_string().starts_with("S-ARITY: step 1 has 1 sizes"), "{error}");
}

/// Numbers of blocks along a reduction; the mechanism is another field
#[test]
fn blocks_along_a_reduction_are_one_entry() {
    let draft = |blocks: &str| {
        format!(
            "1: (1,{blocks}~limit) (^ ; ^) (BLK.y,BLK.x(last))\n3: (^,64~limit) (^ ; ^) (^,FOR.1)\n2: (^,1) (^ ; ^) (^,THR.x(shuffle))"
        )
    };
    let found = points(&draft("{blocks}"), &[3, 1009], "cuda");
    // 1, 2, 4, … 512 blocks, where these have 64 threads at least once.
    let sizes = ["1009", "505", "253", "127", "64"];
    assert_eq!(texts(&found)[..5], sizes.map(|size| [size]));
    let device = Device::find("cuda").expect("a device");
    let most = points(&draft("{blocks}").replace("64~limit", "1"), &[3, 1 << 40], "cuda");
    assert_eq!(most.len() as u32, 1 + (device.units * 8).ilog2());
    let both = draft("{blocks}").replace("(last)", "({atomic,last,kernel})");
    assert_eq!(points(&both, &[3, 1009], "cuda").len(), 3 * found.len());
}

/// Figure 4 of the paper on reductions: 40×20×10×5 over the first, third and fourth, and 20 × 2000
#[test]
fn fewer_dimensions_have_fewer_schedules() {
    let dims = |fields: &[&str]| fields.join(",");
    let steps = |n: usize| {
        let sizes = vec!["{div}"; n];
        let (blocks, loops): (Vec<String>, Vec<String>) =
            (0..n).map(|dim| (format!("FOR.{}", dim + 1), format!("FOR.{}", dim + 1))).unzip();
        format!(
            "1: ({}) (^ ; ^) ({})\n2: ({}) (^ ; ^) ({})",
            dims(&sizes),
            blocks.join(","),
            dims(&vec!["1"; n]),
            loops.join(",")
        )
    };
    let before = points(&steps(4), &[40, 20, 10, 5], "cuda").len();
    let after = points(&steps(2), &[20, 2000], "cuda").len();
    println!("{before} tiles of four dimensions, {after} of two");
    // 8 · 6 · 4 · 2 divisors, and 6 · 20.
    assert_eq!([before, after], [384, 120]);
}
