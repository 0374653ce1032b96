//! Random schedules with open parts: what is printed reads back, decisions find their way in and out.

use terrace_schedule_model::{Decision, Holes, OpenSchedule, Place, Schedule, Slot};
use terrace_support::Random;

/// One of several texts, or a hole for them
fn part(random: &mut Random, words: &[&str], name: &str) -> String {
    match random.below(6) {
        0 => "?".into(),
        1 => format!("?{name}"),
        2 => {
            let first = random.below(words.len());
            let all: Vec<&str> =
                (0..1 + random.below(words.len())).map(|n| words[(first + n) % words.len()]).collect();
            format!("{{{}}}", all.join(","))
        }
        _ => random.pick(words).into(),
    }
}

fn size(random: &mut Random) -> String {
    let tile = part(random, &["1", "8", "30", "^"], "T");
    match random.below(3) {
        0 => format!("{tile}~{}", part(random, &["limit", "mask", "peel", "pad"], "tail")),
        1 if tile.starts_with('{') => tile.replace('}', ",2..16,div,pow2}"),
        _ => tile,
    }
}

fn entry(random: &mut Random, result: bool) -> String {
    let mut text = part(random, &["L1", "L2", "SM", "REG", "MM"], "R");
    match random.below(4) {
        0 => text += &format!("[{},1]", part(random, &["2", "3"], "d")),
        1 => text += &format!("[2/{0},1,2%{0}]", random.pick(&["4", "16", "?w", "{4,8}"])),
        _ => {}
    }
    for word in ["stages", "swizzle", "xor", "prefetch"] {
        if random.below(6) == 0 {
            text += &format!(" {word} {}", part(random, &["1", "2", "4"], "n"));
        }
    }
    if result && random.below(4) == 0 {
        text += " nt";
    }
    if random.below(4) == 0 { "^".into() } else { text }
}

fn core(random: &mut Random) -> String {
    let text = match random.below(5) {
        0 => "^".into(),
        1 => return part(random, &["FOR.1", "THR.x", "^"], "C"),
        2 => format!("FOR.{}", part(random, &["1", "2", "3"], "k")),
        3 => format!("{}.x", part(random, &["THR", "BLK", "WRP"], "L")),
        _ => format!("THR.{}", part(random, &["x", "y", "z"], "a")),
    };
    match random.below(4) {
        0 if text != "^" => format!("{text}({})", part(random, &["atomic", "partials", "shared"], "m")),
        _ => text,
    }
}

fn text(random: &mut Random) -> String {
    let mut all = String::new();
    for _ in 0..1 + random.below(3) {
        let mut list = |one: &mut dyn FnMut(&mut Random) -> String| {
            (0..1 + random.below(3)).map(|_| one(random)).collect::<Vec<_>>().join(",")
        };
        let sizes = list(&mut size);
        let ins = list(&mut |random| entry(random, false));
        let outs = list(&mut |random| entry(random, true));
        let cores = list(&mut core);
        let label = part(random, &["1", "2", "3"], "p");
        all += &format!("{label}: ({sizes}) ({ins} ; {outs}) ({cores})\n");
    }
    all
}

#[test]
fn what_is_read_is_what_is_printed() {
    let mut random = Random::new(41);
    for round in 0..2000 {
        let text = text(&mut random);
        let schedule = OpenSchedule::read(&text).unwrap_or_else(|error| panic!("{round}: {error}\n{text}"));
        let printed = schedule.to_string();
        assert_eq!(OpenSchedule::read(&printed).as_ref(), Ok(&schedule), "{round}: {text}");
        assert_eq!(printed, text, "{round}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(OpenSchedule::read_steps(lines), Ok(schedule), "{round}");
    }
}

#[test]
fn blanks_and_comments_are_nothing() {
    let mut random = Random::new(42);
    for _ in 0..500 {
        let text = text(&mut random);
        let wide = text.replace(',', " , /* next */ ").replace(") (", ")\n  // then\n(").replace('.', " . ");
        // Bounds of a range have dots of their own.
        if !text.contains("..") {
            assert_eq!(OpenSchedule::read(&wide), OpenSchedule::read(&text), "{wide}");
        }
    }
}

/// Texts of values that a part may be
fn values(slot: Slot) -> &'static [&'static str] {
    match slot {
        Slot::Label | Slot::Number | Slot::Dim => &["1", "2", "4"],
        Slot::Tile => &["1", "12", "^"],
        Slot::Tail => &["limit", "mask", "peel", "pad"],
        Slot::Core => &["FOR.2", "BLK.z", "THR.y(shuffle)", "^"],
        Slot::Layer => &["FOR", "THR", "CPU"],
        Slot::At => &["x", "z", "3"],
        Slot::Mechanism => &["atomic", "kernel", "shared", "shuffle", "partials"],
        Slot::Region => &["L3", "SM", "DM", "^"],
    }
}

