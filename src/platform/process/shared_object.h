// SPDX-License-Identifier: MIT
// A shared object loaded by its path, and the files that code of this process lies in.
#pragma once

#include <memory>
#include <string>

namespace opennd {

// One reference to a loaded object; the last one that goes takes it out of memory, unless it was pinned. Any thread.
class SharedObject {
public:
    // The loaded object; null: `reason` says why. Runs the object's own constructors, which may call any function.
    static std::unique_ptr<SharedObject> load(const std::string& path, std::string& reason);
    ~SharedObject();
    SharedObject(const SharedObject&) = delete;
    SharedObject& operator=(const SharedObject&) = delete;

    // The function of this name; null: the object exports no such symbol.
    template <typename Function>
    Function* find(const char* name) const {
        return reinterpret_cast<Function*>(address_of(name));
    }

    // From now on it stays in memory until the process ends.
    void pin() const;

private:
    SharedObject(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
    void* address_of(const char* name) const;

    void* const handle_;
    const std::string path_;
};

// The absolute path of the shared object, or of the program, that this code is in. Empty: the system does not tell.
std::string file_of_code(const void* code);

}  // namespace opennd
