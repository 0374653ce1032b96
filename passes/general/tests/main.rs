//! Passes that know no dialect: refinement at random, promotion, analyses

mod analyses;
mod promote;
mod promote_tile;
mod refine;
