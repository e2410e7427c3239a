// SPDX-License-Identifier: MIT
// The captures of a process: none or one at a time. As a layer it puts itself around the channels of connections that are made, or
// found, while one runs.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "base/lock.h"
#include "base/ref.h"
#include "transport/capture/capture.h"
#include "transport/capture/options.h"
#include "transport/soft/channel/channel_layer.h"

namespace opennd::capture {

// Any thread. Outlives every channel.
class Captures final : public soft::ChannelLayer {
public:
    // Begins to capture connections, into the files of `source`. Otherwise `fault` says why not; address_in_use: a
    // capture runs.
    Status begin(const Options& options, const Author& author, std::unique_ptr<FileSource> source, std::string& fault)
        EXCLUDES(mutex_);
    // Ends the running capture, and waits until it is written. Returns empty counts if none runs.
    Counts end() EXCLUDES(mutex_);

    // Returns the counts of the running capture; nothing if none runs.
    std::optional<Counts> counts() const EXCLUDES(mutex_);
    // Returns the running capture, or null.
    Ref<Capture> current() const EXCLUDES(mutex_);

    bool is_wanted() const override { return wanted_.load(std::memory_order_relaxed); }
    Ref<soft::Channel> wrap(Ref<soft::Channel> channel, const soft::ConnectionFacts& facts) override;

private:
    std::atomic<bool> wanted_{false};  // one runs; relaxed: a hint
    mutable Mutex mutex_;              // no other lock is taken under it
    Ref<Capture> current_ GUARDED_BY(mutex_);
    bool beginning_ GUARDED_BY(mutex_) = false;
};

}  // namespace opennd::capture
