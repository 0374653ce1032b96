//! One field of a step: labels, sizes, parts of layouts, regions, words, cores.
//!
//! | field | |
//! |---|---|
//! | size | number or `^` (as above), then `~limit`, `~mask`, `~peel` or `~pad` when it need not divide |
//! | memory | `^` (no new buffer) or `REGION`, `REGION[2/64,1,2%64]`: dimensions of the buffer from 1 in storage order; then words |
//! | word | `nt` (non-temporal stores of results), `stages 3` (copies run two iterations ahead), `swizzle 1` (rows are rotated against each other), `xor 4` (groups of four are permuted in each row), `prefetch 1` (prefetched an iteration ahead) |
//! | core | `^` (as above) or `LAYER.axis`, then a mechanism in parentheses |
//!
//! In place of each part there may be a hole: `?` (anything), `?N` (anything, the same wherever `?N` stands) or a list `{4,8}`.
//! A list may stand inside of a word or a number, `L{1,2}`, see `within`.

use crate::broken::{Broken, Rule};
use crate::buffer_words::Word;
use crate::decision::{Decision, Slot, Value};
use crate::open::{Field, Item, Open, Set};
use crate::values::{Core, CoreAt, Part, Size, Tail};
use std::fmt;
use terrace_devices::{Axis, Layer, Mechanism, Region};

type Read<T> = Result<T, Broken>;

/// A type of fields that has a text
pub trait Spelled: Value {
    /// The parts that can be open; what has other parts comes after them
    const SLOTS: &'static [Slot];

    /// From a text without blanks
    fn read(reader: &mut Reader<'_>) -> Read<Open<Self>>;

    /// As text; an open part is what `open` says
    fn spell(&self, open: &dyn Fn(Slot) -> Option<String>) -> String;
}

/// A field whose lists have whole values of its parts
pub(super) fn exact<T: Spelled>(text: &str) -> Read<Open<T>> {
    let mut reader = Reader { rest: text };
    let value = T::read(&mut reader)?;
    match reader.rest {
        "" => Ok(value),
        rest => Err(syntax(format!("`{rest}` is too much in {} `{text}`", T::WHAT))),
    }
}

impl<T: Spelled> Field<T> {
    /// From a text without blanks, which stands nowhere
    pub fn read(text: &str) -> Result<Field<T>, Broken> {
        Ok(Field { value: Open::read(text)?, at: 0..0 })
    }
}

impl<T: Spelled> fmt::Display for Field<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.frame().spell(&|slot| self.set(slot).map(Set::to_string)))
    }
}

fn syntax(what: impl Into<String>) -> Broken {
    Rule::Syntax.broken(what)
}

/// What is left of a field
pub struct Reader<'a> {
    rest: &'a str,
}

/// A hole before it is known what part of a field it stands for
struct Raw<'a> {
    name: &'a str,
    list: Vec<&'a str>,
}

impl Raw<'_> {
    fn of(&self, slot: Slot) -> Read<Set> {
        let among = self.list.iter().map(|word| item(slot, word)).collect::<Read<Vec<Item>>>()?;
        Ok(Set { name: Some(self.name.to_owned()).filter(|name| !name.is_empty()), among })
    }
}

