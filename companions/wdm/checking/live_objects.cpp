// SPDX-License-Identifier: MIT
// See live_objects.h.
#include "wdm/checking/live_objects.h"

#include <dlfcn.h>

#include <sstream>
#include <utility>

#include "wdm/checking/checking.h"

namespace opennd::wdm {

// Never destroyed: other threads may free while the process ends.
LiveObjects& LiveObjects::instance() {
    static auto* const instance = new LiveObjects;
    return *instance;
}

void LiveObjects::add(const void* address, LiveObject object) {
    Shard& shard = shard_of(address);
    const std::lock_guard held(shard.mutex);
    shard.objects.insert_or_assign(address, std::move(object));
}

bool LiveObjects::hold(const void* address) {
    Shard& shard = shard_of(address);
    const std::lock_guard held(shard.mutex);
    const auto found = shard.objects.find(address);
    if (found == shard.objects.end()) return false;
    ++found->second.holders;
    return true;
}

bool LiveObjects::let_go(const void* address) {
    Shard& shard = shard_of(address);
    const std::lock_guard held(shard.mutex);
    const auto found = shard.objects.find(address);
    if (found == shard.objects.end() || found->second.holders == 0) return false;
    --found->second.holders;
    return true;
}

bool LiveObjects::is_held(const void* address) {
    Shard& shard = shard_of(address);
    const std::lock_guard held(shard.mutex);
    const auto found = shard.objects.find(address);
    return found != shard.objects.end() && found->second.holders != 0;
}

std::size_t LiveObjects::report_all() {
    std::vector<std::pair<const void*, LiveObject>> all;
    for (Shard& shard : shards_) {
        const std::lock_guard held(shard.mutex);
        all.insert(all.end(), shard.objects.begin(), shard.objects.end());
    }
    for (const auto& [address, object] : all)
        report(OPENND_WDM_RULE_LEAK, {object.kind, address},
               (object.detail.empty() ? "" : object.detail + ", ") + "made at " + place_of(object.made_at) +
                   ", was never given back");
    return all.size();
}

void LiveObjects::report_unknown(const void* address, const char* kind) {
    report(OPENND_WDM_RULE_FREE, {kind, address},
           "is freed, but no such object is there: it was freed before, or is none");
}

std::string place_of(const void* code) {
    std::ostringstream text;
    Dl_info info{};
    if (dladdr(code, &info) != 0 && info.dli_fname != nullptr) {
        const std::string file = info.dli_fname;
        text << file.substr(file.rfind('/') + 1) << "+0x" << std::hex
             << static_cast<const char*>(code) - static_cast<const char*>(info.dli_fbase);
        if (info.dli_sname != nullptr) text << " (" << info.dli_sname << ')';
    } else {
        text << code;
    }
    return text.str();
}

}  // namespace opennd::wdm

SIZE_T opennd_wdm_report_leaks(VOID) { return opennd::wdm::LiveObjects::instance().report_all(); }

namespace {

// Reports leaks when the process ends, as Driver Verifier does when a driver is unloaded.
[[gnu::destructor]] void at_the_end() { (void)opennd_wdm_report_leaks(); }

}  // namespace
