// SPDX-License-Identifier: MIT
// Two layers as one.
#pragma once

#include <utility>

#include "transport/soft/channel/channel_layer.h"

namespace opennd::soft {

class TwoLayers final : public ChannelLayer {
public:
    // Both outlive it. `outer` is around `inner`.
    TwoLayers(ChannelLayer& inner, ChannelLayer& outer) : inner_(inner), outer_(outer) {}

    bool is_wanted() const override { return inner_.is_wanted() || outer_.is_wanted(); }
    Ref<Channel> wrap(Ref<Channel> channel, const ConnectionFacts& facts) override {
        return outer_.wrap(inner_.wrap(std::move(channel), facts), facts);
    }
    RoomJudge* room_judge() override {
        RoomJudge* const inner = inner_.room_judge();
        return inner != nullptr ? inner : outer_.room_judge();
    }

private:
    ChannelLayer& inner_;
    ChannelLayer& outer_;
};

}  // namespace opennd::soft
