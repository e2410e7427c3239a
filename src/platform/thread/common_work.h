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

private:
    static inline thread_local int depth_ = 0;
};

}  // namespace opennd
