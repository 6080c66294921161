#!/usr/bin/env bash
# A new member of a family works in the program: it is found by its name, and pictures are right.
#
#   extend.sh FAMILY EXTENDED KARMAN SAME_PICTURES FOLDER MPIEXEC…
#
# EXTENDED is the program with one file and one line more for each family, KARMAN the program without.
set -u
family=$1 extended=$2 karman=$3 same=$4 folder=$5
shift 5
mpiexec=("$@")
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# A grid of 20 x 8 x 6 vertices in the format of crate.c, and its picture: a volume on three ranks.
echo "crate 20 8 6" >grid.crate
cat >crate.yaml <<'END'
data: {file: grid.crate}
image: {width: 96, height: 64}
camera: {position: [30, -22, 14], look_at: [9, 4, 2.5], fov: 30}
layers:
  - volume: {field: height, range: [0, 5], colors: blue-to-red, opacity: [[0, 0.1], [1, 0.4]], unit_length: 3}
output: {frames: picture.png}
END

# draw RANKS PICTURE [ARGUMENT…]: draws the config with the extended program.
draw() {
    local ranks=$1 picture=$2
    shift 2
    timeout 300 "${mpiexec[@]}" -n "$ranks" "$extended" render crate.yaml --quiet \
        --set "output.frames=$picture" "$@" >out.txt 2>&1 ||
        complain "'$*' on $ranks ranks: exit code $?: $(cat out.txt)"
}

# alike A B: the pictures are alike to a count, and not blank.
alike() {
    "$same" "$1" "$2" 1 || complain "$1 and $2 differ"
}

# differ A B: the pictures are there, and not alike.
differ() {
    if [ ! -s "$1" ] || [ ! -s "$2" ] || "$same" "$1" "$2" 1 >/dev/null 2>&1; then
        complain "$1 and $2 are alike, or not there"
    fi
}

# unknown FRAGMENT ARGUMENT…: the program without the member refuses it, and lists the choices.
unknown() {
    local fragment=$1
    shift
    timeout 300 "$karman" "$@" >out.txt 2>&1
    local code=$?
    if [ "$code" -eq 0 ] || ! grep -qF -- "$fragment" out.txt; then
        complain "karman $*: expected a failure with '$fragment', got $code: $(cat out.txt)"
    fi
}

case $family in
algorithm)
    "$extended" schedule --list | grep -q '^to-front' || complain "schedule --list has no to-front"
    for ranks in 1 2 3 7 64; do
        "$extended" schedule to-front --ranks "$ranks" --check | grep -q ': right: ' ||
            complain "the schedule of $ranks ranks is not proved"
    done
    draw 1 one.png
    draw 3 three.png --set composite.algorithm=to-front
    alike one.png three.png
    unknown "no compositing algorithm 'to-front'" schedule to-front --ranks 3
    ;;
collective)
    for ranks in 1 2 7 64; do
        "$extended" collectives broadcast backward --ranks "$ranks" --root $((ranks / 2)) --check | grep -q ': right: ' ||
            complain "the broadcast among $ranks ranks is not proved"
    done
    "$extended" collectives | grep -q '^  backward .* 7α + 56β' || complain "the table of collectives has no backward"
    unknown "broadcast has no algorithm 'backward'" collectives broadcast backward
    ;;
format)
    "$extended" info grid.crate >info.txt 2>&1 || complain "info: $(cat info.txt)"
    draw 1 one.png
    draw 3 three.png
    alike one.png three.png
    timeout 300 "$extended" render grid.crate --field height -o auto.png --quiet >out.txt 2>&1 ||
        complain "a data file without a config: $(cat out.txt)"
    [ -s auto.png ] || complain "a data file without a config: no picture"
    unknown "is not an HDF5 file" render crate.yaml
    ;;
distribution)
    draw 1 one.png
    for ranks in 2 3; do
        draw $ranks reversed-$ranks.png --set partition=reversed
        alike one.png reversed-$ranks.png
    done
    unknown "reversed" render crate.yaml --set partition=reversed
    ;;
layer)
    draw 1 without.png
    sed -i 's/^output:/  - diagonal: {color: [1, 1, 1], line_width: 4}\n&/' crate.yaml
    draw 1 one.png
    draw 3 three.png
    alike one.png three.png
    differ one.png without.png
    unknown "unknown kind of layer 'diagonal'" render crate.yaml
    ;;
*)
    complain "no family '$family'"
    ;;
esac
echo "$failures failures"
[ "$failures" -eq 0 ]
