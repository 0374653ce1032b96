//! Forms of a computation as a choice: the space of each behind its name.
//!
//! The first parameter is the form, as a word. What the others are follows from it; a form with fewer of them than another one has
//! a single value for those that it lacks, so that all points have one length.

use crate::refusal::Refusals;
use crate::space::OfSchedules;
use terrace_schedule_model::{Decision, OpenSchedule, Point};
use terrace_search_explore::Space;

/// What stands for a parameter that a form does not have
const NONE: Decision = Decision::Number(0);

/// All forms of a computation, each with a space of its own
pub struct FormSpace<'a> {
    forms: Vec<(String, &'a dyn OfSchedules)>,
}

impl<'a> FormSpace<'a> {
    /// Of forms by their names, the best guess first
    pub fn new(forms: Vec<(String, &'a dyn OfSchedules)>) -> FormSpace<'a> {
        FormSpace { forms }
    }

    /// The form of a point, and what it chooses in that form's space
    pub fn split<'p>(&self, point: &'p [Decision]) -> Option<(usize, &'p [Decision])> {
        let Some((Decision::Word(word), rest)) = point.split_first() else { return None };
        let form = self.forms.iter().position(|(name, _)| name == word)?;
        let own = self.forms[form].1.names().len().min(rest.len());
        Some((form, &rest[..own]))
    }

    /// The point of a form with these choices
    pub fn join(&self, form: usize, point: &[Decision]) -> Point {
        let word = Decision::Word(self.forms[form].0.clone());
        let mut all: Vec<Decision> = [word].into_iter().chain(point.iter().cloned()).collect();
        all.resize(1 + self.most(), NONE);
        all.into()
    }

    /// Parameters of the form that has most
    fn most(&self) -> usize {
        self.forms.iter().map(|(_, space)| space.names().len()).max().unwrap_or(0)
    }

    /// How many whole schedules each rule refused so far, in all forms
    pub fn refusals(&self) -> Refusals {
        let mut all = Refusals::default();
        for (_, space) in &self.forms {
            all.add_all(&space.refusals());
        }
        all
    }

    /// What tells the space from others of the same computation
    pub fn text(&self) -> String {
        self.forms.iter().map(|(name, space)| format!("// {name}\n{}", space.text())).collect()
    }

    /// The schedule of a point, in its form
    pub fn fill(&self, point: &[Decision]) -> Option<OpenSchedule> {
        let (form, own) = self.split(point)?;
        Some(self.forms[form].1.fill(own))
    }
}

impl Space for FormSpace<'_> {
    fn names(&self) -> Vec<String> {
        let fields = (1..=self.most()).map(|n| format!("field.{n}"));
        ["form".to_owned()].into_iter().chain(fields).collect()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        if before.is_empty() {
            return self.forms.iter().map(|(name, _)| Decision::Word(name.clone())).collect();
        }
        let Some((form, own)) = self.split(before) else { return Vec::new() };
        let space = self.forms[form].1;
        match (before.len() - 1, space.names().len()) {
            (at, _) if at >= self.most() => Vec::new(),
            (at, count) if at < count => space.values(own),
            _ => vec![NONE],
        }
    }

    fn allows(&self, before: &[Decision], value: &Decision) -> bool {
        match self.split(before) {
            Some((form, own)) if before.len() <= self.forms[form].1.names().len() => {
                self.forms[form].1.allows(own, value)
            }
            _ => self.values(before).contains(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Legal, ScheduleSpace};
    use terrace_devices::Device;
    use terrace_search_explore::{Walk, check};

    #[test]
    fn a_point_is_a_form_and_a_point_of_its_space() {
        let device = Device::find("x86-64-v3").expect("a device");
        let legal: &Legal<'_> = &|_| Ok(());
        let space = |text: &str, extents: &[i64]| {
            let draft = OpenSchedule::read(text).expect("well formed");
            ScheduleSpace::new(draft, extents.to_vec(), &device, legal).expect("it fits")
        };
        let one = space("1: (?,1) (^ ; ^) (FOR.1,FOR.2)\n2: (1,1) (^ ; ^) (FOR.1,FOR.2)", &[6, 5]);
        let none = space("1: (1) (^ ; ^) (FOR.1)", &[30]);
        let forms = FormSpace::new(vec![("direct".into(), &one), ("blocked".into(), &none)]);
        assert_eq!(forms.names(), ["form", "field.1"]);
        let mut points = Vec::new();
        for point in Walk::new(&forms) {
            check(&forms, &point).expect("it is a point");
            let (form, own) = forms.split(&point).expect("it has a form");
            assert_eq!(forms.join(form, own), point);
            points.push(point.iter().map(Decision::to_string).collect::<Vec<_>>().join(" "));
        }
        assert_eq!(points, ["direct 1", "direct 2", "direct 3", "direct 6", "blocked 0"]);
        assert!(check(&forms, &[Decision::Word("other".into()), NONE]).is_err());
    }
}
