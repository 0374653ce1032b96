//! Choices as JSON: the form that a log has for them.
//!
//! | choice | form |
//! |---|---|
//! | a number | `8` |
//! | `^`, as the step above | `null` |
//! | whether a buffer is there | `true`, `false` |
//! | an order of loops | `[1,0]` |
//! | a word that a program defines; any text of a log of version 1 | `"unroll"` |
//! | all others | what it is, and its text: `{"core":"THR.x"}` |

use serde_json::{Value, json};
use terrace_schedule_model::{Decision, Point, Slot};

/// What text writes for a loop that is one with the loop around it
const MERGED: &str = "fused";

/// A choice as a log has it
pub(crate) fn write(choice: &Decision) -> Value {
    match choice {
        Decision::Above => Value::Null,
        Decision::Number(number) => json!(number),
        Decision::There(there) => json!(there),
        Decision::Order(order) => json!(order),
        Decision::Word(word) => json!(word),
        Decision::Tail(_) => json!({"tail": choice.to_string()}),
        Decision::Core(_) => json!({"core": choice.to_string()}),
        Decision::Layer(_) => json!({"layer": choice.to_string()}),
        Decision::Axis(_) => json!({"axis": choice.to_string()}),
        Decision::Mechanism(_) => json!({"mechanism": choice.to_string()}),
        Decision::Region(_) => json!({"region": choice.to_string()}),
        Decision::Part(_) => json!({"layout": choice.to_string()}),
        Decision::Level(_) | Decision::Merged => json!({"level": choice.to_string()}),
    }
}

/// The choices of a point
pub(crate) fn write_point(point: &[Decision]) -> Value {
    point.iter().map(write).collect()
}

/// A point of a log; nothing where it is none
pub(crate) fn read_point(value: &Value) -> Option<Point> {
    value.as_array()?.iter().map(read).collect()
}

/// A choice of a log; nothing where it is none
pub(crate) fn read(value: &Value) -> Option<Decision> {
    Some(match value {
        Value::Null => Decision::Above,
        Value::Bool(there) => Decision::There(*there),
        Value::Number(number) => Decision::Number(number.as_i64()?),
        Value::String(word) => Decision::Word(word.clone()),
        Value::Array(order) => {
            let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
            Decision::Order(order.iter().map(number).collect::<Option<_>>()?)
        }
        Value::Object(fields) => {
            let (kind, text) = fields.iter().next().filter(|_| fields.len() == 1)?;
            named(kind, text.as_str()?)?
        }
    })
}

fn named(kind: &str, text: &str) -> Option<Decision> {
    let slot = match kind {
        "tail" => Slot::Tail,
        "core" => Slot::Core,
        "layer" => Slot::Layer,
        "axis" => Slot::At,
        "mechanism" => Slot::Mechanism,
        "region" => Slot::Region,
        "layout" => Slot::Dim,
        "level" if text == MERGED => return Some(Decision::Merged),
        "level" => return text.parse().ok().map(Decision::Level),
        _ => return None,
    };
    Decision::read(slot, text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_devices::{Axis, Layer, Level, Mechanism, Region};
    use terrace_schedule_model::{Core, Part, Tail};

    #[test]
    fn every_kind_of_choice_comes_back() {
        let all = [
            Decision::Above,
            Decision::Number(8),
            Decision::Tail(Tail::Peel),
            Decision::Core(Core::along(Layer::Thr, Axis::X)),
            Decision::Core(Core { mechanism: Some(Mechanism::Kernel), ..Core::along(Layer::Blk, Axis::Z) }),
            Decision::Layer(Layer::Unr),
            Decision::Axis(Axis::Y),
            Decision::Mechanism(Mechanism::Kernel),
            Decision::Region(Region::Reg),
            Decision::Part(Part::Div(1, 8)),
            Decision::Part(Part::Mod(0, 64)),
            Decision::Level(Level::Thread(Axis::Y)),
            Decision::Level(Level::Seq),
            Decision::Merged,
            Decision::Order(vec![1, 0, 2]),
            Decision::There(true),
            Decision::Word("fused".into()),
        ];
        for choice in all {
            let written = write(&choice);
            assert_eq!(read(&written), Some(choice), "{written}");
        }
    }

    #[test]
    fn what_is_no_choice_is_refused() {
        for wrong in [
            json!(1.5),
            json!([-1]),
            json!({}),
            json!({"core": "THR.q"}),
            json!({"core": "?"}),
            json!({"level": 3}),
            json!({"tail": "limit", "core": "FOR.1"}),
            json!({"size": "8"}),
        ] {
            assert_eq!(read(&wrong), None, "{wrong}");
        }
    }
}
