//! Words behind a buffer's region: what they may be said of, and what they change in the plan.

use super::loops::{Ahead, Item, Plan};
use crate::broken::{Broken, Rule};
use crate::computation::Computation;
use crate::schedule::Schedule;
use crate::values::Placement;
use terrace_devices::Level;

/// Most parts of a buffer
const STAGES: i64 = 8;

/// Greatest distance of a prefetch
const FAR: i64 = 1024;

/// Do the words belong to buffers that can take them? Gives the outputs with non-temporal stores
pub(crate) fn check(schedule: &Schedule, c: &Computation) -> Result<Vec<i64>, Broken> {
    let mut past = Vec::new();
    for (n, step) in schedule.steps.iter().enumerate() {
        let at =
            format!("step {}", n + usize::from(schedule.steps.first().is_none_or(|step| step.label > 0)));
        if let Some(place) = step.ins.iter().flatten().find(|place| place.words.nt) {
            return Err(Rule::Word.broken(format!(
                "`nt` of input {place} in {at}: it is a word for results, which are not read again soon"
            )));
        }
        let turned = |place: &&Placement| place.words.swizzle.is_some() || place.words.xor.is_some();
        if let Some(place) = step.ins.iter().chain(&step.outs).flatten().find(turned)
            && step.label == 0
        {
            return Err(
                Rule::Word.broken(format!("`{place}` in step 0, where buffers are as the caller has them"))
            );
        }
        let twice = |place: &&Placement| place.words.swizzle.is_some() && place.words.xor.is_some();
        if let Some(place) = step.ins.iter().chain(&step.outs).flatten().find(twice) {
            return Err(
                Rule::Word.broken(format!("`{place}` of {at}: rows are turned or exchanged, not both"))
            );
        }
        for (out, place) in step.outs.iter().enumerate() {
            let Some(place) = place else { continue };
            if place.words.prefetch.is_some() {
                return Err(
                    Rule::Word.broken(format!("`prefetch` of result {place} in {at}: it is said of inputs"))
                );
            }
            if place.words.stages.is_some() {
                return Err(Rule::Word.broken(format!(
                    "`stages` of result {place} in {at}: it is said of inputs that are copied"
                )));
            }
            if place.words.nt && out < c.outputs.len() && !past.contains(&(out as i64)) {
                past.push(out as i64);
            }
        }
        for place in step.ins.iter().flatten() {
            if let Some(rounds) = place.words.prefetch {
                let own = place.region.is_global() && place.layout.is_empty();
                if !own || step.label == 0 {
                    return Err(Rule::Word.broken(format!(
                        "`{place}` in {at}: `prefetch` is said of memory as it is, at the step of a loop: `MM prefetch 1`"
                    )));
                }
                if rounds > FAR {
                    return Err(
                        Rule::Word.broken(format!("`prefetch {rounds}` of {at}: at most {FAR} rounds ahead"))
                    );
                }
            }
            let Some(stages) = place.words.stages else { continue };
            if !(1..=STAGES).contains(&stages) {
                return Err(
                    Rule::Word.broken(format!("`stages {stages}` of {at}: a buffer has 1 to {STAGES} parts"))
                );
            }
            if stages > 1 && !place.region.is_shared() {
                let message = "it is said of buffers in SM, which a block fills together";
                return Err(
                    Rule::Word.broken(format!("`stages {stages}` of {} in {at}: {message}", place.region))
                );
            }
        }
    }
    Ok(past)
}

/// `stages` belong to the sequential loop right around the buffers
pub(crate) fn stages(plan: &mut Plan) -> Result<(), Broken> {
    for n in 0..plan.items.len() {
        let Item::Owner(layer) = plan.items[n] else { continue };
        let wanted = plan.steps[layer - 1].ins.iter().flatten().filter_map(|place| place.words.stages).max();
        let Some(stages) = wanted.filter(|stages| *stages > 1) else { continue };
        let around = (0..n).rev().find(|n| !matches!(&plan.items[*n], Item::Loop(one) if !plan.is_loop(one)));
        let at = format!("`stages {stages}` of step {layer}");
        match around.map(|n| &mut plan.items[n]) {
            Some(Item::Loop(one)) if one.level == Level::Seq => one.stages = Some(stages),
            _ => {
                return Err(Rule::Word.broken(format!(
                    "{at}: there is no loop FOR of more than one iteration right around its buffers"
                )));
            }
        }
    }
    Ok(())
}

/// `prefetch` is of the sequential loop right around, and no buffer of its own
pub(crate) fn ahead(plan: &mut Plan) -> Result<(), Broken> {
    for n in 0..plan.items.len() {
        let Item::Owner(layer) = plan.items[n] else { continue };
        for buffer in 0..plan.steps[layer - 1].ins.len() {
            let entry = plan.steps[layer - 1].ins[buffer].take_if(|place| place.words.prefetch.is_some());
            let Some(rounds) = entry.and_then(|place| place.words.prefetch) else { continue };
            let at = format!("`prefetch {rounds}` of step {layer}");
            if plan.kernel {
                return Err(Rule::Word.broken(format!(
                    "{at}: threads of a grid wait for memory in turns; it is for processors"
                )));
            }
            let around =
                (0..n).rev().find(|n| !matches!(&plan.items[*n], Item::Loop(one) if !plan.is_loop(one)));
            match around.map(|n| &plan.items[n]) {
                Some(Item::Loop(one)) if one.level == Level::Seq => {
                    plan.ahead.push(Ahead { group: buffer, around: (one.dim, one.layer), rounds });
                }
                _ => {
                    return Err(Rule::Word.broken(format!(
                        "{at}: there is no loop FOR of more than one iteration right around it"
                    )));
                }
            }
        }
    }
    Ok(())
}
