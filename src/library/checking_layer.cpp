// SPDX-License-Identifier: MIT
// See checking_layer.h.
#include "library/checking_layer.h"

#include "base/shown_context.h"

namespace opennd {

std::unique_ptr<CheckingLayer> make_checking_layer(CheckMode mode, Transport& inner) {
    if (mode == CheckMode::off) return nullptr;
    auto layer = std::make_unique<CheckingLayer>(mode, inner);
    set_checker(&layer->checker());
    add_context_reader(layer->contexts());
    return layer;
}

}  // namespace opennd
