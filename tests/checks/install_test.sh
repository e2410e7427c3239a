#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs into a fresh folder and moves it, since no installed file may contain the old path. Then does a user's next
# steps: builds a C program with pkg-config, and the README's program with find_package, and runs them; and the two
# Windows programs of examples/, programs of NDKPI and drivers, with both.
set -euo pipefail
build=$1 cmake=$2 cc=$3 cxx=$4 libdir=$5
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/first" --strip >/dev/null
mv "$work/first" "$work/prefix"
prefix=$work/prefix
kib=$(du -sk "$prefix" | cut -f1)
echo "installed: $kib KiB"
[ "$kib" -lt $((25 * 1024)) ] || { echo "an installation takes no more than 25 MiB: du -a $prefix | sort -n" >&2; exit 1; }

export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
# The flags are words, to be split.
# shellcheck disable=SC2046
"$cc" -std=c11 -Wall -Werror "$here/consumer/consumer.c" -o "$work/from_pkg_config" $(pkg-config --cflags --libs opennd) \
    "-Wl,-rpath,$prefix/$libdir"
"$work/from_pkg_config"

examples=$here/../../examples
# shellcheck disable=SC2046
"$cc" "$examples/windows_program.c" -o "$work/windows_c" $(pkg-config --cflags --libs opennd-windows) "-Wl,-rpath,$prefix/$libdir"
"$work/windows_c" >/dev/null
# shellcheck disable=SC2046
"$cxx" -std=c++20 -DUNICODE -D_UNICODE "$examples/windows_program.cpp" -o "$work/windows_cpp" \
    $(pkg-config --cflags --libs opennd-windows) "-Wl,-rpath,$prefix/$libdir"
"$work/windows_cpp"
# shellcheck disable=SC2046
"$cxx" -std=c++20 -DUNICODE -D_UNICODE "$examples/windows_program.cpp" -o "$work/windows_cpp_static" \
    $(pkg-config --cflags --static --libs opennd-windows | sed 's/-l\(opennd[-a-z]*\)/-l:lib\1.a/g')
"$work/windows_cpp_static"
if ldd "$work/windows_cpp_static" | grep opennd; then exit 1; fi

# shellcheck disable=SC2046
"$cc" -std=c11 -Wall -Wextra -Werror "$here/consumer/driver.c" -o "$work/driver" $(pkg-config --cflags --libs opennd-wdm) \
    "-Wl,-rpath,$prefix/$libdir"
"$work/driver"

# Of NDKPI alone, and the whole driver of examples/: with pkg-config, shared and static.
ndk=$here/consumer/ndk
# shellcheck disable=SC2046
"$cc" -std=c11 -Wall -Wextra -Werror "$ndk/ndk.c" -o "$work/ndk_c" $(pkg-config --cflags --libs opennd-ndk) \
    "-Wl,-rpath,$prefix/$libdir"
# shellcheck disable=SC2046
"$cxx" -std=c++20 -Wall -Wextra -Werror "$ndk/ndk.cpp" -o "$work/ndk_cpp" $(pkg-config --cflags --libs opennd-ndk) \
    "-Wl,-rpath,$prefix/$libdir"
# shellcheck disable=SC2046
"$cc" -std=c11 "$ndk/ndk.c" -o "$work/ndk_c_static" \
    $(pkg-config --static --cflags --libs opennd-ndk | sed 's/-lopennd\>/-l:libopennd.a/g')
# shellcheck disable=SC2046
"$cc" -std=c11 -DOPENND_WDM_MIN_MAX "-I$examples/ndk" "$examples"/ndk/*.c "$examples"/ndk/*/*.c -o "$work/ndk_example" \
    $(pkg-config --cflags --libs opennd-wdm) "-Wl,-rpath,$prefix/$libdir"
for program in ndk_c ndk_cpp ndk_c_static; do "$work/$program" >/dev/null; done
OPENND_WDM_CHECKING=abort "$work/ndk_example" both 127.0.0.1 >/dev/null

"$cmake" -G Ninja -S "$here/consumer" -B "$work/build" "-DCMAKE_PREFIX_PATH=$prefix" \
    "-DEXAMPLES=$examples" "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_C_COMPILER=$cc" >/dev/null
"$cmake" --build "$work/build" >/dev/null
"$work/build/consumer"
"$work/build/consumer_static"
for program in windows windows_static windows_c windows_c_static driver driver_static; do "$work/build/$program" >/dev/null; done
OPENND_WDM_CHECKING=abort "$work/build/ndk_example" both 127.0.0.1 >/dev/null
OPENND_WDM_CHECKING=abort "$work/build/ndk_example_static" both 127.0.0.1 >/dev/null
"$cmake" -G Ninja -S "$ndk" -B "$work/build_ndk" "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_CXX_COMPILER=$cxx" \
    "-DCMAKE_C_COMPILER=$cc" >/dev/null
"$cmake" --build "$work/build_ndk" >/dev/null
for program in ndk_c ndk_cpp ndk_c_static ndk_cpp_static; do "$work/build_ndk/$program" >/dev/null; done
"$cmake" -G Ninja -S "$prefix/share/doc/OpenND/examples" -B "$work/build_examples" "-DCMAKE_PREFIX_PATH=$prefix" \
    "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_C_COMPILER=$cc" >/dev/null
"$cmake" --build "$work/build_examples" >/dev/null
"${cmake%cmake}ctest" --test-dir "$work/build_examples" --output-on-failure
# Where the static libraries' dependencies are not found: shared programs build all the same, and static ones learn what to install.
no_libraries="-DOpenND_isal_LIBRARY= -DOpenND_sodium_LIBRARY="
# The settings are words, to be split.
# shellcheck disable=SC2086
"$cmake" -G Ninja -S "$prefix/share/doc/OpenND/examples" -B "$work/build_shared" "-DCMAKE_PREFIX_PATH=$prefix" \
    "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_C_COMPILER=$cc" $no_libraries | grep 'shared libraries only. libisal was not found'
# shellcheck disable=SC2086
if "$cmake" -G Ninja -S "$here/consumer/static_asked" -B "$work/build_asked" "-DCMAKE_PREFIX_PATH=$prefix" \
    "-DCMAKE_CXX_COMPILER=$cxx" $no_libraries >"$work/asked" 2>&1; then
    echo "install: the component static was found without its libraries" >&2
    exit 1
fi
grep -q 'libsodium-dev' "$work/asked"
for library in libopennd libopennd-windows libopennd-wdm; do
    test -L "$prefix/$libdir/$library.so" && test -L "$prefix/$libdir/$library.so.0" && test -f "$prefix/$libdir/$library.a"
done

if [ -e "$prefix/bin/nd" ]; then
    "$prefix/bin/nd" --version
    test -s "$prefix/share/man/man1/nd.1"
    test -s "$prefix/share/man/man1/nd-perf.1"
    test -s "$prefix/share/zsh/site-functions/_nd"
    test -s "$prefix/share/fish/vendor_completions.d/nd.fish"
    bash -n "$prefix/share/bash-completion/completions/nd"
fi
if ldd "$prefix/$libdir/libopennd.so" | grep -E 'fmt'; then
    echo "libopennd.so needs a library that was to stay inside it" >&2
    exit 1
fi
