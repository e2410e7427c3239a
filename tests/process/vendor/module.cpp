// SPDX-License-Identifier: MIT
//
// Another vendor's module of providers, for tests of OpenND's handling of such modules: honest, broken, lying,
// throwing. See classes.h. Its adapters have IUnknown alone: OpenND calls no other method of them.
#define INITGUID
#include "process/vendor/classes.h"

#include <arpa/inet.h>

#include <atomic>
#include <stdexcept>

OPENND_BEGIN_INTERFACES  // interfaces have no virtual destructor; their implementations here have one

    namespace opennd::process::vendor {
    namespace {

    std::atomic<int> objects{0};
    std::atomic<bool> never_idle{false};

    template <typename Interface>
    class Object : public Interface {
    public:
        explicit Object(Behaviour behaviour) : behaviour_(behaviour) { ++objects; }
        virtual ~Object() { --objects; }

        HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, LPVOID*) override { return E_NOINTERFACE; }
        ULONG STDMETHODCALLTYPE AddRef() override { return ++count_; }
        ULONG STDMETHODCALLTYPE Release() override {
            const ULONG left = --count_;
            if (left == 0) delete this;
            return left;
        }

    protected:
        bool is(Behaviour behaviour) const { return behaviour_ == behaviour; }
        const Behaviour behaviour_;

    private:
        std::atomic<ULONG> count_{1};
    };

    struct List {
        INT count = 2;
        SOCKET_ADDRESS entries[2] = {};
        sockaddr_in four = {};
        sockaddr_in6 six = {};
    };

    // Both versions' providers say the same, with sizes of another width.
    template <typename Size>
    HRESULT list_addresses(Behaviour behaviour, SOCKET_ADDRESS_LIST* list, Size* size) {
        const Size room = list ? *size : 0;
        Size needed = sizeof(List);
        switch (behaviour) {
            case Behaviour::throws_at_list: throw std::runtime_error("no list today");
            case Behaviour::insatiable: needed = room + 32; break;
            case Behaviour::huge_list: needed = 0xFFFFFF00u; break;
            case Behaviour::shrinking_list: return *size = room ? room - 1 : needed, ND_BUFFER_OVERFLOW;
            default: break;
        }
        *size = needed;
        if (room < needed) return ND_BUFFER_OVERFLOW;
        auto& out = *reinterpret_cast<List*>(list);
        out = List{};
        out.count = behaviour == Behaviour::wild_count ? 1000 : 2;
        out.four.sin_family = AF_INET;
        out.four.sin_port = htons(4711);  // which nobody may see
        out.four.sin_addr.s_addr = htonl(behaviour == Behaviour::serves_loopback ? INADDR_LOOPBACK : kAddress);
        out.six.sin6_family = AF_INET6;
        inet_pton(AF_INET6, "2001:db8::77", &out.six.sin6_addr);
        out.entries[0] = {reinterpret_cast<sockaddr*>(&out.four), sizeof out.four};
        out.entries[1] = {reinterpret_cast<sockaddr*>(&out.six), sizeof out.six};
        if (behaviour == Behaviour::wild_pointer) out.entries[1].lpSockaddr = reinterpret_cast<sockaddr*>(16);
        if (behaviour == Behaviour::negative_length) out.entries[1].iSockaddrLength = -1;
        return ND_SUCCESS;
    }

    HRESULT open_adapter(Behaviour behaviour, void** adapter) {
        switch (behaviour) {
            case Behaviour::throws_at_open: throw 42;
            case Behaviour::refuses_to_open: return *adapter = reinterpret_cast<void*>(16), ND_NO_MEMORY;
            case Behaviour::null_adapter: return *adapter = nullptr, ND_SUCCESS;
            default: break;
        }
        *adapter = static_cast<IUnknown*>(new Object<IUnknown>(behaviour));
        return ND_SUCCESS;
    }

    class Provider1 final : public Object<INDProvider> {
    public:
        using Object::Object;
        HRESULT STDMETHODCALLTYPE QueryAddressList(SOCKET_ADDRESS_LIST* list, SIZE_T* size) override {
            return list_addresses(behaviour_, list, size);
        }
        HRESULT STDMETHODCALLTYPE OpenAdapter(const sockaddr*, SIZE_T, INDAdapter** adapter) override {
            return open_adapter(behaviour_, reinterpret_cast<void**>(adapter));
        }
    };

    class Provider2 final : public Object<IND2Provider> {
    public:
        using Object::Object;
        HRESULT STDMETHODCALLTYPE QueryAddressList(SOCKET_ADDRESS_LIST* list, ULONG* size) override {
            return list_addresses(behaviour_, list, size);
        }
        HRESULT STDMETHODCALLTYPE ResolveAddress(const sockaddr*, ULONG, UINT64* id) override {
            if (is(Behaviour::throws_at_resolve)) throw std::runtime_error("no address today");
            *id = 77;
            return ND_SUCCESS;
        }
        HRESULT STDMETHODCALLTYPE OpenAdapter(REFIID, UINT64 id, VOID** adapter) override {
            return id == 77 ? open_adapter(behaviour_, adapter) : ND_INVALID_PARAMETER;
        }
    };

    HRESULT make_provider(Behaviour behaviour, REFIID iid, void** object) {
        if (iid == IID_INDProvider) return *object = static_cast<INDProvider*>(new Provider1(behaviour)), S_OK;
        if (iid == IID_IND2Provider) return *object = static_cast<IND2Provider*>(new Provider2(behaviour)), S_OK;
        return E_NOINTERFACE;
    }

    class Factory final : public Object<IClassFactory> {
    public:
        using Object::Object;
        HRESULT STDMETHODCALLTYPE CreateInstance(IUnknown*, REFIID iid, void** object) override {
            return make_provider(behaviour_, iid, object);
        }
        HRESULT STDMETHODCALLTYPE LockServer(BOOL) override { return S_OK; }
    };

    }  // namespace
}  // namespace opennd::process::vendor

using namespace opennd::process::vendor;

HRESULT DllGetClassObject(REFCLSID class_id, REFIID iid, LPVOID* object) {
    const auto behaviour = static_cast<Behaviour>(class_id.Data4[7]);
    switch (behaviour) {
        case Behaviour::no_class: return *object = reinterpret_cast<void*>(16), CLASS_E_CLASSNOTAVAILABLE;
        case Behaviour::null_class: return *object = nullptr, S_OK;
        case Behaviour::throws_at_class: throw std::runtime_error("no class today");
        case Behaviour::never_idle: never_idle = true; break;
        default: break;
    }
    if (iid == IID_IClassFactory) {
        if (behaviour == Behaviour::direct_only) return *object = reinterpret_cast<void*>(16), E_NOINTERFACE;
        return *object = static_cast<IClassFactory*>(new Factory(behaviour)), S_OK;
    }
    return behaviour == Behaviour::factory_only ? E_NOINTERFACE : make_provider(behaviour, iid, object);
}

HRESULT DllCanUnloadNow(VOID) { return objects == 0 && !never_idle ? S_OK : S_FALSE; }

OPENND_END_INTERFACES
