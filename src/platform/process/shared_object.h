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

// Why a file that this process would obey or run cannot be trusted, for a log line: another user could have written it; empty: it can be. The file, and the folder that names it, must belong to
// root or to the effective user. Only that user, root and the effective group may write to them; others may write to a
// folder with the sticky bit, where each removes only files of its own. A program with rights that its caller lacks
// accepts root's files alone, and no group. Symbolic links are followed. A missing file is trusted. Any thread.
std::string distrust(const std::string& path);

}  // namespace opennd
