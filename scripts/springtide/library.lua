---@meta springtide
-- Annotations from which editors complete scene scripts. Made from the engine's own tables
-- by `springtide reference scripts/springtide/library.lua`; a test compares.
-- luacheck: no max line length

---@alias tide.Numbers tide.Vector|tide.Buffer|number[]

---A scene.
---@class tide.SceneDefinition
---@field timestep? number # time that one step advances; greater than 0 and at most 10 s; default 1/30
---@field gravity? number[] # acceleration of every particle; y is up; -1000000 to 1000000 m/s^2; default {0, -9.81, 0}
---@field drag? number # ether drag: a step starts from velocities times exp(-drag * timestep); 0 to 1000000 1/s; default 0
---@field title? string # of the window; default ""
---@field solver? string | tide.Solver # a solver's name, or { name, option = value, ... }; default "local_global"
---@field camera? tide.Camera # where the picture is taken from; default one that shows the whole scene
---@field ground? number | boolean # height of the ground that is drawn; true: just below the scene; false: none; in m; default true
---@field background? number[] # red, green, blue behind everything, sRGB; default a light grey

---A body.
---@class tide.BodyDefinition
---@field mesh tide.Mesh # the body's shape at rest
---@field mass? number # of the whole body, shared equally by its vertices (1 kg when neither masses nor density is given); greater than 0 and at most 1e+15 kg; default nil
---@field masses? number[] # of each vertex; in kg; default none
---@field density? number # of the tetrahedra; in kg/m^2 of the triangles, in kg/m of the edges where there are no others; greater than 0 and at most 1e+15 kg/m^3; default nil
---@field stiffness? number # of every edge's spring; 0 to 1e+15 N/m; default nil
---@field modulus? number # instead of stiffness: stiffness = modulus / rest length, which does not change with resolution; 0 to 1e+15 N; default nil
---@field bend? number # stiffness of every bending spring; 0 to 1e+15 N/m; default nil
---@field bend_modulus? number # instead of bend: stiffness = modulus / rest length; 0 to 1e+15 N; default nil
---@field bend_model? "automatic"|"skip"|"hinge" # skip: springs between vertices two apart in a grid or strand; hinge: between the two vertices opposite an edge; automatic: skip where the mesh has them; default "automatic"
---@field springs? number[][] # further springs, each { i, j, stiffness [, rest length] }; default none
---@field colour? number[] # red, green, blue of the front, sRGB; several bodies left at the default take different colours; 0 to 1; default {0.72, 0.16, 0.18}
---@field back_colour? number[] # red, green, blue of the back; 0 to 1; default made from colour
---@field pattern? "plain"|"checker" # of the surface; default "plain"
---@field checkers? number # squares along the mesh's texture; 1 to 1000; default 16
---@field radius? number # of the tubes and balls that lines and lone vertices are drawn as; greater than 0 and at most 1000 m; default 0.005

---Where the picture is taken from.
---@class tide.Camera
---@field position number[] # where the camera is; -1000000000 to 1000000000 m
---@field target? number[] # what it looks at; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field up? number[] # what is up in the picture; -1 to 1; default {0, 1, 0}
---@field field_of_view? number # from the bottom of the picture to its top; 0.01 to 3 rad; default 0.7

---A parameter.
---@class tide.ParamOptions
---@field min? number # the least value; any; default none
---@field max? number # the greatest value; any; default none
---@field scale? "linear"|"log" # how a slider spreads the range; default "linear"
---@field unit? string # shown after the value; default ""
---@field help? string # one line of explanation; default ""
---@field choices? string[] # the texts to choose from; default none

---How a script is run.
---@class tide.LoadOptions
---@field set? table<string, number|boolean|string> # values of the script's parameters, { name = value, ... }; default none
---@field solver? string # "NAME" or "NAME,option=value,..." instead of the script's; default the script's
---@field timestep? number # instead of the script's; greater than 0 and at most 10 s; default the script's
---@field seed? integer # of the world's random generator; 0 to 2147483647; default 0

---A mesh of lists.
---@class tide.MeshNew
---@field vertices number[][] | number[] # { {x, y, z}, ... } or a flat list; in m
---@field edges? integer[][] | integer[] # { {i, j}, ... }; without it those of the triangles and tetrahedra; default none
---@field triangles? integer[][] | integer[] # { {i, j, k}, ... }, counter-clockwise from outside; without it the surface of the tetrahedra; default none
---@field tetrahedra? integer[][] | integer[] # { {i, j, k, l}, ... }; default none
---@field texture? number[][] | number[] # texture coordinates, { {u, v}, ... } or a flat list; default none

