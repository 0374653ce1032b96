//! Open fields of a schedule as parameters of a search.

use std::fmt;
use std::str::FromStr;
use terrace_schedule_model::open::Item;
use terrace_schedule_model::{
    AnyField, Field, InEntry, OpenSchedule, Place, Rule, ScheduleError, Size, Slot, Value,
};

/// Kinds of fields that can be open, by name
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Size,
    Core,
    Region,
    Label,
    Layout,
    Word,
}

impl Kind {
    /// All, with what they are called
    pub const ALL: [(&str, Kind); 6] = [
        ("size", Kind::Size),
        ("core", Kind::Core),
        ("region", Kind::Region),
        ("label", Kind::Label),
        ("layout", Kind::Layout),
        ("word", Kind::Word),
    ];

    /// The kind of a field
    pub fn of(place: Place) -> Kind {
        match place {
            Place::Label(_) => Kind::Label,
            Place::Size(..) => Kind::Size,
            Place::Core(..) => Kind::Core,
            Place::Entry(_, InEntry::Region) => Kind::Region,
            Place::Entry(_, InEntry::Layout(_)) => Kind::Layout,
            Place::Entry(_, InEntry::Word(_)) => Kind::Word,
        }
    }
}

/// A word that is no kind of fields
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoKind(pub String);

impl fmt::Display for NoKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Kind::ALL.map(|(name, _)| name).join(", ");
        write!(f, "`{}` is no kind of fields: {names}", self.0)
    }
}

impl std::error::Error for NoKind {}

impl FromStr for Kind {
    type Err = NoKind;

    fn from_str(text: &str) -> Result<Kind, NoKind> {
        let found = Kind::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, kind)| *kind).ok_or_else(|| NoKind(text.to_owned()))
    }
}

/// Leave all fields of some kinds open. Tails stay, a size or core of `^` too: a step speaks of the dimensions that it tiles
pub fn open(schedule: &mut OpenSchedule, kinds: &[Kind]) {
    let is = |kind: Kind| kinds.contains(&kind);
    // A step 0 says what holds before any other.
    let start = usize::from(schedule.steps.first().is_some_and(|step| step.label.known() == Some(&0)));
    for step in &mut schedule.steps[start..] {
        if is(Kind::Label) {
            step.label = Field::open(0, Slot::Label);
        }
        for size in step.sizes.iter_mut().filter(|size| is(Kind::Size) && size.tile() != Some(None)) {
            open_tile(size);
        }
        for core in step.cores.iter_mut().filter(|core| is(Kind::Core) && core.known() != Some(&None)) {
            *core = Field::open(None, Slot::Core);
        }
        for entry in step.ins.iter_mut().chain(&mut step.outs) {
            if is(Kind::Region) {
                entry.region = Field::open(None, Slot::Region);
            }
            for part in entry.layout.iter_mut().filter(|_| is(Kind::Layout)) {
                *part = Field::open(terrace_schedule_model::Part::Whole(0), Slot::Dim);
            }
            for word in entry.words.iter_mut().filter(|_| is(Kind::Word)) {
                if let Some(frame) = word.frame().with(Slot::Number, &1.into()) {
                    *word = Field::open(frame, Slot::Number);
                }
            }
        }
    }
}

/// Leave the number of a size open; what happens where it does not divide stays as it is
fn open_tile(size: &mut Field<Size>) {
    let tail = size.frame().tail;
    let open = Field::open(Size { value: None, tail }, Slot::Tile);
    *size = match size.set(Slot::Tail).cloned() {
        Some(set) => open.and_open(Slot::Tail, set),
        None => open,
    };
}

/// An open part of a field, or several of one name
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Where the parts stand; more than one for `?NAME`
    pub places: Vec<(Place, Slot)>,
    /// What it may be; empty: anything
    pub among: Vec<Item>,
}

