//! Dialects that are defined in IRDL.

use crate::{comes_back, context, read};
use terrace_diag::Diags;
use terrace_irdl::Loaded;

fn load(text: &str) -> Result<Vec<Loaded>, String> {
    let mut diags = Diags::default();
    match terrace_irdl::from_irdl("d.irdl.mlir", text.to_string(), terrace_dialect_upstream::ALL, &mut diags)
    {
        Ok((_, Some(loaded))) => Ok(loaded),
        Ok((_, None)) => Err(diags.iter().map(|one| format!("{}\n", one.message)).collect()),
        Err(error) => Err(error.message),
    }
}

const CMATH: &str = r#"
irdl.dialect @cm {
  irdl.type @pair {
    %0 = irdl.is f32
    %1 = irdl.is f64
    %2 = irdl.any_of(%0, %1)
    irdl.parameters(elem: %2)
  }
  irdl.attribute @tag {
    %0 = irdl.any
    irdl.parameters(of: %0)
  }
  irdl.operation @mul {
    %0 = irdl.is f32
    %1 = irdl.is f64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.parametric @cm::@pair<%2>
    irdl.operands(lhs: %3, rhs: %3)
    irdl.results(res: %3)
  }
  irdl.operation @norm {
    %0 = irdl.any
    %1 = irdl.parametric @cm::@pair<%0>
    irdl.operands(arg: %1)
    irdl.results(res: %0)
  }
  irdl.operation @many {
    %0 = irdl.base "!builtin.integer"
    %1 = irdl.c_pred "$_self.isF32() || $_self.isF64()"
    irdl.operands(a: variadic %0, b: optional %1, c: %1)
  }
  irdl.operation @attrs {
    %0 = irdl.base @cm::@tag
    %1 = irdl.is i32
    irdl.attributes {"tag" = %0, "of" = %1}
  }
  irdl.operation @inside {
    %0 = irdl.is i32
    %1 = irdl.region(%0) with size 1
    irdl.regions(body: %1)
  }
  irdl.operation @either {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any
    %3 = irdl.any_of(%0, %2)
    irdl.operands(a: %3, b: %2)
  }
}
"#;

#[test]
fn ops_and_types_are_read_and_printed() {
    let cx = context(&load(CMATH).expect("IRDL"));
    comes_back(
        &cx,
        r#"func.func @f(%a: !cm.pair<f32>, %i: i32, %r: f64, %s: f32) {
          %0 = "cm.mul"(%a, %a) : (!cm.pair<f32>, !cm.pair<f32>) -> !cm.pair<f32>
          %1 = "cm.norm"(%0) : (!cm.pair<f32>) -> f32
          "cm.many"(%i, %i, %s) <{operandSegmentSizes = array<i32: 2, 0, 1>}> : (i32, i32, f32) -> ()
          "cm.attrs"() {tag = #cm.tag<"x">, of = i32} : () -> ()
          "cm.either"(%i, %r) : (i32, f64) -> ()
          return
        }"#,
    );
}

