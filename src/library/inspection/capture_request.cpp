// SPDX-License-Identifier: MIT
// See capture_request.h.
#include "library/inspection/capture_request.h"

#include <cstdint>
#include <limits>

#include "base/format.h"
#include "library/inspection/checked_answer.h"

namespace opennd {
namespace {

std::string text_of(const ordered_json& json) {
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Reads members into options, and keeps the first fault.
class Members {
public:
    Members(const ordered_json& from, std::string& fault) : from_(from), fault_(fault) {}

    void text(const char* name, std::string& to) {
        if (const ordered_json* const found =
                find(name, "a text", [](const ordered_json& each) { return each.is_string(); }))
            to = found->get<std::string>();
    }
    template <typename Number>
    void number(const char* name, std::uint64_t least, std::uint64_t most, Number& to) {
        const ordered_json* const found =
            find(name, "a number", [](const ordered_json& each) { return each.is_number_unsigned(); });
        if (!found) return;
        const auto value = found->get<std::uint64_t>();
        if (value < least || value > most)
            fault_ = format("{} is {}: expected {} to {}", name, value, least, most);
        else
            to = static_cast<Number>(value);
    }
    // No member has another name.
    void end() {
        if (fault_.empty() && found_ != from_.size()) fault_ = "an option is unknown here";
    }

private:
    const ordered_json* find(const char* name, std::string_view kind, bool (*is_kind)(const ordered_json&)) {
        const auto found = from_.find(name);
        if (!fault_.empty() || found == from_.end()) return nullptr;
        ++found_;
        if (is_kind(*found)) return &*found;
        fault_ = format("{} is no {}", name, kind.substr(2));
        return nullptr;
    }

    const ordered_json& from_;
    std::string& fault_;
    std::size_t found_ = 0;
};

}  // namespace

std::optional<capture::Options> parse_capture_request(std::string_view text, std::string& fault) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    const ordered_json json = bounded_json(text);
    if (json.is_null()) {
        fault = "the options are no JSON object";
        return std::nullopt;
    }
    capture::Options options;
    Members members(json, fault);
    members.text("file", options.file);
    members.text("filter", options.filter);
    members.number("files", 2, 10'000, options.files);
    members.number("file_bytes", 10'000, kMost, options.file_bytes);
    members.number("snap_bytes", 64, capture::Options::kUsualSnapBytes, options.snap_bytes);
    members.number("buffer_bytes", 100'000, kMost, options.buffer_bytes);
    members.end();
    if (fault.empty() && options.file.empty()) fault = "file is missing";
    if (fault.empty() && options.file.find('\0') != std::string::npos) fault = "file has a zero in it";
    if (!fault.empty()) return std::nullopt;
    return options;
}

std::string capture_begun(std::string_view file, std::size_t connections) {
    return text_of({{"file", file}, {"connections", connections}});
}

std::string capture_refused(std::string_view why) { return text_of({{"refused", why}}); }

ordered_json capture_json(const capture::Counts& counts) {
    ordered_json json = {{"file", counts.file},
                         {"connections", counts.connections},
                         {"packets", counts.packets},
                         {"dropped", counts.dropped}};
    if (!ok(counts.status)) json["failed"] = name(counts.status);
    return json;
}

std::string capture_ended(const capture::Counts& counts) { return text_of(capture_json(counts)); }

}  // namespace opennd
