#!/usr/bin/env bash
# quickstart.sh --prefix names the program or the archive that is missing, and builds nothing from an archive that is
# not the published one.
#
#   prefix.sh SOURCE_FOLDER WORK_FOLDER
set -u
source=$1 work=$2 failures=0
rm -rf "$work"
mkdir -p "$work/bin" "$work/pc"

# refuses PATTERN: exit code 1, and a line with the pattern.
refuses() {
    PATH=$work/bin PKG_CONFIG_LIBDIR=$work/pc bash "$source/quickstart.sh" --prefix "$work/prefix" >"$work/said" 2>&1
    local code=$?
    if [ $code -ne 1 ] || ! grep -qE "^quickstart: .*$1" "$work/said"; then
        echo "FAILED: exit code $code, expected '$1': $(cat "$work/said")"
        failures=$((failures + 1))
    fi
}

# Programs appear one by one.
for program in bash cat dirname env find grep head mkdir mktemp mv nproc realpath rm sed sha256sum tail tar; do
    ln -s "$(type -P $program)" "$work/bin/$program"
done
refuses "there is no cc: load it \('module load gcc'"
for program in cc make pkg-config; do
    ln -s "$(type -P true)" "$work/bin/$program"
done
refuses "there is no cmake: load it .*pip install --user cmake"
ln -s "$(type -P true)" "$work/bin/cmake"
refuses "there is no mpicc: load an MPI .*MPICH"
ln -s "$(type -P true)" "$work/bin/mpicc"
ln -sf "$(type -P false)" "$work/bin/pkg-config"
ln -s "$(type -P false)" "$work/bin/curl"
refuses "zlib-1.3.1.tar.gz cannot be downloaded: put that archive into $work/prefix/sources"
printf '#!%s\nwhile [ "$1" != -o ]; do shift; done\necho wrong >"$2"\n' "$work/bin/bash" >"$work/curl"
chmod +x "$work/curl"
ln -sf "$work/curl" "$work/bin/curl"
refuses "zlib-1.3.1.tar.gz.part is not the archive that was published"
echo "$failures failures"
[ "$failures" -eq 0 ]
