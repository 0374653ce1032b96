//! Fields that are open in part: what is known of them, what the text states of them, and what fills them.

use terrace_devices::{Axis, Layer, Mechanism, Region};
use terrace_schedule_model::open::{Item, Open};
use terrace_schedule_model::{
    Core, CoreAt, Decision, Entry, EntryPlace, Field, Holes, OpenSchedule, Part, Place, Placement, Schedule,
    ScheduleError, Size, Slot, Step, Tail, Word, Words, spoken,
};

fn size(text: &str) -> Field<Size> {
    Field::read(text).expect("well formed")
}

fn core(text: &str) -> Field<Option<Core>> {
    Field::read(text).expect("well formed")
}

#[test]
fn what_is_known_of_a_size() {
    for (text, tile, tail) in [
        ("8", Some(Some(8)), None),
        ("^", Some(None), None),
        ("8~peel", Some(Some(8)), Some(Tail::Peel)),
        ("8~?", Some(Some(8)), None),
        ("?~pad", None, Some(Tail::Pad)),
        ("{1,2}", None, None),
        ("?~?", None, None),
    ] {
        let own = size(text);
        assert_eq!((own.tile(), own.tail()), (tile, tail), "{text}");
        assert_eq!(own.is_open(), text.contains(['?', '{']), "{text}");
    }
}

#[test]
fn what_is_known_of_a_core() {
    let axis = |axis| Some(CoreAt::Axis(axis));
    for (text, layer, at, mechanism) in [
        ("^", None, None, None),
        ("THR.x", Some(Layer::Thr), axis(Axis::X), None),
        ("THR.?", Some(Layer::Thr), None, None),
        ("?.y", None, axis(Axis::Y), None),
        ("?", None, None, None),
        ("?(atomic)", None, None, Some(Mechanism::Atomic)),
        ("BLK.z(?)", Some(Layer::Blk), axis(Axis::Z), None),
        ("FOR.3", Some(Layer::For), Some(CoreAt::Number(3)), None),
        ("THR.x(shared)", Some(Layer::Thr), axis(Axis::X), Some(Mechanism::Shared)),
    ] {
        let own = core(text);
        assert_eq!((own.layer(), own.mechanism()), (layer, mechanism), "{text}");
        assert_eq!(own.place(), layer.zip(at), "{text}");
    }
}

#[test]
fn sets_are_what_was_written() {
    let own = size("{4,8,2..16,..3,9..,div,pow2,blocks,^}~{limit,pad}");
    let set = own.set(Slot::Tile).expect("open");
    let number = |n| Item::One(Decision::Number(n));
    let wanted = [
        number(4),
        number(8),
        Item::Range(Some(2), Some(16)),
        Item::Range(None, Some(3)),
        Item::Range(Some(9), None),
        Item::Divisors,
        Item::Powers,
        Item::Blocks,
        Item::One(Decision::Above),
    ];
    assert_eq!(set.among, wanted);
    assert_eq!(set.name, None);
    let tails = [Tail::Limit, Tail::Pad].map(|tail| Item::One(Decision::Tail(tail)));
    assert_eq!(own.set(Slot::Tail).expect("open").among, tails);
    assert_eq!(own.set(Slot::Core), None);
}

#[test]
fn names_make_parts_one() {
    for (text, name) in [("?", None), ("?N", Some("N")), ("?tile_x", Some("tile_x"))] {
        let own = size(text);
        let set = own.set(Slot::Tile).expect("open");
        assert_eq!(set.name.as_deref(), name);
        assert!(set.among.is_empty());
    }
}

#[test]
fn a_decision_fills_one_part() {
    let mut own = size("?~?");
    own.decide(Slot::Tail, &Decision::Tail(Tail::Mask));
    assert_eq!(own.to_string(), "?~mask");
    own.decide(Slot::Tile, &Decision::Number(6));
    assert_eq!(own.known(), Some(&Size { value: Some(6), tail: Some(Tail::Mask) }));
    // What is decided stays.
    own.decide(Slot::Tile, &Decision::Number(7));
    assert_eq!(own.to_string(), "6~mask");
}

