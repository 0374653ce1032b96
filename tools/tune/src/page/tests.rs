//! The verdict of a page.

use super::*;
use crate::curves::tests::curve;
use terrace_search_explore::Origin;
use terrace_search_explore::log::{Against, Best, End, Entry};

/// The sentences about a search of these seconds, the first one those of the chosen schedule
fn said(seconds: &[Option<f64>], end: Option<End>) -> (String, &'static str) {
    let points: Vec<_> = seconds.iter().map(|seconds| (*seconds, None)).collect();
    let mut curve = curve("search", &points);
    if let Some(first) = curve.entries.first_mut() {
        *first = Entry { origin: Origin::Start, at: 0.0, ..first.clone() };
    }
    let verdict::Verdict { class, sentences } = verdict::of(&Facts::of(&curve, end));
    (sentences.join(" "), class)
}

/// An end with rounds in which point 2 and the chosen schedule alternated
fn rounds(mean: f64, verdict: &str) -> End {
    End {
        points: 3,
        at: 9.0,
        best: Some(Best { number: 2, seconds: 0.5, text: String::new() }),
        chosen: Some(0.5 * mean),
        against: Some(Against {
            rounds: 5,
            mean,
            interval: (mean * 0.9, mean * 1.1),
            noise: 1.02,
            verdict: verdict.into(),
        }),
        ..End::default()
    }
}

const THREE: [Option<f64>; 3] = [Some(1.0), Some(0.5), None];

#[test]
fn a_gain_is_confirmed_or_it_is_said_not_to_be() {
    let (said_faster, class) = said(&THREE, Some(rounds(2.0, "faster")));
    assert_eq!(
        said_faster,
        "The best of 3 points takes 500.0 ms (4.000 GFLOP/s): point 2, found after 2.000 s. It is 2.00 times as fast as the schedule chosen \
         without measuring (95 % interval 1.80 to 2.20, 5 rounds that alternated both). The gain is confirmed: a program differs from itself \
         by up to 1.02 times."
    );
    assert_eq!(class, "gain");
    let (alike, class) = said(&THREE, Some(rounds(1.01, "alike")));
    assert!(alike.contains("not distinguishable") && class == "none", "{alike}");
    let (slower, class) = said(&THREE, Some(rounds(0.9, "slower")));
    assert!(slower.contains("is slower than the schedule") && class == "none", "{slower}");
}

#[test]
fn times_of_a_search_alone_confirm_nothing() {
    let (killed, class) = said(&THREE, None);
    assert!(
        killed.contains("2.00 times as fast") && killed.contains("This gain is not confirmed"),
        "{killed}"
    );
    assert!(
        killed.ends_with(
            "The log has no end: the search was killed or is running, or an older version wrote it."
        ),
        "{killed}"
    );
    assert_eq!(class, "open");
    let interrupted = End { interrupted: true, chosen: Some(1.0), ..End::default() };
    let (interrupted, _) = said(&THREE, Some(interrupted));
    assert!(
        interrupted.contains("not confirmed") && interrupted.ends_with("was interrupted."),
        "{interrupted}"
    );
    let replayed = End { replayed: true, ..End::default() };
    assert!(said(&THREE, Some(replayed)).0.ends_with("results are those of another log."));
}

#[test]
fn no_gain_is_said_to_be_none() {
    let best = Some(Best { number: 1, seconds: 0.4, text: String::new() });
    let (none, class) = said(&THREE, Some(End { best, chosen: Some(0.4), ..End::default() }));
    assert!(none.contains("Measured again at the end, nothing was faster"), "{none}");
    assert_eq!(class, "none");
    let (first, _) = said(&[Some(0.5), Some(1.0)], None);
    assert!(first.contains("Nothing was faster than the schedule chosen without measuring."), "{first}");
    let (failed, class) = said(&[None, None], Some(End::default()));
    assert_eq!((failed.as_str(), class), ("Of 2 points none ran.", "none"));
    assert_eq!(
        said(&[], None).0,
        "Of 0 points none ran. The log has no end: the search was killed or is running, or an older version wrote it."
    );
}

/// A search that began with nothing has nothing to compare with
#[test]
fn without_a_chosen_schedule_nothing_is_compared() {
    let curve = curve("search", &[(Some(1.0), None), (Some(0.5), None)]);
    let found = verdict::of(&Facts::of(&curve, None)).sentences.join(" ");
    assert!(found.contains("Nothing was chosen without measuring"), "{found}");
}
