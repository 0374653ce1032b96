//! Rules on random nests: what they say of an open nest holds of each completion

mod random;
