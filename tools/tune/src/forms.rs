//! Searching the forms of a convolution: each is a program of its own, with its space of schedules.
//!
//! The pass `mdh-form` decides which forms there are. A point is a form and a point of its space, so that a log says which form each point has.

use crate::schedules::{Place, Ready, Schedules, Sought};
use crate::search::Then;
use crate::subject::{Kept, Made, Subject};
use std::fmt::Write;
use terrace_diag::{Diagnostic, Diags, Severity};
use terrace_passes_mdh::convolutions::Form;
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::Space;
use terrace_search_explore::log::Refused;
use terrace_search_schedules::{FormSpace, Legal, OfSchedules, Refusal};
use terrace_view::program::{Program, fail};

/// The form as written
const DIRECT: &str = "direct";

/// A form that is not searched, and why
type Missing = (&'static str, String);

/// Search forms of the computation, and of each form what else is open
pub(crate) fn run(
    sought: Sought<'_>,
    program: Program,
    diags: &mut Diags,
    then: Then<'_>,
) -> Result<(), Diagnostic> {
    let place = sought.place;
    let written = sought.written(&program);
    let mut missing: Vec<Missing> = Vec::new();
    let mut forms: Vec<(&str, Ready)> = Vec::new();
    for form in Form::ALL {
        let mut said = Diags::default();
        let found = formed(place, &program, *form, &mut said)
            .and_then(|made| Ready::new(place, made, &mut said).transpose());
        match found {
            Some(ready) => forms.push((form.word(), ready?)),
            None => missing.push((form.word(), error_of(&said))),
        }
    }
    let Some(direct) = Ready::new(place, program, diags)? else { return Ok(()) };
    forms.insert(0, (DIRECT, direct));
    let legal: Vec<_> = forms.iter().map(|(_, ready)| ready.legal(place)).collect();
    let mut subjects = Vec::new();
    for ((name, ready), legal) in forms.iter().zip(&legal) {
        let legal: &Legal<'_> = legal;
        subjects.push(((*name).to_owned(), ready.subject(place, written.clone(), legal)?));
    }
    let spaces = subjects.iter().map(|(name, of)| (name.clone(), &*of.space as &dyn OfSchedules));
    let space = FormSpace::new(spaces.collect());
    let known = subjects[0].1.known.as_ref().map(|point| space.join(0, point));
    let subject = Forms { subjects: &subjects, space, known: known.clone(), missing };
    sought.search(&subject, known, &forms[0].1, diags, then)
}

/// The program in another form; `None` if there is none, with a message
fn formed(place: Place<'_>, program: &Program, form: Form, said: &mut Diags) -> Option<Program> {
    let mut made = program.without_schedule().ok()?;
    let mut options = format!("form={form}");
    if let Some(name) = place.args.compute.first() {
        let _ = write!(options, " compute={name}");
    }
    if !place.args.approximate.is_empty() {
        let _ = write!(options, " approximate={}", place.args.approximate.join(","));
    }
    let pipeline = format!("func.func(mdh-form{{{options}}})");
    made.lower(place.tool, &pipeline, said)?;
    Some(made.at_largest())
}

fn error_of(said: &Diags) -> String {
    let error = said.iter().find(|one| one.severity == Severity::Error);
    error.map_or("it has no schedule".into(), |error| error.message.clone())
}

struct Forms<'a> {
    subjects: &'a [(String, Schedules<'a>)],
    space: FormSpace<'a>,
    known: Option<Point>,
    missing: Vec<Missing>,
}

impl Forms<'_> {
    /// The subject of a point's form, and its point there
    fn of<'p>(&self, point: &'p [Decision]) -> Result<(&str, &Schedules<'_>, &'p [Decision]), Diagnostic> {
        let (form, own) = self.space.split(point).ok_or_else(|| fail("the point has no form"))?;
        let (name, subject) = &self.subjects[form];
        Ok((name, subject, own))
    }
}

impl Subject for Forms<'_> {
    fn space(&self) -> &dyn Space {
        &self.space
    }

    fn identity(&self) -> String {
        self.subjects.iter().map(|(name, of)| format!("// {name}\n{}\n", of.identity())).collect()
    }

    fn key(&self) -> String {
        self.subjects.iter().map(|(name, of)| format!("// {name}\n{}\n", of.key())).collect()
    }

    fn kind(&self) -> Option<String> {
        self.subjects.first()?.1.kind()
    }

    fn draft(&self) -> Option<String> {
        Some(self.space.text())
    }

    fn nothing(&self) -> Diagnostic {
        fail("there is no form")
    }

    fn empty(&self) -> Diagnostic {
        fail(format!("S-EMPTY: no schedule is left in any form{}", self.refusals()))
    }

    fn dry(&self, points: &[Point], _: usize) -> String {
        let mut text = String::new();
        let names: Vec<&str> = self.subjects.iter().map(|(name, _)| name.as_str()).collect();
        let _ =
            writeln!(text, "{} open fields; form is one of {}", self.space.names().len(), names.join(" "));
        for (name, why) in &self.missing {
            let _ = writeln!(text, "no {name}: {why}");
        }
        for point in points {
            let _ = write!(text, "\n{}", self.show(point));
        }
        let refused = self.space.refusals();
        let refused = if refused.total() == 0 { "none".to_owned() } else { refused.to_string() };
        let _ = writeln!(text, "\nwhole schedules refused while drawing these: {refused}");
        text
    }

    fn refusals(&self) -> String {
        let refused = self.space.refusals();
        if refused.total() == 0 { String::new() } else { format!("; refused: {refused}") }
    }

    fn refused(&self) -> Vec<Refused> {
        let mut all = self.space.refusals();
        for (name, why) in &self.missing {
            all.add(&Refusal { rule: format!("form {name}"), why: why.clone() });
        }
        all.list()
    }

    fn is_known(&self) -> bool {
        self.known.is_some()
    }

    fn make(&self, point: &[Decision]) -> Result<Made, Diagnostic> {
        let (_, of, own) = self.of(point)?;
        of.make(own)
    }

    fn estimate(&self, point: &[Decision]) -> Option<f64> {
        let (_, of, own) = self.of(point).ok()?;
        of.estimate(own)
    }

    fn show(&self, point: &[Decision]) -> String {
        match self.of(point) {
            Ok((name, of, own)) => format!("// form: {name}\n{}", of.show(own)),
            Err(_) => String::new(),
        }
    }

    fn kept(&self, point: &[Decision]) -> Result<Option<Kept>, Diagnostic> {
        let (_, of, own) = self.of(point)?;
        of.kept(own)
    }
}
