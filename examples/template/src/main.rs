//! `template-opt`.

fn main() -> std::process::ExitCode {
    terrace_opt::main(template::tool())
}
