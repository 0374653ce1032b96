//! The one verifier of ops whose definitions were loaded.

use crate::constraint::{Found, Graph, NodeId};
use terrace_diag::Reported;
use terrace_ir::{Attr, OpId, VerifyCx, codes};

/// Constraints of an op, among its interfaces
pub struct OpRules {
    /// The dialect's constraints
    pub graph: &'static Graph,
    /// Of operand fields, with words
    pub operands: Vec<(NodeId, String)>,
    /// Of result fields
    pub results: Vec<(NodeId, String)>,
    /// Of attributes
    pub attrs: Vec<(NodeId, String)>,
    /// Of discardable attributes that must be there
    pub discardable: Vec<(String, NodeId)>,
    /// Arguments of the entry block and number of blocks, by region
    pub regions: Vec<(Option<Vec<NodeId>>, Option<usize>)>,
}

/// Check an op against its constraints: each value alone, for messages; then all of them together
pub fn verify(v: &VerifyCx<'_>, op: OpId) -> Result<(), Reported> {
    let (ir, cx) = (v.ir(), v.cx());
    let def = ir.def(op);
    let Some(rules) = def.interface::<OpRules>() else { return Ok(()) };
    let mut goals: Vec<(NodeId, Attr)> = Vec::new();
    let mut places: Vec<String> = Vec::new();
    for (fields, what) in [(&rules.operands, "operand"), (&rules.results, "result")] {
        for (field, (node, words)) in fields.iter().enumerate() {
            let operand = what == "operand";
            let range = if operand { ir.operand_range(op, field) } else { ir.result_range(op, field) };
            for n in range {
                let ty = ir.ty(if operand { ir.operand(op, n) } else { ir.result(op, n) });
                let value = cx.type_attr(ty);
                if rules.graph.accepts(cx, *node, value) == Found::No {
                    let message = format!("{what} #{n} must be {words}, but got '{}'", v.show(ty));
                    return v.fail(op, &codes::TYPE, message);
                }
                goals.push((*node, value));
                places.push(format!("{what} #{n}"));
            }
        }
    }
    for (slot, (node, words)) in rules.attrs.iter().enumerate() {
        let Some(attr) = ir.slot(op, slot) else { continue };
        let name = def.attrs[slot].name;
        if rules.graph.accepts(cx, *node, attr) == Found::No {
            let message = format!("attribute '{name}' failed to satisfy constraint: {words}");
            let text = terrace_ir::show::attr_text(cx, attr);
            return Err(v.emit(v.error(op, &codes::ATTR, message).note(format!("it is {text}"))));
        }
        goals.push((*node, attr));
        places.push(format!("attribute '{name}'"));
    }
    for (name, node) in &rules.discardable {
        let Some(attr) = ir.discardable(op, name) else {
            return v.fail(op, &codes::ATTR_MISSING, format!("requires attribute '{name}'"));
        };
        goals.push((*node, attr));
        places.push(format!("attribute '{name}'"));
    }
    regions(v, op, rules, &mut goals, &mut places)?;
    together(v, op, rules, goals, &places)
}

/// Number of blocks and arguments of entry blocks
fn regions(
    v: &VerifyCx<'_>,
    op: OpId,
    rules: &OpRules,
    goals: &mut Vec<(NodeId, Attr)>,
    places: &mut Vec<String>,
) -> Result<(), Reported> {
    let (ir, cx) = (v.ir(), v.cx());
    for (n, (args, blocks)) in rules.regions.iter().enumerate().take(ir.num_regions(op)) {
        let region = ir.region(op, n);
        let have = ir.blocks(region).count();
        if let Some(want) = blocks.filter(|want| *want != have) {
            let message = format!("expects region #{n} to have {want} block(s) but got {have}");
            return v.fail(op, &codes::REGION, message);
        }
        let Some(args) = args else { continue };
        let have = ir.entry(region).map_or(&[][..], |entry| ir.block_args(entry));
        if have.len() != args.len() {
            let message = format!(
                "expects region #{n} to have {} entry block argument(s) but got {}",
                args.len(),
                have.len()
            );
            return v.fail(op, &codes::REGION, message);
        }
        for (at, (&node, &arg)) in args.iter().zip(have).enumerate() {
            goals.push((node, cx.type_attr(ir.ty(arg))));
            places.push(format!("argument #{at} of region #{n}"));
        }
    }
    Ok(())
}

/// One value for each node that binds
fn together(
    v: &VerifyCx<'_>,
    op: OpId,
    rules: &OpRules,
    goals: Vec<(NodeId, Attr)>,
    places: &[String],
) -> Result<(), Reported> {
    let cx = v.cx();
    match rules.graph.solve(cx, goals.clone()) {
        Found::Yes => Ok(()),
        Found::GaveUp => v.fail(
            op,
            &crate::codes::STEPS,
            format!("was not checked against its constraints within {} steps", crate::constraint::STEPS),
        ),
        Found::No => {
            // The first value that does not go with those before it; halving keeps this quick for many operands.
            let (mut low, mut high) = (0, goals.len());
            while low + 1 < high {
                let middle = low.midpoint(high);
                match rules.graph.solve(cx, goals[..middle].to_vec()) {
                    Found::No => high = middle,
                    _ => low = middle,
                }
            }
            let (node, value) = goals[high - 1];
            let message = format!(
                "{} does not go with the values before it: it must be {}, but got '{}'",
                places[high - 1],
                rules.graph.describe(node),
                terrace_ir::show::attr_text(cx, value)
            );
            v.fail(op, &codes::TYPES_DIFFER, message)
        }
    }
}
