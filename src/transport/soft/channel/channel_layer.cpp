// SPDX-License-Identifier: MIT
// See channel_layer.h.
#include "transport/soft/channel/channel_layer.h"

#include <utility>

namespace opennd::soft {
namespace {

class NoLayer final : public ChannelLayer {
public:
    bool is_wanted() const override { return false; }
    Ref<Channel> wrap(Ref<Channel> channel, const ConnectionFacts&) override { return channel; }
};

constinit NoLayer none;

}  // namespace

ChannelLayer& no_layer() { return none; }

}  // namespace opennd::soft