impl<'a> Reader<'a> {
    fn opt(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Read<()> {
        if self.opt(token) {
            return Ok(());
        }
        let found: String = self.rest.chars().take(8).collect();
        Err(syntax(format!("expected `{token}` before `{found}`")))
    }

    fn word(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !test(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn number(&mut self) -> Read<i64> {
        let all = self.rest;
        let word = self.word(|c| c.is_ascii_digit());
        if let Ok(number @ 1..) = word.parse::<i64>() {
            return Ok(number);
        }
        if !word.trim_start_matches('0').is_empty() {
            return Err(syntax(format!("`{word}` is too large: {} at most", i64::MAX)));
        }
        // What stands there instead, up to the next mark of a step.
        let end = all.find(|c: char| c.is_whitespace() || ",;:()".contains(c)).unwrap_or(all.len());
        match &all[..end] {
            "" => Err(syntax("a positive number is missing")),
            found => Err(syntax(format!("`{found}` is no positive number"))),
        }
    }

    fn name(&mut self) -> Read<&'a str> {
        let word = self.word(|c| c.is_ascii_alphanumeric());
        if word.is_empty() { Err(syntax("expected a name")) } else { Ok(word) }
    }

    /// A hole, if there is one
    fn hole(&mut self) -> Read<Option<Raw<'a>>> {
        let all = self.rest;
        if self.opt("?") {
            let name = self.word(|c| c.is_ascii_alphanumeric() || c == '_');
            return Ok(Some(Raw { name, list: Vec::new() }));
        }
        if !self.opt("{") {
            return Ok(None);
        }
        let Some((list, rest)) = self.rest.split_once('}') else {
            return Err(syntax(format!("`{all}` has no `}}`")));
        };
        self.rest = rest;
        let list: Vec<&str> = list.split(',').filter(|word| !word.is_empty()).collect();
        match list.is_empty() {
            true => Err(Rule::Empty.broken(format!("`{all}` has nothing to choose from"))),
            false => Ok(Some(Raw { name: "", list })),
        }
    }

    /// A part of a field, or a hole for it, for which `instead` stands in the frame
    fn part<T>(
        &mut self,
        open: &mut Vec<(Slot, Set)>,
        slot: Slot,
        instead: T,
        read: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<T> {
        match self.hole()? {
            None => read(self),
            Some(raw) => {
                open.push((slot, raw.of(slot)?));
                Ok(instead)
            }
        }
    }

    fn label(&mut self) -> Read<usize> {
        if self.rest == "0" {
            self.rest = "";
            return Ok(0);
        }
        Ok(self.number()? as usize)
    }

    fn tile(&mut self) -> Read<Option<i64>> {
        if self.opt("^") { Ok(None) } else { self.number().map(Some) }
    }

    fn tail(&mut self) -> Read<Tail> {
        let word = self.word(|c| c.is_ascii_alphabetic());
        if word.is_empty() {
            return Ok(Tail::ALL[0]);
        }
        word.parse().map_err(|()| syntax(format!("`~{word}` is not limit, mask, peel or pad")))
    }

    fn dim(&mut self) -> Read<usize> {
        Ok(self.number()? as usize - 1)
    }

    fn region(&mut self) -> Read<Option<Region>> {
        if self.opt("^") {
            return Ok(None);
        }
        let word = self.name()?;
        let none = || format!("there is no region {word}; MM L3 L2 L1 REG, DM SM RM are");
        word.parse().map(Some).map_err(|()| Rule::Region.broken(none()))
    }

    /// The beginning of a layer with a hole after it, `B?`: it says what `BLK.?` does
    fn begun_layer(&mut self) -> Option<Layer> {
        let (word, hole) = self.rest.split_at(self.rest.find('?')?);
        let mut found = Layer::ALL.iter().filter(|own| !word.is_empty() && own.word().starts_with(word));
        let layer = found.next().filter(|_| found.next().is_none())?;
        self.rest = hole;
        Some(*layer)
    }

    fn layer(&mut self) -> Read<Layer> {
        let word = self.name()?;
        word.parse().map_err(|()| {
            let known = Layer::WORDS.join(", ");
            Rule::Layer.broken(format!("there is no layer {word}; it is one of {known}"))
        })
    }

    fn core_at(&mut self, layer: Option<Layer>) -> Read<CoreAt> {
        let word = self.name()?;
        match (word.parse::<Axis>(), word.parse::<u32>(), layer) {
            (Ok(axis), _, _) => Ok(CoreAt::Axis(axis)),
            (_, Ok(number), _) => Ok(CoreAt::Number(number)),
            (_, _, Some(layer)) if layer.is_sequential() => {
                Err(Rule::Axis.broken(format!("`{layer}.{word}`: {layer} has numbers, the order of loops")))
            }
            (_, _, layer) => {
                let layer = layer.map_or("?", Layer::word);
                Err(Rule::Axis.broken(format!("`{layer}.{word}`: the axis is x, y or z")))
            }
        }
    }

    fn mechanism(&mut self) -> Read<Mechanism> {
        let word = self.name()?;
        let known = Mechanism::OF_SCHEDULES;
        known.into_iter().find(|known| known.word() == word).ok_or_else(|| {
            let known = known.map(Mechanism::word).join(", ");
            Rule::Atomic.broken(format!("there is no mechanism `({word})`; it is one of {known}"))
        })
    }
}

/// A member of a list
fn item(slot: Slot, text: &str) -> Read<Item> {
    if slot == Slot::Tile {
        match text {
            "div" => return Ok(Item::Divisors),
            "pow2" => return Ok(Item::Powers),
            "blocks" => return Ok(Item::Blocks),
            _ => {}
        }
        if let Some((low, high)) = text.split_once("..") {
            let bound = |text: &str| match text {
                "" => Ok(None),
                _ => decision(slot, text).map(|found| match found {
                    Decision::Number(number) => Some(number),
                    _ => None,
                }),
            };
            return Ok(Item::Range(bound(low)?, bound(high)?));
        }
    }
    decision(slot, text).map(Item::One)
}

impl Decision {
    /// What may be chosen for a part of a field, from its text
    pub fn read(slot: Slot, text: &str) -> Result<Decision, Broken> {
        decision(slot, text)
    }
}

fn decision(slot: Slot, text: &str) -> Read<Decision> {
    let mut reader = Reader { rest: text };
    let found = match slot {
        Slot::Label => Decision::Number(reader.label()? as i64),
        Slot::Tile => reader.tile()?.map_or(Decision::Above, Decision::Number),
        Slot::Tail => Decision::Tail(reader.tail()?),
        Slot::Core => match Option::<Core>::read(&mut reader)? {
            Open::Is(core) => core.map_or(Decision::Above, Decision::Core),
            Open::Hole(_) => return Err(nested(text)),
        },
        Slot::Layer => Decision::Layer(reader.layer()?),
        Slot::At => match reader.core_at(None)? {
            CoreAt::Axis(axis) => Decision::Axis(axis),
            CoreAt::Number(number) => Decision::Number(i64::from(number)),
        },
        Slot::Mechanism => Decision::Mechanism(reader.mechanism()?),
        Slot::Region => reader.region()?.map_or(Decision::Above, Decision::Region),
        Slot::Dim => match Part::read(&mut reader)? {
            Open::Is(Part::Whole(dim)) => Decision::Number(dim as i64 + 1),
            Open::Is(part) => Decision::Part(part),
            Open::Hole(_) => return Err(nested(text)),
        },
        Slot::Number => Decision::Number(reader.number()?),
    };
    match reader.rest {
        "" => Ok(found),
        rest => Err(syntax(format!("`{rest}` is too much in `{text}`"))),
    }
}

fn nested(text: &str) -> Broken {
    syntax(format!("`{text}` is open inside of a list"))
}

impl Spelled for usize {
    const SLOTS: &'static [Slot] = &[Slot::Label];

    fn read(reader: &mut Reader<'_>) -> Read<Open<usize>> {
        let mut open = Vec::new();
        let label = reader.part(&mut open, Slot::Label, 0, Reader::label)?;
        Ok(Open::of(label, open))
    }

    fn spell(&self, open: &dyn Fn(Slot) -> Option<String>) -> String {
        open(Slot::Label).unwrap_or_else(|| self.to_string())
    }
}

impl Spelled for Size {
    const SLOTS: &'static [Slot] = &[Slot::Tile, Slot::Tail];

    fn read(reader: &mut Reader<'_>) -> Read<Open<Size>> {
        let mut open = Vec::new();
        let value = reader.part(&mut open, Slot::Tile, None, Reader::tile)?;
        let tail = match reader.opt("~") {
            true => Some(reader.part(&mut open, Slot::Tail, Tail::Limit, Reader::tail)?),
            false => None,
        };
        Ok(Open::of(Size { value, tail }, open))
    }

    fn spell(&self, open: &dyn Fn(Slot) -> Option<String>) -> String {
        let tile = || self.value.map_or("^".to_owned(), |value| value.to_string());
        let tile = open(Slot::Tile).unwrap_or_else(tile);
        match self.tail {
            None => tile,
            Some(tail) => format!("{tile}~{}", open(Slot::Tail).unwrap_or_else(|| tail.word().to_owned())),
        }
    }
}

/// What stands in the frame of a core for an open layer, axis or number
const ANY_CORE: Core = Core { layer: Layer::For, at: CoreAt::Number(1), mechanism: None };

impl Spelled for Option<Core> {
    const SLOTS: &'static [Slot] = &[Slot::Layer, Slot::At, Slot::Mechanism, Slot::Core];

    fn read(reader: &mut Reader<'_>) -> Read<Open<Option<Core>>> {
        if reader.opt("^") {
            return Ok(Open::Is(None));
        }
        let mut open = Vec::new();
        let mut core = ANY_CORE;
        let (mut whole, mut begun) = (false, false);
        let known = match reader.hole()? {
            Some(raw) => {
                whole = !reader.rest.starts_with('.');
                let slot = if whole { Slot::Core } else { Slot::Layer };
                open.push((slot, raw.of(slot)?));
                None
            }
            None => match reader.begun_layer() {
                Some(layer) => {
                    begun = true;
                    Some(layer)
                }
                None => Some(reader.layer()?),
            },
        };
        core.layer = known.unwrap_or(core.layer);
        if !whole {
            if !begun {
                reader.expect(".")?;
            }
            core.at = reader.part(&mut open, Slot::At, core.at, |reader| reader.core_at(known))?;
        }
        if reader.opt("(") {
            let found = reader.part(&mut open, Slot::Mechanism, Mechanism::Auto, Reader::mechanism)?;
            core.mechanism = Some(found);
            reader.expect(")")?;
        }
        let nothing = whole && core.mechanism.is_none();
        Ok(Open::of(Some(core).filter(|_| !nothing), open))
    }

    fn spell(&self, open: &dyn Fn(Slot) -> Option<String>) -> String {
        let mechanism = self.and_then(|core| core.mechanism).map(|mechanism| {
            format!("({})", open(Slot::Mechanism).unwrap_or_else(|| mechanism.word().to_owned()))
        });
        let core = match (open(Slot::Core), self) {
            (Some(whole), _) => whole,
            (None, None) => "^".into(),
            (None, Some(core)) => {
                let layer = open(Slot::Layer).unwrap_or_else(|| core.layer.word().to_owned());
                format!("{layer}.{}", open(Slot::At).unwrap_or_else(|| core.at.to_string()))
            }
        };
        core + &mechanism.unwrap_or_default()
    }
}

impl Spelled for Option<Region> {
    const SLOTS: &'static [Slot] = &[Slot::Region];

    fn read(reader: &mut Reader<'_>) -> Read<Open<Option<Region>>> {
        let mut open = Vec::new();
        let region = reader.part(&mut open, Slot::Region, None, Reader::region)?;
        Ok(Open::of(region, open))
    }

    fn spell(&self, open: &dyn Fn(Slot) -> Option<String>) -> String {
        open(Slot::Region).unwrap_or_else(|| self.map_or("^", Region::word).to_owned())
    }
}

impl Spelled for Part {
    const SLOTS: &'static [Slot] = &[Slot::Dim, Slot::Number];

    fn read(reader: &mut Reader<'_>) -> Read<Open<Part>> {
        let mut open = Vec::new();
        let dim = reader.part(&mut open, Slot::Dim, 0, Reader::dim)?;
        let part = if reader.opt("/") {
            Part::Div(dim, reader.part(&mut open, Slot::Number, 1, Reader::number)?)
        } else if reader.opt("%") {
            Part::Mod(dim, reader.part(&mut open, Slot::Number, 1, Reader::number)?)
        } else {
            Part::Whole(dim)
        };
        Ok(Open::of(part, open))
    }

    fn spell(&self, open: &dyn Fn(Slot) -> Option<String>) -> String {
        let dim = open(Slot::Dim).unwrap_or_else(|| (self.dim() + 1).to_string());
        let by = |by: i64| open(Slot::Number).unwrap_or_else(|| by.to_string());
        match self {
            Part::Whole(_) => dim,
            Part::Div(_, width) => format!("{dim}/{}", by(*width)),
            Part::Mod(_, width) => format!("{dim}%{}", by(*width)),
        }
    }
}

impl Spelled for Word {
    const SLOTS: &'static [Slot] = &[Slot::Number];

    fn read(reader: &mut Reader<'_>) -> Read<Open<Word>> {
        let name = reader.word(|c| c != '=');
        let Some((name, word)) = Word::KNOWN.iter().find(|(known, _)| *known == name) else {
            let near = Word::KNOWN.iter().find(|(known, _)| {
                known.starts_with(name)
                    || name.starts_with(known)
                    || name.get(..3).is_some_and(|n| known.starts_with(n))
            });
            let what = match near {
                Some((near, _)) => format!("`{name}` is no word; `{near}` is"),
                None => format!("`{name}` is no word; words are nt, stages N, swizzle N, xor N, prefetch N"),
            };
            return Err(Rule::Word.broken(what));
        };
        let wrong = |what: String| Err(Rule::Word.broken(what));
        match (reader.opt("="), word.number()) {
            (false, None) => return Ok(Open::Is(*word)),
            (true, None) => return wrong(format!("`{name}` takes no number")),
            (false, Some(_)) => return wrong(format!("`{name}` takes a number, such as `{name} 2`")),
            (true, Some(_)) => {}
        }
        let (mut open, value) = (Vec::new(), reader.rest);
        let number = reader.part(&mut open, Slot::Number, 1, Reader::number)?;
        match reader.rest {
            "" => Ok(Open::of(word.counting(number).unwrap_or(*word), open)),
            rest => Err(syntax(format!("`{rest}` is too much in `{name} {value}`"))),
        }
    }

    fn spell(&self, open: &dyn Fn(Slot) -> Option<String>) -> String {
        match self.number() {
            None => self.name().to_owned(),
            Some(number) => {
                format!("{}={}", self.name(), open(Slot::Number).unwrap_or_else(|| number.to_string()))
            }
        }
    }
}

impl Word {
    /// The words; the number has no meaning
    const KNOWN: [(&'static str, Word); 5] = [
        ("nt", Word::Nt),
        ("stages", Word::Stages(1)),
        ("swizzle", Word::Swizzle(1)),
        ("xor", Word::Xor(1)),
        ("prefetch", Word::Prefetch(1)),
    ];

    /// The word without its number
    pub fn name(self) -> &'static str {
        let same = |known: &Word| std::mem::discriminant(known) == std::mem::discriminant(&self);
        Word::KNOWN.iter().find(|(_, known)| same(known)).map_or("", |(name, _)| name)
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.among.is_empty() {
            return write!(f, "?{}", self.name.as_deref().unwrap_or(""));
        }
        let all: Vec<String> = self.among.iter().map(Item::to_string).collect();
        write!(f, "{{{}}}", all.join(","))
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |bound: &Option<i64>| bound.map_or(String::new(), |n| n.to_string());
        match self {
            Item::One(decision) => decision.fmt(f),
            Item::Range(low, high) => write!(f, "{}..{}", bound(low), bound(high)),
            Item::Divisors => f.write_str("div"),
            Item::Powers => f.write_str("pow2"),
            Item::Blocks => f.write_str("blocks"),
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decision::Above => f.write_str("^"),
            Decision::Number(number) => number.fmt(f),
            Decision::Tail(tail) => f.write_str(tail.word()),
            Decision::Core(core) => core.fmt(f),
            Decision::Layer(layer) => layer.fmt(f),
            Decision::Axis(axis) => f.write_str(axis.name()),
            Decision::Mechanism(mechanism) => mechanism.fmt(f),
            Decision::Region(region) => region.fmt(f),
            Decision::Part(part) => part.fmt(f),
            Decision::Level(level) => level.fmt(f),
            Decision::Merged => f.write_str("fused"),
            Decision::Order(order) => {
                let all: Vec<String> = order.iter().map(usize::to_string).collect();
                f.write_str(&all.join("."))
            }
            Decision::There(there) => u8::from(*there).fmt(f),
            Decision::Word(word) => f.write_str(word),
        }
    }
}
