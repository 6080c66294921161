#!/usr/bin/env bash
# karman tune: its search, its file and its messages; and the same picture by any file.
#
#   tune.sh KARMAN SAME_PICTURES DATA FOLDER MPIEXEC…
set -u
karman=$1 same=$2 data=$3 folder=$4
shift 4
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder/home"
cd "$folder" || exit 1
export XDG_CONFIG_HOME=$folder/home TMPDIR=$folder
failures=0

complain() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect CODE COMMAND…: its exit code; output goes to stdout.txt and stderr.txt.
expect() {
    local code=$1 got
    shift
    timeout 300 "$@" >stdout.txt 2>stderr.txt
    got=$?
    [ "$got" -eq "$code" ] ||
        complain "'$*': expected exit code $code, got $got: $(head -c 500 stderr.txt)"
}

# reject CODE FRAGMENT [ARGUMENT…]: one sentence with the fragment.
reject() {
    local code=$1 fragment=$2
    shift 2
    expect "$code" "$karman" tune "$@"
    [ "$(grep -c 'karman: error: ' stderr.txt)" -eq 1 ] ||
        complain "'$*': expected one message, got: $(cat stderr.txt)"
    grep -qF -- "$fragment" stderr.txt ||
        complain "'$*': expected a message with '$fragment', got: $(cat stderr.txt)"
}

shows() {
    grep -qF -- "$1" stdout.txt || complain "expected '$1' in: $(head -30 stdout.txt)"
}

warns() {
    [ "$(grep -cF -- "$1" stderr.txt)" -eq 1 ] ||
        complain "expected one warning '$1' in: $(cat stderr.txt)"
}

cat >config.yaml <<YAML
data: {file: $data, steps: last}
image: {width: 96, height: 64, samples: 1}
layers:
  - volume: {field: vorticity_magnitude, opacity: [[0, 0.02], [1, 0.9]]}
output: {frames: picture.png, timings: timings.json}
YAML

# ---- Wrong usage ----

reject 2 "a single rank composites nothing"
reject 2 "--budget 0: give seconds" --budget 0
reject 2 "--budget x: give seconds" --budget x
reject 2 "--sizes: the sides of pictures are 16 to 16384 pixels" --sizes 8
reject 2 "--sizes 64,,: give" --sizes 64,,
reject 2 "leave out --sizes" config.yaml --sizes 64
reject 2 "are commands: give one" --show --check config.yaml
reject 2 "are commands: give one" --collectives --show
reject 2 "--collectives takes 2 to 64 ranks" --collectives
reject 2 "measure nothing" --show --budget 3
reject 2 "needs the config" --check
reject 2 "there is no tuning file" --show
reject 1 "cannot be read as a tuning file" --show config.yaml
expect 2 "${launcher[@]}" "$karman" tune config.yaml --out file.json --set x=1
expect 0 "$karman" tune --check config.yaml
shows "a single rank composites nothing"
expect 0 "${launcher[@]}" "$karman" tune --check config.yaml
shows "there is no tuning file"

# ---- Tuning ----

expect 0 "${launcher[@]}" "$karman" tune --sizes 32 --budget 120
shows "32 x 32, dense, bytes: "
shows "32 x 32, k-d, floats: "
shows "32 x 32, k-d, pieces: "
expect 0 "${launcher[@]}" "$karman" tune --sizes 32 --budget 120 --exhaustive --out other.json
expect 0 "${launcher[@]}" "$karman" tune config.yaml --budget 120
shows "96 x 64, frame, bytes: "
expect 0 "${launcher[@]}" "$karman" tune --sizes 64 --budget 1e-9
shows "is used up: 6 of 6 points are left out"
expect 0 "$karman" tune --show
shows "this one"
[ "$(grep -c '^ *3 ' stdout.txt)" -eq 7 ] || complain "expected seven rules: $(cat stdout.txt)"
expect 0 "$karman" tune --show other.json
expect 0 "${launcher[@]}" "$karman" tune --check config.yaml
shows "96 x 64 pixels to bytes, 3 ranks on 1 node"
ls -d karman-tune-* 2>/dev/null && complain "a folder for temporary files is left"
cp config.yaml broken.json
expect 1 "${launcher[@]}" "$karman" tune --sizes 32 --budget 120 --out broken.json
cmp -s config.yaml broken.json || complain "a file of another kind was written to"

