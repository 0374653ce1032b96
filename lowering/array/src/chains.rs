//! Which loops walk through one dimension: those of a chain of tiles, in one nest or in several.

use terrace_dialect_sched::{Copy, For, Level, LoopInfo, Read, Write};
use terrace_ir::{Ir, OpId};
use terrace_support::HashMap;

/// A loop
pub(crate) struct Loop {
    pub op: For,
    pub info: LoopInfo,
    /// Its new step
    pub scale: i64,
    /// Stands in no arithmetic
    pub free: bool,
    /// Fills another: its step stays
    pub fixed: bool,
    /// Over strips (0), or over what is in one (1): each has its step, and both are one dimension
    pub strip: Option<u8>,
    /// The number after those of the loops inside
    end: usize,
}

/// Which loops are one dimension
///
/// Each group is named by its first loop and lists its loops by number, so in order of the text.
pub(crate) struct Groups {
    leader: Vec<usize>,
    members: Vec<Vec<usize>>,
}

impl Groups {
    /// Each loop alone
    fn apart(loops: usize) -> Groups {
        Groups { leader: (0..loops).collect(), members: (0..loops).map(|n| vec![n]).collect() }
    }

    fn of(&self, at: usize) -> &[usize] {
        &self.members[self.leader[at]]
    }

    /// Are two loops one dimension?
    pub fn are_one(&self, a: usize, b: usize) -> bool {
        self.leader[a] == self.leader[b]
    }

    /// The number of the first loop that is one dimension with this one
    pub fn leader(&self, at: usize) -> usize {
        self.leader[at]
    }

    /// Loops of both groups, in order
    pub fn of_both(&self, a: usize, b: usize) -> Vec<usize> {
        if self.are_one(a, b) {
            return self.of(a).to_vec();
        }
        let mut all = [self.of(a), self.of(b)].concat();
        all.sort_unstable();
        all
    }

    /// All loops of both groups are one dimension
    pub fn join(&mut self, a: usize, b: usize) {
        let all = self.of_both(a, b);
        let [first, second] = [self.leader[a].min(self.leader[b]), self.leader[a].max(self.leader[b])];
        for at in std::mem::take(&mut self.members[second]) {
            self.leader[at] = first;
        }
        self.members[first] = all;
    }
}

/// All loops in order of the text; strips and what is in them are one dimension
pub(crate) fn all_loops(ir: &Ir) -> (Vec<Loop>, Groups) {
    let mut loops: Vec<Loop> = Vec::new();
    let mut strips: Vec<usize> = Vec::new();
    for op in ir.walk_below(ir.root()).filter_map(|op| For::cast(ir, op)) {
        let Some(info) = op.info(ir) else { continue };
        let is_access = |op: OpId| {
            Read::cast(ir, op).is_some() || Write::cast(ir, op).is_some() || Copy::cast(ir, op).is_some()
        };
        let free = ir.uses(info.iv).all(|(user, _)| is_access(user)) && info.level != Level::Vector;
        let inside = loops
            .last()
            .is_some_and(|outer: &Loop| outer.strip == Some(0) && ir.parent(op.id()) == Some(outer.op.id()));
        let strip = if inside { Some(1) } else { (info.tile > 1).then_some(0) };
        strips.extend(inside.then_some(loops.len()));
        let end = loops.len() + 1;
        loops.push(Loop { op, info, scale: 1, free: free && strip.is_none(), fixed: false, strip, end });
    }
    ends(ir, &mut loops);
    let mut groups = Groups::apart(loops.len());
    strips.into_iter().for_each(|inner| groups.join(inner - 1, inner));
    (loops, groups)
}

/// Find where the loops inside of each loop end
fn ends(ir: &Ir, loops: &mut [Loop]) {
    let number: HashMap<OpId, usize> = loops.iter().enumerate().map(|(n, each)| (each.op.id(), n)).collect();
    for n in (0..loops.len()).rev() {
        let around = std::iter::successors(ir.parent(loops[n].op.id()), |op| ir.parent(*op));
        let end = loops[n].end;
        if let Some(outer) = around.into_iter().find_map(|op| number.get(&op)) {
            loops[*outer].end = loops[*outer].end.max(end);
        }
    }
}

