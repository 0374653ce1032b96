//! Small nests, built loop by loop, and what the rules say of them.

use terrace_devices::{Axis, Element, Level, Levels, Mechanism, Per, Space, Update};
use terrace_schedule_model::nest::{
    Access, AccessId, Around, Bound, Branch, Buffer, BufferId, Combine, Hole, Index, Launch, Loop, LoopId,
    Made, Meeting, Nest, Opaque, Open, Operator, OperatorId, Use,
};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::{Combination, Order};
use terrace_schedule_rules::{Cx, RULES, Reason, Subject, Truth, first_broken, truth, truth_of};
use terrace_support::affine::{AffineExpr, AffineMap};

/// The axes, and the levels that have one, by names that are short in tables
pub const X: Axis = Axis::X;
pub const Y: Axis = Axis::Y;
pub const Z: Axis = Axis::Z;

/// A nest in the making: what is added stands inside of the loops that are open
pub struct Build {
    nest: Nest,
    around: Around,
    place: u32,
}

/// A loop's variable
pub fn var(id: LoopId) -> AffineExpr {
    AffineExpr::Dim(id.index() as u32)
}

/// A constant
pub fn int(value: i64) -> AffineExpr {
    AffineExpr::Constant(value)
}

/// A sum
pub fn sum(all: &[AffineExpr]) -> AffineExpr {
    all.iter().cloned().reduce(AffineExpr::add).unwrap_or(int(0))
}

/// A multiple
pub fn times(factor: i64, of: AffineExpr) -> AffineExpr {
    AffineExpr::mul(of, int(factor))
}

/// A variable of a copy's own domain
pub fn own(number: u32) -> AffineExpr {
    AffineExpr::Dim(OWN + number)
}

/// Numbers from here on are those of a copy's own variables
const OWN: u32 = 1000;

/// The same expressions over the loops that they use, behind the variables of a domain
fn map_of(results: &[AffineExpr], domain: usize) -> (AffineMap, Vec<Index>) {
    let used = |n: &u32| results.iter().any(|expr| expr.uses_dim(*n));
    let loops: Vec<u32> = (0..OWN).filter(used).collect();
    let renamed = |leaf: &AffineExpr| match leaf {
        AffineExpr::Dim(n) if *n >= OWN => AffineExpr::Dim(n - OWN),
        AffineExpr::Dim(n) => {
            let place = loops.iter().position(|other| other == n).expect("it is used");
            AffineExpr::Dim((domain + place) as u32)
        }
        other => other.clone(),
    };
    let results = results.iter().map(|expr| expr.map_leaves(&mut |leaf| renamed(leaf)).expect("small"));
    let map = AffineMap::new((domain + loops.len()) as u32, 0, results.collect()).expect("in range");
    (map, loops.iter().map(|n| Index::Loop(LoopId::new(*n as usize))).collect())
}

impl Build {
    /// Outside of kernels
    pub fn host() -> Build {
        Build { nest: Nest::default(), around: Around::default(), place: 0 }
    }

    /// Inside of a kernel with so many blocks and threads
    pub fn kernel(grid: [i64; 3], block: [i64; 3]) -> Build {
        Build::host().and_kernel(grid, block)
    }

    /// In another kernel
    pub fn and_kernel(mut self, grid: [i64; 3], block: [i64; 3]) -> Build {
        let launch = Launch { inferred: false, grid, block, cluster: [1; 3], subgroup: 32 };
        self.around = Around { launch: Some(self.nest.launches.push(launch)), ..Around::default() };
        self
    }

    /// The kernel, to change it
    pub fn launch(&mut self) -> &mut Launch {
        &mut self.nest.launches[self.around.launch.expect("there is a kernel")]
    }

    /// A loop of single steps without a dimension
    pub fn each(&mut self, extent: i64, level: Level) -> LoopId {
        self.push(None, extent, 1, Open::Is(level))
    }

    /// A loop over tiles of a dimension
    pub fn tiles(&mut self, dim: i64, extent: i64, tile: i64, level: Level) -> LoopId {
        self.push(Some(dim), extent, tile, Open::Is(level))
    }

