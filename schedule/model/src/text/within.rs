//! Lists inside of a word or a number: `L{1,2}` is `{L1,L2}`, `1{2,4}~peel` is `{12,14}~peel`.
//!
//! Such a field is read as its alternatives. The part in which they differ is open, and printing puts the list there.

use super::field::{Spelled, exact};
use crate::broken::{Broken, Rule};
use crate::open::{Item, Open, Set};

/// Most lists in a text; every further one multiplies the alternatives
const MOST_LISTS: usize = 2;

impl<T: Spelled> Open<T> {
    /// From a text without blanks
    pub fn read(text: &str) -> Result<Open<T>, Broken> {
        exact(text).or_else(|failed| match text.contains(['{', '?']) {
            true => alternatives(text, failed),
            false => Err(failed),
        })
    }
}

/// A field that `failed` to be read part by part, as the alternatives that its first list gives
fn alternatives<T: Spelled>(text: &str, failed: Broken) -> Result<Open<T>, Broken> {
    let lists = text.matches('{').count();
    let Some((before, (list, after))) =
        text.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    else {
        return Err(if text.contains('?') { whole(text, failed) } else { failed });
    };
    if lists > MOST_LISTS {
        return Err(failed);
    }
    let words = list.split(',').filter(|word| !word.is_empty());
    let all = words.map(|word| Open::read(&format!("{before}{word}{after}"))).collect();
    let all: Vec<Open<T>> = match all {
        Ok(all) => all,
        // An alternative as a whole is named only where the list has no whole values.
        Err(own) => return Err(if inside(before, after) { own } else { failed }),
    };
    if all.is_empty() {
        return Err(Rule::Empty.broken(format!("`{text}` has nothing to choose from")));
    }
    unite(&all).ok_or_else(|| match inside(before, after) {
        true => Rule::Hole.broken(format!("the alternatives of `{text}` differ in several parts")),
        false => failed,
    })
}

/// Does a list touch a word or a number?
fn inside(before: &str, after: &str) -> bool {
    before.ends_with(|c: char| c.is_ascii_alphanumeric())
        || after.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// A `?` behind the beginning of a value
fn whole(text: &str, failed: Broken) -> Broken {
    let begins = text.split('?').next().is_some_and(|before| inside(before, ""));
    match begins {
        true => Rule::Hole.broken(format!(
            "the `?` of `{text}` is a part of a value; it stands for a whole one, a list for parts"
        )),
        false => failed,
    }
}

/// The field with one open part that these are; nothing where they differ in several
fn unite<T: Spelled>(all: &[Open<T>]) -> Option<Open<T>> {
    let open = all.first()?.sets();
    if all.iter().any(|one| one.sets() != open) {
        return None;
    }
    let slots = || T::SLOTS.iter().filter(|slot| open.iter().all(|(own, _)| own != *slot));
    // A part of a given alternative comes first, then values that bring their other parts along.
    let blank = exact::<T>("?").ok();
    all.iter().chain(&blank).map(Open::frame).find_map(|frame| {
        slots().find_map(|slot| {
            let decision = |one: &Open<T>| {
                let decision = one.frame().part(*slot, frame)?;
                (frame.with(*slot, &decision).as_ref() == Some(one.frame())).then_some(Item::One(decision))
            };
            let among = all.iter().map(decision).collect::<Option<Vec<Item>>>()?;
            let list = Set { name: None, among };
            let text = frame.spell(&|own| {
                let set = open.iter().find(|(other, _)| *other == own).map(|(_, set)| set);
                if own == *slot { Some(&list) } else { set }.map(Set::to_string)
            });
            exact::<T>(&text).ok().filter(|field| field.sets().len() == open.len() + 1)
        })
    })
}
