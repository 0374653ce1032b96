//! Figures 3d and 3e of the paper: vectors and schedules, both ways.

use crate::common::{GRID, HOST, any, layout};
use terrace_schedule_model::Schedule;
use terrace_search_explore::sample;
use terrace_search_primitives::primitive::applied;
use terrace_search_primitives::{
    Layout, Misfit, Parts, Primitive, PrimitiveSpace, Value, Vector, decode, encode,
};
use terrace_support::Random;

fn flags(all: &[u8]) -> impl Iterator<Item = Value> {
    all.iter().map(|flag| Value::Flag(*flag == 1))
}

/// A schedule of a product of matrices as in Figure 3: twelve loops, in a new order, the two outermost as one, one of them unrolled
fn figure_3() -> (Layout, Vector) {
    let layout = layout(&[1024, 512], &[256], Parts::FIGURE, HOST);
    let mut values = vec![
        Value::Factors(vec![16, 4, 4, 4]),
        Value::Factors(vec![8, 2, 2, 16]),
        Value::Factors(vec![4, 8, 4, 2]),
        Value::Permutation(vec![1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 12, 8]),
        // Loop 2 is not recorded: it is one with loop 1.
        Value::Kept(vec![1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
    ];
    values.extend(flags(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0]));
    values.extend(flags(&[0]));
    (layout, Vector(values))
}

fn text(schedule: &Schedule) -> String {
    schedule.steps.iter().map(|step| format!("{step}\n")).collect()
}

/// D8: the vector is the schedule, and the schedule is the vector
#[test]
fn figure_3e_encodes_figure_3d() {
    let (layout, vector) = figure_3();
    let said = "[[16, 4, 4, 4], [8, 2, 2, 16], [4, 8, 4, 2], [1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 12, 8], \
                [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0]";
    assert_eq!(vector.to_string(), said);
    let schedule = decode(&layout, &vector).expect("it is one");
    let wanted = "\
1: (64,^,^) (^,^ ; ^) (THR.x,^,^)
4: (16,^,^) (^,^ ; ^) (FOR.1,^,^)
7: (4,^,^) (^,^ ; ^) (FOR.1,^,^)
10: (1,^,^) (^,^ ; ^) (UNR.1,^,^)
2: (^,64,^) (^,^ ; ^) (^,THR.x,^)
5: (^,32,^) (^,^ ; ^) (^,FOR.1,^)
8: (^,16,^) (^,^ ; ^) (^,FOR.1,^)
12: (^,1,^) (^,^ ; ^) (^,VEC.x,^)
3: (^,^,64) (^,^ ; ^) (^,^,FOR.1)
6: (^,^,8) (^,^ ; ^) (^,^,FOR.1)
9: (^,^,2) (^,^ ; ^) (^,^,FOR.1)
11: (^,^,1) (^,^ ; ^) (^,^,UNR.1)
";
    assert_eq!(text(&schedule), wanted);
    assert_eq!(encode(&layout, &schedule), Ok(vector));
}

/// D7, D9: what a vector applies, splits and the order first
#[test]
fn a_vector_names_its_primitives() {
    let (layout, vector) = figure_3();
    let all: Vec<String> =
        applied(&layout, &vector).expect("it is one").iter().map(ToString::to_string).collect();
    let wanted = [
        "split i into [16, 4, 4, 4]",
        "split j into [8, 2, 2, 16]",
        "split k into [4, 8, 4, 2]",
        "reorder i0 j0 k0 i1 j1 k1 i2 j2 k2 i3 k3 j3",
        "fuse i0 j0",
        "unroll i3",
        "unroll k3",
        "parallel i0 j0",
        "vectorize j3",
    ];
    assert_eq!(all, wanted);
}

/// A loop of one part is not split, whatever the others are
#[test]
fn a_loop_of_one_part_is_not_split() {
    let layout = layout(&[8], &[6], Parts { spatial: 1, reduce: 3 }, HOST);
    let space = PrimitiveSpace::new(layout, &any);
    let point = sample(&space, &mut Random::new(1)).expect("there are points");
    let vector = space.vector(&point).expect("it is whole");
    let all = applied(space.layout(), &vector).expect("it is whole");
    let splits: Vec<String> =
        all.iter().filter(|one| one.primitive == Primitive::Split).map(ToString::to_string).collect();
    assert!(matches!(&splits[..], [one] if one.starts_with("split k into [")), "{splits:?}");
}

/// D25: blocks and threads by parts of loops, inputs in a block's memory, results in registers
#[test]
fn a_vector_of_a_grid() {
    let layout = layout(&[64, 32], &[16], Parts::ARTIFACT, GRID);
    let mut values = vec![
        Value::Factors(vec![4, 2, 4, 2]),
        Value::Factors(vec![2, 2, 8, 1]),
        Value::Factors(vec![2, 4, 2]),
        Value::Permutation(vec![1, 5, 3, 7, 9, 2, 6, 10, 4, 8, 11]),
    ];
    values.extend(flags(&[0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]));
    values.extend(flags(&[0, 1]));
    let vector = Vector(values);
    let schedule = decode(&layout, &vector).expect("it is one");
    let wanted = "\
1: (16,^,^) (^,^ ; ^) (BLK.y,^,^)
6: (8,^,^) (^,^ ; ^) (UNR.1,^,^)
3: (2,^,^) (^,^ ; ^) (THR.y,^,^)
9: (1,^,^) (^,^ ; ^) (UNR.1,^,^)
2: (^,16,^) (^,^ ; ^) (^,BLK.x,^)
7: (^,8,^) (^,^ ; ^) (^,FOR.1,^)
4: (^,1,^) (^,^ ; RM) (^,THR.x,^)
10: (^,1,^) (^,^ ; ^) (^,FOR.1,^)
5: (^,^,8) (SM,^ ; ^) (^,^,FOR.1)
8: (^,^,2) (^,SM ; ^) (^,^,FOR.1)
11: (^,^,1) (^,^ ; ^) (^,^,FOR.1)
";
    assert_eq!(text(&schedule), wanted);
    assert_eq!(encode(&layout, &schedule), Ok(vector.clone()));
    let all: Vec<String> =
        applied(&layout, &vector).expect("it is one").iter().map(ToString::to_string).collect();
    for wanted in [
        "bind i0 to blocks",
        "bind j2 to threads",
        "cache input 1 inside of the first loop that folds",
        "cache input 2 inside of the second loop that folds",
    ] {
        assert!(all.iter().any(|own| own == wanted), "{wanted}: {all:?}");
    }
}

/// D8: both ways are identities on the whole space
#[test]
fn points_vectors_and_schedules_are_one() {
    for (spatial, reduce, parts, fixed) in [
        (&[8, 12][..], &[6][..], Parts::FIGURE, HOST),
        (&[7, 1, 4], &[3, 5], Parts::ARTIFACT, HOST),
        (&[16], &[], Parts { spatial: 3, reduce: 1 }, HOST),
        (&[], &[24], Parts::ARTIFACT, HOST),
        (&[8, 12], &[6], Parts::ARTIFACT, GRID),
        (&[2, 3, 4, 5], &[6, 2], Parts::ARTIFACT, GRID),
    ] {
        let layout = layout(spatial, reduce, parts, fixed);
        let space = PrimitiveSpace::new(layout, &any);
        let mut rng = Random::new(5);
        for _ in 0..200 {
            let point = sample(&space, &mut rng).expect("there are points");
            let vector = space.vector(&point).expect("it is whole");
            let schedule = decode(space.layout(), &vector).unwrap_or_else(|why| panic!("{vector}: {why}"));
            assert_eq!(encode(space.layout(), &schedule).as_ref(), Ok(&vector), "{}", text(&schedule));
            assert_eq!(space.point_of(&vector), Ok(point));
        }
    }
}

/// Each part of a vector that says no schedule has its own message
#[test]
fn what_is_no_vector_says_why() {
    let (layout, vector) = figure_3();
    for (at, value, why) in [
        (0, Value::Flag(true), "value 1: split factors of `i`, not 0 or 1"),
        (
            0,
            Value::Factors(vec![16, 4, 4]),
            "value 1: [16, 4, 4] are no 4 positive factors of 1024, the trip count of `i`",
        ),
        (
            1,
            Value::Factors(vec![8, 2, 2, 8]),
            "value 2: [8, 2, 2, 8] are no 4 positive factors of 512, the trip count of `j`",
        ),
        (1, Value::Factors(vec![-8, -2, 2, 16]), "value 2: [-8, -2, 2, 16] are no 4 positive"),
        (1, Value::Factors(vec![i64::MAX, 2, 2, 16]), "value 2: ["),
        (3, Value::Permutation(vec![1, 5, 9]), "value 4: an order has each of the 12 loops once"),
        (
            3,
            Value::Permutation(vec![2, 1, 5, 9, 6, 10, 3, 7, 11, 4, 12, 8]),
            "value 4: loop 1 is an outer part of loop 2",
        ),
        (
            3,
            Value::Permutation(vec![9, 1, 5, 2, 6, 10, 3, 7, 11, 4, 12, 8]),
            "value 4: the outermost loop is parallel, and loop 9 folds",
        ),
        (
            4,
            Value::Kept(vec![2, 3]),
            "value 5: loops that stay are ascending depths from 1 to 12, 1 among them",
        ),
        (
            4,
            Value::Kept(vec![1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]),
            "value 5: loop 5 is fused, but only the outermost loops",
        ),
        (
            4,
            Value::Kept(vec![1, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
            "value 5: loop 3 folds, so it is not one with parallel loops",
        ),
        (4, Value::Kept(vec![1, 6, 7, 8, 9, 10, 11, 12]), "value 5: 1 to 4 loops are fused, not 5"),
        (5, Value::Flag(true), "value 6: loop 1 is parallel, so it is not unrolled"),
        (16, Value::Flag(true), "value 17: loop 12 is the innermost, which is a vector and not unrolled"),
        (16, Value::Kept(vec![1]), "value 17: 0 or 1, not loops that stay"),
        (17, Value::Flag(true), "value 18: there is no place for the buffer there"),
    ] {
        let mut wrong = vector.clone();
        wrong.0[at] = value;
        let found = decode(&layout, &wrong).expect_err(why).to_string();
        assert!(found.starts_with(why), "{found}, not {why}");
    }
    let many = {
        let mut wrong = vector.clone();
        // 4 × 4 × 4 × 4 × 8 copies.
        for at in [8, 9, 10, 11, 12] {
            wrong.0[at] = Value::Flag(true);
        }
        decode(&layout, &wrong).expect_err("too many").to_string()
    };
    assert!(many.contains("makes more than 64 copies, or 512 in all"), "{many}");
    let short = Vector(vector.0[..4].to_vec());
    assert_eq!(decode(&layout, &short), Err(Misfit::Count(18, 4)));
    assert_eq!(decode(&layout, &Vector::default()), Err(Misfit::Count(18, 0)));
}

/// A schedule from elsewhere names the first step that no vector says
#[test]
fn foreign_schedules_are_refused() {
    let (layout, vector) = figure_3();
    let own = decode(&layout, &vector).expect("it is one");
    let changed = |write: &dyn Fn(&mut Schedule)| {
        let mut other = own.clone();
        write(&mut other);
        encode(&layout, &other).expect_err("it is foreign").to_string()
    };
    let fewer = changed(&|other| drop(other.steps.pop()));
    assert_eq!(fewer, "a schedule of this space has 12 steps, this one 11");
    let size = changed(&|other| other.steps[1].sizes[0].value = Some(7));
    assert_eq!(size, "step 2: it does not split `i` into whole parts of 64");
    let label = changed(&|other| other.steps[2].label = 99);
    assert_eq!(label, "step 3: label 99 is none of 1 to 12, each once");
    let core = changed(&|other| other.steps[8].cores[2] = other.steps[7].cores[1]);
    assert_eq!(
        core,
        "step 9: `3: (^,^,64) (^,^ ; ^) (^,^,VEC.x)`; a vector says `3: (^,^,64) (^,^ ; ^) (^,^,FOR.1)`"
    );
    let two = changed(&|other| other.steps[3].sizes[1].value = Some(64));
    assert!(two.starts_with("step 4: `10: (1,64,^)"), "{two}");
    assert_eq!(encode(&layout, &Schedule::default()), Err(Misfit::Steps(12, 0)));
}

/// D10: at most four parts of a loop, and no loops of nothing
#[test]
fn layouts_that_are_none() {
    use crate::common::loops;
    let of = |spatial: &[i64], parts| Layout::new(loops(spatial, &[4]), parts, HOST, 2, 1);
    for parts in [0, 5] {
        assert_eq!(of(&[4], Parts { spatial: parts, reduce: 1 }), Err(Misfit::Parts(parts)));
        assert_eq!(of(&[4], Parts { spatial: 1, reduce: parts }), Err(Misfit::Parts(parts)));
    }
    for parts in [1, 2] {
        let grid = Layout::new(loops(&[4], &[4]), Parts { spatial: parts, reduce: 2 }, GRID, 2, 1);
        let why = grid.expect_err("no threads").to_string();
        assert!(why.contains(&format!("3 parts or more, not {parts}")), "{why}");
    }
    assert_eq!(of(&[0], Parts::FIGURE), Err(Misfit::Nothing("i".into())));
    assert_eq!(Layout::new(Vec::new(), Parts::FIGURE, HOST, 2, 1), Err(Misfit::NoLoop));
    assert_eq!("4/3".parse(), Ok(Parts::ARTIFACT));
    for (wrong, why) in [
        ("5/3", "a loop is split into 1 to 4 parts, not 5"),
        ("four", "`four` is no numbers of parts"),
        ("4/3/2", "`4/3/2` is no numbers of parts"),
        ("", "`` is no numbers of parts"),
    ] {
        let found = wrong.parse::<Parts>().expect_err(why).to_string();
        assert!(found.starts_with(why), "{found}");
    }
}
