// SPDX-License-Identifier: MIT
//
// Read checks.h first.
#include "doctor/checks.h"
#include "doctor/small_file.h"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace nd {
namespace {

Finding check_affinity() {
    cpu_set_t set;
    CPU_ZERO(&set);
    const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
    const long usable = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : online;
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

}  // namespace

Findings check_processors() { return {check_affinity(), check_quota()}; }

}  // namespace nd
