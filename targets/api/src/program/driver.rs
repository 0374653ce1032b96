//! The `main` of a program: it reads the arrays, calls the function in its packed form, writes what it left and how long it took.

use crate::{Form, Signature, bits};
use terrace_runtime_buffers::Buffer;

/// What `main` calls
const HELPERS: &str = include_str!("helpers.c");

/// Slots of 8 bytes that a value takes when packed
fn slots(form: Form, rank: usize) -> usize {
    if form == Form::MemRef { 3 + 2 * rank } else { 1 }
}

/// The text for these arguments
pub(crate) fn text(
    signature: &Signature,
    given: &[Buffer],
    invoke: &str,
    runs: (Option<u32>, Option<u64>),
) -> String {
    let mut set = String::new();
    let mut give = String::new();
    let mut at = 0;
    for (n, (slot, buffer)) in signature.params.iter().zip(given).enumerate() {
        if slot.form == Form::MemRef {
            let (shape, bytes) = (buffer.shape(), buffer.bytes().len());
            let room = bytes.next_multiple_of(64).max(64);
            set += &format!("  void *m{n} = take({bytes}, {room});\n");
            set += &format!("  args[{at}] = args[{}] = (int64_t)m{n};\n", at + 1);
            for (d, size) in shape.iter().enumerate() {
                let stride: u64 = shape[d + 1..].iter().product();
                set += &format!("  args[{}] = {size};\n", at + 3 + d);
                set += &format!("  args[{}] = {stride};\n", at + 3 + shape.len() + d);
            }
            give += &format!("  give(m{n}, {bytes});\n");
        } else {
            set += &format!("  args[{at}] = (int64_t){:#x}ull;\n", bits(buffer, 0));
        }
        at += slots(slot.form, buffer.shape().len());
    }
    let mut out = 0;
    for slot in &signature.results {
        let (rank, size) = (slot.shape.len(), slot.elem.size());
        give += &match slot.form {
            Form::MemRef => format!("  give_memory(results + {out}, {rank}, {size});\n"),
            _ => format!("  give(results + {out}, 8);\n"),
        };
        out += slots(slot.form, rank);
    }
    let (bench, stop) = runs;
    let (args, results, calls) = (at.max(1), out.max(1), bench.unwrap_or(0));
    // As `is_slow` has it, which also reads the times.
    let stop = stop.and_then(|stop| i64::try_from(stop).ok()).map_or(String::new(), |stop| {
        format!("    slow = slow && ns > {stop};\n    if (slow && n > 0) break;\n")
    });
    let main = format!(
        "\
#ifdef __cplusplus
extern \"C\"
#else
extern
#endif
void {invoke}(int64_t *args, int64_t *results);

int main(void) {{
  make_room();
  static int64_t args[{args}], results[{results}];
  results_out = fdopen(dup(1), \"wb\");
  if (!results_out || dup2(2, 1) < 0) fail(\"the results cannot be written\");
{set}  {invoke}(args, results);
{give}  fflush(results_out);
  int slow = 1;
  (void)slow;
  for (int n = 0; n < {calls}; n++) {{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    {invoke}(args, results);
    clock_gettime(CLOCK_MONOTONIC, &b);
    int64_t ns = (int64_t)(b.tv_sec - a.tv_sec) * 1000000000 + (b.tv_nsec - a.tv_nsec);
    give(&ns, 8);
{stop}  }}
  return 0;
}}
"
    );
    format!("{HELPERS}{main}")
}
