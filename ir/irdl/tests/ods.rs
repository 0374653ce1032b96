//! Dialects of upstream that this repository lacks.

use crate::{comes_back, context, dump, print, read};

const COMPLEX: &str = include_str!("dumps/complex.json");
const INDEX: &str = include_str!("dumps/index.json");
const SHAPE: &str = include_str!("dumps/shape.json");
const EMITC: &str = include_str!("dumps/emitc.json");

/// Types that text leaves out follow from relations; flags have a default
#[test]
fn formats_are_read_and_printed() {
    let text = "module {
  func.func @f(%a: complex<f32>, %r: f32) -> i1 {
    %0 = complex.abs %a : complex<f32>
    %1 = complex.create %r, %0 : complex<f32>
    %2 = complex.add %a, %1 fastmath<nnan,contract> : complex<f32>
    %3 = complex.eq %2, %a : complex<f32>
    return %3 : i1
  }
}
";
    let cx = context(&dump(COMPLEX));
    assert_eq!(print(&read(&cx, text).expect("valid"), false), text);
    comes_back(&cx, text);
}

/// Upstream stores defaults, and so does generic form
#[test]
fn defaults_are_in_generic_form() {
    let cx = context(&dump(COMPLEX));
    let text = "func.func @f(%a: complex<f32>) { %0 = complex.exp %a : complex<f32> return }";
    let generic = print(&read(&cx, text).expect("valid"), true);
    assert!(generic.contains("<{fastmath = #arith.fastmath<none>}>"), "{generic}");
}

#[test]
fn constraints_and_relations_are_checked() {
    let cx = context(&dump(COMPLEX));
    let refused = |body: &str| {
        read(&cx, &format!("func.func @f(%a: complex<f32>, %b: complex<f64>, %i: i32) {{ {body} return }}"))
            .err()
            .expect("wrong")
    };
    let message = refused("%0 = \"complex.abs\"(%i) : (i32) -> f32");
    assert!(message.contains("operand #0 must be ComplexType"), "{message}");
    let message = refused("%0 = \"complex.abs\"(%a) : (complex<f32>) -> f64");
    assert!(message.contains("types that belong together"), "{message}");
    let message = refused("%0 = \"complex.eq\"(%a, %b) : (complex<f32>, complex<f64>) -> i1");
    assert!(message.contains("requires the same type"), "{message}");
    let message = refused("%0 = \"complex.eq\"(%a, %a) : (complex<f32>, complex<f32>) -> i8");
    assert!(message.contains("result #0 must be 1-bit signless integer"), "{message}");
    let message = refused("%0 = \"complex.constant\"() <{value = 1 : i32}> : () -> complex<f32>");
    assert!(message.contains("attribute 'value' failed to satisfy constraint"), "{message}");
}

/// Types that are always one need no text; enumerations are keywords
#[test]
fn index_has_no_types_in_text() {
    let cx = context(&dump(INDEX));
    comes_back(
        &cx,
        "func.func @f(%a: index) -> i1 {
          %0 = index.constant 3
          %1 = index.add %a, %0
          %2 = index.cmp slt(%1, %a)
          %3 = index.castu %1 : index to i64
          %4 = index.bool.constant true
          return %2 : i1
        }",
    );
    let message =
        read(&cx, "func.func @f(%a: index) { %2 = index.cmp less(%a, %a) return }").err().expect("wrong");
    assert!(message.contains("expected one of eq, ne, slt"), "{message}");
}

/// Types of the dialect, a default, varying numbers of operands
#[test]
fn shape_has_types_of_its_own() {
    let cx = context(&dump(SHAPE));
    comes_back(
        &cx,
        "func.func @f(%s: !shape.shape, %i: index, %p: i1) -> !shape.witness {
          %0 = shape.const_size 5
          %1 = shape.from_extents %i, %0 : index, !shape.size
          %2 = shape.any %s, %1 : !shape.shape, !shape.shape -> !shape.shape
          %6 = shape.meet %s, %1, error = \"why\" : !shape.shape, !shape.shape -> !shape.shape
          %3 = shape.cstr_require %p, \"message\"
          %4 = shape.cstr_eq %s, %2 : !shape.shape, !shape.shape
          %5 = shape.assuming_all %3, %4
          return %5 : !shape.witness
        }",
    );
    let message = read(&cx, "func.func @f(%a: !shape.shap) { return }").err().expect("wrong");
    assert!(message.contains("has no type `!shape.shap`"), "{message}");
}

/// Parameters in a declarative format, others as text; a type without its name
#[test]
fn types_have_parameters() {
    let cx = context(&dump(EMITC));
    comes_back(
        &cx,
        "func.func @f(%a: !emitc.ptr<i32>, %b: !emitc.array<2x3xf32>, %c: !emitc.opaque<\"T\">, %i: i32) {
          %0 = \"emitc.variable\"() <{value = #emitc.opaque<\"\">}> : () -> !emitc.lvalue<i32>
          emitc.assign %i : i32 to %0 : <i32>
          %1 = emitc.add %i, %i : (i32, i32) -> i32
          %2 = emitc.cmp lt, %1, %i : (i32, i32) -> i1
          return
        }",
    );
}

/// What only C++ code knows is listed, and read in generic form
#[test]
fn c_plus_plus_is_named() {
    let loaded = dump(SHAPE);
    let warning = terrace_irdl::warning(&loaded[0], true).expect("something is left");
    assert!(warning.message.contains("13 verifiers"), "{}", warning.message);
    assert!(warning.notes.iter().any(|note| note.text.contains("`const_shape`: the format is C++ code")));
    let cx = context(&loaded);
    let message =
        read(&cx, "func.func @f() { %0 = shape.const_shape [1] : !shape.shape return }").err().expect("C++");
    assert!(message.contains("`shape.const_shape` has no custom syntax"), "{message}");
    comes_back(
        &cx,
        "func.func @f() {
          %0 = \"shape.const_shape\"() <{shape = dense<1> : tensor<1xindex>}> : () -> tensor<1xindex>
          return
        }",
    );
}

/// A dialect that is registered is not loaded again
#[test]
fn what_is_here_is_not_loaded() {
    let first = dump(INDEX);
    let mut known = terrace_dialect_upstream::ALL.to_vec();
    known.push(first[0].dialect);
    let error = terrace_irdl::from_ods(INDEX, &known).err().expect("it is here");
    assert_eq!(error.code.map(|code| code.id), Some("E0041"));
    assert!(error.message.contains("no dialect that is not here: `index`"), "{}", error.message);
}
