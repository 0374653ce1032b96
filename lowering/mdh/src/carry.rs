//! Reductions whose loops carry what they combine: operators on tuples, and ones that start from nothing.

use crate::nest::{Done, Nest, State};
use crate::plan::{Item, Loop};
use crate::scalar::{self, Combine};
use crate::tails::Piece;
use terrace_dialect_sched::{self as sched, Bound, LoopSpec, Yield};
use terrace_ir::{InsertPoint, Value};
use terrace_support::affine::AffineMap;

impl Nest<'_> {
    /// Do loops carry what they combine, because their operator is on tuples or starts from nothing?
    pub(crate) fn carries(&self) -> bool {
        match &self.yields.combine {
            Combine::None => false,
            Combine::Joint(_) => true,
            Combine::Each(all) => all.iter().zip(&self.yields.identity).any(|(operator, identity)| {
                matches!(operator, sched::Operator::Function(_)) && identity.is_none()
            }),
        }
    }

    /// Neutral elements that a reduction by functions starts from: only built-in operators have their own
    pub(crate) fn inits(&mut self, at: InsertPoint) -> Vec<Value> {
        let functions = self.yields.operators().iter().any(|op| matches!(op, sched::Operator::Function(_)));
        let identity: Option<Vec<_>> = self.yields.identity.iter().copied().collect();
        match identity.filter(|_| functions) {
            Some(all) => {
                let mut b = self.b(at);
                all.into_iter().map(|attr| scalar::constant(&mut b, attr)).collect()
            }
            None => Vec::new(),
        }
    }

    /// Reduced loops with an operator on tuples: they carry the tuple
    pub(crate) fn joint(&mut self, n: usize, st: State) -> Done<(State, Vec<Value>)> {
        let identity: Option<Vec<_>> = self.yields.identity.iter().copied().collect();
        let items = &self.plan.items[n..];
        let (first, skip) = match identity {
            Some(identity) => {
                let mut b = self.b(st.at);
                (identity.into_iter().map(|attr| scalar::constant(&mut b, attr)).collect(), false)
            }
            None => {
                let loops: Vec<&Loop> = items
                    .iter()
                    .filter_map(|item| match item {
                        Item::Loop(one) if self.plan.is_loop(one) => Some(one),
                        _ => None,
                    })
                    .collect();
                let one = match loops.as_slice() {
                    [one] if self.plan.sizes[one.dim][0] > 0 => (*one).clone(),
                    [] => return Ok((st.clone(), self.contribution(&st)?)),
                    _ => return Err("an operator on tuples without identity, over several loops".into()),
                };
                let mut at_first = st.clone();
                at_first.ivs[one.dim].clear();
                (self.contribution(&at_first)?, true)
            }
        };
        let values = self.carry(n, st.clone(), first, skip)?;
        Ok((st, values))
    }

    fn carry(&mut self, n: usize, st: State, so_far: Vec<Value>, skip: bool) -> Done<Vec<Value>> {
        let Some(item) = self.plan.items.get(n) else {
            let values = self.contribution(&st)?;
            let yields = self.yields;
            return Ok(yields.apply(&mut self.b(st.at), &so_far, &values));
        };
        let carried = LoopSpec {
            step: self.step(n),
            kind: sched::Kind::Ordered,
            inits: so_far.clone(),
            results: self.yields.types.clone(),
            ..Default::default()
        };
        let (inner, inside) = match item.clone() {
            Item::Owner(layer) => {
                let mut inner = st;
                self.inputs_of(n, layer, &mut inner)?;
                return self.carry(n + 1, inner, so_far, skip);
            }
            Item::Guard(bound) if self.passes(n, &st, &bound) => {
                return self.carry(n + 1, st, so_far, skip);
            }
            Item::Loop(one) => {
                let mut so_far = so_far;
                for mut piece in self.pieces(n, &one, st)? {
                    let (at, before) = (piece.st.at, so_far.clone());
                    if let Some(limit) = piece.guard.take() {
                        let inner = LoopSpec {
                            extent: 1,
                            tile: 1,
                            limit: Some(limit),
                            inits: before,
                            ..carried.clone()
                        }
                        .build(&mut self.b(at));
                        piece.st.at = self.inside(inner);
                        let (inside, block) = (piece.st.at, self.ir.entry(inner.body(self.ir)));
                        let block = block.expect("just built with a block");
                        so_far = self.ir.block_args(block)[1..].to_vec();
                        let values = self.carry_piece(n, &one, piece, so_far, skip)?;
                        Yield::build(&mut self.b(inside), &values);
                        so_far = self.ir.results(inner.id()).collect();
                    } else {
                        so_far = self.carry_piece(n, &one, piece, so_far, skip)?;
                    }
                }
                return Ok(so_far);
            }
            Item::Guard(bound) => {
                let limit = Some(self.open(&st, &bound)?);
                let inner = LoopSpec { extent: 1, tile: 1, limit, ..carried }.build(&mut self.b(st.at));
                let mut st = State { at: self.inside(inner), ..st };
                st.taken.push(bound);
                (inner, st)
            }
        };
        self.carried(n, inner, inside)
    }

    /// One of the loops that a loop becomes, carrying
    fn carry_piece(
        &mut self,
        n: usize,
        one: &Loop,
        piece: Piece,
        so_far: Vec<Value>,
        skip: bool,
    ) -> Done<Vec<Value>> {
        if piece.once() {
            return self.carry(n + 1, piece.st, so_far, skip);
        }
        let results = self.yields.types.clone();
        let (inner, inside) = self.open_loop(n, one, piece, |spec| {
            spec.kind = sched::Kind::Ordered;
            spec.order = sched::Order::Fixed;
            (spec.inits, spec.results) = (so_far, results);
            if skip {
                spec.from = Some(Bound { map: AffineMap::constant(1), values: Vec::new() });
            }
        })?;
        self.carried(n, inner, inside)
    }

    /// The body of a loop that carries a tuple
    fn carried(&mut self, n: usize, inner: sched::For, inside: State) -> Done<Vec<Value>> {
        let at = inside.at;
        let block = self.ir.entry(inner.body(self.ir)).expect("just built with a block");
        let acc = self.ir.block_args(block)[1..].to_vec();
        let values = self.carry(n + 1, inside, acc, false)?;
        Yield::build(&mut self.b(at), &values);
        Ok(self.ir.results(inner.id()).collect())
    }
}
