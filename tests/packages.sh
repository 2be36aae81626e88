#!/usr/bin/env bash
# Makes the packages, unpacks them elsewhere and runs them from there: Debian's, the archive for Linux, and that for Windows
# where wine is installed. It builds the program up to three more times, so it is not a part of tests/run.sh. The last line
# is "N passed, N failed".
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

if ! scripts/setup.sh --tests --packages || ! scripts/build.sh release; then
    echo "0 passed, 1 failed"
    exit 1
fi
for part in linux windows; do
    bash tests/app/packages_$part.sh "$PWD/build/release"
done | awk '/^ok/ { passed++ } /^not ok/ { failed++ } { print }
    END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'
