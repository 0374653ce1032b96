//! How much of the times each choice explains by itself.
//!
//! Of the variance of the logarithms of times, the part between groups of points with one value. Many values explain much by chance, so
//! what they would explain of noise is taken off (Kelley's ε²).

use std::collections::HashMap;
use terrace_schedule_model::Decision;
use terrace_search_explore::log::Entry;

/// Fewest points that show something
const FEWEST: usize = 5;

/// What one choice explains
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Effect {
    /// Which one, by position
    pub choice: usize,
    /// Part of the variance, from 0 to 1
    pub share: f64,
    /// Values that it had
    pub values: usize,
    /// The value with the lowest geometric mean, as text
    pub best: String,
}

/// Choices that had more than one value, those that explain most first
pub(super) fn ranked(names: &[String], ran: &[(&Entry, f64)]) -> Vec<Effect> {
    if ran.len() < FEWEST {
        return Vec::new();
    }
    let mut all: Vec<Effect> = (0..names.len()).filter_map(|choice| effect(choice, ran)).collect();
    all.sort_by(|a, b| b.share.total_cmp(&a.share));
    all
}

fn effect(choice: usize, ran: &[(&Entry, f64)]) -> Option<Effect> {
    let mut groups: HashMap<&Decision, (f64, f64)> = HashMap::new();
    let (mut sum, mut squares) = (0.0, 0.0);
    for (entry, seconds) in ran {
        let log = seconds.ln();
        (sum, squares) = (sum + log, squares + log * log);
        let group = groups.entry(entry.point.get(choice)?).or_default();
        *group = (group.0 + log, group.1 + 1.0);
    }
    if groups.len() < 2 {
        return None;
    }
    let count = ran.len() as f64;
    let total = squares - sum * sum / count;
    // In one order, whatever the order of a table of hashes.
    let mut means: Vec<(f64, f64, String)> =
        groups.iter().map(|(value, (sum, count))| (sum / count, *count, value.to_string())).collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.2.cmp(&b.2)));
    let between: f64 =
        means.iter().map(|(mean, count, _)| count * mean * mean).sum::<f64>() - sum * sum / count;
    let (values, free) = (means.len(), count - means.len() as f64);
    let by_chance = if free > 0.0 { (total - between) / free * (values as f64 - 1.0) } else { total };
    let share = if total > 1e-12 { ((between - by_chance) / total).clamp(0.0, 1.0) } else { 0.0 };
    let best = means.into_iter().next().map_or(String::new(), |(_, _, value)| value);
    Some(Effect { choice, share, values, best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_schedule_model::Point;
    use terrace_search_explore::log::Outcome;
    use terrace_support::Random;

    /// Points with choices in so many values each, and times by a function of them
    fn points(values: &[i64], count: usize, time: impl Fn(&[i64], f64) -> f64) -> Vec<(Entry, f64)> {
        let mut rng = Random::of(&[5]);
        let one = |number: usize| {
            let choices: Vec<i64> = values.iter().map(|most| rng.below(*most)).collect();
            let seconds = time(&choices, rng.unit());
            let point = choices.iter().map(|value| Decision::Number(*value)).collect::<Point>();
            (Entry::new(number, point, Outcome::Ran { seconds }, 0.0), seconds)
        };
        (1..=count).map(one).collect()
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|n| format!("c{n}")).collect()
    }

    fn found(values: &[i64], count: usize, time: impl Fn(&[i64], f64) -> f64) -> Vec<Effect> {
        let all = points(values, count, time);
        let ran: Vec<(&Entry, f64)> = all.iter().map(|(entry, seconds)| (entry, *seconds)).collect();
        ranked(&names(values.len()), &ran)
    }

    #[test]
    fn choices_are_ranked_by_what_they_explain() {
        // Choice 1 counts most, choice 0 less, choice 2 nothing, choice 3 has one value.
        let all = found(&[4, 4, 4, 1], 400, |choices, noise| {
            (choices[1] as f64 + 0.3 * choices[0] as f64 + 0.1 * noise).exp()
        });
        assert_eq!(all.iter().map(|effect| effect.choice).collect::<Vec<_>>(), [1, 0, 2]);
        assert!(
            all[0].share > 0.85 && (0.03..0.15).contains(&all[1].share) && all[2].share < 0.02,
            "{all:?}"
        );
        assert_eq!((all[0].values, all[0].best.as_str()), (4, "0"));
    }

    /// A choice with nearly as many values as points explains nothing of noise
    #[test]
    fn many_values_explain_nothing_by_chance() {
        let all = found(&[300, 3], 200, |_, noise| noise + 0.1);
        assert!(all.iter().all(|effect| effect.share < 0.25), "{all:?}");
        // All values are different: there is nothing to compare.
        let all = found(&[1_000_000_000], 50, |_, noise| noise + 0.1);
        assert_eq!((all[0].values, all[0].share), (50, 0.0));
    }

    #[test]
    fn equal_times_and_few_points_show_nothing() {
        assert!(found(&[3], 4, |_, noise| noise).is_empty());
        assert_eq!(found(&[3], 40, |_, _| 0.5)[0].share, 0.0);
    }
}
