# SPDX-License-Identifier: MIT
# A thin front door: each target names the commands that do the work.
PREFIX ?= /usr/local

.PHONY: build run test check-quick aarch64 coverage soak model simulation fuzz lab net mutants bench check screens long docs format install install-debug uninstall deb clean

build:
	scripts/setup build
	cmake --preset release
	cmake --build --preset release

# One host, two processes, shared memory; every byte is verified. Only the command and its library are built.
# The first time it installs packages and builds; afterwards it begins at once.
run:
	@echo "1 of 3: packages that the build needs"
	scripts/setup build
	@echo "2 of 3: the library and the command nd: four minutes of processor time the first time"
	cmake --preset run
	cmake --build --preset run --target nd
	@echo "3 of 3: latency, bandwidth and rates between two processes over shared memory, every byte verified: 20 seconds"
	OPENND_TRANSPORT=shm build/run/cli/nd perf all --self --verify -D 0.1
	@echo
	@echo "Done: the other process got every byte as it was sent. Times on a busy host are those of its scheduler: build/run/cli/nd doctor."
	@echo "Next: the table at the end of README.md; build/run/cli/nd --help; make install PREFIX=\$$HOME/opennd."

test:
	@echo "1 of 3: packages that the build and the tests need"
	scripts/setup test
	@echo "2 of 3: the library, its companions, nd and all tests: the numbers in front of a line count its steps"
	cmake --preset dev
	cmake --build --preset dev
	@echo "3 of 3: all tests: a quarter of an hour on two processors"
	ctest --preset dev

# The unit tests, and the conformance tests within a process: most of what an edit breaks.
check-quick:
	scripts/setup test
	cmake --preset quick
	cmake --build --preset quick --target opennd_unit_tests conformance_test
	build/quick/tests/opennd_unit_tests --gtest_brief=1 & unit=$$!; \
	    build/quick/tests/conformance/conformance_test --gtest_brief=1 --gtest_filter='*OnLoopback*'; loopback=$$?; \
	    wait $$unit && exit $$loopback

# The library, the command and the tests for AArch64, run under qemu-user; TESTS names some, as ctest -R has it (CONTRIBUTING.md).
aarch64:
	scripts/setup aarch64
	scripts/aarch64_root build/aarch64-root
	cmake --preset aarch64
	cmake --build --preset aarch64
	ctest --preset aarch64 $(if $(TESTS),-R '$(TESTS)')

# The lines and branches of src that the suite reaches: pages in build/coverage/pages, a table by folder (docs/coverage.md).
coverage:
	scripts/setup test
	cmake --preset coverage
	cmake --build --preset coverage
	scripts/coverage $(SUITES)

# Many connections, many cycles, deaths at random (CONTRIBUTING.md).
soak:
	scripts/setup test
	cmake --preset release -B build/soak -D OPENND_TESTS=ON
	cmake --build build/soak --target soak_test
	OPENND_TEST_SOAK_SECONDS=$(or $(SECONDS),300) build/soak/tests/soak/soak_test

# Random programs under an oracle, of all faces and transports, in one process and in two, for SECONDS (CONTRIBUTING.md).
model:
	scripts/setup test
	cmake --preset release -B build/soak -D OPENND_TESTS=ON
	cmake --build build/soak --target model_test
	build/soak/tests/model/model_test --seconds $(or $(SECONDS),300) $(MODEL)

# Machines, wires and threads that a seed decides about, for SECONDS (CONTRIBUTING.md).
simulation:
	scripts/setup test
	cmake --preset release -B build/simulation -D OPENND_TESTS=ON -D OPENND_LTO=OFF
	cmake --build build/simulation --target simulation
	seed=$(or $(SEED),$$(date +%s)); for options in "" "--bulk --calm" --lost --stopped --shm --model "--model --shm"; do \
	    build/simulation/tests/simulation/simulation --seed $$seed --seconds $(or $(SECONDS),60) $$options || exit 1; \
	done

# A hostile peer at the shared segment, in the handshake, in an iWARP stream, at a whole connection and in its answers to nd, each for SECONDS (CONTRIBUTING.md).
fuzz:
	scripts/setup
	cmake --preset fuzz
	cmake --build build/fuzz --target segment_fuzzer handshake_fuzzer iwarp_fuzzer connection_fuzzer answers_fuzzer
	for target in segment handshake iwarp connection answers; do \
	    mkdir -p build/fuzz/found/$$target && \
	    build/fuzz/tests/fuzz/$${target}_fuzzer -max_total_time=$(or $(SECONDS),60) -timeout=20 -max_len=1024 \
	        -detect_leaks=0 -artifact_prefix=build/fuzz/$$target- build/fuzz/found/$$target tests/fuzz/corpus/$$target || exit 1; \
	done

# iWARP against Linux's soft iWARP, and OpenND on its soft RDMA devices, in a virtual machine (CONTRIBUTING.md).
lab:
	scripts/setup
	cmake --preset dev
	cmake --build --preset dev
	tests/lab/run || test $$? -eq 77
	tests/lab/devices || test $$? -eq 77
	tests/lab/suites || test $$? -eq 77

# iWARP over networks that are made for it, good ones and bad ones (CONTRIBUTING.md).
net:
	scripts/setup test
	cmake --preset dev
	cmake --build --preset dev --target conformance_test soak_test nd
	tests/network/wire_test.py --soak $(or $(SECONDS),60) || test $$? -eq 77
	tests/network/two_rails_test.py build/dev/cli/nd || test $$? -eq 77

# COUNT small faults, picked by SEED, in a copy of the source or of its PATHS: which suite finds each? For an hour or so (tests/mutants/README.md).
mutants:
	scripts/setup
	scripts/mutants --build $(if $(SEED),--seed $(SEED)) --count $(or $(COUNT),500) $(PATHS)
	scripts/mutants

# The shared-memory rows against themselves; CONTRIBUTING.md says how to run them beside other libraries.
bench: build
	OPENND_TRANSPORT=shm build/release/cli/nd perf all --self

check:
	scripts/check

# The packages, their image for containers, and README's commands in a bare chroot, timed: an hour, as root.
long:
	.ci/long

# What nd shows, in docs/screens: of this host, and with chromium the page of nd perf, too. The tests compare (docs/screens/README.md).
screens:
	scripts/setup test
	cmake --preset dev
	cmake --build --preset dev --target nd stuck_program
	python3 tests/cli/terminal_screens_test.py build/dev/cli/nd build/dev/tests/cli/stuck_program docs/screens/terminal --write
	python3 tests/cli/screens_test.py build/dev/cli/nd docs --write
	python3 tests/cli/browser_test.py build/dev/cli/nd docs/screens --write || test $$? -eq 77
	benchmarks/pictures --nd build/dev/cli/nd

# The reference of the public headers and the documents: pages in build/docs/html, for man in build/docs/man.
docs:
	scripts/setup docs
	scripts/docs

format:
	scripts/format

# DESTDIR is honoured. Nothing is installed that was not built, so root need not compile.
install: build
	cmake --install build/release --prefix $(PREFIX) --strip

# What a debugger reads of it, beside it.
install-debug: install
	cmake --install build/release --prefix $(PREFIX) --component debug

# What the last `make install` of this build left.
uninstall:
	awk 1 build/release/install_manifest*.txt | xargs -d '\n' -I FILE rm -vf -- "$(DESTDIR)FILE"

# Debian packages of what is committed, and lintian's opinion of them, in build/deb (packaging/README.md).
deb:
	scripts/setup package
	packaging/build

clean:
	cmake -E rm -rf build
