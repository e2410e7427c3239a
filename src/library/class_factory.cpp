// SPDX-License-Identifier: MIT
// See class_factory.h.
#include "library/class_factory.h"

#include "library/library.h"
#include "spi/explanation.h"
#include "spi/nd2/provider.h"

namespace opennd {

HRESULT create_provider(REFIID iid, void** provider) noexcept {
    if (const HRESULT bad = check_output<Nd2Provider>({"provider", "create"}, iid, provider); FAILED(bad)) return bad;
    return at_face([&] {
        make_ref<Nd2Provider>(Library::instance().adapters())->hand_out(provider);
        return S_OK;
    });
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
    if (iid == IID_INDProvider)
        return explain(E_NOINTERFACE, {.object = site.object,
                                       .operation = site.operation,
                                       .asked = "IID_INDProvider, which is version 1",
                                       .limit = "version 2 only",
                                       .remedy = "use IID_IND2Provider",
                                       .requirement = "ND2-PRV-02"});
    return create_provider(iid, object);
}

}  // namespace opennd
