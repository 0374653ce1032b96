//! Options of a pass: of types that are known, and of one's own.

use super::verifier::Discount;
use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_macros::pass;
use terrace_pass::{OptionKind, OptionValue, Pass, PassCx};

/// What happens to a discount beyond the limit
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// It becomes the limit
    Limit,
    /// It goes
    Drop,
}

impl OptionValue for Beyond {
    const KIND: OptionKind = OptionKind::Text;
    const DEFAULT: &'static str = "limit";
    const WANTS: &'static str = "`limit` or `drop`";

    fn parse(text: &str) -> Option<Beyond> {
        match text {
            "limit" => Some(Beyond::Limit),
            "drop" => Some(Beyond::Drop),
            _ => None,
        }
    }
}

/// Keep discounts within a limit
#[pass("shop-discounts", anchor = "func.func")]
pub struct Discounts {
    /// The largest discount in percent
    #[option(default = 50)]
    limit: u32,
    /// What happens to larger ones: `limit` or `drop`
    #[option]
    beyond: Beyond,
}

impl Pass for Discounts {
    fn run(&self, _: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let all: Vec<_> = unit.walk().filter_map(|op| Discount::cast(unit, op)).collect();
        for discount in all {
            let percent = discount.percent(unit).as_i64(unit.cx()).unwrap_or(0);
            if percent <= self.limit.into() {
                continue;
            }
            let new = if self.beyond == Beyond::Limit { self.limit } else { 0 };
            let attr = unit.cx().int_attr(new.into(), unit.cx().common().i64);
            unit.set_attr(discount.id(), "percent", Some(attr));
        }
        Ok(())
    }
}
