// SPDX-License-Identifier: MIT
// Settings: see settings.h.
#include "transport/iwarp/settings.h"

#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/setting.h"

namespace opennd::iwarp {
namespace {

std::string_view environment(const char* variable) {
    const char* const text = setting(variable);
    return text ? text : "";
}

template <typename Value>
struct Word {
    std::string_view text;
    Value value;
};

// The value of the variable's word; the first of the words is the default.
template <typename Value>
Value choice(const char* variable, std::initializer_list<Word<Value>> words) {
    const std::string_view text = environment(variable);
    std::string expected;
    for (const Word<Value>& word : words) {
        if (text == word.text) return word.value;
        if (!expected.empty()) expected += " or ";
        expected += word.text;
    }
    if (!text.empty())
        log(LogLevel::error, "{} is \"{}\": expected {}; using {}", variable, text, expected, words.begin()->text);
    return words.begin()->value;
}

// `off`: zero is allowed as well, and turns the limit off.
enum class Zero : std::uint8_t { refused, off };

std::chrono::milliseconds time_limit(const char* variable, std::chrono::milliseconds usual, Zero zero) {
    constexpr unsigned kLeast = 1000, kMost = 3'600'000;
    const std::string_view text = environment(variable);
    if (text.empty()) return usual;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = error == std::errc{} && end == text.data() + text.size();
    const bool off = value == 0 && zero == Zero::off;
    if (number && (off || (value >= kLeast && value <= kMost))) return std::chrono::milliseconds(value);
    log(LogLevel::error, "{} is \"{}\": expected {} to {} milliseconds{}; using {}", variable, text, kLeast, kMost,
        zero == Zero::off ? ", or 0 for no limit" : "", usual.count());
    return usual;
}

}  // namespace

Settings Settings::from_environment() {
    Settings settings;
    settings.crc = choice<Crc>("OPENND_IWARP_CRC", {{"on", Crc::on}, {"off", Crc::off}});
    if (settings.crc == Crc::off)
        log(LogLevel::warn, "iWARP: CRC is off by OPENND_IWARP_CRC; damaged messages are not noticed (IW-MPA-09)");
    settings.completion = choice<Completion>(
        "OPENND_IWARP_COMPLETION",
        {{"auto", Completion::automatic}, {"fenced", Completion::fenced}, {"local", Completion::local}});
    settings.revisions = choice<Revisions>(
        "OPENND_IWARP_REVISION", {{"auto", Revisions::automatic}, {"2", Revisions::two}, {"1", Revisions::one}});
    settings.open_at = choice<OpenAt>("OPENND_IWARP_OPEN_AT",
                                      {{"complete_connect", OpenAt::complete_connect}, {"reply", OpenAt::reply}});
    settings.tcp.dead_after = time_limit("OPENND_IWARP_DEAD_MS", settings.tcp.dead_after, Zero::refused);
    settings.patience = time_limit("OPENND_IWARP_PATIENCE_MS", settings.patience, Zero::off);
    settings.idle = time_limit("OPENND_IWARP_IDLE_MS", settings.idle, Zero::off);
    return settings;
}

}  // namespace opennd::iwarp
