// SPDX-License-Identifier: MIT
// Library: what a program may select anew, the settings that are read anew, and the choices made for the machine. See library.h.
#include "library/library.h"
#include "platform/memory/copy_choice.h"
#include "platform/thread/look_choice.h"
#include "transport/iwarp/wire/crc_choice.h"
#include "transport/local/placing_choice.h"

namespace opennd {

Status Library::select_transports(std::string_view list) {
    const std::string usual =
        list.empty() ? read_settings(Reading::selection, &variable).transports : std::string(list);
    // Hardware, whose two names stand first, is used where it is named: it lacks parts still (docs/decisions/0052, 0097).
    const Result<std::vector<std::string>> names =
        choose_transports(usual, transport_names_, std::span(transport_names_).subspan(2));
    if (!names.ok()) return names.status();
    transport_.select(names.value());
    return Status::success;
}

// A NIC is strict; the variable decides all the same.
std::string Library::usual_overrun_rule() const {
    const char* const set = variable("OPENND_OVERRUN");
    const bool strict = profile_.file && profile_of(*profile_.file).strict_overrun && (!set || *set == '\0');
    return strict ? "strict" : read_settings(Reading::selection, &variable).overrun_rule;
}

Status Library::select_overrun_rule(std::string_view name) {
    const std::string usual = name.empty() ? usual_overrun_rule() : std::string(name);
    const Result<OverrunRule> rule = choose_overrun_rule(usual);
    if (!rule.ok()) return rule.status();
    transport_.set_overrun_rule(rule.value());
    return Status::success;
}

NdkSettings ndk_settings_now() { return read_settings(Reading::ndk_call, &Library::variable).ndk; }

std::vector<Choice> choices_for_machine() {
    return {shown(copy_choice()), local::shown(local::placing_choice()), iwarp::shown(iwarp::crc_choice()),
            shown(look_choice())};
}

}  // namespace opennd
