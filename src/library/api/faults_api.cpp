// SPDX-License-Identifier: MIT
// The functions of opennd.h for faults on purpose.
#include "opennd.h"

#include <string>

#include "library/api/text_buffer.h"
#include "library/inspection/fault_report.h"
#include "library/library.h"
#include "spi/at_face.h"
#include "spi/explanation.h"
#include "spi/status_meaning.h"
#include "transport/faults/plan.h"

namespace opennd {
namespace {

constexpr Site kFaultsSet{"faults", "opennd_faults_set"};
constexpr Site kFaultsCheck{"faults", "opennd_faults_check"};
constexpr Site kFaultsCounts{"faults", "opennd_faults_counts"};

[[gnu::cold]] Status refuse_line(const faults::LineFault& fault) {
    const std::string_view meant = meant_by(fault);
    return explain(Status::invalid_parameter,
                   {.object = kFaultsSet.object,
                    .operation = kFaultsSet.operation,
                    .asked = phrase("\"{}\" at character {}", fault.token, fault.position),
                    .limit = fault.expected,
                    .remedy = meant.empty() ? phrase("see `nd faults` for the kinds and triggers")
                                            : phrase("did you mean {}? see `nd faults`", meant),
                    .requirement = "ND2-GEN-02"});
}

}  // namespace
}  // namespace opennd

using namespace opennd;

HRESULT opennd_faults_set(const char* line) {
    return at_face([&]() -> HRESULT {
        faults::LineFault fault;
        const auto plan = faults::parse_plan(line ? line : "", fault);
        if (!plan) return to_hresult(refuse_line(fault));
        Library::instance().faults().set(*plan);
        return ND_SUCCESS;
    });
}

HRESULT opennd_faults_check(const char* line, char* text, SIZE_T text_bytes, SIZE_T* needed) {
    if (line == nullptr) return refuse_null(ND_INVALID_PARAMETER, kFaultsCheck, "line");
    if (!is_buffer(text, text_bytes))
        return refuse_null(ND_INVALID_PARAMETER, kFaultsCheck, "the buffer, or its size,");
    if (needed == nullptr) return refuse_null(ND_INVALID_PARAMETER, kFaultsCheck, "needed");
    return at_face([&] { return give_text(fault_line_report(line), text, text_bytes, needed); });
}

HRESULT opennd_faults_counts(char* text, SIZE_T text_bytes, SIZE_T* needed) {
    if (!is_buffer(text, text_bytes))
        return refuse_null(ND_INVALID_PARAMETER, kFaultsCounts, "the buffer, or its size,");
    if (needed == nullptr) return refuse_null(ND_INVALID_PARAMETER, kFaultsCounts, "needed");
    return at_face(
        [&] { return give_text(fault_counts(Library::instance().faults().counts()), text, text_bytes, needed); });
}
