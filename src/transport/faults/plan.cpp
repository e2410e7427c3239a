// SPDX-License-Identifier: MIT
// See plan.h.
#include "transport/faults/plan.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/format.h"

namespace opennd::faults {
namespace {

constexpr std::array<Kind, kKinds> kAllKinds{{
    {"connect:refused", Place::connect, Status::connection_refused, "nobody listens there, or the listener rejects"},
    {"connect:timeout", Place::connect, Status::timed_out, "the peer's host does not answer; told at once"},
    {"connect:unreachable", Place::connect, Status::network_unreachable, "there is no way to the peer"},
    {"memory:refuse", Place::memory, Status::insufficient_resources, "a registration finds no place in the adapter"},
    {"send:timeout", Place::send, Status::timed_out, "the peer posts no receive in time; the connection ends"},
    {"send:overrun", Place::send, Status::remote_data_error, "the peer's receive is too short; the connection ends"},
    {"send:late", Place::send, Status::success, "the peer has the message, and its result comes late by this time",
     Lateness::result},
    {"write:denied", Place::write, Status::remote_access_violation,
     "the peer's memory is not granted; the connection ends"},
    {"write:late", Place::write, Status::success, "the peer has the bytes, and the result comes late by this time",
     Lateness::result},
    {"read:denied", Place::read, Status::remote_access_violation,
     "the peer's memory is not granted; the connection ends"},
    {"wire:reset", Place::wire, Status::connection_aborted,
     "the connection is lost for both sides; requests outstanding are canceled"},
    {"wire:delay", Place::wire, Status::success, "a message leaves late by this time; those behind it wait",
     Lateness::message},
    {"cq:overrun", Place::cq, Status::overrun,
     "a completion queue has no room for a result; it and its queue pairs are dead"},
    {"peer:dies", Place::peer, Status::connection_aborted,
     "the peer's process ends, and for the peer this one; with after=TIME every peer at that moment"},
}};

constexpr std::string_view kTimes = "500us, 2ms or 10s";

constexpr bool is_blank(char each) { return each == ' ' || each == '\t'; }

// One item of a line: its words, with their places in the line.
class Words {
public:
    Words(std::string_view line, std::size_t begin, std::size_t end) : line_(line), at_(begin), end_(end) { skip(); }

    bool over() const { return at_ == end_; }
    std::string_view next() {
        place_ = at_;
        while (at_ < end_ && !is_blank(line_[at_])) ++at_;
        const std::string_view word = line_.substr(place_, at_ - place_);
        skip();
        return word;
    }
    // The place of the newest word in the line, from 1.
    std::size_t place() const { return place_ + 1; }

private:
    void skip() {
        while (at_ < end_ && is_blank(line_[at_])) ++at_;
    }

