#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// What the program itself prints goes another way than its results.
static FILE *results_out;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

// Arrays on a chip are variables here, and take more than the usual stack.
static void make_room(void) {
  const rlim_t wanted = (rlim_t)64 << 20;
  struct rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur == RLIM_INFINITY || stack.rlim_cur >= wanted) return;
  stack.rlim_cur = stack.rlim_max == RLIM_INFINITY || stack.rlim_max > wanted ? wanted : stack.rlim_max;
  (void)setrlimit(RLIMIT_STACK, &stack);
}

static void give(const void *from, size_t bytes) {
  if (fwrite(from, 1, bytes, results_out) != bytes) fail("the results cannot be written");
}

static void *take(size_t bytes, size_t room) {
  void *to = aligned_alloc(64, room);
  if (!to) fail("out of memory");
  if (fread(to, 1, bytes, stdin) != bytes) fail("the arguments cannot be read");
  return to;
}

static void give_memory(const int64_t *all, int rank, size_t size) {
  const char *start = (const char *)all[1] + all[2] * (int64_t)size;
  const int64_t *sizes = all + 3, *strides = all + 3 + rank;
  int64_t count = 1;
  give(sizes, 8 * rank);
  for (int d = 0; d < rank; d++) count *= sizes[d];
  for (int64_t n = 0; n < count; n++) {
    int64_t rest = n, at = 0;
    for (int d = rank - 1; d >= 0; d--) at += rest % sizes[d] * strides[d], rest /= sizes[d];
    give(start + at * (int64_t)size, size);
  }
}

