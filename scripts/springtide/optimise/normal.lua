-- Normally distributed random numbers that depend on the seed alone: SplitMix64 and the polar form of Box and Muller.
local function new(seed)
  local state, spare = seed, nil

  local function uniform() -- in [-1, 1)
    state = state + 0x9e3779b97f4a7c15
    local z = state
    z = (z ~ (z >> 30)) * 0xbf58476d1ce4e5b9
    z = (z ~ (z >> 27)) * 0x94d049bb133111eb
    z = z ~ (z >> 31)
    return 2 * ((z >> 11) * 0x1p-53) - 1
  end

  return function()
    if spare then
      local number = spare
      spare = nil
      return number
    end
    local u, v, square
    repeat
      u, v = uniform(), uniform()
      square = u * u + v * v
    until square > 0 and square < 1
    local factor = math.sqrt(-2 * math.log(square) / square)
    spare = v * factor
    return u * factor
  end
end

return new
