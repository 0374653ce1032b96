//! Interleaved dimensions, copied once: permuted loops read consecutive addresses, values stay, and the model decides.

use crate::common::*;

use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_dialect_test::values::shown;
use terrace_ir::Ir;

const ALWAYS: &str = "func.func(mdh-schedule{target=x86-64-v4 move=always})";

/// Sums of a tensor, once for each list of reduced axes
fn program(shape: &[i64], sets: &[&[usize]], order: &str) -> String {
    let name = |n: usize| char::from(b'a' + n as u8).to_string();
    let list = |dims: &[usize]| dims.iter().map(|n| name(*n)).collect::<Vec<_>>().join(", ");
    let all: Vec<usize> = (0..shape.len()).collect();
    let ty = |dims: &[usize]| {
        let sizes: String = dims.iter().map(|n| format!("{}x", shape[*n])).collect();
        format!("tensor<{sizes}f32>")
    };
    let kept = |set: &[usize]| all.iter().copied().filter(|n| !set.contains(n)).collect::<Vec<_>>();
    let one = |(n, set): (usize, &&[usize])| {
        let dim = |d: &usize| {
            let kind = if set.contains(d) { format!(" pw add{order}") } else { String::new() };
            format!("{} in {}{kind}", name(*d), shape[*d])
        };
        let dims = all.iter().map(dim).collect::<Vec<_>>().join(", ");
        let (place, result) = (list(&kept(set)), ty(&kept(set)));
        format!(
            "  %y{n} = mdh.compute ({dims}) ins(%x = %X[{}]) outs([{place}]) {{
    %s = arith.mulf %x, %x : f32
    mdh.yield %s : f32
  }} : ({}) -> {result}\n",
            list(&all),
            ty(&all)
        )
    };
    let bodies: String = sets.iter().enumerate().map(one).collect();
    let results = sets.iter().map(|set| ty(&kept(set))).collect::<Vec<_>>().join(", ");
    let values = (0..sets.len()).map(|n| format!("%y{n}")).collect::<Vec<_>>().join(", ");
    format!("func.func @f(%X: {}) -> ({results}) {{\n{bodies}  return {values} : {results}\n}}", ty(&all))
}

fn views(ir: &Ir) -> Vec<View> {
    let function = ir.walk().find_map(|op| ir.child(op)).expect("a function");
    let computes = function.walk().filter_map(|op| Compute::cast(function, op));
    computes.map(|op| View::read(function, op).expect("well formed")).collect()
}

/// Interleaved sets of axes: more than one run of reduced or of kept ones
fn interleaved(rank: usize) -> Vec<Vec<usize>> {
    let sets = (1u32..1 << rank).map(|set| (0..rank).filter(|n| set & 1 << n != 0).collect::<Vec<_>>());
    sets.filter(|set| (1..rank).filter(|n| set.contains(n) != set.contains(&(n - 1))).count() > 1).collect()
}

#[test]
fn values_stay() {
    for shape in [&[3, 2, 5, 4][..], &[2, 3, 2, 3, 2]] {
        for (n, set) in interleaved(shape.len()).iter().enumerate() {
            agree_chosen(&program(shape, &[set], ["", " source", " free"][n % 3]), ALWAYS);
        }
    }
}

/// Points of the reader, kept dimensions outside and the reduced one inside, read one address after the other
#[test]
fn permuted_loops_read_consecutive_addresses() {
    for shape in [&[3, 2, 5, 4][..], &[2, 3, 2, 3, 2]] {
        for set in interleaved(shape.len()) {
            let text = program(shape, &[&set], "");
            let mut ir = parse(&text);
            let addresses = |view: &View, sizes: &[i64]| {
                let map = view.inputs[0].map.clone().expect("subscripts");
                let (kept, reduced): (Vec<usize>, Vec<usize>) =
                    (0..view.dims.len()).partition(|n| view.dims[*n].kind.kept());
                let order: Vec<usize> = kept.into_iter().chain(reduced).collect();
                let points: i64 = view.sizes().iter().product();
                let at = |mut number: i64| {
                    let mut point = vec![0; order.len()];
                    for dim in order.iter().rev() {
                        (point[*dim], number) =
                            (number % view.dims[*dim].size, number / view.dims[*dim].size);
                    }
                    let at = map.eval(&point, &[]).expect("small numbers");
                    at.iter().zip(sizes).fold(0, |all, (at, size)| all * size + at)
                };
                (0..points).map(at).collect::<Vec<i64>>()
            };
            let in_order = |all: &[i64]| all.iter().enumerate().all(|(n, at)| *at == n as i64);
            assert!(!in_order(&addresses(&views(&ir)[0], shape)), "{set:?} is in order as written");
            lower(&mut ir, ALWAYS, &text);
            let [copy, reader] =
                <[View; 2]>::try_from(views(&ir)).unwrap_or_else(|_| panic!("{}", shown(&ir)));
            let row = *reader.sizes().last().expect("a dimension");
            let kept = reader.dims.iter().filter(|dim| dim.kind.kept()).map(|dim| dim.size);
            let sizes: Vec<i64> = kept.chain([row]).collect();
            assert!(in_order(&addresses(&reader, &sizes)), "{set:?}\n{}", shown(&ir));
            assert!(copy.dims.iter().all(|dim| dim.kind.kept()), "{}", shown(&ir));
        }
    }
}

#[test]
fn readers_share_a_copy() {
    let text = program(&[3, 4, 5, 2], &[&[1, 3], &[1, 3], &[0]], "");
    let mut ir = parse(&text);
    lower(&mut ir, ALWAYS, &text);
    assert_eq!(shown(&ir).matches("X_moved").count(), 1, "{}", shown(&ir));
    assert_eq!(views(&ir).len(), 4, "{}", shown(&ir));
    agree_chosen(&text, ALWAYS);
}

/// The paper's doubly interleaved shape has runs of a line: one sum takes longer with a copy on a processor
#[test]
fn the_model_decides() {
    let pipeline = |moves: &str| format!("func.func(mdh-schedule{{target=x86-64-v4 move={moves}}})");
    let copies = |shape: &[i64], sets: &[&[usize]], moves: &str| {
        let text = program(shape, sets, "");
        let mut ir = parse(&text);
        lower(&mut ir, &pipeline(moves), &text);
        shown(&ir).contains("_moved")
    };
    let (shape, set) = ([24, 16, 32, 32, 16, 16], [2usize, 5]);
    assert!(copies(&shape, &[&set], "always"));
    assert!(!copies(&shape, &[&set], "never"));
    assert!(!copies(&shape, &[&set], "faster"));
    // Several readers pay for a copy that one does not pay for.
    let (shape, set) = ([64, 64, 64, 2], [1usize, 3]);
    assert!(!copies(&shape, &[&set], "faster"));
    assert!(copies(&shape, &[&set[..]; 8], "faster"));
    assert!(!copies(&shape, &[&set[..]; 8], "never"));
}
