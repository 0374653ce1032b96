//! Constraints on types and attributes as trees, and the one search that checks them.
//!
//! A type is seen as the attribute that holds it. A node that binds has one value in an op, wherever it is used.
//! Alternatives are tried in order, with backtracking. **Invariants:** nodes only refer to nodes before them, so there are
//! no cycles. A search ends after [`STEPS`] steps and uses no stack.

use crate::test::{Part, Test};
use terrace_ir::{Attr, AttrKind, Context, TypeKind, show};

/// Steps after which a search gives up
pub const STEPS: usize = 100_000;

/// Deepest nesting of constraints
pub const DEPTH: usize = 64;

/// Index of a node
pub type NodeId = usize;

/// What a value must be
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Anything
    Any,
    /// C++ code that is not understood: accepts anything
    Unknown(String),
    /// A test on the value
    Test(Test),
    /// A part of the value satisfies a node; a value without such a part does not
    Part(Part, NodeId),
    /// All elements of an array satisfy a node
    Items(NodeId),
    /// Does not satisfy the node, which binds nothing
    Not(NodeId),
    /// Satisfies one of them
    AnyOf(Vec<NodeId>),
    /// Satisfies all of them
    AllOf(Vec<NodeId>),
    /// Is the attribute, or the type, with this text
    Is(String),
    /// Is a type `!dialect.name` or attribute `#dialect.name`, whatever its parameters
    Base(String),
    /// The same, with parameters that satisfy the nodes
    Parametric(String, Vec<NodeId>),
}

/// A rule with its place in the graph
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What is accepted
    pub rule: Rule,
    /// All uses in an op have one value
    pub binds: bool,
}

/// Nodes of a dialect
#[derive(Clone, Default, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    /// Does the node, or one below it, bind?
    binding: Vec<bool>,
    /// Is there code below it that is not understood?
    unknown: Vec<bool>,
    depth: Vec<usize>,
}

/// Outcome of a search
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// There are values for all nodes that bind
    Yes,
    /// There are none
    No,
    /// Not known after [`STEPS`] steps
    GaveUp,
}

/// A place to go back to
struct Choice {
    goals: Vec<(NodeId, Attr)>,
    bound: Vec<(NodeId, Attr)>,
    node: NodeId,
    value: Attr,
    next: usize,
}

impl Graph {
    /// Add a node; those that it refers to are there
    pub fn add(&mut self, rule: Rule, binds: bool) -> NodeId {
        let below: &[NodeId] = match &rule {
            Rule::Part(_, one) | Rule::Items(one) | Rule::Not(one) => std::slice::from_ref(one),
            Rule::AnyOf(list) | Rule::AllOf(list) | Rule::Parametric(_, list) => list,
            _ => &[],
        };
        let below: Vec<NodeId> = below.iter().copied().filter(|node| *node < self.nodes.len()).collect();
        self.depth.push(1 + below.iter().map(|node| self.depth[*node]).max().unwrap_or(0));
        self.binding.push(binds || below.iter().any(|node| self.binding[*node]));
        self.unknown.push(matches!(rule, Rule::Unknown(_)) || below.iter().any(|node| self.unknown[*node]));
        self.nodes.push(Node { rule, binds });
        self.nodes.len() - 1
    }

    /// Are there constraints nested deeper than [`DEPTH`]? Such a graph is not to be used
    pub fn too_deep(&self) -> bool {
        self.depth.iter().any(|depth| *depth > DEPTH)
    }

    /// Is there code in the node that is not understood?
    pub fn has_unknown(&self, node: NodeId) -> bool {
        self.unknown[node]
    }

    /// The rule of a node
    pub fn rule(&self, node: NodeId) -> &Rule {
        &self.nodes[node].rule
    }

    /// Does one value satisfy one node?
    pub fn accepts(&self, cx: &Context, node: NodeId, value: Attr) -> Found {
        self.solve(cx, vec![(node, value)])
    }

    fn holds(&self, cx: &Context, node: NodeId, value: Attr, steps: &mut usize) -> bool {
        self.search(cx, vec![(node, value)], steps) != Found::No
    }

    /// Do all values satisfy their nodes, with one value for each node that binds?
    pub fn solve(&self, cx: &Context, mut goals: Vec<(NodeId, Attr)>) -> Found {
        goals.reverse();
        // Each value takes a step at least, and an op may have many.
        let mut left = STEPS + 8 * goals.len();
        self.search(cx, goals, &mut left)
    }

    fn search(&self, cx: &Context, mut goals: Vec<(NodeId, Attr)>, steps: &mut usize) -> Found {
        let (mut bound, mut choices) = (Vec::new(), Vec::<Choice>::new());
        loop {
            let Some(less) = steps.checked_sub(1) else { return Found::GaveUp };
            *steps = less;
            let Some((node, value)) = goals.pop() else { return Found::Yes };
            if self.step(cx, (node, value), &mut goals, &mut bound, &mut choices, steps) {
                continue;
            }
            loop {
                let Some(choice) = choices.last_mut() else { return Found::No };
                let Rule::AnyOf(list) = &self.nodes[choice.node].rule else { return Found::No };
                let Some(&next) = list.get(choice.next) else {
                    choices.pop();
                    continue;
                };
                choice.next += 1;
                goals = choice.goals.clone();
                bound = choice.bound.clone();
                goals.push((next, choice.value));
                break;
            }
        }
    }

