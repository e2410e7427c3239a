// SPDX-License-Identifier: MIT
//
// See provider_folder.h.
#include "process/provider_folder.h"

#include <gtest/gtest.h>
#include <opennd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <utility>

namespace opennd::process {
namespace {

std::mutex lines_mutex;
std::vector<std::string> lines;

void keep(void*, opennd_log_level, const char* message) {
    const std::lock_guard lock(lines_mutex);
    lines.emplace_back(message);
}

}  // namespace

ProviderFolder::ProviderFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "opennd_providers_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    setenv("OPENND_PROVIDERS", folder_.c_str(), 1);
}

ProviderFolder::~ProviderFolder() { std::filesystem::remove_all(folder_); }

void ProviderFolder::write(const std::string& file, const std::string& text) const {
    std::ofstream(path(file)) << text;
}

void ProviderFolder::remove(const std::string& file) const { std::filesystem::remove(path(file)); }

void ProviderFolder::add(const std::string& file, vendor::Behaviour behaviour, int version) const {
    char class_id[64];
    std::snprintf(class_id, sizeof class_id, "{0BADCAFE-1234-5678-0102-0304050607%02X}",
                  static_cast<unsigned>(behaviour));
    write(file, "name = Vendor " + file + "\nmodule = " OPENND_VENDOR_MODULE "\nclass = " + std::string(class_id) +
                    "\nversion = " + std::to_string(version) + "\n");
}

LogLines::LogLines() {
    take();
    EXPECT_EQ(opennd_log_sink(keep, nullptr, OPENND_LOG_ERROR), ND_SUCCESS);
}

LogLines::~LogLines() { opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR); }

std::vector<std::string> LogLines::take() {
    const std::lock_guard lock(lines_mutex);
    return std::exchange(lines, {});
}

}  // namespace opennd::process
