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
fn lists_inside_of_words_and_numbers_are_lists_of_whole_values() {
    for (name, text, wanted) in [
        ("step.2.label", "1{2,4}", "{12,14}"),
        ("step.1.size.1", "1{2,4}", "{12,14}"),
        ("step.1.size.1", "{1,2}4~peel", "{14,24}~peel"),
        ("step.1.size.1", "1{2}8", "{128}"),
        ("step.1.size.1", "8~{li,ma}m", ""),
        ("step.1.size.1", "8~p{eel,ad}", "8~{peel,pad}"),
        ("step.1.size.1", "8{~peel,~mask}", "8~{peel,mask}"),
        ("step.1.size.1", "{8~peel,16~peel}", "{8,16}~peel"),
        ("step.1.size.1", "1{2,4}~{peel,mask}", "{12,14}~{peel,mask}"),
        ("step.1.size.1", "{8,16}~p{eel,ad}", "{8,16}~{peel,pad}"),
        ("step.2.in.1.region", "L{1,2}", "{L1,L2}"),
        ("step.2.in.1.region", "{S,D,R}M", "{SM,DM,RM}"),
        ("step.2.in.1.layout.1", "1{2,/4}", "{12,1/4}"),
        ("step.2.in.1.layout.1", "2/1{2,6}", "2/{12,16}"),
        ("step.2.in.1.layout.1", "2{/8,%8}", "{2/8,2%8}"),
        ("step.2.in.1.words.1", "stages=1{2,4}", "stages={12,14}"),
        ("step.1.core.1", "F{OR.1,OR.2}", "FOR.{1,2}"),
        ("step.1.core.1", "{BL,WR}K.x", ""),
        ("step.1.core.1", "T{HR}.x", "{THR}.x"),
        ("step.1.core.1", "{FOR.,BLK.,THR.}1", "{FOR,BLK,THR}.1"),
        ("step.1.core.1", "{THR.y,BLK.}x", ""),
        ("step.1.core.1", "{THR.y,FOR.1}(atomic)", "{THR.y,FOR.1}(atomic)"),
        ("step.1.core.1", "THR.{x(atomic),y}", "{THR.x(atomic),THR.y}"),
        ("step.1.core.1", "THR.x{(atomic),(partials)}", "THR.x({atomic,partials})"),
        ("step.1.core.1", "B?", "BLK.?"),
        ("step.1.core.1", "FOR?N(atomic)", "FOR.?N(atomic)"),
    ] {
        let place: Place = name.parse().expect("a name");
        let [mut inside, mut whole] = [(); 2].map(|()| read(OPEN.replace("..4~{", "{..4}~{").as_str()));
        let found = inside.read_at(place, text);
        assert_eq!(found.is_ok(), !wanted.is_empty(), "{text}: {found:?}");
        if found.is_ok() {
            whole.read_at(place, wanted).expect("well formed");
            assert_eq!(inside.field(place).expect("a field").to_string(), wanted, "{text}");
            assert_eq!(inside, whole, "{text}");
            assert_eq!(read(&inside.to_string()), inside, "{text}");
        }
    }
    let schedule = read("1{2,4}: (1{2,4},8) (A:L{1,2}[1{2,3}] stages 1{2,3},^ ; ^) (TH{R}.x,^)");
    let wanted = "{12,14}: ({12,14},8) ({L1,L2}[{12,13}] stages {12,13},^ ; ^) ({THR}.x,^)\n";
    assert_eq!(schedule.to_string(), wanted);
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
        ("1: ({0,4}) (;) (^)", "step 1: S-SYNTAX: `0` is no positive number"),
        ("1: ({8,16~peel}) (;) (^)", "step 1: S-SYNTAX: `~peel` is too much in `16~peel`"),
        ("1: (1{x,4}) (;) (^)", "step 1: S-SYNTAX: `x` is too much in size `1x`"),
        ("1: (1{}) (;) (^)", "step 1: S-EMPTY: `1{}` has nothing to choose from"),
        (
            "1: (1{2~peel,4}) (;) (^)",
            "step 1: S-HOLE: the alternatives of `1{2~peel,4}` differ in several parts",
        ),
        ("1: (1?) (;) (^)", "step 1: S-HOLE: the `?` of `1?` is a part of a value"),
        ("1: (8) (L? ; ) (^)", "step 1: S-HOLE: the `?` of `L?` is a part of a value"),
        ("1: (8) (L{1,4} ; ) (^)", "step 1: S-REGION: there is no region L4"),
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
