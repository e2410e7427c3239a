// SPDX-License-Identifier: MIT
// See class_factory.h.
#include "library/class_factory.h"

#include "base/log.h"
#include "library/library.h"
#include "spi/nd2/provider.h"

namespace opennd {

HRESULT create_provider(REFIID iid, void** provider) noexcept {
    if (const HRESULT bad = check_output<Nd2Provider>(iid, provider); FAILED(bad)) return bad;
    return at_face([&] {
        make_ref<Nd2Provider>(Library::instance().adapters())->hand_out(provider);
        return S_OK;
    });
}

HRESULT ClassFactory::CreateInstance(IUnknown* outer, REFIID iid, void** object) noexcept {
    if (object == nullptr) return E_POINTER;
    *object = nullptr;
    if (outer != nullptr) return CLASS_E_NOAGGREGATION;
    if (iid == IID_INDProvider) {
        log(LogLevel::warn,
            "class factory: IID_INDProvider, but this version speaks version 2 only; use IID_IND2Provider");
        return E_NOINTERFACE;
    }
    return create_provider(iid, object);
}

}  // namespace opennd
