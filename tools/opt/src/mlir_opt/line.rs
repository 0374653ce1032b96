//! Reading a command line of `mlir-opt`.

use super::pipeline::Named;
use super::request::Request;
use super::words::{self, Takes};
use super::{absent, options, passes};
use terrace_pass::Registry;

/// Read a command line; the errors are complete lines
pub fn parse(program: &str, words: Vec<String>, registry: &Registry) -> Result<Request, Vec<String>> {
    let is_pass = |name: &str| Named::find(name, registry).is_some();
    let takes = |name: &str| match options::find(name) {
        Some(option) => Some(option.takes),
        None if is_pass(name) => Some(Takes::Optional),
        None => absent::is_absent(name).then_some(Takes::Optional),
    };
    let nearest = |name: &str| {
        let own = registry.all().map(|info| info.name);
        let upstream = passes::ALL.iter().map(|known| known.name);
        terrace_diag::nearest(name, options::names().chain(upstream).chain(own))
    };
    let words = words::with_response_files(words, &words::response_file)
        .map_err(|error| vec![format!("{program}: {error}")])?;
    let words::Words { options: given, files, mut errors } = words::split(words, program, &takes, &nearest);
    let mut request = Request::new(program, *registry);
    for one in given {
        let value = one.value.as_deref();
        let set = match options::find(&one.name) {
            Some(option) => (option.set)(&mut request, &one.name, value),
            None if is_pass(&one.name) => {
                request.flags.push((one.name, value.unwrap_or("").to_string()));
                Ok(())
            }
            None => Err(absent::absence(&one.name)),
        };
        errors.extend(set.err());
    }
    let mut files = files.into_iter();
    request.file = files.next().unwrap_or(request.file);
    let surplus = files.next().is_some();
    if surplus {
        errors.push("Too many positional arguments specified!".into());
    }
    let mut lines: Vec<String> = errors.iter().map(|error| format!("{program}: {error}")).collect();
    if surplus {
        lines.push(format!("Can specify at most 1 positional arguments: See: {program} --help"));
    }
    // In generic form no scope is isolated: values are numbered across functions.
    request.print.unique_ids |= request.print.generic;
    if lines.is_empty() { Ok(request) } else { Err(lines) }
}
