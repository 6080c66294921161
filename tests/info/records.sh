#!/usr/bin/env bash
# A netCDF file of 900,000 records and 20 variables: memory grows with variables, not with both together.
#
#   records.sh KARMAN FOLDER PYTHON
set -u
karman=$1 folder=$2 python=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
"$python" - <<'PYTHON' || exit 1
import struct


def name(text):
    return struct.pack(">q", len(text)) + text.encode() + b"\0" * (-len(text) % 4)


RECORDS, FIELDS, NX, NY = 900000, 20, 3, 2
RECORD = 4 + FIELDS * NX * NY * 4
variables = [("lat", [1], "degrees_north", NY * 4), ("lon", [2], "degrees_east", NX * 4), ("time", [0], "days since 2000-01-01", 4)]
variables += [(f"t{n}", [0, 1, 2], "K", NX * NY * 4) for n in range(FIELDS)]


def header(places):
    out = b"CDF\5" + struct.pack(">qiq", RECORDS, 10, 3)
    out += b"".join(name(key) + struct.pack(">q", size) for key, size in (("time", 0), ("lat", NY), ("lon", NX)))
    out += struct.pack(">iqiq", 0, 0, 11, len(variables))
    for (key, axes, unit, size), place in zip(variables, places):
        out += name(key) + struct.pack(f">{1 + len(axes)}q", len(axes), *axes)
        out += struct.pack(">iq", 12, 1) + name("units") + struct.pack(">i", 2) + name(unit)
        out += struct.pack(">iqq", 5, size, place)
    return out


at = len(header([0] * len(variables)))
places = [at, at + NY * 4] + [at + (NX + NY) * 4 + (4 + (n - 1) * NX * NY * 4 if n > 0 else 0) for n in range(FIELDS + 1)]
with open("records.nc", "wb") as file:
    file.write(header(places))
    file.write(struct.pack(f">{NY + NX}f", *range(NY), *range(NX)))
    start = file.tell()
    file.truncate(start + RECORDS * RECORD)
    file.seek(start + (RECORDS - 1) * RECORD)
    file.write(struct.pack(">f", 7.5))
    file.write(struct.pack(f">{FIELDS * NX * NY}f", *range(FIELDS * NX * NY)))
PYTHON
ulimit -v 4000000
timeout 280 "$karman" info records.nc >said.txt 2>&1 || { echo "FAILED: $(tail -3 said.txt)"; exit 1; }
for line in 'steps     900000' 'last  899999   time 7.5' 't19                  at vertices' 'to 119 K'; do
    grep -qF -- "$line" said.txt || { echo "FAILED: no '$line' in: $(cat said.txt)"; exit 1; }
done
block=$(awk '/^blocks/ { getline; print $1 }' said.txt)
timeout 280 "$karman" probe records.nc --vertices "$block:0,0,0" --fields t19,2*t19 >table.csv 2>&1
grep -qF ',t19 [K],2*t19' table.csv || { echo "FAILED: no unit in: $(cat table.csv)"; exit 1; }
