// SPDX-License-Identifier: MIT
// Everything that a consumer has allocated or opened and not given back. Finds objects freed twice, freed in use, or
// never freed.
#pragma once

#include <array>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernel/types.h"

namespace opennd::wdm {

struct LiveObject {
    const char* kind;      // "pool block"; static, compared by pointer
    std::string detail;    // "64 bytes, tag 'abcd'"; empty: nothing to add
    ULONG tag = 0;         // of pool blocks
    const void* made_at;   // the call that made it
    unsigned holders = 0;  // users that must release it first: registrations of an MDL
};

class LiveObjects {
public:
    static LiveObjects& instance();

    void add(const void* address, LiveObject object);

    // Takes it out if it is there, is of this kind, and `may_go` agrees, which may report; false: it stays.
    template <typename Check>
    bool remove(const void* address, const char* kind, Check may_go) {
        Shard& shard = shard_of(address);
        std::unique_lock held(shard.mutex);
        const auto found = shard.objects.find(address);
        if (found == shard.objects.end() || found->second.kind != kind) {
            held.unlock();
            report_unknown(address, kind);
            return false;
        }
        const LiveObject object = found->second;
        held.unlock();  // a report runs code of the program's
        if (!may_go(object)) return false;
        held.lock();
        return shard.objects.erase(address) != 0;
    }

    // Of an object that is not there: nothing. False.
    bool hold(const void* address);
    bool let_go(const void* address);
    bool is_held(const void* address);

    // Reports each as leaked; how many.
    std::size_t report_all();

private:
    struct Shard {
        std::mutex mutex;  // guards objects
        std::unordered_map<const void*, LiveObject> objects;
    };

    Shard& shard_of(const void* address) {
        return shards_[(reinterpret_cast<ULONG_PTR>(address) >> 4 ^ reinterpret_cast<ULONG_PTR>(address) >> 12) %
                       kShards];
    }
    static void report_unknown(const void* address, const char* kind);

    static constexpr std::size_t kShards = 64;
    std::array<Shard, kShards> shards_;
};

// "program+0x12 (function)".
std::string place_of(const void* code);

}  // namespace opennd::wdm
