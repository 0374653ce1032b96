//! A function's mapping problem: maps, their values on a device, all constraints; a model of those that a filter keeps.

use crate::codes;
use crate::demand::{Demands, Rules, WHOLE, rules_of};
use crate::joint::{Broken, Said, Sizes};
use crate::levels::{MapLevel, MapLevels};
use crate::mappings::Mappings;
use crate::rules::{self, Given, Tag};
use crate::tree::{Tree, Uses};
use terrace_schedule_rules::Limits;
use terrace_search_solver::{Formula, Model, Uncounted, Var};

/// How to read the rules, and which to hold
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Which maps use a buffer
    pub uses: Uses,
    /// Constraints with these tags hold
    pub tags: Vec<Tag>,
    /// If some are named: only these rules hold, whatever their tags
    pub rules: Vec<String>,
    /// Levels of the device
    pub levels: MapLevels,
    /// Local memory is owned by blocks; else each thread may have its own
    pub strict_local: bool,
    /// What the device has; none: no limits
    pub limits: Option<Limits>,
    /// Sizes of blocks and grids where the program says none
    pub said: Said,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            uses: Uses::Scope,
            tags: vec![Tag::Printed, Tag::Heuristic, Tag::Beyond, Tag::Type, Tag::User],
            rules: Vec::new(),
            levels: MapLevels::OPENCL,
            strict_local: false,
            limits: None,
            said: Said::default(),
        }
    }
}

impl Options {
    /// Does the rule hold? What a user says does, whatever the rules
    pub fn holds(&self, rule: &str, tag: Tag) -> bool {
        match self.rules.is_empty() || tag == Tag::User {
            true => self.tags.contains(&tag),
            false => self.rules.iter().any(|own| own == rule),
        }
    }

    /// Only rules of the paper: they speak of maps as the program has them, and need no schedule
    pub fn is_paper(&self) -> bool {
        !self.rules.is_empty() && self.rules.iter().all(|rule| rules::PAPER.contains(&rule.as_str()))
    }

    /// Which rules of whole kernels hold
    pub fn whole(&self) -> Rules {
        let places = (0..WHOLE.len()).filter(|n| self.holds(WHOLE[*n], Tag::Beyond));
        rules_of(places)
    }
}

/// A buffer through which threads may give values to each other
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Join {
    /// The buffer, by place in the tree
    pub buffer: usize,
    /// Maps within its scope around a write
    pub writer: Vec<usize>,
    /// Maps within its scope around a read
    pub reader: Vec<usize>,
    /// Pairs of them that are at the same element in the same iteration only
    pub equal: Vec<(usize, usize)>,
}

/// A mapping problem
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// The maps
    pub tree: Tree,
    /// What was asked
    pub options: Options,
    /// All constraints, whatever their tag
    pub given: Vec<Given>,
    /// Where threads may meet
    pub joins: Vec<Join>,
    /// Values of maps that the program has decided
    pub decided: Vec<Option<MapLevel>>,
    /// Iterations and bytes, where sizes are numbers and the device has limits
    pub sizes: Option<Sizes>,
}

impl Problem {
    /// The problem of a nest: the paper's rules, and that `fused` needs perfect nesting
    pub fn new(tree: Tree, options: Options) -> Problem {
        let mut given = rules::printed(&tree, options.uses, &|rule| {
            options.rules.is_empty() || options.rules.iter().any(|own| own == rule)
        });
        if options.levels.fused {
            for n in (0..tree.loops.len()).filter(|n| !rules::may_be_fused(&tree, *n)) {
                // An outermost map may not have the level at all.
                if tree.loops[n].parent.is_none() {
                    continue;
                }
                given.push(Given {
                    rule: "FUSED",
                    kind: "FUSED",
                    tag: Tag::Beyond,
                    formula: codes::is_in(n, MapLevel::Fused).not(),
                    about: vec![n],
                    reason: format!(
                        "{} is not the only one in the map around, so it is no part of its loop",
                        tree.loops[n].name
                    ),
                });
            }
        }
        let decided = vec![None; tree.loops.len()];
        Problem { tree, options, given, joins: Vec::new(), decided, sizes: None }
    }

