#!/usr/bin/env bash
# Blocks that move, change their size, come and go, in several formats: each picture is that of its step alone.
#
#   sizes.sh KARMAN SAME_PICTURES SCRIPT FOLDER PYTHON HAS_XML MPIEXEC…
set -u
karman=$1 same=$2 script=$3 folder=$4 python=$5 has_xml=$6
shift 6
mpiexec=("$@")
rm -rf "$folder"
mkdir -p "$folder"
"$python" -c 'import h5py' 2>/dev/null || python=/usr/bin/python3
"$python" "$script" "$folder" || exit $?
cd "$folder" || exit 1
failures=0 cases=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# config NAME FILE [PARTITION]: layers of blocks that move, rest, or are not always there.
config() {
    cat >"$1.yaml" <<TEXT
data: {file: "$2", priority: [Guest, Bar]}
image: {width: 60, height: 45, samples: 1}
camera: {position: [1.4, -6, 5], look_at: [1.5, 0, 0.5], up: [0, 0, 1], fov: 40}
partition: ${3:-object}
layers:
  - volume: {field: density, range: [0, 1], opacity: [[0, 0], [1, 0.8]], unit_length: 0.3}
  - isosurface: {field: density, values: [0.3], color: [1, 0.5, 0]}
  - outline: {color: [1, 1, 1]}
  - contour: {field: vorticity_magnitude, block: Bar, k: 0, range: [0, 1]}
  - object: {block: Still, k: 0, color_by: density, range: [0, 1]}
  - particles: {mode: stream, style: lines, seeds: [{block: Still, line: [[3, 2, 2], [3, 11, 5]], count: 4}]}
  - object: {block: Guest, k: 0, color: [0, 1, 0]}
annotations: {scalar_bar: true}
output: {frames: $1-%d.png}
TEXT
}

# draws NAME RANKS [KEY=VALUE…]
draws() {
    local name=$1 ranks=$2
    shift 2
    cases=$((cases + 1))
    timeout 60 "${mpiexec[@]}" -n "$ranks" "$karman" render "$name.yaml" --quiet "$@" >said.txt 2>&1 ||
        complain "$name on $ranks ranks: $(cat said.txt)"
    grep -v 'isosurface shows nothing' said.txt && complain "$name on $ranks ranks says: $(cat said.txt)"
}

# matches NAME MOST STEP…: the picture of each step is that of the step alone.
matches() {
    local name=$1 most=$2 step
    shift 2
    for step in "$@"; do
        "$same" "alone-$step.png" "$name-$step.png" "$most" >said.txt 2>&1 ||
            complain "$name, step $step: $(cat said.txt)"
    done
    rm -f "$name"-?.png
}

# A step alone has no Guest, and may not name it.
for step in 0 1 2 3; do
    config alone "at_$step.h5"
    [ $step -eq 1 ] || [ $step -eq 2 ] || sed -i '/object: {block: Guest/d; s/Guest, //' alone.yaml
    draws alone 1
done
for pair in '0 1' '1 2' '2 3'; do
    read -r a b <<<"$pair"
    "$same" "alone-$a.png" "alone-$b.png" 1 >said.txt 2>&1 && complain "steps $a and $b look alike"
done

# Numbers in text may be float64 for karman.
files=('flow_%d.h5 0' 'flow_%d.cgns 1' 'flow.case 0' 'flow.dat 1')
[ "$has_xml" = no ] || files+=('flow.xdmf 0' 'flow.pvd 0')
for pair in "${files[@]}"; do
    read -r file most <<<"$pair"
    for ranks in 1 3; do
        config formats "$file"
        draws formats $ranks
        matches formats "$most" 0 1 2 3
    done
    timeout 60 "$karman" info "$file" --ranges=none >said.txt 2>&1 || complain "info $file: $(cat said.txt)"
    for line in 'moving    4 grids' 'step 1: Guest 10 x 9 x 8' 'step 2: Bar 31 x 10 x 13' \
        'step 3: Bar 19 x 14 x 9, without Guest'; do
        cases=$((cases + 1))
        grep -qF -- "$line" said.txt || complain "info $file: no '$line' in: $(cat said.txt)"
    done
done

config screen flow_%d.h5 screen
draws screen 8
matches screen 0 0 1 2 3
config back flow_%d.h5
draws back 2 --set 'data.steps=[1, 3, 2]'
matches back 0 1 3

# --resume goes on in the middle.
draws back 2
rm back-2.png
draws back 3 --resume
matches back 0 0 1 2 3

# Ranges and view that karman finds do not depend on ranks, and see all steps.
for ranks in 1 3; do
    cat >found.yaml <<TEXT
data: {file: flow_%d.h5}
image: {width: 60, height: 45}
layers: [{volume: {field: density}}, {contour: {field: velocity_y, block: Bar, k: 0, range: min-max}}]
output: {frames: found$ranks-%d.png}
TEXT
    draws found $ranks
    timeout 60 "$karman" render found.yaml --print-config >found$ranks.txt 2>&1 || complain "--print-config"
done
for step in 0 1 2 3; do
    "$same" found1-$step.png found3-$step.png 0 >said.txt 2>&1 || complain "found, step $step: $(cat said.txt)"
done
grep -qF 'range: [-0.44000002' found1.txt || complain "the range of all steps: $(cat found1.txt)"

# One grid for all is what the config says, and these have several.
config rest flow_%d.h5
cases=$((cases + 1))
timeout 60 "$karman" render rest.yaml --quiet --set data.grid.moves=false >said.txt 2>&1 && complain "one grid"
grep -qF "all files of a series have one grid" said.txt || complain "one grid: $(cat said.txt)"

echo "$cases cases, $failures failures"
[ "$failures" -eq 0 ]
