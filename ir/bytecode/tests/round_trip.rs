//! What is written is read again as it was: the test files of the repository, in versions that differ most.

use crate::common::{context, generic, parse, parts, read_again, written};
use terrace_bytecode::VERSION;

/// Since this version properties of unknown ops are apart from their attributes
const PROPERTIES: u64 = 5;

#[test]
fn test_files_come_back() {
    let mut count = 0;
    for (name, text) in parts() {
        for unregistered in [false, true] {
            let cx = context();
            let Some(ir) = parse(&cx, &name, &text, unregistered) else { continue };
            count += 1;
            let before = generic(&ir, true);
            for version in [0, 2, 4, PROPERTIES, VERSION] {
                if unregistered && version < PROPERTIES {
                    continue;
                }
                let bytes = written(&ir, version);
                let again = read_again(&cx, &name, &bytes);
                assert_eq!(generic(&again, true), before, "{name}, version {version}");
                if version == VERSION {
                    let bytes = written(&again, version);
                    let twice = written(&read_again(&cx, &name, &bytes), version);
                    assert_eq!(twice.len(), bytes.len(), "{name}: bytes of what was read");
                }
            }
            if !unregistered {
                break;
            }
        }
    }
    assert!(count > 300, "only {count} programs were tried");
}

/// What only text of its own shows: names, numbers, locations, data
#[test]
fn attributes_and_types_come_back() {
    let text = r#"
        #loc = loc(fused<"why">["a":1:2, callsite("b"("c":3:4) at unknown), fused["d":5:6 to 7:8, "d":5:6 to :9]])
        "u.op"() {
          a = [unit, true, -1 : i8, 255 : ui8, -129 : si16, -5 : i128, 3 : index, 170141183460469231731687303715884105728 : i256, -2 : i300],
          b = [1.5 : f16, -0.0 : f64, 0x7FC00001 : f32, 1.0 : bf16, 2.0 : f8E5M2, 0.5 : f4E2M1FN],
          c = "text\00\C3\A422\22", d = "typed" : i32, e = @a::@b::@c, f = i32, g = {k = {}, "not bare" = 1},
          h = array<i1: true, false>, i = array<i64: -1, 2>, j = array<f32: 1.0, -2.0>, k = array<i8>,
          l = dense<[true, false, true, true, false, true, true, false, true]> : tensor<9xi1>,
          m = dense<true> : tensor<3xi1>, n = dense<[1, -2, 3]> : tensor<3xi4>, o = dense<> : tensor<0xf32>,
          p = dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>, q = dense<[[1, 2], [3, 4]]> : vector<2x2xi16>,
          r = sparse<[[0, 1], [1, 0]], [5, 6]> : tensor<2x2xi32>, s = dense_resource<key> : tensor<1xi32>,
          t = affine_map<(d0)[s0] -> (d0 + s0 floordiv 2)>, u = affine_set<(d0) : (d0 >= 0)>,
          v = strided<[1, ?], offset: 2>, w = #u.attr<x y>, x = distinct[0]<unit>
        } : () -> () loc(#loc)
        "u.types"() {
          a = [index, none, si7, ui16777215, (i1, f32) -> (), tuple<>, tuple<i1, f64>, complex<i8>],
          b = [f80, f128, tf32, f8E4M3FN, vector<2x[4]xf32>, vector<i32>, tensor<?x3xf32>, tensor<*xi8>],
          c = [tensor<3xf32, "encoding">, memref<?x4xf32, strided<[?, 1]>, 3>, memref<*xf32, "space">, memref<*xi1>],
          d = [memref<2xf32, affine_map<(d0) -> (d0 * 2)>>, !u.type<1, 2>]
        } : () -> ()
        "u.forward"(%later#1) : (i64) -> ()
        %later:2 = "u.pair"() : () -> (i32, i64)
        "u.blocks"() ({
          ^a(%x: i32 loc("here":1:1)):
            "u.to"(%x)[^b, ^a] : (i32) -> ()
          ^b:
            "u.inside"() ({
              "u.use"(%x, %later#0) : (i32, i32) -> ()
            }, {}) : () -> ()
        }) : () -> () loc("name")
        {-#
          dialect_resources: { builtin: { key: "0x0400000001000000" } },
          external_resources: { mine: { flag: true, note: "a \22 b", none: false } }
        #-}"#;
    let cx = context();
    let ir = parse(&cx, "all", text, true).expect("the text is right");
    for version in PROPERTIES..=VERSION {
        let again = read_again(&cx, "all", &written(&ir, version));
        assert_eq!(generic(&again, true), generic(&ir, true), "version {version}");
    }
}
