// SPDX-License-Identifier: MIT
// opennd_profile_figures and opennd_profile: the profiles beside what Query gives under them, for programs such as `nd info --profiles`.
#include <deque>
#include <new>
#include <string>
#include <vector>

#include "base/format.h"
#include "base/kept_once.h"
#include "library/api/text_buffer.h"
#include "library/library.h"
#include "library/profile/profile_choice.h"
#include "ndk/call/version.h"
#include "ndk/device/adapter_info.h"
#include "opennd.h"
#include "spi/at_face.h"
#include "spi/explanation.h"
#include "spi/nd2/call/adapter_info.h"
#include "transport/soft/abilities.h"

namespace opennd {
namespace {

constexpr Site kProfile{"profile", "opennd_profile"};

// The answers of the faces, which have limits of their own.
struct Answers {
    ND2_ADAPTER_INFO nd2;
    NDK_ADAPTER_INFO ndk;
};

std::uint64_t answer(const Answers& answers, std::string_view name) {
    const struct {
        std::string_view name;
        std::uint64_t value;
    } rows[] = {
        {"MaxRegistrationSize", answers.nd2.MaxRegistrationSize},
        {"MaxWindowSize", answers.nd2.MaxWindowSize},
        {"MaxInitiatorSge", answers.nd2.MaxInitiatorSge},
        {"MaxReceiveSge", answers.nd2.MaxReceiveSge},
        {"MaxReadSge", answers.nd2.MaxReadSge},
        {"MaxTransferLength", answers.nd2.MaxTransferLength},
        {"MaxInlineDataSize", answers.nd2.MaxInlineDataSize},
        {"MaxInboundReadLimit", answers.nd2.MaxInboundReadLimit},
        {"MaxOutboundReadLimit", answers.nd2.MaxOutboundReadLimit},
        {"MaxReceiveQueueDepth", answers.nd2.MaxReceiveQueueDepth},
        {"MaxInitiatorQueueDepth", answers.nd2.MaxInitiatorQueueDepth},
        {"MaxSharedReceiveQueueDepth", answers.nd2.MaxSharedReceiveQueueDepth},
        {"MaxCompletionQueueDepth", answers.nd2.MaxCompletionQueueDepth},
        {"MaxCallerData", answers.nd2.MaxCallerData},
        {"MaxCalleeData", answers.nd2.MaxCalleeData},
        {"NdkMaxCallerData", answers.ndk.MaxCallerData},
    };
    for (const auto& row : rows)
        if (row.name == name) return row.value;
    return 0;
}

class FigureTexts {
public:
    FigureTexts() {
        for (const ProfileFile& file : known_profiles()) add(file);
        const ProfileChoice& chosen = Library::instance().profile();
        if (chosen.file && !is_known(chosen.file->name)) add(*chosen.file);
    }

    const std::vector<opennd_profile_figure>& rows() const { return rows_; }

private:
    static bool is_known(std::string_view name) {
        for (const ProfileFile& file : known_profiles())
            if (file.name == name) return true;
        return false;
    }

    const char* keep(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }

    void add(const ProfileFile& file) {
        const char* const name = keep(file.name);
        const char* const title = keep(file.title);
        const AdapterAbilities under = lowered(soft::own_abilities(), profile_of(file).most);
        const Answers answers{adapter_info(under.limits, under.traits, 0),
                              adapter_info(under.limits, under.traits, kHighestVersion)};
        for (const PublishedLimit& limit : file.limits)
            rows_.push_back({name, title, OPENND_PROFILE_LIMIT, limit.row->name.data(), keep(format("{}", limit.value)),
                             keep(format("{}", answer(answers, limit.row->name))), keep(limit.source)});
        if (!file.technology_source.empty())
            rows_.push_back({name, title, OPENND_PROFILE_QUIRK, "technology", "",
                             keep(format("RdmaTechnology of NDKPI: {}", opennd::name(file.technology))),
                             keep(file.technology_source)});
        for (const PublishedQuirk& quirk : file.quirks)
            rows_.push_back({name, title, OPENND_PROFILE_QUIRK, quirk.row->name.data(), "", quirk.row->effect.data(),
                             keep(quirk.source)});
        for (const MissingQuirk& quirk : file.not_imitated)
            rows_.push_back({name, title, OPENND_PROFILE_NOT_IMITATED, keep(quirk.what), "", "", keep(quirk.source)});
    }

    std::deque<std::string> texts_;  // they do not move: rows_ points into them
    std::vector<opennd_profile_figure> rows_;
};

constinit KeptOnce<FigureTexts> figure_texts;

}  // namespace
}  // namespace opennd

using namespace opennd;

const opennd_profile_figure* opennd_profile_figures(ULONG* count) {
    if (count != nullptr) *count = 0;
    try {
        const FigureTexts& texts = figure_texts.made();  // a program may keep the pointers
        if (count != nullptr) *count = static_cast<ULONG>(texts.rows().size());
        return texts.rows().data();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

HRESULT opennd_profile(char* name, SIZE_T name_bytes) {
    if (!is_buffer(name, name_bytes)) return refuse_null(ND_INVALID_PARAMETER, kProfile, "name, or its size,");
    return at_face([&]() -> HRESULT {
        const ProfileChoice& chosen = Library::instance().profile();
        copy_text(chosen.file ? std::string_view(chosen.file->name) : std::string_view(), name, name_bytes);
        if (chosen.fault.empty()) return ND_SUCCESS;
        return explain(ND_NOT_SUPPORTED, {.object = kProfile.object,
                                          .operation = kProfile.operation,
                                          .asked = "the profile that OPENND_PROFILE names",
                                          .limit = chosen.fault,
                                          .remedy = "correct OPENND_PROFILE, or leave it unset",
                                          .requirement = "ND2-PRV-OPEN-01"});
    });
}
