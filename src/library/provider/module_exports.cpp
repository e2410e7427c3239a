// SPDX-License-Identifier: MIT
// The exports of a module of providers, for programs that walk the catalog of providers; and that catalog.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "library/library.h"
#include "library/provider/served_addresses.h"
#include "opennd.h"
#include "platform/process/shared_object.h"
#include "spi/at_face.h"
#include "spi/com_object.h"
#include "spi/explanation.h"

namespace opennd {
namespace {

// Both answer for both versions (ND2-PRV-02): programs ignore which entry of the catalog they found an id in. There are
// two because the published framework takes entries with one id for one provider.
bool is_our_class(REFCLSID class_id) { return class_id == CLSID_OpenNDProvider || class_id == CLSID_OpenNDProviderV1; }

// IClassFactory of the providers.
class ClassFactory final : public ComObject<ClassFactory, IClassFactory, IUnknown> {
public:
    static constexpr GUID kPrivateIid = {0x6D3B0B11, 0x5B0E, 0x4E0A, {0x9C, 0x41, 0x2E, 0x8A, 0x37, 0x5D, 0x10, 0x08}};

    HRESULT STDMETHODCALLTYPE CreateInstance(IUnknown* outer, REFIID iid, void** object) noexcept override;
    // The library stays loaded once it is in use; there is nothing to lock.
    HRESULT STDMETHODCALLTYPE LockServer(BOOL) noexcept override { return S_OK; }

private:
    void close() override {}
};

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

HRESULT refuse_installation(const Site& site, HRESULT status) {
    switch (status) {
        case ND_SHARING_VIOLATION:
            return explain(status, {.object = site.object,
                                    .operation = site.operation,
                                    .asked = "a class that the catalog has",
                                    .limit = "one entry for each class",
                                    .remedy = "remove the other with opennd_provider_remove first",
                                    .requirement = "NDS-CAT-01"});
        case ND_NO_MORE_ENTRIES:
            return explain(status, {.object = site.object,
                                    .operation = site.operation,
                                    .asked = "a class that no file of the folder names",
                                    .limit = "the entries of other vendors",
                                    .remedy = "list them with opennd_provider_list",
                                    .requirement = "NDS-CAT-01"});
        case ND_INVALID_PARAMETER:
            return explain(status, {.object = site.object,
                                    .operation = site.operation,
                                    .asked = "an entry that a file cannot hold",
                                    .limit = "a name of one line, an absolute path of one line, version 1 or 2",
                                    .remedy = "see docs/providers.md",
                                    .requirement = "NDS-CAT-01"});
        default:
            return explain(status, {.object = site.object,
                                    .operation = site.operation,
                                    .asked = "a change of the folder of providers",
                                    .limit = "what this user may write",
                                    .remedy = "make the folder that OPENND_PROVIDERS names, or run as root",
                                    .requirement = "NDS-CAT-01"});
    }
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

HRESULT opennd_provider_install(const opennd_provider* provider) {
    constexpr Site site{"catalog of providers", "opennd_provider_install"};
    if (provider == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "provider");
    return at_face([&]() -> HRESULT {
        if (is_our_class(provider->class_id)) return refuse_installation(site, ND_SHARING_VIOLATION);
        const bool known = provider->version == ND_VERSION_1 || provider->version == ND_VERSION_2;
        const ProviderEntry entry{{provider->name, strnlen(provider->name, sizeof provider->name)},
                                  {provider->module, strnlen(provider->module, sizeof provider->module)},
                                  provider->class_id,
                                  provider->version};
        const HRESULT status = known ? Library::instance().foreign().install(entry) : ND_INVALID_PARAMETER;
        return SUCCEEDED(status) ? status : refuse_installation(site, status);
    });
}

HRESULT opennd_provider_remove(const GUID* class_id) {
    constexpr Site site{"catalog of providers", "opennd_provider_remove"};
    if (class_id == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "class_id");
    return at_face([&]() -> HRESULT {
        const HRESULT status = Library::instance().foreign().remove(*class_id);
        return SUCCEEDED(status) ? status : refuse_installation(site, status);
    });
}