#[test]
fn a_decision_of_another_kind_fills_nothing() {
    for decision in [
        Decision::Tail(Tail::Pad),
        Decision::Region(Region::L2),
        Decision::Layer(Layer::Thr),
        Decision::There(true),
        Decision::Order(vec![1, 0]),
        Decision::Word("theta".into()),
    ] {
        let mut own = size("?");
        own.decide(Slot::Tile, &decision);
        assert_eq!(own, size("?"), "{decision}");
    }
    let mut own = core("FOR.?");
    own.decide(Slot::At, &Decision::Number(-1));
    assert_eq!(own, core("FOR.?"));
}

#[test]
fn a_mechanism_that_is_written_stays_with_another_core() {
    let mut own = core("?(atomic)");
    own.decide(Slot::Core, &Decision::read(Slot::Core, "BLK.x").expect("a core"));
    assert_eq!(own.to_string(), "BLK.x(atomic)");
    let mut own = core("?(atomic)");
    own.decide(Slot::Core, &Decision::read(Slot::Core, "THR.x(shuffle)").expect("a core"));
    assert_eq!(own.to_string(), "THR.x(shuffle)");
}

#[test]
fn parts_of_layouts_are_counted_from_one() {
    let part = |text: &str| -> Field<Part> { Field::read(text).expect("well formed") };
    assert_eq!(part("1").known(), Some(&Part::Whole(0)));
    assert_eq!(part("2/64").known(), Some(&Part::Div(1, 64)));
    assert_eq!(part("3%4").known(), Some(&Part::Mod(2, 4)));
    let mut own = part("?/8");
    own.decide(Slot::Dim, &Decision::Number(2));
    assert_eq!(own.known(), Some(&Part::Div(1, 8)));
    let mut own = part("?");
    own.decide(Slot::Dim, &Decision::Part(Part::Mod(0, 4)));
    assert_eq!(own.to_string(), "1%4");
    // There is no dimension 0.
    let mut own = part("?");
    own.decide(Slot::Dim, &Decision::Number(0));
    assert!(own.is_open());
}

#[test]
fn decisions_read_back() {
    for (slot, text) in [
        (Slot::Label, "0"),
        (Slot::Label, "12"),
        (Slot::Tile, "^"),
        (Slot::Tile, "192"),
        (Slot::Tail, "mask"),
        (Slot::Core, "^"),
        (Slot::Core, "WRP.y(shuffle)"),
        (Slot::Layer, "UNR"),
        (Slot::At, "z"),
        (Slot::At, "4"),
        (Slot::Mechanism, "kernel"),
        (Slot::Region, "^"),
        (Slot::Region, "SHR"),
        (Slot::Dim, "2"),
        (Slot::Dim, "2%8"),
        (Slot::Number, "3"),
    ] {
        assert_eq!(Decision::read(slot, text).expect("a value").to_string(), text);
    }
}

#[test]
fn decisions_that_are_none_are_refused() {
    for (slot, text, wanted) in [
        (Slot::Tile, "0", "S-SYNTAX: `0` is no positive number"),
        (Slot::Tile, "4x", "S-SYNTAX: `x` is too much in `4x`"),
        (Slot::Tile, "", "S-SYNTAX: a positive number is missing"),
        (Slot::Tail, "half", "S-SYNTAX: `~half` is not limit, mask, peel or pad"),
        (Slot::Core, "THR.?", "S-SYNTAX: `THR.?` is open inside of a list"),
        (Slot::Core, "THR.w", "S-AXIS: `THR.w`: the axis is x, y or z"),
        (Slot::Region, "L4", "S-REGION: there is no region L4; MM L3 L2 L1 REG, DM SM RM are"),
        (Slot::Dim, "?", "S-SYNTAX: `?` is open inside of a list"),
        (Slot::Dim, "2/0", "S-SYNTAX: `0` is no positive number"),
    ] {
        assert_eq!(Decision::read(slot, text).expect_err("no value").to_string(), wanted, "{text}");
    }
    let layer = Decision::read(Slot::Layer, "THD").expect_err("no layer").to_string();
    assert!(layer.starts_with("S-LAYER: there is no layer THD; it is one of "), "{layer}");
}

