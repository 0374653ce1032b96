//! Programs become smaller and keep what is interesting

mod reduce;
