// SPDX-License-Identifier: MIT
// See provider_entry.h.
#include "spi/foreign/provider_entry.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/format.h"
#include "base/log.h"
#include "platform/process/shared_object.h"

namespace opennd {
namespace {

// Entries are short texts written by people; a longer file is not read.
constexpr std::uintmax_t kLongestFile = 64 * 1024;
// As much as a catalog entry of Windows has room for (WSAPROTOCOL_LEN), the end of the text included.
constexpr std::size_t kLongestName = 255;
constexpr std::size_t kLongestPath = 4095;  // PATH_MAX without its end

std::string_view trim(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

template <typename Integer>
bool take_hex(std::string_view& text, std::size_t digits, Integer& value) {
    if (text.size() < digits) return false;
    unsigned long read = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + digits, read, 16);
    if (error != std::errc() || end != text.data() + digits) return false;
    value = static_cast<Integer>(read);
    text.remove_prefix(digits);
    return true;
}

bool take(std::string_view& text, char expected) {
    if (text.empty() || text.front() != expected) return false;
    text.remove_prefix(1);
    return true;
}

class Reader {
public:
    explicit Reader(std::string_view file) : file_(file) {}

    // Returns false if the line is wrong; the log says so.
    bool read(std::string_view line) {
        ++line_;
        line = trim(line);
        if (line.empty() || line.front() == '#' || line.front() == ';') return true;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) return refuse("expected KEY = VALUE");
        const std::string_view value = trim(line.substr(equals + 1));
        return set(trim(line.substr(0, equals)), value);
    }

    bool complete() const {
        for (const auto& [given, key] : {std::pair{!entry_.name.empty(), "name"},
                                         {!entry_.module.empty(), "module"},
                                         {has_class_, "class"},
                                         {has_version_, "version"}})
            if (!given) {
                log(LogLevel::error, "provider {}: there is no line `{} = ...`; it is left out", file_, key);
                return false;
            }
        return true;
    }

    ProviderEntry& entry() { return entry_; }

private:
    bool set(std::string_view key, std::string_view value) {
        if (key == "name") return set_name(value);
        if (key == "module") return set_module(value);
        if (key == "class") return set_class(value);
        if (key == "version") return set_version(value);
        return refuse("expected one of the keys name, module, class, version");
    }

    bool set_name(std::string_view value) {
        if (value.empty() || value.size() > kLongestName) return refuse("expected a name of 1 to 255 bytes");
        entry_.name = value;
        return true;
    }

    bool set_module(std::string_view value) {
        // A name alone would be looked for in folders that the environment names.
        if (!value.starts_with('/') || value.size() > kLongestPath)
            return refuse("expected the absolute path of a shared object");
        entry_.module = value;
        return true;
    }

    bool set_class(std::string_view value) {
        const std::optional<GUID> id = parse_guid(value);
        if (!id) return refuse("expected a class id such as {01234567-89AB-CDEF-0123-456789ABCDEF}");
        entry_.class_id = *id;
        return has_class_ = true;
    }

    bool set_version(std::string_view value) {
        if (value != "1" && value != "2") return refuse("expected version 1 or 2");
        entry_.version = value == "1" ? ND_VERSION_1 : ND_VERSION_2;
        return has_version_ = true;
    }

    bool refuse(std::string_view why) const {
        log(LogLevel::error, "provider {}:{}: {}; it is left out", file_, line_, why);
        return false;
    }

