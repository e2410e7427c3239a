// SPDX-License-Identifier: MIT
// Slots, generations and blocks; see handle_table.h.
#include "platform/handle_table.h"

#include <utility>

#include "base/explanation.h"

namespace opennd {
namespace {

constexpr unsigned kFlagBits = 2;
constexpr unsigned kIndexBits = 30;
constexpr std::uintptr_t kIndexMask = (std::uintptr_t{1} << kIndexBits) - 1;
static_assert(kFlagBits + kIndexBits + 32 == 64 && sizeof(void*) == 8, "a handle is a generation, an index and flags");
static_assert(HandleTable::kMaxHandles <= kIndexMask, "so that no handle has all bits set (INVALID_HANDLE_VALUE)");

struct Position {
    std::uint32_t generation;  // from 1, so that no handle is null
    std::uint32_t index;
};

void* encode(Position position) {
    const std::uintptr_t value = std::uintptr_t{position.generation} << kIndexBits | position.index;
    return reinterpret_cast<void*>(value << kFlagBits);
}

Position decode(void* handle) {
    const std::uintptr_t value = reinterpret_cast<std::uintptr_t>(handle) >> kFlagBits;
    return {static_cast<std::uint32_t>(value >> kIndexBits), static_cast<std::uint32_t>(value & kIndexMask)};
}

}  // namespace

HandleTable& handle_table() {
    static HandleTable* const table = new HandleTable;
    return *table;
}

HandleTable::~HandleTable() {
    for (std::atomic<Block*>& block : blocks_) delete block.load(std::memory_order_relaxed);
}

HandleTable::Slot* HandleTable::slot(std::uint32_t index) const {
    if (index >= kMaxHandles) return nullptr;
    Block* const block = blocks_[index / kBlockSlots].load(std::memory_order_acquire);
    return block ? &(*block)[index % kBlockSlots] : nullptr;
}

// Adds a block of free slots.
bool HandleTable::grow() {
    if (blocks_in_use_ == blocks_.size()) return false;
    free_.reserve(free_.size() + kBlockSlots);  // before anything changes: it may have no memory
    Block* const block = new Block;
    const std::uint32_t first = blocks_in_use_ * kBlockSlots;
    for (std::uint32_t i = kBlockSlots; i > 0; --i) free_.push_back(first + i - 1);
    blocks_[blocks_in_use_++].store(block, std::memory_order_release);
    return true;
}

void* HandleTable::insert(Ref<HandleObject> object) {
    object->open_handles_.fetch_add(1, std::memory_order_relaxed);
    return place(std::move(object));
}

// Counted while the first handle is still open, so that its closing meanwhile is not the last.
Result<void*> HandleTable::duplicate(void* handle) {
    const Position position = decode(handle);
    const Slot* const candidate = slot(position.index);
    if (!candidate) return Status::invalid_parameter;
    Ref<HandleObject> object;
    {
        const Held held(candidate->lock);
        if (!candidate->object || candidate->generation != position.generation) return Status::invalid_parameter;
        object = candidate->object;
        object->open_handles_.fetch_add(1, std::memory_order_relaxed);
    }
    void* second = nullptr;
    try {
        second = place(object);
    } catch (...) {
        drop_handle(*object);
        throw;
    }
    if (second) return second;
    drop_handle(*object);
    return Status::insufficient_resources;
}

void HandleTable::drop_handle(HandleObject& object) {
    if (object.open_handles_.fetch_sub(1, std::memory_order_acq_rel) == 1) object.on_close();
}

void* HandleTable::place(Ref<HandleObject> object) {
    const Held held(mutex_);
    if (free_.empty() && !grow()) {
        (void)explain(Status::insufficient_resources, {.object = "handle table",
                                                       .operation = "creation of a handle",
                                                       .asked = "one more handle",
                                                       .limit = phrase("{} in a process, all open", kMaxHandles),
                                                       .remedy = "close handles that are not used any more",
                                                       .requirement = "ND2-GEN-02"});
        return nullptr;
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    Slot& free_slot = *slot(index);
    const Held slot_held(free_slot.lock);
    if (++free_slot.generation == 0) free_slot.generation = 1;
    free_slot.object = std::move(object);
    return encode({free_slot.generation, index});
}

Ref<HandleObject> HandleTable::find_object(void* handle) const {
    const Position position = decode(handle);
    const Slot* const candidate = slot(position.index);
    if (!candidate) return nullptr;
    const Held held(candidate->lock);
    return candidate->generation == position.generation ? candidate->object : nullptr;
}

Status HandleTable::close(void* handle) {
    const Position position = decode(handle);
    Slot* const candidate = slot(position.index);
    if (!candidate) return Status::invalid_parameter;
    Ref<HandleObject> object;
    {
        const Held held(mutex_);
        const Held slot_held(candidate->lock);
        if (!candidate->object || candidate->generation != position.generation) return Status::invalid_parameter;
        object = std::exchange(candidate->object, nullptr);
        free_.push_back(position.index);
    }
    drop_handle(*object);
    return Status::success;
}

}  // namespace opennd
