// SPDX-License-Identifier: MIT
// Slots, generations and blocks; see handle_table.h.
#include "platform/waiting/handle_table.h"

#include <utility>

#include "base/explanation.h"
#include "base/fork_step.h"

namespace opennd {
namespace {

constexpr unsigned kFlagBits = 2;
constexpr unsigned kIndexBits = 20;
constexpr unsigned kGenerationBits = 8;
constexpr std::uintptr_t kMark = std::uintptr_t{1} << 30;  // Linux has no descriptor from there on (fs.nr_open)
constexpr std::uintptr_t kIndexMask = (std::uintptr_t{1} << kIndexBits) - 1;
static_assert(kMark == std::uintptr_t{1} << (kFlagBits + kIndexBits + kGenerationBits), "the highest bit of a handle");
static_assert(HandleTable::kMaxHandles == std::uint32_t{1} << kIndexBits);
static_assert(HandleTable::kGenerations == std::uint32_t{1} << kGenerationBits);

struct Position {
    std::uint32_t generation;
    std::uint32_t index;
};

void* encode(Position position) {
    const std::uintptr_t number = std::uintptr_t{position.generation} << kIndexBits | position.index;
    return reinterpret_cast<void*>(kMark | number << kFlagBits);
}

// For a value that is no handle: an index without a slot.
Position decode(void* handle) {
    const auto value = reinterpret_cast<std::uintptr_t>(handle);
    if ((value & ~(kMark - 1)) != kMark) return {0, HandleTable::kMaxHandles};
    const std::uintptr_t number = (value & (kMark - 1)) >> kFlagBits;
    return {static_cast<std::uint32_t>(number >> kIndexBits), static_cast<std::uint32_t>(number & kIndexMask)};
}

constinit OfProcess<HandleTable> table_of_process;
[[maybe_unused]] const bool table_listed = table_of_process.list();

}  // namespace

HandleTable& handle_table() { return table_of_process.get(); }

// Begins behind the slots of the parent's, or with the first one where hardly any are left.
HandleTable::HandleTable(const HandleTable* parents) {
    if (parents == nullptr) return;
    const std::uint32_t used = parents->fresh_.load(std::memory_order_relaxed);
    const std::uint32_t blocks = used / kBlockSlots + 1;
    if (blocks < blocks_.size()) fresh_.store(blocks * kBlockSlots, std::memory_order_relaxed);
}

HandleTable::~HandleTable() {
    for (std::atomic<Block*>& block : blocks_) delete block.load(std::memory_order_relaxed);
}

HandleTable::Slot* HandleTable::slot(std::uint32_t index) const {
    if (index >= kMaxHandles) return nullptr;
    Block* const block = blocks_[index / kBlockSlots].load(std::memory_order_acquire);
    return block ? &(*block)[index % kBlockSlots] : nullptr;
}

// kNone: all are in use.
std::uint32_t HandleTable::take_slot() {
    if (free_count_ < kRestingSlots)
        if (const std::uint32_t fresh = take_fresh(); fresh != kNone) return fresh;
    return take_free();
}

std::uint32_t HandleTable::take_fresh() {
    const std::uint32_t fresh = fresh_.load(std::memory_order_relaxed);
    if (fresh == kMaxHandles) return kNone;
    if (fresh % kBlockSlots == 0) blocks_[fresh / kBlockSlots].store(new Block, std::memory_order_release);
    fresh_.store(fresh + 1, std::memory_order_relaxed);
    return fresh;
}

std::uint32_t HandleTable::take_free() {
    const std::uint32_t index = oldest_free_;
    if (index == kNone) return kNone;
    oldest_free_ = std::exchange(slot(index)->next_free, kNone);
    if (oldest_free_ == kNone) newest_free_ = kNone;
    --free_count_;
    return index;
}

void HandleTable::give_back(std::uint32_t index) {
    (newest_free_ == kNone ? oldest_free_ : slot(newest_free_)->next_free) = index;
    newest_free_ = index;
    ++free_count_;
}

void* HandleTable::insert(Ref<HandleObject> object) {
    object->open_handles_.fetch_add(1, std::memory_order_relaxed);
    return place(std::move(object));
}

// The second handle is counted while the first is still open, so that closing the first meanwhile is not the last
// close.
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
    {
        const Held held(mutex_);
        const std::uint32_t index = take_slot();
        if (index != kNone) {
            Slot& free_slot = *slot(index);
            const Held slot_held(free_slot.lock);
            free_slot.generation = (free_slot.generation + 1) % kGenerations;
            free_slot.object = std::move(object);
            return encode({free_slot.generation, index});
        }
    }
    (void)explain(Status::insufficient_resources, {.object = "handle table",
                                                   .operation = "creation of a handle",
                                                   .asked = "one more handle",
                                                   .limit = phrase("{} in a process, all open", kMaxHandles),
                                                   .remedy = "close handles that are not used any more",
                                                   .requirement = "ND2-GEN-02"});
    return nullptr;
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
        give_back(position.index);
    }
    drop_handle(*object);
    return Status::success;
}

}  // namespace opennd
