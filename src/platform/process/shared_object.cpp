// SPDX-License-Identifier: MIT
// See shared_object.h.
#include "platform/process/shared_object.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

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

std::unique_ptr<SharedObject> SharedObject::load(const std::string& path, std::string& reason) {
    // All symbols now: one that is missing must not end the program later. Local: two modules may export the same names.
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* const why = dlerror();
        reason = why ? why : "the loader does not say why";
        return nullptr;
    }
    return std::unique_ptr<SharedObject>(new SharedObject(handle, path));
}

SharedObject::~SharedObject() { dlclose(handle_); }

void SharedObject::pin() const {
    // The flag sticks to the object, so that the reference need not be kept.
    if (void* const again = dlopen(path_.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE)) dlclose(again);
}

void* SharedObject::address_of(const char* name) const { return dlsym(handle_, name); }

std::string file_of_code(const void* code) {
    Dl_info info{};
    void* extra = nullptr;
    if (dladdr1(code, &info, &extra, RTLD_DL_LINKMAP) == 0) return {};
    const std::string_view name = static_cast<const link_map*>(extra)->l_name;
    std::error_code failed;
    // The program itself has no name here, and may have been started by a relative one.
    const std::filesystem::path file = name.empty() ? std::filesystem::read_symlink("/proc/self/exe", failed)
                                                    : std::filesystem::absolute(name, failed);
    return failed ? std::string() : file.string();
}

std::string distrust(const std::string& path) {
    const std::string of_folder = distrust_one(folder_of(path));
    return of_folder.empty() ? distrust_one(path) : of_folder;
}

}  // namespace opennd