    /// A loop whose level is open
    pub fn open(&mut self, extent: i64, name: &str) -> LoopId {
        let hole = self.nest.holes.push(Hole { name: name.into(), structural: false });
        self.push(None, extent, 1, Open::Hole(hole))
    }

    fn push(&mut self, dim: Option<i64>, extent: i64, tile: i64, level: Open<Level>) -> LoopId {
        let combine = Combine {
            kind: Combination::Cc,
            order: Order::Fixed,
            mechanism: Mechanism::Auto,
            results: 0,
            operators: Vec::new(),
        };
        let id = self.nest.loops.push(Loop {
            around: self.around,
            end: u32::MAX,
            dim,
            extent: Open::Is(extent),
            tile: Open::Is(tile),
            level,
            merged: Open::Is(false),
            combine,
            from: None,
            limit: None,
            tail: None,
            stages: None,
            nowait: false,
            step: None,
        });
        self.around.inside = Some(id);
        self.place += 1;
        id
    }

    /// Close the innermost loop, with the conditions in it
    pub fn end(&mut self) {
        let id = self.around.inside.expect("a loop is open");
        self.nest.loops[id].end = self.nest.loops.len() as u32;
        self.around = self.nest.loops[id].around;
        self.place += 1;
    }

    /// A loop, to change it
    pub fn at(&mut self, id: LoopId) -> &mut Loop {
        &mut self.nest.loops[id]
    }

    /// Iterations of a loop are merged into so many results, or into memory, by an operator
    pub fn merges(&mut self, id: LoopId, operator: OperatorId, results: usize) {
        let own = &mut self.nest.loops[id].combine;
        own.kind = Combination::Pw;
        own.operators = vec![operator; results.max(1)];
        own.results = results;
    }

    /// Iterations of a loop from here on do not happen
    pub fn limit(&mut self, id: LoopId, bound: AffineExpr) {
        let (map, over) = map_of(&[bound], 0);
        self.nest.loops[id].limit = Some(Bound { map, over });
    }

    /// Iterations of a loop before this one do not happen
    pub fn from(&mut self, id: LoopId, bound: AffineExpr) {
        let (map, over) = map_of(&[bound], 0);
        self.nest.loops[id].from = Some(Bound { map, over });
    }

    /// A condition, up to the end of the loop around
    pub fn branch(&mut self, loops: &[LoopId]) {
        let own = Branch { around: self.around, loops: loops.to_vec(), private: false };
        self.around.branch = Some(self.nest.branches.push(own));
    }

    /// A value computed here
    pub fn value(&mut self) -> Index {
        Index::Opaque(self.nest.opaque.push(Opaque { constant: None, around: self.around, computed: None }))
    }

    /// An operator on f32 that may be bracketed and ordered anyhow, but rounds
    pub fn add(&mut self) -> OperatorId {
        self.operator("add", |_| {})
    }

    /// An operator that differs from the sum of f32
    pub fn operator(&mut self, name: &str, change: impl Fn(&mut Operator)) -> OperatorId {
        let mut own = Operator {
            name: name.into(),
            update: Some((Update::Add, Element::F32)),
            associative: true,
            commutative: true,
            exact: false,
        };
        change(&mut own);
        self.nest.operators.push(own)
    }

    /// An argument in a device's memory
    pub fn argument(&mut self, shape: &[i64]) -> BufferId {
        self.memory(Space::Device, shape)
    }

    /// An argument
    pub fn memory(&mut self, space: Space, shape: &[i64]) -> BufferId {
        self.nest.buffers.push(Buffer {
            space,
            named: None,
            shape: shape.to_vec(),
            bytes: 4,
            made: None,
            part: None,
        })
    }

    /// A buffer that is made here
    pub fn made(&mut self, space: Space, shape: &[i64], per: Option<Per>) -> BufferId {
        self.place += 1;
        let made = Made { around: self.around, per, place: self.place, there: Open::Is(true), step: None };
        let shape = shape.to_vec();
        self.nest.buffers.push(Buffer { space, named: None, shape, bytes: 4, made: Some(made), part: None })
    }

    /// A buffer, to change it
    pub fn buffer(&mut self, id: BufferId) -> &mut Buffer {
        &mut self.nest.buffers[id]
    }

