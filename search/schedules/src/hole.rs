//! Open fields of a draft, as parameters.

use std::str::FromStr;
use terrace_dialect_mdh::schedule::{Draft, DraftError, Token};

/// Where a field stands; numbers from 0
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Label of a step
    Label(usize),
    /// Size of a step's tile in a dimension
    Size(usize, usize),
    /// Core of a step's loop of a dimension
    Core(usize, usize),
    /// Region of an input's entry
    Input(usize, usize),
    /// Region of an output's entry
    Output(usize, usize),
    /// Part of a layout: step, is it an output, entry, part
    Layout(usize, bool, usize, usize),
    /// Number behind a word of an entry: step, is it an output, entry, word
    Word(usize, bool, usize, usize),
}

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
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Kind, String> {
        let found = Kind::ALL.iter().find(|(name, _)| *name == text);
        let names = || Kind::ALL.map(|(name, _)| name).join(", ");
        found.map(|(_, kind)| *kind).ok_or_else(|| format!("`{text}` is no kind of fields: {}", names()))
    }
}

/// Leave all fields of some kinds open. Tails stay, a size or core of `^` too: a step speaks of the dimensions that it tiles
pub fn open(draft: &mut Draft, kinds: &[Kind]) {
    let fields: Vec<String> = draft.fields().into_iter().map(|(field, _)| field).collect();
    // A step 0 says what holds before any other.
    let start = draft.steps.first().is_some_and(|step| step.label.text == "0");
    for field in fields.into_iter().filter(|field| !(start && field.starts_with("step.1."))) {
        let Some(kind) = Place::parse(&field).map(Place::kind).filter(|kind| kinds.contains(kind)) else {
            continue;
        };
        let Some(token) = draft.field_mut(&field) else { continue };
        let text = token.text.clone();
        let as_above = text.starts_with('^');
        *token = Token::new(match (kind, text.split_once('=')) {
            (Kind::Size | Kind::Core, _) if as_above => continue,
            (Kind::Word, Some((word, _))) => format!("{word}=?"),
            (Kind::Word, None) => continue,
            _ => format!("?{}", text.find('~').map_or("", |at| &text[at..])),
        });
    }
}

impl Place {
    /// Its kind
    pub fn kind(self) -> Kind {
        match self {
            Place::Label(_) => Kind::Label,
            Place::Size(..) => Kind::Size,
            Place::Core(..) => Kind::Core,
            Place::Input(..) | Place::Output(..) => Kind::Region,
            Place::Layout(..) => Kind::Layout,
            Place::Word(..) => Kind::Word,
        }
    }

    /// Of a field's name
    pub fn parse(field: &str) -> Option<Place> {
        let words: Vec<&str> = field.split('.').collect();
        let number = |n: usize| words.get(n)?.parse::<usize>().ok()?.checked_sub(1);
        let step = number(1)?;
        Some(match (*words.get(2)?, words.get(4).copied()) {
            ("label", _) => Place::Label(step),
            ("size", _) => Place::Size(step, number(3)?),
            ("core", _) => Place::Core(step, number(3)?),
            ("in", Some("region")) => Place::Input(step, number(3)?),
            ("out", Some("region")) => Place::Output(step, number(3)?),
            (side @ ("in" | "out"), Some("layout")) => {
                Place::Layout(step, side == "out", number(3)?, number(5)?)
            }
            (side @ ("in" | "out"), Some("words")) => {
                Place::Word(step, side == "out", number(3)?, number(5)?)
            }
            _ => return None,
        })
    }
}

/// An open field, or several of one name
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hole {
    /// Names of the fields; more than one for `?NAME`
    pub fields: Vec<String>,
    /// Where the first stands
    pub place: Place,
    /// What it may be, in the words of the text; empty: anything
    pub among: Vec<String>,
    /// What stays in front of the value, such as `stages=`, in each field
    pub prefixes: Vec<String>,
    /// What stays behind the value, such as `~peel`, in each field
    pub suffixes: Vec<String>,
}

