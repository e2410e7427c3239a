// SPDX-License-Identifier: MIT
// PeerWait: see peer_wait.h.
#include "transport/soft/queue_pair/peer_wait.h"

namespace opennd::soft {

void PeerWait::come_back(Progress& progress) {
    if (scheduled_) return;
    scheduled_ = true;
    head_ = initiator_.head();
    due_.revisit = true;
    progress.after.add(Turn::connection, queue_pair_);
}

void PeerWait::come_back_for_work(Progress& progress) {
    if (!channel_->facts().over_socket || channel_->has_own_work()) come_back(progress);
}

void PeerWait::watch_pollers(bool armed, Progress& progress) {
    if (is_left_to_pollers(armed)) come_back(progress);
}

bool PeerWait::is_left_to_pollers(bool armed) const {
    return !initiator_.idle() && is_attached() && (responder_.starved() || armed) &&
           channel_->peer().relies_on_peers_pollers();
}

bool PeerWait::goes_on(bool armed) const {
    return initiator_.waits_for_peer() || channel_->receive_waits_for_peer() || is_left_to_pollers(armed);
}

void PeerWait::watch_starvation(bool armed, Progress& progress) {
    if (responder_.starvation() != watched_) {
        watched_ = responder_.starvation();
        due_.starvation = watched_;
        progress.after.add(Turn::connection, queue_pair_);
    }
    watch_pollers(armed, progress);
}

}  // namespace opennd::soft
