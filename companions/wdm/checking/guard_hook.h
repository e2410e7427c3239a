// SPDX-License-Identifier: MIT
// Hook<slot, name>::call replaces the provider's function in the guard's tables. It lets the call pass if the object is
// open, replaces the consumer's callbacks by the guard's, and guards the objects that the call makes. Without memory
// for that the process ends, since an unguarded object would go unchecked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kernel/status.h"
#include "wdm/checking/guarded.h"

namespace opennd::wdm {

// The name of a slot as a template's argument.
template <std::size_t Size>
struct SlotName {
    constexpr SlotName(const char (&name)[Size]) { std::copy_n(name, Size, text); }  // implicit: a literal becomes one
    char text[Size];
};

// The guard's table for objects of this kind, and their name in reports. In guard_tables.cpp.
template <typename Object>
struct Kind;

// Puts the guard's table before the provider's.
template <typename Object>
void take(Guarded& guarded, Object& object) {
    guarded.adopt(object.Header, object.Dispatch);
    object.Dispatch = &Kind<Object>::table();
}

// ---- the further effects of a slot ----

// Specialised for slots with effects. `begins` gets the arguments, `ends` the status of the call or its request.
template <auto Slot>
struct Effect {
    template <typename... Arguments>
    static void begins(Guarded&, const Arguments&...) {}
    static void ends(Guarded&, NTSTATUS) {}
};

template <>
struct Effect<&NDK_MR_DISPATCH::NdkRegisterMr> {
    template <typename... Arguments>
    static void begins(Guarded& region, MDL* chain, const Arguments&...) {
        region.hold(chain);
    }
    static void ends(Guarded& region, NTSTATUS status) {
        if (!NT_SUCCESS(status)) region.let_go();
    }
};

template <>
struct Effect<&NDK_MR_DISPATCH::NdkDeregisterMr> {
    template <typename... Arguments>
    static void begins(Guarded&, const Arguments&...) {}
    static void ends(Guarded& region, NTSTATUS status) {
        if (NT_SUCCESS(status)) region.let_go();
    }
};

// ---- callbacks that come once ----

// From the call to its completion; of a call that does not pend, to its return.
template <auto Slot, typename Function>
struct Pending {
    Guarded& object;
    const char* name;
    Function function;
    void* context;

    static void request_ends(void* context, NTSTATUS status) {
        const std::unique_ptr<Pending> pending(static_cast<Pending*>(context));
        Effect<Slot>::ends(pending->object, status);
        const AtDispatchLevel level(pending->name);
        pending->function(pending->context, status);
    }
};

// `made` becomes the object, if one is made.
template <typename Object>
struct PendingCreate {
    Guarded& made;
    const char* name;
    NDK_FN_CREATE_COMPLETION function;
    void* context;

    void finish(NTSTATUS status, Object* object) {
        if (NT_SUCCESS(status) && object != nullptr)
            take(made, *object);
        else
            made.adapter().drop(made);
    }

    static void create_ends(void* context, NTSTATUS status, NDK_OBJECT_HEADER* header) {
        const std::unique_ptr<PendingCreate> pending(static_cast<PendingCreate*>(context));
        pending->finish(status, reinterpret_cast<Object*>(header));
        const AtDispatchLevel level(pending->name);
        pending->function(pending->context, status, header);
    }
};

struct PendingClose {
    Guarded& object;
    NDK_FN_CLOSE_COMPLETION function;
    void* context;

    static void close_ends(void* context) {
        const std::unique_ptr<PendingClose> pending(static_cast<PendingClose*>(context));
        GuardedAdapter& adapter = pending->object.adapter();
        pending->object.end_close();
        if (pending->function != nullptr) {
            const AtDispatchLevel level("close completion");
            pending->function(pending->context);
        }
        adapter.retire(pending->object);
    }
};

// ---- callbacks that may come often ----

template <typename... Arguments>
struct EventThunk {
    static void come(void* context, Arguments... arguments) {
        Event& event = *static_cast<Event*>(context);
        event.object.expect_events(event.name);
        // A connector that the provider has made for the consumer.
        if constexpr (std::is_same_v<std::tuple<Arguments...>, std::tuple<NDK_CONNECTOR*>>)
            (take(event.object.adapter().make("NDK_CONNECTOR", reinterpret_cast<void*>(event.function)), *arguments),
             ...);
        const RunningEvent running(event.object);
        const AtDispatchLevel level(event.name);
        reinterpret_cast<void (*)(void*, Arguments...)>(event.function)(event.context, arguments...);
    }
};

template <typename... Arguments>
void replace_event(Guarded& owner, const char* name, void (*&function)(void*, Arguments...), void*& context) {
    if (function == nullptr) return;
    Event& event = owner.add_event(name, reinterpret_cast<void (*)()>(function), context);
    function = EventThunk<Arguments...>::come;
    context = &event;
}

// ---- a call ----

template <auto Slot, SlotName Name>
struct Hook;

template <typename Table, typename Result, typename Object, typename... Arguments,
          Result (*Table::*Slot)(Object*, Arguments...), SlotName Name>
struct Hook<Slot, Name> {
    static Result call(Object* object, Arguments... arguments) noexcept {
        Guarded& guarded = Guarded::of(header_of(*object));
        if constexpr (kCloses) {
            return close(guarded, object, arguments...);
        } else {
            if (!guarded.may_call(Name.text)) return refused();
            if constexpr (kCreates)
                return create(guarded, object, __builtin_return_address(0), arguments...);
            else
                return request(guarded, object, arguments...);
        }
    }

private:
    using All = std::tuple<Arguments...>;

