-- Hidden cases: numbers that depend on a seed, the name of the check and the number of the case, and on nothing else.
local cases = {}

-- SplitMix64 (Steele, Lea, Flood 2014): adds a constant to the state, then mixes its bits.
local function next_word(state)
  state.word = state.word + 0x9e3779b97f4a7c15
  local z = state.word
  z = (z ~ (z >> 30)) * 0xbf58476d1ce4e5b9
  z = (z ~ (z >> 27)) * 0x94d049bb133111eb
  return z ~ (z >> 31)
end

local function seed_of(seed, name, number)
  local word = seed
  for i = 1, #name do
    word = (word ~ name:byte(i)) * 0x100000001b3
  end
  return word + number * 0x632be59bd9b4e019
end

local case_class = {}
case_class.__index = case_class

local function verify_range(low, high)
  if not (low and high and low <= high and high - low < math.huge) then
    error(("case: expected two numbers, the lower one first, got %s and %s"):format(low, high), 3)
  end
end

-- A number from low up to high.
function case_class:number(low, high)
  verify_range(low, high)
  return low + (next_word(self) >> 11) * 0x1p-53 * (high - low)
end

function case_class:integer(low, high)
  verify_range(low, high)
  return math.min(high, low + math.floor((next_word(self) >> 11) * 0x1p-53 * (high - low + 1)))
end

-- A list of `size` numbers from low up to high.
function case_class:vector(size, low, high)
  local numbers = {}
  for i = 1, size do
    numbers[i] = self:number(low, high)
  end
  return numbers
end

-- For `for number, case in cases.each(...) do`.
function cases.each(seed, name, count)
  local number = 0
  return function()
    number = number + 1
    if number <= count then
      return number, setmetatable({ word = seed_of(seed, name, number) }, case_class)
    end
  end
end

return cases
