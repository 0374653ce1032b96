#include "Vmain.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void put(const void *data, size_t bytes) {
  if (std::fwrite(data, 1, bytes, stdout) != bytes) std::exit(1);
}

// Main memory: one access of a port in a cycle; what is read is there in the next one.
struct Memory {
  std::vector<uint8_t> bytes;
  size_t size;
  Memory(size_t length, size_t size) : bytes(length), size(size) {
    if (length > 0 && std::fread(bytes.data(), 1, length, stdin) != length) std::exit(1);
  }
  uint64_t serve(bool en, bool write, uint64_t place, uint64_t value, uint64_t before) {
    if (!en) return before;
    if (place >= bytes.size() / size) {
      std::fprintf(stderr, "element %llu is outside of the memory\n", (unsigned long long)place);
      std::exit(1);
    }
    uint64_t element = 0;
    if (write)
      std::memcpy(&bytes[place * size], &value, size);
    else
      std::memcpy(&element, &bytes[place * size], size);
    return write ? before : element;
  }
  void give() { put(bytes.data(), bytes.size()); }
};

static void tick(Vmain &top) {
  top.clk = 0, top.eval();
  top.clk = 1, top.eval();
}
