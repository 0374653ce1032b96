//! `money-opt`.

fn main() -> std::process::ExitCode {
    terrace_opt::main(outsider::tool())
}
