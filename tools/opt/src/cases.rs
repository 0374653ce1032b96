//! From text to output, for each case of the input.

use crate::args::Args;
use crate::language::Content;
use crate::{Finished, Tool, beyond, emit, forms, limit, lists, one_by_one, output, rendered};
use std::io::IsTerminal;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId, expected, split_input};
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_pass::{Instrument, Pipeline, PrintWhen};
use terrace_text::{ParseOptions, PrintOptions};

pub(crate) fn pipeline(tool: Tool, args: &Args, cx: &Arc<Context>) -> Result<Pipeline, Diags> {
    let mut diags = Diags::default();
    let mut text = args.pipeline.clone();
    let mut device_of_all = None;
    if let Some(mapping) = &args.explain_mapping {
        let comma = if text.is_empty() { "" } else { "," };
        let device = args.device.as_deref().unwrap_or("opencl");
        text += &format!("{comma}array-explain-mapping{{device={device} mapping={mapping}}}");
    }
    if args.explain_schedule.is_some() && text.is_empty() {
        let device = args.device.as_deref().unwrap_or("host");
        text = beyond::scheduling();
        device_of_all = Some(device);
    }
    for name in args.print_before.iter().chain(&args.print_after) {
        if name != "all" && tool.registry.find(name).is_none() {
            let _ = diags.emit(tool.registry.unknown(name));
        }
    }
    let parsed = Pipeline::parse(&text, &tool.registry, cx.sources(), &mut diags);
    let Some(mut pipeline) = parsed.ok().filter(|_| !diags.has_errors()) else { return Err(diags) };
    if let Err(why) = beyond::schedule(args, device_of_all, &mut pipeline) {
        let _ = diags.emit(why);
        return Err(diags);
    }
    if let Some(error) = args.rewrite_limit.as_ref().and_then(|given| limit::unknown_pass(given, &pipeline)) {
        let _ = diags.emit(error);
        return Err(diags);
    }
    if let Some(form) = &args.explain_schedule {
        let why = match pipeline.set("mdh-schedule", "explain", form) {
            Ok(0) => "`--explain-schedule` wants a pipeline with `mdh-schedule`, or none".into(),
            Ok(_) => return Ok(pipeline),
            Err(why) => why.to_string(),
        };
        let _ = diags.emit(Diagnostic::error(&terrace_pass::codes::OPTION, why));
        return Err(diags);
    }
    Ok(pipeline)
}

/// Names of rules that no op brings along: a pass may have rules of its own, but most often it is a misspelling
fn unknown_rules(args: &Args, cx: &Context) -> Diags {
    let mut diags = Diags::default();
    let asked: Vec<&String> = args.disable_rule.iter().chain(&args.explain_miss).collect();
    if asked.is_empty() {
        return diags;
    }
    let known = lists::names_of_rules(cx);
    for name in asked {
        if known.iter().all(|rule| rule != name) {
            let warning = Diagnostic::warning(None, format!("`--list-rules` knows no rule `{name}`"));
            let close = terrace_diag::nearest(name, known.iter().copied());
            let _ = diags.emit(match close {
                Some(close) => warning.help(format!("did you mean `{close}`?")),
                None => warning,
            });
        }
    }
    diags
}

/// What a case is read from
enum Case<'a> {
    Text(SourceId),
    Bytes(&'a str, Content),
}

