// SPDX-License-Identifier: MIT
// The functions of opennd.h on other processes.
#include "opennd.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "library/api/text_buffer.h"
#include "library/inspection/inspected_process.h"
#include "spi/at_face.h"
#include "spi/explanation.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

constexpr Site kList{"processes", "opennd_process_list"};
constexpr Site kReport{"processes", "opennd_process_report"};
constexpr Site kObjects{"processes", "opennd_process_objects"};
constexpr Site kEvents{"processes", "opennd_process_events"};
constexpr Site kCaptureBegin{"processes", "opennd_capture_begin"};
constexpr Site kCaptureEnd{"processes", "opennd_capture_end"};

[[gnu::cold]] Status refuse(Status status, const Site& site, ULONG process) {
    return explain(status, {.object = site.object,
                            .operation = site.operation,
                            .asked = phrase("what process {} does", process),
                            .limit = "a process of this user that has opened an adapter, and runs",
                            .remedy = "see opennd_process_list and OPENND_INSPECTION; or ask as root",
                            .requirement = "ND2-GEN-02"});
}

HRESULT answer(Question question, const Site& site, ULONG process, char* text, SIZE_T text_bytes, SIZE_T* needed) {
    if (!is_buffer(text, text_bytes)) return refuse_null(ND_INVALID_PARAMETER, site, "the buffer, or its size,");
    if (needed == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "needed");
    return at_face([&]() -> HRESULT {
        const Result<std::string> told = ask_process(static_cast<pid_t>(process), question);
        if (!told.ok()) return to_hresult(refuse(told.status(), site, process));
        return give_text(told.value(), text, text_bytes, needed);
    });
}

}  // namespace
}  // namespace opennd

using namespace opennd;

struct OPENND_CAPTURE {
    ForeignCapture foreign;
};

HRESULT opennd_capture_begin(ULONG process, const char* options, OPENND_CAPTURE** capture, char* report,
                             SIZE_T report_bytes, SIZE_T* needed) {
    if (capture == nullptr) return refuse_null(ND_INVALID_PARAMETER, kCaptureBegin, "capture");
    *capture = nullptr;
    if (options == nullptr) return refuse_null(ND_INVALID_PARAMETER, kCaptureBegin, "options");
    if (!is_buffer(report, report_bytes))
        return refuse_null(ND_INVALID_PARAMETER, kCaptureBegin, "the buffer, or its size,");
    if (needed == nullptr) return refuse_null(ND_INVALID_PARAMETER, kCaptureBegin, "needed");
    return at_face([&]() -> HRESULT {
        std::string told;
        Result<ForeignCapture> begun = ForeignCapture::begin(static_cast<pid_t>(process), options, told);
        if (!begun.ok()) return to_hresult(refuse(begun.status(), kCaptureBegin, process));
        *capture = new OPENND_CAPTURE{begun.take()};
        return give_text(told, report, report_bytes, needed);
    });
}

HRESULT opennd_capture_end(OPENND_CAPTURE* capture, char* report, SIZE_T report_bytes, SIZE_T* needed) {
    if (capture == nullptr) return refuse_null(ND_INVALID_PARAMETER, kCaptureEnd, "capture");
    const std::unique_ptr<OPENND_CAPTURE> ended(capture);
    if (!is_buffer(report, report_bytes))
        return refuse_null(ND_INVALID_PARAMETER, kCaptureEnd, "the buffer, or its size,");
    if (needed == nullptr) return refuse_null(ND_INVALID_PARAMETER, kCaptureEnd, "needed");
    return at_face([&]() -> HRESULT {
        const Result<std::string> told = ended->foreign.end();
        if (!told.ok()) return to_hresult(told.status());
        return give_text(told.value(), report, report_bytes, needed);
    });
}

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
    return answer(Question::report, kReport, process, report, report_bytes, needed);
}

HRESULT opennd_process_objects(ULONG process, char* objects, SIZE_T objects_bytes, SIZE_T* needed) {
    return answer(Question::objects, kObjects, process, objects, objects_bytes, needed);
}

HRESULT opennd_process_events(ULONG process, char* events, SIZE_T events_bytes, SIZE_T* needed) {
    return answer(Question::events, kEvents, process, events, events_bytes, needed);
}
