//! How the points of a search follow from those before: with the seed, the technique and recorded costs it gives the same points.

use super::setting::Difference;
use crate::choices;
use crate::technique::Moving;
use serde_json::{Value, json};
use terrace_schedule_model::Point;

/// How points follow from those before
#[derive(Clone, PartialEq, Debug)]
pub struct Course {
    /// Point k follows from the results 1 … k − lag
    pub lag: u64,
    /// How techniques that move from point to point do it
    pub moving: Moving,
    /// A point is stopped if its first runs take so many times as long as the best result that it follows from; `None`: never
    pub stop: Option<f64>,
    /// Points that come first
    pub begin: Vec<Point>,
}

impl Default for Course {
    fn default() -> Course {
        Course { lag: 1, moving: Moving::default(), stop: None, begin: Vec::new() }
    }
}

impl Course {
    /// As a member of a log's head
    pub fn write(&self) -> Value {
        let Course { lag, moving: Moving { drawn, starts, steps, gamma }, stop, begin } = self;
        let begin: Vec<Value> = begin.iter().map(|point| choices::write_point(point)).collect();
        let mut value = json!({
            "lag": lag, "drawn": drawn, "starts": starts, "steps": steps, "gamma": gamma, "begin": begin
        });
        if let Some(stop) = stop {
            value["stop"] = json!(stop);
        }
        value
    }

    /// From the head of a log of version 4
    pub(super) fn read(value: &Value) -> Option<Course> {
        let number = |name: &str| value[name].as_u64();
        let size = |name: &str| number(name).and_then(|number| usize::try_from(number).ok());
        let gamma = value["gamma"].as_f64().filter(|gamma| *gamma >= 0.0)?;
        let moving =
            Moving { drawn: number("drawn")?, starts: size("starts")?, steps: size("steps")?, gamma };
        let begin = value["begin"].as_array()?.iter().map(choices::read_point).collect::<Option<_>>()?;
        let stop = match &value["stop"] {
            Value::Null => None,
            stop => Some(stop.as_f64().filter(|stop| *stop >= 1.0)?),
        };
        Some(Course { lag: number("lag").filter(|lag| *lag > 0)?, moving, stop, begin })
    }

    /// What differs from the course of now, but for the points that come first: a log that goes on keeps its own
    pub fn differences(&self, now: &Course) -> Vec<Difference> {
        let Course { lag, moving: Moving { drawn, starts, steps, gamma }, stop, begin: _ } = now;
        let when = |stop: Option<f64>| stop.map_or("never".to_owned(), |stop| format!("{stop} × the best"));
        let pairs = [
            ("lag", self.lag.to_string(), lag.to_string()),
            ("points drawn before one is moved on from", self.moving.drawn.to_string(), drawn.to_string()),
            ("points that a round moves on from", self.moving.starts.to_string(), starts.to_string()),
            ("moves in a row", self.moving.steps.to_string(), steps.to_string()),
            ("weight of fast points", self.moving.gamma.to_string(), gamma.to_string()),
            ("points are stopped", when(self.stop), when(*stop)),
        ];
        let differ = pairs.into_iter().filter(|(_, then, now)| then != now);
        differ.map(|(what, then, now)| Difference { what, then, now }).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::log) fn sample() -> Course {
        let begin = vec![Point::from_iter([8.into(), terrace_schedule_model::Decision::There(true)])];
        Course {
            lag: 2,
            moving: Moving { drawn: 5, starts: 3, steps: 7, gamma: 0.5 },
            stop: Some(1.5),
            begin,
        }
    }

    #[test]
    fn a_course_comes_back_and_each_difference_is_named() {
        let sample = sample();
        assert_eq!(Course::read(&sample.write()), Some(sample.clone()));
        assert_eq!(sample.differences(&sample), []);
        let all = sample.differences(&Course::default());
        let said: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "lag: 2 then, 1 now",
                "points drawn before one is moved on from: 5 then, 8 now",
                "points that a round moves on from: 3 then, 1 now",
                "moves in a row: 7 then, 1 now",
                "weight of fast points: 0.5 then, 4 now",
                "points are stopped: 1.5 × the best then, never now",
            ]
        );
        for (name, wrong) in
            [("lag", json!(0)), ("gamma", json!(-1.0)), ("stop", json!(0.5)), ("begin", json!([["?"], 3]))]
        {
            let mut value = sample.write();
            value[name] = wrong;
            assert_eq!(Course::read(&value), None, "{name}");
        }
    }
}
