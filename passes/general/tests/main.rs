//! Passes that know no dialect: refinement at random, promotion, analyses

mod analyses;
mod limit;
mod promote;
mod promote_tile;
mod refine;