# ---- Collectives ----

for strategy in "" --exhaustive; do # the second adds the same cases
    # shellcheck disable=SC2086
    expect 0 "${launcher[@]}" "$karman" tune --collectives broadcast --sizes 64,65536 --out c.json --budget 120 $strategy
    shows "MPI loses"
    [ "$(grep -c '^ *3 .* broadcast ' stdout.txt)" -eq 2 ] || complain "expected two sizes: $(cat stdout.txt)"
done
expect 0 "${launcher[@]}" "$karman" tune --collectives --sizes 1024 --out c.json --budget 120
expect 2 "${launcher[@]}" "$karman" tune --collectives broadcost
python3 - <<'PYTHON' || complain "c.json has other collectives: $(cat c.json)"
import json
machine, = json.load(open("c.json"))["machines"]
cases = [(row["collective"], row["bytes"]) for row in machine["collectives"]]
assert len(set(cases)) == len(cases) and ("broadcast", 64) in cases and ("barrier", 0) in cases, cases
for row in machine["collectives"]:
    assert row["ranks"] == 3 and 0 < row["seconds"] <= row["mpi_seconds"], row
    assert (row["algorithm"] == "mpi") == (row["seconds"] == row["mpi_seconds"]), row
PYTHON
expect 0 "$karman" tune --show c.json
[ "$(grep -c '^ *3 .* broadcast ' stdout.txt)" -eq 3 ] || complain "expected three broadcasts: $(cat stdout.txt)"

# ---- Pictures ----

mv home/karman/tuning.json tuned.json
expect 0 "${launcher[@]}" "$karman" render config.yaml --quiet
mv picture.png without.png
# Random rules of this machine: algorithms, parameters that suit or not, segments.
python3 - <<'PYTHON'
import json, random
random.seed(5)
tuned = json.load(open("tuned.json"))
names = ["direct-send", "binary-swap", "2-3-swap", "radix-k", "tree", "tod-tree", "chain", "serial"]
for n, name in enumerate(names):
    rules = [{"ranks": 3, "nodes": 1, "ranks_a_node": 3, "target": target, "pixels": 96 * 64, "activity": activity,
              "algorithm": name, "factors": [3] if name == "radix-k" else [],
              "group": random.choice([0, 2, 7]) if name in ("tod-tree", "chain") else 0,
              "fan_in": random.choice([0, 2, 3]) if name in ("tree", "tod-tree") else 0,
              "by_nodes": random.random() < 0.3, "segment": random.choice([0, 1024, 4096]),
              "encoding": random.choice(["auto", "raw"]),
              "seconds": 1, "auto_seconds": 2, "spread": 0}
             for target in ("pieces", "floats", "bytes") for activity in (1, 0.25, 0.06)]
    tuned["machines"][0]["rules"] = rules
    json.dump(tuned, open(f"random-{n}.json", "w"))
tuned["machines"][0]["signature"]["transport"] = "carrier pigeons"
json.dump(tuned, open("foreign.json", "w"))
PYTHON
tuned_frames=0
raw_frames=0
for file in random-*.json; do
    expect 0 "${launcher[@]}" "$karman" render config.yaml --quiet --set "composite.tuning=$file"
    # Parameters that do not suit leave the choice to `auto`, which brings a warning.
    if grep -q '"reason": "tuned"' timings.json; then
        [ -s stderr.txt ] && complain "$file: unexpected message: $(cat stderr.txt)"
    else
        warns "no picture followed a rule"
    fi
    "$same" without.png picture.png 1 >/dev/null || complain "$file: another picture"
    grep -q '"reason": "tuned"' timings.json && tuned_frames=$((tuned_frames + 1))
    grep -q '"encoding": "raw"' timings.json && raw_frames=$((raw_frames + 1))