---implicit Euler by local and global steps with a matrix factored once: stable at any timestep Liu et al. 2013, Fast simulation of mass-spring systems: eq. 8 and 14, sec. 4
---@class tide.SolverLocalGlobal
---@field [1] "local_global"
---@field iterations? integer # local and global steps to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0 takes all iterations; at least 0; default 0

---explicit and of order 1; cheap, keeps energy well, and diverges when the substep is too long Ahmad et al. 2007: eq. 3 with the new velocity (forward-backward Euler); largest stable substep: Shinya 2005, eq. 27
---@class tide.SolverSymplecticEuler
---@field [1] "symplectic_euler"
---@field substep? number # longest substep; the timestep is cut into as few equal substeps as that allows; 0 does not cut it; at least 0 s; default the whole timestep

---@alias tide.Solver tide.SolverLocalGlobal|tide.SolverSymplecticEuler

---a cloth: a rectangle in the x-z plane from the origin, with an edge between neighbours
---@class tide.MeshGrid
---@field columns? integer # vertices along x; at least 2; default 21
---@field rows? integer # vertices along z; at least 2; default 21
---@field width? number # size along x; greater than 0 m; default 1
---@field height? number # size along z; greater than 0 m; default 1
---@field diagonals? "alternating"|"forward"|"backward"|"both"|"none" # which diagonals of the cells are edges; default "alternating"

---a rope or a hair: a line of vertices with an edge between neighbours
---@class tide.MeshStrand
---@field points? integer # vertices along the line; 2 to 100000000; default 11
---@field from? number[] # where the first vertex is; any, in m; default {0, 0, 0}
---@field to? number[] # where the last vertex is; any, in m; default {1, 0, 0}

---a solid block of tetrahedra, centred at the origin
---@class tide.MeshBox
---@field size? number[] # lengths of the sides along x, y and z; greater than 0 m; default {1, 1, 1}
---@field cells? number[] # cells along x, y and z, whole numbers; each is cut into five tetrahedra; 1 to 100000000; default {4, 4, 4}

---@class tide.MeshModule
---@field grid fun(definition: tide.MeshGrid): tide.Mesh # a cloth: a rectangle in the x-z plane from the origin, with an edge between neighbours
---@field strand fun(definition: tide.MeshStrand): tide.Mesh # a rope or a hair: a line of vertices with an edge between neighbours
---@field box fun(definition: tide.MeshBox): tide.Mesh # a solid block of tetrahedra, centred at the origin
---@field load fun(path: string): tide.Mesh?, string? # Reads an .obj or .mesh file, first sought in the scene's folder. Returns the mesh, or nil and a message.
---@field new fun(definition: tide.MeshNew): tide.Mesh # A mesh of lists of vertices, edges, triangles and tetrahedra.

---The energies of a scene.
---@class tide.Energy
---@field kinetic number # J
---@field elastic number # J
---@field gravity number # J; zero at the origin
---@field total number # J

---What the solver did in a step. A number is absent when the method has none.
---@class tide.Report
---@field solver string # its name
---@field converged boolean # whether it met its tolerance
---@field iterations integer # how many it took
---@field line_searches integer # how many it took
---@field linear_iterations integer # how many it took
---@field substeps integer # how many it took
---@field g number? # what the step minimises, at the result
---@field gradient_norm number? # of g at the result, over free particles
---@field initial_gradient_norm number? # of g at y, where the step starts
---@field local_seconds number # s
---@field global_seconds number # s
---@field contact_seconds number # s
---@field step_seconds number # s

---What the mesh doctor found.
---@class tide.MeshProblem
---@field kind string # "isolated vertex" and the like
---@field count integer # how many there are
---@field index integer # of the first
---@field fatal boolean # whether a body of this mesh is refused
---@field text string # what, where and what to do

---What a reload kept.
---@class tide.Adoption
---@field kept integer # bodies whose state goes on
---@field rebuilt integer # bodies with another topology
---@field added integer # new bodies
---@field removed integer # bodies that are gone
---@field refactored boolean # whether the solver had to factor again
---@field seconds number # that it took

---A solver.
---@class tide.SolverInfo
---@field name string
---@field help string
---@field source string # paper and equation
---@field options tide.OptionInfo[]

---An option.
---@class tide.OptionInfo
---@field name string
---@field type string
---@field default string
---@field range string
---@field unit string
---@field help string

---How an iterative method ended.
---@class tide.IterativeResult
---@field iterations integer # how many it took
---@field residual number # |b - A x| / |b|, or the eigenvalue's relative change
---@field converged boolean # whether it met its tolerance

