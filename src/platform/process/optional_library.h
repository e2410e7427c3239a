// SPDX-License-Identifier: MIT
// A library of the system that a host may lack: OpenND is not linked with it, and loads it at the first need.
#pragma once

#include <memory>
#include <string>

#include "base/format.h"
#include "platform/process/shared_object.h"

namespace opennd {

// Lives while the functions of the library are found; the names of those that it lacks are collected.
class OptionalLibrary {
public:
    // `install`, `update`: what to do where it is missing, and where it is too old.
    OptionalLibrary(const std::string& name, const char* install, const char* update)
        : name_(name), install_(install), update_(update), object_(SharedObject::load(name, reason_)) {}

    // Looks a function up; it is null if the library or the function is missing.
    template <typename Function>
    void find(Function*& function, const char* symbol) {
        find_newer(function, symbol);
        if (object_ && !function) reason_ += format("{}it has no {}", reason_.empty() ? "" : "; ", symbol);
    }

    // Looks up a function that older libraries lack; it is null then.
    template <typename Function>
    void find_newer(Function*& function, const char* symbol) {
        function = object_ ? object_->find<Function>(symbol) : nullptr;
    }

    // Loads the library for good: threads of it may run, and it may keep addresses of its own. Returns false if something is missing.
    bool keep() const {
        if (!object_ || !reason_.empty()) return false;
        object_->pin();
        return true;
    }

    // Returns the reason why keep() was false.
    std::string failure() const { return format("{}: {}; {}", name_, reason_, object_ ? update_ : install_); }

private:
    const std::string name_;
    const char* const install_;
    const char* const update_;
    std::string reason_;
    const std::unique_ptr<SharedObject> object_;
};

}  // namespace opennd
