#!/usr/bin/env bash
# Data files without a config, and configs that leave values open. The values found are the same on
# any number of ranks and threads, a printed config draws the same picture, and bad input gives a
# message.
#
#   auto.sh KARMAN KARMAN_DATASET SAME_PICTURES MAKE_BROKEN FOLDER LAUNCHER…
set -u
karman=$1 dataset=$2 same=$3 make_broken=$4 folder=$5
shift 5
launcher=("$@")
ranks=1 # the launcher's last word, unless there is none
[ $# -gt 0 ] && ranks=${!#}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0
small=(--set 'image={width: 96, height: 60}')

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run CODE ARGUMENT…: runs karman, with its output in stdout.txt and stderr.txt.
run() {
    local code=$1 got
    shift
    timeout 300 "${launcher[@]}" "$karman" "$@" >stdout.txt 2>stderr.txt
    got=$?
    [ "$got" -eq "$code" ] || complain "karman $*: expected exit code $code, got $got: $(cat stderr.txt)"
}

# says FRAGMENT, and keeps_quiet: check standard error after run.
says() {
    [ "$(grep -cF -- "$1" stderr.txt)" -eq 1 ] || complain "expected once '$1', got: $(cat stderr.txt)"
}
keeps_quiet() {
    [ -s stderr.txt ] && complain "unexpected: $(cat stderr.txt)"
}

# reject CODE FRAGMENT ARGUMENT…: one error, and no file is written.
reject() {
    local code=$1 fragment=$2
    shift 2
    run "$code" "$@"
    says "$fragment"
    [ "$(grep -c 'karman: error: ' stderr.txt)" -eq 1 ] || complain "expected one error: $(cat stderr.txt)"
    [ -s stdout.txt ] && complain "karman $*: prints $(cat stdout.txt)"
    [ -z "$(find . -name '*.png*' -o -name '*.tmp*')" ] || complain "karman $*: leaves $(find . -name '*.png*')"
}

has() {
    [ -s "$1" ] || complain "there is no $1: $(cat stderr.txt)"
}

sets=(karman annulus c-grid o-grid pole boundary-layer two-blocks iblank-sphere overset nan-field far)
for set in "${sets[@]}"; do
    "$dataset" "$set" --steps 2 --output "$set.h5" >/dev/null || exit 1
done
"$dataset" karman --steps 3 --size 31,17,5 --output street.h5 >/dev/null || exit 1
"$make_broken" no-finite no-finite.h5 || exit 1
"$make_broken" no-grid no-grid.h5 || exit 1
printf 'data: {file: street.h5}\noutput: {frames: s_%%02d.png}\n' >open.yaml

# The same on these ranks, or with two threads, as on a single rank.
threads=()
[ "$ranks" -eq 1 ] && threads=(--threads 2)
# Two and three ranks take turns.
turns=("${sets[@]}")
[ "$ranks" -eq 2 ] && turns=(karman c-grid pole two-blocks overset far)
[ "$ranks" -eq 3 ] && turns=(annulus o-grid boundary-layer iblank-sphere nan-field)
for set in "${turns[@]}"; do
    sed "s/street/$set/" open.yaml >"open-$set.yaml"
    "$karman" render "open-$set.yaml" --print-config >"$set.yaml" 2>stderr.txt ||
        complain "$set: $(cat stderr.txt)"
    run 0 render "open-$set.yaml" --print-config "${threads[@]}"
    cmp stdout.txt "$set.yaml" || complain "$set: other values are found"
    grep -qw auto "$set.yaml" && complain "$set: $(grep -w auto "$set.yaml") is open still"
done
if [ "$ranks" -eq 2 ]; then # one and three do the rest
    echo "$failures failures"
    exit $((failures > 0))
fi

# The kind of picture: slices of a flow over walls, a contour of a grid of two planes.
run 0 render boundary-layer.h5 --print-config "${small[@]}"
[ "$(grep -c 'contour:' stdout.txt)" -eq 4 ] || complain "slices: $(cat stdout.txt)"
grep -q 'volume:' stdout.txt && complain "slices beside a volume: $(cat stdout.txt)"
grep -q 'look: screen' stdout.txt || complain "no look: $(cat stdout.txt)"
cp stdout.txt slices.yaml
run 0 render boundary-layer.h5 "${small[@]}" --quiet -o slices.png
run 0 render slices.yaml --quiet -o printed.png
"$same" slices.png printed.png 0 || complain "the printed config of slices draws another picture"
rm -f ./*.png
"$dataset" karman --size 31,17,2 --output planes.h5 >/dev/null || exit 1
run 0 render planes.h5 --print-config
for line in 'contour:' 'k: 0' 'field: mach\|field: velocity_magnitude'; do
    grep -q "$line" stdout.txt || complain "two planes: no '$line' in: $(cat stdout.txt)"
done
run 0 render nan-field.h5 --print-config # as a map of a sea, whose land is grey
grep -q 'nan_color' stdout.txt || complain "missing values are not grey: $(cat stdout.txt)"
run 0 render karman.h5 --print-config --set look=paper
[ "$(grep -c 'look: paper' stdout.txt)" -eq 1 ] || complain "a look is replaced: $(cat stdout.txt)"

# Bad input. Every rank reads a file and a config alike, so that a few of these suffice on several
# ranks.
echo "this is no HDF5 file" >text.h5
mkdir folder.h5
reject 1 "file 'text.h5' is not an HDF5 file but text" render text.h5
reject 1 "no-grid.h5" render no-grid.h5
reject 1 "the field 's' of 'no-finite.h5' has no finite value" render no-finite.h5
reject 1 "--field vorticity_mag: there is no field 'vorticity_mag' (did you mean 'vorticity_magnitude'?)" \
    render street.h5 --field vorticity_mag
reject 1 "file 'missing.h5' cannot be opened" init missing.h5
if [ "$ranks" -eq 1 ]; then
    reject 1 "file 'missing.h5' cannot be opened" render missing.h5
    reject 1 "folder 'folder.h5' holds no data file" render folder.h5
    reject 1 "the config missing.yaml cannot be read" render missing.yaml
    reject 1 "the data are those of 'pole.h5'" render street.h5 pole.h5
    reject 2 "'pole.h5' follows 'street.h5'" render street.h5 street.h5 street.h5 street.h5 pole.h5
    reject 2 "-o street.jpg: must end in .png" render street.h5 -o street.jpg
    reject 2 "-o folder.h5/: is the folder 'folder.h5/'" render street.h5 -o folder.h5/
    reject 2 "--follow" render street.h5 --follow .
    reject 2 "image.widht" render street.h5 --set image.widht=3
    reject 2 "needs a data file" init
    reject 2 "'pole.h5' follows 'street.h5'" init street.h5 pole.h5
    reject 1 "there is no field 'p'" init street.h5 --field p
    reject 1 "file 'open.yaml' is not an HDF5 file" init open.yaml
    reject 2 "--field pressure: the config has no volume to show it" render open.yaml \
        --field pressure --set 'layers=[{outline: {}}]'
fi

# A picture of each file is not blank; a constant field gives a warning, if it is asked for.
run 0 render annulus.h5 "${small[@]}" --quiet --field constant
says "nearly all of the field 'constant' has one value, 0.5"
[ "$ranks" -gt 1 ] && sets=(annulus two-blocks overset nan-field)
for set in "${sets[@]}"; do
    run 0 render "$set.h5" "${small[@]}" --quiet
    has "$set.png"
    case $set in
    annulus) keeps_quiet ;; # another field than the first, which is constant
    nan-field) says "the field 'broken' is missing at " ;;
    *) keeps_quiet ;;
    esac
    # The printed config draws the same picture, and names its own origin.
    run 0 render "$set.h5" "${small[@]}" -o "$set-printed.png" --print-config
    mv stdout.txt printed.yaml
    run 0 render printed.yaml --quiet
    "$same" "$set.png" "$set-printed.png" 0 || complain "$set: the printed config draws another picture"
done
rm -- *.png

# Names of pictures.
run 0 render street.h5 "${small[@]}"
keeps_quiet
has street.png
grep -q '^  frames: street.png$' stdout.txt || complain "the config is not printed: $(cat stdout.txt)"
run 0 render street.h5 "${small[@]}" --quiet -o 'all/%02d.png' --field pressure
[ "$(ls all)" = $'00.png\n01.png\n02.png' ] || complain "of three steps there is: $(ls all)"
[ -s stdout.txt ] && complain "--quiet prints $(cat stdout.txt)"
mkdir -p below
run 0 render street.h5 --print-config --field pressure -o 'p_%d.png'
grep -q '^      field: pressure$' stdout.txt || complain "--field is not in $(cat stdout.txt)"
sed 's/street/..\/street/' open.yaml >below/case.yaml
run 0 render below/case.yaml "${small[@]}" --quiet -o here.png --set data.steps=0
has here.png

# A config of init draws the same picture; so does one with values set to auto again.
run 0 init street.h5
mv stdout.txt init.yaml
run 0 render init.yaml "${small[@]}" --quiet
keeps_quiet
cp street_0002.png init.png
sed 's/^      range: [^#]*/      range: auto /; s/^      opacity: \[[^#]*/      opacity: auto /' init.yaml >again.yaml
run 0 render again.yaml "${small[@]}" --quiet
"$same" init.png street_0002.png 0 || complain "auto draws another picture than its value"

# A grid alone with a far field is cut off around its body, and numbers stand beside it.
awk 'BEGIN { print 65, 33, 2; for (axis = 0; axis < 3; axis++) for (k = 0; k < 2; k++) for (j = 0; j < 33; j++)
    for (i = 0; i < 65; i++) { r = exp(j * 0.15); a = i * 0.0981747704
        print axis == 0 ? r * cos(a) : axis == 1 ? r * sin(a) : k } }' >ring.xyz
run 0 init ring.xyz
[ "$(grep -c 'normal:' stdout.txt)" -eq 4 ] || complain "expected 4 planes around a ring: $(cat stdout.txt)"
grep -q 'axes_box:' stdout.txt || complain "a ring has no axes: $(cat stdout.txt)"

# A field of one value gives way on a sheet, too, unless it is asked for.
awk 'BEGIN { print "VARIABLES = X Y pressure s\nZONE I=9, J=9"
    for (j = 0; j < 9; j++) for (i = 0; i < 9; i++) print i, j, 5, i * j }' >even.dat
run 0 init even.dat
keeps_quiet
grep -q 'field: s ' stdout.txt || complain "a field of one value is drawn: $(cat stdout.txt)"
run 0 init even.dat --field pressure
says "has one value"

# Pictures of an open config are kept, unless another config drew them.
run 0 render open.yaml "${small[@]}" --quiet
run 0 render open.yaml "${small[@]}" --resume
[ "$(grep -c 'is complete$' stdout.txt)" -eq 3 ] || complain "--resume: $(cat stdout.txt)"
rm s_01.png
run 0 render open.yaml "${small[@]}" --resume
[ "$(grep -c 'is complete$' stdout.txt)" -eq 2 ] || complain "--resume: $(cat stdout.txt)"
run 0 render open.yaml "${small[@]}" --resume --set camera.fov=20
[ "$(grep -c 'is complete$' stdout.txt)" -eq 0 ] || complain "--resume: $(cat stdout.txt)"

# A picture of one colour, except for thin edges.
for partition in object screen; do
    plain=("${small[@]}" --quiet -o plain.png --set "partition=$partition" --set image.width=320
        --set image.height=200)
    volume='layers=[{volume: {field: pressure, range: [90, 91], unit_length: 0.1, opacity: '
    run 0 render street.h5 "${plain[@]}" --set "$volume [[0, 1], [1, 1]]}}]"
    says "plain.png shows hardly more than one colour"
    run 0 render street.h5 "${plain[@]}" --set "$volume [[0, 0], [1, 1]]}}]"
    says "plain.png shows nothing but background"
    run 0 render street.h5 "${plain[@]}"
    keeps_quiet
done

# karman compare finds the values once.
if [ "$ranks" -eq 1 ]; then
    run 0 compare open.yaml --ranks 1 --partitions object --algorithms tree --projections as-is,large \
        --repeat 1 --set 'image={width: 48, height: 32}' --set data.steps=1 --out compared
    [ "$(grep -c tree compared/report.csv)" -ge 2 ] || complain "compare: $(cat compared/report.csv stderr.txt)"
fi
echo "$failures failures"
[ "$failures" -eq 0 ]