---A world with its bodies, solver and callbacks.
---@class tide.Scene
---@field body fun(self: tide.Scene, name: string, definition?: tide.BodyDefinition): tide.Body # Adds a body, or without a definition finds one. The name is its identity over reloads.
---@field bodies fun(self: tide.Scene): tide.Body[] # All bodies, in the order they were added.
---@field collider fun(self: tide.Scene, name: string, definition: table) # Colliders are not available yet: this raises an error.
---@field step fun(self: tide.Scene, count?: integer): true?, string? # Calls update and advances by the timestep, count times. Returns true, or nil and a message when a step could not be taken; the world is then at the last good frame.
---@field energy fun(self: tide.Scene): tide.Energy # The energies now, in J.
---@field report fun(self: tide.Scene): tide.Report # What the solver did in the last step.
---@field snapshot fun(self: tide.Scene): tide.Snapshot # The complete state as one value.
---@field restore fun(self: tide.Scene, snapshot: tide.Snapshot): tide.Scene # Goes back to a snapshot of the same bodies.
---@field fork fun(self: tide.Scene): tide.Scene # A scene of its own in the same state, with the same callbacks. While it runs them, what they hold of this scene and its bodies is the fork's.
---@field hash fun(self: tide.Scene): string # 16 hexadecimal digits that stand for the complete state.
---@field reset fun(self: tide.Scene): tide.Scene # Goes back to before the first step.
---@field system fun(self: tide.Scene): tide.System # The mathematics of the scene.
---@field random fun(self: tide.Scene): number # A number from [0, 1) of the world's generator, which is part of snapshots.
---@field reload fun(self: tide.Scene, path?: string, options?: tide.LoadOptions): true?, tide.Adoption|string # Runs a script and makes this scene what it says, keeping the state of bodies with the same name and topology. Returns true and what was kept, or nil and a message; nothing has changed then.
---@field time number # Simulated time, in s.
---@field frame integer # Steps taken.
---@field timestep number # What one step advances, in s.
---@field gravity number[] # A copy; assign a list of three numbers to change it. In m/s^2.
---@field drag number # Ether drag, in 1/s.
---@field title string # Of the window.
---@field solver string | tide.Solver # The solver with its options; assign a name or a table.
---@field state table # Plain data that is part of snapshots and hash and is carried over reloads.
---@field camera tide.Camera? # Where the picture is taken from; nil: from where all is seen.
---@field ground number | boolean # Height of the ground that is drawn; true: just below the scene; false: none.
---@field background number[] # Red, green, blue behind everything.
---@field update fun(dt: number)? # Called before each step: add forces, move pins.
---@field draw fun(canvas: tide.Canvas)? # Called after the world is drawn.
---@field keypressed fun(key: string)? # Called when a key goes down.
---@field mousepressed fun(x: number, y: number, button: integer)? # Called when a mouse button goes down; x and y in pixels from the top left.
---@field quit fun()? # Called before the program ends.

---A body of a scene.
---@class tide.Body
---@field name string # The body's identity over reloads.
---@field vertex_count integer # How many vertices there are.
---@field spring_count integer # How many springs there are.
---@field triangle_count integer # How many triangles there are.
---@field mesh tide.Mesh # The shape at rest.
---@field pin fun(self: tide.Body, vertices: integer[]|integer|fun(i: integer, x: number, y: number, z: number): boolean, options?: { stiffness: number }): tide.Body # Holds vertices where they are: exactly, or by a spring with a stiffness in N/m. Takes `pin { 1, 81, stiffness = 500 }` too.
---@field unpin fun(self: tide.Body, vertices?: integer[]|integer|fun(i: integer, x: number, y: number, z: number): boolean): tide.Body # Frees vertices, without any all.
---@field is_pinned fun(self: tide.Body, i: integer): boolean # Whether vertex i is pinned.
---@field move_pin fun(self: tide.Body, i: integer, x: number, y: number, z: number) # Where the pin of vertex i is to be at the end of the next step.
---@field position fun(self: tide.Body, i: integer): number, number, number # Of vertex i, in m.
---@field velocity fun(self: tide.Body, i: integer): number, number, number # Of vertex i, in m/s.
---@field set_position fun(self: tide.Body, i: integer, x: number, y: number, z: number) # Puts vertex i, and its pin if it has one, somewhere.
---@field set_velocity fun(self: tide.Body, i: integer, x: number, y: number, z: number) # Sets the velocity of vertex i, in m/s.
---@field positions fun(self: tide.Body): tide.Buffer # The positions themselves, flat: x, y, z of vertex 1, then of vertex 2, ...
---@field velocities fun(self: tide.Body): tide.Buffer # The velocities themselves, flat.
---@field force fun(self: tide.Body, i: integer, x: number, y: number, z: number) # Adds a force on vertex i for the next step, in N.

