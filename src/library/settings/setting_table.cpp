// SPDX-License-Identifier: MIT
// See setting_table.h.
#include "library/settings/setting_table.h"

#include <charconv>

#include "base/format.h"
#include "ndk/device/device.h"

namespace opennd {
namespace {

constexpr unsigned kHour_ms = 3'600'000;

constexpr TimeSetting ndk_time(std::chrono::milliseconds& (*at)(Settings&)) {
    return {100, kHour_ms, TimeSetting::Zero::within_range_only, at};
}
constexpr TimeSetting iwarp_time(TimeSetting::Zero zero, std::chrono::milliseconds& (*at)(Settings&)) {
    return {1000, kHour_ms, zero, at};
}

constexpr SettingRow kRows[] = {
    {"OPENND_TRANSPORT", Reading::selection,
     TextSetting{"names in order of preference, as shm,loopback; ^loopback leaves one out", "",
                 [](Settings& s, std::string_view text) { s.transports = text; }},
     "transports to choose from; the software ones unless set; verbs in front: RDMA hardware where there is some; "
     "verbs+shm: with shared memory to processes of this host"},
    {"OPENND_NO_RECEIVE_MS", Reading::start,
     TimeSetting{0, 3000, TimeSetting::Zero::within_range_only,
                 [](Settings& s) -> std::chrono::milliseconds& { return s.soft.no_receive_time; }},
     "how long a message waits for a receive to be posted"},
    {"OPENND_OVERRUN", Reading::selection,
     TextSetting{"forgiving or strict", "forgiving", [](Settings& s, std::string_view text) { s.overrun_rule = text; }},
     "forgiving: completion queues have room for all that their queue pairs can have outstanding; strict: for the "
     "depth asked for, as on hardware"},
    {"OPENND_PROFILE", Reading::start,
     TextSetting{"a name that `nd info --profiles` lists, or the path of a file, with a slash in it", "",
                 [](Settings& s, std::string_view text) { s.profile = text; }},
     "adapters of software have the limits and peculiarities of this NIC; unless set their own"},
    {"OPENND_COPY", Reading::start,
     WordSetting{{"auto", [](Settings& s) { s.soft.copies.reset(); }},
                 {"strides", [](Settings& s) { s.soft.copies = CopyWay::strides; }},
                 {"library", [](Settings& s) { s.soft.copies = CopyWay::library; }},
                 {"instruction", [](Settings& s) { s.soft.copies = CopyWay::instruction; }}},
     "how more than 2 KiB are copied; auto: as `nd info --tuning` tells; strides: by memcpy, 2 KiB at a time; library: "
     "by one memcpy; instruction: by the processor's"},
    {"OPENND_LOOKS", Reading::start,
     WordSetting{{"auto", [](Settings& s) { s.soft.looks.reset(); }},
                 {"on", [](Settings& s) { s.soft.looks = true; }},
                 {"off", [](Settings& s) { s.soft.looks = false; }}},
     "whether a thread looks for more work for a moment before it sleeps, where work came that quickly: one that waits "
     "for a result, and over TCP one that served a peer's Read or Write; auto: as `nd info --tuning` tells"},
    {"OPENND_LOOPS", Reading::start,
     NumberSetting{1, 64, "loops", "auto", [](Settings& s, unsigned number) { s.soft.loops = number; }},
     "event loops that the process may have, each with a thread, for arrivals over TCP; auto: one for each thread that "
     "waits for messages, up to 64, and for queues that keep a loop busy one for each processor"},
    {"OPENND_LIST_LOOPBACK", Reading::start,
     WordSetting{{"0", [](Settings& s) { s.loopback_listed = false; }},
                 {"1", [](Settings& s) { s.loopback_listed = true; }}},
     "1: address lists name 127.0.0.1 and ::1 beside other addresses too, last; 0: only where there is no other. They "
     "open and connect in either case"},
    {"OPENND_NDK_ADAPTERS", Reading::ndk_call,
     TextSetting{"names with addresses, as one=127.0.0.1,::1;two=127.0.0.1", "",
                 [](Settings& s, std::string_view text) { s.ndk.configured = read_configured_devices(text); }},
     "NDK adapters beside those of the interfaces: addresses of this host, also the same for several; their indices "
     "count up from 0x4E440000"},
    {"OPENND_NDK_CONNECT_MS", Reading::ndk_call,
     ndk_time([](Settings& s) -> std::chrono::milliseconds& { return s.ndk.set_up; }),
     "of NDK adapters: how long each step of setting up a connection may take"},
    {"OPENND_NDK_DISCONNECT_MS", Reading::ndk_call,
     ndk_time([](Settings& s) -> std::chrono::milliseconds& { return s.ndk.answer; }),
     "of NDK adapters: how long NdkDisconnect waits for the peer's"},
    {"OPENND_NDK_CLOSE_MS", Reading::ndk_call,
     ndk_time([](Settings& s) -> std::chrono::milliseconds& { return s.ndk.naming; }),
     "after how long the close of an NDK adapter names the open objects"},
    {"OPENND_NDK_DISABLED", Reading::ndk_call,
     TextSetting{"names with commas between them", "",
                 [](Settings& s, std::string_view text) { s.ndk.disabled = read_names(text); }},
     "interfaces where NDK cannot be enabled"},
    {"OPENND_NDK_GRACE_MS", Reading::ndk_call,
     ndk_time([](Settings& s) -> std::chrono::milliseconds& { return s.ndk.grace; }),
     "how long NDK adapters that are open go on when NDK is disabled at their interface"},
    {"OPENND_SHM_PROCESS_VM", Reading::start,
     WordSetting{{"on", [](Settings& s) { s.shm.process_vm = true; }},
                 {"off", [](Settings& s) { s.shm.process_vm = false; }}},
     "off: as where the kernel refuses process_vm_readv and process_vm_writev"},
    {"OPENND_SHM_LONG_SENDS", Reading::start,
     WordSetting{{"auto", [](Settings& s) { s.shm.placed.reset(); }},
                 {"placed", [](Settings& s) { s.shm.placed = true; }},
                 {"streamed", [](Settings& s) { s.shm.placed = false; }}},
     "Sends of more than 16 KiB out of private memory; auto: as `nd info --tuning` tells; placed: by the sender into "
     "the posted receive, in one copy by the kernel, where the receive is known; streamed: through shared memory"},
    {"OPENND_IWARP_COMPLETION", Reading::start,
     WordSetting{{"auto", [](Settings& s) { s.iwarp.completion = iwarp::CompletionProof::automatic; }},
                 {"fenced", [](Settings& s) { s.iwarp.completion = iwarp::CompletionProof::fenced; }},
                 {"local", [](Settings& s) { s.iwarp.completion = iwarp::CompletionProof::local; }}},
     "when a Send or Write is complete; auto: between OpenND ends when the peer has placed it, with other peers when "
     "TCP has it; fenced or local: the one or the other with every peer"},
    {"OPENND_IWARP_CRC", Reading::start,
     WordSetting{{"on", [](Settings& s) { s.iwarp.crc = iwarp::Crc::on; }},
                 {"off", [](Settings& s) { s.iwarp.crc = iwarp::Crc::off; }}},
     "off: no CRC, unless the peer wants it"},
    {"OPENND_IWARP_CRC_WAY", Reading::start,
     WordSetting{{"auto", [](Settings& s) { s.iwarp.crc_way.reset(); }},
                 {"instruction", [](Settings& s) { s.iwarp.crc_way = iwarp::CrcWay::instruction; }},
                 {"library", [](Settings& s) { s.iwarp.crc_way = iwarp::CrcWay::library; }},
                 {"folding", [](Settings& s) { s.iwarp.crc_way = iwarp::CrcWay::folding; }}},
     "how CRCs are computed; auto: as `nd info --tuning` tells; instruction: the processor's; library: ISA-L's; "
     "folding: by the processor's carry-less multiplication"},
    {"OPENND_IWARP_REVISION", Reading::start,
     WordSetting{{"auto", [](Settings& s) { s.iwarp.revisions = iwarp::Revisions::automatic; }},
                 {"2", [](Settings& s) { s.iwarp.revisions = iwarp::Revisions::two; }},
                 {"1", [](Settings& s) { s.iwarp.revisions = iwarp::Revisions::one; }}},
     "auto: MPA revision 2 is asked for, and 1 where the peer does not know it; 2 or 1: that one alone"},
    {"OPENND_IWARP_OPEN_AT", Reading::start,
     WordSetting{{"complete_connect", [](Settings& s) { s.iwarp.open_at = iwarp::OpenAt::complete_connect; }},
                 {"reply", [](Settings& s) { s.iwarp.open_at = iwarp::OpenAt::reply; }}},
     "when an initiator opens the stream"},
    {"OPENND_IWARP_DEAD_MS", Reading::start,
     iwarp_time(TimeSetting::Zero::within_range_only,
                [](Settings& s) -> std::chrono::milliseconds& { return s.iwarp.tcp.dead_after; }),
     "how long a peer may acknowledge nothing before it counts as gone"},
    {"OPENND_IWARP_PATIENCE_MS", Reading::start,
     iwarp_time(TimeSetting::Zero::no_limit,
                [](Settings& s) -> std::chrono::milliseconds& { return s.iwarp.patience; }),
     "how long a program may take to answer a Connect and to complete one, the peer's and this one"},
    {"OPENND_IWARP_IDLE_MS", Reading::start,
     iwarp_time(TimeSetting::Zero::no_limit, [](Settings& s) -> std::chrono::milliseconds& { return s.iwarp.idle; }),
     "a connection without traffic for so long ends"},
    {"OPENND_VERBS_PATH_MS", Reading::start,
     TimeSetting{500, 600'000, TimeSetting::Zero::within_range_only,
                 [](Settings& s) -> std::chrono::milliseconds& { return s.verbs.path_time; }},
     "over RoCE and InfiniBand: how long the path to a peer may be down, as while a switch fails over, before its "
     "connections end; the device may take up to four times as long"},
    {"OPENND_VERBS_TOS", Reading::start,
     NumberSetting{0, 255, "in the octet of the IP header", "",
                   [](Settings& s, unsigned number) { s.verbs.traffic_class = static_cast<std::uint8_t>(number); }},
     "the class of traffic of connections over RDMA devices, DSCP times four, as switches know a lossless class; "
     "unless set as the device has it"},
    {"OPENND_PROVIDERS", Reading::start,
     TextSetting{"a folder", "/etc/opennd/providers.d",
                 [](Settings& s, std::string_view text) { s.provider_folder = text; }},
     "the folder with providers of other vendors"},
    {"OPENND_INSPECTION", Reading::start,
     WordSetting{{"on", [](Settings& s) { s.inspected = true; }}, {"off", [](Settings& s) { s.inspected = false; }}},
     "on: a process with an open adapter tells `nd ps` and `nd show` of the same user, and of root, what it does"},
    {"OPENND_CAPTURE", Reading::start,
     TextSetting{"the path of a file or pipe", "", [](Settings& s, std::string_view text) { s.capture.file = text; }},
     "connections are captured into it, as iWARP in pcapng for Wireshark and tshark; while another process writes it, "
     "into one beside it"},
    {"OPENND_CAPTURE_FILTER", Reading::start,
     TextSetting{"host ADDRESS, port NUMBER, wire NAME with not, and, or", "",
                 [](Settings& s, std::string_view text) { s.capture.filter = text; }},
     "only such connections are captured"},
    {"OPENND_CAPTURE_SNAPLEN", Reading::start,
     NumberSetting{64, capture::Options::kUsualSnapBytes, "bytes", "262144",
                   [](Settings& s, unsigned number) { s.capture.snap_bytes = number; }},
     "the bytes of a packet that are captured"},
    {"OPENND_CAPTURE_FILES", Reading::start,
     NumberSetting{2, 10'000, "files", "", [](Settings& s, unsigned number) { s.capture.files = number; }},
     "a ring of files, of which the oldest goes"},
    {"OPENND_CAPTURE_FILE_MB", Reading::start,
     NumberSetting{1, 1'000'000, "million bytes", "",
                   [](Settings& s, unsigned number) { s.capture.file_bytes = std::uint64_t{number} * 1'000'000; }},
     "a file of this size is followed by the next; in a ring 100 unless set"},
    {"OPENND_CAPTURE_BUFFER_MB", Reading::start,
     NumberSetting{1, 100'000, "million bytes", "64",
                   [](Settings& s, unsigned number) { s.capture.buffer_bytes = std::uint64_t{number} * 1'000'000; }},
     "the bytes that may wait to be written; packets beyond them are dropped and counted"},
    {"OPENND_FAULTS", Reading::start,
     TextSetting{"a line that `nd faults` explains", "", [](Settings& s, std::string_view text) { s.faults = text; }},
     "faults on purpose, the same for the same seed; for tests"},
    {"OPENND_CHECK", Reading::start,
     WordSetting{{"off", [](Settings& s) { s.check = CheckMode::off; }},
                 {"warn", [](Settings& s) { s.check = CheckMode::warn; }},
                 {"abort", [](Settings& s) { s.check = CheckMode::abort; }}},
     "warn: misuse of the interfaces is told in the log, with the program's place and the change to make; abort: and "
     "ends the process"},
    {"OPENND_LATENCY", Reading::start,
     WordSetting{{"off", [](Settings& s) { s.recording.latencies = false; }},
                 {"on", [](Settings& s) { s.recording.latencies = true; }}},
     "on: how long requests take, from the post to the result, is counted for `nd stats` and `nd metrics`, and "
     "`nd show qp` tells the age of the oldest"},
    {"OPENND_DUMP_REQUESTS", Reading::start,
     NumberSetting{1, 65'536, "events", "0", [](Settings& s, unsigned number) { s.recording.events = number; }},
     "the newest posts and results of each queue pair that are kept for `nd dump`"},
    {"OPENND_LOG", Reading::start,
     WordSetting{{"error", [](Settings& s) { s.log.level = LogLevel::error; }},
                 {"warn", [](Settings& s) { s.log.level = LogLevel::warn; }},
                 {"info", [](Settings& s) { s.log.level = LogLevel::info; }},
                 {"debug", [](Settings& s) { s.log.level = LogLevel::debug; }},
                 {"off", [](Settings& s) { s.log.level = LogLevel::off; }}},
     "the least grave lines of the log; info: the life of each connection too; below debug lines that other hosts "
     "cause are few a second"},
    {"OPENND_LOG_TO", Reading::start,
     TextSetting{"stderr, syslog, or the path of a file from / on", "stderr",
                 [](Settings& s, std::string_view text) { s.log.place = text; }},
     "where the log goes; syslog: also to the journal; file: at its end, also of several processes"},
    {"OPENND_LOG_AS", Reading::start,
     WordSetting{{"text", [](Settings& s) { s.log.form = LogForm::text; }},
                 {"json", [](Settings& s) { s.log.form = LogForm::json; }}},
     "the form of the log's lines in a file and on standard error; json: an object for each line, with the members "
     "time, pid, tid, level and message"},
    {"OPENND_DUMP_TO", Reading::start,
     TextSetting{"the path of a file; %p in it is the number of the process", "",
                 [](Settings& s, std::string_view text) { s.event_file = text; }},
     "SIGUSR2 writes the last events of the process there, as `nd dump` prints them; not where the program handles it "
     "itself"},
};

std::string values_of(const TimeSetting& time) {
    return format("{} to {} milliseconds{}", time.least_ms, time.most_ms,
                  time.zero == TimeSetting::Zero::no_limit ? ", or 0 for no limit" : "");
}

std::string values_of(const WordSetting& setting) {
    std::string text;
    for (const SettingWord& word : setting.words)
        if (!word.text.empty()) text += format("{}{}", text.empty() ? "" : " or ", word.text);
    return text;
}

std::string values_of(const NumberSetting& setting) {
    return format("{} to {} {}", setting.least, setting.most, setting.unit);
}

std::string values_of(const TextSetting& setting) { return std::string(setting.values); }

std::string default_of(const TimeSetting& time) {
    Settings settings;
    return format("{}", time.at(settings).count());
}

std::string default_of(const WordSetting& setting) { return std::string(setting.words.front().text); }
std::string default_of(const NumberSetting& setting) { return std::string(setting.usual); }
std::string default_of(const TextSetting& setting) { return std::string(setting.usual); }

bool take(const TimeSetting& time, std::string_view text, Settings& settings) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return false;
    const bool off = value == 0 && time.zero == TimeSetting::Zero::no_limit;
    if (!off && (value < time.least_ms || value > time.most_ms)) return false;
    time.at(settings) = std::chrono::milliseconds(value);
    return true;
}

bool take(const WordSetting& setting, std::string_view text, Settings& settings) {
    for (const SettingWord& word : setting.words) {
        if (word.text.empty() || word.text != text) continue;
        word.choose(settings);
        return true;
    }
    return false;
}

bool take(const NumberSetting& setting, std::string_view text, Settings& settings) {
    if (text == setting.usual) return true;  // as a new Settings has it
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return false;
    if (value < setting.least || value > setting.most) return false;
    setting.take(settings, value);
    return true;
}

bool take(const TextSetting& setting, std::string_view text, Settings& settings) {
    setting.take(settings, text);
    return true;
}

}  // namespace

std::span<const SettingRow> setting_table() { return kRows; }

std::string values_of(const SettingRow& row) {
    return std::visit([](const auto& kind) { return values_of(kind); }, row.kind);
}

std::string default_of(const SettingRow& row) {
    return std::visit([](const auto& kind) { return default_of(kind); }, row.kind);
}

bool take_setting(const SettingRow& row, std::string_view text, Settings& settings) {
    return std::visit([&](const auto& kind) { return take(kind, text, settings); }, row.kind);
}

SettingNow setting_now(const SettingRow& row, const Environment& environment) {
    const char* const value = environment(row.variable);
    const bool unset = !value || (*value == '\0' && !std::holds_alternative<TextSetting>(row.kind));
    if (unset) return {default_of(row), SettingSource::usual};
    Settings tried;
    if (!take_setting(row, value, tried)) return {default_of(row), SettingSource::refused};
    return {value, SettingSource::environment};
}

SettingsSet settings_set(const Environment& environment) {
    SettingsSet all;
    for (const SettingRow& row : setting_table())
        if (SettingNow now = setting_now(row, environment); now.source == SettingSource::environment)
            all.emplace_back(row.variable, std::move(now.value));
    return all;
}

}  // namespace opennd
