// SPDX-License-Identifier: MIT
// The settings of libopennd as values. Each layer defines its own struct and is given it when it is made; the environment is
// read here, by the rows of setting_table.h.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "check/check_mode.h"
#include "model/overrun_rule.h"
#include "ndk/device/device.h"
#include "transport/capture/options.h"
#include "transport/iwarp/settings.h"
#include "transport/shm/settings.h"
#include "transport/soft/settings.h"
#include "transport/verbs/device/settings.h"
#include "transport/watch/options.h"

namespace opennd {

// The value of a variable, or null. The value is valid until the environment changes.
using Environment = std::function<const char*(const char* variable)>;

// This process's. A program with more rights than its caller (set-uid, file capabilities) has none: the caller wrote the
// environment.
const char* environment_value(const char* variable);

// The names of its variables that begin with `prefix`.
std::vector<std::string_view> environment_names(std::string_view prefix);

struct Settings {
    LogDefaults log;
    std::string transports;        // for choose_transports()
    std::string overrun_rule;      // for choose_overrun_rule()
    std::string profile;           // for choose_profile()
    bool loopback_listed = false;  // beside other addresses (ND2-PRV-LIST-05)
    std::string provider_folder;   // modules named there run in this process
    bool inspected = true;         // by other processes of this user
    std::string event_file;        // SIGUSR2 writes the last events there; empty: nowhere
    std::string faults;            // for parse_plan(): empty: none
    capture::Options capture;      // of all connections from the first open adapter on
    CheckMode check = CheckMode::off;
    watch::Options recording;         // of requests: times and events
    soft::Settings soft{.loops = 0};  // by use
    shm::Settings shm;
    iwarp::Settings iwarp;
    verbs::Settings verbs;  // no_receive_time is that of `soft`
    NdkSettings ndk;
};

// When a setting is read.
enum class Reading : std::uint8_t {
    start,      // once, when the library is made; OPENND_LOG and OPENND_LOG_TO also for the first line of the log
    selection,  // then, and when a program selects the default again
    ndk_call,   // when an NDK adapter is opened, or its devices are asked for
};

// The settings of this time, as `environment` has them; the others have the values of an empty struct. A bad value is logged,
// and the default stands.
Settings read_settings(Reading when, const Environment& environment);

// Reads "shm,loopback" (these, tried in this order) or "^loopback" (the usual ones but this), or both mixed; an empty list
// means the usual ones. `available` is in the default order; `usual` are those of it that need not be named. Each failure is logged with the names that are available.
//   invalid_parameter  a name that is not available, or nothing left to choose
Result<std::vector<std::string>> choose_transports(std::string_view list, std::span<const std::string> available,
                                                   std::span<const std::string> usual);

// Reads "forgiving" or "strict"; an empty text means forgiving (ND2-CQ-OVR-03). A failure is logged.
//   invalid_parameter  another word
Result<OverrunRule> choose_overrun_rule(std::string_view name);

}  // namespace opennd
