#!/usr/bin/env bash
# Writes man pages from what programs print with --help, by help2man:
#
#   manual.sh FOLDER KARMAN DATASET VERSION
set -euo pipefail
folder=$1 karman=$2 dataset=$3 version=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# help2man parts names from texts at two blanks; a long name has one.
for program in "$karman" "$dataset"; do
    cat >"$work/$(basename "$program")" <<END
#!/bin/sh
"$program" "\$@" | sed -E -e '/^ +-/s/^(.{27}[^ ]) /\1  /' -e 's/^(  [a-z_]{11,}) /\1  /'
END
    chmod +x "$work/$(basename "$program")"
done
PATH=$work:$PATH

# page NAME SECTION CALL SUMMARY SEE_ALSO [HELP_OPTION]: headings of groups and of sections of a config
# become headings, and the exit status a section.
page() {
    printf '[see also]\n%s\n' "$5" >"$work/also"
    help2man --no-info --locale=C.UTF-8 --section="$2" --name="$4" --source="karman $version" --manual=karman \
        --version-string="$version" --include="$work/also" --help-option="${6:---help}" "$3" |
        sed -E -e "s/^\.TH \S+/.TH ${1^^}/" -e "s/^$3 \\\\- /${1//-/\\\\-} \\\\- /" \
            -e '/^\.[IP]P$/{N;s/^\.[IP]P\n([a-z_.]+|[A-Z][^.]*:)$/.SS "\1"/}' \
            -e 's/^Exit status: /.SH "EXIT STATUS"\n/' >"$folder/$1.$2"
}

pages=()
while read -r command summary; do
    page "karman-$command" 1 "karman $command" "$summary" "karman(1), karman-config(5)"
    pages+=("karman-$command(1),")
done < <("$karman" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]* .*\)/\1/p')
page karman 1 karman "parallel renderer of curvilinear CFD grids" "${pages[*]} karman-config(5), karman-solver(1), karman-dataset(1)"
page karman-dataset 1 karman-dataset "write a data set to try karman with" "karman(1)"
page karman-config 5 karman "pictures that karman draws, as a YAML file" "karman(1), karman-render(1), karman-help(1), karman-example(1)" "help config"
