//! Greater and smaller of two vectors in C: all lanes at once, with the bits that the interpreter gives.
//!
//! Of two zeros the positive one is the greater. `maximumf` and `minimumf` give NaN where one side is, `maxnumf` and `minnumf` the
//! other side. x86 has an instruction that decides all other lanes; elsewhere GNU C compares vectors into masks of their bits.

use crate::lanes::Vector;
use crate::types::Scalar;

/// Body of a function of `a` and `b`; `None` for what is no such op, or no vector of a processor
pub(crate) fn body(name: &str, vector: &Vector, c_type: &str) -> Option<String> {
    let bytes = match vector.elem {
        Scalar::F32 => 4 * vector.lanes(),
        Scalar::F64 => 8 * vector.lanes(),
        _ => return None,
    };
    if !matches!(name, "maximumf" | "minimumf" | "maxnumf" | "minnumf")
        || !bytes.is_power_of_two()
        || bytes < 16
    {
        return None;
    }
    let plain = plain(name, c_type);
    let processor = processor(name, vector.elem, bytes, c_type);
    Some(match processor {
        Some((test, own)) => format!("#ifdef {test}\n{own}\n#else\n{plain}\n#endif"),
        None => plain,
    })
}

/// By masks of bits
fn plain(name: &str, c_type: &str) -> String {
    let (sign, join) = if name.starts_with("max") { (">", "&") } else { ("<", "|") };
    let none = match name.ends_with("imumf") {
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
fn processor(name: &str, elem: Scalar, bytes: usize, c_type: &str) -> Option<(&'static str, String)> {
    let end = if elem == Scalar::F32 { "ps" } else { "pd" };
    let max = name.starts_with("max");
    let (first, join) = if max { ("max", "and") } else { ("min", "or") };
    let number = name.ends_with("numf");
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
