//! What came of a search, in sentences.

use super::facts::{Facts, time};
use terrace_search_explore::log::{Against, End};

/// Sentences, and whether they are good news
pub(super) struct Verdict {
    pub class: &'static str,
    pub sentences: Vec<String>,
}

/// Of a log
pub(super) fn of(facts: &Facts<'_>) -> Verdict {
    let mut sentences = Vec::new();
    let points = points(facts.entries().len());
    let class = match facts.best() {
        None => {
            sentences.push(format!("Of {points} none ran."));
            "none"
        }
        Some((best, seconds)) => {
            let when = if best.at > 0.0 { format!(", found after {}", time(best.at)) } else { String::new() };
            let rate = facts.rate(seconds);
            sentences.push(format!("The best of {points} takes {rate}: point {}{when}.", best.number));
            gain(facts, seconds, &mut sentences)
        }
    };
    match &facts.end {
        None => sentences.push(
            "The log has no end: the search was killed or is running, or an older version wrote it.".into(),
        ),
        Some(end) if end.replayed => {
            sentences.push("Nothing was measured: results are those of another log.".into());
        }
        Some(end) if end.interrupted => sentences.push("The search was interrupted.".into()),
        Some(_) => {}
    }
    Verdict { class, sentences }
}

/// How the best one compares with what one has without a search
fn gain(facts: &Facts<'_>, seconds: f64, sentences: &mut Vec<String>) -> &'static str {
    const CHOSEN: &str = "the schedule chosen without measuring";
    let Some(chosen) = facts.chosen() else {
        sentences.push("Nothing was chosen without measuring that it could be compared with.".into());
        return "open";
    };
    if let Some(against) = facts.end.as_ref().and_then(|end| end.against.as_ref()) {
        let Against { rounds, mean, interval: (low, high), noise, verdict } = against;
        let interval = format!("95 % interval {low:.2} to {high:.2}, {rounds} rounds that alternated both");
        return match verdict.as_str() {
            "faster" => {
                sentences.push(format!("It is {mean:.2} times as fast as {CHOSEN} ({interval})."));
                sentences.push(format!(
                    "The gain is confirmed: a program differs from itself by up to {noise:.2} times."
                ));
                "gain"
            }
            "slower" => {
                sentences.push(format!("It is slower than {CHOSEN}: {mean:.2} times as fast ({interval})."));
                "none"
            }
            _ => {
                sentences.push(format!(
                    "It is not distinguishable from {CHOSEN}: {mean:.2} times as fast ({interval}), and a program differs from \
                     itself by up to {noise:.2} times."
                ));
                "none"
            }
        };
    }
    if facts.end.as_ref().is_some_and(was_measured_again) {
        sentences.push(format!("Measured again at the end, nothing was faster than {CHOSEN}."));
        return "none";
    }
    let ratio = chosen / seconds;
    if ratio <= 1.0 {
        sentences.push(format!("Nothing was faster than {CHOSEN}."));
        return "none";
    }
    sentences.push(format!(
        "By the times of the search it is {ratio:.2} times as fast as {CHOSEN}. This gain is not confirmed: the least of many noisy times \
         is too good by chance."
    ));
    "open"
}

/// Were there rounds at the end?
fn was_measured_again(end: &End) -> bool {
    !end.interrupted && !end.replayed
}

/// `1 point`
pub(super) fn points(count: usize) -> String {
    if count == 1 { "1 point".into() } else { format!("{count} points") }
}
