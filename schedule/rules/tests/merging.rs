//! MECH and ORDER: contributions meet in the way and the order that a nest says.

use crate::small::{Build, X, Y, accepts, int, refuses, rule, var};
use terrace_devices::Level::{Block, Global, Lane, Mma, Pe, Seq, Task, Thread, Unroll, Vector, Warp};
use terrace_devices::Mechanism::{Atomic, Auto, Chain, Kernel, Partials, Shared, Shuffle};
use terrace_devices::{Device, Element, Level, Mechanism, Space, Update};
use terrace_schedule_model::nest::{LoopId, Nest, Operator};
use terrace_schedule_model::nest_combine::{Combination, Order};
use terrace_schedule_rules::{Cx, Limits, Truth, first_broken};

/// What differs from a sum of f32 in fixed order
struct Case {
    level: Level,
    mechanism: Mechanism,
    order: Order,
    in_memory: bool,
    change: fn(&mut Operator),
}

const SUM: Case = Case { level: Seq, mechanism: Auto, order: Order::Fixed, in_memory: false, change: |_| {} };

impl Case {
    /// A loop of four that merges a value, or into an argument
    fn nest(&self) -> Nest {
        let on_grid = |level: Level| !matches!(level, Task | Pe | Level::Device(_));
        let size = |own: bool| if own { [4, 1, 1] } else { [1; 3] };
        let blocks = matches!(self.level, Block(_) | Global(_));
        let mut b = match on_grid(self.level) {
            true => Build::kernel(size(blocks), size(matches!(self.level, Thread(_)))),
            false => Build::host(),
        };
        if matches!(self.level, Warp(_) | Lane(_)) {
            b.launch().block = [128, 1, 1];
        }
        let op = b.operator("sum", |own| (self.change)(own));
        let c = b.memory(Space::Main, &[1]);
        let id = b.each(4, self.level);
        b.merges(id, op, usize::from(!self.in_memory));
        let own = &mut b.at(id).combine;
        (own.mechanism, own.order) = (self.mechanism, self.order);
        if self.in_memory {
            b.merge(c, op, &[int(0)]);
        }
        b.done()
    }

    fn fits(&self) -> bool {
        rule(&self.nest(), "MECH", &[&[]]) == Truth::True
    }
}

const EXACT: fn(&mut Operator) = |own| own.exact = true;

#[test]
fn values_meet_by_the_mechanisms_of_their_level() {
    let rows: [(Level, &[Mechanism]); 11] = [
        (Seq, &[Chain]),
        (Unroll, &[Chain]),
        (Vector, &[Mechanism::Vector, Chain]),
        (Mma, &[Mechanism::Vector, Chain]),
        (Lane(X), &[Shuffle, Shared]),
        (Thread(X), &[Shared, Shuffle]),
        (Warp(X), &[Shared, Shuffle]),
        (Block(X), &[]),
        (Global(X), &[]),
        (Task, &[Partials]),
        (Level::Device(X), &[]),
    ];
    for (level, row) in rows {
        for mechanism in [Chain, Mechanism::Vector, Shuffle, Shared, Atomic, Kernel, Partials] {
            // Loops in order have nothing to choose.
            let wanted = !level.is_parallel() || row.contains(&mechanism);
            let case = Case { level, mechanism, change: EXACT, ..SUM };
            assert_eq!(case.fits(), wanted, "{mechanism} at {level}");
        }
        let case = Case { level, change: EXACT, ..SUM };
        assert_eq!(case.fits(), !row.is_empty() || !level.is_parallel(), "{level}");
    }
}

#[test]
fn merging_into_memory_has_mechanisms_of_its_own() {
    let rows: [(Level, &[Mechanism]); 6] = [
        (Lane(X), &[Atomic]),
        (Thread(X), &[Atomic]),
        (Block(X), &[Atomic, Kernel]),
        (Global(X), &[Atomic, Kernel]),
        (Task, &[Partials, Atomic]),
        (Pe, &[]),
    ];
    for (level, row) in rows {
        for mechanism in [Chain, Shuffle, Shared, Atomic, Kernel, Partials] {
            let case = Case { level, mechanism, in_memory: true, change: EXACT, ..SUM };
            assert_eq!(case.fits(), row.contains(&mechanism), "{mechanism} at {level}");
        }
    }
}

#[test]
fn blocks_give_no_value_to_each_other() {
    let case = Case { level: Block(X), ..SUM };
    refuses(&case.nest(), "MECH: loop 0: merges a value at level 'block.x', whose iterations cannot meet");
    accepts(&Case { level: Block(X), in_memory: true, change: EXACT, ..SUM }.nest());
}

