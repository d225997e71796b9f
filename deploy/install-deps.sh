#!/usr/bin/env bash
# Installs everything that Freqstore is built, tested and run with on Debian 12 (bookworm). Run as root.
#
#   deploy/install-deps.sh            packages to build, test and lint
#   deploy/install-deps.sh --runtime  only what the finished binaries need
#   deploy/install-deps.sh --check    install nothing; fails, naming them, if packages to build are missing
#
# Catch2 3 comes from bookworm-backports. Its apt entry is derived from the machine's own sources, so a
# machine that uses an internal mirror keeps using it.
set -euo pipefail

readonly APT_DIR=/etc/apt
readonly BACKPORTS="bookworm-backports"

die() { echo "install-deps: $*" >&2; exit 1; }

[ "${1:-}" = --check ] || [ "$(id -u)" -eq 0 ] ||
  die "must run as root: it installs packages (try: sudo deploy/install-deps.sh)"
# shellcheck disable=SC1091
. /etc/os-release
[ "${VERSION_CODENAME:-}" = bookworm ] || die "made for Debian 12 (bookworm), this is ${PRETTY_NAME:-unknown}"

BUILD_PACKAGES=(
  build-essential cmake ninja-build pkg-config ccache git ca-certificates
  clang clang-format clang-tidy libclang-rt-14-dev
  protobuf-compiler protobuf-compiler-grpc libprotobuf-dev libgrpc++-dev libgrpc-dev libabsl-dev
  librocksdb-dev libjpeg62-turbo-dev libxxhash-dev libzstd-dev libssl-dev
  libdnnl-dev ocl-icd-opencl-dev libonnx-dev
  libpng-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libspdlog-dev libfmt-dev
  libbenchmark-dev prometheus-cpp-dev python3
)
RUNTIME_PACKAGES=(
  libgrpc++1.51 libprotobuf32 libabsl20220623 librocksdb7.8 libjpeg62-turbo libdnnl2 libonnx1 libgomp1
  libspdlog1.10 libfmt9 libssl3 libxxhash0 libzstd1 libpng16-16
  libprometheus-cpp-core1.0 libprometheus-cpp-pull1.0
)

has_backports() { grep -rqs "$BACKPORTS" "$APT_DIR/sources.list" "$APT_DIR/sources.list.d"; }

# Prints the stanza or line that serves plain `bookworm`, with the suite replaced.
derive_backports() {
  local file
  for file in "$APT_DIR"/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    awk -v suite="$BACKPORTS" '
      BEGIN { RS = ""; FS = "\n" }
      /(^|\n)Types:[^\n]*deb/ && /(^|\n)Suites:[^\n]*[ \t]bookworm([ \t\n]|$)/ && !done {
        for (i = 1; i <= NF; i++) if ($i !~ /^#/) print ($i ~ /^Suites:/ ? "Suites: " suite : $i)
        done = 1
      }' "$file" > "$APT_DIR/sources.list.d/freqstore-backports.sources.tmp"
    if [ -s "$APT_DIR/sources.list.d/freqstore-backports.sources.tmp" ]; then
      mv "$APT_DIR/sources.list.d/freqstore-backports.sources.tmp" "$APT_DIR/sources.list.d/freqstore-backports.sources"
      return 0
    fi
    rm -f "$APT_DIR/sources.list.d/freqstore-backports.sources.tmp"
  done
  for file in "$APT_DIR/sources.list" "$APT_DIR"/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    local line
    line=$(grep -m1 -E '^deb[[:space:]].*[[:space:]]bookworm[[:space:]]' "$file" || true)
    if [ -n "$line" ]; then
      echo "${line/ bookworm / $BACKPORTS }" > "$APT_DIR/sources.list.d/freqstore-backports.list"
      return 0
    fi
  done
  die "found no apt source for bookworm to derive $BACKPORTS from; add one and run again"
}

if [ "${1:-}" = --check ]; then
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
  missing=$(comm -13 <(sort -u <<< "$installed") <(printf '%s\n' "${BUILD_PACKAGES[@]}" catch2 | sort -u))
  [ -z "$missing" ] || die "missing: ${missing//$'\n'/ }"
  exit 0
fi

export DEBIAN_FRONTEND=noninteractive
if [ "${1:-}" = --runtime ]; then
  apt-get update -q
  apt-get install -y -q --no-install-recommends "${RUNTIME_PACKAGES[@]}"
  exit 0
fi
[ $# -eq 0 ] || die "unknown argument '$1' (only --runtime and --check are known)"

has_backports || derive_backports
apt-get update -q
apt-get install -y -q --no-install-recommends "${BUILD_PACKAGES[@]}"
apt-get install -y -q --no-install-recommends -t "$BACKPORTS" catch2
