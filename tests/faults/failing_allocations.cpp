// SPDX-License-Identifier: MIT
//
// See failing_allocations.h.
#include "faults/failing_allocations.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

namespace opennd::faults {
namespace {

// The code of libopennd.
struct Library {
    std::uintptr_t base = 0, begin = 0, end = 0;

    static Library find() {
        Library found;
        found.base = reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, "opennd_transport_select"));
        dl_iterate_phdr(
            [](dl_phdr_info* object, std::size_t, void* result) {
                auto& library = *static_cast<Library*>(result);
                for (int i = 0; i < object->dlpi_phnum; ++i) {
                    const auto& part = object->dlpi_phdr[i];
                    const std::uintptr_t start = object->dlpi_addr + part.p_vaddr;
                    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
                    if (library.base < start || library.base >= start + part.p_memsz) continue;
                    library = {object->dlpi_addr, start, start + part.p_memsz};
                    return 1;
                }
                return 0;
            },
            &found);
        return found;
    }
    bool has(const void* address) const {
        const auto place = reinterpret_cast<std::uintptr_t>(address);
        return place >= begin && place < end;
    }
};

const Library& library() {
    static const Library found = Library::find();
    return found;
}

thread_local bool counting = false;
thread_local long left = 0;
thread_local const void* failed_at = nullptr;

std::atomic<unsigned> scarce_one_in{0};
std::atomic<std::uint64_t> scarce_seed{0};
std::atomic<long> scarce_failures{0};

// SplitMix64, over the allocations of all threads.
bool fails_by_chance(const void* caller) {
    const unsigned one_in = scarce_one_in.load(std::memory_order_relaxed);
    if (one_in == 0 || !library().has(caller)) return false;
    std::uint64_t value = scarce_seed.fetch_add(0x9E3779B97F4A7C15, std::memory_order_relaxed);
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    if ((value ^ (value >> 31)) % one_in != 0) return false;
    scarce_failures.fetch_add(1, std::memory_order_relaxed);
    return true;
}

bool fails(const void* caller) {
    if (fails_by_chance(caller)) return true;
    if (!counting || !library().has(caller) || left-- != 0) return false;
    failed_at = caller;
    return true;
}

}  // namespace

ScarceMemory::ScarceMemory(unsigned one_in, std::uint64_t seed) {
    (void)library();
    scarce_failures = 0;
    scarce_seed = seed;
    scarce_one_in = one_in;
}

ScarceMemory::~ScarceMemory() { scarce_one_in = 0; }

long ScarceMemory::failures() const { return scarce_failures; }

FailingAllocation::FailingAllocation(long number) {
    (void)library();
    failed_at = nullptr;
    left = number;
    counting = true;
}

FailingAllocation::~FailingAllocation() { counting = false; }

FailingAllocation::Truce::Truce() : interrupts_(std::exchange(counting, false)) {}

FailingAllocation::Truce::~Truce() { counting = interrupts_; }

bool FailingAllocation::failed() const { return failed_at != nullptr; }

std::string FailingAllocation::text() const {
    char place[64];
    std::snprintf(place, sizeof place, "libopennd.so+%#lx",
                  static_cast<unsigned long>(reinterpret_cast<std::uintptr_t>(failed_at) - library().base));
    return place;
}

}  // namespace opennd::faults

using opennd::faults::fails;

// Found by the library, which is a shared object.
#pragma GCC visibility push(default)

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return fails(__builtin_return_address(0)) ? nullptr : std::malloc(bytes != 0 ? bytes : 1);
}

void* operator new(std::size_t bytes) {
    if (!fails(__builtin_return_address(0)))
        if (void* const memory = std::malloc(bytes != 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    if (!fails(__builtin_return_address(0)))
        if (void* const memory = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit)) return memory;
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#pragma GCC visibility pop
