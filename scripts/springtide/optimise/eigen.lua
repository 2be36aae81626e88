-- The eigenvalues and eigenvectors of a small symmetric matrix, by Jacobi's rotations (Golub and Van Loan, 8.5).
local MOST_SWEEPS = 60

-- Turns rows and columns p and q so that the element between them becomes 0.
local function rotate(A, V, n, p, q)
  local theta = (A[q][q] - A[p][p]) / (2 * A[p][q])
  local t = (theta >= 0 and 1 or -1) / (math.abs(theta) + math.sqrt(theta * theta + 1))
  local c = 1 / math.sqrt(t * t + 1)
  local s = t * c
  for k = 1, n do
    A[k][p], A[k][q] = c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q]
  end
  for k = 1, n do
    A[p][k], A[q][k] = c * A[p][k] - s * A[q][k], s * A[p][k] + c * A[q][k]
    V[k][p], V[k][q] = c * V[k][p] - s * V[k][q], s * V[k][p] + c * V[k][q]
  end
end

-- Returns the list of eigenvalues and the matrix whose columns are the eigenvectors. Leaves the matrix unchanged.
local function eigen(matrix)
  local n, A, V, values = #matrix, {}, {}, {}
  for i = 1, n do
    A[i], V[i] = table.move(matrix[i], 1, n, 1, {}), {}
    for k = 1, n do
      V[i][k] = i == k and 1 or 0
    end
  end
  for _ = 1, MOST_SWEEPS do
    local rotated = false
    for p = 1, n - 1 do
      for q = p + 1, n do
        if math.abs(A[p][q]) > 1e-15 * math.sqrt(math.abs(A[p][p] * A[q][q])) then
          rotate(A, V, n, p, q)
          rotated = true
        end
      end
    end
    if not rotated then
      break
    end
  end
  for i = 1, n do
    values[i] = A[i][i]
  end
  return values, V
end

return eigen
