// SPDX-License-Identifier: MIT
// A choice between ways of doing the same that the library makes for the machine it runs on, as `nd info --tuning` shows it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opennd {

// How a choice was decided.
enum class Ground : std::uint8_t {
    setting,    // by a setting
    processor,  // by the processor's instructions
    measured,   // by times taken in this process
};

constexpr std::string_view name(Ground ground) {
    switch (ground) {
        case Ground::setting: return "setting";
        case Ground::processor: return "processor";
        case Ground::measured: return "measured";
    }
    return "";
}

struct Choice {
    std::string subject;
    std::string value;
    Ground ground;
    std::string reason;   // one line, with the times of a measured one
    std::string setting;  // the variable that decides it instead
};

}  // namespace opennd