/// All cases of a text, or the one of bytes
pub(crate) fn run_all(
    args: &Args,
    cx: &Arc<Context>,
    pipeline: &Pipeline,
    name: &str,
    content: Content,
    finished: &mut Finished,
) {
    let color = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let (text, mut bytes) = match content {
        Content::Text(text) => (text, None),
        // Messages point into a listing, which the front end makes.
        bytes => (String::new(), Some(bytes)),
    };
    let ranges =
        if args.split_input_file { split_input(&text) } else { std::iter::once(0..text.len()).collect() };
    finished.messages.push_str(&rendered(cx, &unknown_rules(args, cx), color));
    let whole = cx.sources().add(name, text);
    let mut out = Vec::new();
    let several = ranges.len() > 1;
    if several && forms::is_one_module(&args.emit) {
        let mut diags = Diags::default();
        let form = &args.emit;
        let message = format!("the output holds one module: --emit={form} takes no file with several cases");
        let _ = diags.emit(Diagnostic::error(&beyond::codes::EMIT, message));
        finished.messages.push_str(&rendered(cx, &diags, color));
        finished.failed = true;
        return;
    }
    for (n, range) in ranges.into_iter().enumerate() {
        let source = if several { cx.sources().add_chunk(whole, range) } else { whole };
        let mut diags = Diags::default();
        let case = bytes.take().map_or(Case::Text(source), |bytes| Case::Bytes(name, bytes));
        let result = run_case(args, cx, pipeline, case, &mut diags, finished);
        if args.verify_diagnostics {
            let seen = diags.into_vec();
            if let Err(wrong) = expected::check(source, cx.sources(), &seen) {
                let mut diags = Diags::default();
                for diagnostic in wrong {
                    let _ = diags.emit(diagnostic);
                }
                finished.messages.push_str(&rendered(cx, &diags, color));
                finished.failed = true;
            }
            continue;
        }
        finished.messages.push_str(&rendered(cx, &diags, color));
        match result {
            Some(bytes) if n == 0 => out = bytes,
            Some(bytes) => {
                out.extend(forms::separator(&args.emit));
                out.extend(bytes);
            }
            None => finished.failed = true,
        }
    }
    if !finished.failed && !args.verify_diagnostics {
        finished.out = Some(out);
    }
}

fn run_case(
    args: &Args,
    cx: &Arc<Context>,
    pipeline: &Pipeline,
    case: Case<'_>,
    diags: &mut Diags,
    finished: &mut Finished,
) -> Option<Vec<u8>> {
    let threads = usize::from(args.threads);
    let options = ParseOptions {
        allow_unregistered: args.allow_unregistered_dialect,
        threads,
        ..ParseOptions::default()
    };
    let input = args.input.as_deref();
    let (mut ir, written) = match case {
        Case::Text(source) => {
            let mlir = crate::language::of_text(cx.sources().name(source), input).is_none();
            let instrument = instrument(args);
            if mlir && let Some(out) = one_by_one::run(args, cx, pipeline, source, &options, &instrument) {
                return Some(out);
            }
            let ir = crate::language::read(cx, source, input, &args.set, &options, diags)?;
            (ir, Written::Source(source))
        }
        Case::Bytes(name, bytes) => {
            let ir = crate::language::load(cx, name, bytes, input, &args.set, &options, diags)?.ir;
            // No test file has bytes: it has what they were read as.
            let text = if args.reproducer.is_some() { printed(&ir) } else { String::new() };
            (ir, Written::Text(text))
        }
    };
    if diags.has_errors() {
        return None;
    }
    diags.append(verify(&ir, threads));
    if diags.has_errors() {
        return None;
    }
    if !pipeline.steps.is_empty() && !run_passes(args, &mut ir, pipeline, &written, diags, finished) {
        return None;
    }
    // The remarks are the answer.
    if args.explain_mapping.is_some() {
        return Some(Vec::new());
    }
    if args.explain_schedule.is_some() {
        return Some(explanations(diags));
    }
    let mut out = Vec::new();
    let emitted = emit::emit(args, &ir, &mut out);
    if args.leave_memory {
        std::mem::forget(ir);
    }
    match emitted {
        Ok(()) => Some(out),
        Err(errors) => {
            for error in errors {
                let _ = diags.emit(error);
            }
            None
        }
    }
}

/// Why schedules were chosen, taken out of the messages: a paragraph or a line for each computation
fn explanations(diags: &mut Diags) -> Vec<u8> {
    let (choices, others): (Vec<Diagnostic>, Vec<Diagnostic>) =
        std::mem::take(diags).into_vec().into_iter().partition(beyond::is_choice);
    others.into_iter().for_each(|other| {
        let _ = diags.emit(other);
    });
    choices.iter().flat_map(|choice| format!("{}\n", choice.message).into_bytes()).collect()
}

