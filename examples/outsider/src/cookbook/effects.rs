//! What an op does apart from its results: passes keep the order of what writes, and drop what only reads and is not used.

use terrace_ir::rules::I64;
use terrace_macros::op;

/// How much is there
#[op("shop.stock", effects(read))]
#[asm("attr-dict")]
pub struct Stock {
    #[result]
    amount: I64,
}

/// Take some away
#[op("shop.sell", effects(read, write))]
#[asm("$amount attr-dict")]
pub struct Sell {
    amount: I64,
}
