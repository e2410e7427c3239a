// SPDX-License-Identifier: MIT
// One provider as a file of the providers' folder describes it. docs/providers.md has the format.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ndspi.h"

namespace opennd {

struct ProviderEntry {
    std::string name;    // for people; never empty
    std::string module;  // absolute path of the shared object
    GUID class_id{};
    ULONG version = ND_VERSION_2;  // or ND_VERSION_1

    friend bool operator==(const ProviderEntry&, const ProviderEntry&) = default;
};

// "{01234567-89AB-CDEF-0123-456789ABCDEF}", with or without the braces, in either case.
std::optional<GUID> parse_guid(std::string_view text);

// One file's text. Nothing: it is no entry, and the log names the line of `file` and its fault.
std::optional<ProviderEntry> parse_provider_entry(std::string_view text, std::string_view file);

// All files "*.conf" of a folder, in the order of their names; a folder that does not exist has none. Faulty files are
// logged and left out.
std::vector<ProviderEntry> read_provider_folder(const std::string& folder);

// Writes a file for the entry, which is there whole or not at all. False: the folder cannot be written to, and the log says
// why.
bool write_provider_entry(const std::string& folder, const ProviderEntry& entry);

// Removes the files that name this class; how many. False: one cannot be removed, and the log says why.
bool remove_provider_entry(const std::string& folder, const GUID& class_id, std::size_t& removed);

// Whether a file can say so: no line ends in names, an absolute path.
bool can_be_written(const ProviderEntry& entry);

}  // namespace opennd
