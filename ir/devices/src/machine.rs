//! This machine, as figures and logs name it.

/// A machine: what tells its times from those of another. No host name: twins are one machine
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Machine {
    /// The processor by the system's name
    pub processor: String,
    /// Units of execution that this process may use
    pub cores: usize,
    /// What the processor can do, by the system's words in its order; empty where the system does not say
    pub features: String,
}

impl Machine {
    /// The one that this process runs on
    pub fn here() -> Machine {
        let listed = listed();
        Machine {
            processor: named(&listed),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            features: field(&listed, "flags").or_else(|| field(&listed, "Features")).unwrap_or_default(),
        }
    }
}

/// Name of this machine's processor by the system
pub fn processor() -> String {
    named(&listed())
}

/// What Linux says of its processors; empty elsewhere
pub(crate) fn listed() -> String {
    std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default()
}

/// What the first processor of a list has in a field
pub(crate) fn field(listed: &str, name: &str) -> Option<String> {
    let line = listed.lines().find(|line| line.split(':').next().is_some_and(|own| own.trim() == name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn named(listed: &str) -> String {
    let field = |name| field(listed, name);
    match (field("model name"), field("cpu family"), field("model")) {
        (Some(name), Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        (Some(name), ..) => name,
        _ => "unknown processor".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 207\n\
        model name\t: Some Processor\nflags\t\t: fpu avx2\n\nprocessor\t: 1\nmodel name\t: Another\n";

    #[test]
    fn the_first_processor_gives_the_name() {
        assert_eq!(named(LISTED), "Some Processor (family 6, model 207)");
        assert_eq!(field(LISTED, "flags").as_deref(), Some("fpu avx2"));
        assert_eq!(named("model name: X\n"), "X");
        assert_eq!(named(""), "unknown processor");
    }
}
