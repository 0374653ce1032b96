//! What each step does to each dimension: the tile that it finds, the tile that it leaves, and who runs the tiles.
//!
//! Read from fields alone, so that schedules with open fields have a picture too; what an open field decides is `None`.

use crate::captions::{LayerLook, look_of};
use crate::document::Document;
use terrace_devices::Layer;

/// A dimension in a step
#[derive(Clone, Debug)]
pub struct Cut {
    /// Size of the tile around
    pub above: Option<i64>,
    /// Size of the step's tile
    pub size: Option<i64>,
    /// Layer of the core, with `^` followed up
    pub layer: Option<Layer>,
}

impl Cut {
    /// Number of tiles
    pub fn parts(&self) -> Option<i64> {
        let (above, size) = (self.above?.max(1), self.size?.max(1));
        Some(above / size + i64::from(above % size != 0))
    }

    /// Are there several? What is open counts as one
    pub fn splits(&self) -> bool {
        self.parts().is_some_and(|parts| parts > 1)
    }

    /// Does an open field decide it?
    pub fn is_open(&self) -> bool {
        self.above.is_none() || self.size.is_none()
    }

    /// Size of the last tile, if it is smaller than the others
    pub fn remainder(&self) -> Option<i64> {
        let (above, size) = (self.above?.max(1), self.size?.max(1));
        Some(above % size).filter(|rest| *rest != 0 && above > size)
    }

    /// The tile's share of what is around
    pub fn share(&self) -> f64 {
        match (self.above, self.size) {
            (Some(above), Some(size)) if above > 0 => (size.max(1) as f64 / above as f64).min(1.0),
            _ => 1.0,
        }
    }

    /// Who runs the tiles
    pub fn look(&self) -> Option<&'static LayerLook> {
        self.layer.map(look_of)
    }

    /// Class of the color
    pub fn class(&self) -> &'static str {
        self.look().map_or("seq", |layer| layer.class)
    }

    /// Do the tiles run at the same time?
    pub fn together(&self) -> bool {
        self.look().is_some_and(|layer| layer.together)
    }
}

/// Per step and dimension
pub fn of(document: &Document) -> Vec<Vec<Cut>> {
    let mut cores: Vec<Option<Layer>> = vec![None; document.dims.len()];
    let mut all = Vec::new();
    for (n, step) in document.draft.steps.iter().enumerate() {
        let (above, own) = (document.tile(n), document.tile(n + 1));
        let mut cuts = Vec::new();
        for (dim, core) in cores.iter_mut().enumerate() {
            if let Some(own) = step.cores.get(dim).filter(|own| own.known() != Some(&None)) {
                *core = own.layer();
            }
            cuts.push(Cut { above: above[dim], size: own[dim], layer: *core });
        }
        all.push(cuts);
    }
    all
}

/// The step in words: `2 × 50 blocks at the same time`
pub fn spoken(document: &Document, cuts: &[Cut]) -> String {
    if cuts.iter().any(Cut::is_open) {
        return "open: a search chooses the tiles".into();
    }
    let mut groups: Vec<(&'static LayerLook, Vec<usize>)> = Vec::new();
    for (dim, cut) in cuts.iter().enumerate().filter(|(_, cut)| cut.splits()) {
        let layer = cut.look().unwrap_or(look_of(Layer::For));
        match groups.iter_mut().find(|(known, _)| *known == layer) {
            Some((_, dims)) => dims.push(dim),
            None => groups.push((layer, vec![dim])),
        }
    }
    groups.sort_by_key(|(layer, _)| !layer.together);
    let words = groups.iter().map(|(layer, dims)| {
        let parts: Vec<String> =
            dims.iter().map(|dim| crate::captions::grouped(cuts[*dim].parts().unwrap_or(1))).collect();
        let names: Vec<&str> =
            dims.iter().filter_map(|dim| Some(document.dims.get(*dim)?.name.as_str())).collect();
        let how = match layer.class {
            "seq" => " in order",
            "unr" => "",
            _ => " at the same time",
        };
        // Without blocks, threads are a pool's, which runs tasks.
        let many = if layer.layer == Layer::Thr && !document.on_grid() { "tasks" } else { layer.many };
        format!("{} {many} along {}{how}", parts.join(" × "), names.join(", "))
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { "no new tiles".into() } else { words.join(", each with ") }
}
