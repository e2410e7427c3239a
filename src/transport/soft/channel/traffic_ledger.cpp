// SPDX-License-Identifier: MIT
// See traffic_ledger.h.
#include "transport/soft/channel/traffic_ledger.h"

#include <utility>

namespace opennd::soft {

Traffic TrafficLedger::total() const {
    const Held lock(mutex_);
    Traffic sum = ended_;
    for (const TrafficMeter* const meter : meters_) sum += meter->read();
    return sum;
}

void TrafficLedger::add(TrafficMeter& meter) {
    const Held lock(mutex_);
    meters_.push_back(&meter);
}

void TrafficLedger::remove(TrafficMeter& meter) {
    const Held lock(mutex_);
    std::erase(meters_, &meter);
    ended_ += meter.read();
}

TrafficMeter::TrafficMeter(Ref<TrafficLedger> ledger) : ledger_(std::move(ledger)) { ledger_->add(*this); }

TrafficMeter::~TrafficMeter() { ledger_->remove(*this); }

Traffic TrafficMeter::read() const {
    Traffic sum = started.read();
    return sum += taken.read();
}

}  // namespace opennd::soft
