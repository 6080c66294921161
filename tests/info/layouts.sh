#!/usr/bin/env bash
# The same flow in many layouts, and spread over files, gives the same picture from any number of ranks.
#
#   layouts.sh KARMAN SAME_PICTURES SCRIPT FOLDER PYTHON MPIEXEC…
set -u
karman=$1 same=$2 script=$3 folder=$4 python=$5
shift 5
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

# config NAME DATA: writes NAME.yaml, which draws the step 1.
config() {
    cat >"$1.yaml" <<TEXT
data: $2
image: {width: 64, height: 40, samples: 1}
camera: {position: [1.5, -6, 2], look_at: [1.5, 0.9, 0.6], up: [0, 0, 1], fov: 30}
layers: [{volume: {field: u, range: [0, 1], opacity: [[0, 0], [1, 0.8]], unit_length: 0.3}}]
output: {frames: $1.png}
TEXT
}

# draws NAME REFERENCE DATA RANKS…: the picture is that of the reference.
draws() {
    local name=$1 reference=$2 ranks
    config "$name" "$3"
    shift 3
    for ranks in "$@"; do
        cases=$((cases + 1))
        timeout 60 "${mpiexec[@]}" -n "$ranks" "$karman" render "$name.yaml" --quiet >said.txt 2>&1 ||
            complain "$name on $ranks ranks: $(cat said.txt)"
        [ -z "$reference" ] || "$same" "$reference" "$name.png" 1 >said.txt 2>&1 ||
            complain "$name on $ranks ranks: $(cat said.txt)"
        [ ! -s said.txt ] || [ -z "$reference" ] || complain "$name: $(cat said.txt)"
    done
}

grid='grid: {x: /x, y: /y, z: /z}'
draws own '' '{file: own.h5, steps: 1}' 1
draws straight '' '{file: flat.h5, grid: {x: /whole/x, y: /whole/y, z: /whole/z}, fields: {u: /u}}' 1

# Axes.
draws step own.png "{file: axes.h5, steps: 1, $grid, fields: {u: '/u[step]'}, time: /time}" 1 5
draws first own.png "{file: axes.h5, steps: 1, grid: {x: '/xyz[0]', y: '/xyz[1]', z: '/xyz[2]'},
  fields: {u: '/first[step][1]'}}" 2 3
draws explicit own.png "{file: axes.h5, steps: 1, grid: {x: '/xyz[0,:]', y: '/xyz[1,:]', z: '/xyz[2]'},
  fields: {u: '/last[step,:,1]'}}" 1
draws vector own.png "{file: axes.h5, $grid, fields: {u: '/v[1]'}}" 1
draws fortran own.png "{file: fortran.h5, steps: 1, order: fortran, $grid, fields: {u: /t%d/u}}" 1 2 3 5

# Coordinates of one and two axes.
draws lists straight.png "{file: flat.h5, $grid, fields: {u: /u}}" 1 2 3 5
draws planes straight.png '{file: flat.h5, grid: {x: /x2, y: /y2, z: /depth}, fields: {u: /u}}' 1 3
draws turned straight.png "{file: turned.h5, order: fortran, $grid, fields: {u: /u}}" 1 3

# Blocks.
zones='grid: {x: /zone%s/x, y: /zone%s/y, z: /zone%s/z}'
draws zones own.png "{file: zones.h5, steps: 1, $zones, fields: {u: /zone%s/t%03d/u}}" 1 2 3 5
draws outs own.png "{file: zones.h5, steps: 1, $zones, fields: {u: /out%03d/zone%s}}" 1

# Other files.
draws virtual own.png "{file: virtual.h5, steps: 1, $grid, fields: {u: '/u[step]'}}" 1 2 3 5
draws pattern own.png '{file: flow_%05d.h5, steps: 15}' 1 3
draws beside own.png '{file: values_%03d.h5, steps: 1, time: /time, fields: {u: /u},
  grid: {file: axes.h5, x: /x, y: /y, z: /z}}' 1 2 3 5
draws folder own.png "{file: whole, steps: 1, $grid, fields: {u: /u}}" 1 3
draws list own.png "{file: [whole/w2.h5, whole/w1.h5], steps: 1, $grid, fields: {u: /u}}" 1 3