    /// An access, to change it
    pub fn access(&mut self, id: AccessId) -> &mut Access {
        &mut self.nest.accesses[id]
    }

    /// Read an element
    pub fn read(&mut self, buffer: BufferId, at: &[AffineExpr]) -> AccessId {
        self.uses(buffer, Use::Read, &[], at)
    }

    /// Write an element
    pub fn write(&mut self, buffer: BufferId, at: &[AffineExpr]) -> AccessId {
        self.uses(buffer, Use::Write, &[], at)
    }

    /// Merge into an element
    pub fn merge(&mut self, buffer: BufferId, operator: OperatorId, at: &[AffineExpr]) -> AccessId {
        self.uses(buffer, Use::Merge(operator), &[], at)
    }

    /// Copy over a domain; threads that `per` names do it together
    pub fn copy(
        &mut self,
        domain: &[i64],
        from: (BufferId, &[AffineExpr]),
        to: (BufferId, &[AffineExpr]),
        per: Option<Per>,
    ) -> AccessId {
        let read = self.uses(from.0, Use::Read, domain, from.1);
        let write = self.uses(to.0, Use::Write, domain, to.1);
        let place = self.nest.accesses[write].place;
        for id in [read, write] {
            let own = &mut self.nest.accesses[id];
            (own.copy, own.per, own.together, own.place) = (true, per, per.is_some(), place);
        }
        if per.is_some() {
            self.nest.meetings.push(Meeting { access: write, place, per, around: self.around });
        }
        write
    }

    fn uses(&mut self, buffer: BufferId, does: Use, domain: &[i64], at: &[AffineExpr]) -> AccessId {
        self.place += 1;
        let (map, over) = map_of(at, domain.len());
        self.nest.accesses.push(Access {
            buffer,
            does,
            map,
            over,
            domain: domain.to_vec(),
            guarded: false,
            copy: false,
            per: None,
            together: false,
            around: self.around,
            place: self.place,
        })
    }

    /// All of it
    pub fn done(mut self) -> Nest {
        while self.around.inside.is_some() {
            self.end();
        }
        self.nest
    }
}

fn subject(of: Subject) -> String {
    match of {
        Subject::Loop(id) => format!("loop {}", id.index()),
        Subject::Access(id) => format!("access {}", id.index()),
        Subject::Buffer(id) => format!("buffer {}", id.index()),
        Subject::Launch(id) => format!("kernel {}", id.index()),
        Subject::Branch(id) => format!("condition {}", id.index()),
    }
}

/// A reason with what it is about in front and what else takes part behind
pub fn message_of(rule: &str, reason: &Reason) -> String {
    let others: Vec<String> =
        reason.others.iter().map(|(of, what)| format!("{}: {what}", subject(*of))).collect();
    let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
    format!("{rule}: {}: {}{others}", subject(reason.about), reason.text)
}

/// All rules hold
#[track_caller]
pub fn accepts(nest: &Nest) {
    let cx = Cx::new(nest);
    if let Some((rule, reason)) = first_broken(&cx) {
        panic!("{}", message_of(rule.name, &reason));
    }
    assert_eq!(truth(&cx), Truth::True);
}

/// A rule does not hold, for this reason, and those before it do
#[track_caller]
pub fn refuses(nest: &Nest, wanted: &str) {
    let cx = Cx::new(nest);
    let Some((rule, reason)) = first_broken(&cx) else { panic!("it is accepted") };
    assert_eq!(message_of(rule.name, &reason), wanted);
    assert_eq!(truth_of(&cx, rule), Truth::False);
    for before in RULES.iter().take_while(|other| other.name != rule.name) {
        assert_eq!(truth_of(&cx, before), Truth::True, "{}", before.name);
    }
}

/// One rule of a nest whose levels are open
pub fn rule(nest: &Nest, name: &str, levels: &[&[Level]]) -> Truth {
    let sets: Vec<Levels> = levels.iter().map(|own| own.iter().copied().collect()).collect();
    let of = |id: LoopId| sets[id.index()];
    let rule = RULES.iter().find(|rule| rule.name == name).expect("a rule");
    truth_of(&Cx::with_levels(nest, &of), rule)
}