#[test]
fn a_mechanism_that_the_level_lacks_is_named_with_those_that_it_has() {
    let case = Case { level: Thread(X), mechanism: Atomic, ..SUM };
    refuses(
        &case.nest(),
        "MECH: loop 0: merges a value via atomic at level 'thread.x', which has shared, shuffle",
    );
    let case = Case { level: Task, mechanism: Shuffle, in_memory: true, ..SUM };
    refuses(
        &case.nest(),
        "MECH: loop 0: merges into memory via shuffle at level 'task', which has partials, atomic",
    );
}

#[test]
fn parallel_loops_bracket_anyhow() {
    let change = |own: &mut Operator| own.associative = false;
    accepts(&Case { change, ..SUM }.nest());
    accepts(&Case { level: Vector, mechanism: Chain, change, ..SUM }.nest());
    refuses(
        &Case { level: Vector, change, ..SUM }.nest(),
        "MECH: loop 0: merges in parallel by 'sum', which is not known to be associative",
    );
    refuses(
        &Case { level: Task, change, ..SUM }.nest(),
        "MECH: loop 0: merges in parallel by 'sum', which is not known to be associative",
    );
}

#[test]
fn an_operator_that_does_not_commute_keeps_the_order_of_a_tree() {
    let change = |own: &mut Operator| {
        own.commutative = false;
        own.exact = true;
    };
    for level in [Vector, Thread(X), Task] {
        accepts(&Case { level, change, ..SUM }.nest());
    }
    refuses(
        &Case { level: Thread(X), in_memory: true, change, ..SUM }.nest(),
        "MECH: loop 0: merges by atomic updates, in any order, and 'sum' is not known to commute",
    );
}

#[test]
fn atomic_sums_of_rounded_values_are_free() {
    let case = |order, change| Case { level: Block(X), mechanism: Atomic, in_memory: true, order, change };
    accepts(&case(Order::Free, |_| {}).nest());
    accepts(&case(Order::Fixed, EXACT).nest());
    refuses(
        &case(Order::Fixed, |_| {}).nest(),
        "MECH: loop 0: merges rounded values by atomic updates, whose order differs from run to run",
    );
}

#[test]
fn atomic_updates_are_those_of_the_memory() {
    let nest = |update, memory| {
        let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
        let op = b.operator("sum", |own| (own.update, own.exact) = (update, true));
        let c = b.memory(memory, &[1]);
        let id = b.each(4, Block(X));
        b.merges(id, op, 0);
        b.merge(c, op, &[int(0)]);
        b.done()
    };
    for element in Element::ALL {
        for memory in [Space::Main, Space::Device] {
            let nest = nest(Some((Update::Add, *element)), memory);
            match element.bits() {
                8 => {
                    refuses(&nest, "MECH: loop 0: merges by 'sum', of which DEV has no atomic updates of i8")
                }
                _ => accepts(&nest),
            }
        }
    }
    let none = "MECH: loop 0: merges by 'sum' on elements that have no atomic updates";
    refuses(&nest(None, Space::Device), none);
    let bytes = Some((Update::Or, Element::I8));
    let mut b = Build::host();
    let op = b.operator("or", |own| (own.update, own.exact) = (bytes, true));
    let c = b.memory(Space::Main, &[1]);
    let id = b.each(4, Task);
    b.merges(id, op, 0);
    b.at(id).combine.mechanism = Atomic;
    b.merge(c, op, &[int(0)]);
    accepts(&b.done());
}

#[test]
fn a_device_has_fewer_than_the_verifier_permits() {
    let mali = Device::find("mali-g72").expect("built in");
    for (element, refused) in [(Element::F32, false), (Element::F64, true), (Element::I64, true)] {
        let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
        let op = b.operator("sum", |own| (own.update, own.exact) = (Some((Update::Add, element)), true));
        let c = b.argument(&[1]);
        let id = b.each(4, Block(X));
        b.merges(id, op, 0);
        b.merge(c, op, &[int(0)]);
        let nest = b.done();
        let cx = Cx::new(&nest).within(Limits::of(&mali).expect("a grid"));
        let broken = first_broken(&cx).map(|(rule, _)| rule.name);
        assert_eq!(broken, refused.then_some("MECH"), "{element}");
    }
}

#[test]
fn one_iteration_merges_nothing() {
    let mut b = Build::kernel([1, 1, 1], [1, 1, 1]);
    let op = b.operator("last", |own| (own.associative, own.update) = (false, None));
    let id = b.each(1, Block(X));
    b.merges(id, op, 1);
    accepts(&b.done());
}

