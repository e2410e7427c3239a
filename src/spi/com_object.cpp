// SPDX-License-Identifier: MIT
// See com_object.h.
#include "spi/com_object.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <new>
#include <string_view>
#include <utility>

#include "base/checker.h"
#include "ndstatus.h"

namespace opennd {
namespace {

constexpr std::size_t kKept = 4096;

constexpr std::string_view kOfUnknown = "QueryInterface AddRef Release";
// They return a number, a handle or nothing.
constexpr std::string_view kWithoutStatus[] = {
    "AddRef",        "Release",           "GetResults",         "GetLocalToken",      "GetRemoteToken",
    "GetFileHandle", "StartRequestBatch", "SubmitRequestBatch", "GetImmediateResults"};

// The word at a place among words with one blank between them; empty: there are not so many.
std::string_view word_at(std::string_view words, std::size_t place) {
    for (; place != 0 && !words.empty(); --place) words.remove_prefix(std::min(words.find(' '), words.size() - 1) + 1);
    return words.substr(0, words.find(' '));
}

std::string_view method_name(const ReleasedObject& object, std::size_t place) {
    return place < kUnknownMethods ? word_at(kOfUnknown, place) : word_at(object.methods, place - kUnknownMethods);
}

template <std::size_t Place>
std::uintptr_t called(const ReleasedObject* object) noexcept {
    const std::string_view method = method_name(*object, Place);
    if (Checker* const checks = checker()) checks->used_after_release(object, method);
    const bool has_status =
        std::find(std::begin(kWithoutStatus), std::end(kWithoutStatus), method) == std::end(kWithoutStatus);
    return has_status ? static_cast<std::uint32_t>(ND_INVALID_HANDLE) : 0;
}

using Method = std::uintptr_t (*)(const ReleasedObject*) noexcept;

struct Table {
    std::ptrdiff_t to_top = 0;
    const void* type = nullptr;
    std::array<Method, kMostMethods> methods;  // where an object points to
};

template <std::size_t... Places>
constexpr Table table_of(std::index_sequence<Places...>) {
    return {.methods = {&called<Places>...}};
}

constexpr Table kTable = table_of(std::make_index_sequence<kMostMethods>());

// The newest objects, in a ring. Without a lock, which a child of fork could find held.
class KeptObjects {
public:
    void add(void* memory) noexcept {
        // Relaxed: the number alone matters. Acquire and release: the oldest object is freed after it was written.
        const std::size_t place = next_.fetch_add(1, std::memory_order_relaxed) % kKept;
        ::operator delete(objects_[place].exchange(memory, std::memory_order_acq_rel));
    }

private:
    std::atomic<std::size_t> next_{0};
    std::array<std::atomic<void*>, kKept> objects_{};
};

constinit KeptObjects kept_objects;

}  // namespace

void keep_released(void* memory, const char* methods) noexcept {
    new (memory) ReleasedObject{kTable.methods.data(), methods};
    kept_objects.add(memory);
}

}  // namespace opennd
