// SPDX-License-Identifier: MIT
// The process's HANDLEs. A handle is a number, never a pointer or a descriptor (ND2-FILE-08): a slot and the slot's
// generation, so that a closed handle stays invalid when its slot is used again.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/status.h"
#include "platform/waiting/wait_point.h"

namespace opennd {

// Thread-safe. Handles look like 1 << 30 | (generation << 20 | slot) << 2. So they have 32 bits, as Windows promises,
// and the highest of these is 0: a program may keep one in a ULONG or in a LONG. They are never null, never
// INVALID_HANDLE_VALUE, and above every descriptor. The two lowest bits are free: callers may set them on any handle
// they pass in.
class HandleTable {
public:
    static constexpr std::uint32_t kMaxHandles = 1u << 20;
    // A handle's number comes again once its slot has had kGenerations handles. A slot comes again once kRestingSlots
    // others were closed after it (fewer only where all slots were in use).
    static constexpr std::uint32_t kGenerations = 256;
    static constexpr std::uint32_t kRestingSlots = 4096;

    // No handle of `parents`, the table of the process that this one is a child of, is ever one of this table; null: there is none.
    explicit HandleTable(const HandleTable* parents = nullptr);
    ~HandleTable();
    HandleTable(const HandleTable&) = delete;
    HandleTable& operator=(const HandleTable&) = delete;

    // The first handle of the object, which keeps it alive until close(); nullptr if kMaxHandles are open (logged).
    void* insert(Ref<HandleObject> object);

    // One more handle for the same object.
    //   invalid_parameter       unknown, or closed already
    //   insufficient_resources  kMaxHandles are open (logged)
    Result<void*> duplicate(void* handle);

    // The object behind a handle; null if it is unknown, closed or of another kind. One uncontended lock.
    template <typename T>
    Ref<T> find(void* handle) const {
        const Ref<HandleObject> object = find_object(handle);
        return object && object->kind() == T::kKind ? Ref<T>(static_cast<T*>(object.get())) : Ref<T>();
    }
    Ref<HandleObject> find_object(void* handle) const;

    // Invalidates the handle, then drops the table's reference; on_close() is called if it was the object's last handle.
    //   invalid_parameter  unknown, or closed already
    Status close(void* handle);

private:
    static constexpr std::uint32_t kNone = ~0u;
    struct Slot {
        mutable SpinLock lock;
        std::uint32_t generation GUARDED_BY(lock) = 0;  // the open handle's, or the last one's
        Ref<HandleObject> object GUARDED_BY(lock);      // null while free
        std::uint32_t next_free = kNone;                // under the table's mutex_; of a free slot
    };
    static constexpr std::uint32_t kBlockSlots = 1024;
    using Block = std::array<Slot, kBlockSlots>;

    Slot* slot(std::uint32_t index) const;
    void* place(Ref<HandleObject> object) EXCLUDES(mutex_);
    static void drop_handle(HandleObject& object);
    std::uint32_t take_slot() REQUIRES(mutex_);
    std::uint32_t take_fresh() REQUIRES(mutex_);
    std::uint32_t take_free() REQUIRES(mutex_);
    void give_back(std::uint32_t index) REQUIRES(mutex_);

    Mutex mutex_;  // taken before a slot's lock
    std::uint32_t oldest_free_ GUARDED_BY(mutex_) = kNone;
    std::uint32_t newest_free_ GUARDED_BY(mutex_) = kNone;
    std::uint32_t free_count_ GUARDED_BY(mutex_) = 0;
    // From this slot on none was ever used. Written under mutex_; a child of fork reads it without.
    std::atomic<std::uint32_t> fresh_{0};
    // Each is set once, with release; slots never move, so that find() needs only the slot's lock.
    std::array<std::atomic<Block*>, kMaxHandles / kBlockSlots> blocks_{};
};

// The table behind every face. A HANDLE means the same in the whole process, so this one object is process-wide
// although it lives below library/. Never destroyed: programs close handles while they exit. A child of fork begins with an empty one.
HandleTable& handle_table();

}  // namespace opennd