#[test]
fn what_a_decided_schedule_says_for_each_open_part() {
    let open =
        OpenSchedule::read("?: (?,?~?) (? ; L1[?/8,?] stages ?) (?.x,FOR.?,?(?))").expect("well formed");
    let full = "3: (4,5~peel) (SM ; L1[2/8,1] stages 2) (THR.x,FOR.2,BLK.z(atomic))";
    let decided = OpenSchedule::read(full).expect("well formed");
    let mut filled = open.clone();
    let mut written = Vec::new();
    for (place, field) in open.fields() {
        for (slot, _) in field.sets() {
            let own = open.decision(&decided, place, *slot).expect("it says one");
            written.push(own.to_string());
            filled.decide_at(place, *slot, &own);
        }
    }
    assert_eq!(written, ["3", "4", "5", "peel", "SM", "2", "1", "2", "THR", "2", "BLK.z", "atomic"]);
    assert_eq!(filled, decided);
}

#[test]
fn a_schedule_of_another_form_says_nothing() {
    let open = OpenSchedule::read("1: (?) (? ; ^) (?)").expect("well formed");
    let short = OpenSchedule::read("1: () ( ; ) ()").expect("well formed");
    for (place, field) in open.fields() {
        for (slot, _) in field.sets() {
            assert_eq!(open.decision(&short, place, *slot), None, "{place}");
        }
    }
    assert_eq!(open.decision(&open, Place::Label(7), Slot::Label), None);
}

#[test]
fn steps_that_say_nothing_and_everything() {
    assert_eq!(Step::<Holes>::above(2, 3, 2, 1).to_string(), "2: (^,^,^) (^,^ ; ^) (^,^,^)");
    assert_eq!(Step::<Holes>::open(2, 1, 1).to_string(), "?: (?,?) (? ; ?) (?,?)");
    assert!(Entry::above().is_above());
    let step = Step::<Holes>::above(2, 3, 2, 1);
    assert!(Schedule { steps: vec![step] }.is_decided());
}

#[test]
fn fields_are_equal_wherever_they_stand() {
    let apart = OpenSchedule::read("1:( 8 )( A:L2 ; ^ )( FOR.1 )").expect("well formed");
    let close = OpenSchedule::read("1: (8) (L2 ; ^) (FOR.1)").expect("well formed");
    assert_eq!(apart, close);
    assert_eq!(&"1:( 8 )( A:L2 ; ^ )( FOR.1 )"[apart.steps[0].sizes[0].at.clone()], "8");
    let (name, at) = apart.steps[0].ins[0].buffer.clone().expect("a name");
    assert_eq!((name.as_str(), at), ("A", 9..10));
}

#[test]
fn more_parts_may_be_left_open() {
    let two = Size { value: Some(2), tail: Some(Tail::Peel) };
    let own = Field::open(two, Slot::Tile).and_open(Slot::Tail, Default::default());
    assert_eq!(own.to_string(), "?~?");
    assert!(matches!(&own.value, Open::Hole(hole) if hole.frame == two && hole.open.len() == 2));
    let own = Field::from(two);
    assert_eq!((own.to_string(), own.sets().len()), ("2~peel".into(), 0));
}

