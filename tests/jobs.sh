# A queue of jobs for run.sh, which sources this file and sets `logs`, the folder of their logs.
#
# A job is three words, KIND CONFIGURATION NAME: the function KIND is called with the other two and prints a line
# "ok ..." or "not ok ..." for each test. One more job runs at a time than there are processors, as tests of the window
# mostly wait; the longest start first, as times.txt has it. A job that runs alone starts when all others are done.
# A job that waits for what never comes is told, and stopped as failed in the end.

queued=()
queued_alone=()
started=0
told_after=300   # seconds of a job until a line tells that it still runs
stopped_after=1200 # until it is stopped: about ten times what the longest takes
trap 'trap - TERM; kill 0' INT TERM HUP # jobs in the background do not hear of Ctrl-C

add_job() { # KIND CONFIGURATION NAME
    queued+=("$*")
}

add_job_alone() { # KIND CONFIGURATION NAME
    queued_alone+=("$*")
}

# Counts the tests in a log: "PASSED FAILED SKIPPED". A job that stops before its plan ("1..N") is done, that has no
# test, or that fails in another way, has one more failure.
count_tests() { # LOG STATUS
    local log=$1 status=$2 passed failed skipped planned
    passed=$(grep '^ok ' "$log" | grep -vic '# skip')
    failed=$(grep '^not ok ' "$log" | grep -vic '# skip')
    skipped=$(grep -Eic '^(not )?ok .*# skip' "$log")
    planned=$(awk -F. '/^1\.\.[0-9]+$/ { sum += $3 } END { print sum + 0 }' "$log")
    local seen=$((passed + failed + skipped))
    if { [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; } || [ $seen -eq 0 ] || [ "$planned" -gt $seen ]; then
        echo "stopped with status $status after $seen of $planned tests" >>"$log"
        failed=$((failed + 1))
    fi
    echo "$passed $failed $skipped"
}

# The processes below PROCESS, deepest first, then itself.
processes_of() { # PROCESS
    local child
    for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do processes_of "$child"; done
    echo "$1"
}

# Tells of jobs that take long and stops those that take too long: writes into the log what they were at. A job that
# runs has a file LOG.process with its process, which is as old as the job. Ends when the file `running` is gone.
watch_jobs() {
    local file age process all
    while [ -e "$logs/running" ]; do
        sleep 1
        for file in "$logs"/*.process; do
            age=$(($(date +%s) - $(stat -c %Y "$file" 2>/dev/null || date +%s)))
            if [ "$age" -ge $told_after ] && [ ! -e "$file.told" ]; then
                echo "still runs after $age s: ${file##*/}"
                touch "$file.told"
            fi
            [ "$age" -ge $stopped_after ] && process=$(cat "$file") || continue
            mapfile -t all < <(processes_of "$process" | grep -vx "$process")
            {
                echo "not ok - it is stopped after $age s, while these processes run:"
                for process in "${all[@]}"; do
                    echo "$process $(awk '/^State/ { print $2 }' /proc/$process/status) in $(cat /proc/$process/wchan):" \
                        "$(tr '\0' ' ' </proc/$process/cmdline)"
                done
            } >>"${file%.process}" 2>/dev/null
            kill -KILL "${all[@]}" 2>/dev/null
        done
    done
}

# Runs a job and prints what failed in one piece, as others run at the same time; on a terminal, also that a script
# passed. Its line in the results:
# KIND CONFIGURATION NAME PASSED FAILED SECONDS PROCESSOR_SECONDS.
run_job() { # KIND CONFIGURATION NAME
    local label="$2: $3" log=$logs/$1-$2-${3//[^a-zA-Z0-9]/-}.txt status=0 TIMEFORMAT='%R %U %S'
    local passed failed skipped seconds user system
    echo "$BASHPID" >"$log.process"
    { time "$@" </dev/null >>"$log" 2>&1 || status=$?; } 2>"$log.time"
    rm -f "$log.process" "$log.process.told"
    read -r seconds user system < <(tail -n 1 "$log.time")
    rm "$log.time"
    read -r passed failed skipped < <(count_tests "$log" $status)
    echo "$1 $2 $3 $passed $failed $seconds $(awk "BEGIN { print $user + $system }")" >>"$logs/results"
    {
        if [ "$failed" -ne 0 ]; then
            echo "--- $label: $log"
            grep -i '^not ok ' "$log" | grep -vi '# skip' | head -n 20
            echo "--- the end of that log:"
            grep -v '^ok ' "$log" | tail -n 60
            echo "---"
        fi
        if [ "$failed" -ne 0 ] || { [ "$1" = script ] && [ -t 1 ]; }; then
            printf '%-52s %5d passed %4d failed %6.1f s\n' "$label" "$passed" "$failed" "$seconds"
        fi
    } >"$log.report"
    cat "$log.report"
    rm "$log.report"
}

# The jobs on standard input in the order in which they start; one that times.txt lacks counts as a second.
longest_first() {
    awk 'NR == FNR { if ($1 + 0 > 0) seconds[$2 " " $3 " " $4] = $1; next }
        { print ($0 in seconds ? seconds[$0] : 1), $0 }' tests/times.txt - | sort -rn -s | cut -d' ' -f 2-
}

run_jobs() {
    local kind configuration name
    touch "$logs/running"
    (watch_jobs &) # not a job of this shell, which counts them
    while read -r kind configuration name; do
        while [ "$(jobs -rp | wc -l)" -gt "$(nproc)" ]; do wait -n; done
        started=$((started + 1))
        run_job "$kind" "$configuration" "$name" &
    done < <([ ${#queued[@]} -eq 0 ] || printf '%s\n' "${queued[@]}" | longest_first)
    wait
    while read -r kind configuration name; do
        started=$((started + 1))
        run_job "$kind" "$configuration" "$name"
    done < <([ ${#queued_alone[@]} -eq 0 ] || printf '%s\n' "${queued_alone[@]}")
    rm "$logs/running"
}

# Prints the sum of each kind and configuration, where the time went, which tests were skipped and which failed, and
# "N passed, N failed" as the last line.
report_jobs() { # SECONDS: since the start
    awk '{ key = sprintf("%-10s %-8s", $2, $1); passed[key] += $4; failed[key] += $5; time[key] += $7; jobs[key]++ }
        END { for (key in passed)
            printf "%s %5d passed %4d failed %7.1f minutes of processor time in %d jobs\n", key, passed[key],
                failed[key], time[key] / 60, jobs[key] }' "$logs/results" | sort
    awk '{ printf "%.1f %s %s %s\n", $7, $1, $2, $3 }' "$logs/results" | sort -rn >"$logs/times.txt"
    awk -v clock="$1" '{ sum += $1 }
        END { printf "%.1f minutes; the tests took %.1f minutes of processor time, the longest (s):\n",
            clock / 60, sum / 60 }' "$logs/times.txt"
    head -n 10 "$logs/times.txt" | awk '{ printf "%8.1f  %s %s %s\n", $1, $3, $2, $4 }'
    cat "$logs"/*-*.txt | sed -nE 's/^(not )?ok .*# skip */  skipped: /Ip' | sort | uniq -c
    awk '$5 > 0 { printf "  failed: %s: %s (%d)\n", $2, $3, $5 }' "$logs/results"
    awk -v started=$started '{ passed += $4; failed += $5 }
        END { failed += started - NR; printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }' \
        "$logs/results"
}