    /// Decide what the domains decide, and drop what always holds; what never does stays as it is, for its reason
    pub fn settle(&mut self) {
        let domains: Vec<Vec<i64>> = (0..self.tree.loops.len()).map(|n| self.numbers(n).collect()).collect();
        let decide = |atom: &Formula| match atom {
            Formula::Any(vars, values) => {
                let has = |var: &Var| domains[var.index()].iter().any(|value| values.contains(value));
                if vars.iter().any(|var| domains[var.index()].iter().all(|value| values.contains(value))) {
                    return Some(Formula::Known(true));
                }
                let possible = values
                    .iter()
                    .copied()
                    .filter(|value| vars.iter().any(|var| domains[var.index()].contains(value)));
                Some(Formula::any(vars.iter().copied().filter(has), possible))
            }
            Formula::Cmp(..) => {
                let [var] = atom.scope()[..] else { return None };
                let holds = |value: &i64| atom.eval(&|_| Some(*value)) == Some(true);
                let all = &domains[var.index()];
                let count = all.iter().filter(|value| holds(value)).count();
                (count == 0 || count == all.len()).then_some(Formula::Known(count > 0))
            }
            _ => None,
        };
        let mut kept = Vec::new();
        for given in std::mem::take(&mut self.given) {
            match given.formula.rewrite(&decide) {
                Formula::Known(true) => {}
                Formula::Known(false) => kept.push(given),
                formula => kept.push(Given { formula, ..given }),
            }
        }
        self.given = kept;
    }

    /// Were all rules asked, so that a mapping that breaks none of them is valid?
    pub fn is_whole(&self) -> bool {
        let beyond = crate::legality::NAMES.iter().chain(&WHOLE);
        self.sizes.is_some() && beyond.into_iter().all(|rule| self.options.holds(rule, Tag::Beyond))
    }

    /// What a mapping breaks that no constraint says, since it joins branches
    pub fn broken(&self, values: &[MapLevel]) -> Vec<Broken> {
        let all = self.sizes.iter().flat_map(|sizes| sizes.broken(&self.tree, values));
        all.filter(|broken| self.options.holds(broken.rule, Tag::Beyond)).collect()
    }

    /// How many mappings satisfy what single paths and sets of them say, and those of them that fit the device as a whole:
    /// HW, GRID, SYNC and CAP over whole kernels. The first space is the second one's if none of these rules is selected
    pub fn spaces(&self) -> Result<(Mappings, Result<Mappings, Uncounted>), Uncounted> {
        let (space, joint) = Mappings::without_joint(&self.model())?;
        let valid = match joint.is_empty() {
            true => self.fitting(&space, Rules::ALL),
            false => Err(Uncounted::Joint(joint.len())),
        };
        Ok((space, valid))
    }

    /// Of a space those mappings that fit the device, by some of the rules
    pub fn fitting(&self, space: &Mappings, rules: Rules) -> Result<Mappings, Uncounted> {
        let rules = rules.and(self.options.whole());
        match self.sizes.as_ref().filter(|_| rules != Rules::NONE) {
            Some(sizes) => space.adding_up(&Demands::new(&self.tree, sizes, rules)),
            None => Ok(space.clone()),
        }
    }

    /// All valid mappings; an error where there are too many ways in which branches add up
    pub fn valid(&self) -> Result<Mappings, Uncounted> {
        self.spaces()?.1
    }

    /// The values that a map may take
    pub fn domain(&self, n: usize) -> MapLevels {
        if let Some(value) = self.decided[n] {
            return value.into();
        }
        if self.tree.loops[n].inlined {
            return MapLevel::SEQ.into();
        }
        // The paper lets any map be fused.
        let may_be_fused = self.tree.loops[n].parent.is_some() || self.options.is_paper();
        let MapLevels { levels, fused } = self.options.levels;
        MapLevels { levels, fused: fused && may_be_fused }
    }

    /// The numbers of the values that a map may take
    fn numbers(&self, n: usize) -> impl Iterator<Item = i64> {
        self.domain(n).iter().map(codes::number)
    }

    /// Does a mapping satisfy all constraints that hold, but for what joins branches?
    pub fn holds(&self, values: &[MapLevel]) -> bool {
        self.model().holds(&codes::numbers(values))
    }

    /// The constraints that hold and that a mapping violates: places in [`Problem::given`]
    pub fn violated(&self, values: &[MapLevel]) -> Vec<usize> {
        self.model().violated(&codes::numbers(values))
    }

    /// The model of the constraints with the tags that hold; numbers of constraints are places in [`Problem::given`]
    pub fn model(&self) -> Model {
        let mut model = Model::default();
        for (n, each) in self.tree.loops.iter().enumerate() {
            model.var(&each.name, self.numbers(n), each.parent.map(|parent| Var(parent as u32)));
        }
        for (id, each) in self.given.iter().enumerate() {
            if self.options.holds(each.rule, each.tag) {
                model
                    .constraints
                    .push(terrace_search_solver::Constraint { id, formula: each.formula.clone() });
            }
        }
        model
    }

    /// How many constraints there are of each kind, in order of first use: Table 4
    pub fn table(&self) -> Vec<(&'static str, usize)> {
        let mut out: Vec<(&'static str, usize)> = rules::KINDS.iter().map(|kind| (*kind, 0)).collect();
        for each in &self.given {
            match out.iter_mut().find(|(kind, _)| *kind == each.kind) {
                Some((_, count)) => *count += 1,
                None => out.push((each.kind, 1)),
            }
        }
        out.retain(|(_, count)| *count > 0);
        out
    }
}
