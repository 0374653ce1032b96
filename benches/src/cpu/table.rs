//! Rows of the table of `terrace-benches cpu`.

use serde_json::{Value, json};

use super::cases::{Case, Work};
use crate::stats::Summary;

/// First lines of the table; `place` says what the second column holds
pub fn header(place: &str) -> String {
    format!(
        "| case | {place} | terrace (min–max) | best peer (min–max) | terrace / best peer (min–max) | asked | of the processor's best | others | values |\n\
         |---|---:|---:|---:|---:|---:|---:|---|---|"
    )
}

/// Times of one contender, in nanoseconds, a median per block
pub struct Times {
    /// Who
    pub name: String,
    /// One per block
    pub ns: Vec<f64>,
}

/// One case with a number of threads
pub struct Row {
    /// What was run
    pub case: Case,
    /// Threads of everybody, or the back end on a device
    pub place: String,
    /// Ours
    pub terrace: Vec<f64>,
    /// The others'
    pub peers: Vec<Times>,
    /// What the processor can do at most, operations or bytes in a nanosecond, one per block
    pub bound: Vec<f64>,
    /// What the comparison with the reference said
    pub values: String,
}

impl Row {
    fn rates(&self, times: &[f64]) -> Summary {
        Summary::of(times.iter().map(|ns| self.case.work.rate(*ns)))
    }

    /// The peer that is fastest by its median
    pub fn best(&self) -> Option<&Times> {
        let timed = self.peers.iter().filter(|peer| !peer.ns.is_empty());
        let median = |peer: &&Times| Summary::of(peer.ns.iter().copied()).median;
        timed.min_by(|a, b| median(a).total_cmp(&median(b)))
    }

    /// Our speed as a multiple of the best peer's, pair by pair
    pub fn ratio(&self) -> Option<Summary> {
        let best = self.best().filter(|_| !self.terrace.is_empty())?;
        Some(Summary::of_ratios(&best.ns, &self.terrace))
    }

    /// Our rate as a part of what the processor can do at most, block by block
    pub fn of_bound(&self) -> Option<Summary> {
        let ours: Vec<f64> = self.terrace.iter().map(|ns| self.case.work.rate(*ns)).collect();
        let comparable = !matches!(self.case.work, Work::Points(_));
        (comparable && !ours.is_empty() && !self.bound.is_empty())
            .then(|| Summary::of_ratios(&ours, &self.bound))
    }

    /// As a line of the table
    pub fn markdown(&self) -> String {
        let rate = |times: &[f64]| {
            let all = self.rates(times);
            format!("{:.1} ({:.1}–{:.1}) {}", all.median, all.min, all.max, self.case.work.unit())
        };
        let ours = if self.terrace.is_empty() { "–".to_owned() } else { rate(&self.terrace) };
        let best = self.best();
        let peer = best.map_or("–".to_owned(), |best| format!("{} {}", best.name, rate(&best.ns)));
        let ratio = self.ratio().map_or("–".to_owned(), |ratio| {
            format!("**{:.2}** ({:.2}–{:.2})", ratio.median, ratio.min, ratio.max)
        });
        let others: Vec<String> = self
            .peers
            .iter()
            .filter(|peer| best.is_none_or(|best| best.name != peer.name))
            .map(|peer| format!("{} {:.1}", peer.name, self.rates(&peer.ns).median))
            .collect();
        let (name, place, goal) = (&self.case.name, &self.place, self.case.goal);
        let (others, values) = (others.join(", "), &self.values);
        let bound = self.of_bound().map_or("–".to_owned(), |part| {
            let most = Summary::of(self.bound.iter().copied()).median;
            format!("{:.2} of {most:.1} {}", part.median, self.case.work.unit())
        });
        format!(
            "| {name} | {place} | {ours} | {peer} | {ratio} | {goal:.2} | {bound} | {others} | {values} |"
        )
    }

    /// Every figure
    pub fn json(&self) -> Value {
        let peers: serde_json::Map<String, Value> =
            self.peers.iter().map(|peer| (peer.name.clone(), json!(peer.ns))).collect();
        json!({
            "row": self.case.row, "case": self.case.name, "place": self.place, "unit": self.case.work.unit(),
            "terrace_ns": self.terrace, "peers_ns": peers, "best": self.best().map(|best| best.name.clone()),
            "terrace_rate": self.rates(&self.terrace).json(),
            "bound_rate": self.bound, "of_bound": self.of_bound().map(Summary::json),
            "ratio": self.ratio().map(Summary::json), "asked": self.case.goal, "values": self.values,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_peer_is_compared() {
        let work = Work::Flops(2000.0);
        let case = Case {
            row: "r",
            kind: "matmul",
            name: "ten".into(),
            sizes: vec![],
            work,
            goal: 1.5,
            traffic: None,
        };
        let peers = vec![
            Times { name: "slow".into(), ns: vec![4000.0] },
            Times { name: "fast".into(), ns: vec![500.0] },
        ];
        let row = Row {
            case,
            place: "1".into(),
            terrace: vec![1000.0],
            peers,
            bound: vec![4.0],
            values: "right".into(),
        };
        assert_eq!(
            row.markdown(),
            "| ten | 1 | 2.0 (2.0–2.0) GFLOP/s | fast 4.0 (4.0–4.0) GFLOP/s | **0.50** (0.50–0.50) | 1.50 | 0.50 of 4.0 GFLOP/s | slow 0.5 | right |"
        );
    }
}
