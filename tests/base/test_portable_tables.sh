#!/usr/bin/env bash
# engine/base/portable_tables.h is what scripts/portable_tables.py writes.
. "$(dirname "$0")/../app/checks.sh"
python3 "$root/scripts/portable_tables.py" >tables.h
equals "the script: status" $? 0
passes "the tables are those of the script" cmp tables.h "$root/engine/base/portable_tables.h"
finish
