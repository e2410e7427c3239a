// SPDX-License-Identifier: MIT
// See shared_object.h.
#include "platform/process/shared_object.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <system_error>

namespace opennd {

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

}  // namespace opennd
