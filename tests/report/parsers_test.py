# SPDX-License-Identifier: MIT
"""reporting.parsers on the outputs of the programs."""
import unittest

from reporting.parsers import Unreadable, parse

UCX = """iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr
20000,0.050,0.051,0.052,77575.76,77575.76,19859394,20000000
"""
FI_PINGPONG = """bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
64      2k      =2k      250k        0.10s      2.58      24.85       0.04
"""
SOCKPERF = "sockperf: Test ended\nsockperf: Summary: Latency is 6.939 usec\nsockperf: Total 39439 observations\n"
IPERF = '{"start": {}, "end": {"sum_sent": {"bits_per_second": 9e9}, "sum_received": {"bits_per_second": 8e9}}}'
BENCH = """a line that is no row
{"test":"shm.send_lat","variant":"private","size":8,"metric":"us","value":0.3}
{"test":"shm.send_lat","variant":"mappable","size":8,"metric":"us","value":0.2}
"""
PERF = """{
  "version": "0.1.0",
  "results": [ { "test": "pairs_lat", "latency": { "p50_us": 6.75, "p99_us": 60 } } ]
}

resident_kib 1234
descriptors 56
"""


class Parsers(unittest.TestCase):
    def test_take_the_row_of_the_variant(self):
        self.assertEqual(parse("bench_row", BENCH, "mappable"), 0.2)
        self.assertEqual(parse("bench_row", BENCH, "private"), 0.3)
        self.assertRaises(Unreadable, parse, "bench_row", BENCH, "crc")

    def test_take_a_member_of_the_document(self):
        self.assertEqual(parse("perf_json", PERF, "latency.p50_us"), 6.75)
        self.assertRaises(Unreadable, parse, "perf_json", PERF, "latency.p10_us")

    def test_take_the_number_in_front_of_words(self):
        text = "2 writing peers: 0.310 s of processor time a GB (opennd 60 %), 2.91 GB/s\n"
        self.assertEqual(parse("number_before", text, "s of processor time a GB"), 0.31)
        self.assertRaises(Unreadable, parse, "number_before", text, "s of another's")

    def test_take_samples_behind_the_document(self):
        self.assertEqual(parse("resident_kib", PERF, ""), 1234)
        self.assertEqual(parse("descriptors", PERF, ""), 56)
        self.assertRaises(Unreadable, parse, "descriptors", BENCH, "")

    def test_take_the_last_words_of_a_floor(self):
        self.assertEqual(parse("floor_line", "plain_memory one_copy send_lat, 8 bytes: 0.0757 us\n", ""), 0.0757)
        self.assertEqual(parse("floor_line", "plain_sockets block send_bw, 65536 bytes: 1e-05 GB/s\n", ""), 1e-5)
        self.assertEqual(parse("floor_line", "epoll_echo: 64 connections, messages on the first, polled: median 3.206 us\n", ""), 3.206)
        self.assertEqual(parse("floor_line", "4 waiting threads: 99 % within 793.0 us, 27.7 thousand/s\n", ""), 27.7)
        self.assertRaises(Unreadable, parse, "floor_line", "plain_memory: one_copy", "")

    def test_take_the_overall_columns_of_ucx(self):
        self.assertEqual(parse("ucx_latency", UCX, "8"), 0.052)
        self.assertEqual(parse("ucx_rate", UCX, "8"), 20)
        self.assertAlmostEqual(parse("ucx_bandwidth", UCX, "4096"), 81.92)
        self.assertRaises(Unreadable, parse, "ucx_latency", "[1700000000.1] error: no transport\n", "8")

    def test_take_the_time_of_a_transfer(self):
        self.assertEqual(parse("pingpong_table", FI_PINGPONG, ""), 24.85)
        self.assertRaises(Unreadable, parse, "pingpong_table", FI_PINGPONG.splitlines()[0], "")

    def test_take_the_summary_of_sockperf(self):
        self.assertEqual(parse("sockperf_summary", SOCKPERF, ""), 6.939)
        self.assertRaises(Unreadable, parse, "sockperf_summary", "sockperf: ERROR", "")

    def test_take_the_receiver_of_iperf(self):
        self.assertEqual(parse("iperf_json", IPERF, ""), 1)
        self.assertRaises(Unreadable, parse, "iperf_json", '{"error": "unable to connect"}', "")

    def test_refuse_text_that_is_cut_off(self):
        for name, text in (("bench_row", BENCH[:60]), ("perf_json", PERF[:40]), ("iperf_json", IPERF[:-2]), ("floor_line", "")):
            self.assertRaises(Unreadable, parse, name, text, "private")

    def test_refuse_what_is_no_number(self):
        self.assertRaises(Unreadable, parse, "bench_row", '{"variant":"crc","value":NaN}', "crc")
        self.assertRaises(Unreadable, parse, "bench_row", '{"variant":"crc","value":null}', "crc")


if __name__ == "__main__":
    unittest.main()
