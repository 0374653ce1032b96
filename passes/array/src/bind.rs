//! The pass `array-bind`: numbers in place of symbols of sizes, in types, ops and conditions.

use crate::codes;
use std::collections::BTreeMap;
use terrace_diag::Reported;
use terrace_dialect_array::size::{BIND, bound};
use terrace_dialect_array::substitute;
use terrace_ir::Ir;
use terrace_pass::{OptionError, OptionKind, OptionSpec, Pass, PassCx, PassInfo, Scope};

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "array-bind",
    aliases: &[],
    summary: "Put numbers in place of symbols of sizes",
    docs: "The numbers are those of the function's attribute `array.bind` and of the option `sizes`, which goes before. \
           Symbols without a number stay. Conditions on sizes are checked with the numbers: the first one that fails is an \
           error at its op, and nothing changes. The attribute goes.",
    scope: Scope::Unit,
    anchor: Some("func.func"),
    options: &[OptionSpec {
        name: "sizes",
        kind: OptionKind::List,
        default: "",
        docs: "symbols and numbers: n=1024,m=16",
    }],
    stats: &["symbols bound"],
    make: |options| {
        let sizes: Result<BTreeMap<String, i64>, OptionError> =
            options.list(&INFO, "sizes").iter().map(|item| size(item)).collect();
        Ok(Box::new(ArrayBind { sizes: sizes? }))
    },
};

fn size(item: &str) -> Result<(String, i64), OptionError> {
    let parts = item.split_once('=').map(|(name, value)| (name.trim().trim_start_matches('@'), value.trim()));
    match parts.and_then(|(name, value)| Some((name, value.parse::<i64>().ok()?))) {
        Some((name, value)) if !name.is_empty() && value >= 0 => Ok((name.to_string(), value)),
        _ => Err(OptionError::value("sizes", "names and numbers from 0, as in n=1024,m=16", item)),
    }
}

struct ArrayBind {
    sizes: BTreeMap<String, i64>,
}

impl Pass for ArrayBind {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut known = bound(unit);
        known.extend(self.sizes.iter().map(|(name, value)| (name.clone(), *value)));
        let attr = unit.discardable(unit.root(), BIND).is_some();
        match substitute::bind(unit, &known) {
            Ok(count) => {
                if attr {
                    unit.set_discardable(unit.root(), BIND, None);
                }
                cx.count("symbols bound", count as u64);
                cx.set_changed(count > 0 || attr);
                Ok(())
            }
            Err((op, why)) => cx.fail(unit, op, &codes::BOUND, why.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_names_and_numbers() {
        assert_eq!(size("n=4"), Ok(("n".into(), 4)));
        assert_eq!(size(" @n = 4 "), Ok(("n".into(), 4)));
        for wrong in ["n", "n=", "=4", "n=-1", "n=x"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
