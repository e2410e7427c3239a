// SPDX-License-Identifier: MIT
// See checked_answer.h.
#include "library/inspection/checked_answer.h"

namespace opennd {
namespace {

// Counts values as the parser meets them, and makes none. The parser itself keeps one bit for each level.
class BoundsCheck final : public nlohmann::json_sax<ordered_json> {
public:
    bool null() override { return count(); }
    bool boolean(bool) override { return count(); }
    bool number_integer(number_integer_t) override { return count(); }
    bool number_unsigned(number_unsigned_t) override { return count(); }
    bool number_float(number_float_t, const string_t&) override { return count(); }
    bool string(string_t&) override { return count(); }
    bool binary(binary_t&) override { return count(); }
    bool key(string_t&) override { return count(); }
    bool start_object(std::size_t) override { return enter(); }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t, const std::string&, const ordered_json::exception&) override { return false; }

private:
    bool count() { return ++values_ <= kMostValues; }
    bool enter() { return ++depth_ <= kMostDepth && count(); }
    bool leave() {
        --depth_;
        return true;
    }

    std::size_t depth_ = 0, values_ = 0;
};

}  // namespace

ordered_json bounded_json(std::string_view text) {
    BoundsCheck check;
    if (!ordered_json::sax_parse(text, &check)) return nullptr;
    ordered_json json = ordered_json::parse(text, nullptr, false);
    return json.is_object() ? json : ordered_json();
}

Result<std::string> checked_answer(std::string_view text, pid_t process, uid_t user) {
    ordered_json report = bounded_json(text);
    if (report.is_null()) return Status::invalid_parameter;
    if (const auto found = report.find("pid"); found != report.end()) *found = process;
    if (const auto found = report.find("user"); found != report.end()) *found = user;
    return report.dump();
}

}  // namespace opennd
