//! The tool itself: flags, help, codes, reference pages, hostile input, threads

mod choices;
mod codes;
mod dependent;
mod flags;
mod graphs;
mod help;
mod hostile;
mod loaded;
mod manual;
mod mlir_opt;
mod new_dialect;
mod one_by_one;
mod records;
mod reference;
mod targets;
mod threads;
mod unlowered;
