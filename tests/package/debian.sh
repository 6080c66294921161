#!/usr/bin/env bash
# The package of Debian names the libraries that it takes, and works where dpkg installs it: below a root of
# its own. What it installs, dpkg removes.
#
#   debian.sh SOURCE_FOLDER BUILD_FOLDER WORK_FOLDER CPACK MPIEXEC
set -euo pipefail
build=$2 work=$3 cpack=$4 mpiexec=$5
for program in dpkg-deb dpkg-shlibdeps dpkg; do
    command -v $program >/dev/null || { echo "skipped: there is no $program (Debian: dpkg-dev)"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work/root/var/lib/dpkg"
cd "$work"
LD_PRELOAD='' "$cpack" -G DEB --config "$build/CPackConfig.cmake" -B "$work" >cpack.log 2>&1 || { cat cpack.log; exit 1; }
package=$(find . -maxdepth 1 -name 'karman_*.deb')
dpkg-deb --field "$package"
depends=$(dpkg-deb --field "$package" Depends)
for library in libc6 libhdf5- libpng16 libyaml libjansson zlib1g; do
    [[ $depends == *$library* ]] || { echo "FAILED: it does not depend on $library"; exit 1; }
done
[[ $depends == *libmpich* || $depends == *libopenmpi* ]] || { echo "FAILED: it depends on no MPI"; exit 1; }

touch root/var/lib/dpkg/{status,available}
mkdir -p root/var/lib/dpkg/{info,updates,triggers}
roots() { LD_PRELOAD='' dpkg --root="$work/root" --log=/dev/null --force-depends --force-not-root --force-bad-path \
    --force-script-chrootless "$@" >>dpkg.log 2>&1 || { cat dpkg.log; exit 1; }; }
roots -i "$package"
karman=$work/root/usr/bin/karman
"$karman" --version
"$mpiexec" -n 2 "$karman" doctor
mkdir example
cd example
"$karman" example contour >../example.log
"$mpiexec" -n 2 "$karman" render contour.yaml --quiet
test -n "$(find . -name '*.png')"
test -s "$work/root/usr/share/man/man1/karman-render.1" || test -s "$work/root/usr/share/man/man1/karman-render.1.gz"
cd ..
# The Python package finds the library of its own root.
python=
for program in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$program" -c 'import numpy' 2>/dev/null || python=$program
done
if [ -n "$python" ]; then
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$work/root/usr/lib/python3/dist-packages LD_PRELOAD='' "$python" - <<'PYTHON'
import numpy as np
import karman
import karman._library
assert "/root/usr/" in karman._library.candidates()[0], karman._library.candidates()
print(karman.render({"x": np.arange(3.0), "y": np.arange(3.0), "p": np.eye(3)}, size=(40, 30)).shape)
PYTHON
fi
roots -r karman
test -z "$(find root/usr ! -type d 2>/dev/null)"
