// SPDX-License-Identifier: MIT
// The functions of opennd.h about the checking layer.
#include <vector>

#include "base/check_rule.h"
#include "base/kept_once.h"
#include "check/diagnostics.h"
#include "library/api/program_sink.h"
#include "opennd.h"
#include "spi/at_face.h"

namespace opennd {
namespace {

using CheckSink = ProgramSink<opennd_check_function>;

void call_check_sink(void* context, const Diagnostic& diagnostic) {
    const auto* sink = static_cast<const CheckSink*>(context);
    const opennd_diagnostic told{diagnostic.rule.id,     diagnostic.rule.kind == CheckKind::note,
                                 diagnostic.object,      diagnostic.fact,
                                 diagnostic.rule.remedy, diagnostic.site};
    sink->function(sink->context, &told);
}

constinit ProgramSinkOwner<opennd_check_function> check_sink_owner;
[[maybe_unused]] const bool check_sink_owner_listed = check_sink_owner.list();

constinit KeptOnce<std::vector<opennd_check_rule>> kept_rules;

std::vector<opennd_check_rule> make_rules() {
    std::vector<opennd_check_rule> rules;
    for (const CheckRuleRow& row : check_rules())
        rules.push_back({row.id, row.kind == CheckKind::note, row.title, row.meaning, row.remedy});
    return rules;
}

}  // namespace
}  // namespace opennd

using namespace opennd;

const opennd_check_rule* opennd_check_rules(ULONG* count) {
    if (count) *count = 0;
    const opennd_check_rule* first = nullptr;
    (void)at_face([&] {
        const std::vector<opennd_check_rule>* made = kept_rules.get();
        const std::vector<opennd_check_rule>& rules = made ? *made : kept_rules.keep(make_rules());
        if (count) *count = static_cast<ULONG>(rules.size());
        first = rules.data();
        return ND_SUCCESS;
    });
    return first;
}

HRESULT opennd_check_sink(opennd_check_function function, void* context) {
    return at_face([&] {
        check_sink_owner.replace(function, context,
                                 [](CheckSink* sink) { set_diagnostic_sink(sink ? call_check_sink : nullptr, sink); });
        return ND_SUCCESS;
    });
}
