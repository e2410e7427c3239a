// SPDX-License-Identifier: MIT
// See module.h.
#include "spi/foreign/module.h"

#include <utility>

#include "base/log.h"
#include "platform/process/shared_object.h"

namespace opennd {

std::shared_ptr<const ForeignModule::Loaded> ForeignModule::load() {
    {
        const Held lock(mutex_);
        if (loaded_) return loaded_;
    }
    auto fresh = std::make_shared<Loaded>();
    std::string reason = distrust(path_);
    if (!reason.empty()) return complain(reason), nullptr;
    fresh->object = SharedObject::load(path_, reason);
    if (!fresh->object) return complain(reason), nullptr;
    fresh->get_class_object = fresh->object->find<decltype(::DllGetClassObject)>("DllGetClassObject");
    fresh->can_unload_now = fresh->object->find<decltype(::DllCanUnloadNow)>("DllCanUnloadNow");
    if (!fresh->get_class_object || !fresh->can_unload_now)
        return complain("it does not export both DllGetClassObject and DllCanUnloadNow"), nullptr;
    return publish(std::move(fresh));
}

// The second thread takes the module of the first: both are references to one object.
std::shared_ptr<const ForeignModule::Loaded> ForeignModule::publish(std::shared_ptr<const Loaded> fresh) {
    const Held lock(mutex_);
    if (!loaded_) loaded_.swap(fresh);
    return loaded_;
}

void ForeignModule::unload_if_idle() {
    std::shared_ptr<const Loaded> loaded;
    {
        const Held lock(mutex_);
        loaded = loaded_;
    }
    if (!loaded) return;
    try {
        if (loaded->can_unload_now() != S_OK) return;
    } catch (...) {
        return complain("DllCanUnloadNow threw an exception");
    }
    const Held lock(mutex_);
    // Ours and the member's: no thread is in the middle of a call. Unloaded when `loaded` goes, without the lock.
    if (loaded_ == loaded && loaded.use_count() == 2) loaded_.reset();
}

void ForeignModule::complain(std::string_view what) {
    {
        const Held lock(mutex_);
        if (last_complaint_ == what) return;
        last_complaint_ = what;
    }
    log(LogLevel::error, "provider {}: {}: {}; it is passed over", name_, path_, what);
}

}  // namespace opennd
