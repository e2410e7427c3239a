// SPDX-License-Identifier: MIT
// A module of another vendor: loaded when it is first needed, and asked for class objects. Next: provider.h, which asks.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/lock.h"
#include "ndspi.h"
#include "platform/process/shared_object.h"

namespace opennd {

// Any thread. Nothing of the module is called with a lock held: it may call OpenND.
class ForeignModule {
public:
    ForeignModule(std::string name, std::string path) : name_(std::move(name)), path_(std::move(path)) {}

    // The module in memory, as long as a reference to this exists.
    struct Loaded {
        std::unique_ptr<SharedObject> object;
        decltype(::DllGetClassObject)* get_class_object = nullptr;
        decltype(::DllCanUnloadNow)* can_unload_now = nullptr;
    };
    // Null: it cannot be loaded, or is no module of providers; logged.
    std::shared_ptr<const Loaded> load();

    // Unloads the module if no thread uses it and DllCanUnloadNow says that it has no object left.
    void unload_if_idle();

    // Logs a fault of the module, unless it was the last one logged.
    void complain(std::string_view what);

private:
    std::shared_ptr<const Loaded> publish(std::shared_ptr<const Loaded> fresh);

    const std::string name_;
    const std::string path_;
    Mutex mutex_;
    std::shared_ptr<const Loaded> loaded_ GUARDED_BY(mutex_);
    std::string last_complaint_ GUARDED_BY(mutex_);
};

}  // namespace opennd
