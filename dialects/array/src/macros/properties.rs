//! Properties of macros, decoded and checked.

use crate::misfit::Misfit;
use crate::nat_text::nat_of;
use terrace_analysis::nat::Nat;
use terrace_ir::{Attr, Context};

/// Most dimensions of a macro
pub(crate) const MAX_DEPTH: i64 = 16;

/// Properties of a macro
pub(crate) struct Properties<'a> {
    pub cx: &'a Context,
    pub attr: &'a dyn Fn(&str) -> Option<Attr>,
}

impl Properties<'_> {
    pub fn nat(&self, name: &str) -> Result<Nat, Misfit> {
        let attr = (self.attr)(name).and_then(|attr| nat_of(self.cx, attr));
        attr.ok_or_else(|| Misfit::size(format!("attribute '{name}' is no size")))
    }

    pub fn nats(&self, name: &str) -> Result<Vec<Nat>, Misfit> {
        let items = (self.attr)(name).and_then(|attr| attr.as_array(self.cx)).unwrap_or(&[]);
        let nats: Option<Vec<Nat>> = items.iter().map(|item| nat_of(self.cx, *item)).collect();
        match nats {
            Some(nats) if !nats.is_empty() && nats.len() as i64 <= MAX_DEPTH => Ok(nats),
            _ => Err(Misfit::size(format!("attribute '{name}' must be a list of 1 to {MAX_DEPTH} sizes"))),
        }
    }

    pub fn depth(&self) -> Result<usize, Misfit> {
        let depth = self.nat("depth")?.as_constant().filter(|depth| (1..=MAX_DEPTH).contains(depth));
        let depth = depth.and_then(|depth| usize::try_from(depth).ok());
        depth.ok_or_else(|| Misfit::ty(format!("works on 1 to {MAX_DEPTH} dimensions")))
    }

    pub fn levels(&self, depth: usize) -> Result<Vec<Attr>, Misfit> {
        let levels = (self.attr)("levels").and_then(|attr| attr.as_array(self.cx)).unwrap_or(&[]);
        if levels.is_empty() || levels.len() == depth {
            return Ok(levels.to_vec());
        }
        Err(Misfit::ty(format!("{} levels for {depth} dimensions", levels.len())))
    }

    /// Sizes before and behind in each dimension
    pub fn sides(&self) -> Result<(Vec<Nat>, Vec<Nat>), Misfit> {
        let (lows, highs) = (self.nats("lows")?, self.nats("highs")?);
        if lows.len() == highs.len() {
            return Ok((lows, highs));
        }
        Err(Misfit::ty(format!("{} sizes before and {} behind", lows.len(), highs.len())))
    }

    /// Those of these properties that are there
    pub fn some(&self, names: &[&'static str]) -> Vec<(&'static str, Attr)> {
        names.iter().filter_map(|name| Some((*name, (self.attr)(name)?))).collect()
    }
}
