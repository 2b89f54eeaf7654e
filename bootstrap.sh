#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# From a fresh Debian 12 to a running Fairlead:
#
#   ./bootstrap.sh demo [ARG...]      build, then `fairlead demo ARG...`
#   ./bootstrap.sh test [ARG...]      build with sanitizers, then every test; ARG goes to ctest
#   ./bootstrap.sh build [PRESET]     build a preset of CMakePresets.json (release)
#   ./bootstrap.sh install SECTION... install the sections of packages.txt that are missing
#
# Exit status: that of what was run; 2 for a wrong command; 3 when a package is missing and
# cannot be installed.
set -eu
cd "$(dirname "$0")"

usage() {
	sed -n 's/^#   \(.*\)/\1/p' "$0" >&2
	exit 2
}

# The packages of the sections $*, one a line.
packages_of() {
	for section in "$@"; do
		grep -qx "\[$section\]" packages.txt || {
			echo "bootstrap.sh: packages.txt has no section [$section]" >&2
			exit 2
		}
		sed -n "/^\[$section\]\$/,/^\[/{/^\[/d;s/[[:space:]]*#.*//;/./p;}" packages.txt
	done
}

# Those of the packages $* that are not installed, in one line.
missing_of() {
	# shellcheck disable=SC2016 # dpkg-query fills in the fields
	have=" $(dpkg-query -W -f '${db:Status-Status}=${Package} ' "$@" 2>/dev/null || :)"
	for package in "$@"; do
		case $have in
		*" installed=$package "*) ;;
		*) printf '%s ' "$package" ;;
		esac
	done
}

install_sections() {
	if ! command -v dpkg-query >/dev/null; then
		echo "bootstrap.sh: this is no Debian; taking what packages.txt lists for granted" >&2
		return 0
	fi
	packages=$(packages_of "$@")
	# shellcheck disable=SC2086 # one word a package
	missing=$(missing_of $packages)
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		echo "bootstrap.sh: not installed; as root: apt-get install ${missing% }" >&2
		exit 3
	fi
	echo "bootstrap.sh: installing $missing" >&2
	export DEBIAN_FRONTEND=noninteractive
	# shellcheck disable=SC2086
	{
		apt-get update -q </dev/null &&
			apt-get install -q -y --no-install-recommends $missing </dev/null
	} >&2 || {
		echo "bootstrap.sh: apt-get could not install ${missing% }; see above" >&2
		exit 3
	}
}

build_preset() {
	if [ ! -f "build/$1/build.ninja" ]; then
		cmake --preset "$1" >&2
	fi
	cmake --build --preset "$1" >&2
}

# Runs ctest and closes with a line that counts: "N passed, N failed".
run_tests() {
	report=build/dev/ctest.xml
	rm -f "$report"
	status=0
	ctest --preset dev --parallel "$(nproc)" --output-junit "$PWD/$report" "$@" || status=$?
	# A report that is missing, or that counts nothing, is no success.
	count() {
		sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\"\$/\1/p" "$report" 2>/dev/null | head -n 1
	}
	tests=$(count tests)
	failed=$(count failures)
	skipped=$(count skipped)
	disabled=$(count disabled)
	if [ -z "$tests" ] || [ "$tests" -eq 0 ]; then
		echo "bootstrap.sh: no test was run" >&2
		exit 1
	fi
	left_out=$((${skipped:-0} + ${disabled:-0}))
	[ "$left_out" -eq 0 ] || echo "$left_out skipped"
	echo "$((tests - failed - left_out)) passed, $failed failed"
	exit "$status"
}

[ $# -ge 1 ] || usage
command=$1
shift
case $command in
demo)
	install_sections build
	build_preset release
	exec build/release/fairlead demo "$@"
	;;
test)
	install_sections build test
	build_preset dev
	run_tests "$@"
	;;
build)
	[ $# -le 1 ] || usage
	case ${1:-release} in
	release) install_sections build ;;
	fuzz | clang-*) install_sections build test ci ;;
	*) install_sections build test ;;
	esac
	build_preset "${1:-release}"
	;;
install)
	[ $# -ge 1 ] || usage
	install_sections "$@"
	;;
*)
	echo "bootstrap.sh: there is no command \"$command\"" >&2
	usage
	;;
esac
