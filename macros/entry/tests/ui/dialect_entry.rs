//! A dialect with an entry that does not exist

terrace_macros::dialect! {
    /// Wrong
    pub T = "t" { operations: [] }
}

fn main() {}