#[test]
fn words_of_a_buffer_are_a_set_in_a_fixed_order() {
    let words = Words { nt: true, stages: Some(2), swizzle: None, xor: Some(4), prefetch: Some(1) };
    assert_eq!(words.list(), [Word::Nt, Word::Stages(2), Word::Xor(4), Word::Prefetch(1)]);
    assert!(Words::default().is_empty() && !words.is_empty());
    let place = Placement { region: Region::L2, layout: vec![Part::Whole(1), Part::Whole(0)], words };
    assert_eq!(place.to_string(), "L2[2,1] nt stages 2 xor 4 prefetch 1");
    assert_eq!(Placement::new(Region::L1, Vec::new()).to_string(), "L1");
    for (word, text, number) in [
        (Word::Nt, "nt", None),
        (Word::Swizzle(3), "swizzle=3", Some(3)),
        (Word::Prefetch(1), "prefetch=1", Some(1)),
    ] {
        assert_eq!((word.to_string().as_str(), word.number()), (text, number));
        assert_eq!(Field::<Word>::read(text).expect("a word").known(), Some(&word));
    }
}

#[test]
fn words_in_another_order_are_the_same_buffer() {
    let read = |text: &str| OpenSchedule::read(text).and_then(|own| own.decided()).expect("decided");
    let (one, other) = ("1: (8) (SM stages 2 xor 4 ; ^) (^)", "1: (8) (SM xor 4 stages 2 ; ^) (^)");
    assert_eq!(read(one), read(other));
}

#[test]
fn cores_of_all_kinds_have_an_axis_or_a_number() {
    let thread = Core::along(Layer::Thr, Axis::Y);
    assert_eq!((thread.axis(), thread.number()), (Some(Axis::Y), None));
    let third = Core::numbered(Layer::For, 3);
    assert_eq!((third.axis(), third.number()), (None, Some(3)));
    assert_eq!((thread.to_string(), third.to_string()), ("THR.y".into(), "FOR.3".into()));
}

#[test]
fn names_of_fields_are_spoken_and_wrong_ones_are_none() {
    for (name, words) in [
        ("step.2.label", "label of step 2"),
        ("step.1.core.3", "core 3 of step 1"),
        ("step.1.in.2.region", "region of input 2 of step 1"),
        ("step.3.out.1.layout.2", "layout 2 of output 1 of step 3"),
        ("step.3.in.1.words.1", "word 1 of input 1 of step 3"),
        ("step.3.in.1.layout", "layout of input 1 of step 3"),
        ("sizes", "sizes"),
    ] {
        assert_eq!(spoken(name), words);
    }
    for name in [
        "step.1",
        "step.0.label",
        "step.x.label",
        "step.1.size",
        "step.1.size.0",
        "step.1.mid.1.region",
        "label",
    ] {
        assert!(name.parse::<Place>().is_err(), "{name}");
    }
    let entry: EntryPlace = "step.2.out.1".parse().expect("an entry");
    assert_eq!(entry, EntryPlace { step: 1, out: true, number: 0 });
    assert!("step.2.out.0".parse::<EntryPlace>().is_err());
}

#[test]
fn fields_that_are_not_there_are_none_and_change_nothing() {
    let mut own = OpenSchedule::read("1: (?) (^ ; ^) (^)").expect("well formed");
    let before = own.clone();
    for name in [
        "step.2.label",
        "step.1.size.2",
        "step.1.core.2",
        "step.1.in.2.region",
        "step.1.in.1.layout.1",
        "step.1.out.1.words.1",
    ] {
        let place: Place = name.parse().expect("a name");
        assert!(own.field(place).is_none(), "{name}");
        own.decide_at(place, Slot::Tile, &Decision::Number(1));
        assert_eq!(own.read_at(place, "1"), Ok(()), "{name}");
    }
    assert_eq!(own, before);
}

#[test]
fn mistakes_in_a_field_name_its_step() {
    let mut own = OpenSchedule::read("1: (8) (^ ; ^) (^) 2: (1) (^ ; ^) (^)").expect("well formed");
    let error: ScheduleError = own.read_at(Place::Size(1, 0), "4~none").expect_err("no tail");
    assert_eq!(error.to_string(), "step 2: S-SYNTAX: `~none` is not limit, mask, peel or pad");
}
