//! Regions and successors of ODS.

use super::Import;
use super::records::Record;
use crate::description::{Op, Region};

impl Import<'_> {
    /// Regions and successors of an op
    pub fn regions(&mut self, record: Record<'_>, op: &mut Op) {
        let regions = record.args("regions");
        for (n, arg) in regions.iter().enumerate() {
            let Some(inner) = arg.record else { continue };
            let condition = inner.predicate().unwrap_or_default();
            let one = ["hasSingleElement", "hasNItems($_self, 1)", "hasNItemsOrLess($_self, 1)"];
            let single_block = one.iter().any(|words| condition.contains(words));
            let any = condition.trim() == "(true)" || condition.contains("OrLess");
            let variadic = inner.is_a("VariadicRegion") && n + 1 == regions.len();
            if inner.is_a("VariadicRegion") && !variadic {
                self.out.leave("regions in C++", &op.name, format!("`{}` varies in number", arg.name));
            }
            op.regions.push(Region {
                name: arg.name.clone(),
                variadic,
                single_block,
                may_be_empty: any,
                args: None,
                blocks: None,
            });
        }
        let successors = record.args("successors");
        for (n, arg) in successors.iter().enumerate() {
            let variadic = arg.record.is_some_and(|inner| inner.is_a("VariadicSuccessor"));
            op.successors.push((arg.name.clone(), variadic && n + 1 == successors.len()));
        }
    }
}
