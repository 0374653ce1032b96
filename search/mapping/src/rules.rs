//! The eight rules of the paper, with their unprinted siblings, on the nest of maps (CC'22 §4.3–4.5).
//!
//! Each gives constraints over one variable per map, with the rule, the maps and the reason. These are the paper's words;
//! what they leave out is in [`crate::legality`]. Rows of the paper's Table 4 are the rules' kinds.

use crate::codes;
use crate::levels::MapLevel;
use crate::tree::{Space, Tree, Uses};
use terrace_devices::{Axis, Level};
use terrace_search_solver::Formula;

/// Where a constraint comes from
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tag {
    /// The paper's rules (1)–(7)
    Printed,
    /// Rules of `sched` that the paper does not have
    Beyond,
    /// No matter of being right: rule (8)
    Heuristic,
    /// From types: sizes that divide, fit, are equal
    Type,
    /// Written by the user
    User,
}

impl Tag {
    /// All with their words
    pub const WORDS: &'static [(Tag, &'static str)] = &[
        (Tag::Printed, "printed"),
        (Tag::Beyond, "beyond"),
        (Tag::Heuristic, "heuristic"),
        (Tag::Type, "type"),
        (Tag::User, "user"),
    ];

    /// Its word
    pub fn word(self) -> &'static str {
        Tag::WORDS.iter().find(|(tag, _)| *tag == self).map_or("", |(_, word)| word)
    }

    /// From its word
    pub fn from_word(word: &str) -> Option<Tag> {
        Tag::WORDS.iter().find(|(_, own)| *own == word).map(|(tag, _)| *tag)
    }
}

/// A constraint with where it comes from
#[derive(Clone, PartialEq, Debug)]
pub struct Given {
    /// Short name of the rule, for filters and reports
    pub rule: &'static str,
    /// Rule in words: a row of Table 4
    pub kind: &'static str,
    /// Where it comes from
    pub tag: Tag,
    /// The statement
    pub formula: Formula,
    /// Maps that it is about
    pub about: Vec<usize>,
    /// Why it must hold
    pub reason: String,
}

/// Rows of Table 4, in the paper's order, and those that it does not have
pub const KINDS: &[&str] = &[
    "private memory",
    "shared memory",
    "duplicate scheduling",
    "local thread indexing dimensionality",
    "local thread indexing hierarchy",
    "exhaustive thread indexing",
    "sequential map fusion",
];

/// Names of the paper's rules; (4) and (5) are one constraint where both hold
pub const PAPER: &[&str] = &["1", "2", "3", "4", "5", "4,5", "6", "7", "8"];

/// Threads, groups, or the whole grid, along an axis
pub type Along = fn(Axis) -> Level;

fn any(maps: &[usize], level: Level) -> Formula {
    codes::any(maps, MapLevel::At(level))
}

/// Dimensions that maps use, once they have levels
pub fn dims_used(maps: &[usize], along: Along, values: &[MapLevel]) -> Vec<Axis> {
    let used = |axis: &Axis| maps.iter().any(|n| values[*n] == MapLevel::At(along(*axis)));
    Axis::ALL.into_iter().filter(used).collect()
}

/// `C or no map of the set has that code`, for each dimension: how "for all dimensions used in" is written out (§4.2)
pub fn for_used(maps: &[usize], along: Along, condition: impl Fn(Axis) -> Formula) -> Formula {
    Formula::and(Axis::ALL.map(|axis| any(maps, along(axis)).implies(condition(axis))))
}

/// All printed rules for a nest; which maps use memory is a matter of reading (F2); `asked`: the rules that are wanted
pub fn printed(tree: &Tree, uses: Uses, asked: &dyn Fn(&str) -> bool) -> Vec<Given> {
    let real = (0..tree.loops.len()).filter(|n| !tree.loops[*n].inlined).collect();
    let mut all = Printed { tree, asked, chains: tree.chains(), real, out: Vec::new() };
    all.private_memory(uses);
    all.local_memory(uses);
    all.nesting();
    all.dimensions();
    all.exhaustive();
    all.fusion();
    all.out
}

/// Gathers the constraints of the printed rules
struct Printed<'a> {
    tree: &'a Tree,
    asked: &'a dyn Fn(&str) -> bool,
    chains: Vec<Vec<usize>>,
    /// Maps that have a loop
    real: Vec<usize>,
    out: Vec<Given>,
}

