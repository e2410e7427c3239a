// SPDX-License-Identifier: MIT
// The functions of opennd.h on other processes.
#include "opennd.h"

#include <algorithm>
#include <vector>

#include "library/api/text_buffer.h"
#include "library/inspection/inspected_process.h"
#include "spi/at_face.h"
#include "spi/explanation.h"
#include "spi/status_map.h"

namespace opennd {
namespace {

constexpr Site kList{"processes", "opennd_process_list"};
constexpr Site kReport{"processes", "opennd_process_report"};

[[gnu::cold]] Status refuse(Status status, ULONG process) {
    return explain(status, {.object = kReport.object,
                            .operation = kReport.operation,
                            .asked = phrase("what process {} does", process),
                            .limit = "a process of this user that has opened an adapter, and runs",
                            .remedy = "see opennd_process_list and OPENND_INSPECTION; or ask as root",
                            .requirement = "ND2-GEN-02"});
}

}  // namespace
}  // namespace opennd

using namespace opennd;

HRESULT opennd_process_list(ULONG processes[], ULONG capacity, ULONG* count) {
    if (count == nullptr) return refuse_null(ND_INVALID_PARAMETER, kList, "count");
    return at_face([&]() -> HRESULT {
        const std::vector<pid_t> all = inspected_processes();
        *count = static_cast<ULONG>(all.size());
        if (all.size() > capacity || (processes == nullptr && !all.empty())) return ND_BUFFER_OVERFLOW;
        std::ranges::transform(all, processes, [](pid_t each) { return static_cast<ULONG>(each); });
        return ND_SUCCESS;
    });
}

HRESULT opennd_process_report(ULONG process, char* report, SIZE_T report_bytes, SIZE_T* needed) {
    if (!is_buffer(report, report_bytes)) return refuse_null(ND_INVALID_PARAMETER, kReport, "report, or its size,");
    if (needed == nullptr) return refuse_null(ND_INVALID_PARAMETER, kReport, "needed");
    return at_face([&]() -> HRESULT {
        const Result<std::string> text = report_of_process(static_cast<pid_t>(process));
        if (!text.ok()) return to_hresult(refuse(text.status(), process));
        copy_text(text.value(), report, report_bytes);
        *needed = text.value().size() + 1;
        return *needed > report_bytes ? ND_BUFFER_OVERFLOW : ND_SUCCESS;
    });
}
