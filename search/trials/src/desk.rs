//! Trials under way: each has one answer, whatever comes back from where they are measured.

use crate::{Answer, Down, Executor, Status, Trial};
use std::collections::BTreeMap;
use std::time::Duration;

/// How often a trial is given that breaks who measures it, or nothing becomes of
const ATTEMPTS: u32 = 2;

/// Trials that were given to an executor, and their answers
pub struct Desk {
    executor: Box<dyn Executor>,
    /// Those without an answer by their `id`, with the number of times that they were given
    open: BTreeMap<String, (Trial, u32)>,
    surplus: u64,
}

impl Desk {
    /// With nothing under way
    pub fn new(executor: Box<dyn Executor>) -> Desk {
        Desk { executor, open: BTreeMap::new(), surplus: 0 }
    }

    /// Give a trial away
    pub fn submit(&mut self, trial: Trial) -> Result<(), Down> {
        self.executor.submit(&trial)?;
        self.open.insert(trial.id.clone(), (trial, 1));
        Ok(())
    }

    /// Answers that have come: one for each trial, in any order; where there is none, wait for one, so long at most
    pub fn poll(&mut self, wait: Duration) -> Result<Vec<Answer>, Down> {
        let mut found = Vec::new();
        for answer in self.executor.poll(wait)? {
            let Some((id, (trial, attempts))) = answer.id.as_ref().and_then(|id| self.open.remove_entry(id))
            else {
                // It was answered before, or no such trial was submitted.
                self.surplus += 1;
                continue;
            };
            let unknown = matches!(answer.status, Status::Lost | Status::Crashed | Status::Garbage);
            if unknown && attempts.max(answer.attempt) < ATTEMPTS {
                self.executor.submit(&trial)?;
                self.open.insert(id, (trial, attempts + 1));
                continue;
            }
            found.push(Answer { attempt: answer.attempt.max(attempts), ..answer });
        }
        Ok(found)
    }

    /// What went wrong with a part of what measures
    pub fn troubles(&self) -> Vec<String> {
        self.executor.troubles()
    }

    /// Answers that came besides the one of each trial
    pub fn surplus(&self) -> u64 {
        self.surplus
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, Policy, VERSION};
    use std::cell::RefCell;
    use std::rc::Rc;

    fn trial(id: &str) -> Trial {
        let (seeds, results) = (Vec::new(), Vec::new());
        let (threads, pipeline, flops) = (None, None, None);
        let call = Call { entry: "f".into(), on: "interp".into(), seeds, results, threads, pipeline, flops };
        let (id, program, policy) = (id.into(), String::new(), Policy::default());
        Trial { trial: VERSION, id, point: None, program, call, policy, reference: None }
    }

    fn answer(id: &str, status: Status) -> Answer {
        Answer { reason: None, ..Answer::failed(Some(id.into()), status, "") }
    }

    /// Gives what is written down for it, and writes down what it was given
    #[derive(Clone, Default)]
    struct Scripted(Rc<RefCell<(Vec<String>, Vec<Answer>)>>);

    impl Executor for Scripted {
        fn submit(&mut self, trial: &Trial) -> Result<(), Down> {
            self.0.borrow_mut().0.push(trial.id.clone());
            Ok(())
        }

        fn poll(&mut self, _: Duration) -> Result<Vec<Answer>, Down> {
            Ok(std::mem::take(&mut self.0.borrow_mut().1))
        }
    }

    impl Scripted {
        fn gives(&self, answers: &[Answer]) {
            self.0.borrow_mut().1 = answers.to_vec();
        }
    }

    #[test]
    fn each_trial_has_one_answer() {
        let script = Scripted::default();
        let mut desk = Desk::new(Box::new(script.clone()));
        for id in ["a", "b"] {
            desk.submit(trial(id)).expect("it takes all");
        }
        // Out of order, twice at once, of an unknown trial, and one without an id.
        let nameless = Answer { id: None, ..answer("", Status::Garbage) };
        script.gives(&[
            answer("b", Status::Ran),
            answer("b", Status::Crashed),
            answer("x", Status::Ran),
            nameless,
        ]);
        let found = desk.poll(Duration::ZERO).expect("it is there");
        assert_eq!(found, [answer("b", Status::Ran)]);
        assert_eq!((desk.open.len(), desk.surplus()), (1, 3));
        // Once more, late.
        script.gives(&[answer("b", Status::Ran), answer("a", Status::Wrong)]);
        assert_eq!(desk.poll(Duration::ZERO).expect("it is there"), [answer("a", Status::Wrong)]);
        assert_eq!((desk.open.len(), desk.surplus()), (0, 4));
    }

    #[test]
    fn what_is_lost_is_given_once_more() {
        let script = Scripted::default();
        let mut desk = Desk::new(Box::new(script.clone()));
        for id in ["a", "b"] {
            desk.submit(trial(id)).expect("it takes all");
        }
        script.gives(&[answer("a", Status::Lost), answer("b", Status::Crashed)]);
        assert_eq!(desk.poll(Duration::ZERO), Ok(Vec::new()));
        assert_eq!(script.0.borrow().0, ["a", "b", "a", "b"]);
        script.gives(&[answer("a", Status::Lost), answer("b", Status::Ran)]);
        let found = desk.poll(Duration::ZERO).expect("it is there");
        let attempts: Vec<_> = found.iter().map(|answer| (answer.status, answer.attempt)).collect();
        assert_eq!(attempts, [(Status::Lost, 2), (Status::Ran, 2)]);
        // Whoever has tried it twice already need not be given it again.
        desk.submit(trial("c")).expect("it takes all");
        script.gives(&[Answer { attempt: 2, ..answer("c", Status::Lost) }]);
        assert_eq!(desk.poll(Duration::ZERO).map(|found| found.len()), Ok(1));
        assert_eq!(script.0.borrow().0.len(), 5);
    }
}
