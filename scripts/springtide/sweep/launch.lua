-- Starts the processes of a sweep: by GNU parallel on this machine, or as an array job of Slurm.
local launch = {}

local LARGEST_ARRAY = 1000 -- Slurm's default MaxArraySize is 1001; an element takes several runs where there are more

-- A word that a shell reads as it is.
function launch.quote(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function quoted(words)
  local list = {}
  for i, word in ipairs(words) do
    list[i] = launch.quote(word)
  end
  return table.concat(list, " ")
end

-- A script that takes the run whose number it is given, and prints the number when it is over. What the run prints goes
-- to DIR/output/NUMBER.txt. Signals that end the whole sweep end the script before it can note anything.
function launch.run_script(sweep, options)
  local words = { options.program, "sweep", "--out", options.out, "--threads", tostring(options.threads) }
  table.move(sweep.opening, 1, #sweep.opening, #words + 1, words)
  local program = quoted(words)
  local limit = options.time_limit and ("--time-limit %.17g"):format(options.time_limit) or ""
  local timeout = options.time_limit and ("timeout --foreground -k 5 %.17g "):format(options.time_limit) or ""
  return ([[
#!/bin/sh
# Takes run $1 of this sweep. Written by `springtide sweep`.
output=%s/output/$1.txt
%s%s --run "$1" </dev/null >"$output" 2>&1
status=$?
[ $status -eq 0 ] || %s --run "$1" --end $status %s >>"$output" 2>&1
[ -s "$output" ] || rm -f "$output"
echo "$1"
]]):format(launch.quote(options.out), timeout, program, program, limit)
end

-- The number of processors, where --jobs is not given.
local function jobs_of(options)
  return options.jobs and tostring(options.jobs) or "100%"
end

local function first_line(host, command)
  local pipe = host.open_pipe(command)
  local line = pipe:read "l"
  local done = pipe:close()
  return done and line or nil, line
end

-- Takes the runs of the list and calls `done()` after each. Returns true, or nil and a message.
function launch.parallel(host, pending, options, done)
  -- moreutils has another program of that name
  if not first_line(host, [[grep -l "GNU Parallel" "$(command -v parallel)" 2>/dev/null </dev/null]]) then
    return nil, "sweep: GNU parallel is not there to take the runs; install it (Debian: parallel)"
  end
  local saved, message = host.save("pending.txt", table.concat(pending, "\n") .. "\n")
  if not saved then
    return nil, message
  end
  local script = options.out .. "/run.sh"
  local command = ("SPRINGTIDE_RUN=%s PARALLEL_SHELL=/bin/sh parallel --plain --will-cite --jobs %s --line-buffer " ..
    [[--arg-file %s 'sh "$SPRINGTIDE_RUN" {}' ]]):format(launch.quote(script), launch.quote(jobs_of(options)),
    launch.quote(options.out .. "/pending.txt"))
  local pipe = host.open_pipe(command)
  for line in pipe:lines() do
    if tonumber(line) then
      done()
    end
  end
  pipe:close()
  return true
end

-- --- Slurm -----------------------------------------------------------------------------------------------------------

function launch.slurm_script(pending, options)
  local elements = math.min(#pending, LARGEST_ARRAY)
  return ([[
#!/bin/sh
#SBATCH --job-name=springtide-sweep
#SBATCH --array=1-%d%s
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=%d
#SBATCH --output=/dev/null
# Element e of the array takes the runs of lines e, e + %d, ... of pending.txt.
awk -v element="$SLURM_ARRAY_TASK_ID" 'NR %% %d == element %% %d' %s/pending.txt | while read -r run; do
    sh %s/run.sh "$run"
done
]]):format(elements, options.jobs and "%" .. options.jobs or "", options.threads, elements, elements, elements,
    launch.quote(options.out), launch.quote(options.out))
end

-- Collects the tables when the array has ended.
function launch.collect_script(options)
  return ([[
#!/bin/sh
#SBATCH --job-name=springtide-collect
#SBATCH --ntasks=1
#SBATCH --output=/dev/null
%s
]]):format(options.collect)
end

local function submit(host, words)
  local number, said = first_line(host, "sbatch --parsable " .. words .. " 2>&1 </dev/null")
  number = number and number:match "^(%d+)"
  if not number then
    return nil, ("sweep: sbatch refused the job: %s; is Slurm there (Debian: slurm-wlm)?"):format(
      said or "it says nothing")
  end
  return number
end

-- Whether a job that an earlier sweep submitted is still in the queue.
local function is_queued(host, number)
  local line = first_line(host, ("squeue --noheader --jobs=%s 2>/dev/null </dev/null"):format(number))
  return line ~= nil and line:find "%S" ~= nil
end

-- Submits the runs. Returns the numbers of the array job and of the job that collects, or nil and a message.
function launch.slurm(host, pending, options)
  local before = host.read(options.out .. "/slurm.txt")
  local earlier = before and before:match "^(%d+)"
  if earlier and is_queued(host, earlier) then
    return nil, ("sweep: %s: its job %s is still in the queue of Slurm; wait for it, or end it by scancel %s"):format(
      options.out, earlier, earlier)
  end
  for name, text in pairs {
    ["pending.txt"] = table.concat(pending, "\n") .. "\n", ["slurm.sh"] = launch.slurm_script(pending, options),
    ["collect.sh"] = launch.collect_script(options),
  } do
    local saved, message = host.save(name, text)
    if not saved then
      return nil, message
    end
  end
  local array, message = submit(host, launch.quote(options.out .. "/slurm.sh"))
  if not array then
    return nil, message
  end
  local collecting, why = submit(host, ("--dependency=afterany:%s %s"):format(array,
    launch.quote(options.out .. "/collect.sh")))
  local saved, failure = host.save("slurm.txt", array .. "\n")
  if not (collecting and saved) then
    return nil, why or failure
  end
  return array, collecting
end

return launch
