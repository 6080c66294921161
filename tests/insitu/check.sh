#!/usr/bin/env bash
# 'karman check' finds what karman_open and the first picture would find, before the job.
#
#   check.sh KARMAN FOLDER
set -u
karman=$1 folder=$2 failures=0
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1
cat >good.yaml <<'YAML'
camera: {position: [0, -8, 3], look_at: [2, 0, 0], projection: parallel, height: 3}
layers:
  - volume: {field: mach, opacity: [[0, 0], [1, 0.8]]}
  - object: {block: wing, k: 32}
  - particles: {mode: stream, seeds: [{block: tail, points: [[1, 1, 1]]}]}
in_situ: {run: never_made, pictures: [{name: front}, {name: side, when: {field: density, above: 2}}]}
YAML
fields=density,momentum_x,momentum_y,momentum_z,energy:element
grid=wing=129x65x33,tail=65x33x33

# expect CODE TEXT EDIT ARGUMENT...: checks the good config after an edit by sed.
expect() {
    local code=$1 text=$2 said
    sed "$3" good.yaml >config.yaml
    said=$("$karman" check config.yaml "${@:4}" 2>&1)
    if [ $? -ne "$code" ] || ! grep -qF -- "$text" <<<"$said"; then
        echo "FAILED: $*: expected $code and '$text', got: $said"
        failures=$((failures + 1))
    fi
}

known=(--fields "$fields" --grid "$grid")
expect 0 '2 pictures, no fault found' '' "${known[@]}"
expect 0 'not checked: coordinates, values' '' "${known[@]}"
expect 0 'not checked: fields (--fields), blocks (--grid), coordinates' ''
expect 0 '1 picture, no fault' '/^in_situ/d' "${known[@]}"
expect 2 "config.yaml:6: unknown key 'abve' in in_situ.pictures.1.when" 's/above: 2/abve: 2/'
expect 2 'config.yaml:6: in_situ.pictures.1.name' 's/name: side/name: front/'
expect 2 "'side' is the same" 's/name: front/&, output: {frames: a_%d.png}/; s/name: side/&, output: {frames: a_%d.png}/'
expect 2 "config.yaml:1: camera" 's/look_at: \[2, 0, 0\]/look_at: [0, -8, 3]/'
expect 2 "there is no 'radix-j' (did you mean 'radix-k'" '$acomposite: {algorithm: radix-j}'
expect 2 'composite.factors' '$acomposite: {algorithm: radix-k, factors: [4, 2]}' --ranks 6
expect 0 'no fault' '$acomposite: {algorithm: radix-k, factors: [4, 2]}' --ranks 8
expect 1 'config.yaml:3: layers.0.volume' '' --fields density,energy
expect 1 "in_situ.pictures.1.when: there is no field 'densty'" 's/field: density/field: densty/' "${known[@]}"
expect 1 'config.yaml:5: layers.2.particles' 's/mode: stream/&, velocity: [u, v, w]/' "${known[@]}"
expect 2 "layers.1.object.block: there is no block 'wnig' (did you mean 'wing'" 's/wing/wnig/' --grid "$grid"
expect 2 "layers.1.object.k: k = 40 lies outside of the block 'wing'" 's/k: 32/k: 40/' --grid "$grid"
expect 2 "layers.2.particles.seeds.0: there is no block 'tial'" 's/tail/tial/' --grid "$grid"
expect 2 "data.priority" '$adata: {priority: [flap]}' --grid "$grid"
expect 2 '--grid wing=129x65: give BLOCK=NIxNJxNK' '' --grid wing=129x65
expect 2 '--fields : give names' '' --fields density,
expect 2 '--ranks x: give a whole number' '' --ranks x
expect 0 'no fault' 's/mach/mcah/' --set layers.0.volume.field=mach "${known[@]}"
printf 'FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: lost.geo\n' >data.case
printf 'C Binary' >data.geo
for file in data.case data.geo; do
    said=$("$karman" check $file 2>&1)
    [ "$said" = "$("$karman" info $file 2>&1)" ] || { echo "FAILED: of data, not as info: $said"; failures=$((failures + 1)); }
done
[ ! -e never_made ] || { echo 'FAILED: a check made the run directory'; failures=$((failures + 1)); }
"$karman" check 2>&1 | grep -q 'check needs a config' || failures=$((failures + 1))
exit $((failures > 0))
