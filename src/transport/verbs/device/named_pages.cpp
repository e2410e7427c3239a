// SPDX-License-Identifier: MIT
// See named_pages.h.
#include "transport/verbs/device/named_pages.h"

#include <algorithm>
#include <utility>

#include "model/page_list.h"

namespace opennd::verbs {

// Registers the run for an open. Memory that is read alone may be of a mapping that cannot be written.
Result<Token> NamedRun::token_for(TransportAdapter& adapter) {
    const Held lock(mutex_);
    if (ended_) return Status::canceled;
    for (const Registration& each : registrations_)
        if (each.adapter == &adapter) return each.region->local_token();
    registrations_.reserve(registrations_.size() + 1);
    auto* const address = reinterpret_cast<std::byte*>(start_);
    Result<Ref<TransportMemory>> made = adapter.register_memory(address, bytes_, Access::local_write);
    if (made.status() == Status::access_violation) made = adapter.register_memory(address, bytes_, Access::none);
    if (!made.ok()) return made.status();
    registrations_.push_back({&adapter, made.take()});
    return registrations_.back().region->local_token();
}

void NamedRun::end() {
    std::vector<Registration> registrations;
    {
        const Held lock(mutex_);
        ended_ = true;
        registrations.swap(registrations_);
    }
    for (const Registration& each : registrations) each.region->deregister();
}

// One logical mapping.
class NamedPages::Mapping final : public RefCounted {
public:
    Mapping(NamedPages& all, std::vector<Ref<NamedRun>> runs) : all_(all), runs_(std::move(runs)) {}
    ~Mapping() override {
        for (const Ref<NamedRun>& run : runs_) {
            all_.remove(*run);
            run->end();
        }
    }

private:
    NamedPages& all_;
    const std::vector<Ref<NamedRun>> runs_;
};

Ref<RefCounted> NamedPages::name(std::span<const std::uint64_t> pages) {
    std::vector<Ref<NamedRun>> runs;
    for (std::size_t first = 0; first < pages.size();) {
        std::size_t end = first + 1;
        while (end < pages.size() && pages[end] == pages[end - 1] + kPageBytes) ++end;
        runs.push_back(make_ref<NamedRun>(pages[first], (end - first) * kPageBytes));
        first = end;
    }
    Ref<RefCounted> mapping = make_ref<Mapping>(*this, runs);
    for (const Ref<NamedRun>& run : runs) add(run);
    return mapping;
}

void NamedPages::add(const Ref<NamedRun>& run) {
    const Held lock(mutex_);
    runs_.emplace(run->start(), run);
    longest_ = std::max(longest_, run->bytes());
}

void NamedPages::remove(const NamedRun& run) {
    const Held lock(mutex_);
    const auto [first, last] = runs_.equal_range(run.start());
    const auto found = std::find_if(first, last, [&](const auto& each) { return each.second.get() == &run; });
    if (found != last) runs_.erase(found);
    if (runs_.empty()) longest_ = 0;
}

Ref<NamedRun> NamedPages::find(std::uint64_t address, std::uint64_t bytes) const {
    const Held lock(mutex_);
    for (auto at = runs_.upper_bound(address); at != runs_.begin();) {
        --at;
        if (address - at->first >= longest_) break;
        if (at->second->covers(address, bytes)) return at->second;
    }
    return nullptr;
}

Status NamedPages::translate(TransportAdapter& adapter, std::span<Sge> entries) {
    for (Sge& entry : entries) {
        if (entry.token != kByAddress || entry.length == 0) continue;
        const Ref<NamedRun> run = find(reinterpret_cast<std::uint64_t>(entry.buffer), entry.length);
        if (!run) continue;
        const Result<Token> token = run->token_for(adapter);
        if (token.ok())
            entry.token = token.value();
        else if (token.status() != Status::canceled)
            return token.status();
    }
    return Status::success;
}

}  // namespace opennd::verbs
