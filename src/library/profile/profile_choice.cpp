// SPDX-License-Identifier: MIT
// See profile_choice.h.
#include "library/profile/profile_choice.h"

#include <fstream>
#include <utility>
#include <vector>

#include "base/format.h"
#include "base/kept_once.h"
#include "base/log.h"
#include "library/settings/misspelt_names.h"

namespace opennd {
namespace {

constexpr std::size_t kMostFileBytes = 1 << 20;

ProfileChoice of_file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::string text(kMostFileBytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    if (text.empty()) return {{}, format("profile {}: the file is empty, or cannot be read", path)};
    if (text.size() > kMostFileBytes) return {{}, format("profile {}: more than {} bytes", path, kMostFileBytes)};
    ProfileChoice choice;
    ProfileFile file = parse_profile(text, format("profile {}", path), choice.fault);
    if (choice.fault.empty()) choice.file = std::move(file);
    return choice;
}

ProfileChoice of_name(std::string_view wanted) {
    std::vector<std::string_view> names;
    std::string listed;
    for (const ProfileFile& known : known_profiles()) {
        if (known.name == wanted) return {known, {}};
        names.push_back(known.name);
        listed += format("{}{}", listed.empty() ? "" : ", ", known.name);
    }
    const std::string_view nearest = nearest_name(wanted, names);
    const std::string_view meant = nearest.empty() ? "" : "; did you mean ";
    return {
        {},
        format("profile {}: this library has {}{}{}; a file is named with a slash", wanted, listed, meant, nearest)};
}

bool is_set(const Environment& environment, const char* variable) {
    const char* const value = environment(variable);
    return value && *value != '\0';
}

constinit KeptOnce<std::vector<ProfileFile>> kept_profiles;

std::vector<ProfileFile> read_built_in() {
    std::vector<ProfileFile> files;
    for (const std::string_view text : built_in_profiles()) {
        std::string fault;
        ProfileFile file = parse_profile(text, "built-in profile", fault);
        if (fault.empty())
            files.push_back(std::move(file));
        else
            log(LogLevel::error, "{}", fault);  // a test reads all of them
    }
    if (!files.empty())
        files.push_back(strictest("strict", "the smallest of all published limits, and every quirk", files));
    return files;
}

}  // namespace

ProfileChoice choose_profile(std::string_view wanted) {
    if (wanted.empty()) return {};
    ProfileChoice choice = wanted.find('/') == std::string_view::npos ? of_name(wanted) : of_file(std::string(wanted));
    if (!choice.fault.empty()) log(LogLevel::error, "{}; no adapter will open", choice.fault);
    return choice;
}

Settings with_profile(Settings settings, const ProfileChoice& choice, const Environment& environment) {
    settings.soft.profile_fault = choice.fault;
    if (!choice.file) return settings;
    settings.soft.profile = profile_of(*choice.file);
    if (settings.soft.profile->completes_locally && !is_set(environment, "OPENND_IWARP_COMPLETION"))
        settings.iwarp.completion = iwarp::CompletionProof::local;
    return settings;
}

const std::vector<ProfileFile>& known_profiles() {
    const std::vector<ProfileFile>* const kept = kept_profiles.get();
    return kept ? *kept : kept_profiles.keep(read_built_in());
}

}  // namespace opennd
