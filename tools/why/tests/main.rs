//! Planted mistakes are found, right passes are not accused, and the tool says what it cannot do

mod planted;
mod proofs;
mod tool;
