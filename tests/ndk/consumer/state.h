// SPDX-License-Identifier: MIT
//
// The state of NDK at the loopback interface, and settings for as long as a test needs them.
#pragma once

#include <net/if.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "ndk/consumer/consumer.h"

namespace opennd::ndk_test {

inline NET_IFINDEX loopback_interface() { return if_nametoindex("lo"); }
inline NTSTATUS set_state(BOOLEAN enable) { return opennd_ndk_set_state(loopback_interface(), enable); }

inline OPENND_NDK_ADAPTER_ENTRY loopback_entry() {
    ULONG count = 0;
    (void)opennd_ndk_enumerate_adapters(nullptr, &count);
    std::vector<OPENND_NDK_ADAPTER_ENTRY> entries(count);
    (void)opennd_ndk_enumerate_adapters(entries.data(), &count);
    for (const OPENND_NDK_ADAPTER_ENTRY& entry : entries)
        if (std::strcmp(entry.name, "lo") == 0) return entry;
    return {};
}

// In the environment while it lives.
class Setting {
public:
    Setting(const char* variable, const char* value) : variable_(variable) { ::setenv(variable, value, 1); }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;
    ~Setting() { ::unsetenv(variable_); }

private:
    const char* variable_;
};

}  // namespace opennd::ndk_test
