-- What a check asks of a submission: `t` in `run = function(t)`. A failed expectation ends the check with its message.
local tide = require "springtide"
local cases = require "springtide.check.cases"
local properties = require "springtide.check.properties"
local values = require "springtide.check.values"

local test_class = {}
test_class.__index = function(_, name)
  local method = test_class[name] or properties[name]
  if not method then
    error(("check: t has no method %q"):format(tostring(name)), 2)
  end
  return method
end

local failures = {} -- what `t:fail` raises, with its message
local unread = {}   -- answers that have not been asked for yet

-- --- failures --------------------------------------------------------------------------------------------------------

-- The text of an error that a check ended with. Anything may be raised by a submission: nothing of it is called.
local function text_of(raised, submission)
  if type(raised) == "table" and failures[raised] then
    return failures[raised]
  elseif type(raised) ~= "string" then
    return ("raised an error that is not a text but a %s"):format(type(raised))
  end
  local name = submission:match("[^/]*$") .. ":"
  local at = raised:find(name, 1, true)
  if not at then
    return raised
  end
  local from = raised:find(submission, 1, true) or at - #raised:sub(1, at - 1):match("%S*$")
  return raised:sub(1, from - 1) .. raised:sub(at)
end

-- Ends the check as failed.
function test_class.fail(_, message)
  local failure = {}
  failures[failure] = message
  error(failure, 0)
end

function test_class:expect(condition, message)
  if not condition then
    self:fail(message)
  end
end

-- Notes what has been reached so far: a fraction of the points, given if the check fails later.
function test_class:credit(fraction, message)
  if not (type(fraction) == "number" and fraction >= 0 and fraction <= 1) then
    error("check: credit: expected a fraction from 0 to 1", 2)
  end
  if fraction >= self.reached then
    self.reached, self.reached_message = fraction, message or false
  end
end

local function with_message(message, text)
  return message and ("%s: %s"):format(message, text) or text
end

-- --- the submission --------------------------------------------------------------------------------------------------

local function load_options(options, more)
  -- The points are the same on every platform.
  local taken = { portable = true, set = options and options.set, solver = options and options.solver }
  if type(taken.solver) == "table" then
    local words = { taken.solver[1] }
    local names = {}
    for name in pairs(taken.solver) do
      names[#names + 1] = type(name) == "string" and name or nil
    end
    table.sort(names)
    for _, name in ipairs(names) do
      words[#words + 1] = ("%s=%s"):format(name, taken.solver[name])
    end
    taken.solver = words[1] and table.concat(words, ",") or nil
  end
  for name, value in pairs(more) do
    taken[name] = value
  end
  return taken
end

function test_class:load(options)
  local scene, answers = tide.load(self.submission, load_options(options, { trusted = false, answers = true }))
  if not scene then
    self:fail(text_of(answers, self.submission))
  end
  return scene, answers
end

local guard

-- Copies the values of a call between the submission and the check, and guards functions.
local function pass(self, what, ...)
  local list = table.pack(...)
  for i = 1, list.n do
    local copied, problem = values.copy(list[i], function(f) return guard(self, what, f) end)
    if problem then
      self:fail(("%s %s"):format(what, problem))
    end
    list[i] = copied
  end
  return table.unpack(list, 1, list.n)
end

-- Makes of a function one that takes and gives copies: neither side reaches the other's tables.
function guard(self, what, f)
  return function(...)
    return pass(self, what, f(pass(self, what, ...)))
  end
end

-- A function that neither makes scenes nor steps them, so that the engine cannot do its work.
local function alone(f)
  return function(...)
    local results = table.pack(tide.limited({ scenes = false }, f, ...))
    if not results[1] then
      error(results[2], 0)
    end
    return table.unpack(results, 2, results.n)
  end
end

-- An answer of the submission, which ends in `return scene, { name = value }`. `kind` is the type that it must have.
-- options = { scenes = false }: a function that neither makes scenes nor steps them.
function test_class:answer(name, kind, options)
  if self.answers == unread then
    local _, answers = self:load()
    self.answers = answers or false
  end
  if type(self.answers) ~= "table" then
    self:fail(("the file returns no answers: end it with `return scene, { %s = %s }`"):format(name, name))
  end
  local value = rawget(self.answers, name)
  if value == nil then
    self:fail(("the answer \"%s\" is missing: end the file with `return scene, { %s = %s }`"):format(name, name, name))
  elseif kind and type(value) ~= kind then
    self:fail(("the answer \"%s\" is a %s, expected a %s"):format(name, type(value), kind))
  end
  if options and options.scenes == false and type(value) == "function" then
    value = alone(value)
  end
  return (pass(self, ("the answer \"%s\" takes or gives"):format(name), value))
end

-- A fresh scene of the submission. options = { set = { parameter = value }, solver = "NAME" or { "NAME", option = } }.
function test_class:scene(options)
  return (self:load(options))
end

-- A fresh scene of the lesson's scene.lua, or of the file `options.path` in the lesson's folder.
function test_class:reference(options)
  local path = ("%s/%s"):format(self.lesson, options and options.path or "scene.lua")
  local scene, message = tide.load(path, load_options(options, {}))
  if not scene then
    error(("check: the reference cannot be loaded: %s"):format(message), 0)
  end
  return scene
end

-- --- comparing -------------------------------------------------------------------------------------------------------

-- For `for number, case in t:cases(5) do`: cases that depend on the seed and on the name of the check.
function test_class:cases(count)
  return cases.each(self.seed, self.name, count)
end

-- Expects |value - expected| <= tolerance + relative |expected|, for numbers, lists, nested tables, vectors, matrices.
-- options = { tolerance = 1e-9, relative = 0, message =, mistakes = { { wrong value, message }, ... } }: a value near a
-- wrong one fails with that message.
function test_class:near(value, expected, options)
  options = options or {}
  local allowed = { tolerance = options.tolerance or options.relative and 0 or 1e-9, relative = options.relative or 0 }
  local problem = values.difference(value, expected, allowed)
  if not problem then
    return
  end
  for _, mistake in ipairs(options.mistakes or {}) do
    if not values.difference(value, mistake[1], allowed) then
      self:fail(with_message(options.message, mistake[2]))
    end
  end
  self:fail(with_message(options.message, problem))
end

-- --- running ---------------------------------------------------------------------------------------------------------

local test = {}

-- A test of one check. context = { seed =, lesson =, submission = }
function test.new(definition, context)
  return setmetatable({
    name = definition.name, seed = context.seed, lesson = context.lesson, submission = context.submission,
    answers = unread, reached = 0, reached_message = false,
  }, test_class)
end

-- Runs the check. Returns whether it passed, and the message of a failure.
function test.run(self, definition)
  local ok, raised = pcall(definition.run, self)
  if ok then
    return true
  end
  return false, text_of(raised, self.submission)
end

-- The text of what tide.load or tide.limited returned as a failure.
test.text_of = text_of

return test