# says FILE FRAGMENT…: what info prints.
says() {
    local file=$1 fragment
    shift
    cases=$((cases + 1))
    timeout 60 "$karman" info "$file" --ranges=none >said.txt 2>&1 || complain "info $file: $(cat said.txt)"
    for fragment in "$@"; do
        grep -qF -- "$fragment" said.txt || complain "info $file: no '$fragment' in: $(cat said.txt)"
    done
}

says pattern.yaml 'files     3, flow_%05d.h5' 'grid      that of flow_00005.h5' '15       time 0.5'
says beside.yaml '1        time 0.5' '2        time 1'
says list.yaml '0        time 1' '1        time 0.5'
says step.yaml '2        time 1'
says zones.yaml 'blocks    3'
says 'flow_%05d.h5' 'steps     3'
says whole 'file: whole'
says flat.h5 'bounds    x from 0 to 3' 'velocity_x           at vertices'
timeout 60 "${mpiexec[@]}" -n 3 "$karman" info lists.nc >said.txt 2>&1 || complain "info lists.nc: $(cat said.txt)"
grep -q 'thetao .*missing -32767, packed x 0.000244140625 + 0  0 to 0.99.*steps 0 and 2' said.txt ||
    complain "info lists.nc: no range: $(cat said.txt)"

# pastes FILE FIELD REFERENCE STEP: the section that info prints draws the same.
pastes() {
    local name=paste-${1%.*}
    timeout 60 "$karman" info "$1" >said.txt 2>&1 || complain "info $1: $(cat said.txt)"
    config "$name" ''
    sed -n '/^data:/,$p' said.txt >pasted.txt
    sed -i -e '/^data:/{r pasted.txt
d}' -e "s/field: u/field: $2/" "$name.yaml"
    cases=$((cases + 1))
    timeout 60 "$karman" render "$name.yaml" --set "data.steps=$4" --quiet >said.txt 2>&1 ||
        complain "$name: $(cat said.txt)"
    [ -z "$3" ] || "$same" "$3" "$name.png" 1 >said.txt 2>&1 || complain "$name: $(cat said.txt)"
}

pastes axes.h5 velocity_x own.png 1
pastes zones.h5 velocity_x own.png 1
grep -q '    out: *.*/out%03d/zone%s' paste-zones.yaml || complain "zones.h5: a field has the name of a block"
pastes turned.h5 velocity_x straight.png first
pastes flat.h5 velocity_x straight.png first
pastes whole velocity_x own.png 1
pastes lists.nc thetao '' 1
grep -q 'time: /time' paste-lists.yaml || complain "lists.nc: no times"

# netCDF: without a config. Depths go down, land is missing.
for ranks in 1 2 3 5; do
    for file in lists planes; do
        cases=$((cases + 1))
        timeout 60 "${mpiexec[@]}" -n "$ranks" "$karman" render "$file.nc" -o "$file-$ranks.png" \
            --set image.width=64 --set image.height=40 --set image.samples=1 >said.txt 2>&1 || complain "$file.nc: $(cat said.txt)"
        grep -q "'thetao' is missing at" said.txt || complain "$file.nc: no land: $(cat said.txt)"
        "$same" lists-1.png "$file-$ranks.png" 1 >said.txt 2>&1 || complain "$file.nc, $ranks ranks: $(cat said.txt)"
    done
done
# A config that names the file alone, or a pattern of such files.
for data in '{file: lists.nc, steps: last}' '{file: [planes.nc], steps: last}'; do
    for ranks in 1 3; do
        printf 'data: %s\nimage: {width: 64, height: 40, samples: 1}\noutput: {frames: bare.png}\n' "$data" >bare.yaml
        cases=$((cases + 1))
        timeout 60 "${mpiexec[@]}" -n "$ranks" "$karman" render bare.yaml --quiet >said.txt 2>&1 ||
            complain "$data: $(cat said.txt)"
        grep -q 'grid and fields are guessed' said.txt || complain "$data: no word of guessing: $(cat said.txt)"
        "$same" lists-1.png bare.png 1 >said.txt 2>&1 || complain "$data, $ranks ranks: $(cat said.txt)"
    done
done

