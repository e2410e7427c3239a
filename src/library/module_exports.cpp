// SPDX-License-Identifier: MIT
// What makes libopennd a module of providers, for programs that walk the catalog of providers; and that catalog.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "library/class_factory.h"
#include "library/library.h"
#include "opennd.h"
#include "platform/shared_object.h"
#include "spi/at_face.h"
#include "spi/explanation.h"

namespace opennd {
namespace {

// Both answer for both versions (ND2-PRV-02): programs ignore which entry of the catalog they found an id in. There are
// two because the published framework takes entries with one id for one provider.
bool is_our_class(REFCLSID class_id) { return class_id == CLSID_OpenNDProvider || class_id == CLSID_OpenNDProviderV1; }

// Ours first (NDS-CAT-01).
std::vector<ProviderEntry> catalog() {
    const std::string module = file_of_code(reinterpret_cast<const void*>(&::DllGetClassObject));
    std::vector<ProviderEntry> entries{{"OpenND", module, CLSID_OpenNDProvider, ND_VERSION_2},
                                       {"OpenND, version 1", module, CLSID_OpenNDProviderV1, ND_VERSION_1}};
    for (ProviderEntry& entry : Library::instance().foreign().entries()) entries.push_back(std::move(entry));
    return entries;
}

template <std::size_t N>
void copy_text(std::string_view text, char (&out)[N]) {
    const std::size_t length = std::min(text.size(), N - 1);
    std::memcpy(out, text.data(), length);
    out[length] = '\0';
}

}  // namespace
}  // namespace opennd

using namespace opennd;

HRESULT DllGetClassObject(REFCLSID class_id, REFIID iid, LPVOID* object) {
    constexpr Site site{"module", "DllGetClassObject"};
    if (object == nullptr) return refuse_null(E_POINTER, site, "ppv");
    *object = nullptr;
    if (!is_our_class(class_id))
        return explain(CLASS_E_CLASSNOTAVAILABLE, {.object = site.object,
                                                   .operation = site.operation,
                                                   .asked = "a class that OpenND does not have",
                                                   .limit = "the classes of its provider",
                                                   .remedy = "open adapters with NdOpenAdapter",
                                                   .requirement = "ND2-PRV-02"});
    if (iid == IID_IND2Provider) return create_provider(iid, object);  // ND2-PRV-01
    if (!ClassFactory::supports(iid)) return refuse_interface(site, iid);
    return at_face([&] {
        Library::instance();  // from here on the library counts as used
        make_ref<ClassFactory>()->hand_out(object);
        return S_OK;
    });
}

// Service threads run from the first object on and are not stopped: unloading is refused (ND2-PRV-03).
HRESULT DllCanUnloadNow(VOID) { return Library::in_use() ? S_FALSE : S_OK; }

HRESULT opennd_provider_list(opennd_provider entries[], ULONG capacity, ULONG* count) {
    constexpr Site site{"catalog of providers", "opennd_provider_list"};
    if (count == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "count");
    return at_face([&]() -> HRESULT {
        const std::vector<ProviderEntry> all = catalog();
        *count = static_cast<ULONG>(all.size());
        const ULONG room = entries ? capacity : 0;
        if (room < *count) return refuse_room(site, room * sizeof *entries, *count * sizeof *entries, "NDS-CAT-01");
        for (std::size_t i = 0; i < all.size(); ++i) {
            entries[i].class_id = all[i].class_id;
            entries[i].version = all[i].version;
            copy_text(all[i].name, entries[i].name);
            copy_text(all[i].module, entries[i].module);
        }
        return ND_SUCCESS;
    });
}
