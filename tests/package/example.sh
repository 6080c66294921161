#!/usr/bin/env bash
# `karman example` lists every config, copies it so that it draws where it lies, makes its data, and
# overwrites nothing.
#
#   example.sh KARMAN SOLVER CONFIGS LAUNCHER
set -u
karman=$1 solver=$2 configs=$3 launcher=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# says CODE TEXT COMMAND...: COMMAND exits with CODE and prints TEXT.
says() {
    local wanted=$1 text=$2 said code
    shift 2
    said=$("$@" 2>&1 </dev/null)
    code=$?
    { [ "$code" -eq "$wanted" ] && grep -qF -- "$text" <<<"$said"; } ||
        fail "$*: expected exit code $wanted and '$text', got $code and: $said"
}

# The first comment of each config has a title and at least one command.
for config in "$configs"/*.yaml; do
    name=$(basename "$config" .yaml)
    title=$(sed -n '1s/^# \(.*\)\.$/\1/p' "$config")
    [ -n "$title" ] || fail "$config begins with no sentence"
    "$karman" example | grep -qE "^$name +$title\$" || fail "the list lacks $name: $title"
    says 0 "Next:" "$karman" example "$name"
    [ -s "$name.yaml" ] || fail "$name.yaml is not there"
    ! grep -nE '\.\./|configs/|datasets/' "$name.yaml" || fail "$name.yaml leads out of its folder"
    if grep -q karman.h5 "$name.yaml"; then
        says 0 "" "$karman" render "$name.yaml" --quiet --set data.steps=0 --set image.width=24 \
            --set image.height=15
    fi
done
# So has each config of the gallery.
for config in "$configs"/gallery/*.yaml; do
    name=$(basename "$config" .yaml)
    title=$(sed -n '1s/^# \(.*\)\.$/\1/p' "$config")
    [ -n "$title" ] || fail "$config begins with no sentence"
    [ "$name" = combustor ] || "$karman" example | grep -qE "^$name +$title\$" || fail "the list lacks $name: $title"
    grep -q "^#     karman render configs/gallery/$name.yaml$" "$config" || fail "$config has no command"
done
[ "$(find out -name '*_0000.png' | wc -l)" -ge 9 ] || fail "pictures: $(ls out)"
[ "$(ls)" = "$(printf '%s\n' ./*.yaml combustor.py karman.h5 karman.xdmf out | sed 's|^\./||' | sort)" ] ||
    fail "there is more than that: $(ls)"
says 0 "" "$solver" cylinder.yaml --set "time={cfl: 1, steps: 1}" --set in_situ=cylinder-insitu.yaml \
    --set "grid.cylinder={radius: 0.5, far: 30, span: 1, ni: 16, nj: 12, nk: 1, stretching: 1.09}"

says 0 "kept  karman.h5" "$karman" example karman
says 0 "mpiexec -n 2 karman-solver cylinder.yaml" "$karman" example cylinder
says 0 "combxyz.bin" "$karman" example combustor elsewhere
says 0 "cd elsewhere" "$karman" example combustor elsewhere
echo "# mine" >shaded.yaml
says 1 "shaded.yaml exists with other contents" "$karman" example shaded
[ "$(cat shaded.yaml)" = "# mine" ] || fail "shaded.yaml is overwritten"
# No half-written files are left behind.
echo "# mine" >elsewhere/cylinder.yaml
says 1 "cylinder.yaml exists with other contents" "$karman" example cylinder-insitu elsewhere
[ ! -e elsewhere/cylinder-insitu.yaml ] || fail "cylinder-insitu.yaml is written all the same"
says 1 "'karman-dataset karman' failed" bash -c "ulimit -f 1000; '$karman' example karman broken"
[ ! -e broken/karman.h5 ] || fail "data that cannot be made is left behind"
says 1 "cannot be made" "$karman" example karman missing/folder

says 2 "did you mean 'karman'?" "$karman" example karmen
says 2 "'karman example' lists them" "$karman" example zzzzzzz
says 2 "there is no example" "$karman" example ../configs/karman
says 2 "'c' is one argument too many" "$karman" example karman b c
says 2 "call it without mpiexec" "$launcher" -n 2 "$karman" example karman
echo "$failures failures"
[ "$failures" -eq 0 ]
