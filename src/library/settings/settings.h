// SPDX-License-Identifier: MIT
// The settings of libopennd as values. Each layer defines its own struct and is given it when it is made; the environment is
// read here, by the rows of setting_table.h.
#pragma once

#include <cstdint>
#include <string>

#include "base/log.h"
#include "check/check_mode.h"
#include "library/settings/environment.h"
#include "ndk/device/settings.h"
#include "transport/capture/options.h"
#include "transport/iwarp/settings.h"
#include "transport/shm/settings.h"
#include "transport/soft/settings.h"
#include "transport/watch/options.h"

namespace opennd {

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
    watch::Options recording;  // of requests: times and events
    soft::Settings soft;
    shm::Settings shm;
    iwarp::Settings iwarp;
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

}  // namespace opennd
