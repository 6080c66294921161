#!/usr/bin/env bash
# karman compare: its output files, bad input, and continuing after an interruption.
#
#   compare.sh KARMAN DATA FOLDER LAUNCHER
#
# DATA: a karman data set with several steps; LAUNCHER: the command that starts MPI programs.
#
# Leaves comparisons in FOLDER/out and FOLDER/views for the test of their pages.
set -u
karman=$1 data=$2 folder=$3 launcher=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run CODE [ARGUMENT…]: runs the command, with its output in stdout.txt and stderr.txt.
run() {
    local code=$1 got
    shift
    timeout 600 "$karman" compare "$@" >stdout.txt 2>stderr.txt
    got=$?
    if [ "$got" -ne "$code" ]; then
        complain "'$*': expected exit code $code, got $got: $(head -c 500 stderr.txt)"
    fi
}

# reject CODE FRAGMENT [ARGUMENT…]: one sentence with the fragment, and no run is made.
reject() {
    local code=$1 fragment=$2
    shift 2
    run "$code" "$@" --out rejected
    if [ "$(grep -c 'karman: error: ' stderr.txt)" -ne 1 ] ||
        ! grep -qF -- "$fragment" stderr.txt; then
        complain "'$*': expected one message with '$fragment', got: $(cat stderr.txt)"
    fi
    if compgen -G 'rejected/runs/*.json' >/dev/null; then
        complain "'$*': expected no run, but there is $(ls rejected/runs)"
    fi
    rm -rf rejected
}

cat >case.yaml <<EOF
data: {file: '$data', steps: [0, 2]}
image: {width: 80, height: 60}
camera: {position: [-1.5, -12.5, 9.5], look_at: [4.6, 0.2, 1.6], up: [0, 0, 1], fov: 30}
layers:
  - volume:
      field: vorticity_magnitude
      range: [0, 3]
      colors: viridis
      opacity: [[0, 0], [0.1, 0], [0.6, 0.6], [1, 0.9]]
composite: {algorithm: radix-k, factors: [2, 2]}
output: {frames: 'f_%d.png', float: 'f_%d.h5', timings: t.json}
EOF
sed 's/fov: 30/fov: 300/' case.yaml >wrong.yaml
sed "s|$data|$folder/none.h5|" case.yaml >nowhere.yaml

# Bad input.
small=(case.yaml --partitions object --algorithms tree)
reject 2 "needs a config file"
reject 2 "follows 'case.yaml'" case.yaml other.yaml
for wrong in 0 -2 1,x 1,,2 '' 2,2 1.5 100001; do
    reject 2 "--ranks" "${small[@]}" "--ranks=$wrong"
done
# 100000 ranks take 781 GiB at least: more than most machines have.
if [ "$(awk '/^MemTotal/ { print int($2 / 1048576) }' /proc/meminfo)" -lt 700 ]; then
    given=${KARMAN_LAUNCHER-}
    unset KARMAN_LAUNCHER
    reject 2 "100000 ranks take 781 GiB" "${small[@]}" --ranks 1,100000
    [ -z "$given" ] || export KARMAN_LAUNCHER="$given"
fi
reject 2 "there is no 'magic', only auto,direct-send" case.yaml --algorithms tree,magic
reject 2 "there is no 'time', only object,object-cells,object-cost,screen,screen-area,screen-cost" \
    case.yaml --partitions object,time
reject 2 "there is no 'object-area'" case.yaml --partitions object-area
reject 2 "there is no 'huge', only as-is, small, large" "${small[@]}" --projections small,huge
reject 2 "--projections 'small,'" "${small[@]}" --projections small,
for wrong in x 0-, 1-0 '' 0,0 99999 -1; do
    reject 2 "--cores" "${small[@]}" "--cores=$wrong"
done
reject 2 "--repeat 0" "${small[@]}" --repeat 0
reject 2 "--threads x" "${small[@]}" --threads x
reject 2 "KEY=VALUE" "${small[@]}" --set image.width
reject 2 "wrong.yaml:" wrong.yaml --ranks 1
reject 2 "image.width" "${small[@]}" --set image.width=0
reject 2 "has no step 77: it has 6 steps from 0 to 5" "${small[@]}" --set data.steps=77
reject 1 "none.h5" nowhere.yaml --ranks 1
reject 1 "missing.yaml" missing.yaml
reject 2 "no-such-launcher" "${small[@]}" --ranks 1 --launcher no-such-launcher
reject 2 "--launcher is empty" "${small[@]}" --ranks 1 --launcher ' '
reject 2 "--no-such" "${small[@]}" --no-such

