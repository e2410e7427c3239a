// SPDX-License-Identifier: MIT
//
// Two sides in this process that do all there is to do through one face, from opening an adapter to letting it go, and
// stop at the first thing that fails. Each status is looked up in the table of its method.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "faults/status_table.h"
#include "support/deadline.h"

namespace opennd::faults {

enum class Face { nd2, nd1, ndk };

class Conversation {
public:
    virtual ~Conversation() = default;

    // True: all of it succeeded. `patience`: how long a side waits for the other side's next step, which a failed call
    // may have ended; then it gives up, as a program does.
    bool run(support::milliseconds patience = support::kDeadline);

    // Done once the sides are connected and have talked, before they talk once more and part. False: they do not.
    void set_interlude(std::function<bool()> interlude) { interlude_ = std::move(interlude); }
    // Gives everything back, however far it came.
    virtual void let_go() = 0;

    // From here on any method may say that there is no memory, whether its table lists that or not.
    void memory_may_be_missing() { memory_may_be_missing_ = true; }

    // A Connect was refused, though its listener listened and no program refused it.
    bool refused_by_nobody() const { return refused_by_nobody_; }

    // The first call, request or result that failed; empty: none, or one that did not end.
    const std::string& stopped_by() const { return stopped_by_; }
    // Statuses that no table has, and requests that did not end; each once.
    const std::vector<std::string>& findings() const { return findings_; }

protected:
    // Longer than any time limit of the library that a single failure may start.
    static constexpr support::milliseconds kLongest{15'000};
    static constexpr std::uint32_t kMessageBytes = 4096;

    // `without_memory`: the status of a method that lacks memory, if its table has none for that.
    Conversation(const StatusTable& statuses, std::int32_t without_memory)
        : statuses_(statuses), without_memory_(without_memory) {}

    // All of it, up to the first failure.
    virtual bool talk(support::milliseconds patience) = 0;
    // A message, a Write and a Read.
    virtual bool transfer() = 0;
    // With the interlude.
    bool transfer_all() { return transfer() && (!interlude_ || (interlude_() && transfer())); }

    void note_refusal_by_nobody() { refused_by_nobody_ = true; }
    void note(std::string finding) { findings_.push_back(std::move(finding)); }
    // Judges a method's return value. True: it succeeded, or is pending.
    bool at_once(const char* method, std::int32_t status);
    // Judges the status of a pending request. True: it succeeded.
    bool later(const char* method, std::int32_t status);
    // A completion: `bytes` have to be `expected` if it succeeded, 0 otherwise. True: it succeeded.
    bool result(const char* request, std::int32_t status, std::uint64_t bytes, std::uint64_t expected);

private:
    void stop(std::string reason) {
        if (stopped_by_.empty()) stopped_by_ = std::move(reason);
    }

    std::function<bool()> interlude_;
    const StatusTable& statuses_;
    const std::int32_t without_memory_;
    bool memory_may_be_missing_ = false, refused_by_nobody_ = false;
    std::string stopped_by_;
    std::vector<std::string> findings_;
};

std::unique_ptr<Conversation> conversation(Face face);

}  // namespace opennd::faults