---Geometry and topology. A mesh never changes: each method returns a new one.
---@class tide.Mesh
---@field vertex_count integer # How many vertices there are.
---@field edge_count integer # How many edges there are.
---@field triangle_count integer # How many triangles there are.
---@field tetrahedron_count integer # How many tetrahedra there are.
---@field vertex fun(self: tide.Mesh, i: integer): number, number, number # Coordinates of vertex i, in m.
---@field edge fun(self: tide.Mesh, i: integer): integer, integer # The two vertices of edge i.
---@field triangle fun(self: tide.Mesh, i: integer): integer, integer, integer # The three vertices of triangle i.
---@field tetrahedron fun(self: tide.Mesh, i: integer): integer, integer, integer, integer # The four vertices of tetrahedron i.
---@field bounds fun(self: tide.Mesh): number, number, number, number, number, number # The least x, y, z and the greatest x, y, z.
---@field translate fun(self: tide.Mesh, x: number, y: number, z: number): tide.Mesh # The mesh, moved.
---@field rotate fun(self: tide.Mesh, axis: number[], angle: number): tide.Mesh # The mesh, turned about an axis through the origin by an angle in radians.
---@field scale fun(self: tide.Mesh, x: number, y?: number, z?: number): tide.Mesh # The mesh, scaled by one factor or by one for each axis.
---@field subdivide fun(self: tide.Mesh, times?: integer): tide.Mesh # The mesh with every edge halved.
---@field weld fun(self: tide.Mesh, distance?: number): tide.Mesh # The mesh with vertices joined that are closer than the distance, by default those at one place.
---@field save fun(self: tide.Mesh, path: string): true?, string? # Writes an .obj or .mesh file. Returns true, or nil and a message.
---@field check fun(self: tide.Mesh): tide.MeshProblem[] # What is wrong with the mesh; empty when nothing is.

---Numbers of a body in the engine's own memory: buffer[1] to buffer[#buffer], x, y, z of each vertex in turn.
---@class tide.Buffer
---@field [integer] number
---@operator len: integer

---The complete state of a scene at one moment.
---@class tide.Snapshot
---@field hash fun(self: tide.Snapshot): string # 16 hexadecimal digits that stand for the state.
---@field frame integer # Steps taken before it.
---@field time number # Simulated time, in s.
---@field size integer # Bytes that it takes.

---What scene.draw draws on, over the picture of the world.
---@class tide.Canvas
---@field width integer # Of the picture, in pixels.
---@field height integer # Of the picture, in pixels.
---@field colour fun(self: tide.Canvas, r: number, g: number, b: number, a?: number) # The colour of what is drawn next, sRGB from 0 to 1.
---@field text fun(self: tide.Canvas, x: number, y: number, text: any, size?: number) # Text at a place in the picture, in pixels from the top left.
---@field label fun(self: tide.Canvas, x: number, y: number, z: number, text: any, size?: number) # Text at a place in the world.
---@field line fun(self: tide.Canvas, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, width?: number) # A line in the world, its width in pixels.
---@field point fun(self: tide.Canvas, x: number, y: number, z: number, size?: number) # A point in the world, its size in pixels.

---The mathematics of a scene as it stands. Positions x are x, y, z of each particle in turn.
---@class tide.System
---@field particle_count integer # Particles of all bodies.
---@field free_count integer # Particles that are not pinned.
---@field positions fun(self: tide.System): tide.Vector # Where all particles are now.
---@field velocities fun(self: tide.System): tide.Vector # The velocities of all particles now.
---@field masses fun(self: tide.System): tide.Vector # The mass of each particle, in kg.
---@field energy fun(self: tide.System, x: tide.Numbers): number # The elastic energy at positions x, in J.
---@field gradient fun(self: tide.System, x: tide.Numbers): tide.Vector # The energy's gradient at x, in N; 0 at pinned particles.
---@field hessian fun(self: tide.System, x: tide.Numbers, options?: { project: boolean }): tide.Matrix # The energy's second derivatives at x over the coordinates of free particles; with project, each element's part made positive semidefinite.
---@field laplacian fun(self: tide.System): tide.Matrix # L of Liu 2013, eq. 12, over free particles.
---@field matrix fun(self: tide.System, timestep?: number): tide.Matrix # A = M + h^2 L over free particles.
---@field gather fun(self: tide.System, full: tide.Numbers): tide.Vector # The coordinates of free particles out of all.
---@field scatter fun(self: tide.System, free: tide.Numbers, full: tide.Numbers): tide.Vector # A copy of full with the coordinates of free particles put in.

