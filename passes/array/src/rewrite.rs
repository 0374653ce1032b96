//! The pass `array-rewrite`: `rewrite` with the rules and strategies of array patterns.

use crate::LIBRARY;
use terrace_pass::{OptionKind, OptionSpec, PassInfo, Scope};
use terrace_passes_general::rewrite::{RULES, Rewrite, STATS, STRATEGY};

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "array-rewrite",
    aliases: &[],
    summary: "Apply rules of array patterns, as a strategy says",
    docs: "The options of `rewrite`, with the rules of array patterns (`splitJoin(4)`, `mapFusion`, …) and strategies \
           made of them beside the rules that ops bring along. A condition on sizes that is neither proved nor refuted \
           keeps a rule from applying, unless `assume`: then it stays to be met by whoever chooses the sizes.",
    scope: Scope::Unit,
    anchor: None,
    options: &[
        RULES,
        STRATEGY,
        OptionSpec {
            name: "assume",
            kind: OptionKind::Bool,
            default: "false",
            docs: "take conditions on sizes that nobody knows to hold",
        },
    ],
    stats: STATS,
    make: |options| {
        let assume = options.flag(&INFO, "assume");
        Ok(Box::new(Rewrite::new(options, &INFO, LIBRARY, assume)?))
    },
};