    /// One goal; false if it cannot be satisfied with what is bound
    fn step(
        &self,
        cx: &Context,
        (node, value): (NodeId, Attr),
        goals: &mut Vec<(NodeId, Attr)>,
        bound: &mut Vec<(NodeId, Attr)>,
        choices: &mut Vec<Choice>,
        steps: &mut usize,
    ) -> bool {
        let Node { rule, binds } = &self.nodes[node];
        if *binds {
            if let Some((_, other)) = bound.iter().find(|(other, _)| *other == node) {
                return *other == value;
            }
            bound.push((node, value));
        }
        match rule {
            Rule::Any | Rule::Unknown(_) => true,
            Rule::Test(test) => test.holds(cx, value),
            Rule::Part(part, inner) => match part.of(cx, value) {
                Some(value) => {
                    goals.push((*inner, value));
                    true
                }
                None => false,
            },
            Rule::Items(inner) => match value.as_array(cx) {
                Some(items) => {
                    goals.extend(items.iter().map(|item| (*inner, *item)));
                    true
                }
                None => false,
            },
            Rule::Not(inner) => self.unknown[*inner] || !self.holds(cx, *inner, value, steps),
            Rule::AllOf(list) => {
                goals.extend(list.iter().rev().map(|inner| (*inner, value)));
                true
            }
            Rule::AnyOf(list) if !self.binding[node] => {
                list.iter().any(|inner| self.holds(cx, *inner, value, steps))
            }
            Rule::AnyOf(list) => {
                let Some(&first) = list.first() else { return false };
                choices.push(Choice { goals: goals.clone(), bound: bound.clone(), node, value, next: 1 });
                goals.push((first, value));
                true
            }
            Rule::Is(text) => show::attr_text(cx, value) == *text,
            Rule::Base(name) => base(cx, value).is_some_and(|(base, _)| base == *name),
            Rule::Parametric(name, list) => match base(cx, value) {
                Some((base, params)) if base == *name && params.len() == list.len() => {
                    goals.extend(list.iter().copied().zip(params.iter().copied()).rev());
                    true
                }
                _ => false,
            },
        }
    }

    /// The node in words, for messages
    pub fn describe(&self, node: NodeId) -> String {
        self.words(node, 4)
    }

    fn words(&self, node: NodeId, depth: usize) -> String {
        let Some(below) = depth.checked_sub(1) else { return "…".to_string() };
        let list = |list: &[NodeId], between: &str| {
            let words: Vec<String> = list.iter().take(8).map(|node| self.words(*node, below)).collect();
            let more = if list.len() > 8 { format!("{between}…") } else { String::new() };
            words.join(between) + &more
        };
        match &self.nodes[node].rule {
            Rule::Any | Rule::Unknown(_) => "anything".to_string(),
            Rule::Test(test) => test.words(),
            Rule::Part(part, inner) => {
                format!("something with {} that is {}", part.words(), self.words(*inner, below))
            }
            Rule::Items(inner) => format!("an array of {}", self.words(*inner, below)),
            Rule::Not(inner) => format!("not {}", self.words(*inner, below)),
            Rule::AnyOf(nodes) => list(nodes, " or "),
            Rule::AllOf(nodes) => list(nodes, " and "),
            Rule::Is(text) => format!("`{text}`"),
            Rule::Base(name) => format!("`{name}`"),
            Rule::Parametric(name, nodes) => format!("`{name}` of {}", list(nodes, ", ")),
        }
    }
}

/// The sigil and name of a value's definition, and its parameters
pub fn base(cx: &Context, value: Attr) -> Option<(String, Vec<Attr>)> {
    if let Some(ty) = value.as_type(cx) {
        let (name, params): (&str, Vec<Attr>) = match ty.kind(cx) {
            TypeKind::Dialect { def, params } => return Some((format!("!{}", def.name), params.to_vec())),
            TypeKind::Complex(part) => ("!builtin.complex", vec![cx.type_attr(*part)]),
            TypeKind::Int { .. } => ("!builtin.integer", Vec::new()),
            TypeKind::Index => ("!builtin.index", Vec::new()),
            TypeKind::Float(_) => return Some((format!("!builtin.{}", show::type_text(cx, ty)), Vec::new())),
            TypeKind::None => ("!builtin.none", Vec::new()),
            TypeKind::Function { .. } => ("!builtin.function", Vec::new()),
            TypeKind::Tuple(_) => ("!builtin.tuple", Vec::new()),
            TypeKind::Vector { .. } => ("!builtin.vector", Vec::new()),
            TypeKind::Tensor { .. } => ("!builtin.tensor", Vec::new()),
            TypeKind::UnrankedTensor(_) => ("!builtin.unranked_tensor", Vec::new()),
            TypeKind::MemRef { .. } => ("!builtin.memref", Vec::new()),
            TypeKind::UnrankedMemRef { .. } => ("!builtin.unranked_memref", Vec::new()),
            TypeKind::Opaque { dialect, text } => {
                let name = cx.str(*text).split('<').next().unwrap_or_default();
                return Some((format!("!{}{name}", cx.str(*dialect)), Vec::new()));
            }
        };
        return Some((name.to_string(), params));
    }
    let name = match value.kind(cx) {
        AttrKind::Dialect { def, params } => return Some((format!("#{}", def.name), params.to_vec())),
        AttrKind::Enum { def, .. } => return Some((format!("#{}", def.name), Vec::new())),
        AttrKind::Int { .. } => "#builtin.integer",
        AttrKind::Float { .. } => "#builtin.float",
        AttrKind::Str { .. } => "#builtin.string",
        AttrKind::Array(_) => "#builtin.array",
        AttrKind::Dict(_) => "#builtin.dictionary",
        AttrKind::Symbol { .. } => "#builtin.symbol_ref",
        AttrKind::Unit => "#builtin.unit",
        AttrKind::AffineMap(_) => "#builtin.affine_map",
        _ => return None,
    };
    Some((name.to_string(), Vec::new()))
}