/// The open parts with their places
fn open(schedule: &Schedule<Holes>) -> Vec<(Place, Slot)> {
    let fields = schedule.fields();
    fields.iter().flat_map(|(place, field)| field.sets().iter().map(|(slot, _)| (*place, *slot))).collect()
}

#[test]
fn each_open_part_takes_its_values_and_no_others() {
    let mut random = Random::new(43);
    let mut decided = 0;
    for round in 0..500 {
        let mut schedule = OpenSchedule::read(&text(&mut random)).expect("well formed");
        let frame = schedule.clone();
        for (place, slot) in open(&frame) {
            let before = open(&schedule).len();
            let own = Decision::read(slot, random.pick(values(slot))).expect("a value");
            schedule.decide_at(place, slot, &Decision::Word("no".into()));
            assert_eq!(open(&schedule).len(), before, "{round}: nothing is called so");
            schedule.decide_at(place, slot, &own);
            assert_eq!(open(&schedule).len(), before - 1, "{round}: {place} {slot:?} {own}");
        }
        assert!(schedule.is_decided() && open(&schedule).is_empty());
        decided += usize::from(frame != schedule);
        // Its text says nothing open.
        assert!(!schedule.to_string().contains(['?', '{']), "{schedule}");
    }
    assert!(decided > 400, "{decided}");
}

#[test]
fn fields_have_names_that_find_them() {
    let mut random = Random::new(44);
    for _ in 0..300 {
        let schedule = OpenSchedule::read(&text(&mut random)).expect("well formed");
        for (place, field) in schedule.fields() {
            let name = place.to_string();
            assert_eq!(name.parse(), Ok(place));
            assert_eq!(schedule.field(place).expect("there").to_string(), field.to_string());
            assert!(place.spoken().ends_with(&format!("step {}", place.step() + 1)), "{}", place.spoken());
        }
    }
}

#[test]
fn places_in_the_source_are_those_of_the_fields() {
    let mut random = Random::new(45);
    for _ in 0..300 {
        let text = text(&mut random);
        let schedule = OpenSchedule::read(&text).expect("well formed");
        for (place, field) in schedule.fields() {
            let own = text.get(field.at()).expect("in the text");
            assert_eq!(own.replacen(' ', "=", 1), field.to_string(), "{place} of {text}");
        }
    }
}

#[test]
fn texts_that_are_cut_off_are_refused_or_shorter() {
    let mut random = Random::new(46);
    for _ in 0..60 {
        let text = text(&mut random);
        let whole = OpenSchedule::read(&text).expect("well formed");
        for end in 0..text.len() {
            match OpenSchedule::read(&text[..end]) {
                Ok(part) => assert_eq!(part.steps, whole.steps[..part.steps.len()], "{}", &text[..end]),
                Err(error) => assert!(error.at.end <= end && error.at.start <= error.at.end),
            }
        }
    }
}

#[test]
fn characters_that_do_not_belong_are_no_crash() {
    let mut random = Random::new(47);
    let other =
        ['(', ')', ';', ',', '{', '}', '?', '~', '^', '[', ']', ':', '.', '0', 'x', 'ß', '/', '*', ' '];
    let mut refused = 0;
    for _ in 0..3000 {
        let mut all: Vec<char> = text(&mut random).chars().collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(all.len());
            all[at] = random.pick(&other);
        }
        let text: String = all.into_iter().collect();
        match OpenSchedule::read(&text) {
            Ok(schedule) => assert_eq!(OpenSchedule::read(&schedule.to_string()), Ok(schedule), "{text}"),
            Err(error) => {
                refused += 1;
                assert!(text.get(error.at.clone()).is_some(), "{error} at {:?} of {text}", error.at);
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}
