// SPDX-License-Identifier: MIT
//
// Read metrics.h first.
#include "metrics/metrics.h"

#include "interruption.h"
#include "metrics/metrics_server.h"
#include "metrics/process_metrics.h"
#include "metrics/replaced_file.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <stdexcept>

namespace nd {
namespace {

std::uint16_t port_in(const std::string& text, const std::string& of) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        throw std::invalid_argument("--listen takes ADDRESS:PORT or a PORT of 127.0.0.1, and not '" + of + "'");
    return port;
}

// An IPv6 address stands in brackets, as in a URL.
SocketAddress address_in(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) return SocketAddress::parse("127.0.0.1").with_port(port_in(text, text));
    const std::uint16_t port = port_in(text.substr(colon + 1), text);
    std::string host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']'))
        host = host.substr(1, host.size() - 2);
    else if (host.find(':') != std::string::npos)
        throw std::invalid_argument("--listen takes an IPv6 address in brackets: [" + host + "]:PORT");
    if (host.empty()) throw std::invalid_argument("--listen takes an address before the colon; 0.0.0.0 means all");
    return SocketAddress::parse(host).with_port(port);
}

std::string url_of(const SocketAddress& address) {
    const std::string host = address.family() == AF_INET6 ? "[" + address.host() + "]" : address.host();
    return "http://" + host + ":" + std::to_string(address.port()) + "/metrics";
}

int serve(const SocketAddress& address) {
    sigset_t ends = {};
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // before there are threads, which leave the signals to this one
    MetricsServer server(address, process_metrics);
    std::printf("metrics are at %s\n", url_of(server.address()).c_str());
    std::fflush(stdout);
    constexpr timespec kBetweenLooks{1, 0};
    int signal = -1;
    while ((signal = sigtimedwait(&ends, nullptr, &kBetweenLooks)) < 0) server.hang_up_on_slow_clients();
    if (signal != SIGINT) return 0;
    interrupt();
    throw Interrupted();
}

}  // namespace

void define_metrics_options(CLI::App& command, MetricsOptions& options) {
    command.description(
        "Print counters of running processes for Prometheus. They come in its text format, or are served over HTTP at "
        "/metrics, or are written to a file for node_exporter.");
    CLI::Option* listen =
        command
            .add_option(
                "--listen", options.listen,
                "Serve them over HTTP at an address and port, as 127.0.0.1:19100, or at a port of 127.0.0.1, until "
                "SIGTERM; port 0 chooses a free one. Everybody who reaches the address may read them")
            ->type_name("ADDRESS");
    command
        .add_option("--output", options.output,
                    "Write them to FILE, which is replaced at once: its readers never see a part of it")
        ->type_name("FILE")
        ->excludes(listen);
}

int run_metrics(const MetricsOptions& options) {
    if (!options.listen.empty()) return serve(address_in(options.listen));
    const std::string text = process_metrics();
    if (!options.output.empty())
        replace_file(options.output, text);
    else if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw std::runtime_error("cannot write to standard output");
    return 0;
}

}  // namespace nd
