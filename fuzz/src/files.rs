//! Files that are no text of programs: bytecode, arrays, devices, logs, strategies, frames of the worker.

use crate::text;
use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use terrace_devices::Device;
use terrace_diag::Diags;
use terrace_ir::verify::verify;
use terrace_ir::{Context, FloatKind, TypeKind};
use terrace_native_client::protocol::{Frame, Request};
use terrace_opt::language::{self, Content};
use terrace_rewrite::strategy::Strategy;
use terrace_runtime_buffers::Buffer;
use terrace_search_explore::log;
use terrace_search_trials::{Input, LONGEST_ANSWER, Said, Trial, lines};
use terrace_text::{ParseOptions, PrintOptions};

/// Any bytes are read, or refused with a message, by each reader
pub fn files(data: &[u8]) {
    array(data);
    bytecode(data);
    frames(data);
    trials(data);
    let Some(text) = text(data) else { return };
    match text.parse::<Strategy<String>>() {
        Ok(strategy) => {
            let shown = strategy.to_string();
            let again = shown.parse::<Strategy<String>>();
            let again = again.unwrap_or_else(|error| panic!("{}:\n{shown}", error.message));
            assert_eq!(shown, again.to_string(), "prints differently");
        }
        Err(error) => assert!(text.get(error.at..).is_some(), "an error at no place of the text"),
    }
    match Device::parse("fuzz", text) {
        Ok(device) => assert_eq!(Device::parse("fuzz", &device.text("fuzz")), Ok(device), "written differently"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok((header, entries)) = log::read(text) {
        assert!(entries.iter().all(|entry| entry.point.len() == header.names.len()));
    }
    if let Some(end) = log::ending(text) {
        assert!(log::ending(&end.line()).is_some(), "what is written is not read");
    }
    let _ = terrace_runtime_opencl::oclgrind::parse_log(text);
    let cx = Context::new(&terrace_opt::all_dialects());
    let lane = cx.ty(TypeKind::Float(FloatKind::F16));
    for ty in [cx.ty(TypeKind::Index), cx.int(1), cx.int(128), lane, cx.vector(&[2, 2], lane)] {
        let _ = terrace_interp::text::parse_value(&cx, text, ty);
    }
}

/// Bytecode: what is read and right is printed
fn bytecode(data: &[u8]) {
    let content = Content::Bytecode(data.to_vec());
    let cx = Context::new(&terrace_opt::all_dialects());
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let mut diags = Diags::default();
    match language::load(&cx, "fuzz", content, None, &[], &options, &mut diags) {
        Some(program) if !verify(&program.ir, 1).has_errors() => {
            let mut text = String::new();
            terrace_text::print(&program.ir, &PrintOptions::default(), &mut text);
        }
        Some(_) => {}
        None => assert!(diags.has_errors(), "refused without an error"),
    }
}

thread_local! {
    static FILE: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// A `.npy` file: what is read is written to bytes that read to the same
fn array(data: &[u8]) {
    if !data.starts_with(b"\x93NUMPY") {
        return;
    }
    let path = FILE.with_borrow_mut(|file| {
        let name = format!("terrace-fuzz-{}.npy", std::process::id());
        file.get_or_insert_with(|| std::env::temp_dir().join(name)).clone()
    });
    fs::write(&path, data).expect("the temporary folder takes files");
    if let Ok(read) = Buffer::read_npy(&path) {
        read.write_npy(&path).expect("the temporary folder takes files");
        let again = Buffer::read_npy_as(&path, read.elem(), read.shape()).expect("it was written");
        assert!(again.bytes() == read.bytes(), "reads back otherwise");
    }
}

/// Frames until the bytes end or are none
fn frames(mut data: &[u8]) {
    while let Ok(Some(frame)) = Frame::read(&mut data) {
        let _ = Request::decode(&frame);
    }
}

/// Lines of trials and of answers: what is read is written to a line that can be read
fn trials(data: &[u8]) {
    for input in lines(data, LONGEST_ANSWER) {
        let Ok(Input::Line(line) | Input::Half(line)) = input else { continue };
        match Trial::read(&line) {
            Ok(trial) => {
                let again = trial.line().expect("it was read");
                assert!(Trial::read(&again).is_ok(), "{again}");
            }
            Err((_, wrong)) => assert!(!wrong.to_string().is_empty()),
        }
        if let Some(said) = Said::read(&line) {
            let again = said.line().expect("it was read");
            assert!(Said::read(&again).is_some(), "{again}");
        }
    }
}
