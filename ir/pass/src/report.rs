//! Tables of times and statistics for people.

use crate::manager::RunReport;
use std::fmt::Write;

impl RunReport {
    /// Numbers that passes counted, in order of the pipeline
    pub fn stats_table(&self) -> String {
        let mut out = String::from("===== statistics =====\n");
        for (pass, stats) in &self.stats {
            for (name, count) in &stats.0 {
                let _ = writeln!(out, "{count:>10}  {pass}: {name}");
            }
        }
        out
    }

    /// Time in each pass, summed over units and threads, longest first
    pub fn timing_table(&self) -> String {
        let mut out = String::from("===== time (summed over threads) =====\n");
        let total: f64 = self.times.iter().map(|(_, time)| time.as_secs_f64()).sum();
        let mut rows: Vec<_> = self.times.iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.1));
        for (name, time) in rows {
            let share = if total > 0.0 { 100.0 * time.as_secs_f64() / total } else { 0.0 };
            let _ = writeln!(out, "{:>10.6} s  {share:>5.1} %  {name}", time.as_secs_f64());
        }
        out
    }
}