    const std::string_view file_;
    ProviderEntry entry_;
    int line_ = 0;
    bool has_class_ = false;
    bool has_version_ = false;
};

std::string text_of(const GUID& id) {
    const UINT8* const d = id.Data4;
    return format("{{{:08X}-{:04X}-{:04X}-{:02X}{:02X}-{:02X}{:02X}{:02X}{:02X}{:02X}{:02X}}}", id.Data1, id.Data2,
                  id.Data3, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
}

std::string text_of(const ProviderEntry& entry) {
    return format("name = {}\nmodule = {}\nclass = {}\nversion = {}\n", entry.name, entry.module,
                  text_of(entry.class_id), entry.version == ND_VERSION_1 ? 1 : 2);
}

// In the order of their names. Unreadable parts of the folder are logged.
std::vector<std::filesystem::path> files_of(const std::string& folder) {
    std::error_code failed;
    std::vector<std::filesystem::path> files;
    std::filesystem::directory_iterator entries(folder, failed);
    for (; !failed && entries != std::filesystem::directory_iterator(); entries.increment(failed))
        if (entries->path().extension() == ".conf") files.push_back(entries->path());
    if (failed && failed != std::errc::no_such_file_or_directory)
        log(LogLevel::error, "providers: {}: {}", folder, failed.message());
    std::sort(files.begin(), files.end());
    return files;
}

std::optional<ProviderEntry> read_file(const std::filesystem::path& path) {
    if (const std::string reason = distrust(path.string()); !reason.empty()) {
        log(LogLevel::error, "provider {}: {}; it is left out", path.string(), reason);
        return std::nullopt;
    }
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(path, failed);
    std::ifstream stream(path, std::ios::binary);
    if (failed || size > kLongestFile || !stream) {
        log(LogLevel::error, "provider {}: not a file of at most {} bytes that can be read; it is left out",
            path.string(), kLongestFile);
        return std::nullopt;
    }
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return parse_provider_entry(text, path.string());
}

}  // namespace

std::optional<GUID> parse_guid(std::string_view text) {
    const bool braced = take(text, '{');
    GUID id{};
    if (!take_hex(text, 8, id.Data1) || !take(text, '-')) return std::nullopt;
    if (!take_hex(text, 4, id.Data2) || !take(text, '-')) return std::nullopt;
    if (!take_hex(text, 4, id.Data3) || !take(text, '-')) return std::nullopt;
    for (int i = 0; i < 8; ++i) {
        if (i == 2 && !take(text, '-')) return std::nullopt;
        if (!take_hex(text, 2, id.Data4[i])) return std::nullopt;
    }
    if (braced && !take(text, '}')) return std::nullopt;
    return text.empty() ? std::optional(id) : std::nullopt;
}

std::optional<ProviderEntry> parse_provider_entry(std::string_view text, std::string_view file) {
    Reader reader(file);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (!reader.read(text.substr(0, end))) return std::nullopt;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!reader.complete()) return std::nullopt;
    return std::move(reader.entry());
}

std::vector<ProviderEntry> read_provider_folder(const std::string& folder) {
    std::vector<ProviderEntry> found;
    for (const std::filesystem::path& file : files_of(folder))
        if (std::optional<ProviderEntry> entry = read_file(file)) found.push_back(std::move(*entry));
    return found;
}

bool can_be_written(const ProviderEntry& entry) {
    const std::optional<ProviderEntry> read = parse_provider_entry(text_of(entry), "that is to be written");
    return read && *read == entry;
}

bool write_provider_entry(const std::string& folder, const ProviderEntry& entry) {
    const std::filesystem::path place(folder);
    const std::string name = text_of(entry.class_id);
    const std::filesystem::path file = place / (name + ".conf");
    const std::filesystem::path unfinished = place / (name + ".unfinished");  // no name that is read
    std::ofstream stream(unfinished, std::ios::binary | std::ios::trunc);
    stream << text_of(entry);
    stream.close();
    std::error_code failed;
    using std::filesystem::perms;
    if (stream)
        std::filesystem::permissions(
            unfinished, perms::owner_read | perms::owner_write | perms::group_read | perms::others_read, failed);
    if (stream && !failed) std::filesystem::rename(unfinished, file, failed);
    if (stream && !failed) return true;
    log(LogLevel::error, "provider {}: it cannot be written: {}", file.string(),
        failed ? failed.message() : std::string("is the folder there, and may this user write to it?"));
    std::filesystem::remove(unfinished, failed);
    return false;
}

bool remove_provider_entry(const std::string& folder, const GUID& class_id, std::size_t& removed) {
    removed = 0;
    for (const std::filesystem::path& file : files_of(folder)) {
        const std::optional<ProviderEntry> entry = read_file(file);
        if (!entry || entry->class_id != class_id) continue;
        std::error_code failed;
        std::filesystem::remove(file, failed);
        if (failed) {
            log(LogLevel::error, "provider {}: it cannot be removed: {}", file.string(), failed.message());
            return false;
        }
        ++removed;
    }
    return true;
}

}  // namespace opennd
