// SPDX-License-Identifier: MIT
//
// A folder of providers for one test, and the log lines that came meanwhile.
#pragma once

#include <string>
#include <vector>

#include "process/vendor/classes.h"

namespace opennd::process {

// Made before the library is used: it sets OPENND_PROVIDERS.
class ProviderFolder {
public:
    ProviderFolder();
    ~ProviderFolder();
    ProviderFolder(const ProviderFolder&) = delete;
    ProviderFolder& operator=(const ProviderFolder&) = delete;

    void write(const std::string& file, const std::string& text) const;
    void remove(const std::string& file) const;
    // The vendor's module, behaving so, as `file`.
    void add(const std::string& file, vendor::Behaviour behaviour, int version) const;
    std::string path(const std::string& file) const { return folder_ + "/" + file; }

private:
    std::string folder_;
};

// Takes the library's log while it lives.
class LogLines {
public:
    LogLines();
    ~LogLines();
    LogLines(const LogLines&) = delete;
    LogLines& operator=(const LogLines&) = delete;

    std::vector<std::string> take();
};

}  // namespace opennd::process
