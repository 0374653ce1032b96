//! Panels of a constant argument that are made ahead of time: `@f_pack`, then `@f`, against `@f` as it is.

use crate::common::{DOWN, HARNESS, as_it_is, elements, lower, parse, same};
use terrace_dialect_test::values::{fill, interpreter, read, shown, types};
use terrace_interp::RtValue;
use terrace_ir::Ir;

fn product(m: i64, n: i64, k: i64) -> String {
    format!(
        "func.func @f(%A: tensor<{m}x{k}xf32>, %B: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
           %C = mdh.compute \"product\" (i in {m}, j in {n}, l in {k} pw add) ins(%a = %A[i, l], %b = %B[l, j]) outs([i, j])
                attributes {{mdh.schedule = [
                  \"1: (^,24~limit,^) (^,^ ; ^) (^,THR.x,^)\",
                  \"2: (^,8,^) (^,L2[2/8,1,2%8] ; ^) (^,FOR.1,^)\",
                  \"3: (4~peel,^,^) (^,^ ; REG) (FOR.1,^,^)\",
                  \"4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)\",
                  \"5: (1,4,^) (^,^ ; ^) (UNR.1,UNR.2,^)\",
                  \"6: (^,1,^) (^,^ ; ^) (^,VEC.x,^)\"]}} {{
             %v = arith.mulf %a, %b : f32
             mdh.yield %v : f32
           }} : (tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
           return %C : tensor<{m}x{n}xf32>
         }}"
    )
}

fn layer(size: i64, channels: i64, filters: i64) -> String {
    let (x, w, y) = (
        format!("tensor<{size}x{size}x{channels}xf32>"),
        format!("tensor<3x3x{channels}x{filters}xf32>"),
        format!("tensor<{size}x{size}x{filters}xf32>"),
    );
    format!(
        "func.func @f(%A: {x}, %B: {w}) -> {y} {{
           %O = mdh.compute \"conv\" (p in {size}, q in {size}, k in {filters}, r in 3 pw add, s in 3 pw add, c in {channels} pw add)
                where 0 <= p + r - 1 < {size}, 0 <= q + s - 1 < {size}
                ins(%x = %A[p + r - 1, q + s - 1, c], %w = %B[r, s, c, k]) outs([p, q, k])
                attributes {{mdh.schedule = [
                  \"1: (^,^,16~limit,^,^,^) (^,^ ; ^) (^,^,THR.x,^,^,^)\",
                  \"2: (^,^,8,^,^,^) (^,L2[4/8,1,2,3,4%8] ; ^) (^,^,FOR.1,^,^,^)\",
                  \"3: (1,^,^,^,^,^) (^,^ ; ^) (FOR.1,^,^,^,^,^)\",
                  \"4: (^,3~limit,^,^,^,^) (^,^ ; REG) (^,FOR.1,^,^,^,^)\",
                  \"5: (^,^,^,1,1,1) (^,^ ; ^) (^,^,^,FOR.1,FOR.2,FOR.3)\",
                  \"6: (^,1,4,^,^,^) (^,^ ; ^) (^,UNR.1,UNR.2,^,^,^)\",
                  \"7: (^,^,1,^,^,^) (^,^ ; ^) (^,^,VEC.x,^,^,^)\"]}} {{
             %v = arith.mulf %x, %w : f32
             mdh.yield %v : f32
           }} : ({x}, {w}) -> {y}
           return %O : {y}
         }}"
    )
}

/// `@f_pack`, then `@f`, on the numbers that `as_it_is` takes
fn packed(ir: &Ir, text: &str) -> Vec<Option<f64>> {
    let cx = ir.cx();
    let mut machine = interpreter(ir);
    let (packer, _) = types(ir, "f_pack");
    let [b, all] = packer.as_slice() else { panic!("two arguments: {}", shown(ir)) };
    let (f, _) = types(ir, "f");
    let [a, _, out] = f.as_slice() else { panic!("three arguments: {}", shown(ir)) };
    let shape = |ty: &terrace_ir::Type| ty.shape(cx).expect("buffers").to_vec();
    let panels = fill(&mut machine, &shape(all), &[]);
    let weights = fill(&mut machine, &shape(b), &elements(cx, *b, 1));
    let pixels = fill(&mut machine, &shape(a), &elements(cx, *a, 0));
    let result = fill(&mut machine, &shape(out), &[]);
    for (name, args) in
        [("f_pack", vec![weights, panels.clone()]), ("f", vec![pixels, panels, result.clone()])]
    {
        if let Err(trap) = machine.call(name, args.into_iter().map(RtValue::MemRef).collect()) {
            panic!("@{name}: {}\n{}\n{text}", trap.message, shown(ir));
        }
    }
    read(&mut machine, &shape(out), &result)
}

#[test]
fn products_and_layers_of_packed_weights() {
    for text in [product(17, 48, 30), product(9, 30, 7), layer(5, 3, 24), layer(4, 2, 20)] {
        let wanted = as_it_is(&parse(&text), "f");
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-to-sched)", &text);
        lower(&mut ir, "sched-pack-ahead", &text);
        same(&wanted, &vec![packed(&ir, &text)], &text);
        lower(&mut ir, DOWN, &text);
        same(&wanted, &vec![packed(&ir, &text)], &format!("lowered: {text}"));
    }
}

#[test]
fn what_cannot_be_packed_ahead_is_said() {
    let refused = |text: &str, option: &str| {
        let mut ir = parse(text);
        lower(&mut ir, "func.func(mdh-to-sched)", text);
        HARNESS.run(&mut ir, &format!("sched-pack-ahead{option}")).expect_err("it is refused")
    };
    let text = layer(8, 16, 64);
    assert!(refused(&text, "{arguments=7}").contains("argument 7 is not there; the function has 3"));
    assert!(refused(&text, "{arguments=-1}").contains("argument -1 is negative"));
    let said = refused(&text, "{arguments=0}");
    assert!(said.contains("argument 0 is read where it lies"), "{said}");
    let said = refused(&text, "{arguments=2}");
    assert!(said.contains("argument 2 is written"), "{said}");
}

/// Who calls a function that has versions may get one of them, with the arguments as they are
#[test]
fn constants_of_versions_are_not_packed() {
    let text =
        product(17, 48, 30).replace("%B: tensor<30x48xf32>", "%B: tensor<30x48xf32> {terrace.constant}");
    let versions =
        text.replace("tensor<17x48xf32> {\n", "tensor<17x48xf32> attributes {terrace.versions = [@g]} {\n");
    let made = [text, versions].map(|text| {
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-to-sched)", &text);
        lower(&mut ir, "sched-pack-ahead{constant=true}", &text);
        shown(&ir)
    });
    let packed = made.each_ref().map(|made| made.contains("@f_pack"));
    assert_eq!(packed, [true, false], "{}", made.concat());
    assert!(made[1].contains("terrace.versions"));
}
