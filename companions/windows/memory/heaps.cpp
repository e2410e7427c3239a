// SPDX-License-Identifier: MIT
// Heaps. A small block is malloc's, behind a header; a large one comes from opennd_memory_allocate, so that peers on this
// host can map it, and its header lies elsewhere, for it fills its pages.
#include "win32/heaps.h"
#include "win32/integer_limits.h"

#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <unordered_map>

#include "opennd.h"
#include "windows/last_error.h"
#include "windows/memory/secure_memory.h"

namespace opennd::windows {
namespace {

constexpr SIZE_T kLarge = 64 * 1024;
constexpr SIZE_T kPage = 4096;

class Heap;

struct alignas(16) Block {
    Heap* heap;
    SIZE_T bytes;  // as asked for
    SIZE_T room;   // as allocated: the largest size without moving
    Block* previous;
    Block* next;
    void* data;  // right behind, or pages of its own
};

bool is_large(const Block& block) { return block.data != &block + 1; }

// The headers of large blocks, by their data.
class LargeBlocks {
public:
    void add(Block* block) {
        const std::unique_lock held(mutex_);
        by_data_.emplace(block->data, block);
    }
    void remove(const void* data) noexcept {
        const std::unique_lock held(mutex_);
        by_data_.erase(data);
    }
    Block* find(const void* data) const noexcept {
        const std::shared_lock held(mutex_);
        const auto found = by_data_.find(data);
        return found == by_data_.end() ? nullptr : found->second;
    }

private:
    mutable std::shared_mutex mutex_;
    std::unordered_map<const void*, Block*> by_data_;
};

LargeBlocks& large_blocks() {
    static auto* const blocks = new LargeBlocks;  // never destroyed: programs free blocks while they exit
    return *blocks;
}

// A large block; null: no memory that peers can map, or none at all.
Block* make_large(SIZE_T bytes) {
    auto* const block = new (std::nothrow) Block{};
    if (block == nullptr) return nullptr;
    if (opennd_memory_allocate(bytes, &block->data) != ND_SUCCESS) {
        delete block;
        return nullptr;
    }
    try {
        large_blocks().add(block);
        return block;
    } catch (const std::bad_alloc&) {
        opennd_memory_free(block->data);
        delete block;
        return nullptr;
    }
}

Block* make_small(SIZE_T bytes, bool zeroed) {
    if (bytes > SIZE_MAX - sizeof(Block)) return nullptr;
    void* const memory = zeroed ? std::calloc(1, sizeof(Block) + bytes) : std::malloc(sizeof(Block) + bytes);
    if (memory == nullptr) return nullptr;
    auto* const block = new (memory) Block{};
    block->data = block + 1;
    return block;
}

void free_memory(Block* block) {
    if (block->room >= kLarge) tell_that_memory_goes(block->data, block->room);
    if (!is_large(*block)) {
        std::free(block);
        return;
    }
    large_blocks().remove(block->data);
    opennd_memory_free(block->data);
    delete block;
}

class Heap {
public:
    // The process's heap keeps no list: its blocks end with the process.
    explicit Heap(bool lists_blocks) : lists_blocks_(lists_blocks) {}
    Heap(const Heap&) = delete;
    Heap& operator=(const Heap&) = delete;
    ~Heap() {
        magic_ = 0;
        while (Block* const block = first_) {
            first_ = block->next;
            free_memory(block);
        }
    }

    bool is_valid() const { return magic_ == kMagic; }

    void* allocate(SIZE_T bytes, bool zeroed) {
        Block* block = bytes >= kLarge ? make_large(bytes) : nullptr;
        if (block == nullptr) block = make_small(bytes, zeroed);
        if (block == nullptr) return nullptr;
        block->heap = this;
        block->bytes = block->room = bytes;
        link(block);
        return block->data;
    }

    void free(Block* block) {
        unlink(block);
        block->heap = nullptr;
        free_memory(block);
    }

    // The block at `data`; null: not a block of this heap.
    Block* find(const void* data) const {
        if (data == nullptr || reinterpret_cast<std::uintptr_t>(data) % alignof(Block) != 0) return nullptr;
        Block* block = nullptr;
        if (reinterpret_cast<std::uintptr_t>(data) % kPage == 0) block = large_blocks().find(data);
        if (block == nullptr) block = static_cast<Block*>(const_cast<void*>(data)) - 1;
        return block->heap == this && block->data == data ? block : nullptr;
    }

    // The block after this one; null: the first, or none.
    Block* after(const Block* block) const { return block != nullptr ? block->next : first_; }

    std::recursive_mutex& mutex() { return mutex_; }

private:
    static constexpr std::uint64_t kMagic = 0x4F70656E4E444870;

    void link(Block* block) {
        if (!lists_blocks_) return;
        const std::lock_guard held(mutex_);
        block->next = first_;
        if (first_ != nullptr) first_->previous = block;
        first_ = block;
    }
    void unlink(Block* block) {
        if (!lists_blocks_) return;
        const std::lock_guard held(mutex_);
        (block->previous != nullptr ? block->previous->next : first_) = block->next;
        if (block->next != nullptr) block->next->previous = block->previous;
    }