# A launcher that allows one rank only: the command detects it before the long run.
cat >one-rank.sh <<'EOF'
#!/bin/sh
[ "$2" = 1 ] || { echo "one rank only"; exit 9; }
shift 2
exec "$@"
EOF
chmod +x one-rank.sh
reject 2 "one rank only" "${small[@]}" --ranks 1,2 --launcher ./one-rank.sh

# A folder that cannot be made.
timeout 300 "$karman" compare "${small[@]}" --ranks 1 --out case.yaml/out 2>stderr.txt
[ $? -eq 1 ] || complain "expected exit code 1 for a folder within a file"
grep -q "case.yaml/out" stderr.txt || complain "expected the folder's name: $(cat stderr.txt)"

# A comparison. Parameters of the config's own algorithm do not disturb the others.
full=(case.yaml --ranks 1,2 --algorithms direct-send,tree --repeat 2 --out out)
run 0 "${full[@]}"
for file in report.html report.csv report.json traces/object-tree-2.json; do
    [ -s "out/$file" ] || complain "expected the file $file"
done
[ "$(compgen -G '*.h5' | wc -l)" -eq 0 ] || complain "expected no output of the config itself"
grep -q '^run [0-9]*/[0-9]*: sort-last (object), tree, 2 ranks: done, [0-9]* s left$' stdout.txt ||
    complain "expected a line for each run: $(cat stdout.txt)"
tr '\n' ' ' <stdout.txt | grep -q ' Use .* ranks* x 1 thread: .* s a frame (m' || complain "expected the advice: $(cat stdout.txt)"
grep -q '^    \([^ ]*mpiexec[^ ]* -n 2 \)*karman render case.yaml --threads 1$' stdout.txt ||
    complain "expected a command to paste: $(cat stdout.txt)"
# Probes leave a log only if they fail, as that of an unknown partition does; then the report has
# the reason.
for log in out/runs/*-0.log; do
    [ -e "$log" ] || continue
    reason=$(sed -n 's/^karman: error: //p' "$log")
    grep -qF -- "$reason" out/report.json || complain "expected '$reason' in the report"
done

# column NAME CASE: the value of a case in the table.
column() {
    awk -F, -v name="$1" -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        index($0, row) == 1 { print $c }' out/report.csv
}
for row in object,direct-send,1, object,direct-send,2, object,tree,2,; do
    [ "$(column available "$row")" = yes ] || complain "expected $row to be there"
    [ "$(column 'difference [1/255]' "$row")" -le 1 ] || complain "expected the same pictures of $row"
    for name in 'model [s]' 'wall [s]' 'wall_later [s]' 'memory [B]' 'run [s]'; do
        awk -v v="$(column "$name" "$row")" 'BEGIN { exit !(v > 0) }' ||
            complain "expected $name of $row to be positive: '$(column "$name" "$row")'"
    done
done
[ "$(column 'model_speedup [1]' object,direct-send,1,)" = 1 ] ||
    complain "expected one rank to be as fast as itself"

# The page is complete and needs no other file.
tail -c 20 out/report.html | grep -q '</html>' || complain "expected the end of the page"
grep -q '@[A-Z]*@' out/report.html && complain "expected every mark to be replaced"
grep -Eq '(src|href)="?(https?:)?//' out/report.html && complain "expected nothing from elsewhere"

# Continuing: finished runs stay, missing or broken ones are made.
before=$(stat -c %Y.%i out/runs/*-1.json | head -1)
gone=$(ls out/runs/object-tree-2-*-2.json)
rm "$gone"
broken=$(ls out/runs/object-direct-send-2-*-1.json)
head -c 100 "$broken" >short && mv short "$broken"
run 0 "${full[@]}"
[ "$(grep -c ': done, ' stdout.txt)" -eq 2 ] ||
    complain "expected two runs, got: $(cat stdout.txt)"
[ -s "$gone" ] || complain "expected the missing run"
[ "$(wc -c <"$broken")" -gt 100 ] || complain "expected the broken run to be made again"
[ "$(stat -c %Y.%i out/runs/*-1.json | head -1)" = "$before" ] ||
    complain "expected finished runs to stay"

# Other projections, balances by name, and all runs on one core, as every rank notes.
cat >note.sh <<EOF
#!/bin/sh
sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status >>$folder/bound
case "\$*" in *output.warm_caches=true*) ;; *) echo "\$*" >>$folder/cold;; esac
exec "\$@"
EOF
cat >bound.sh <<EOF
#!/bin/sh
n=\$2
shift 2
exec $launcher -n "\$n" $folder/note.sh "\$@"
EOF
chmod +x note.sh bound.sh
core=$(sed -n 's/^Cpus_allowed_list:.*[^0-9]\([0-9]*\)$/\1/p' /proc/self/status)
views=(case.yaml --ranks 1,2 --algorithms tree --partitions object-cost,screen-area
    --projections small,large --cores "$core" --warm-caches --set image.width=40 --set image.height=30
    --launcher ./bound.sh --out views)
run 0 "${views[@]}"
[ "$(sort -u bound)" = "$core" ] ||
    complain "expected all ranks on core $core, got: $(sort -u bound)"
grep -q '^projection small: [0-9.]* times as high, 2[4-8] % of the pixels are covered$' stdout.txt ||
    complain "expected a small projection: $(cat stdout.txt)"
grep -Eq '^projection large: [0-9.]* times as high, 9[6-9] % of the pixels are covered$' stdout.txt ||
    complain "expected a large projection: $(cat stdout.txt)"
grep -q '^run [0-9]*/8: sort-last (object by cost), tree, 2 ranks, large: done, ' stdout.txt ||
    complain "expected runs of each projection: $(cat stdout.txt)"
