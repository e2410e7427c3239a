// SPDX-License-Identifier: MIT
// The composition root: the one place that names the transports and puts the layers together.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/status.h"
#include "check/check_mode.h"
#include "check/program_checker.h"
#include "check/transport/transport.h"
#include "core/adapter/adapter_catalog.h"
#include "library/inspection/event_report.h"
#include "library/inspection/inspection_server.h"
#include "library/inspection/standing_requests.h"
#include "library/profile/profile_choice.h"
#include "library/settings/setting_table.h"
#include "library/settings/settings.h"
#include "library/transport_map.h"
#include "ndk/device/device.h"
#include "ndk/object/device_state.h"
#include "platform/memory/mappable_memory.h"
#include "platform/thread/event_loop.h"
#include "platform/tuning/choice.h"
#include "spi/foreign/catalog.h"
#include "transport/adapter.h"
#include "transport/capture/captures.h"
#include "transport/faults/faulty_transport.h"
#include "transport/recording/transport.h"
#include "transport/soft/channel/channel_layer.h"

namespace opennd {

// The checking layer of OPENND_CHECK, put together: a checker, which the faces and the core tell of their calls, and a transport around the transport.
class CheckingLayer {
public:
    CheckingLayer(CheckMode mode, Transport& inner) : checker_(mode), transport_(inner, checker_.diagnostics()) {}

    Checker& checker() { return checker_; }
    Transport& transport() { return transport_; }
    const ContextReader& contexts() const { return transport_; }

private:
    ProgramChecker checker_;
    CheckedTransport transport_;
};

// Null: off. Otherwise it is the checker of the process from here on, and is never destroyed.
std::unique_ptr<CheckingLayer> make_checking_layer(CheckMode mode, Transport& inner);

// Thread-safe.
class Library {
public:
    // Made by the first call in a process, never destroyed: service threads and programs' objects outlive main. A child
    // of fork makes its own, because its parent's threads do not run in it; it keeps the choices of the parent
    // (docs/decisions/0029).
    static Library& instance();
    // The step of a fork (base/fork_step.h).
    class InChild;
    // True once instance() was called; the library cannot be unloaded from then on (ND2-PRV-03).
    static bool in_use();

    // The value of a variable in the environment of the process that the library belongs to, or null.
    static const char* variable(const char* name);

    AdapterCatalog& adapters() { return adapters_; }
    DeviceStates& ndk_devices() { return ndk_devices_; }
    ForeignCatalog& foreign() { return foreign_; }
    MappableMemory& memory() { return memory_; }
    TransportMap& transport() { return transport_; }
    const ProfileChoice& profile() const { return profile_; }
    faults::Faults& faults() { return faults_; }

    // Selects the transports of connections and listeners made from now on, as in settings.h; an empty list selects those
    // of OPENND_TRANSPORT. invalid_parameter: nothing has changed.
    Status select_transports(std::string_view list);
    // Selects how completion queues made from now on overrun, as in settings.h; an empty name selects OPENND_OVERRUN's.
    // invalid_parameter: nothing has changed.
    Status select_overrun_rule(std::string_view name);

private:
    // With the settings of the environment, or the choices of `parent`.
    explicit Library(const Library* parent);
    struct Start {
        ProfileChoice profile;
        Settings settings;
    };
    static Start start();
    Library(const Library* parent, Start start);
    Library(const Library* parent, const Settings& settings, ProfileChoice profile);
    static Library& make();
    std::string usual_overrun_rule() const;
    // An adapter opens: what waited for the first one begins.
    void begin_with_adapter();
    // The line of the setting is in force; otherwise its fault, and no adapter opens.
    std::string take_faults(const std::string& line);
    const recording::Recorder* recorder() const { return recording_ ? &recording_->recorder() : nullptr; }
    std::string answer(Question question, const SettingsSet& set);
    Status begin_capture(const capture::Options& options, std::unique_ptr<capture::FileSource> files,
                         std::string& fault);
    std::string begin_asked_capture(std::string_view options, std::unique_ptr<capture::FileSource> files, bool& begun);
    std::string end_asked_capture();

    // This process's. Release and acquire; a child puts null there before it has any other thread.
    static std::atomic<Library*> instance_;
    static Mutex making_;  // held while one is made; its settings are read and the log has lines meanwhile
    // Of this process, or of the parent of this one.
    static Library* newest_ GUARDED_BY(making_);

    const ProfileChoice profile_;
    EventLoop loop_;
    MappableMemory memory_;
    faults::Faults faults_{loop_};
    capture::Captures captures_;
    soft::TwoLayers layers_{faults_, captures_};  // a capture has what the program sees
    const capture::Options capture_;              // of the settings
    const bool inspected_;
    std::atomic<bool> begun_with_adapter_{false};  // relaxed: the first caller alone goes on
    // All there are, in the default order. Constant after construction.
    std::vector<std::string> transport_names_;
    soft::SoftTransport software_;
    TransportMap transport_;
    faults::FaultyTransport faulty_;                                  // around it
    const std::unique_ptr<CheckingLayer> checks_;                     // null: OPENND_CHECK is off
    const std::unique_ptr<recording::RecordingTransport> recording_;  // around them; null: no setting wants it
    AdapterCatalog adapters_;
    StandingRequests standing_;
    InspectionServer inspection_;
    EventFile event_file_;
    DeviceStates ndk_devices_;
    ForeignCatalog foreign_;
};

// The settings of NDK adapters as the environment has them at this call. A bad value is logged, and its default holds. Any
// thread.
NdkSettings ndk_settings_now();

// The choices that are made for the machine; makes those that are not made yet. The library has its settings by then. Throws std::bad_alloc. Any thread.
std::vector<Choice> choices_for_machine();

}  // namespace opennd
