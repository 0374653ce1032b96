//! Look-ups: records for a computation, the best first, or why there are none.

use crate::error::StoreError;
use crate::index::{self, Index, Key};
use crate::record::{Hash, Id, Record};
use crate::segment;
use std::path::Path;

/// What a record is wanted for
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The computation
    pub program: Hash,
    /// What it is compiled for
    pub target: Hash,
    /// What compiles it
    pub compiler: Hash,
    /// Where it runs
    pub machine: Hash,
}

/// What may differ
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Relaxed {
    /// Another machine may have measured
    pub machine: bool,
    /// Another version of the compiler may have compiled
    pub compiler: bool,
}

/// A record that may be taken
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// Its id
    pub id: Id,
    /// The record
    pub record: Record,
}

/// What a look-up gives
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Answer {
    /// Records, the best first: those of this machine and compiler before others
    pub found: Vec<Found>,
    /// There are records of the computation for other targets
    pub other_target: bool,
    /// There are some for this target, of other compilers
    pub other_compiler: bool,
    /// There are some for this target and compiler, of other machines
    pub other_machine: bool,
    /// Records that the index has and that could not be read
    pub unreadable: Vec<String>,
    /// Segments with damaged lines, and how many each has
    pub damaged: Vec<(String, u64)>,
}

/// A range of keys that may be taken: the first ones are the best
struct Group {
    prefix: [u8; index::GROUP],
    /// Of this machine and compiler
    exact: bool,
}

/// Find records
pub(crate) fn look_up(
    folder: &Path,
    index: &Index,
    wanted: &Wanted,
    relaxed: Relaxed,
    most: usize,
) -> Result<Answer, StoreError> {
    let mut answer = Answer { damaged: index.damaged().to_vec(), ..Answer::default() };
    let mut keys: Vec<(bool, Key, index::Place)> = Vec::new();
    for group in groups(index, wanted, relaxed, &mut answer)? {
        let mut from = index::first_of(&group.prefix);
        for _ in 0..most {
            let Some((key, place)) = index.first_from(&from)? else { break };
            if key[..index::GROUP] != group.prefix {
                break;
            }
            keys.push((!group.exact, key, place));
            let Some(next) = index::after(&key) else { break };
            from = next;
        }
    }
    keys.sort_by(|a, b| (a.0, &a.1[index::GROUP..]).cmp(&(b.0, &b.1[index::GROUP..])));
    for (_, key, place) in keys {
        if answer.found.len() == most {
            break;
        }
        match segment::read_at(folder, index.segment(place), place.at) {
            Ok((id, record)) if id == index::id(&key) => answer.found.push(Found { id, record }),
            Ok(_) => answer
                .unreadable
                .push(format!("record {} is not where the index has it", index::id(&key).short())),
            Err(why) => answer.unreadable.push(why.to_string()),
        }
    }
    Ok(answer)
}

/// The groups of a program that may be taken; the answer learns which others there are
fn groups(
    index: &Index,
    wanted: &Wanted,
    relaxed: Relaxed,
    answer: &mut Answer,
) -> Result<Vec<Group>, StoreError> {
    let mut groups = Vec::new();
    let mut from = index::first_of(&wanted.program.0);
    while let Some((key, _)) = index.first_from(&from)? {
        let [program, target, compiler, machine] = index::hashes(&key);
        if program != wanted.program {
            break;
        }
        let (same_compiler, same_machine) = (compiler == wanted.compiler, machine == wanted.machine);
        if target != wanted.target {
            answer.other_target = true;
        } else if !same_compiler && !relaxed.compiler {
            answer.other_compiler = true;
        } else if !same_machine && !relaxed.machine {
            answer.other_machine = true;
        } else {
            let mut prefix = [0; index::GROUP];
            prefix.copy_from_slice(&key[..index::GROUP]);
            groups.push(Group { prefix, exact: same_compiler && same_machine });
        }
        let Some(next) = index::after(&index::last_of(&key)) else { break };
        from = next;
    }
    Ok(groups)
}