done
[ "$tuned_frames" -ge 6 ] || complain "expected most files to be followed, got $tuned_frames"
expect 0 "${launcher[@]}" "$karman" tune --check config.yaml
shows "there is no tuning file"

[ "$raw_frames" -ge 2 ] || complain "expected raw messages by some files, got $raw_frames"

# ---- Frames with several samples a pixel ----

# As most frames have them. Their pieces are added up before they become bytes.
sed 's/, samples: 1}/}/' config.yaml >usual.yaml
expect 0 "${launcher[@]}" "$karman" tune usual.yaml --budget 120 --out usual.json
shows "96 x 64, frame, pieces: "
python3 - <<'PYTHON'
import json
tuned = json.load(open("tuned.json"))
def write(name, **changes):
    rule = {"ranks": 3, "nodes": 1, "ranks_a_node": 3, "target": "pieces", "pixels": 96 * 64, "activity": 0.3,
            "algorithm": "tree", "factors": [], "group": 0, "fan_in": 2, "by_nodes": False, "segment": 0,
            "encoding": "auto", "seconds": 1, "auto_seconds": 2, "spread": 0}
    tuned["machines"][0]["rules"] = [{**rule, **changes}]
    json.dump(tuned, open(name, "w"))
write("pieces.json")
write("bytes.json", target="bytes")
write("large.json", pixels=4 * 96 * 64)
write("sparse.json", activity=0.001)
PYTHON
expect 0 "${launcher[@]}" "$karman" render usual.yaml --quiet --set composite.tuning=pieces.json
[ -s stderr.txt ] && complain "pieces.json: unexpected message: $(cat stderr.txt)"
grep -q '"reason": "tuned"' timings.json || complain "pieces.json: expected its choice: $(cat timings.json)"
sed '$a composite: {tuning: pieces.json}' usual.yaml >pieces.yaml
expect 0 "${launcher[@]}" "$karman" tune --check pieces.yaml
shows "to pieces"
shows "tree, fan_in 2 (measured"
none="has rules for these ranks, but none for about 96 x 64 pixels to pieces"
for case in "bytes:$none" "large:$none" "sparse:no picture followed a rule"; do
    file=${case%%:*}.json
    expect 0 "${launcher[@]}" "$karman" render usual.yaml --quiet --set "composite.tuning=$file"
    warns "${case#*:}"
    grep -q '"reason": "usual"' timings.json || complain "$file: expected the usual choice"
done
sed '$a composite: {tuning: bytes.json}' usual.yaml >bytes.yaml
expect 0 "${launcher[@]}" "$karman" tune --check bytes.yaml
shows "$none"
expect 0 "${launcher[@]}" "$karman" render pieces.yaml --quiet --set composite.algorithm=tree
warns "pieces.json: no rule is used: the config names a compositing algorithm"

# ---- Encoding ----

# Each rank is a node of its own.
apart=(env MPIR_CVAR_NOLOCAL=1 "${launcher[@]}")
bytes_sent() {
    python3 -c 'import json; print(json.load(open("timings.json"))["frames"][0]["bytes_sent"])'
}
# By the config, then by a rule of a file.
expect 0 "${apart[@]}" "$karman" render config.yaml --quiet
encoded=$(bytes_sent)
expect 0 "${apart[@]}" "$karman" render config.yaml --quiet --set composite.encoding=raw
raw=$(bytes_sent)
[ "$raw" -gt "$encoded" ] || complain "expected more bytes raw than $encoded, got $raw"
"$same" without.png picture.png 1 >/dev/null || complain "raw messages: another picture"
python3 - <<'PYTHON'
import json
tuned = json.load(open("tuned.json"))
rule = {"ranks": 3, "nodes": 3, "ranks_a_node": 1, "target": "pieces", "pixels": 96 * 64, "activity": 0.3,
        "algorithm": "auto", "factors": [], "group": 0, "fan_in": 0, "by_nodes": False, "segment": 0,
        "encoding": "raw", "seconds": 1, "auto_seconds": 2, "spread": 0}
