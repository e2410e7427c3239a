// SPDX-License-Identifier: MIT
// Work that a thread does for the whole process: a turn of the service thread's loop, a callback. Many connections
// depend on it, so it waits for no peer.
#pragma once

namespace opennd {

// While an object lives, its thread does such work.
class CommonWork {
public:
    CommonWork() { ++depth_; }
    ~CommonWork() { --depth_; }
    CommonWork(const CommonWork&) = delete;
    CommonWork& operator=(const CommonWork&) = delete;

    // Of the calling thread.
    static bool is_under_way() { return depth_ != 0; }
    // In a child of fork, of the thread that forked: its parent's work is none of its own.
    static void begin_child() { depth_ = 0; }

private:
    static inline constinit thread_local int depth_ = 0;
};

}  // namespace opennd
