//! Rows of the table of `terrace-benches cpu`.

use serde_json::{Value, json};

use super::cases::Case;
use crate::contest::Timed;
use crate::stats::Summary;

/// First lines of the table; `place` says what the second column holds
pub fn header(place: &str) -> String {
    format!(
        "| case | {place} | terrace (min–max) | best peer (min–max) | terrace / best peer (min–max) | asked | of the processor's best | others | values |\n\
         |---|---:|---:|---:|---:|---:|---:|---|---|"
    )
}

/// One case with a number of threads
pub struct Row<'a> {
    /// What was run
    pub case: &'a Case,
    /// How long it took
    pub timed: &'a Timed,
}

impl Row<'_> {
    fn rates(&self, times: &[f64]) -> Summary {
        Summary::of(times.iter().map(|ns| self.case.work.rate(*ns)))
    }

    /// As a line of the table
    pub fn markdown(&self) -> String {
        let rate = |times: &[f64]| {
            let all = self.rates(times);
            format!("{:.1} ({:.1}–{:.1}) {}", all.median, all.min, all.max, self.case.work.unit())
        };
        let timed = self.timed;
        let ours = if timed.terrace.is_empty() { "–".to_owned() } else { rate(&timed.terrace) };
        let peer = timed.best().map_or("–".to_owned(), |best| format!("{} {}", best.name, rate(&best.ns)));
        let ratio = timed.ratio().map_or("–".to_owned(), |ratio| {
            format!("**{:.2}** ({:.2}–{:.2})", ratio.median, ratio.min, ratio.max)
        });
        let others: Vec<String> =
            timed.others().map(|peer| format!("{} {:.1}", peer.name, self.rates(&peer.ns).median)).collect();
        let (name, place, goal) = (&self.case.name, &timed.place, self.case.goal);
        let (others, values) = (others.join(", "), &timed.values);
        let limit = timed.of_limit().map_or("–".to_owned(), |part| {
            let most = self.rates(&timed.limit).median;
            format!("{:.2} of {most:.1} {}", part.median, self.case.work.unit())
        });
        format!(
            "| {name} | {place} | {ours} | {peer} | {ratio} | {goal:.2} | {limit} | {others} | {values} |"
        )
    }

    /// Every figure
    pub fn json(&self) -> Value {
        let timed = self.timed;
        let peers: serde_json::Map<String, Value> =
            timed.peers.iter().map(|peer| (peer.name.clone(), json!(peer.ns))).collect();
        json!({
            "row": self.case.row, "case": self.case.name, "place": timed.place, "unit": self.case.work.unit(),
            "terrace_ns": timed.terrace, "peers_ns": peers, "best": timed.best().map(|best| best.name.clone()),
            "terrace_rate": self.rates(&timed.terrace).json(),
            "bound_ns": timed.limit, "of_bound": timed.of_limit().map(Summary::json),
            "ratio": timed.ratio().map(Summary::json), "asked": self.case.goal, "values": timed.values,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::Work;
    use super::*;
    use crate::contest::Times;

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
        let timed = Timed {
            place: "1".into(),
            terrace: vec![1000.0],
            peers,
            limit: vec![500.0],
            further: Vec::new(),
            values: "right".into(),
        };
        let row = Row { case: &case, timed: &timed };
        assert_eq!(
            row.markdown(),
            "| ten | 1 | 2.0 (2.0–2.0) GFLOP/s | fast 4.0 (4.0–4.0) GFLOP/s | **0.50** (0.50–0.50) | 1.50 | 0.50 of 4.0 GFLOP/s | slow 0.5 | right |"
        );
    }
}
