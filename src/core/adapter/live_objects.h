// SPDX-License-Identifier: MIT
// The living objects of one kind at one interface, for people who look into the process.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"

namespace opennd {

class CompletionQueue;
class Listener;
class MemoryRegion;
class MemoryWindow;
class QueuePair;
class SharedReceiveQueue;

// Any thread. An object is in the list from enter() of its place until the place is destroyed.
template <typename T>
class LiveObjects {
public:
    // A member of the object, declared last: no other member is gone yet when the place leaves the list.
    class Place {
    public:
        // Takes the memory that enter() needs. Throws std::bad_alloc.
        explicit Place(LiveObjects& list) : list_(list), spare_(1) {}
        ~Place() { list_.leave(*this); }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

        // `object` is complete, and is listed from here on. Once.
        void enter(T& object) { list_.enter(*this, object); }
        // The number of the object among those of its kind in this process, from 1 in the order of entry; 0 before enter().
        std::uint32_t number() const { return number_; }

    private:
        friend class LiveObjects;
        LiveObjects& list_;
        std::list<T*> spare_;  // empty while the place is in the list
        typename std::list<T*>::iterator listed_;
        std::uint32_t number_ = 0;  // written by enter()
    };

    // Those that nobody is destroying, the oldest first. A reference that goes last destroys its object on the caller's thread.
    std::vector<Ref<T>> all() const EXCLUDES(mutex_) {
        std::vector<Ref<T>> living;
        const Held lock(mutex_);
        living.reserve(objects_.size());
        for (T* const object : objects_)
            if (Ref<T> alive = Ref<T>::if_alive(object)) living.push_back(std::move(alive));
        return living;
    }

private:
    void enter(Place& place, T& object) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        place.number_ = next_number_.fetch_add(1, std::memory_order_relaxed);
        place.listed_ = place.spare_.begin();
        *place.listed_ = &object;
        objects_.splice(objects_.end(), place.spare_);
    }
    void leave(Place& place) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        if (place.spare_.empty()) place.spare_.splice(place.spare_.begin(), objects_, place.listed_);
    }

    static inline std::atomic<std::uint32_t> next_number_{1};  // relaxed: the numbers only differ

    mutable Mutex mutex_;  // nothing is called under it
    std::list<T*> objects_ GUARDED_BY(mutex_);
};

// The objects of this process at one interface, through every face.
struct Inventory {
    LiveObjects<Listener> listeners;
    LiveObjects<QueuePair> queue_pairs;
    LiveObjects<CompletionQueue> completion_queues;
    LiveObjects<SharedReceiveQueue> shared_receive_queues;
    LiveObjects<MemoryRegion> memory_regions;
    LiveObjects<MemoryWindow> memory_windows;
};

}  // namespace opennd
