#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh CASE PROGRAM: runs the golden case in the folder CASE with PROGRAM as `fairlead`.
#
# A case holds
#   cmd      a shell script
#   stdin    what it reads (optional; else it reads an empty file)
#   needs    a shell script that fails where the case cannot run (optional): then it is skipped (77)
#   stdout stderr exit
#            what it must print, byte by byte, and its exit status
# and any other file the script reads.  The script runs in a fresh scratch folder that holds
# copies of those other files, so that messages name them without a path; $CASE is the folder
# of the case.  The environment is empty but for PATH, HOME, LC_ALL, TZ and CASE.
#
# UPDATE_GOLDEN=1 writes what was printed into the case instead of comparing.
set -u

die() {
	echo "run.sh: $*" >&2
	exit 2
}

[ $# -eq 2 ] || die "usage: run.sh CASE PROGRAM"
CASE=$(cd "$1" && pwd) || die "no folder $1"
[ -x "$2" ] || die "no program $2"
program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
update=${UPDATE_GOLDEN:-0}
if [ "$update" = 1 ] && [ "${CI:-}" = true ]; then
	die "UPDATE_GOLDEN is set under CI: expected output must be reviewed, not made"
fi

if [ -f "$CASE/needs" ] && ! sh "$CASE/needs" >/dev/null 2>&1 </dev/null; then
	echo "run.sh: skipped: this machine lacks what $CASE/needs asks for"
	exit 77
fi

scratch=$(mktemp -d) || die "no scratch folder"
trap 'rm -rf "$scratch"' EXIT
trap 'exit 129' HUP INT TERM
mkdir "$scratch/bin" "$scratch/cwd" "$scratch/got"
ln -s "$program" "$scratch/bin/fairlead"
for file in "$CASE"/*; do
	case ${file##*/} in
	cmd | needs | stdin | stdout | stderr | exit) ;;
	*) cp -R "$file" "$scratch/cwd/" ;;
	esac
done
stdin=/dev/null
[ ! -f "$CASE/stdin" ] || stdin=$CASE/stdin

(cd "$scratch/cwd" && exec env -i PATH="$scratch/bin:/usr/bin:/bin" HOME="$scratch/cwd" \
	LC_ALL=C TZ=UTC CASE="$CASE" ASAN_OPTIONS="${ASAN_OPTIONS:-}" \
	UBSAN_OPTIONS="${UBSAN_OPTIONS:-}" sh "$CASE/cmd") \
	<"$stdin" >"$scratch/got/stdout" 2>"$scratch/got/stderr"
echo $? >"$scratch/got/exit"

failed=0
for part in exit stderr stdout; do
	# A path of this machine in a result would pass here and nowhere else.
	if grep -qF -e "$CASE" -e "$scratch" "$scratch/got/$part"; then
		echo "$part names a path of this machine:"
		grep -nF -e "$CASE" -e "$scratch" "$scratch/got/$part" | head -n 5
		failed=1
	fi
	if [ "$update" = 1 ]; then
		cmp -s "$scratch/got/$part" "$CASE/$part" || cp "$scratch/got/$part" "$CASE/$part"
	elif [ ! -f "$CASE/$part" ]; then
		echo "$CASE/$part: missing; UPDATE_GOLDEN=1 writes it"
		failed=1
	elif ! cmp -s "$CASE/$part" "$scratch/got/$part"; then
		diff -u --label "expected $part" --label "actual $part" \
			"$CASE/$part" "$scratch/got/$part"
		failed=1
	fi
done
exit $failed