/// The open fields of a draft in order of text
pub fn holes(draft: &Draft) -> Result<Vec<Hole>, DraftError> {
    let mut all: Vec<Hole> = Vec::new();
    let mut named: Vec<(String, usize)> = Vec::new();
    for (field, token) in draft.fields().into_iter().filter(|(_, token)| token.is_hole()) {
        let fail = |message: String| DraftError { at: token.at.clone(), message };
        let start = token.text.find(['?', '{']).unwrap_or(0);
        let (prefix, value) = token.text.split_at(start);
        let (name, among, suffix) = parts(value).map_err(fail)?;
        if suffix.contains(['?', '{']) {
            return Err(fail(format!("S-HOLE: `{}` is open in two places; one at a time", token.text)));
        }
        let prefix = prefix.to_owned();
        if let Some((_, at)) = named.iter().find(|(known, _)| !name.is_empty() && *known == name) {
            all[*at].fields.push(field);
            all[*at].prefixes.push(prefix);
            all[*at].suffixes.push(suffix);
            continue;
        }
        let place = Place::parse(&field).ok_or_else(|| fail(format!("`{field}` cannot be left open")))?;
        named.push((name, all.len()));
        all.push(Hole { fields: vec![field], place, among, prefixes: vec![prefix], suffixes: vec![suffix] });
    }
    Ok(all)
}

/// Name, list and suffix of a hole's text behind its prefix: `?`, `?N~peel`, `{4,8}~limit`
fn parts(text: &str) -> Result<(String, Vec<String>, String), String> {
    if let Some(rest) = text.strip_prefix('{') {
        let (list, suffix) = rest.split_once('}').ok_or_else(|| format!("S-SYNTAX: `{text}` has no `}}`"))?;
        let among: Vec<String> = list.split(',').filter(|word| !word.is_empty()).map(String::from).collect();
        if among.is_empty() {
            return Err(format!("S-EMPTY: `{text}` has nothing to choose from"));
        }
        return Ok((String::new(), among, suffix.into()));
    }
    let rest = text.strip_prefix('?').unwrap_or(text);
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    Ok((rest[..end].into(), Vec::new(), rest[end..].into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_of_a_name_are_one() {
        let draft =
            Draft::read("1: (?N,8) (?,^ ; L2[?,1]) (?,FOR.1)\n?: ({1,2}~peel,?N~limit) (^,^ ; ^) (^,^)");
        let all = holes(&draft.expect("well formed")).expect("well formed");
        let names: Vec<&str> = all.iter().map(|hole| hole.fields[0].as_str()).collect();
        let wanted = [
            "step.1.size.1",
            "step.1.in.1.region",
            "step.1.out.1.layout.1",
            "step.1.core.1",
            "step.2.label",
            "step.2.size.1",
        ];
        assert_eq!(names, wanted);
        assert_eq!(all[0].fields, ["step.1.size.1", "step.2.size.2"]);
        assert_eq!(all[0].suffixes, ["", "~limit"]);
        assert_eq!(
            (all[5].among.as_slice(), all[5].suffixes[0].as_str()),
            (["1".into(), "2".into()].as_slice(), "~peel")
        );
        assert_eq!(all[2].place, Place::Layout(0, true, 0, 0));
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
            let mut draft = Draft::read(text).expect("well formed");
            open(&mut draft, &[kind.parse().expect("a kind")]);
            assert_eq!(draft.to_string(), wanted);
            assert!(holes(&draft).is_ok(), "{draft}");
        }
        assert!("tail".parse::<Kind>().is_err());
    }

    #[test]
    fn the_start_stays() {
        let mut draft =
            Draft::read("0: (8) (DM ; DM) (GPU.x)\n1: (1) (^ ; ^) (FOR.1)\n").expect("well formed");
        open(&mut draft, &[Kind::Size, Kind::Core, Kind::Label]);
        assert_eq!(draft.to_string(), "0: (8) (DM ; DM) (GPU.x)\n?: (?) (^ ; ^) (?)\n");
    }

    #[test]
    fn an_empty_list_is_refused() {
        let draft = Draft::read("1: ({}) (;) (^)").expect("well formed");
        assert!(holes(&draft).expect_err("empty").message.starts_with("S-EMPTY"));
    }
}