/// The open parts of a schedule in order of text. A field has one at most
pub fn parameters(schedule: &OpenSchedule) -> Result<Vec<Parameter>, ScheduleError> {
    let mut all: Vec<Parameter> = Vec::new();
    let mut named: Vec<(&str, usize)> = Vec::new();
    for (place, field) in schedule.fields() {
        let (slot, set) = match field.sets() {
            [] => continue,
            [one] => one,
            _ => return Err(twice(field)),
        };
        let known = set.name.as_deref().and_then(|name| named.iter().find(|(known, _)| *known == name));
        if let Some((_, at)) = known {
            all[*at].places.push((place, *slot));
            continue;
        }
        named.extend(set.name.as_deref().map(|name| (name, all.len())));
        all.push(Parameter { places: vec![(place, *slot)], among: set.among.clone() });
    }
    Ok(all)
}

fn twice(field: AnyField<'_>) -> ScheduleError {
    let what = format!("`{field}` is open in two places; one at a time");
    ScheduleError { at: field.at(), step: None, broken: Rule::Hole.broken(what) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_name_are_one() {
        let text = "1: (?N,8) (?,^ ; L2[?,1]) (?,FOR.1)\n?: ({1,2}~peel,?N~limit) (^,^ ; ^) (^,^)";
        let schedule = OpenSchedule::read(text).expect("well formed");
        let all = parameters(&schedule).expect("well formed");
        let names: Vec<String> = all.iter().map(|one| one.places[0].0.to_string()).collect();
        let wanted = [
            "step.1.size.1",
            "step.1.in.1.region",
            "step.1.out.1.layout.1",
            "step.1.core.1",
            "step.2.label",
            "step.2.size.1",
        ];
        assert_eq!(names, wanted);
        assert_eq!(all[0].places, [(Place::Size(0, 0), Slot::Tile), (Place::Size(1, 1), Slot::Tile)]);
        assert_eq!(all[5].among, [Item::One(1.into()), Item::One(2.into())]);
        assert_eq!(all[2].places[0].1, Slot::Dim);
    }

    #[test]
    fn fields_of_a_kind_are_left_open() {
        let text = "1: (8~peel,^) (SM[2/64,1] stages 2,^ ; REG nt) (THR.x,^)\n";
        for (kind, wanted) in [
            ("size", "1: (?~peel,^) (SM[2/64,1] stages 2,^ ; REG nt) (THR.x,^)\n"),
            ("core", "1: (8~peel,^) (SM[2/64,1] stages 2,^ ; REG nt) (?,^)\n"),
            ("region", "1: (8~peel,^) (?[2/64,1] stages 2,? ; ? nt) (THR.x,^)\n"),
            ("label", "?: (8~peel,^) (SM[2/64,1] stages 2,^ ; REG nt) (THR.x,^)\n"),
            ("layout", "1: (8~peel,^) (SM[?,?] stages 2,^ ; REG nt) (THR.x,^)\n"),
            ("word", "1: (8~peel,^) (SM[2/64,1] stages ?,^ ; REG nt) (THR.x,^)\n"),
        ] {
            let mut schedule = OpenSchedule::read(text).expect("well formed");
            open(&mut schedule, &[kind.parse().expect("a kind")]);
            assert_eq!(schedule.to_string(), wanted);
            assert!(parameters(&schedule).is_ok(), "{schedule}");
            assert_eq!(OpenSchedule::read(wanted), Ok(schedule));
        }
        assert!("tail".parse::<Kind>().is_err());
    }

    #[test]
    fn the_start_stays() {
        let text = "0: (8) (DM ; DM) (GPU.x)\n1: (1) (^ ; ^) (FOR.1)\n";
        let mut schedule = OpenSchedule::read(text).expect("well formed");
        open(&mut schedule, &[Kind::Size, Kind::Core, Kind::Label]);
        assert_eq!(schedule.to_string(), "0: (8) (DM ; DM) (GPU.x)\n?: (?) (^ ; ^) (?)\n");
    }
}