grep -q 'scale: \[1, 1, 0.001\]' paste-lists.yaml || complain "lists.nc: a kilometre does not count as a degree"
sed 's|scale: \[[^]]*\]|scale: [1, 1, 0.002]|' paste-lists.yaml >scaled.yaml
says scaled.yaml 'z from -2.5 to 0' 'x from 10 to 13'
says paste-lists.yaml '1        time 10958.5' 'z from -1.25 to 0'

# refuses DATA FRAGMENT…: one line for all three ranks.
refuses() {
    local data=$1 fragment
    shift
    config refused "$data"
    cases=$((cases + 1))
    timeout 60 "${mpiexec[@]}" -n 3 "$karman" render refused.yaml --quiet >said.txt 2>&1 &&
        complain "$data: it is drawn"
    [ "$(grep -c . said.txt)" -eq 1 ] || complain "$data: one line wanted: $(cat said.txt)"
    for fragment in "$@"; do
        grep -qF -- "$fragment" said.txt || complain "$data: no '$fragment' in: $(cat said.txt)"
    done
}

refuses "{file: gone.h5, $grid, fields: {u: '/u[step]'}}" "takes values from file 'gone_000.h5', which is missing"
refuses "{file: bad_%d.h5, grid: {x: /x, y: /y, z: /z, moves: false}, fields: {u: /u}}" "block 'block' of file 'bad_2.h5' has 25 x 15 x 10" 'one grid'
refuses "{file: nothing_%d.h5}" "no file in folder '.' has a name like 'nothing_%d.h5'"
refuses "{file: flow_%d_%d.h5}" 'may hold one %d or %0Nd'
refuses "{file: [own.h5, lost.h5]}" "'lost.h5' of the list is missing"
refuses '{file: mixed}' "several series, such as 'a1.h5' and 'b1.h5'"
refuses "{file: fortran.h5, grid: {x: /x, y: /y, z: /t0/u}, fields: {u: '/t0/u[step]'}}" 'has 3 axes, but 4'
refuses "{file: zones.h5, $zones, fields: {u: /zone1/t%03d/u}}" 'has 3 blocks' 'put %s in the place'
refuses "{file: zones.h5, grid: {x: /part%s/x, y: /y, z: /z}, fields: {u: /u}}" "nothing in group '/' of file 'zones.h5' fits"
refuses "{file: flat.h5, grid: {x: /x, y: /y, z: /y}, fields: {u: /u}}" "block 'block' needs 15 x 15 x 25"
refuses "{file: axes.h5, $grid, fields: {u: '/u[step]'}, time: /lost}" "no data set of numbers '/lost'"
refuses "{file: axes.h5, $grid, fields: {u: '/u[step]'}, time: /few}" "'/few' of file 'axes.h5' has "
refuses "{file: turned.h5, $grid, fields: {u: /u}}" "'/u'" 'order: fortran'

# --follow: the number of the step is in the name of the file; a new one is drawn when it has its name.
config steps "{file: whole/w%d.h5, $grid, fields: {u: /u}}"
sed -i 's/steps.png/step-%d.png/' steps.yaml
for file in whole/w%d.h5 run; do
    cases=$((cases + 1))
    rm -rf run step-*.png
    mkdir run
    cp whole/w0.h5 whole/w1.h5 run
    timeout 60 "${mpiexec[@]}" -n 2 "$karman" render steps.yaml --set "data.file=$file" --follow run --until 20 \
        --quiet >followed.txt 2>&1 &
    follower=$!
    until [ -e step-1.png ] || ! kill -0 $follower 2>/dev/null; do sleep 0.05; done
    cp whole/w2.h5 run/w2.part && mv run/w2.part run/w2.h5
    until [ -e step-2.png ] || ! kill -0 $follower 2>/dev/null; do sleep 0.05; done
    touch run/stop
    wait $follower || complain "--follow with $file: $(cat followed.txt)"
    "$same" own.png step-1.png 1 >said.txt 2>&1 || complain "--follow with $file: $(cat said.txt followed.txt)"
    [ -s step-0.png ] && [ -s step-2.png ] || complain "--follow with $file: $(ls run ./*.png)"
done

echo "$cases cases, $failures failures"
[ "$failures" -eq 0 ]
