// SPDX-License-Identifier: MIT
//
// Read checks.h first.
#include "doctor/checks.h"
#include "doctor/small_file.h"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <iomanip>
#include <sstream>

namespace nd {
namespace {

long usable_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : ::sysconf(_SC_NPROCESSORS_ONLN);
}

Finding check_affinity() {
    const long online = ::sysconf(_SC_NPROCESSORS_ONLN), usable = usable_processors();
    const std::string found = std::to_string(usable) + " of " + std::to_string(online) + " usable";
    if (online < 2)
        return {Verdict::note, "processors", found, "threads do not look for work before they sleep",
                "two processors or more, so that both ends of a connection run at once"};
    if (usable < 2)
        return {Verdict::note, "processors", found, "the program and OpenND's service thread take turns",
                "allow a second processor (taskset, cpuset)"};
    return {Verdict::good, "processors", found};
}

// "max 100000", or "50000 100000": microseconds in each period.
Finding check_quota() {
    std::string path = "/sys/fs/cgroup/cpu.max";
    if (const auto own = first_line("/proc/self/cgroup"); own && own->starts_with("0::"))
        path = "/sys/fs/cgroup" + own->substr(3) + "/cpu.max";
    const auto line = first_line(path);
    if (!line) return {Verdict::good, "processor time", "no limit is known"};
    std::istringstream words(*line);
    std::string share;
    double period = 0;
    words >> share >> period;
    if (share == "max" || period <= 0) return {Verdict::good, "processor time", "not limited"};
    const double processors = std::strtod(share.c_str(), nullptr) / period;
    std::ostringstream found;
    found << "limited to " << processors << " processors (cpu.max " << *line << ")";
    return {Verdict::note, "processor time", found.str(),
            "a program that polls uses its share up and then stands still for the rest of each period",
            "raise the limit of the control group, or wait with Notify instead of polling"};
}

Finding check_load() {
    double load = 0;
    if (::getloadavg(&load, 1) != 1) return {Verdict::good, "load", "unknown"};
    std::ostringstream found;
    found << std::fixed << std::setprecision(2) << load << " tasks at a time in the last minute";
    if (load <= static_cast<double>(usable_processors())) return {Verdict::good, "load", found.str()};
    return {Verdict::note, "load", found.str(),
            "more tasks than processors: threads wait for one, and latencies are those of the scheduler",
            "measure on a quiet machine; `top` names who is busy"};
}

Finding check_frequency() {
    const auto governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (!governor) return {Verdict::good, "frequency", "this host does not tell how it is chosen"};
    if (*governor == "performance") return {Verdict::good, "frequency", "governor performance"};
    return {Verdict::note, "frequency", "governor " + *governor,
            "a processor that was idle begins slowly: the first messages after a pause take longer, and figures spread",
            "cpupower frequency-set -g performance"};
}

// "cpu  user nice system idle iowait irq softirq steal ...", in ticks since the start of the host.
Finding check_steal() {
    std::istringstream words(first_line("/proc/stat").value_or(""));
    std::string name;
    words >> name;
    double all = 0, stolen = 0, ticks = 0;
    for (int field = 0; field < 8 && words >> ticks; ++field) {
        all += ticks;
        stolen = field == 7 ? ticks : 0;
    }
    if (all <= 0) return {Verdict::good, "stolen time", "unknown"};
    const double percent = 100 * stolen / all;
    std::ostringstream found;
    found << std::fixed << std::setprecision(2) << percent << " % since the start of the host";
    if (percent < 1) return {Verdict::good, "stolen time", found.str()};
    return {Verdict::note, "stolen time", found.str(),
            "a hypervisor gives the processors to other guests: the longest latencies are its pauses",
            "processors of this guest's own, or another host, for measurements"};
}

}  // namespace

Findings check_processors() {
    return {check_affinity(), check_quota(), check_load(), check_frequency(), check_steal()};
}

}  // namespace nd
