// SPDX-License-Identifier: MIT
// See trusted_file.h.
#include "platform/process/trusted_file.h"

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/format.h"

namespace opennd {
namespace {

std::string distrust_one(const std::string& path) {
    const bool foreign_rights = ::getauxval(AT_SECURE) != 0;
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return {};
    const bool own = found.st_uid == ::geteuid() && !foreign_rights;
    if (found.st_uid != 0 && !own)
        return format("{} belongs to user {}, neither root nor the user of this process", path, found.st_uid);
    if (S_ISDIR(found.st_mode) && (found.st_mode & S_ISVTX) != 0) return {};
    const bool own_group = found.st_gid == ::getegid() && !foreign_rights;
    if ((found.st_mode & S_IWOTH) != 0) return format("everybody may write to {}", path);
    if ((found.st_mode & S_IWGRP) != 0 && !own_group) return format("group {} may write to {}", found.st_gid, path);
    return {};
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.find_last_not_of('/') == std::string::npos
                                  ? std::string::npos
                                  : path.rfind('/', path.find_last_not_of('/'));
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

std::string distrust(const std::string& path) {
    const std::string of_folder = distrust_one(folder_of(path));
    return of_folder.empty() ? distrust_one(path) : of_folder;
}

}  // namespace opennd
