// SPDX-License-Identifier: MIT
// See library.h.
#include "library/library.h"

#include <atomic>

#include "base/checker.h"
#include "base/explanation.h"
#include "base/fork_step.h"
#include "base/lock.h"
#include "base/shown_context.h"
#include "library/inspection/event_report.h"
#include "library/inspection/process_report.h"
#include "library/settings/misspelt_names.h"
#include "library/settings/setting_table.h"
#include "library/settings/settings.h"
#include "library/transports.h"
#include "library/version.h"
#include "platform/host/host.h"
#include "platform/host/interfaces.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

std::atomic<bool> library_in_use{false};  // relaxed: a hint, and true before any object exists

// Makes the checker of the process from here on; null: off.
std::unique_ptr<ProgramChecker> make_checker(CheckMode mode) {
    if (mode == CheckMode::off) return nullptr;
    auto made = std::make_unique<ProgramChecker>(mode);
    set_checker(made.get());
    return made;
}

// `checker`: null if requests are not checked. Answers null if no setting wants a watch.
std::unique_ptr<watch::WatchingTransport> make_watch(Transport& inner, const watch::Options& options,
                                                     ProgramChecker* checker) {
    if (!options.wanted() && !checker) return nullptr;
    auto made = std::make_unique<watch::WatchingTransport>(inner, options, checker ? &checker->diagnostics() : nullptr);
    set_context_reader(made.get());
    return made;
}

}  // namespace

constinit std::atomic<Library*> Library::instance_{nullptr};
constinit Mutex Library::making_;
constinit Library* Library::newest_ = nullptr;

Library& Library::instance() {
    Library* const made = instance_.load(std::memory_order_acquire);
    return made ? *made : make();
}

// A child makes its own: locks of the parent's may be held.
class Library::InChild final : public ForkStep {
    void begin_child() noexcept override {
        instance_.store(nullptr, std::memory_order_relaxed);
        forget_holder(making_);
        set_checker(nullptr);
        set_context_reader(nullptr);
    }
};

namespace {

constinit Library::InChild library_in_child;
[[maybe_unused]] const bool library_listed = library_in_child.list();

}  // namespace

Library& Library::make() {
    const Held lock(making_);
    Library* const made = instance_.load(std::memory_order_relaxed);
    if (made) return *made;
    newest_ = new Library(newest_);
    instance_.store(newest_, std::memory_order_release);
    return *newest_;
}

bool Library::in_use() { return library_in_use.load(std::memory_order_relaxed); }

const char* Library::variable(const char* name) { return environment_value(name); }

Library::Start Library::start() {
    const Settings settings = read_settings(Reading::start, &variable);
    ProfileChoice profile = choose_profile(settings.profile);
    Settings chosen = with_profile(settings, profile, &variable);
    return {std::move(profile), std::move(chosen)};
}

Library::Library(const Library* parent) : Library(parent, start()) {}

Library::Library(const Library* parent, Start start) : Library(parent, start.settings, std::move(start.profile)) {}

Library::Library(const Library* parent, const Settings& settings, ProfileChoice profile)
    : profile_(std::move(profile)),
      capture_(settings.capture),
      inspected_(settings.inspected),
      software_(loop_, memory_, make_wires(settings, transport_names_), settings.soft, layers_),
      transport_(software_, make_hardware(loop_, settings)),
      faulty_(transport_, faults_, loop_, take_faults(settings.faults)),
      checker_(make_checker(settings.check)),
      watch_(make_watch(faulty_, settings.recording, checker_.get())),
      adapters_(watch_ ? *watch_ : static_cast<Transport&>(faulty_),
                {interfaces, host_id(), settings.loopback_listed, [this] { begin_with_adapter(); }}),
      inspection_(loop_, [this, set = settings_set(&variable)](Question question) { return answer(question, set); },
                  {[this](std::string_view options, std::unique_ptr<capture::FileSource> files, bool& begun) {
                       return begin_asked_capture(options, std::move(files), begun);
                   },
                   [this] { return end_asked_capture(); }}),
      event_file_(loop_, settings.event_file, [this] { return event_text(recorded(), adapters_); }),
      foreign_(settings.provider_folder) {
    set_face_status(face_status);
    loop_.serve_process();
    event_file_.start();
    library_in_use.store(true, std::memory_order_relaxed);
    if (parent) {
        transport_.select(parent->transport_.chosen());
        transport_.set_overrun_rule(parent->transport_.overrun_rule());
        return;
    }
    name_unknown_variables();
    // A program that named its transports gets no others: after a wrong name it has none.
    if (!ok(select_transports({}))) transport_.select({});
    (void)select_overrun_rule({});  // a wrong name is in the log, and the default stands
}

std::string Library::answer(Question question, const SettingsSet& set) {
    if (question == Question::events) return event_report(recorded(), adapters_);
    const ReportParts parts = question == Question::objects ? ReportParts::objects : ReportParts::connections;
    const watch::Latencies* const latencies =
        watch_ && watch_->watch().counts_latencies() ? &watch_->watch().latencies() : nullptr;
    return process_report(kVersion, adapters_, set, parts,
                          {captures_.counts(), faults_.counts(), latencies, standing_});
}

}  // namespace opennd
