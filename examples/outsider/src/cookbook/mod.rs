//! The cookbook: one thing that a dialect may need in each file, explained in `docs/cookbook.md`.

pub mod codes;
pub mod conversion;
pub mod effects;
pub mod enums;
pub mod fold;
pub mod layout;
pub mod options;
pub mod pattern;
pub mod region;
pub mod traits;
pub mod values;
pub mod variadic;
pub mod verifier;

use effects::{Sell, Stock};
use enums::{Cup, Size};
use fold::Double;
use layout::Rotate;
use pattern::DISCOUNT_OF_DISCOUNT;
use region::{Each, Give};
use terrace_dialect_arith::materialize;
use terrace_macros::dialect;
use terrace_pass::PassInfo;
use values::{Join, Label, Length, Write};
use variadic::Most;
use verifier::Discount;

dialect! {
    /// A shop: what the cookbook shows
    pub SHOP = "shop" {
        ops: [Cup, Discount, Double, Each, Give, Join, Length, Most, Rotate, Sell, Stock, Write],
        types: [Label],
        enums: [Size::DEF],
        codes: codes::ALL,
        rules: [&DISCOUNT_OF_DISCOUNT],
        materialize: materialize,
    }
}

/// The passes of the cookbook
pub static PASSES: &[&PassInfo] =
    &[conversion::ToIntegers::INFO, options::Discounts::INFO, traits::Prices::INFO];
