// SPDX-License-Identifier: MIT
// See class_factory.h.
#include "library/provider/class_factory.h"

#include "library/library.h"
#include "spi/explanation.h"
#include "spi/nd1/provider.h"
#include "spi/nd2/provider.h"

namespace opennd {

namespace {

template <typename Provider>
HRESULT create(REFIID iid, void** provider) noexcept {
    if (const HRESULT bad = check_output<Provider>({"provider", "create"}, iid, provider); FAILED(bad)) return bad;
    return at_face([&] {
        make_ref<Provider>(Library::instance().adapters())->hand_out(provider);
        return S_OK;
    });
}

}  // namespace

HRESULT create_provider(REFIID iid, void** provider) noexcept {
    return iid == IID_INDProvider ? create<Nd1Provider>(iid, provider) : create<Nd2Provider>(iid, provider);
}

HRESULT ClassFactory::CreateInstance(IUnknown* outer, REFIID iid, void** object) noexcept {
    constexpr Site site{"class factory", "CreateInstance"};
    if (object == nullptr) return refuse_null(E_POINTER, site, "ppvObject");
    *object = nullptr;
    if (outer != nullptr)
        return explain(CLASS_E_NOAGGREGATION, {.object = site.object,
                                               .operation = site.operation,
                                               .asked = "an object as part of another (pUnkOuter)",
                                               .limit = "objects of their own",
                                               .remedy = "pass NULL as pUnkOuter",
                                               .requirement = "ND2-PRV-02"});
    return create_provider(iid, object);
}

}  // namespace opennd
