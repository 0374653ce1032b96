//! Small data structures shared by every crate of the framework
