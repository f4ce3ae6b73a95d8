// The one place where threads are started.
//
// Work is cut into parts whose number depends on the data alone, never on the threads, and results are combined in the
// order of the parts: the same numbers come out to the last bit however many threads ran.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace credo {

inline std::atomic<std::size_t> thread_limit{1};

constexpr std::size_t max_parts = 16;

// How many parts `items` are worth, when fewer than `grain` would not repay starting a thread.
inline std::size_t parts_for(std::size_t items, std::size_t grain) {
  return std::clamp<std::size_t>(items / std::max<std::size_t>(grain, 1), 1, max_parts);
}

// Where part `part` of `parts` begins among `items`; it ends where the next begins.
inline std::size_t part_begin(std::size_t items, std::size_t part, std::size_t parts) {
  return items / parts * part + std::min(part, items % parts);
}

// Calls work(part, begin, end) for every part, on as many threads as are allowed. What a part throws is thrown here.
template <class Work>
void parallel_for(std::size_t items, std::size_t parts, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  auto run = [&] {
    for (std::size_t part; (part = next.fetch_add(1)) < parts;) {
      try {
        work(part, part_begin(items, part, parts), part_begin(items, part + 1, parts));
      } catch (...) {
        const std::lock_guard<std::mutex> held(guard);
        if (!failure) failure = std::current_exception();
        return;
      }
    }
  };
  std::vector<std::thread> crew;
  const std::size_t helpers = std::min(parts, thread_limit.load()) - 1;
  crew.reserve(helpers);
  for (std::size_t i = 0; i < helpers; ++i) {
    try {
      crew.emplace_back(run);
    } catch (const std::system_error&) {
      break;  // no more threads to be had: those that started, and this one, do all the parts
    }
  }
  run();
  for (auto& thread : crew) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace credo
