#!/usr/bin/env bash
# `sweep --slurm` with a Slurm of one machine, which this test starts as the user it runs as and ends again. Without Slurm
# (Debian: slurm-wlm) there is nothing to test; test_sweep.sh has a stand-in.
. "$(dirname "$0")/checks.sh"

if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null; then
    passes "skipped: there is no Slurm (Debian: slurm-wlm)" true
    finish
fi
PATH=$PATH:/usr/sbin

# Two ports that nothing listens on.
read -r one two < <(/usr/bin/python3 - <<'PYTHON'
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))
PYTHON
)
mkdir state spool
cat >slurm.conf <<CONF
ClusterName=springtide
SlurmctldHost=$(uname -n | cut -d. -f1)(127.0.0.1)
SlurmctldPort=$one
SlurmdPort=$two
AuthType=auth/none
CredType=cred/none
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2
NodeName=node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=node Default=YES State=UP
CONF
export SLURM_CONF=$folder/slurm.conf
slurmctld -D >ctld.out 2>&1 &
controller=$!
slurmd -D -N node >slurmd.out 2>&1 &
daemon=$!
trap 'kill $controller $daemon 2>/dev/null; wait; rm -rf "$folder"' EXIT
until sinfo --noheader --states=idle --format=%n 2>/dev/null | grep -q node; do
    kill -0 $controller 2>/dev/null && kill -0 $daemon 2>/dev/null || break
    sleep 0.5
done
passes "Slurm is there" sh -c 'sinfo --noheader --states=idle --format=%n | grep -q node'
if [ $failures -gt 0 ]; then
    tail -n 5 ctld.out slurmd.out slurmctld.log slurmd.log
    finish
fi

write_cloth cloth.lua
finished() { until [ -z "$(squeue --noheader)" ]; do sleep 0.5; done; }
words=(sweep cloth.lua --vary stiffness=10:1000:6:log --frames 30 --out s --slurm)
scontrol update partitionname=all state=down # until the second sweep has seen the first job wait
run "${words[@]}"
equals "submitted: status" "$status" 0
contains "submitted: what is told" "$out" "6 of 6 runs submitted to Slurm as job "
run "${words[@]}"
equals "submitted twice: status" "$status" 1
contains "submitted twice: message" "$err" "is still in the queue of Slurm"
scontrol update partitionname=all state=up
finished
equals "all rows are done" "$(cut -d, -f4 s/sweep.csv | tail -n +2 | sort | uniq -c | xargs)" "6 done"
before=$(stat -c '%n %i %y' s/runs/*.run | grep -v 000004)
rm s/runs/000004.run
run "${words[@]}"
contains "again: only what is missing" "$out" "1 of 6 runs submitted"
finished
equals "again: all rows are done" "$(cut -d, -f4 s/sweep.csv | tail -n +2 | sort | uniq -c | xargs)" "6 done"
equals "again: no other run is taken" "$(stat -c '%n %i %y' s/runs/*.run | grep -v 000004)" "$before"
springtide sweep cloth.lua --vary stiffness=10:1000:6:log --frames 30 --out here --jobs 1 >.out
equals "the same hashes as without Slurm" "$(cut -d, -f8 s/sweep.csv)" "$(cut -d, -f8 here/sweep.csv)"
finish
