//! The tool with scripts that are right, wrong, slow and gone

mod tool;
