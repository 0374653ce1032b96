//! MDH text, tensor expressions, Python: forms, studies, hostile files

mod forms;
mod hostile;
mod python;
mod studies;
