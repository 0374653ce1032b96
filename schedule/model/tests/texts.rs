//! Texts of schedules with open fields: what comes back, what is refused, and where.

use terrace_schedule_model::{Decision, OpenSchedule, Place, Rule, ScheduleError, Slot, spoken};

const OPEN: &str = "1: (8,?,^) (^,? ; ?N) (BLK.y,{THR.x,FOR.1},?)\n\
                    ?: ({1,2..4,div},?N,192~peel) (L2[2/?,1,2%64] stages ? swizzle {1,2},^ ; ^) (FOR.1,FOR.2,THR.x(partials))\n\
                    3: ({8,16}~?,..4~{limit,peel},{pow2,^}) (?,L1[?/8,{1,2%4}] nt ; {^,REG}) (FOR.?,{BLK,THR}.x,?(atomic))\n";

fn read(text: &str) -> OpenSchedule {
    OpenSchedule::read(text).expect("well formed")
}

#[test]
fn text_comes_back() {
    let text = OPEN.replace("..4~{", "{..4,9..}~{");
    let schedule = read(&text);
    assert_eq!(schedule.to_string(), text);
    assert_eq!(schedule.steps[1].sizes[0].to_string(), "{1,2..4,div}");
    let texts: Vec<String> = schedule.steps.iter().map(ToString::to_string).collect();
    assert_eq!(OpenSchedule::read_steps(texts.iter().map(String::as_str)), Ok(schedule));
}

#[test]
fn each_field_comes_back_by_its_name() {
    let schedule = read(&OPEN.replace("..4~{", "{..4}~{"));
    let mut again = read(
        "1: (^,^,^) (^,^ ; ^) (^,^,^)\n2: (^,^,^) (^[1,1,1] nt nt,^ ; ^) (^,^,^)\n3: (^,^,^) (^,^[1,1] nt ; ^) (^,^,^)",
    );
    for (place, field) in schedule.fields() {
        assert_eq!(place.to_string().parse(), Ok(place));
        again.read_at(place, &field.to_string()).expect("well formed");
    }
    assert_eq!(again, schedule);
    assert!(schedule.fields().iter().any(|(place, _)| place.to_string() == "step.2.in.1.layout.3"));
    assert!("step.0.label".parse::<Place>().is_err() && "step.2.in.1.width".parse::<Place>().is_err());
    assert!(schedule.field("step.2.size.4".parse().expect("a name")).is_none());
}

#[test]
fn comments_blanks_and_missing_labels() {
    let schedule = read("( 4 , ^ )( A:SM ; ^ ) // tiles\n ( ^, ^ ) /* cores */");
    assert_eq!(schedule.to_string(), "1: (4,^) (SM ; ^) (^,^)\n");
}

#[test]
fn decisions_fill_open_parts() {
    let mut schedule = read(&OPEN.replace("..4~{", "{..4}~{"));
    for (name, slot, text, wanted) in [
        ("step.1.size.2", Slot::Tile, "4", "4"),
        ("step.1.in.2.region", Slot::Region, "L2", "L2"),
        ("step.1.core.3", Slot::Core, "THR.x(atomic)", "THR.x(atomic)"),
        ("step.2.label", Slot::Label, "2", "2"),
        ("step.2.in.1.layout.1", Slot::Number, "32", "2/32"),
        ("step.2.in.1.words.1", Slot::Number, "3", "stages=3"),
        ("step.3.size.1", Slot::Tail, "peel", "{8,16}~peel"),
        ("step.3.size.1", Slot::Tile, "8", "8~peel"),
        ("step.3.in.2.layout.1", Slot::Dim, "2", "2/8"),
        ("step.3.in.2.layout.2", Slot::Dim, "2%4", "2%4"),
        ("step.3.core.1", Slot::At, "2", "FOR.2"),
        ("step.3.core.2", Slot::Layer, "BLK", "BLK.x"),
        ("step.3.core.3", Slot::Core, "THR.y", "THR.y(atomic)"),
    ] {
        let place: Place = name.parse().expect("a name");
        let open = schedule.clone();
        let decision = Decision::read(slot, text).expect("a value");
        assert_eq!(decision.to_string(), text);
        schedule.decide_at(place, slot, &decision);
        let filled = schedule.field(place).expect("a field").to_string();
        assert_eq!(filled, wanted, "{name}");
        if !schedule.field(place).expect("a field").is_open() {
            assert_eq!(open.decision(&schedule, place, slot), Some(decision), "{name}");
        }
    }
}

#[test]
fn holes_are_refused_by_name_and_place() {
    let schedule = read("1: (8,?) (^ ; ^) (^,^)");
    let error = schedule.decided().expect_err("a hole");
    assert_eq!((error.at.clone(), error.rule()), (6..7, Some(Rule::Hole)));
    assert!(error.to_string().starts_with("step 1: S-HOLE: size `?` is open"), "{error}");
    assert_eq!(spoken("step.1.size.2"), "size 2 of step 1");
}

#[test]
fn mistakes_have_a_place() {
    let wrong = |text: &str| -> ScheduleError {
        OpenSchedule::read(text).and_then(|schedule| schedule.decided()).expect_err("wrong")
    };
    assert_eq!(wrong("1: (8,,2) (;) ()").at, 6..7);
    assert_eq!(wrong("1: (8x) (;) (^)").at, 4..6);
    for (text, wanted) in [
        ("1: (8 2) (;) ()", "S-SYNTAX: expected `)` before `2) (;) (`"),
        ("1: (8", "S-SYNTAX: expected `)`, and there is no more"),
        ("1: (8x) (;) (^)", "step 1: S-SYNTAX: `x` is too much in size `8x`"),
        ("1: ({}) (;) (^)", "step 1: S-EMPTY: `{}` has nothing to choose from"),
        ("1: ({8,x}) (;) (^)", "step 1: S-SYNTAX: `x` is no positive number"),
        ("1: (8) (L1 nt nt ; ) (^)", "step 1: S-WORD: `nt` twice"),
        ("1: (8) (^ stages 2 ; ) (^)", "step 1: S-WORD: `stages 2` of `^`: words are said of a buffer"),
        ("1: (8) (L1 stage 2 ; ) (^)", "step 1: S-WORD: `stage` is no word; `stages` is"),
        ("1: (8) (L1 stages 2x ; ) (^)", "step 1: S-SYNTAX: `x` is too much in `stages 2x`"),
        ("1: (8) (; ) (FOR.x1)", "step 1: S-AXIS: `FOR.x1`: FOR has numbers"),
        ("1: (8) (; ) (THR.x(what))", "step 1: S-ATOMIC: there is no mechanism `(what)`"),
    ] {
        let error = wrong(text);
        assert!(error.to_string().starts_with(wanted), "{error}");
        assert!(text.get(error.at.clone()).is_some(), "{:?}", error.at);
    }
    for text in ["1: (8) /* (;) ()", "1: (8", "1", "1: (8) (^"] {
        wrong(text);
    }
}