impl Printed<'_> {
    fn names(&self, maps: &[usize]) -> String {
        maps.iter().map(|n| self.tree.loops[*n].name.as_str()).collect::<Vec<_>>().join(", ")
    }

    fn give(&mut self, rule: &'static str, kind: usize, formula: Formula, about: Vec<usize>, reason: String) {
        if formula != Formula::Known(true) && (self.asked)(rule) {
            let tag = if rule == "8" { Tag::Heuristic } else { Tag::Printed };
            self.out.push(Given { rule, kind: KINDS[kind], tag, formula, about, reason });
        }
    }

    /// Rule (1)
    fn private_memory(&mut self, uses: Uses) {
        for m in self.tree.users(Space::Private, uses) {
            let formula = codes::is_before(m, Level::Thread(Axis::X));
            let reason = format!("{} uses private memory, which belongs to one thread", self.names(&[m]));
            self.give("1", 0, formula, vec![m], reason);
        }
    }

    /// Rule (2)
    fn local_memory(&mut self, uses: Uses) {
        for m in self.tree.users(Space::Local, uses) {
            let outer: Vec<usize> = self.tree.outer(m).collect();
            let own = self.chains.iter().filter(|chain| chain.contains(&m));
            let formula = Formula::and(own.map(|chain| {
                for_used(chain, Level::Block, |axis| {
                    let around: Vec<usize> = chain.iter().copied().filter(|n| outer.contains(n)).collect();
                    Formula::and([codes::is_before(m, Level::Block(axis)), any(&around, Level::Block(axis))])
                })
            }));
            let reason = format!(
                "{} uses local memory, which belongs to one work-group: each group dimension in use must be around it",
                self.names(&[m])
            );
            self.give("2", 1, formula, vec![m], reason);
        }
    }

    /// Rules (3) and (6)
    fn nesting(&mut self) {
        for m in self.real.clone() {
            let inner: Vec<usize> = self.tree.nested(m).collect();
            let about = || std::iter::once(m).chain(inner.iter().copied()).collect::<Vec<usize>>();
            let formula =
                Formula::and(inner.iter().map(|n| {
                    Formula::or([codes::is_before(m, Level::Thread(Axis::X)), codes::differ(m, *n)])
                }));
            let reason =
                format!("{} and a map inside of it cannot share a level and dimension", self.names(&[m]));
            self.give("3", 2, formula, about(), reason);
            let formula = Formula::and(inner.iter().map(|n| {
                Formula::and([
                    codes::is_like(m, Level::Thread(Axis::X)),
                    codes::is_like(*n, Level::Block(Axis::X)),
                    codes::same_dim(*n, m),
                ])
                .not()
            }));
            let reason =
                format!("{} cannot be threads of a group dimension that is inside of it", self.names(&[m]));
            self.give("6", 4, formula, about(), reason);
        }
    }

    /// Rules (4) and (5)
    fn dimensions(&mut self) {
        let asked = self.asked;
        let (first, second) = (asked("4") || asked("4,5"), asked("5") || asked("4,5"));
        let both = self.chains.iter().map(|chain| {
            let same = |from: Along, to: Along, asked: bool| {
                asked.then(|| for_used(chain, from, |axis| any(chain, to(axis))))
            };
            let threads = same(Level::Thread, Level::Block, first);
            Formula::and(threads.into_iter().chain(same(Level::Block, Level::Thread, second)))
        });
        let both = Formula::and(both);
        let (rule, reason) = match (first, second) {
            (true, false) => ("4", "on each chain, dimensions of threads are dimensions of work-groups"),
            (false, true) => ("5", "on each chain, dimensions of work-groups are dimensions of threads"),
            _ => ("4,5", "on each chain, dimensions of threads are those of work-groups"),
        };
        self.give(rule, 3, both, self.real.clone(), reason.to_string());
    }

    /// Rule (7) and its siblings; each kernel has a grid of its own
    fn exhaustive(&mut self) {
        for root in self.tree.roots() {
            let own: Vec<Vec<usize>> = self.chains.iter().filter(|chain| chain[0] == root).cloned().collect();
            if own.len() <= 1 {
                continue;
            }
            let about: Vec<usize> = std::iter::once(root).chain(self.tree.nested(root)).collect();
            let classes: [(Along, &str); 3] =
                [(Level::Thread, "thread"), (Level::Block, "work-group"), (Level::Global, "global")];
            for (along, what) in classes {
                for axis in Axis::ALL {
                    // In a circle: what one chain uses the next one uses.
                    let next = own.iter().cycle().skip(1);
                    let formula = Formula::and(
                        own.iter().zip(next).map(|(a, b)| any(a, along(axis)).implies(any(b, along(axis)))),
                    );
                    let reason = format!(
                        "{what} dimension {} is used on every chain in {} or on none",
                        axis.number(),
                        self.names(&[root])
                    );
                    self.give("7", 5, formula, about.clone(), reason);
                }
            }
        }
    }

    /// Rule (8)
    fn fusion(&mut self) {
        let tree = self.tree;
        for m in self.real.clone() {
            let Some(outer) = tree.loops[m].parent.filter(|_| tree.loops[m].perfect) else { continue };
            let seq = |n: usize| codes::is_in(n, MapLevel::SEQ);
            let formula = Formula::and([seq(outer), seq(m)]).not();
            let reason = format!(
                "{} stands alone in {}: two sequential ones are one, fused",
                self.names(&[m]),
                self.names(&[outer])
            );
            self.give("8", 6, formula, vec![outer, m], reason);
        }
    }
}

/// What a value in a domain must be to be fused: the only one in the map around, with views next to it (F4)
pub fn may_be_fused(tree: &Tree, n: usize) -> bool {
    tree.loops[n].perfect
}