/// The input as a reproducer has it
enum Written {
    Source(SourceId),
    Text(String),
}

fn printed(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &PrintOptions::default(), &mut text);
    text
}

/// What to print, verify and time while passes run
fn instrument(args: &Args) -> Instrument {
    let when = |names: &[String]| match names {
        [] => PrintWhen::Never,
        names if names.iter().any(|name| name == "all") => PrintWhen::All,
        names => PrintWhen::Passes(names.to_vec()),
    };
    Instrument {
        threads: args.threads.into(),
        verify_each: args.verify_each,
        print_before: when(&args.print_before),
        print_after: when(&args.print_after),
        print_changed: args.print_changed,
        timing: args.timing,
        disabled_rules: args.disable_rule.clone(),
        explain_miss: args.explain_miss.clone(),
        limit: args.rewrite_limit.clone(),
        ..Instrument::quiet(printed)
    }
}

fn run_passes(
    args: &Args,
    ir: &mut Ir,
    pipeline: &Pipeline,
    input: &Written,
    diags: &mut Diags,
    finished: &mut Finished,
) -> bool {
    let messages = &mut finished.messages;
    let (mut report, result) = terrace_pass::run(ir, pipeline, &instrument(args));
    messages.extend(std::mem::take(&mut report.watched));
    messages.extend(report.dumps.iter().map(ToString::to_string));
    finished.dumps.append(&mut report.dumps);
    if let Some(limit) = &args.rewrite_limit {
        messages.push_str(&limit::stopped(limit, &report.counted));
    }
    if args.stats {
        messages.push_str(&report.stats_table());
    }
    if args.timing {
        messages.push_str(&report.timing_table());
    }
    diags.append(report.diags);
    if result.is_err() {
        reproducer(args, ir, pipeline, input, diags, messages);
        return false;
    }
    // Of several programs in one file, one has the unit.
    let given = args.rewrite_limit.as_ref().filter(|_| !args.split_input_file);
    if let Some(error) = given.and_then(|given| limit::unknown_unit(given, &report.counted)) {
        let _ = diags.emit(error);
        return false;
    }
    if !args.verify_each {
        let broken = verify(ir, args.threads.into());
        if broken.has_errors() {
            diags.append(broken);
            reproducer(args, ir, pipeline, input, diags, messages);
            return false;
        }
    }
    true
}

/// Input and pipeline as a test file
fn reproducer(
    args: &Args,
    ir: &Ir,
    pipeline: &Pipeline,
    input: &Written,
    diags: &mut Diags,
    messages: &mut String,
) {
    let Some(file) = &args.reproducer else { return };
    let mut flags = String::from("--verify-each");
    if args.allow_unregistered_dialect {
        flags.push_str(" --allow-unregistered-dialect");
    }
    for rule in &args.disable_rule {
        flags.push_str(&format!(" --disable-rule={rule}"));
    }
    let pipeline = pipeline.to_text();
    let input = match input {
        Written::Source(source) => without_directives(ir.cx().sources().text(*source)),
        Written::Text(text) => text.clone(),
    };
    // Passes as a test once the run succeeds.
    // Values of options may be quoted themselves.
    let quote = if pipeline.contains('"') { '\'' } else { '"' };
    let content =
        format!("// test: opt --pipeline={quote}{pipeline}{quote} {flags}\n// check: module\n{input}");
    match output::write(Some(file), content.as_bytes()) {
        Ok(()) => messages.push_str(&format!("reproducer written to `{file}`\n")),
        Err(error) => {
            let _ = diags.emit(error);
        }
    }
}

/// A text whose comments direct no test
fn without_directives(text: &str) -> String {
    const KEYS: [&str; 7] = ["test:", "check:", "next:", "not:", "rule:", "eval:", "snapshot:"];
    let line = |line: &str| match line.split_once("//") {
        Some((code, comment)) if KEYS.iter().any(|key| comment.trim_start().starts_with(key)) => {
            format!("{code}// was {}\n", comment.trim_start())
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