/// Are loops one dimension, on each path: the extent of each loop is that of the largest, or a tile of another?
///
/// The loops are in order. `scaled`: one of them, and the step that it would have. Each loop is visited once: on its way in it sees
/// the loops around it, on its way out those inside.
pub(crate) fn is_chain(loops: &[Loop], members: &[usize], scaled: Option<(usize, i64)>) -> bool {
    let scale = |n: usize| scaled.filter(|(at, _)| *at == n).map_or(loops[n].scale, |(_, scale)| scale);
    let extent = |n: usize| loops[n].info.extent.saturating_mul(scale(n));
    let tile = |n: usize| loops[n].info.tile.saturating_mul(scale(n));
    // By tile: how many loops around have it, and which loop of those before had it last.
    let mut around: HashMap<i64, usize> = HashMap::default();
    let mut latest: HashMap<i64, usize> = HashMap::default();
    // Loops that are open, each with the largest extent around and inside, and whether it is a tile of one around.
    let mut open: Vec<(usize, i64, i64, bool)> = Vec::new();
    let mut ordered = true;
    let mut rest = members.iter().copied().peekable();
    loop {
        let next = rest.peek().copied();
        if let Some((n, largest, inside, tiles)) =
            open.pop_if(|(n, ..)| next.is_none_or(|next| next >= loops[*n].end))
        {
            if let Some(count) = around.get_mut(&tile(n)) {
                *count -= 1;
            }
            let within = latest.get(&extent(n)).is_some_and(|at| *at > n);
            ordered &= largest.max(inside) <= extent(n) || tiles || within;
            if let Some((_, _, outer, _)) = open.last_mut() {
                *outer = (*outer).max(inside).max(extent(n));
            }
            continue;
        }
        let Some(n) = rest.next() else { return ordered };
        let largest = open.last().map_or(i64::MIN, |(outer, largest, ..)| extent(*outer).max(*largest));
        let tiles = around.get(&extent(n)).is_some_and(|count| *count > 0);
        *around.entry(tile(n)).or_insert(0) += 1;
        latest.insert(tile(n), n);
        open.push((n, largest, i64::MIN, tiles));
    }
}

/// Is a loop of one group inside of a loop of the other?
pub(crate) fn are_nested(loops: &[Loop], groups: &Groups, a: usize, b: usize) -> bool {
    let mut ends = [0; 2];
    groups.of_both(a, b).into_iter().any(|n| {
        let own = usize::from(groups.are_one(n, b));
        ends[own] = ends[own].max(loops[n].end);
        n < ends[1 - own]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_diag::Diags;
    use terrace_ir::Context;
    use terrace_support::Random;
    use terrace_text::ParseOptions;

    fn loops_of(text: &str) -> (Vec<Loop>, Groups) {
        let cx = Context::new(&[terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL].concat());
        let source = cx.sources().add("test.mlir", text.to_string());
        let mut diags = Diags::default();
        let module = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
        let module = module.expect("it is read");
        let function = module.walk().find_map(|op| module.child(op)).expect("a function");
        all_loops(function)
    }

    /// Loops with these extents and tiles; a number says how many end behind each
    fn nest(all: &[(i64, i64, usize)]) -> (Vec<Loop>, Groups) {
        let mut text = "func.func @f() {\n".to_owned();
        let mut open = 0;
        for (n, (extent, tile, ending)) in all.iter().enumerate() {
            text += &format!("sched.for (%i{n} in {extent} by {tile} dim {n}) {{\n");
            open += 1;
            let ending = (*ending).min(open);
            text += &"}\n".repeat(ending);
            open -= ending;
        }
        loops_of(&format!("{text}{}return\n}}", "}\n".repeat(open)))
    }

    /// The definition, each pair of loops for itself
    fn pair_by_pair(loops: &[Loop], members: &[usize], scaled: Option<(usize, i64)>) -> bool {
        let scale = |n: usize| scaled.filter(|(at, _)| *at == n).map_or(1, |(_, scale)| scale);
        let extent = |n: usize| loops[n].info.extent * scale(n);
        let tile = |n: usize| loops[n].info.tile * scale(n);
        let inside = |a: usize, b: usize| a < b && b < loops[a].end;
        members.iter().all(|own| {
            let path =
                || members.iter().copied().filter(|other| inside(*own, *other) || inside(*other, *own));
            path().all(|other| extent(other) <= extent(*own))
                || path().any(|other| tile(other) == extent(*own))
        })
    }

    #[test]
    fn a_chain_is_what_it_is_pair_by_pair() {
        let mut r = Random::new(3);
        let mut chains = 0;
        for _ in 0..400 {
            let one = |r: &mut Random| {
                let tile = 1 << r.below(3);
                (tile << r.below(3), tile, r.below(3) as usize)
            };
            let all: Vec<(i64, i64, usize)> = (0..8).map(|_| one(&mut r)).collect();
            let (loops, _) = nest(&all);
            for _ in 0..8 {
                let members: Vec<usize> = (0..8).filter(|_| r.below(2) == 0).collect();
                let scaled = members.first().filter(|_| r.below(2) == 0).map(|at| (*at, 1 << r.below(4)));
                let wanted = pair_by_pair(&loops, &members, scaled);
                assert_eq!(is_chain(&loops, &members, scaled), wanted, "{all:?} {members:?} {scaled:?}");
                chains += u32::from(wanted && members.len() > 2);
            }
        }
        assert!(chains > 100, "{chains}");
    }

    #[test]
    fn long_chains_take_as_long_as_they_are() {
        // One in another, and one behind the other.
        for (length, ends) in [(64, 0), (64, 1), (4096, 0), (4096, 1)] {
            let (loops, mut groups) = nest(&vec![(4, 2, ends); length]);
            for n in 1..length {
                assert!(is_chain(&loops, &groups.of_both(n - 1, n), None));
                groups.join(n - 1, n);
            }
            assert_eq!(groups.of(length - 1).len(), length);
            assert!(!are_nested(&loops, &groups, 0, length - 1));
        }
    }
}