    template <typename Wanted>
    static constexpr std::size_t index_of() {
        std::size_t index = 0;
        (void)((std::is_same_v<Wanted, Arguments> ? false : (++index, true)) && ...);
        return index;
    }

    static constexpr std::size_t kCount = sizeof...(Arguments);
    static constexpr bool kCloses = std::is_same_v<Result (*)(Object*, Arguments...), NDK_FN_CLOSE_OBJECT>;
    static constexpr std::size_t kCreateCompletion = index_of<NDK_FN_CREATE_COMPLETION>();
    static constexpr bool kCreates = kCreateCompletion < kCount;
    // The same type as the notifications that a create takes.
    static constexpr std::size_t kRequestCompletion = index_of<NDK_FN_REQUEST_COMPLETION>();

    static const NDK_OBJECT_HEADER& header_of(const NDK_OBJECT_HEADER& header) { return header; }
    template <typename Other>
    static const NDK_OBJECT_HEADER& header_of(const Other& other) {
        return other.Header;
    }

    static auto provider(const Guarded& guarded) { return static_cast<const Table*>(guarded.provider_table())->*Slot; }

    static Result refused() {
        if constexpr (std::is_same_v<Result, NTSTATUS>)
            return STATUS_INVALID_DEVICE_REQUEST;
        else if constexpr (!std::is_void_v<Result>)
            return 0;
    }

    template <typename Call>
    static Result apply(const Guarded& guarded, Object* object, const Call& all) {
        return std::apply([&](auto... arguments) { return provider(guarded)(object, arguments...); }, all);
    }

    template <typename Function>
    static void replace(Guarded& owner, All& all, const char* name) {
        if constexpr (constexpr std::size_t at = index_of<Function>(); at < kCount)
            replace_event(owner, name, std::get<at>(all), std::get<at + 1>(all));
    }

    static Result request(Guarded& guarded, Object* object, Arguments... arguments) {
        All all(arguments...);
        Effect<Slot>::begins(guarded, arguments...);
        replace<NDK_FN_DISCONNECT_EVENT_CALLBACK>(guarded, all, "disconnect event");
        replace<NDK_FN_DISCONNECT_EVENT_CALLBACK_EX>(guarded, all, "disconnect event");
        if constexpr (kRequestCompletion < kCount) {
            using Mine = Pending<Slot, NDK_FN_REQUEST_COMPLETION>;
            auto& function = std::get<kRequestCompletion>(all);
            auto& context = std::get<kRequestCompletion + 1>(all);
            Mine* pending = nullptr;
            if (function != nullptr) {
                pending = new Mine{guarded, Name.text, function, context};
                function = Mine::request_ends;
                context = pending;
            }
            const NTSTATUS status = apply(guarded, object, all);
            if (status == STATUS_PENDING) return status;  // the completion may have come, and the object be gone
            delete pending;
            Effect<Slot>::ends(guarded, status);
            return status;
        } else {
            return apply(guarded, object, all);
        }
    }

    static Result create(Guarded& guarded, Object* object, const void* caller, Arguments... arguments) {
        using Out = std::tuple_element_t<kCount - 1, All>;
        using Made = std::remove_pointer_t<std::remove_pointer_t<Out>>;
        All all(arguments...);
        Guarded& made = guarded.adapter().make(Kind<Made>::kName, caller);
        replace<NDK_FN_CQ_NOTIFICATION_CALLBACK>(made, all, "notification");
        replace<NDK_FN_CONNECT_EVENT_CALLBACK>(made, all, "connect event");
        auto& function = std::get<kCreateCompletion>(all);
        auto& context = std::get<kCreateCompletion + 1>(all);
        auto* const own = new PendingCreate<Made>{made, Name.text, function, context};
        std::unique_ptr<PendingCreate<Made>> pending(own);  // without a completion, this call's
        if (function != nullptr) {
            function = PendingCreate<Made>::create_ends;
            context = pending.release();
        }
        const NTSTATUS status = apply(guarded, object, all);
        if (status == STATUS_PENDING) return status;
        pending.reset(own);
        own->finish(status, NT_SUCCESS(status) ? *std::get<kCount - 1>(all) : nullptr);
        return status;
    }

    static Result close(Guarded& guarded, Object* object, NDK_FN_CLOSE_COMPLETION function, void* context) {
        if (!guarded.begin_close()) return STATUS_SUCCESS;
        auto* const pending = new PendingClose{guarded, function, context};
        const NTSTATUS status = provider(guarded)(object, PendingClose::close_ends, pending);
        if (status == STATUS_PENDING) return status;
        GuardedAdapter& adapter = guarded.adapter();
        delete pending;
        guarded.end_close();
        adapter.retire(guarded);
        return status;
    }
};

}  // namespace opennd::wdm
