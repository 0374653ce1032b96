//! HOME, MEM, CAP: buffers are where there is memory for them, and large enough memory.

use crate::evaluate::Cx;
use crate::formula::{Formula, Term};
use crate::question::along;
use crate::{Claims, Reason, Rule, Subject};
use terrace_devices::{Axis, Level, Levels, Per, Space};
use terrace_schedule_model::nest::{AccessId, BufferId, LaunchId, LoopId, Made};

pub(crate) const HOME: Rule = Rule { name: "HOME", claims: home };
/// Local memory is owned by blocks: for searches
pub const STRICTLY_HOME: Rule = Rule { name: "HOME", claims: strictly_home };
/// Iterations that use a buffer together can share it
pub const MEM: Rule = Rule { name: "MEM", claims: sharing };
/// Buffers of a kernel fit the memory that they are in
pub const CAP: Rule = Rule { name: "CAP", claims: capacity };

fn home(cx: &Cx<'_>, out: &mut dyn Claims) {
    for (id, buffer, made) in cx.nest.made() {
        let inside = made.around.launch.is_some();
        let fits = match buffer.space {
            Space::Shared | Space::Cluster => inside,
            // Registers of a host have a name.
            Space::Private => inside || buffer.named.is_some(),
            Space::Device | Space::Main | Space::Chip => !inside,
        };
        out.claim(Formula::Known(!fits), &|| Formula::Known(false), &|| Reason {
            about: Subject::Buffer(id),
            text: format!(
                "{} cannot be made {} a kernel",
                buffer.space.name(),
                if inside { "inside of" } else { "outside of" }
            ),
            others: Vec::new(),
            help: if inside {
                "inside of kernels there are private and workgroup memory"
            } else {
                "private and workgroup memory are part of a kernel; outside there is main or device memory"
            },
        });
    }
}

/// Levels whose iterations are what `per` names
fn owners(per: Per) -> Levels {
    Levels::ALL.iter().filter(|level| per.owns(*level)).collect()
}

/// The loop owns a buffer, or stands around the loop that does; which one that is depends on levels where it says `per`
fn owns(cx: &Cx<'_>, made: &Made, id: LoopId) -> Formula {
    let Some(per) = made.per else { return Formula::Known(true) };
    let inner = cx.nest.around(made.around.inside).take_while(|inner| *inner > id).chain([id]);
    Formula::any(inner.map(|inner| Formula::At(inner, owners(per))))
}

/// Memory of a block is made once per block: a block loop around, no loop over the grid's threads
///
/// Not a rule of the verifier: a kernel may be one block, and a buffer that each thread makes is as many buffers. For
/// searches that want local memory to be shared.
fn strictly_home(cx: &Cx<'_>, out: &mut dyn Claims) {
    for (id, _, made) in cx.nest.made().filter(|(_, buffer, _)| buffer.space == Space::Shared) {
        let around = || cx.nest.around(made.around.inside);
        let below = Levels::GLOBAL.or(Levels::IN_BLOCK);
        let then = || {
            let alone = around().map(|id| owns(cx, made, id).implies(!cx.several_at(id, below)));
            let block = around().map(|id| Formula::all([owns(cx, made, id), Formula::At(id, Levels::BLOCK)]));
            Formula::all(alone.chain([Formula::any(block)]))
        };
        out.claim(Formula::Known(true), &then, &|| Reason {
            about: Subject::Buffer(id),
            text: "local memory that its owner's iterations do not share with a block's threads".into(),
            others: around()
                .next()
                .map(|id| (Subject::Loop(id), "the loop that owns it"))
                .into_iter()
                .collect(),
            help: "put a block loop around the buffer, and threads inside",
        });
    }
}

/// Iterations of the loop share the buffer: it is made outside, or once for all of them
pub(crate) fn is_shared_across(cx: &Cx<'_>, buffer: BufferId, id: LoopId) -> Formula {
    match &cx.nest.buffers[cx.nest.memory(buffer)].made {
        // Made anew in each round of a loop around; one for the threads below its owner.
        Some(made) if cx.nest.is_in(made.around.inside, id) => {
            made.per.map_or(Formula::Known(false), |per| Formula::At(id, per.members()))
        }
        _ => Formula::Known(true),
    }
}

fn sharing(cx: &Cx<'_>, out: &mut dyn Claims) {
    for (id, access) in cx.nest.accesses.entries() {
        one_for_all(cx, id, out);
        let buffer = cx.nest.buffer_of(access);
        let own = buffer.made.is_some();
        // An argument is where the caller has put it: main memory is a device's too, if it runs the kernel.
        if !own && buffer.space == Space::Main {
            continue;
        }
        for around in cx.nest.around(access.around.inside) {
            let shared = is_shared_across(cx, access.buffer, around);
            // A collective runs once for the threads: they are not between.
            let together = access.per.map_or(Levels::NONE, Per::members);
            let then = || Formula::At(around, buffer.space.sharers().or(together));
            out.claim(Formula::all([shared, cx.parallel(around)]), &then, &|| Reason {
                about: Subject::Access(id),
                text: format!(
                    "iterations at level '{}' cannot share {}",
                    cx.level(around),
                    buffer.space.name()
                ),
                others: [
                    Some((Subject::Loop(around), "the loop between the buffer and its use")),
                    own.then_some((Subject::Buffer(access.buffer), "the buffer")),
                ]
                .into_iter()
                .flatten()
                .collect(),
                help: "make the buffer inside of that loop, or in memory that its level shares",
            });
        }
    }
}