#[test]
fn what_each_iteration_has_for_itself_does_not_meet() {
    // The buffer is made inside of the blocks: only their own rounds merge into it.
    let mut b = Build::kernel([4, 1, 1], [1, 1, 1]);
    let op = b.add();
    let id = b.each(4, Block(X));
    b.merges(id, op, 0);
    let t = b.made(Space::Shared, &[1], None);
    let k = b.each(8, Seq);
    b.merges(k, op, 0);
    b.merge(t, op, &[int(0)]);
    accepts(&b.done());
}

/// A loop that promises something of its order
fn ordered(kind: Combination, order: Order, level: Level, exact: bool) -> Nest {
    let mut b = if level == Task { Build::host() } else { Build::kernel([1, 1, 1], [4, 1, 1]) };
    let op = b.operator("add", |own| own.exact = exact);
    let id = b.each(4, level);
    b.merges(id, op, 1);
    (b.at(id).combine.kind, b.at(id).combine.order) = (kind, order);
    b.done()
}

#[test]
fn the_order_of_the_source_is_a_loop_in_order() {
    accepts(&ordered(Combination::Pw, Order::Source, Seq, false));
    accepts(&ordered(Combination::Pw, Order::Source, Unroll, false));
    refuses(
        &ordered(Combination::Pw, Order::Source, Vector, false),
        "ORDER: loop 0: promises the order of the source, but runs at level 'vector'",
    );
    // No order shows where nothing is rounded.
    accepts(&ordered(Combination::Pw, Order::Source, Vector, true));
    accepts(&ordered(Combination::Pw, Order::Fixed, Vector, false));
}

#[test]
fn prefixes_and_ordered_loops_are_never_parallel() {
    for kind in [Combination::Ps, Combination::Ordered] {
        accepts(&ordered(kind, Order::Fixed, Seq, true));
        refuses(
            &ordered(kind, Order::Fixed, Task, true),
            "ORDER: loop 0: each iteration builds on the one before, but runs at level 'task'",
        );
    }
}

/// Two loops of a dimension that both merge, outermost first
fn against(loops: [(i64, i64); 2], kind: Combination, order: Order, change: fn(&mut Operator)) -> Nest {
    let mut b = Build::host();
    let op = b.operator("f", change);
    for (extent, tile) in loops {
        let id: LoopId = b.tiles(0, extent, tile, Seq);
        b.merges(id, op, 1);
        (b.at(id).combine.kind, b.at(id).combine.order) = (kind, order);
    }
    b.done()
}

const TEXT: &str = "ORDER: loop 1: stands inside of a loop over parts of its tiles, so that contributions come in another order, which";

#[test]
fn against_the_chain_the_operator_commutes() {
    let fixed = |loops, change| against(loops, Combination::Pw, Order::Fixed, change);
    let turned = |own: &mut Operator| own.commutative = false;
    accepts(&fixed([(16, 4), (4, 1)], turned));
    accepts(&fixed([(4, 1), (16, 4)], |_| {}));
    refuses(
        &fixed([(4, 1), (16, 4)], turned),
        &format!("{TEXT} an operator that does not commute forbids (loop 0: the loop around)"),
    );
    // One iteration turns nothing.
    accepts(&fixed([(4, 4), (4, 1)], turned));
    accepts(&fixed([(4, 1), (4, 4)], turned));
}

#[test]
fn against_the_chain_no_order_is_promised() {
    refuses(
        &against([(4, 1), (16, 4)], Combination::Pw, Order::Source, |_| {}),
        &format!("{TEXT} the order of the source forbids (loop 0: the loop around)"),
    );
    accepts(&against([(4, 1), (16, 4)], Combination::Pw, Order::Source, EXACT));
    refuses(
        &against([(4, 1), (16, 4)], Combination::Ps, Order::Fixed, EXACT),
        &format!("{TEXT} a prefix sum forbids (loop 0: the loop around)"),
    );
}

#[test]
fn open_levels_meet_where_each_choice_has_a_mechanism() {
    let build = |change: fn(&mut Operator)| {
        let mut b = Build::kernel([4, 1, 1], [4, 4, 1]);
        let op = b.operator("f", change);
        let c = b.argument(&[4]);
        let id = b.open(4, "m");
        b.merges(id, op, 1);
        b.write(c, &[var(id)]);
        b.done()
    };
    let of = |change, levels: &[Level]| rule(&build(change), "MECH", &[levels]);
    assert_eq!(of(|_| {}, &[Thread(X), Thread(Y)]), Truth::True);
    assert_eq!(of(|_| {}, &[Block(X), Global(X)]), Truth::False);
    assert_eq!(of(|_| {}, &[Seq, Block(X)]), Truth::Open);
    let left = |own: &mut Operator| own.associative = false;
    assert_eq!(of(left, &[Thread(X), Thread(Y)]), Truth::False);
    assert_eq!(of(left, &[Seq, Unroll]), Truth::True);
}
