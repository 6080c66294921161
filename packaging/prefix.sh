#!/usr/bin/env bash
# quickstart.sh --prefix DIR: builds and installs karman into DIR, without root, from compilers, CMake and an MPI that
# are there. Required libraries that are missing are built from their sources and installed into DIR, too.
#
# Archives of sources come from their projects' pages. One that lies in DIR/sources is taken as it is: machines
# without a network get them by hand.
set -euo pipefail
prefix=$(realpath -m "$1")
cd "$(dirname "$0")/.."
sources=$prefix/sources build=$prefix/build jobs=$(nproc)

# Name of pkg-config, archive, its SHA-256. Each comes after those that it needs.
libraries=(
    "zlib https://github.com/madler/zlib/releases/download/v1.3.1/zlib-1.3.1.tar.gz
        9a93b2b7dfdac77ceba5a558a580e74667dd6fede4585b91eefb60f03b72df23"
    "libpng https://download.sourceforge.net/libpng/libpng-1.6.39.tar.xz
        1f4696ce70b4ee5f85f1e1623dc1229b210029fa4b7aee573df3e2ba7b036937"
    "yaml-0.1 https://github.com/yaml/libyaml/releases/download/0.2.5/yaml-0.2.5.tar.gz
        c642ae9b75fee120b2d96c712538bd2cf283228d2337df2cf2988e3c02678ef4"
    "jansson https://github.com/akheron/jansson/releases/download/v2.14/jansson-2.14.tar.gz
        5798d010e41cf8d76b66236cfb2f2543c8d082181d16bc3085ab49538d4b9929"
)
hdf5="hdf5 https://support.hdfgroup.org/releases/hdf5/v1_14/v1_14_6/downloads/hdf5-1.14.6.tar.gz
    e4defbac30f50d64e1556374aa49e574417c9e72c6b1de7a4ff88c4b1bea6e9b"

say() { echo "quickstart: $*"; }
stop() {
    echo "quickstart: $*" >&2
    exit 1
}

# A program that is not built here: where it usually comes from.
need() {
    command -v "$1" >/dev/null || stop "there is no $1: load it ('module load $2'; 'module avail' lists names)${3:-}"
}

# Prints the path of the archive of a library, from DIR/sources or the network.
get_archive() {
    local url=$2 sum=$3 file=$sources/${2##*/} found
    found=$(find "$sources" -maxdepth 1 -type f \( -name "${file##*/}" -o -name "${1%%-*}[-_]*.tar*" \) | head -n 1)
    if [ -z "$found" ]; then
        say "downloading $url" >&2
        if command -v curl >/dev/null; then
            curl -fsSL --retry 2 -o "$file.part" "$url"
        else
            wget -q -O "$file.part" "$url" 2>/dev/null
        fi || stop "$url cannot be downloaded: put that archive into $sources, or load the module of ${1%%-*}"
        echo "$sum  $file.part" | sha256sum --check --quiet || stop "$file.part is not the archive that was published"
        mv "$file.part" "$file"
        found=$file
    fi
    echo "$found"
}

# build_library NAME URL SUM [OPTION of configure]...: in a fresh folder; the log stays if it fails.
build_library() {
    local name=$1 archive folder=$build/$1 log=$build/$1.log
    archive=$(get_archive "$@")
    shift 3
    say "building $name, ${archive##*/}"
    rm -rf "$folder"
    mkdir -p "$folder"
    tar -xf "$archive" -C "$folder" --strip-components=1
    (cd "$folder" && if [ -x configure ]; then
        ./configure --prefix="$prefix" --libdir="$prefix/lib" "$@" && make -j "$jobs" && make install
    else
        cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
            -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF -DJANSSON_BUILD_DOCS=OFF -DHDF5_ENABLE_PARALLEL=ON \
            -DHDF5_ENABLE_Z_LIB_SUPPORT=ON && cmake --build build -j "$jobs" && cmake --install build
    fi) >"$log" 2>&1 || { tail -n 15 "$log" >&2; stop "$name does not build: $log has all of it"; }
}

configure() {
    cmake -S . -B "$build/karman" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" -DKARMAN_TESTS=OFF \
        -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=ON "$@" >"$build/karman.log" 2>&1
}

need cc gcc
need make gcc
need pkg-config pkgconf
need cmake cmake ", or 'python3 -m pip install --user cmake'"
command -v mpicc >/dev/null || command -v mpicc.mpich >/dev/null || command -v mpiicx >/dev/null || command -v srun >/dev/null ||
    stop "there is no mpicc: load an MPI ('module load openmpi' or 'module load mpich'), or build MPICH" \
        "(https://www.mpich.org: ./configure --prefix=$prefix --disable-fortran && make install) and put $prefix/bin into PATH"
mkdir -p "$sources" "$build"
export PATH=$prefix/bin:$PATH PKG_CONFIG_PATH=$prefix/lib/pkgconfig:$prefix/share/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export CPPFLAGS="-I$prefix/include ${CPPFLAGS:-}" LDFLAGS="-L$prefix/lib -Wl,-rpath,$prefix/lib ${LDFLAGS:-}"
for library in "${libraries[@]}"; do
    read -r -d '' name url sum <<<"$library" || true
    pkg-config --exists "$name" || build_library "$name" "$url" "$sum"
done
if ! configure && grep -q 'no parallel HDF5' "$build/karman.log"; then
    read -r -d '' name url sum <<<"$hdf5" || true
    mpicc=$(sed -n 's/^MPI_C_COMPILER:[^=]*=//p' "$build/karman/CMakeCache.txt")
    CC=$mpicc build_library "$name" "$url" "$sum" --enable-parallel --disable-static
    rm -rf "$build/karman"
    configure -DHDF5_ROOT="$prefix" || true
fi
grep -q '^-- Build files have been written' "$build/karman.log" ||
    { tail -n 15 "$build/karman.log" >&2; stop "karman cannot be configured: docs/user/install.md has the choices"; }
say "building karman"
cmake --build "$build/karman" -j "$jobs" --target karman-installation >"$build/karman.log" 2>&1 ||
    { tail -n 15 "$build/karman.log" >&2; stop "karman does not build: $build/karman.log has all of it"; }
cmake --install "$build/karman" >>"$build/karman.log"
"$prefix/bin/karman" doctor
say "installed: put $prefix/bin into PATH. $build may be removed"
