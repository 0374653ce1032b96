//! From a schedule that may be open to one whose fields are values, and back.

use crate::broken::Rule;
use crate::buffer_words::Words;
use crate::decision::Value;
use crate::error::ScheduleError;
use crate::groups::Groups;
use crate::open::{Entry, Field, Holes};
use crate::schedule::{Schedule, Step};
use crate::text::field::Spelled;
use crate::values::Placement;
use std::borrow::Cow;

/// A schedule any of whose fields may be open
pub type OpenSchedule = Schedule<Holes>;

/// A step any of whose fields may be open
pub type OpenStep = Step<Holes>;

impl Schedule<Holes> {
    /// The schedule, where no field is open
    pub fn decided(&self) -> Result<Schedule, ScheduleError> {
        let steps = self.steps.iter().enumerate();
        let steps = steps.map(|(n, step)| step.decided().map_err(|error| error.in_step(n + 1)));
        Ok(Schedule { steps: steps.collect::<Result<_, _>>()? })
    }

    /// Do the names that were written belong to the buffers at their positions, or to their access groups where a step has an
    /// entry for each? `None` for a buffer without a name
    pub fn names_fit(
        &self,
        ins: &[Option<&str>],
        groups: &Groups,
        outs: &[Option<&str>],
    ) -> Result<(), ScheduleError> {
        let buffers: Vec<Option<Cow<'_, str>>> = ins.iter().map(|name| name.map(Cow::from)).collect();
        let outs: Vec<Option<Cow<'_, str>>> = outs.iter().map(|name| name.map(Cow::from)).collect();
        let split = groups.names(ins);
        for (n, step) in self.steps.iter().enumerate() {
            let ins = if groups.one_each(step.ins.len()) { &split } else { &buffers };
            step.names_fit(ins, &outs).map_err(|error| error.in_step(n + 1))?;
        }
        Ok(())
    }
}

impl Step<Holes> {
    fn names_fit(
        &self,
        ins: &[Option<Cow<'_, str>>],
        outs: &[Option<Cow<'_, str>>],
    ) -> Result<(), ScheduleError> {
        let known = |names: &[Option<Cow<'_, str>>]| {
            names.iter().map(|name| name.as_deref().unwrap_or("_")).collect::<Vec<_>>().join(",")
        };
        for (entry, name) in self.ins.iter().zip(ins).chain(self.outs.iter().zip(outs)) {
            let (Some((found, at)), Some(name)) = (&entry.buffer, name) else { continue };
            if found == name {
                continue;
            }
            let elsewhere = ins.iter().chain(outs).any(|name| name.as_deref() == Some(found.as_str()));
            let what = match elsewhere {
                true => format!("`{found}` stands where `{name}` belongs"),
                false => format!("there is no buffer `{found}`"),
            };
            let what = format!("{what}; entries are {} ; {}", known(ins), known(outs));
            return Err(ScheduleError::new(Rule::Buf.broken(what), at.clone()));
        }
        Ok(())
    }

    pub(crate) fn decided(&self) -> Result<Step, ScheduleError> {
        Ok(Step {
            label: self.label.decided()?,
            sizes: self.sizes.iter().map(Field::decided).collect::<Result<_, _>>()?,
            ins: self.ins.iter().map(Entry::decided).collect::<Result<_, _>>()?,
            outs: self.outs.iter().map(Entry::decided).collect::<Result<_, _>>()?,
            cores: self.cores.iter().map(Field::decided).collect::<Result<_, _>>()?,
        })
    }
}

impl<T: Spelled> Field<T> {
    fn decided(&self) -> Result<T, ScheduleError> {
        self.known().cloned().ok_or_else(|| {
            let what = format!(
                "{} `{self}` is open; fill it by a search, or write what it is to be",
                <T as Value>::WHAT
            );
            ScheduleError::new(Rule::Hole.broken(what), self.at.clone())
        })
    }
}

impl Entry {
    /// The place it says; nothing for `^`
    pub(crate) fn decided(&self) -> Result<Option<Placement>, ScheduleError> {
        let layout = self.layout.iter().map(Field::decided).collect::<Result<_, _>>()?;
        let region = self.region.decided()?;
        let mut words = Words::default();
        for word in &self.words {
            words.add(word.decided()?).map_err(|broken| ScheduleError::new(broken, word.at.clone()))?;
            if region.is_none() {
                let why = "words are said of a buffer; name its region";
                let what = format!("`{}` of `^`: {why}", crate::text::spaced(word));
                return Err(ScheduleError::new(Rule::Word.broken(what), word.at.clone()));
            }
        }
        Ok(region.map(|region| Placement { region, layout, words }))
    }
}

impl From<&Step> for Step<Holes> {
    fn from(step: &Step) -> Step<Holes> {
        Step {
            label: step.label.into(),
            sizes: step.sizes.iter().map(|size| (*size).into()).collect(),
            ins: step.ins.iter().map(Entry::from).collect(),
            outs: step.outs.iter().map(Entry::from).collect(),
            cores: step.cores.iter().map(|core| (*core).into()).collect(),
        }
    }
}

impl From<&Schedule> for Schedule<Holes> {
    fn from(schedule: &Schedule) -> Schedule<Holes> {
        Schedule { steps: schedule.steps.iter().map(Step::from).collect() }
    }
}
