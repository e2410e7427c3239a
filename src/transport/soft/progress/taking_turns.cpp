// SPDX-License-Identifier: MIT
// TakingTurns: see taking_turns.h.
#include "transport/soft/progress/taking_turns.h"

#include <utility>

#include "transport/soft/progress/polled_queue_pair.h"

namespace opennd::soft {
namespace {

// A poll visits kMostBusy recently busy queue pairs and kQuietVisits others in turn, and glances at kGlances more for an arrival,
// or only at kGlancesAside if it has a completion already. After kPollsUntilAnew polls none counts as busy.
constexpr std::size_t kMostBusy = 8;
constexpr std::size_t kQuietVisits = 4;
constexpr std::size_t kGlances = 64;
constexpr std::size_t kGlancesAside = 8;
constexpr std::uint32_t kPollsUntilAnew = 4096;

// Visits one queue pair. Returns true if a message was taken, or if requests of this side are outstanding.
bool visit_one(PolledQueuePair& queue_pair, Progress& progress) {
    const std::uint32_t before = queue_pair.moves();
    queue_pair.poll(progress);
    return queue_pair.moves() != before || queue_pair.has_outstanding();
}

}  // namespace

void TakingTurns::remove(PolledQueuePair& queue_pair) {
    std::erase(queue_pairs_, &queue_pair);
    busy_ = 0;  // the order is another
}

void TakingTurns::visit(Progress& progress) {
    if (queue_pairs_.empty()) return;
    if (busy_ > kMostBusy || ++polls_of_busy_ > kPollsUntilAnew) busy_ = polls_of_busy_ = 0;
    for (std::size_t i = 0; i < busy_ && !progress.full(); ++i) queue_pairs_[i]->poll(progress);
    for (std::size_t visits = 0; visits < kQuietVisits && busy_ < queue_pairs_.size() && !progress.full(); ++visits) {
        quiet_ = next_quiet(quiet_);
        if (visit_one(*queue_pairs_[quiet_], progress)) std::swap(queue_pairs_[quiet_], queue_pairs_[busy_++]);
    }
    for (std::size_t glances = 0; glances < queue_pairs_.size() && busy_ < queue_pairs_.size(); ++glances) {
        if (progress.full() || glances >= (progress.used == 0 ? kGlances : kGlancesAside)) break;
        glanced_ = next_quiet(glanced_);
        if (!queue_pairs_[glanced_]->shows_arrival()) continue;
        if (visit_one(*queue_pairs_[glanced_], progress)) std::swap(queue_pairs_[glanced_], queue_pairs_[busy_++]);
    }
}

std::size_t TakingTurns::next_quiet(std::size_t index) const {
    return index < busy_ || index + 1 >= queue_pairs_.size() ? busy_ : index + 1;
}

bool TakingTurns::ask_to_be_woken() {
    bool was_polling = false;
    for (PolledQueuePair* queue_pair : queue_pairs_) was_polling |= queue_pair->ask_to_be_woken();
    return was_polling;
}

void TakingTurns::run(Progress& progress) {
    for (PolledQueuePair* queue_pair : queue_pairs_) queue_pair->run(progress);
}

}  // namespace opennd::soft
