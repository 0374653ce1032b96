//! Generators: each knows one structure of computations, and proposes schedules for it.

use crate::access::Accesses;
use crate::loops::{brief, worth_threads};
use terrace_devices::{Device, DeviceKind};
use terrace_schedule_model::Schedule;

/// Most schedules that are ranked for a computation: counted, since a clock would make choices differ from run to run
pub const MOST: usize = 64;

/// Tasks that a computation of fewer cores may be divided into
const TASKS: i64 = 4;

/// One structure of computations. Extents do not decide whether a computation has it: they enter the costs
pub trait Generator: Sync {
    /// What reasons call it
    fn name(&self) -> &'static str;

    /// What a computation must be like
    fn requires(&self) -> &'static str;

    /// Propose schedules, the most promising first; none where the structure is another
    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals);
}

/// A schedule and who proposed it
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Name of the generator
    pub generator: &'static str,
    /// The generator counts on it; others vary its sizes
    pub base: bool,
    /// The schedule
    pub schedule: Schedule,
}

/// Schedules in the order of the generators, each once
#[derive(Default, Debug)]
pub struct Proposals {
    generator: &'static str,
    all: Vec<Proposal>,
}

impl Proposals {
    /// All that these generators propose, and those that propose nothing. What one core may finish before several have started is
    /// proposed without threads too, and for a few cores also what more tasks would be: they have blocks of other sizes
    pub fn of(
        generators: &[&'static dyn Generator],
        a: &Accesses,
        device: &Device,
    ) -> (Vec<Proposal>, Vec<&'static dyn Generator>) {
        let (mut to, mut silent) = (Proposals::default(), Vec::new());
        for generator in generators {
            let before = to.all.len();
            to.generator = generator.name();
            generator.propose(a, device, &mut to);
            if to.all.len() == before {
                silent.push(*generator);
            }
        }
        let several = Device { units: TASKS, ..device.clone() };
        let others = match device.kind {
            DeviceKind::Grid => None,
            _ if device.units < TASKS && !(device.units > 1 && brief(a, device)) => {
                worth_threads(a, &several).then_some(several)
            }
            _ if worth_threads(a, device) && brief(a, device) => Some(Device { units: 1, ..device.clone() }),
            _ => None,
        };
        for (device, generator) in
            others.iter().flat_map(|device| generators.iter().map(move |one| (device, one)))
        {
            to.generator = generator.name();
            generator.propose(a, device, &mut to);
        }
        (to.all, silent)
    }

    /// Propose one that the generator counts on; not one that is there already, and not more than are ranked
    pub fn add(&mut self, schedule: impl IntoIterator<Item = Schedule>) {
        schedule.into_iter().for_each(|schedule| self.push(schedule, true));
    }

    /// Has nothing been proposed?
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Propose one with other sizes, or one that is chosen only where it is clearly better
    pub fn vary(&mut self, schedule: Schedule) {
        self.push(schedule, false);
    }

    fn push(&mut self, schedule: Schedule, base: bool) {
        if self.all.len() < MOST && self.all.iter().all(|other| other.schedule != schedule) {
            self.all.push(Proposal { generator: self.generator, base, schedule });
        }
    }
}
