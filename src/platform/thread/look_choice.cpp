// SPDX-License-Identifier: MIT
// See look_choice.h.
#include "platform/thread/look_choice.h"

#include <utility>

#include "base/format.h"
#include "base/kept_once.h"
#include "platform/host/host.h"
#include "platform/thread/look_pacing.h"

namespace opennd {
namespace {

constinit KeptOnce<LookChoice> made_look_choice;

}  // namespace

LookChoice choice_by_processors(std::size_t processors) {
    if (processors == 1)
        return {false, Ground::processor, "the only processor is the peer's too, if the peer is on this host"};
    return {true, Ground::processor, format("{} processors: one may look while the peer runs on another", processors)};
}

const LookChoice& look_choice() {
    if (const LookChoice* const made = made_look_choice.get()) return *made;
    return made_look_choice.keep(choice_by_processors(online_processors()));
}

void pin_looks(bool looks) { (void)made_look_choice.keep({looks, Ground::setting, "by the setting"}); }

Choice shown(const LookChoice& choice) {
    std::string value = choice.looks ? format("for {} us at most", LookPacing::kLongestLook.count()) : "none";
    return {"looks before a sleep", std::move(value), choice.ground, choice.reason, "OPENND_LOOKS"};
}

}  // namespace opennd
