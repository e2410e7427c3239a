// SPDX-License-Identifier: MIT
// See traffic_ledger.h.
#include "transport/soft/channel/traffic_ledger.h"

#include <utility>

namespace opennd::soft {

std::map<std::string_view, Traffic> TrafficLedger::read() const {
    const Held lock(mutex_);
    std::map<std::string_view, Traffic> sums = ended_;
    for (const TrafficMeter* const meter : meters_) sums[meter->wire()] += meter->read();
    return sums;
}

void TrafficLedger::add(TrafficMeter& meter) {
    const Held lock(mutex_);
    ended_.try_emplace(meter.wire());
    meters_.push_back(&meter);
}

void TrafficLedger::remove(TrafficMeter& meter) {
    const Held lock(mutex_);
    std::erase(meters_, &meter);
    ended_.find(meter.wire())->second += meter.read();
}

TrafficMeter::TrafficMeter(Ref<TrafficLedger> ledger, std::string_view wire) : ledger_(std::move(ledger)), wire_(wire) {
    ledger_->add(*this);
}

TrafficMeter::~TrafficMeter() { ledger_->remove(*this); }

Traffic TrafficMeter::read() const {
    Traffic sum = started.read();
    return sum += taken.read();
}

}  // namespace opennd::soft