---Numbers v[1] to v[#v], with +, -, and * and / by a number.
---@class tide.Vector
---@field [integer] number
---@operator len: integer
---@operator add(tide.Vector): tide.Vector
---@operator sub(tide.Vector): tide.Vector
---@operator mul(number): tide.Vector
---@operator div(number): tide.Vector
---@operator unm: tide.Vector
---@field dot fun(self: tide.Vector, w: tide.Numbers): number # The dot product.
---@field norm fun(self: tide.Vector): number # The Euclidean length.
---@field copy fun(self: tide.Vector): tide.Vector # A vector with the same numbers.
---@field table fun(self: tide.Vector): number[] # The numbers as a table.
---@field add fun(self: tide.Vector, w: tide.Numbers, factor?: number): tide.Vector # Adds factor times w to this vector itself.

---A sparse matrix, with + and with * by a number or a vector.
---@class tide.Matrix
---@operator add(tide.Matrix): tide.Matrix
---@operator mul(number): tide.Matrix
---@operator mul(tide.Vector): tide.Vector
---@field multiply fun(self: tide.Matrix, x: tide.Numbers): tide.Vector # A x; of several interleaved vectors when x has a multiple of A's columns.
---@field get fun(self: tide.Matrix, row: integer, column: integer): number # The entry at a place.
---@field rows fun(self: tide.Matrix): integer # How many rows there are.
---@field columns fun(self: tide.Matrix): integer # How many columns there are.
---@field nonzeros fun(self: tide.Matrix): integer # How many entries are stored: of a symmetric matrix those of its lower triangle.
---@field triplets fun(self: tide.Matrix): number[][] # The stored entries, { row, column, value } each.

---A sparse Cholesky factorisation.
---@class tide.Factor
---@field solve fun(self: tide.Factor, b: tide.Numbers): tide.Vector # The x of A x = b; of several interleaved right-hand sides when b has a multiple of A's rows.
---@field rows fun(self: tide.Factor): integer # How many rows A has.
---@field nonzeros fun(self: tide.Factor): integer # How many entries the factor has.

---@class tide.LinearModule
---@field vector fun(numbers: integer|tide.Numbers): tide.Vector # A vector of zeros of a size, or with a list's numbers.
---@field sparse fun(rows: integer, columns: integer, triplets: number[][], options?: { symmetric: boolean }): tide.Matrix # A matrix of { row, column, value } triplets; those at one place are summed.
---@field diagonal fun(values: tide.Numbers): tide.Matrix # A diagonal matrix.
---@field cholesky fun(A: tide.Matrix): tide.Factor?, string? # Factors a symmetric matrix; nil and a message when it is not positive definite.
---@field conjugate_gradient fun(A: tide.Matrix, b: tide.Numbers, options?: { tolerance: number, max_iterations: integer, start: tide.Numbers }): tide.Vector, tide.IterativeResult # Solves A x = b for a symmetric positive definite A.
---@field largest_eigenvalue fun(A: tide.Matrix, options?: { tolerance: number, max_iterations: integer, start: tide.Numbers }): number, tide.Vector, tide.IterativeResult # The eigenvalue of largest magnitude of a symmetric matrix, and its eigenvector.

---@class tide
---@field version string
---@field mesh tide.MeshModule
---@field linear tide.LinearModule
---@field scene fun(definition?: tide.SceneDefinition): tide.Scene # A new scene.
---@field param fun(name: string, default: any, options?: tide.ParamOptions): any # Declares a parameter and returns its value: the default, or what --set or tide.load gave.
---@field load fun(path: string, options?: tide.LoadOptions): tide.Scene?, string? # Runs a scene script and returns its scene, or nil and a message.
---@field solvers fun(): tide.SolverInfo[] # The solvers there are, with their options.
---@field random fun(m?: integer, n?: integer): number # As math.random. In callbacks it draws from the world's generator, which is part of snapshots.
---@field threads fun(count?: integer): integer # Sets how many threads the engine uses (0: all processors); returns it. Results do not depend on it.
---@field data fun(name: string): string?, string? # The path of a file in the folder that the environment variable SPRINGTIDE_DATA names, or nil and a message when it is not there.
local tide = {}

return tide