    volatile std::uint64_t magic_ = kMagic;
    const bool lists_blocks_;
    std::recursive_mutex mutex_;  // guards the list; HeapLock holds it
    Block* first_ = nullptr;
};

Heap& process_heap() {
    static auto* const heap = new Heap(false);
    return *heap;
}

// The heap of a handle; null: not a heap, and the last error says so.
Heap* heap_of(HANDLE handle) {
    auto* const heap = static_cast<Heap*>(handle);
    const bool possible = heap != nullptr && reinterpret_cast<std::uintptr_t>(handle) % alignof(Heap) == 0;
    return possible && heap->is_valid() ? heap : fail(ERROR_INVALID_HANDLE, static_cast<Heap*>(nullptr));
}

// The size that a block can grow to in place.
SIZE_T capacity(Block& block) {
    if (!is_large(block)) return malloc_usable_size(&block) - sizeof(Block);
    return (block.room + kPage - 1) / kPage * kPage;
}

void* reallocate(Heap& heap, Block& block, SIZE_T bytes, DWORD flags) {
    const SIZE_T before = block.bytes;
    const bool zeroed = (flags & HEAP_ZERO_MEMORY) != 0;
    if (bytes <= capacity(block)) {
        block.bytes = bytes;
        if (zeroed && bytes > before) std::memset(static_cast<char*>(block.data) + before, 0, bytes - before);
        return block.data;
    }
    if ((flags & HEAP_REALLOC_IN_PLACE_ONLY) != 0) return nullptr;
    void* const moved = heap.allocate(bytes, zeroed);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, block.data, before < bytes ? before : bytes);
    heap.free(&block);
    return moved;
}

constexpr bool are_known(DWORD flags) {
    return (flags & ~DWORD{HEAP_NO_SERIALIZE | HEAP_ZERO_MEMORY | HEAP_REALLOC_IN_PLACE_ONLY}) == 0;
}

}  // namespace
}  // namespace opennd::windows

using namespace opennd::windows;

HANDLE GetProcessHeap(VOID) { return &process_heap(); }

HANDLE HeapCreate(DWORD flOptions, SIZE_T, SIZE_T dwMaximumSize) {
    if (!are_known(flOptions) || dwMaximumSize != 0) return fail(ERROR_INVALID_PARAMETER, HANDLE{});
    auto* const heap = new (std::nothrow) Heap(true);
    return heap != nullptr ? heap : fail(ERROR_NOT_ENOUGH_MEMORY, HANDLE{});
}

BOOL HeapDestroy(HANDLE hHeap) {
    Heap* const heap = heap_of(hHeap);
    if (heap == nullptr) return FALSE;
    if (heap == &process_heap()) return fail(ERROR_INVALID_HANDLE, FALSE);
    delete heap;
    return TRUE;
}

LPVOID HeapAlloc(HANDLE hHeap, DWORD dwFlags, SIZE_T dwBytes) {
    Heap* const heap = heap_of(hHeap);
    if (heap == nullptr) return nullptr;
    if (!are_known(dwFlags)) return fail(ERROR_INVALID_PARAMETER, LPVOID{});
    void* const data = heap->allocate(dwBytes, (dwFlags & HEAP_ZERO_MEMORY) != 0);
    return data != nullptr ? data : fail(ERROR_NOT_ENOUGH_MEMORY, LPVOID{});
}

LPVOID HeapReAlloc(HANDLE hHeap, DWORD dwFlags, LPVOID lpMem, SIZE_T dwBytes) {
    Heap* const heap = heap_of(hHeap);
    if (heap == nullptr) return nullptr;
    Block* const block = heap->find(lpMem);
    if (block == nullptr || !are_known(dwFlags)) return fail(ERROR_INVALID_PARAMETER, LPVOID{});
    void* const data = reallocate(*heap, *block, dwBytes, dwFlags);
    return data != nullptr ? data : fail(ERROR_NOT_ENOUGH_MEMORY, LPVOID{});
}

BOOL HeapFree(HANDLE hHeap, DWORD, LPVOID lpMem) {
    Heap* const heap = heap_of(hHeap);
    if (heap == nullptr) return FALSE;
    if (lpMem == nullptr) return TRUE;
    Block* const block = heap->find(lpMem);
    if (block == nullptr) return fail(ERROR_INVALID_PARAMETER, FALSE);
    heap->free(block);
    return TRUE;
}

SIZE_T HeapSize(HANDLE hHeap, DWORD, LPCVOID lpMem) {
    Heap* const heap = heap_of(hHeap);
    const Block* const block = heap != nullptr ? heap->find(lpMem) : nullptr;
    return block != nullptr ? block->bytes : fail(ERROR_INVALID_PARAMETER, SIZE_MAX);
}

BOOL HeapLock(HANDLE hHeap) {
    Heap* const heap = heap_of(hHeap);
    if (heap == nullptr) return FALSE;
    heap->mutex().lock();
    return TRUE;
}

BOOL HeapUnlock(HANDLE hHeap) {
    Heap* const heap = heap_of(hHeap);
    if (heap == nullptr) return FALSE;
    heap->mutex().unlock();
    return TRUE;
}

BOOL HeapValidate(HANDLE hHeap, DWORD, LPCVOID lpMem) {
    const DWORD before = GetLastError();
    Heap* const heap = heap_of(hHeap);
    SetLastError(before);  // it asks only
    return heap != nullptr && (lpMem == nullptr || heap->find(lpMem) != nullptr);
}

BOOL HeapWalk(HANDLE hHeap, LPPROCESS_HEAP_ENTRY lpEntry) {
    Heap* const heap = heap_of(hHeap);
    if (heap == nullptr) return FALSE;
    const std::lock_guard held(heap->mutex());
    const Block* const next = heap->after(lpEntry->lpData != nullptr ? heap->find(lpEntry->lpData) : nullptr);
    if (next == nullptr) return fail(ERROR_NO_MORE_ITEMS, FALSE);
    const bool fits = next->bytes < MAXDWORD;
    *lpEntry = {next->data, fits ? static_cast<DWORD>(next->bytes) : DWORD{MAXDWORD}, sizeof(Block), 0,
                PROCESS_HEAP_ENTRY_BUSY};
    return TRUE;
}