tuned["machines"][0]["rules"] = [rule]
json.dump(tuned, open("raw.json", "w"))
rule["encoding"] = "zip"
json.dump(tuned, open("zip.json", "w"))
PYTHON
expect 0 "${apart[@]}" "$karman" render config.yaml --quiet --set composite.tuning=raw.json
by_rule=$(bytes_sent)
[ "$by_rule" -eq "$raw" ] || complain "expected $raw bytes by a rule, got $by_rule"
"$same" without.png picture.png 1 >/dev/null || complain "raw.json: another picture"
expect 0 "$karman" tune --show raw.json
shows "auto, encoding raw"
sed '$a composite: {tuning: raw.json}' config.yaml >raw.yaml
expect 0 "${apart[@]}" "$karman" tune --check raw.yaml
shows "auto, encoding raw (measured, for 6144 pixels"
expect 0 "${apart[@]}" "$karman" render config.yaml --quiet --set composite.tuning=zip.json
warns "'encoding' of rule 1 has an impossible value: tune again, or remove the rule; compositing goes without it"

# ---- The simulator's choice ----

expect 0 "${apart[@]}" "$karman" tune --sizes 32 --budget 1e-9 --out machine.json
shows "machine: 3 nodes"
shows "is used up: 4 of 4 points are left out"
expect 0 "$karman" tune --show machine.json
shows "measured   3 nodes"
expect 0 "${apart[@]}" "$karman" tune --check config.yaml
shows "there is no tuning file"
# With a latency of 10 ms a tree of one round is the fastest way to rank 0.
python3 - <<'PYTHON'
import json
known = json.load(open("machine.json"))
machine = known["machines"][0]["machine"]
machine["alpha"] = 0.01
json.dump(known, open("slow.json", "w"))
machine["ports"] = 0
json.dump(known, open("impossible.json", "w"))
PYTHON
expect 0 "${apart[@]}" "$karman" render config.yaml --quiet --set output.float=floats.h5 \
    --set composite.tuning=slow.json
[ -s stderr.txt ] && complain "slow.json: unexpected message: $(cat stderr.txt)"
grep -q '"reason": "simulated"' timings.json || complain "expected the choice of the simulator: $(cat timings.json)"
"$same" without.png picture.png 1 >/dev/null || complain "slow.json: another picture"
sed 's/^output: {/output: {float: floats.h5, /; $a composite: {tuning: slow.json}' config.yaml >named.yaml
expect 0 "${apart[@]}" "$karman" tune --check named.yaml
shows "(predicted, for 6144 pixels, activity 100.0 %)"
expect 0 "${apart[@]}" "$karman" render config.yaml --quiet --set composite.tuning=impossible.json
warns "compositing goes without it"
grep -q '"reason": "usual"' timings.json || complain "impossible.json: expected the usual choice"
expect 0 "${launcher[@]}" "$karman" render config.yaml --quiet --set composite.tuning=machine.json
warns "has no rules for this processor"

# Files of no use: one warning, and the same bytes as without.
: >empty.json
echo '{"karman_tuning": 0, "machines": []}' >old.json
for case in "foreign.json:has no rules for this processor" "empty.json:cannot be read as a tuning file" \
    "old.json:of format 0" "missing.json:cannot be read as a tuning file"; do
    file=${case%%:*}
    expect 0 "${launcher[@]}" "$karman" render config.yaml --quiet --set "composite.tuning=$file"
    warns "${case#*:}"
    "$same" without.png picture.png 0 >/dev/null || complain "$file: another picture"
    grep -q '"reason": "usual"' timings.json || complain "$file: expected the usual choice"
done
# A foreign file in the usual place brings no word.
mkdir -p home/karman
cp foreign.json home/karman/tuning.json
expect 0 "${launcher[@]}" "$karman" render config.yaml --quiet
[ -s stderr.txt ] && complain "a foreign file that nobody named brings: $(cat stderr.txt)"

[ "$failures" -eq 0 ] && echo "karman tune does as its manual says"
exit $((failures > 0))