/// What members of an owner do together they do to one buffer: not to one that each of them has
fn one_for_all(cx: &Cx<'_>, id: AccessId, out: &mut dyn Claims) {
    let access = &cx.nest.accesses[id];
    let buffer = cx.nest.buffer_of(access);
    let Some((per, made)) = access.per.zip(buffer.made.as_ref()) else { return };
    let path: Vec<LoopId> = cx.nest.around(made.around.inside).collect();
    let not_at = |loops: &[LoopId], levels: Levels| {
        Formula::all(loops.iter().map(|id| Formula::At(*id, levels.not())))
    };
    // From the loop that owns the buffer up to this one there is no loop whose iterations are what `per` names.
    let inside_of_owner = |n: usize| match made.per {
        None => not_at(&path[..=n], owners(per)),
        Some(own) => Formula::any((0..=n).map(|first| {
            let owner = Formula::At(path[first], owners(own));
            Formula::all([owner, not_at(&path[..first], owners(own)), not_at(&path[first..=n], owners(per))])
        })),
    };
    for (n, around) in path.iter().copied().enumerate() {
        let premise = Formula::all([inside_of_owner(n), cx.parallel(around)]);
        out.claim(premise, &|| Formula::At(around, per.members().not()), &|| Reason {
            about: Subject::Access(id),
            text: format!(
                "is done together, but each iteration at level '{}' has a buffer of its own",
                cx.level(around)
            ),
            others: vec![
                (Subject::Loop(around), "the loop that owns the buffer"),
                (Subject::Buffer(access.buffer), "the buffer"),
            ],
            help: "make the buffer outside of that loop, or let each iteration copy for itself",
        });
    }
    let private = buffer.space == Space::Private && made.around.launch.is_some();
    let thread = || {
        let each = |n: usize| Formula::all([inside_of_owner(n), Formula::At(path[n], Levels::IN_BLOCK)]);
        Formula::any((0..path.len()).map(each))
    };
    out.claim(Formula::Known(private), &thread, &|| Reason {
        about: Subject::Access(id),
        text: "is done together, but each thread has a buffer of its own".into(),
        others: vec![(Subject::Buffer(access.buffer), "the buffer")],
        help: "copy between memory that the threads share, or let each thread copy for itself",
    });
}

/// Bytes that a buffer needs in a block: one for all threads that differ along axes only which no loop around it has, one per
/// round in flight
fn bytes_in_block(cx: &Cx<'_>, id: BufferId, made: &Made, launch: LaunchId) -> Term {
    let nest = cx.nest;
    let around = || nest.around(made.around.inside);
    let stages = around().find_map(|id| nest.loops[id].stages).unwrap_or(1).max(1);
    let copies = Axis::ALL.into_iter().map(|axis| {
        let levels = along(axis, &[Level::Thread, Level::Global]);
        let each = around().map(|id| Formula::all([owns(cx, made, id), cx.several_at(id, levels)]));
        Term::factor(Formula::any(each), Term::Block(launch, axis))
    });
    let all = copies.fold(Term::Bytes(id), Term::times);
    Term::times(all, Term::Int(stages))
}

fn capacity(cx: &Cx<'_>, out: &mut dyn Claims) {
    for launch in cx.nest.launches.ids() {
        for (space, most) in
            [(Space::Shared, cx.limits.local_bytes), (Space::Private, cx.limits.private_bytes)]
        {
            if most > 0 {
                memory_fits(cx, launch, space, most, out);
            }
        }
    }
}

/// All buffers of a kernel in one memory fit it together
fn memory_fits(cx: &Cx<'_>, launch: LaunchId, space: Space, most: i64, out: &mut dyn Claims) {
    let all = cx.nest.made();
    let own = all.filter(|(_, buffer, made)| made.around.launch == Some(launch) && buffer.space == space);
    let parts: Vec<(BufferId, Term)> = own
        .map(|(id, _, made)| match space {
            Space::Private => (id, Term::Bytes(id)),
            _ => (id, bytes_in_block(cx, id, made, launch)),
        })
        .collect();
    let Some((first, _)) = parts.first() else { return };
    let sum = || Term::Sum(parts.iter().map(|(_, bytes)| bytes.clone()).collect());
    let fits = || Formula::at_most(sum(), Term::Int(most));
    out.claim(Formula::Known(true), &fits, &|| {
        let bytes = cx.number(&sum()).unwrap_or(i64::MAX);
        let mut largest = (*first, 0);
        for (id, own) in &parts {
            let own = cx.number(own).unwrap_or(0);
            if own > largest.1 {
                largest = (*id, own);
            }
        }
        let whose = if space == Space::Private { "a thread's private" } else { "a block's shared" };
        Reason {
            about: Subject::Buffer(largest.0),
            text: format!(
                "{whose} memory holds {bytes} bytes ({} of them here), and no device has more than {most}",
                largest.1
            ),
            others: vec![(Subject::Launch(launch), "the kernel")],
            help: "make tiles smaller",
        }
    });
}
