//! Greater and smaller of two vectors in C: all lanes at once, with the bits that the interpreter gives.
//!
//! Of two zeros the positive one is the greater. `maximumf` and `minimumf` give NaN where one side is, `maxnumf` and `minnumf` the
//! other side. x86 has an instruction that decides all other lanes; elsewhere GNU C compares vectors into masks of their bits.

use crate::types::Scalar;
use crate::vector_type::Vector;
use terrace_dialect_arith as arith;
use terrace_ir::OpDef;

/// Greater or smaller of two floats, and what that means of NaN
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extremum {
    Maximum,
    Minimum,
    MaxNum,
    MinNum,
}

impl Extremum {
    const ALL: [Extremum; 4] = [Extremum::Maximum, Extremum::Minimum, Extremum::MaxNum, Extremum::MinNum];

    /// What an op computes
    pub fn of(def: &'static OpDef) -> Option<Extremum> {
        let op = |what: &Extremum| match what {
            Extremum::Maximum => arith::MaximumF::DEF,
            Extremum::Minimum => arith::MinimumF::DEF,
            Extremum::MaxNum => arith::MaxNumF::DEF,
            Extremum::MinNum => arith::MinNumF::DEF,
        };
        Extremum::ALL.into_iter().find(|what| std::ptr::eq(op(what), def))
    }

    /// What a kind of combining computes
    pub fn of_kind(name: &str) -> Option<Extremum> {
        Extremum::ALL.into_iter().find(|what| what.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Extremum::Maximum => "maximumf",
            Extremum::Minimum => "minimumf",
            Extremum::MaxNum => "maxnumf",
            Extremum::MinNum => "minnumf",
        }
    }

    pub fn is_max(self) -> bool {
        matches!(self, Extremum::Maximum | Extremum::MaxNum)
    }

    /// Is the result NaN where one side is?
    pub fn gives_nan(self) -> bool {
        matches!(self, Extremum::Maximum | Extremum::Minimum)
    }
}

/// Body of a function of `a` and `b`; `None` for what is no vector of a processor
pub(crate) fn body(what: Extremum, vector: &Vector, c_type: &str) -> Option<String> {
    let bytes = match vector.elem {
        Scalar::F32 => 4 * vector.lanes(),
        Scalar::F64 => 8 * vector.lanes(),
        _ => return None,
    };
    if !bytes.is_power_of_two() || bytes < 16 {
        return None;
    }
    let plain = plain(what, c_type);
    let processor = processor(what, vector.elem, bytes, c_type);
    Some(match processor {
        Some((test, own)) => format!("#ifdef {test}\n{own}\n#else\n{plain}\n#endif"),
        None => plain,
    })
}

/// By masks of bits
fn plain(what: Extremum, c_type: &str) -> String {
    let (sign, join) = if what.is_max() { (">", "&") } else { ("<", "|") };
    let none = match what.gives_nan() {
        true => {
            "  bits none = (a != a) | (b != b);\n  r = (none & (bits)(a + b)) | (~none & r);".to_string()
        }
        false => {
            "  bits no_a = a != a, no_b = b != b;\n  r = (no_b & p) | (~no_b & r);\n  r = (no_a & q) | (~no_a & r);"
                .to_string()
        }
    };
    format!(
        "  typedef __typeof__(a < b) bits;\n  bits first = a {sign} b, same = a == b, p = (bits)a, q = (bits)b;\n  \
         bits r = (first & p) | (~first & q);\n  r = (same & (p {join} q)) | (~same & r);\n{none}\n  return ({c_type})r;"
    )
}

/// With x86's own functions: the macro that says that they are there, and the body
fn processor(what: Extremum, elem: Scalar, bytes: usize, c_type: &str) -> Option<(&'static str, String)> {
    let end = if elem == Scalar::F32 { "ps" } else { "pd" };
    let (first, join) = if what.is_max() { ("max", "and") } else { ("min", "or") };
    let number = !what.gives_nan();
    if bytes == 64 {
        let mask = if elem == Scalar::F32 { "__mmask16" } else { "__mmask8" };
        let test = |a: &str, b: &str, how: &str| format!("_mm512_cmp_{end}_mask({a}, {b}, {how})");
        let none = match number {
            true => format!(
                "  r = _mm512_mask_mov_{end}(r, {}, a);\n  return _mm512_mask_mov_{end}(r, {}, b);",
                test("b", "b", "_CMP_UNORD_Q"),
                test("a", "a", "_CMP_UNORD_Q")
            ),
            false => format!("  return _mm512_mask_add_{end}(r, {}, a, b);", test("a", "b", "_CMP_UNORD_Q")),
        };
        let text = format!(
            "  {c_type} r = _mm512_{first}_{end}(a, b);\n  {mask} same = {};\n  r = _mm512_mask_{join}_{end}(r, same, a, b);\n{none}",
            test("a", "b", "_CMP_EQ_OQ")
        );
        return Some(("__AVX512DQ__", text));
    }
    let mm = match bytes {
        32 => "_mm256",
        16 => "_mm",
        _ => return None,
    };
    let test = |a: &str, b: &str, how: &str| format!("{mm}_cmp_{end}({a}, {b}, {how})");
    let blend = |other: &str, mask: &str| format!("{mm}_blendv_{end}(r, {other}, {mask})");
    let none = match number {
        true => format!(
            "  r = {};\n  return {};",
            blend("a", &test("b", "b", "_CMP_UNORD_Q")),
            blend("b", &test("a", "a", "_CMP_UNORD_Q"))
        ),
        false => format!("  return {};", blend("a + b", &test("a", "b", "_CMP_UNORD_Q"))),
    };
    let text = format!(
        "  {c_type} r = {mm}_{first}_{end}(a, b);\n  r = {};\n{none}",
        blend(&format!("{mm}_{join}_{end}(a, b)"), &test("a", "b", "_CMP_EQ_OQ"))
    );
    Some(("__AVX__", text))
}
