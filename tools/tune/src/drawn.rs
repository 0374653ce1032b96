//! Points that were drawn and not yet measured: the one that seems cheapest is next.
//!
//! An estimate that is right about order only in part still keeps a search from most of what is bad. Nothing is lost: when no new
//! points are found, those that waited get their turn.

use crate::subject::Subject;
use terrace_schedule_model::Point;
use terrace_search_explore::Explorer;

/// Points that wait, at most; those that seem worst go
const MOST: usize = 4096;

/// A pool of points, cheapest last
pub(crate) struct Drawn {
    /// Points that are drawn for each that is measured
    each: usize,
    waiting: Vec<(f64, Point)>,
}

impl Drawn {
    /// With so many points drawn for each that is measured
    pub(crate) fn new(each: usize) -> Drawn {
        Drawn { each: each.max(1), waiting: Vec::new() }
    }

    /// The point to measure, with its estimate where one was made; `None` if there are no more
    pub(crate) fn next(
        &mut self,
        subject: &dyn Subject,
        explorer: &mut Explorer<'_>,
    ) -> Option<(Point, Option<f64>)> {
        if self.each == 1 {
            return explorer.propose().map(|point| (point, None));
        }
        for _ in 0..self.each {
            let Some(point) = explorer.propose() else { break };
            let Some(cost) = subject.estimate(&point) else { return Some((point, None)) };
            let at = self.waiting.partition_point(|(other, _)| *other > cost);
            self.waiting.insert(at, (cost, point));
        }
        let extra = self.waiting.len().saturating_sub(MOST);
        self.waiting.drain(..extra);
        self.waiting.pop().map(|(cost, point)| (point, Some(cost)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Made;
    use terrace_diag::Diagnostic;
    use terrace_schedule_model::Decision;
    use terrace_search_explore::{Space, Technique};
    use terrace_view::program::fail;

    /// Numbers, of which the even ones seem cheap
    struct Numbers;

    impl Space for Numbers {
        fn names(&self) -> Vec<String> {
            vec!["n".into()]
        }
        fn values(&self, before: &[Decision]) -> Vec<Decision> {
            if before.is_empty() { (0..8).map(Decision::Number).collect() } else { Vec::new() }
        }
    }

    impl Subject for Numbers {
        fn space(&self) -> &dyn Space {
            self
        }
        fn identity(&self) -> String {
            String::new()
        }
        fn nothing(&self) -> Diagnostic {
            fail("nothing")
        }
        fn empty(&self) -> Diagnostic {
            fail("empty")
        }
        fn dry(&self, _: &[Point], _: usize) -> String {
            String::new()
        }
        fn refusals(&self) -> String {
            String::new()
        }
        fn make(&self, _: &[Decision]) -> Result<Made, Diagnostic> {
            Err(fail("not needed"))
        }
        fn show(&self, point: &[Decision]) -> String {
            Point::named(point, &self.names(), "")
        }
        fn estimate(&self, point: &[Decision]) -> Option<f64> {
            let n: u32 = point[0].to_string().parse().ok()?;
            Some(f64::from(n % 2 * 100 + n))
        }
    }

    #[test]
    fn what_seems_cheap_is_first_and_nothing_is_lost() {
        let mut explorer = Explorer::new(&Numbers, Technique::Exhaustive, 1);
        let mut drawn = Drawn::new(4);
        let order: Vec<String> = std::iter::from_fn(|| drawn.next(&Numbers, &mut explorer))
            .map(|(point, _)| point[0].to_string())
            .collect();
        assert_eq!(order, ["0", "2", "4", "6", "1", "3", "5", "7"]);
    }
}
