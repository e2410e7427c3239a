// SPDX-License-Identifier: MIT
// See captures.h.
#include "transport/capture/captures.h"

#include <new>
#include <utility>

#include "base/format.h"
#include "base/log.h"
#include "transport/capture/captured_channel.h"

namespace opennd::capture {

Status Captures::begin(const Options& options, const Author& author, std::unique_ptr<FileSource> source,
                       std::string& fault) {
    {
        const Held lock(mutex_);
        if (current_ || beginning_) {
            fault = current_ ? format("a capture to {} runs", current_->counts().file) : "another capture begins";
            return Status::address_in_use;
        }
        beginning_ = true;
    }
    Result<Ref<Capture>> begun = Status::no_memory;
    try {
        begun = Capture::begin(options, author, std::move(source), fault);
    } catch (const std::bad_alloc&) {
        fault = "there is no memory for it";
    }
    const Held lock(mutex_);
    beginning_ = false;
    if (!begun.ok()) return begun.status();
    current_ = begun.take();
    wanted_.store(true, std::memory_order_relaxed);
    return Status::success;
}

Counts Captures::end() {
    Ref<Capture> ended;
    {
        const Held lock(mutex_);
        wanted_.store(false, std::memory_order_relaxed);
        ended = std::exchange(current_, nullptr);
    }
    if (!ended) return {};
    Counts counts = ended->end();
    log(LogLevel::info, "capture: {} packets of {} connections to {}; {} dropped", counts.packets, counts.connections,
        counts.file, counts.dropped);
    return counts;
}

std::optional<Counts> Captures::counts() const {
    const Ref<Capture> running = current();
    return running ? std::optional(running->counts()) : std::nullopt;
}

Ref<Capture> Captures::current() const {
    const Held lock(mutex_);
    return current_;
}

Ref<soft::Channel> Captures::wrap(Ref<soft::Channel> channel, const soft::ConnectionFacts& facts) {
    if (!is_wanted() || dynamic_cast<const CapturedChannel*>(channel.get()) != nullptr) return channel;
    try {
        return Ref<soft::Channel>(new CapturedChannel(channel, facts, *this));
    } catch (const std::bad_alloc&) {
        return channel;
    }
}

}  // namespace opennd::capture