    const std::string_view line_;
    std::size_t at_, place_ = 0;
    const std::size_t end_;
};

std::string known_kinds() {
    std::string all;
    for (const Kind& kind : kAllKinds)
        all += format("{}{}{}", all.empty() ? "" : ", ", kind.name, kind.takes_time() ? "=TIME" : "");
    return all;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Parses "64K", by powers of 1024.
std::optional<std::uint64_t> bytes_in(std::string_view text) {
    constexpr std::string_view kUnits = "KMG";
    unsigned shift = 0;
    if (!text.empty() && kUnits.find(text.back()) != std::string_view::npos) {
        shift = 10 * (static_cast<unsigned>(kUnits.find(text.back())) + 1);
        text.remove_suffix(1);
    }
    const auto number = number_in(text);
    if (!number || *number > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
    return *number << shift;
}

// Parses "10ms". No more than kLongest, so that moments and sums of times exist.
std::optional<std::chrono::nanoseconds> time_in(std::string_view text) {
    struct Unit {
        std::string_view name;
        std::int64_t nanoseconds;
    };
    constexpr std::array kUnits{Unit{"ns", 1}, Unit{"us", 1'000}, Unit{"ms", 1'000'000}, Unit{"s", 1'000'000'000}};
    constexpr std::int64_t kLongest = 1'000'000'000'000'000;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto unit = std::ranges::find(kUnits, text.substr(digits), &Unit::name);
    const auto number = number_in(text.substr(0, digits));
    if (unit == kUnits.end() || !number || *number > static_cast<std::uint64_t>(kLongest / unit->nanoseconds))
        return std::nullopt;
    return std::chrono::nanoseconds(static_cast<std::int64_t>(*number) * unit->nanoseconds);
}

std::optional<double> fraction_in(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= 1)) return std::nullopt;
    return value;
}

// A Connect and a result have no bytes.
constexpr bool counts_bytes(Place place) { return place != Place::connect && place != Place::cq; }

bool take_after(std::string_view value, Rule& rule, std::string& expected) {
    const bool by_bytes = counts_bytes(rule.kind->place);
    expected = by_bytes ? format("after=BYTES, as 65536, 64K or 1M, or after=TIME, as {}", kTimes)
                        : format("after=TIME, as {}", kTimes);
    if (const auto time = time_in(value)) {
        rule.after_time = time;
    } else {
        const auto bytes = by_bytes ? bytes_in(value) : std::nullopt;
        if (!bytes) return false;
        rule.after_bytes = bytes;
    }
    if (rule.is_by_clock() && rule.after_bytes) {
        expected = "after=BYTES or after=TIME, one of them";
        return false;
    }
    return true;
}

// Takes one trigger. Returns false if the word is wrong; `expected` names the right ones.
bool take_trigger(std::string_view word, Rule& rule, std::string& expected) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(0, equals);
    const std::string_view value = word.substr(std::min(equals + 1, word.size()));
    const auto counted = [&](std::optional<std::uint64_t>& to) {
        to = number_in(value);
        if (to && *to != 0) return true;
        expected = format("{}=NUMBER, from 1", name);
        return false;
    };
    if (name == "nth") return counted(rule.nth);
    if (name == "every") return counted(rule.every);
    if (name == "times") return counted(rule.times);
    if (name == "p") {
        rule.probability = fraction_in(value);
        expected = "p=FRACTION, from 0 to 1";
        return rule.probability.has_value();
    }
    if (name == "after") return take_after(value, rule, expected);
    expected = "p=, nth=, every=, after= or times=";
    return false;
}

// Takes the first word of a rule. Returns false if it is wrong; `expected` names the right ones.
bool take_kind(std::string_view word, Rule& rule, std::string& expected) {
    const std::size_t equals = word.find('=');
    const auto kind = std::ranges::find(kAllKinds, word.substr(0, equals), &Kind::name);
    if (kind == kAllKinds.end() || (equals != std::string_view::npos && !kind->takes_time())) {
        expected = format("seed=NUMBER, or one of {}", known_kinds());
        return false;
    }
    rule.kind = &*kind;
    if (!kind->takes_time()) return true;
    const auto time = equals == std::string_view::npos ? std::nullopt : time_in(word.substr(equals + 1));
    if (time) rule.time = *time;
    expected = format("{}=TIME, as {}", kind->name, kTimes);
    return rule.time.count() > 0;
}

bool take_item(Words& words, std::string_view text, Plan& plan, LineFault& fault) {
    const std::string_view first = words.next();
    const auto wrong = [&](std::string_view token, std::string expected) {
        fault = {words.place(), std::string(token), std::move(expected)};
        return false;
    };
    if (first.starts_with("seed=")) {
        const auto seed = number_in(first.substr(5));
        if (!seed) return wrong(first, "seed=NUMBER");
        plan.seed = *seed;
        return words.over() || wrong(words.next(), "; behind the seed");
    }
    Rule rule;
    std::string expected;
    if (!take_kind(first, rule, expected)) return wrong(first, std::move(expected));
    rule.text = text;
    while (!words.over()) {
        const std::string_view word = words.next();
        if (!take_trigger(word, rule, expected)) return wrong(word, std::move(expected));
    }
    plan.rules.push_back(std::move(rule));
    return true;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace

const std::array<Kind, kKinds>& kinds() { return kAllKinds; }

std::string describe(const LineFault& fault) {
    return format("at character {}: \"{}\": expected {}", fault.position, fault.token, fault.expected);
}

std::optional<Plan> parse_plan(std::string_view line, LineFault& fault) {
    Plan plan;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(';', begin), line.size());
        Words words(line, begin, end);
        if (!words.over() && !take_item(words, trimmed(line.substr(begin, end - begin)), plan, fault))
            return std::nullopt;
        begin = end + 1;
    }
    return plan;
}

}  // namespace opennd::faults
