//! How a search ended: the last line of its log, unless it was killed.
//!
//! A search that goes on adds points behind it, and another end.

use serde_json::{Value, json};

/// How a search ended
#[derive(Clone, PartialEq, Default, Debug)]
pub struct End {
    /// Points until then
    pub points: usize,
    /// Seconds that the search took, those of earlier runs included
    pub at: f64,
    /// Did the user end it?
    pub interrupted: bool,
    /// Are results those of another log?
    pub replayed: bool,
    /// The point that was best, and what it says
    pub best: Option<Best>,
    /// Seconds of the schedule chosen without measuring
    pub chosen: Option<f64>,
    /// How both compare in rounds that alternated them; `None` where there were none, or the chosen one is the best
    pub against: Option<Against>,
    /// What rules refused while points were chosen
    pub refused: Vec<Refused>,
}

/// The best point
#[derive(Clone, PartialEq, Debug)]
pub struct Best {
    /// Number of its entry
    pub number: usize,
    /// Seconds: of the last rounds, where there were some
    pub seconds: f64,
    /// Its choices in the program's own form
    pub text: String,
}

/// The chosen one's time as a multiple of the best one's, in rounds that alternated both
#[derive(Clone, PartialEq, Debug)]
pub struct Against {
    /// How many rounds
    pub rounds: usize,
    /// Geometric mean
    pub mean: f64,
    /// Ends of the interval that holds it with a chance of 95 %
    pub interval: (f64, f64),
    /// Factor that a program differs by from itself
    pub noise: f64,
    /// `faster`, `slower`, or `alike` where the difference is finer than the noise
    pub verdict: String,
}

/// What a rule refused while points were chosen
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The rule, as messages have it
    pub rule: String,
    /// How often
    pub count: usize,
    /// The message that came first
    pub example: String,
}

impl End {
    /// As a line
    pub fn line(&self) -> String {
        let End { points, at, interrupted, replayed, best, chosen, against, refused } = self;
        let mut end = json!({"points": points, "at": at});
        for (name, holds) in [("interrupted", interrupted), ("replayed", replayed)] {
            if *holds {
                end[name] = json!(true);
            }
        }
        if let Some(Best { number, seconds, text }) = best {
            end["best"] = json!({"n": number, "seconds": seconds, "text": text});
        }
        if let Some(chosen) = chosen {
            end["chosen"] = json!(chosen);
        }
        if let Some(Against { rounds, mean, interval, noise, verdict }) = against {
            end["against"] = json!({
                "rounds": rounds, "mean": mean, "low": interval.0, "high": interval.1, "noise": noise,
                "verdict": verdict,
            });
        }
        if !refused.is_empty() {
            let refused = refused.iter().map(
                |Refused { rule, count, example }| json!({"rule": rule, "count": count, "example": example}),
            );
            end["refused"] = refused.collect();
        }
        format!("{}\n", json!({"end": end}))
    }

    /// From a line; nothing if it is none
    pub(super) fn read(line: &str) -> Option<End> {
        let line: Value = serde_json::from_str(line).ok()?;
        let end = line.get("end")?;
        let size = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        let text = |value: &Value| value.as_str().map(String::from);
        let holds = |name: &str| end[name] == json!(true);
        let best = |value: &Value| {
            Some(Best {
                number: size(&value["n"])?,
                seconds: value["seconds"].as_f64()?,
                text: text(&value["text"])?,
            })
        };
        let against = |value: &Value| {
            Some(Against {
                rounds: size(&value["rounds"])?,
                mean: value["mean"].as_f64()?,
                interval: (value["low"].as_f64()?, value["high"].as_f64()?),
                noise: value["noise"].as_f64()?,
                verdict: text(&value["verdict"])?,
            })
        };
        let refused = |value: &Value| {
            let [rule, example] = ["rule", "example"].map(|name| text(&value[name]));
            Some(Refused { rule: rule?, count: size(&value["count"])?, example: example? })
        };
        let all = end["refused"].as_array();
        Some(End {
            points: size(&end["points"])?,
            at: end["at"].as_f64()?,
            interrupted: holds("interrupted"),
            replayed: holds("replayed"),
            best: end.get("best").map(best).map_or(Some(None), |best| best.map(Some))?,
            chosen: end["chosen"].as_f64(),
            against: end.get("against").map(against).map_or(Some(None), |against| against.map(Some))?,
            refused: all.into_iter().flatten().map(refused).collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::log) fn sample() -> End {
        End {
            points: 3,
            at: 12.5,
            interrupted: true,
            replayed: true,
            best: Some(Best { number: 1, seconds: 0.25, text: "1: (8) (^ ; ^) (FOR.1)\n".into() }),
            chosen: Some(0.5),
            against: Some(Against {
                rounds: 9,
                mean: 2.0,
                interval: (1.9, 2.1),
                noise: 1.01,
                verdict: "faster".into(),
            }),
            refused: vec![Refused { rule: "S-CAP".into(), count: 7, example: "S-CAP: too many".into() }],
        }
    }

    #[test]
    fn ends_come_back() {
        for end in [sample(), End { points: 1, ..End::default() }] {
            assert_eq!(End::read(&end.line()), Some(end));
        }
    }

    #[test]
    fn what_is_no_end_is_none() {
        let line = sample().line();
        for (from, to) in [
            ("\"end\"", "\"and\""),
            ("\"points\":3", "\"points\":-3"),
            ("\"verdict\":\"faster\"", "\"verdict\":1"),
            ("\"rule\":\"S-CAP\"", "\"rule\":[]"),
            ("\"text\"", "\"txt\""),
        ] {
            let wrong = line.replace(from, to);
            assert!(wrong != line && End::read(&wrong).is_none(), "{wrong}");
        }
    }
}
