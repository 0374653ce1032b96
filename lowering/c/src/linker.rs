//! Names of symbols as assemblers and linkers get them: one rule for C, LLVM and PTX, so that what one defines the others find.
//!
//! A symbol of the IR may be any text. Only some texts are names to an assembler; it takes others for code.

use std::borrow::Cow;

/// Beginning of the names that stand for symbols which are no names themselves
const SPELLED: &str = "__terrace_symbol_";

/// The linker's name of a symbol: the symbol itself where it is a name, else a spelling of it that no other symbol has
///
/// A name begins with a letter or `_`; digits and the characters of `also` may follow. Names that begin with `llvm.` or
/// `__terrace_`, and `WARP_SZ`, have a meaning of their own and are spelled too. In a spelling, `_` is doubled, and what is no letter or digit
/// is `_` with two hexadecimal digits for each byte: `f g` becomes `__terrace_symbol_f_20g`.
pub fn linker_name<'a>(symbol: &'a str, also: &str) -> Cow<'a, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = symbol.starts_with(|c: char| plain(c) && !c.is_ascii_digit());
    // The last is a constant of PTX.
    let taken = symbol.starts_with("llvm.") || symbol.starts_with("__terrace_") || symbol == "WARP_SZ";
    match start && !taken && symbol.chars().all(|c| plain(c) || also.contains(c)) {
        true => symbol.into(),
        false => spelled(symbol).into(),
    }
}

/// What generated code calls in the runtime
const RUNTIME: [&str; 6] = [
    "terrace_parallel_for",
    "terrace_set_threads",
    "terrace_num_threads",
    "terrace_alloc",
    "terrace_free",
    "terrace_cpu_level",
];

/// The linker's name of a symbol that a module itself defines: the runtime's names are spelled too
pub fn defined_name<'a>(symbol: &'a str, also: &str) -> Cow<'a, str> {
    if RUNTIME.contains(&symbol) { spelled(symbol).into() } else { linker_name(symbol, also) }
}

fn spelled(symbol: &str) -> String {
    let mut name = String::from(SPELLED);
    for byte in symbol.bytes() {
        match byte {
            b'_' => name.push_str("__"),
            byte if byte.is_ascii_alphanumeric() => name.push(byte.into()),
            byte => name.push_str(&format!("_{byte:02x}")),
        }
    }
    name
}

/// [`linker_name`] on this machine, whose assembler takes `.` and `$` in names
pub fn host_name(symbol: &str) -> Cow<'_, str> {
    linker_name(symbol, ".$")
}

/// Is a symbol an identifier of C unchanged? (It does not begin with a digit where it comes from.)
pub(crate) fn is_plain(symbol: &str) -> bool {
    symbol.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !symbol.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_and_other_texts_are_spelled() {
        for name in ["f", "_x9", "rows_t", "terrace_demo"] {
            assert_eq!(linker_name(name, ""), name);
        }
        assert_eq!(
            (host_name("a.b$1"), linker_name("a.b", "")),
            ("a.b$1".into(), "__terrace_symbol_a_2eb".into())
        );
        for (symbol, spelled) in [
            ("f g", "f_20g"),
            ("a_ b", "a___20b"),
            ("1", "1"),
            ("$x", "_24x"),
            (".L", "_2eL"),
            ("ü", "_c3_bc"),
            ("a\0b", "a_00b"),
            ("\u{1}x", "_01x"),
            ("llvm.x", "llvm_2ex"),
            ("__terrace_symbol_f_20g", "____terrace__symbol__f__20g"),
            ("", ""),
        ] {
            assert_eq!(host_name(symbol), format!("{SPELLED}{spelled}"));
        }
        assert_eq!(host_name("terrace_free"), "terrace_free");
        assert_eq!(defined_name("terrace_free", ".$"), "__terrace_symbol_terrace__free");
    }

    #[test]
    fn no_two_symbols_have_one_name() {
        let letters = ["a", "_", " ", "2", "0", "."];
        let mut names = std::collections::BTreeMap::new();
        for n in 0..letters.len().pow(4) {
            let symbol: String =
                (0..4).map(|at| letters[n / letters.len().pow(at) % letters.len()]).collect();
            let before = names.insert(linker_name(&symbol, "").into_owned(), symbol.clone());
            assert_eq!(before, None, "{symbol:?}");
        }
    }
}
