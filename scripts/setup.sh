#!/usr/bin/env bash
# Installs the Debian packages that Springtide needs and that are missing. With --tests, also those of the tests; with
# --peers, those of the programs that `tests/bench/run.sh peers` measures beside it; with --web, those of the build for
# browsers; with --packages, those that make packages, for Windows too; with --arm, those that build and run for aarch64.
set -euo pipefail

build_packages=(gcc g++ libc6-dev make pkg-config premake4 libsuitesparse-dev liblua5.4-dev libsdl2-dev libpng-dev
    zlib1g-dev libedit-dev libimgui-dev libmd4c-dev libseccomp-dev libhdf5-dev libepoxy-dev libegl1 libgl1
    libgles2 libgl1-mesa-dri)
test_packages=(libcmocka-dev lua5.4 lua-busted lua-check xvfb xauth gnuplot-nox locales python3 python3-meshio
    python3-h5py assimp-utils parallel)
peer_packages=(libbullet-dev)
web_packages=(emscripten dpkg-dev lua5.4 nodejs npm chromium firefox-esr)
package_packages=(dpkg-dev lua5.4 python3 lintian libncurses-dev libbsd-dev libmd-dev libaec-dev
    gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix)
arm_packages=(gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user dpkg-dev)

needed=("${build_packages[@]}")
for word in "$@"; do
    case "$word" in
    --tests) needed+=("${test_packages[@]}") ;;
    --peers) needed+=("${peer_packages[@]}") ;;
    --web) needed+=("${web_packages[@]}") ;;
    --packages) needed+=("${package_packages[@]}") ;;
    --arm) needed+=("${arm_packages[@]}") ;;
    *)
        echo "usage: scripts/setup.sh [--tests] [--peers] [--web] [--packages] [--arm]" >&2
        exit 2
        ;;
    esac
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    {
        echo "Springtide sets itself up on Debian and its relatives. On this system, please install what these Debian"
        echo "packages contain:"
        printf '    %s\n' "${needed[@]}"
        echo "then build with scripts/build.sh."
    } >&2
    exit 1
fi

missing=()
for package in "${needed[@]}"; do
    # A premake 5 that was installed by hand does as well, and so does a node that brings its npm.
    case "$package" in
    premake4) ! command -v premake5 >/dev/null || continue ;;
    nodejs | npm) ! command -v npm >/dev/null || continue ;;
    esac
    installed=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$installed" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Springtide needs these packages; install them as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}" \
        >"$log" 2>&1
}
echo "Installing ${missing[*]} ..." >&2
# Package lists may be absent or too old: then fetch them and try again.
if ! install; then
    "${as_root[@]}" apt-get update >"$log" 2>&1 || {
        cat "$log" >&2
        echo "apt-get update failed; the packages that are missing: ${missing[*]}" >&2
        exit 1
    }
    install || {
        cat "$log" >&2
        echo "apt-get install failed; the packages that are missing: ${missing[*]}" >&2
        exit 1
    }
fi
