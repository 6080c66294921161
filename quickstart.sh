#!/usr/bin/env bash
# From a fresh Debian machine to pictures, or to a run of the tests:
#
#   ./quickstart.sh        install what is missing, build, make a data set, render it
#   ./quickstart.sh test   install what is missing, build, run the test suite
#
# On any machine with compilers, CMake and an MPI, and without root:
#
#   ./quickstart.sh --prefix DIR   build the libraries that are missing and karman, and install them into DIR
#
# Needs root or sudo only if packages have to be installed.
set -euo pipefail
cd "$(dirname "$0")"

build=build/release
# All files that `cmake --install` installs, so that it works right after this script.
targets=(karman-installation)
packages=(gcc libc6-dev cmake ninja-build pkg-config
    mpich libmpich-dev libhdf5-mpich-dev libpng-dev zlib1g-dev libyaml-dev libjansson-dev
    libcairo2-dev fonts-dejavu-core libmicrohttpd-dev libjpeg62-turbo-dev libxml2-dev liblz4-dev liblzma-dev
    libcmocka-dev help2man)
# If one of these is missing, some tests are skipped.
test_packages=(dpkg-dev valgrind clang lld clang-format clang-tidy libomp-dev pngcheck gfortran python3 python3-numpy
    python3-xarray python3-mpi4py python3-h5py python3-vtk9 chromium chromium-driver ffmpeg iproute2 jq procps locales groff-base zsh fish)

usage() {
    sed -n '2,11s/^# \{0,1\}//p' "$0"
}

# Prints those of the given Debian packages that are not installed.
missing_packages() {
    local name
    for name in "$@"; do
        if ! dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed; then
            echo "$name"
        fi
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "quickstart: '$*' needs root: run it as root, or install sudo" >&2
        exit 1
    fi
}

install_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        cat <<'TEXT'
quickstart: this is not a Debian system, so nothing is installed. The build looks for:
  an MPI 3 (MPICH or Open MPI; mpicc, mpiexec), HDF5 built for that MPI (pkg-config or h5pcc),
  libpng, libyaml and jansson (pkg-config each), OpenMP, CMake 3.22, Ninja; cmocka for tests; help2man for man pages;
  './quickstart.sh --prefix DIR' builds those that are missing, without root (docs/user/install.md);
  cairo and the DejaVu fonts for scalar bars and labels, where they are wanted; a Fortran compiler
  for the Fortran module; libmicrohttpd for karman live, where it is wanted; libxml2 for XML files of
  VTK and XDMF, and liblz4 and liblzma for compressed ones; clang and LLVM's lld for the pages of karman collectives.
Tests take Python 3.9, NumPy, xarray, mpi4py, h5py, VTK 9, Chromium and its chromedriver, valgrind, clang-format, pngcheck,
ffmpeg, jq, pgrep, localedef, groff, zsh and fish, too; those without what they need are skipped.
TEXT
        return
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    if [ "${#missing[@]}" -eq 0 ]; then
        return
    fi
    echo "quickstart: installing from Debian: ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        "${missing[@]}" >/dev/null
}

build_targets() {
    echo "quickstart: building into $build"
    cmake --preset release >"$1"
    shift
    cmake --build "$build" -- --quiet "$@"
}

find_mpiexec() {
    command -v mpiexec.mpich || command -v mpiexec || {
        echo "quickstart: there is no mpiexec: install MPICH" >&2
        exit 1
    }
}

render() {
    local ranks=4 mpiexec
    mpiexec=$(find_mpiexec)
    build_targets "$log" "${targets[@]}"
    echo "quickstart: making the Kármán data set, datasets/karman.h5"
    "$build/karman-dataset" karman --output datasets/karman.h5
    echo "quickstart: rendering configs/karman.yaml on $ranks ranks"
    "$mpiexec" -n "$ranks" "$build/karman" render configs/karman.yaml
    echo "quickstart: the pictures are in $PWD/out"
    echo "quickstart: next: $build/karman render datasets/karman.h5 --slice x=2 --view iso"
}

run_tests() {
    build_targets "$log"
    # Two tests at a time, except those that take two processors themselves.
    local code=0
    ctest --test-dir "$build" --output-on-failure -j 2 | tee "$log" || code=$?
    report_skipped "$log"
    : >"$log"
    return "$code"
}

# Prints the tests that ctest's output lists as skipped or not run.
report_skipped() {
    local skipped
    mapfile -t skipped < <(sed -n \
        's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([^ ]*\) .*\*\*\*\(Skipped\|Not Run\).*/\1/p' "$1")
    if [ "${#skipped[@]}" -eq 0 ]; then
        echo "quickstart: skipped tests: none"
    else
        echo "quickstart: skipped tests: ${#skipped[@]}: ${skipped[*]}"
        echo "quickstart: 'ctest --test-dir $build -V -R NAME' says why"
    fi
}

log=$(mktemp)
trap 'status=$?; if [ $status -ne 0 ] && [ -s "$log" ]; then tail -n 20 "$log" >&2; fi; rm -f "$log"' EXIT
case "${1:-}" in
    "")
        install_packages "${packages[@]}"
        render
        ;;
    test)
        install_packages "${packages[@]}" "${test_packages[@]}"
        run_tests
        ;;
    --prefix)
        [ "$#" -eq 2 ] || { usage >&2; exit 2; }
        exec packaging/prefix.sh "$2"
        ;;
    -h | --help) usage ;;
    *)
        usage >&2
        exit 2
        ;;
esac
