// SPDX-License-Identifier: MIT
// The objects of this process at one interface, through every face.
#pragma once

#include "core/adapter/live_objects.h"

namespace opennd {

class CompletionQueue;
class Listener;
class MemoryRegion;
class MemoryWindow;
class QueuePair;
class SharedReceiveQueue;

struct Inventory {
    LiveObjects<Listener> listeners;
    LiveObjects<QueuePair> queue_pairs;
    LiveObjects<CompletionQueue> completion_queues;
    LiveObjects<SharedReceiveQueue> shared_receive_queues;
    LiveObjects<MemoryRegion> memory_regions;
    LiveObjects<MemoryWindow> memory_windows;
};

}  // namespace opennd