/// One value for a constraint that is used twice
#[test]
fn constraints_bind() {
    let cx = context(&load(CMATH).expect("IRDL"));
    let refused = |body: &str| {
        let head = "func.func @f(%a: !cm.pair<f32>, %b: !cm.pair<f64>, %i: i32, %r: f64)";
        read(&cx, &format!("{head} {{ {body} return }}")).err().expect("wrong")
    };
    let message = refused(r#""cm.mul"(%a, %b) : (!cm.pair<f32>, !cm.pair<f64>) -> !cm.pair<f32>"#);
    assert!(message.contains("operand #1 does not go with the values before it"), "{message}");
    let message = refused(r#""cm.norm"(%a) : (!cm.pair<f32>) -> f64"#);
    assert!(message.contains("result #0 does not go with"), "{message}");
    let message = refused(r#""cm.norm"(%i) : (i32) -> f64"#);
    assert!(message.contains("operand #0 must be `!cm.pair` of anything"), "{message}");
    // `i32 or %2` takes `i64` by its second alternative, and then `%2` is `i64`.
    let message = refused(r#"%j = arith.constant 1 : i64 "cm.either"(%j, %r) : (i64, f64) -> ()"#);
    assert!(message.contains("operand #1 does not go with"), "{message}");
    let message = refused(r#""cm.attrs"() {tag = #cm.tag<1 : i32>} : () -> ()"#);
    assert!(message.contains("requires attribute 'of'"), "{message}");
    let message =
        refused(r#""cm.many"(%i, %i) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()"#);
    assert!(message.contains("operand #1 must be"), "{message}");
    let message = refused(r#""cm.inside"() ({ }) : () -> ()"#);
    assert!(message.contains("expects region #0 to have 1 block(s) but got 0"), "{message}");
}

#[test]
fn parameters_are_checked() {
    let cx = context(&load(CMATH).expect("IRDL"));
    let message = read(&cx, "func.func @f(%a: !cm.pair<i32>) { return }").err().expect("wrong");
    assert!(message.contains("parameter `elem` must be `f32` or `f64`, but is `i32`"), "{message}");
}

/// A predicate that is not understood accepts anything, and is named
#[test]
fn unknown_predicates_are_named() {
    let text =
        r#"irdl.dialect @d { irdl.operation @o { %0 = irdl.c_pred "isMine($_self)" irdl.operands(a: %0) } }"#;
    let loaded = load(text).expect("IRDL");
    let warning = terrace_irdl::warning(&loaded[0], false).expect("something is left");
    assert!(warning.message.contains("1 predicates in C++"), "{}", warning.message);
    let cx = context(&loaded);
    read(&cx, r#"func.func @f(%a: i7) { "d.o"(%a) : (i7) -> () return }"#).expect("anything is accepted");
}

#[test]
fn mistakes_are_reported() {
    for (body, part) in [
        ("irdl.type @t { %0 = irdl.base @u irdl.parameters(a: %0) }", "`d.u` is not defined"),
        ("irdl.type @t { %0 = irdl.base @d::@u irdl.parameters(a: %0) }", "`d.u` is not defined"),
        (
            "irdl.operation @o { %0 = irdl.any_of(%1) %1 = irdl.any_of(%0) irdl.operands(a: %0) }",
            "not dominate",
        ),
        (
            "irdl.type @t irdl.operation @o { %0 = irdl.any %1 = irdl.parametric @t<%0> }",
            "has 0 parameters, and here are 1",
        ),
        ("irdl.operation @o irdl.operation @o", "op `d.o` is defined twice"),
        ("irdl.type @t irdl.type @t", "type `d.t` is defined twice"),
        ("irdl.operation @o { %0 = irdl.region with size -42 }", "at least one block"),
        ("irdl.operation @o { %0 = irdl.any irdl.operands(a: %0, a: %0) }", "two fields `a`"),
        ("irdl.operation @o { %0 = irdl.base \"builtin.integer\" }", "does not begin with `!`"),
        ("irdl.operation @o { %0 = irdl.base \"!nothing.integer\" }", "`!nothing.integer` is not defined"),
        ("irdl.operation @o { irdl.operands(a: %0) }", "%0"),
        ("irdl.operation @o { %0 = irdl.any irdl.operands(%0) }", "expected a name"),
        ("irdl.operation @o { irdl.operands() irdl.operands() }", "there are two `irdl.operands`"),
        ("irdl.operation @\"a b\"", "is no name"),
        ("irdl.any", "nothing that a dialect has"),
    ] {
        let message = load(&format!("irdl.dialect @d {{ {body} }}")).err().unwrap_or_default();
        assert!(message.contains(part), "{body}: {message}");
    }
    let message = load("irdl.dialect @arith { }").err().expect("it is here");
    assert!(message.contains("dialect `arith` is here already"), "{message}");
    assert!(load("module {}").err().expect("nothing").contains("defines no dialect"));
}

/// Alternatives that are tried one after the other end some time
#[test]
fn searches_end() {
    let mut text = String::from("irdl.dialect @d { irdl.operation @o {\n");
    let mut fields = Vec::new();
    for n in 0..40 {
        text += &format!("%a{n} = irdl.any %b{n} = irdl.any %c{n} = irdl.any_of(%a{n}, %b{n})\n");
        fields.push(format!("f{n}: %c{n}"));
    }
    text += "%last = irdl.is f32\n";
    text += &format!("irdl.operands({}, last: %last) }} }}", fields.join(", "));
    let cx = context(&load(&text).expect("IRDL"));
    let types = vec!["i32"; 40].join(", ");
    let operands = vec!["%i"; 40].join(", ");
    let head = "func.func @f(%i: i32, %r: f32)";
    let fits = format!("{head} {{ \"d.o\"({operands}, %r) : ({types}, f32) -> () return }}");
    read(&cx, &fits).expect("the first alternatives fit");
}

/// Where no combination fits, the search is given up with a message
#[test]
fn hopeless_searches_are_given_up() {
    let mut text = String::from("irdl.dialect @d { irdl.operation @o {\n%z = irdl.any\n");
    let mut fields = vec!["first: %z".to_string()];
    for n in 0..40 {
        text += &format!("%a{n} = irdl.any %b{n} = irdl.any %c{n} = irdl.any_of(%a{n}, %b{n})\n");
        fields.push(format!("f{n}: %c{n}"));
    }
    text += &format!("irdl.operands({}, last: %z) }} }}", fields.join(", "));
    let cx = context(&load(&text).expect("IRDL"));
    let (operands, types) = (vec!["%i"; 41].join(", "), vec!["i32"; 41].join(", "));
    let head = "func.func @f(%i: i32, %r: f32)";
    let body = format!("{head} {{ \"d.o\"({operands}, %r) : ({types}, f32) -> () return }}");
    let message = read(&cx, &body).err().expect("not checked");
    assert!(message.contains("within 100000 steps"), "{message}");
}