grep -q '"warm_caches": true' views/report.json || complain "expected a word on caches"
[ -e cold ] && complain "expected all runs to warm caches: $(cat cold)"
[ -s views/traces/screen-area-tree-2-small.json ] || complain "expected a trace of the small one"
[ "$(grep -c 'object-cost,tree,[12],small,yes\|screen-area,tree,[12],large,yes' views/report.csv)" -eq 4 ] ||
    complain "expected rows of each projection: $(cut -d, -f1-5 views/report.csv)"
cmp -s views/pictures/object-cost-tree-1-small-*/000000.png \
    views/pictures/object-cost-tree-1-large-*/000000.png && complain "expected two views"
probes=$(wc -l <bound)
run 0 "${views[@]}"
[ "$(wc -l <bound)" -eq "$probes" ] || complain "expected nothing to run a second time"

# Tiles of the picture: the first run of a case writes their costs, in its first and last frame. The
# same command continues from runs without tiles, and the page says that these have none.
[ "$(grep -c '"tiles": {' out/runs/object-tree-2-*-1.json)" -eq 2 ] ||
    complain "expected tiles of the first frame and the last"
grep -q '"tiles": {' out/runs/object-tree-2-*-2.json && complain "expected no tiles of other runs"
cp -r views bare
sed -i 's/"tiles": {/"unknown": {/' bare/runs/*-1.json
run 0 "${views[@]}" --out bare
grep -q ': done, ' stdout.txt && complain "expected nothing to run: $(cat stdout.txt)"
grep -q '"tiles"' bare/report.json && complain "expected no tiles in the report"

# Interrupted during a run: the child process ends, too, and no half-written file is left.
cat >slow.sh <<EOF
#!/bin/sh
echo \$\$ >>$folder/children
exec sleep 600
EOF
chmod +x slow.sh
"$karman" compare "${small[@]}" --ranks 1 --out stopped --launcher ./slow.sh >stdout.txt 2>stderr.txt &
process=$!
until [ -s children ] || ! kill -0 $process 2>/dev/null; do
    sleep 0.1
done
kill -TERM $process
wait $process
[ $? -eq 1 ] || complain "expected exit code 1 after an interruption"
grep -q "interrupted: the same command continues" stderr.txt ||
    complain "expected to be told how to go on: $(cat stderr.txt)"
kill -0 "$(cat children)" 2>/dev/null && complain "expected the child to end"

# A failing run does not stop the others; the report has the reason.
cat >fails.sh <<EOF
#!/bin/sh
n=\$2
case "\$*" in *image.width=64*) ;; *algorithm=tree*) echo "no tree today"; exit 3;; esac
exec $launcher "\$@"
EOF
chmod +x fails.sh
run 1 case.yaml --partitions object --ranks 1,2 --algorithms direct-send,tree --out partly \
    --launcher ./fails.sh
grep -q "1 of 3 cases failed" stderr.txt || complain "expected a count: $(cat stderr.txt)"
grep -q "no tree today" partly/report.json || complain "expected the reason in the report"

# More ranks than rectangles: a message says so, and the run goes on. (With parts of space, all
# ranks draw something.)
run 0 case.yaml --partitions object,screen --algorithms tree --ranks 1,3 --out idle \
    --set image.width=8 --set image.height=4
grep -q "with partition screen 1 of 3 ranks draw nothing of 8 x 4 pixels" stderr.txt ||
    complain "expected a warning of idle ranks: $(cat stderr.txt)"
[ "$(grep -c 'draw nothing' stderr.txt)" -eq 1 ] ||
    complain "expected one warning of idle ranks: $(cat stderr.txt)"

# Help, and no mpiexec around it.
run 0 --help
for option in ranks partitions algorithms projections repeat threads cores warm-caches out launcher\
    set quiet; do
    grep -Eq "^ +(-., )? *--$option[= ,]" stdout.txt || grep -q -- "--$option" stdout.txt ||
        complain "expected --$option in the help"
done

echo "$failures failures"
[ "$failures" -eq 0 ]
