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
---@field deformation_drag? number # drag on each body's deformation alone: what its velocities differ by from a rigid motion fades by exp(-deformation_drag * timestep); 0 to 1000000 1/s; default 0
---@field title? string # of the window; default ""
---@field solver? string | tide.Solver | table # a solver's name, "NAME,option=value,..." or { name, option = value, ... }; the engine's or one made by tide.solver; default "local_global"
---@field contact? tide.ContactSettings # how touching is found and answered; default its fields' defaults
---@field camera? tide.Camera # where the picture is taken from; default one that shows the whole scene
---@field ground? number | boolean | tide.Ground # height of the ground that is drawn and that bodies come to rest on; true: just below the scene; { height = ..., solid = false }: drawn only; false: none; in m; default drawn where a visible plane is a floor
---@field background? number[] # red, green, blue behind everything, sRGB; default a light grey

---A body.
---@class tide.BodyDefinition
---@field mesh tide.Mesh # the body's shape at rest
---@field surface? tide.Mesh # a fine surface of triangles (of a solid, its own), in the coordinates of the mesh, whose tetrahedra carry it: it is drawn, and it touches, in the place of the mesh's own; default none
---@field rest? tide.Mesh # a mesh of as many vertices, whose lengths and areas are those at rest, as the pattern of a garment (mesh:unfold); by default the mesh itself; default none
---@field mass? number # of the whole body, shared equally by its vertices (1 kg when neither masses nor density is given); greater than 0 and at most 1e+15 kg; default nil
---@field masses? number[]|fun(i: integer, x: number, y: number, z: number): number # of each vertex; in kg; default none
---@field density? number|fun(i: integer, x: number, y: number, z: number): number # of the tetrahedra, which take the mean of their corners; in kg/m^2 of the triangles, in kg/m of the edges where there are no others; greater than 0 and at most 1e+15 kg/m^3; default nil
---@field stiffness? number|fun(i: integer, x: number, y: number, z: number): number # of every edge's spring, which takes the mean of its ends; 0 to 1e+15 N/m; default nil
---@field modulus? number|fun(i: integer, x: number, y: number, z: number): number # instead of stiffness: stiffness = modulus / rest length, which does not change with resolution; 0 to 1e+15 N; default nil
---@field bend? number|fun(i: integer, x: number, y: number, z: number): number # stiffness of every bending spring; 0 to 1e+15 N/m; default nil
---@field bend_modulus? number|fun(i: integer, x: number, y: number, z: number): number # instead of bend: stiffness = modulus / rest length; 0 to 1e+15 N; default nil
---@field bend_model? "automatic"|"skip"|"hinge" # skip: springs between vertices two apart in a grid or strand, or along the paths of a mesh of edges alone; hinge: between the two vertices opposite an edge; automatic: skip where the mesh has such vertices; default "automatic"
---@field springs? number[][] # further springs, each { i, j, stiffness [, rest length] }; default none
---@field elements? table[] # elements of other kinds, each { kind, on = "edges", "triangles" or "tetrahedra", parameters }, or with vertices = { { i, j, ... }, ... } instead of on: { "area_spring", on = "triangles", stiffness = 50 }; default none
---@field colour? number[] # red, green, blue of the front, sRGB; several bodies left at the default take different colours; 0 to 1; default {0.72, 0.16, 0.18}
---@field back_colour? number[] # red, green, blue of the back; 0 to 1; default made from colour
---@field pattern? "plain"|"checker" # of the surface; default "plain"
---@field checkers? number # squares along the mesh's texture; 1 to 1000; default 16
---@field radius? number # of the tubes and balls that lines and lone vertices are drawn as; greater than 0 and at most 1000 m; default 0.005
---@field thickness? number # bodies stay apart by half of each one's thickness, and from colliders by half; 0 to 1000 m; default twice the radius of lines; cloth 5 mm, solids 2 mm, at most a quarter of the mean edge
---@field friction? number # Coulomb's coefficient; of two that have one, the geometric mean counts; 0 to 1000; default that of what it touches; between two bodies 0.3
---@field restitution? number # the part of the speed of approach that a bounce keeps; of two that touch, the larger counts; 0 to 1; default 0
---@field collide? "all"|"colliders"|"none" # what the body touches: colliders and other bodies, colliders alone, or nothing; default "all"
---@field self_collide? boolean # whether the body touches itself; default false

---How touching is found and answered.
---@class tide.ContactSettings
---@field continuous? boolean # swept tests of triangles and edges at the end of every step, with impact zones as the last resort: a step that begins without crossings ends without; default false
---@field sweeps? integer # how often all contacts between bodies are gone through, in each solve; 1 to 1000; default 4
---@field lines? boolean # edges of lines (hair, bristles) touch edges, not their vertices alone; default false

---Where a collider is at a time.
---@class tide.Keyframe
---@field time number # when, later than the key before; any, in s
---@field position? number[] # where the shape's frame is; any, in m; default the shape's
---@field rotation? number[] # how it is turned: { x, y, z, angle }, an axis and radians about it; default the shape's

---The ground that is drawn.
---@class tide.Ground
---@field height? number # of the ground, along the axis of up; -1000000000 to 1000000000 m; default just below the scene
---@field solid? boolean # bodies come to rest on it; false: it is drawn only; default true
---@field friction? number # Coulomb's coefficient; 0 to 1000000; default 0.3
---@field restitution? number # part of the speed of approach that a bounce keeps; 0 to 1; default 0

---Where the picture is taken from.
---@class tide.Camera
---@field position number[] # where the camera is; -1000000000 to 1000000000 m
---@field target? number[] # what it looks at; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field up? number[] # what is up in the picture; -1 to 1; default { 0, 1, 0 }, or against gravity where that is along x or z
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
---@field time_limit? number # stops the run of the file, and later each scene:step, that takes longer: nil and a message come back; 0: no limit; 0 to 1000000 s; default 0
---@field memory_limit? number # stops these when the script and its scene hold more than this; a MB is 2^20 bytes; 0: no limit; 0 to 1000000 MB; default 0

---What the colours of a body mean.
---@class tide.ColourOptions
---@field low? number # the number at one end of the colours; any; default 0
---@field high? number # the number at the other end; with both alike they are as the numbers are; any; default 0
---@field name? string # what the numbers are, for the colour bar; default ""
---@field unit? string # their unit, likewise; default ""

---The panes of a scene file.
---@class tide.ComparisonDefinition
---@field solvers? string[] # a pane for each, as on the command line: "local_global,iterations=5"; default the scene's
---@field params? table<string, number[]> # a parameter (tide.param) by name, or an option of the solvers, with a value for each pane; default as they are
---@field timesteps? number[] # a pane for each, in s; best if they divide the first; default the scene's

---Forks of a scene to compare.
---@class tide.CompareOptions
---@field solvers? (string|table)[] # a fork for each: "NAME", "NAME,key=value" or { "NAME", key = value }; default the scene's
---@field timesteps? number[] # a fork for each, in s; all go to the same time; default the scene's
---@field frames? integer # how many of the scene's timesteps they go on; 1 to 1000000000; default 60
---@field errors? boolean # whether to measure their errors, which takes a step solved to its end for each; default true

---A solver of the script's own.
---@class tide.SolverDefinition
---@field name string # letters, digits and underscores; no other solver's
---@field help? string # one line: what it does; default ""
---@field source? string # paper and equation; default ""
---@field order? integer # of accuracy in the timestep; 0: none, or it depends on the iterations; 0 to 16; default 0
---@field options? table<string, number|boolean|string|tide.SolverOption> # name = default, or name = { default, min = ..., ... }; substeps is always there; default none
---@field step fun(system: tide.System, state: tide.SolverState, h: number): (tide.Numbers|tide.SolverReport)?, (tide.Numbers|tide.SolverReport)?, tide.SolverReport? # takes one step of h seconds: returns positions, then velocities unless they are (x - q) / h, then a report; or changes state.positions and state.velocities

---An option of it, after the default: a number, true, false or a string.
---@class tide.SolverOption
---@field min? number # the least value; any; default none
---@field max? number # the greatest value; any; default none
---@field integer? boolean # whole numbers alone; default false
---@field unit? string # of the number; default ""
---@field help? string # one line of explanation; default ""
---@field choices? string[] # the texts to choose from, the default one of them; default none

---What a step of it tells of itself.
---@class tide.SolverReport
---@field iterations? integer # how many it took; 0 to 2147483647; default 0
---@field line_searches? integer # how many it took; 0 to 2147483647; default 0
---@field linear_iterations? integer # how many it took; 0 to 2147483647; default 0
---@field converged? boolean # whether it met its tolerance; default true
---@field warning? string # what to know about this step; default ""

---Springs between bodies.
---@class tide.AttachOptions
---@field stiffness number # of each spring; greater than 0 and at most 1e+15 N/m
---@field rest_length? number # between two vertices; to the nearest point of a body it is 0; 0 to 1e+15 m; default 0
---@field keep_distance? boolean # whether the rest length is the distance of the two vertices now; default false

---How a vertex goes with a collider.
---@class tide.AttachColliderOptions
---@field stiffness? number # of the spring of no length that holds each vertex; without it a vertex is held exactly; greater than 0 and at most 1e+15 N/m; default nil

---A mesh of lists.
---@class tide.MeshNew
---@field vertices number[][] | number[] # { {x, y, z}, ... } or a flat list; in m
---@field edges? integer[][] | integer[] # { {i, j}, ... }; without it those of the triangles and tetrahedra; default none
---@field triangles? integer[][] | integer[] # { {i, j, k}, ... }, counter-clockwise from outside; without it the surface of the tetrahedra; default none
---@field tetrahedra? integer[][] | integer[] # { {i, j, k, l}, ... }; default none
---@field texture? number[][] | number[] # texture coordinates, { {u, v}, ... } or a flat list; default none

---A mesh of tetrahedra of what is inside of a distance or of a closed surface.
---@class tide.MeshTetrahedralize
---@field distance? tide.Distance | fun(x: number, y: number, z: number): number # what is to be filled; a function is asked twice a cell along each axis and needs `bounds`; default none
---@field mesh? tide.Mesh # a closed surface instead of a distance; default none
---@field bounds? number[][] # what is beyond them is cut off, { { least x, y, z }, { greatest x, y, z } }; in m; default those of the distance
---@field cell? number|"auto" # edge of the cubes of the lattice; auto: 1/20 of the longest side, or what vertices needs; auto or 1e-09 to 1000000000 m; default "auto"
---@field vertices? integer # how many vertices are wanted, to within 3 %: finds the cell; 0: no wish; 0 to 10000000; default 0
---@field keep? "all"|"largest" # which of the pieces that nothing joins: all, or that of the largest volume; default "all"

---What to do with a mesh that was read.
---@class tide.MeshMend
---@field scale? number # factor of all coordinates, first of all: 0.001 for a file in millimetres; greater than 0 and at most 1e+15; default 1
---@field weld? number # join vertices that are this close, as mesh:weld does; 0 to 1e+15 m; default nil
---@field fix? boolean # join vertices at one place, mend flat triangles by changing edges, drop flat tetrahedra, duplicate elements and vertices that nothing uses, turn triangles to face one way, outward where the surface is closed; default false

---implicit Euler by local and global steps with a matrix factored once: stable at any timestep Liu et al. 2013, Fast simulation of mass-spring systems: eq. 8 and 14, sec. 4; accelerated: Peng et al. 2018, alg. 1; Wang 2015, alg. 1
---@class tide.SolverLocalGlobal
---@field [1] "local_global"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field iterations? integer # local and global steps to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0 takes all iterations; at least 0; default 0
---@field acceleration? "none"|"anderson"|"chebyshev" # what makes of past iterations a better next one; a proposal that does not decrease g is not taken, and none is made while contacts move particles; default "none"
---@field window? integer # with "anderson": how many past iterations it combines; 1 to 20; default 5
---@field rho? number|"auto" # with "chebyshev": the spectral radius of the plain iteration; "auto" takes it from how corrections shrink during the delay; auto or greater than 0 and at most 0.99999; default "auto"
---@field delay? integer # with "chebyshev": plain iterations before it sets in (Wang has 10); 1 to 1000000; default 5
---@field start? "lowest"|"prediction" # with an acceleration: where iterations begin: at "prediction", where velocities and external forces would take particles, or at the "lowest", as g goes, of that and of where velocities alone would; default "lowest"
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # how global steps are computed: "fast", in single precision; "double", the same way in double precision; "iterative", without a factor, by conjugate gradients; "cholmod", by the plain solve of CHOLMOD, for comparison; default "fast"; way: "fast" goes over to double precision by itself where single precision is not enough, default "fast"; vectors: the widest vectors to compute in, bits, for comparison; "double" needs 256, default "widest"; memory_limit: what a factor may take; a system that would take more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0

---implicit Euler, solved to any accuracy by Newton's method with a line search Martin et al. 2011, Example-based elastic materials: sec. 5; Liu et al. 2013: eq. 8, sec. 5
---@class tide.SolverNewton
---@field [1] "newton"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field iterations? integer # Newton steps to take in a timestep, at most; 1 to 1000000; default 20
---@field tolerance? number # stop when |grad g(x)| <= tolerance * max(|grad g(y)|, h^2 |contact forces|), or at rounding, and contacts move nothing by more than 1e-6 m; 0 takes all iterations; at least 0; default 1e-08
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # how the warm start and what preconditions "pcg" are computed: "fast", in single precision; "double", the same way in double precision; "iterative", without a factor, by conjugate gradients; "cholmod", by the plain solve of CHOLMOD, for comparison; default "fast"; way: "fast" goes over to double precision by itself where single precision is not enough, default "fast"; vectors: the widest vectors to compute in, bits, for comparison; "double" needs 256, default "widest"; memory_limit: what a factor may take; a system that would take more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field linear? "cholesky"|"pcg"|"cholmod" # how the linear systems are solved: by a sparse factorisation, by conjugate gradients, or by CHOLMOD's factorisation, for comparison; default "cholesky"
---@field cg_tolerance? number # with "pcg": the relative residual at which conjugate gradients stop; greater than 0 and at most 1; default 0.001
---@field warm_start? integer # iterations of local_global to take before the first Newton step; 0 to 1000000; default 0
---@field definite? "projected"|"shifted" # how the Hessian is made definite where it is not: "projected" takes out, spring by spring, as much of what is negative as is needed, "shifted" adds to the diagonal; default "projected"
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0

---implicit Euler by quasi-Newton steps, which begin as those of local_global and learn the curvature Liu et al. 2017, Quasi-Newton methods for real-time simulation of hyperelastic materials: sec. 4
---@class tide.SolverLbfgs
---@field [1] "lbfgs"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field iterations? integer # quasi-Newton steps to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0 takes all iterations; at least 0; default 0
---@field history? integer # past iterations of the timestep from which it learns the curvature; 1 to 50; default 5
---@field start? "lowest"|"prediction" # where iterations begin: at "prediction", where velocities and external forces would take particles, or at the "lowest", as g goes, of that and of where velocities alone would; default "lowest"
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # how first guesses of directions are computed: "fast", in single precision; "double", the same way in double precision; "iterative", without a factor, by conjugate gradients; "cholmod", by the plain solve of CHOLMOD, for comparison; default "fast"; way: "fast" goes over to double precision by itself where single precision is not enough, default "fast"; vectors: the widest vectors to compute in, bits, for comparison; "double" needs 256, default "widest"; memory_limit: what a factor may take; a system that would take more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0

---implicit Euler by nonlinear conjugate gradients, preconditioned with the matrix of local_global Liu et al. 2013, sec. 6 (future work); Polak and Ribiere 1969; Hager and Zhang 2006, A survey of nonlinear conjugate gradient methods: sec. 7
---@class tide.SolverNonlinearCg
---@field [1] "nonlinear_cg"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field iterations? integer # conjugate gradient steps to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0 takes all iterations; at least 0; default 0
---@field start? "lowest"|"prediction" # where iterations begin: at "prediction", where velocities and external forces would take particles, or at the "lowest", as g goes, of that and of where velocities alone would; default "lowest"
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # how preconditioned gradients are computed: "fast", in single precision; "double", the same way in double precision; "iterative", without a factor, by conjugate gradients; "cholmod", by the plain solve of CHOLMOD, for comparison; default "fast"; way: "fast" goes over to double precision by itself where single precision is not enough, default "fast"; vectors: the widest vectors to compute in, bits, for comparison; "double" needs 256, default "widest"; memory_limit: what a factor may take; a system that would take more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0

---implicit Euler by moving one particle at a time: cheap iterations, never a rise of g, many to the end Chen et al. 2024, Vertex block descent; its acceleration: Wang 2015, eq. 9 to 11
---@class tide.SolverVbd
---@field [1] "vbd"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field iterations? integer # sweeps over all particles in a timestep, at most; 1 to 1000000; default 20
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0 takes all iterations; at least 0; default 0
---@field rho? number # of Chebyshev's acceleration: the factor by which a sweep shrinks the error, 0.999 on a fine cloth; 0: none; 0 to 0.9999; default 0
---@field rigid? boolean # after each sweep, move and turn what nothing holds as a whole to where g is least; false: as published, particle by particle alone; default true
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0

---backward Euler made linear: one Newton step from the last positions, by conjugate gradients without a matrix Baraff and Witkin 1998, Large steps in cloth simulation: eq. 6; its springs: Choi and Ko 2002; Kauppila, sec. 2 to 4
---@class tide.SolverSemiImplicit
---@field [1] "semi_implicit"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field linear? "cg"|"cholesky"|"cholmod" # how the linear system is solved: by conjugate gradients without a matrix, by a sparse factorisation, or by CHOLMOD's, for comparison; default "cg"
---@field cg_tolerance? number # with "cg": the residual, relative to the right-hand side, at which conjugate gradients stop; greater than 0 and at most 1; default 0.001
---@field cg_iterations? integer # with "cg": iterations of conjugate gradients, at most; the step is then taken as it is; 1 to 1000000; default 1000
---@field jacobi? boolean # with "cg": precondition with the inverse 3 x 3 blocks of the diagonal; default true
---@field definite? "projected"|"none" # how the matrix is made definite: "projected" spring by spring, or "none": as published, an error where springs are compressed too much; default "projected"
---@field adaptive? boolean # take steps again, halved, in which a spring deforms too much; double them after two good ones; default false
---@field max_deformation? number # with "adaptive": most change of a spring's length in a step, as a share of its rest length; greater than 0; default 0.1
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0

---the linear part of the forces by backward Euler with a matrix factored once, the rest at the start of the step Eberhardt et al. 2000, Implicit-explicit schemes for fast animation with particle systems; Ahmad et al. 2007, sec. 7.2
---@class tide.SolverImex
---@field [1] "imex"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # how steps are computed: "fast", in single precision; "double", the same way in double precision; "iterative", without a factor, by conjugate gradients; "cholmod", by the plain solve of CHOLMOD, for comparison; default "double"; way: "fast" goes over to double precision by itself where single precision is not enough, default "double"; vectors: the widest vectors to compute in, bits, for comparison; "double" needs 256, default "widest"; memory_limit: what a factor may take; a system that would take more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0

---implicit, of order 2, by backward differences over two steps, solved like newton: damps far less than implicit Euler Choi and Ko 2002, Stable but responsive cloth: sec. 4.2; the start: theta method
---@class tide.SolverBdf2
---@field [1] "bdf2"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field iterations? integer # Newton steps to take in a timestep, at most; 1 to 1000000; default 20
---@field tolerance? number # stop when |grad g(x)| <= tolerance * max(|grad g(y)|, h^2 |contact forces|), or at rounding, and contacts move nothing by more than 1e-6 m; 0 takes all iterations; at least 0; default 1e-08
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # how the warm start and what preconditions "pcg" are computed: "fast", in single precision; "double", the same way in double precision; "iterative", without a factor, by conjugate gradients; "cholmod", by the plain solve of CHOLMOD, for comparison; default "fast"; way: "fast" goes over to double precision by itself where single precision is not enough, default "fast"; vectors: the widest vectors to compute in, bits, for comparison; "double" needs 256, default "widest"; memory_limit: what a factor may take; a system that would take more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field linear? "cholesky"|"pcg"|"cholmod" # how the linear systems are solved: by a sparse factorisation, by conjugate gradients, or by CHOLMOD's factorisation, for comparison; default "cholesky"
---@field cg_tolerance? number # with "pcg": the relative residual at which conjugate gradients stop; greater than 0 and at most 1; default 0.001
---@field warm_start? integer # iterations of local_global to take before the first Newton step; 0 to 1000000; default 0
---@field definite? "projected"|"shifted" # how the Hessian is made definite where it is not: "projected" takes out, spring by spring, as much of what is negative as is needed, "shifted" adds to the diagonal; default "projected"
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0

---implicit, of order 2 and symplectic, solved like newton: keeps energy, also that of unwanted vibrations Hairer, Lubich and Wanner 2006, Geometric numerical integration: sec. II.1.3 and VI.4; Liu et al. 2013, sec. 6
---@class tide.SolverImplicitMidpoint
---@field [1] "implicit_midpoint"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field iterations? integer # Newton steps to take in a timestep, at most; 1 to 1000000; default 20
---@field tolerance? number # stop when |grad g(x)| <= tolerance * max(|grad g(y)|, h^2 |contact forces|), or at rounding, and contacts move nothing by more than 1e-6 m; 0 takes all iterations; at least 0; default 1e-08
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # how the warm start and what preconditions "pcg" are computed: "fast", in single precision; "double", the same way in double precision; "iterative", without a factor, by conjugate gradients; "cholmod", by the plain solve of CHOLMOD, for comparison; default "fast"; way: "fast" goes over to double precision by itself where single precision is not enough, default "fast"; vectors: the widest vectors to compute in, bits, for comparison; "double" needs 256, default "widest"; memory_limit: what a factor may take; a system that would take more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field linear? "cholesky"|"pcg"|"cholmod" # how the linear systems are solved: by a sparse factorisation, by conjugate gradients, or by CHOLMOD's factorisation, for comparison; default "cholesky"
---@field cg_tolerance? number # with "pcg": the relative residual at which conjugate gradients stop; greater than 0 and at most 1; default 0.001
---@field warm_start? integer # iterations of local_global to take before the first Newton step; 0 to 1000000; default 0
---@field definite? "projected"|"shifted" # how the Hessian is made definite where it is not: "projected" takes out, spring by spring, as much of what is negative as is needed, "shifted" adds to the diagonal; default "projected"
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0

---position-based dynamics: springs projected one after another; stable, its stiffness is not quite in N/m Mueller et al. 2007, Position based dynamics: eq. 8 to 11, sec. 3.3
---@class tide.SolverPbd
---@field [1] "pbd"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field iterations? integer # sweeps over all constraints to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0 takes all iterations; at least 0; default 0
---@field stiffness? number|"auto" # share of its stretch that every spring loses in a timestep; "auto": by its stiffness in N/m; auto or 0 to 1; default "auto"

---position-based dynamics with compliance: springs as stiff as their N/m say, whatever the iterations Macklin et al. 2016, XPBD: position-based simulation of compliant constrained dynamics, eq. 17 and 18
---@class tide.SolverXpbd
---@field [1] "xpbd"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field iterations? integer # sweeps over all constraints to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0 takes all iterations; at least 0; default 0

---forward Euler, explicit and of order 1: gains energy at every substep unless it is damped Shinya 2005: eq. 10 to 15; damping: eq. 30
---@class tide.SolverExplicitEuler
---@field [1] "explicit_euler"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is cut into as few equal ones as that allows; "auto": the longest stable one over sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # by how much the largest eigenvalue may grow before an automatic substep is too long; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity; "auto" finds the stiffness that makes the stable substep longest: none with symplectic Euler, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low pass over the velocities of neighbours after every substep, { "exponential", lambda = 2 }; default "none"; kind: how a neighbour's weight falls with its distance, default "exponential"; lambda: how fast, over the mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange between neighbours, which conserves momentum, instead of a plain mean, default true

---explicit and of order 1; cheap, keeps energy well, and diverges when the substep is too long Ahmad et al. 2007: eq. 3 with the new velocity (forward-backward Euler); largest stable substep: Shinya 2005, eq. 27
---@class tide.SolverSymplecticEuler
---@field [1] "symplectic_euler"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is cut into as few equal ones as that allows; "auto": the longest stable one over sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # by how much the largest eigenvalue may grow before an automatic substep is too long; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity; "auto" finds the stiffness that makes the stable substep longest: none with symplectic Euler, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low pass over the velocities of neighbours after every substep, { "exponential", lambda = 2 }; default "none"; kind: how a neighbour's weight falls with its distance, default "exponential"; lambda: how fast, over the mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange between neighbours, which conserves momentum, instead of a plain mean, default true

---Stoermer-Verlet with velocities, explicit and of order 2: keeps energy well Ahmad et al. 2007, sec. 2 and eq. 11; largest stable substep: Shinya 2005, eq. 27
---@class tide.SolverVerlet
---@field [1] "verlet"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is cut into as few equal ones as that allows; "auto": the longest stable one over sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # by how much the largest eigenvalue may grow before an automatic substep is too long; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity; "auto" finds the stiffness that makes the stable substep longest: none with symplectic Euler, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low pass over the velocities of neighbours after every substep, { "exponential", lambda = 2 }; default "none"; kind: how a neighbour's weight falls with its distance, default "exponential"; lambda: how fast, over the mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange between neighbours, which conserves momentum, instead of a plain mean, default true

---Runge-Kutta of order 2, explicit: gains energy slowly unless it is damped Shinya 2005: eq. 18; damping: eq. 30
---@class tide.SolverMidpoint
---@field [1] "midpoint"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is cut into as few equal ones as that allows; "auto": the longest stable one over sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # by how much the largest eigenvalue may grow before an automatic substep is too long; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity; "auto" finds the stiffness that makes the stable substep longest: none with symplectic Euler, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low pass over the velocities of neighbours after every substep, { "exponential", lambda = 2 }; default "none"; kind: how a neighbour's weight falls with its distance, default "exponential"; lambda: how fast, over the mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange between neighbours, which conserves momentum, instead of a plain mean, default true

---Runge-Kutta of order 4, explicit: four forces a substep, and accurate Shinya 2005: eq. 19; largest stable substep and damping: eq. 33
---@class tide.SolverRk4
---@field [1] "rk4"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is cut into as few equal ones as that allows; "auto": the longest stable one over sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # by how much the largest eigenvalue may grow before an automatic substep is too long; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity; "auto" finds the stiffness that makes the stable substep longest: none with symplectic Euler, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low pass over the velocities of neighbours after every substep, { "exponential", lambda = 2 }; default "none"; kind: how a neighbour's weight falls with its distance, default "exponential"; lambda: how fast, over the mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange between neighbours, which conserves momentum, instead of a plain mean, default true

---forward-backward Euler on forces linearised every 0.01 s: many cheap substeps for few forces Shinya 2005: sec. 4, eq. 34; largest stable substep: eq. 25 and 27
---@class tide.SolverLinearizedExplicit
---@field [1] "linearized_explicit"
---@field substeps? integer # equal parts into which each timestep is cut, every one a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is cut into as few equal ones as that allows; "auto": the longest stable one over sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # by how much the largest eigenvalue may grow before an automatic substep is too long; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps what changes lengths and leaves rotations; "springs" every difference of velocity; "auto" finds the stiffness that makes the stable substep longest: none with symplectic Euler, default "rayleigh"; mass: d0: resistance to all motion, as of air, at least 0 1/s, default 0; stiffness: alpha: resistance to deforming, mostly of the high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low pass over the velocities of neighbours after every substep, { "exponential", lambda = 2 }; default "none"; kind: how a neighbour's weight falls with its distance, default "exponential"; lambda: how fast, over the mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange between neighbours, which conserves momentum, instead of a plain mean, default true
---@field relinearize? number # how long K and D are used before they are evaluated again; greater than 0 s; default 0.01
---@field threshold? number|"auto" # speed of divergence, at which a substep is discarded and K evaluated; "auto": twice what the speeds and accelerations at the last evaluation lead to; auto or greater than 0 m/s; default "auto"

---@alias tide.Solver tide.SolverLocalGlobal|tide.SolverNewton|tide.SolverLbfgs|tide.SolverNonlinearCg|tide.SolverVbd|tide.SolverSemiImplicit|tide.SolverImex|tide.SolverBdf2|tide.SolverImplicitMidpoint|tide.SolverPbd|tide.SolverXpbd|tide.SolverExplicitEuler|tide.SolverSymplecticEuler|tide.SolverVerlet|tide.SolverMidpoint|tide.SolverRk4|tide.SolverLinearizedExplicit

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

---hair, fur or a brush: a line of vertices from each root, straight or curled
---@class tide.MeshStrands
---@field points? integer # vertices of each strand, the root first; 2 to 100000000; default 19
---@field length? number # of each strand along its edges, which are of one length; greater than 0 m; default 0.1
---@field on? tide.Mesh # a surface to root strands on, along its normals; default none
---@field count? integer # strands, spread at random over the area of `on`; 0 to 100000000; default one at each vertex of the surface
---@field roots? number[][] | number[] # instead of `on`: { {x, y, z}, ... } or a flat list; in m; default { {0, 0, 0} }
---@field normals? number[][] | number[] # directions at the roots, of any length but 0: one for each, or one for all; default { {0, 1, 0} }
---@field curl? number # radius at the tip of a helix, which grows from 0 at the root; at least 0 m; default 0
---@field turns? number # of the helix; below 0: to the left; -1000000 to 1000000; default 3
---@field jitter? number # size is changed by up to this part, direction by up to this tangent, the curl's start by this part of half a turn; 0 to 0.9; default 0
---@field seed? integer # of all that is random; 0 to 2147483647; default 0

---a solid block of tetrahedra, centred at the origin
---@class tide.MeshBox
---@field size? number[] # lengths of the sides along x, y and z; greater than 0 m; default {1, 1, 1}
---@field cells? number[] # cells along x, y and z, whole numbers; each is cut into five tetrahedra; 1 to 100000000; default {4, 4, 4}

---the surface of a ball, centred at the origin, of triangles of nearly one size
---@class tide.MeshSphere
---@field radius? number # of all vertices from the origin; greater than 0 m; default 0.5
---@field subdivisions? integer # how often an icosahedron's triangles are cut into four; 10 * 4^subdivisions + 2 vertices; 0 to 11; default 3

---the surface of a cylinder, cone or skirt along y, centred at the origin
---@class tide.MeshCylinder
---@field radius? number # at the bottom; 0 for a tip; at least 0 m; default 0.5
---@field top_radius? number # at the top; 0 for a tip; at least 0 m; default that of the bottom
---@field height? number # size along y; greater than 0 m; default 1
---@field segments? integer # vertices around; 3 to 100000000; default 32
---@field rows? integer # vertices from the bottom to the top; 2 to 100000000; default 11
---@field caps? boolean # whether bottom and top are closed; without them, bending springs run around and along the side; default true

---the surface of a ring about the y axis, centred at the origin
---@class tide.MeshTorus
---@field major? number # distance of the tube's middle from the axis; greater than 0 m; default 0.5
---@field minor? number # radius of the tube, less than major; greater than 0 m; default 0.2
---@field segments? integer # vertices around the axis; 3 to 100000000; default 32
---@field sides? integer # vertices around the tube; 3 to 100000000; default 12

---@class tide.MeshModule
---@field grid fun(definition: tide.MeshGrid): tide.Mesh # a cloth: a rectangle in the x-z plane from the origin, with an edge between neighbours
---@field strand fun(definition: tide.MeshStrand): tide.Mesh # a rope or a hair: a line of vertices with an edge between neighbours
---@field strands fun(definition: tide.MeshStrands): tide.Mesh # hair, fur or a brush: a line of vertices from each root, straight or curled
---@field box fun(definition: tide.MeshBox): tide.Mesh # a solid block of tetrahedra, centred at the origin
---@field sphere fun(definition: tide.MeshSphere): tide.Mesh # the surface of a ball, centred at the origin, of triangles of nearly one size
---@field cylinder fun(definition: tide.MeshCylinder): tide.Mesh # the surface of a cylinder, cone or skirt along y, centred at the origin
---@field torus fun(definition: tide.MeshTorus): tide.Mesh # the surface of a ring about the y axis, centred at the origin
---@field load fun(path: string, options?: tide.MeshMend): tide.Mesh?, string? # Reads a file, first sought in the scene's folder: .obj, .ply, .stl, .mesh (MEDIT), .node or .ele (TetGen), .msh (Gmsh) or .vtk. Returns the mesh, or nil and a message.
---@field tetrahedralize fun(definition: tide.MeshTetrahedralize): tide.Mesh # A mesh of tetrahedra of what is inside of a distance or of a closed surface.
---@field new fun(definition: tide.MeshNew): tide.Mesh # A mesh of lists of vertices, edges, triangles and tetrahedra.

---All that is below a plane.
---@class tide.DistancePlane
---@field normal? number[] # its outer side; any; default {0, 1, 0}
---@field offset? number # how far it is from the origin, along the normal; -1000000000 to 1000000000 m; default 0

---A ball.
---@class tide.DistanceSphere
---@field position? number[] # of its middle; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field radius? number # of it; greater than 0 and at most 1000000000 m; default 0.5

---All that is near a line.
---@class tide.DistanceCapsule
---@field from? number[] # one end of its axis; -1000000000 to 1000000000 m; default {0, -0.5, 0}
---@field to? number[] # the other; -1000000000 to 1000000000 m; default {0, 0.5, 0}
---@field radius? number # around the axis; greater than 0 and at most 1000000000 m; default 0.25

---A rod with flat ends.
---@class tide.DistanceCylinder
---@field from? number[] # one end of its axis; -1000000000 to 1000000000 m; default {0, -0.5, 0}
---@field to? number[] # the other; -1000000000 to 1000000000 m; default {0, 0.5, 0}
---@field radius? number # around the axis; greater than 0 and at most 1000000000 m; default 0.25

---A block along the axes; its :rotate turns it.
---@class tide.DistanceBox
---@field position? number[] # of its middle; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field size? number[] # from side to side; greater than 0 and at most 1000000000 m; default {1, 1, 1}
---@field rounding? number # radius of its edges, at most half of its shortest side; 0 to 1000000000 m; default 0

---A ball with three radii.
---@class tide.DistanceEllipsoid
---@field position? number[] # of its middle; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field radii? number[] # along x, y and z; greater than 0 and at most 1000000000 m; default {0.5, 0.5, 0.5}

---A ring.
---@class tide.DistanceTorus
---@field position? number[] # of its middle; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field axis? number[] # that the ring goes round; any; default {0, 1, 0}
---@field major? number # radius of the ring; greater than 0 and at most 1000000000 m; default 0.5
---@field minor? number # radius of its tube, at most the ring's; greater than 0 and at most 1000000000 m; default 0.15

---Distances to combine.
---@class tide.DistanceParts
---@field [integer] tide.Distance
---@field blend? number # how far from the seam it is smoothed; before it the distances themselves, { a, b, ..., blend = 0.1 }; 0 to 1000000000 m; default 0

---A function as a distance.
---@class tide.DistanceFunction
---@field fn fun(x: number, y: number, z: number): number # the distance from the surface, negative inside; in m
---@field bounds number[][] # where it is sampled, { { least x, y, z }, { greatest x, y, z } }; in m
---@field cell? number # side of the cubes at whose corners it is sampled; greater than 0 and at most 1000000000 m; default 0.05

---@class tide.DistanceModule
---@field plane fun(definition?: tide.DistancePlane): tide.Distance # All that is below a plane.
---@field sphere fun(definition?: tide.DistanceSphere): tide.Distance # A ball.
---@field capsule fun(definition?: tide.DistanceCapsule): tide.Distance # All that is near a line.
---@field cylinder fun(definition?: tide.DistanceCylinder): tide.Distance # A rod with flat ends.
---@field box fun(definition?: tide.DistanceBox): tide.Distance # A block along the axes; its :rotate turns it.
---@field ellipsoid fun(definition?: tide.DistanceEllipsoid): tide.Distance # A ball with three radii.
---@field torus fun(definition?: tide.DistanceTorus): tide.Distance # A ring.
---@field union fun(parts: tide.DistanceParts): tide.Distance # What is in any of the parts: { a, b, ..., blend = 0.1 }.
---@field intersection fun(parts: tide.DistanceParts): tide.Distance # What is in all of the parts.
---@field difference fun(parts: tide.DistanceParts): tide.Distance # What is in the first part and in none of the others.
---@field fn fun(definition: tide.DistanceFunction): tide.Distance # A function, sampled on a grid: { fn = function(x, y, z) ... end, bounds = ..., cell = 0.05 }.
---@field mesh fun(mesh: tide.Mesh): tide.Distance # Exactly that from a closed surface.

---What colliders of every shape have.
---@class tide.ColliderFields
---@field friction? number # Coulomb's coefficient: of the force along the normal, how much may hold against sliding; at least 0; default 0.3
---@field restitution? number # the part of the speed of approach that a bounce keeps; 0 to 1; default 0
---@field thickness? number # kept between its surface and what touches it; 0 to 1000000000 m; default 0
---@field colour? number[] # red, green, blue, sRGB; 0 to 1; default {0.72, 0.7, 0.67}
---@field visible? boolean # whether it is drawn; default true
---@field move? function # function(t) that returns its position at the time t (s), as x, y, z or a table { position =, rotation = }; default none
---@field keyframes? tide.Keyframe[] # { { time =, position =, rotation = }, ... }, where it is when; default none
---@field interpolation? "linear"|"smooth" # between keyframes along straight lines, or without jumps of velocity, never beyond the two keys; default "linear"
---@field loop? boolean # whether the keyframes begin again after the last, which must then be as the first; default false

---a floor or wall without end
---@class tide.ColliderPlane: tide.ColliderFields
---@field shape "plane"
---@field normal? number[] # which way is out, of any length but 0; what lies on the other side is inside; any; default {0, 1, 0}
---@field offset? number # how far along the normal the plane is from the origin; -1000000000 to 1000000000 m; default 0

---a ball
---@class tide.ColliderSphere: tide.ColliderFields
---@field shape "sphere"
---@field position? number[] # where its middle is; any, in m; default {0, 0, 0}
---@field radius? number # from the middle to the surface; greater than 0 and at most 1000000000 m; default 0.5

---a limb or a rod with round ends: all that is near a line
---@class tide.ColliderCapsule: tide.ColliderFields
---@field shape "capsule"
---@field from? number[] # one end of the line in its middle; any, in m; default {0, -0.5, 0}
---@field to? number[] # the other end; where it is the first, the capsule is a sphere; any, in m; default {0, 0.5, 0}
---@field radius? number # of the round; greater than 0 and at most 1000000000 m; default 0.25

---a drum, a disc or a rod with flat ends
---@class tide.ColliderCylinder: tide.ColliderFields
---@field shape "cylinder"
---@field from? number[] # the middle of one end; any, in m; default {0, -0.5, 0}
---@field to? number[] # the middle of the other end, another point; any, in m; default {0, 0.5, 0}
---@field radius? number # of the round; greater than 0 and at most 1000000000 m; default 0.25

---a block with sharp edges
---@class tide.ColliderBox: tide.ColliderFields
---@field shape "box"
---@field position? number[] # where its middle is; any, in m; default {0, 0, 0}
---@field rotation? number[] # how it is turned: { x, y, z, angle }, an axis and radians about it; default none
---@field size? number[] # lengths of its sides along its own x, y and z; greater than 0 and at most 1000000000 m; default {1, 1, 1}

---a ring
---@class tide.ColliderTorus: tide.ColliderFields
---@field shape "torus"
---@field position? number[] # where its middle is; any, in m; default {0, 0, 0}
---@field axis? number[] # through its hole, of any length but 0; any; default {0, 1, 0}
---@field major? number # from its middle to that of the tube; greater than 0 and at most 1000000000 m; default 0.5
---@field minor? number # of the tube, at most `major`; greater than 0 and at most 1000000000 m; default 0.15

---a solid with the surface of a closed mesh, rigid or in motion
---@class tide.ColliderMesh: tide.ColliderFields
---@field shape "mesh"
---@field mesh tide.Mesh # a closed surface of triangles, or what has one; with sheet = true any triangles
---@field position? number[] # where the mesh's origin is; any, in m; default {0, 0, 0}
---@field rotation? number[] # how it is turned: { x, y, z, angle }, an axis and radians about it; default none
---@field scale? number # factor of the mesh's coordinates; greater than 0 and at most 1000000000; default 1
---@field sheet? boolean # whether its triangles are a thin sheet, which may be open and is touched from both sides; default false
---@field deforms? boolean # whether a script moves its vertices, by collider:set_position or collider:positions; default false
---@field frames? (tide.Mesh|tide.Numbers)[] # where its vertices are, one after another: meshes like `mesh`, or lists of x, y, z of all vertices; in between they go along straight lines, or with interpolation = "smooth" without jumps of velocity; default none
---@field rate? number # frames a second; the first is at time 0; greater than 0 and at most 1000000 1/s; default 30

---ground with hills
---@class tide.ColliderHeightfield: tide.ColliderFields
---@field shape "heightfield"
---@field position? number[] # where the middle of height 0 is; any, in m; default {0, 0, 0}
---@field width? number # length along x; greater than 0 and at most 1000000000 m; default 10
---@field depth? number # length along z; greater than 0 and at most 1000000000 m; default 10
---@field columns? integer # heights along x; 2 to 16384; default 33
---@field rows? integer # heights along z; 2 to 16384; default 33
---@field heights number[]|number[][]|fun(x: number, z: number): number # columns * rows heights in m, row after row, or a function(x, z) that returns one

---any solid: a function that tells how far its surface is
---@class tide.ColliderDistance: tide.ColliderFields
---@field shape "distance"
---@field fn tide.Distance|fun(x: number, y: number, z: number): number # function(x, y, z) that returns the distance to the surface in m, negative inside; or a ready distance
---@field bounds? number[][] # { { x, y, z }, { x, y, z } }, the corners of a box around what is inside; what sticks out is cut off; default those of the distance
---@field cell? number # side of the cubes at whose corners a function is asked, and which the drawn surface is made of; greater than 0 and at most 1000000000 m; default 0.05
---@field position? number[] # where the origin of x, y and z is; any, in m; default {0, 0, 0}
---@field rotation? number[] # how it is turned: { x, y, z, angle }, an axis and radians about it; default none

---@alias tide.ColliderDefinition tide.ColliderPlane|tide.ColliderSphere|tide.ColliderCapsule|tide.ColliderCylinder|tide.ColliderBox|tide.ColliderTorus|tide.ColliderMesh|tide.ColliderHeightfield|tide.ColliderDistance

---The energies of a scene.
---@class tide.Energy
---@field kinetic number # J
---@field elastic number # J
---@field gravity number # J; zero at the origin
---@field total number # J

---What the solver did in a step. A number is absent when the method has none.
---@class tide.Report
---@field solver string # its name
---@field converged boolean # whether it met its tolerance; with newton, bdf2 and implicit_midpoint contacts are settled, too
---@field iterations integer # how many it took
---@field line_searches integer # how many it took
---@field linear_iterations integer # how many it took
---@field substeps integer # how many it took
---@field rejected integer # substeps discarded, to be taken again with other ones
---@field substep number? # s, the last that was taken
---@field stable_substep number? # s, the longest stable one in theory; 0: none is, as the method gains energy without damping
---@field largest_eigenvalue number? # 1/s^2, that this rests on
---@field warning string? # what to know about this step
---@field g number? # what the step minimises, at the result
---@field gradient_norm number? # of g at the result, over free particles
---@field initial_gradient_norm number? # of g at y, where the step starts
---@field local_seconds number # s
---@field global_seconds number # s
---@field contact_seconds number # s
---@field step_seconds number # s
---@field energy_gain number # J, what the step added beyond the energy that forces, pins, colliders and contacts gave it at most; 0 when none
---@field accelerated boolean? # whether all iterations were accelerated; false when contacts moved particles

---A vertex of a body that touches a collider or another body.
---@class tide.Contact
---@field body tide.Body # that touches something
---@field vertex integer # of it
---@field collider tide.Collider? # what it touches, unless it is a body
---@field other tide.Body? # what it touches, unless it is a collider
---@field other_vertex integer? # the nearest of that body
---@field point number[] # where, in m
---@field normal number[] # away from what it touches
---@field depth number # m, how deep it was before the contact was answered
---@field force number # N, on the body along the normal; mean over the step that ended at scene.time
---@field friction number[] # N, on the body along the surface; likewise

---What the mesh doctor found.
---@class tide.MeshProblem
---@field kind string # "isolated vertex" and the like
---@field count integer # how many there are
---@field index integer # of the first
---@field fatal boolean # whether a body of this mesh is refused
---@field text string # what, where and what to do

---What a reload kept.
---@class tide.Reconciliation
---@field kept integer # bodies whose state goes on
---@field rebuilt integer # bodies with another topology
---@field added integer # new bodies
---@field removed integer # bodies that are gone
---@field refactored boolean # whether the solver had to factor again
---@field seconds number # that it took
---@field changes string # what changed, a line for each body, collider or setting

---What became of one of the forks of scene:compare.
---@class tide.ComparisonResult
---@field solver string # as it was given, or its name
---@field scene tide.Scene # the fork, to go on with
---@field timestep number # s
---@field steps integer # how many it took
---@field milliseconds number? # of a step; the first, which makes ready, does not count where there are more
---@field iterations integer # of the last step
---@field error number? # of a step from there, (g(x) - g(x*)) / (g(y) - g(x*)) (Liu et al. 2013, eq. 15), x* being its minimum; nil where something touches, for methods that do not minimise g, with substeps or damping in the solver
---@field distance number? # m, root mean square over the particles, from the first's; nil at different times
---@field energy number # J, the total
---@field hash string # of its state
---@field message string? # why a step could not be taken: it stopped there

---A solver.
---@class tide.SolverInfo
---@field name string
---@field help string
---@field source string # paper and equation
---@field options tide.OptionInfo[]
---@field order integer # of accuracy in the timestep; 0: none, as it depends on the iterations
---@field amplification (fun(X: number, Y: number): number)? # the largest |eigenvalue| of a step of x'' = -k x - d x' with X = h d and Y = h^2 k (Shinya 2005, eq. 15 to 19); nil: not known in closed form

---An option.
---@class tide.OptionInfo
---@field name string
---@field type string
---@field default string
---@field range string
---@field unit string
---@field help string
---@field maximum number?

---How an iterative method ended.
---@class tide.IterativeResult
---@field iterations integer # how many it took
---@field residual number # |b - A x| / |b|, or the eigenvalue's relative change
---@field converged boolean # whether it met its tolerance

---A world with its bodies, solver and callbacks.
---@class tide.Scene
---@field body fun(self: tide.Scene, name: string, definition?: tide.BodyDefinition): tide.Body # Adds a body, or without a definition finds one. The name is its identity over reloads.
---@field bodies fun(self: tide.Scene): tide.Body[] # All bodies, in the order they were added.
---@field collider fun(self: tide.Scene, name: string, definition?: tide.ColliderDefinition): tide.Collider # Adds a collider, or without a definition finds one. The name is its identity over reloads.
---@field colliders fun(self: tide.Scene): tide.Collider[] # All colliders, in the order they were added.
---@field contacts fun(self: tide.Scene): tide.Contact[] # The contacts of the last step that carried a force, in a fixed order.
---@field set_touching fun(self: tide.Scene, a: tide.Body, b: tide.Body, touching: boolean): tide.Scene # Whether two bodies may touch each other (or, the same one twice, one itself), whatever their definitions say.
---@field attach fun(self: tide.Scene, a: tide.Body, vertices: integer|integer[], b: tide.Body|tide.Collider, to?: integer|integer[]|"nearest"|tide.AttachColliderOptions, options?: tide.AttachOptions|tide.AttachColliderOptions): tide.Scene # Joins vertices of a to as many of b (or to one), or to the nearest points of b's surface, by springs. To a collider they are pinned and go with it: from where they are, or with "nearest" from its surface.
---@field step fun(self: tide.Scene, count?: integer): true?, string?, boolean? # Calls update and advances by the timestep, count times. Returns true, or nil, a message and whether the step diverged when it could not be taken; the world is then at the last good frame.
---@field problem fun(self: tide.Scene): tide.Problem?, string? # Calls update and returns the step that comes as a minimisation problem, or nil and a message. problem:advance() then takes the step.
---@field method fun(self: tide.Scene, solver?: string): tide.Method # A solver to take problems with: the scene's with its options, or "NAME" or "NAME,option=value,...".
---@field solver_info fun(self: tide.Scene): tide.SolverInfo # What tide.solvers() tells of the scene's solver.
---@field energy fun(self: tide.Scene): tide.Energy # The energies now, in J.
---@field report fun(self: tide.Scene): tide.Report # What the solver did in the last step.
---@field snapshot fun(self: tide.Scene): tide.Snapshot # The complete state as one value.
---@field restore fun(self: tide.Scene, snapshot: tide.Snapshot): tide.Scene # Goes back to a snapshot of the same bodies.
---@field fork fun(self: tide.Scene): tide.Scene # A scene of its own in the same state, with the same callbacks. While it runs them, what they hold of this scene and its bodies is the fork's.
---@field compare fun(self: tide.Scene, options: tide.CompareOptions): tide.ComparisonResult[] # Forks it for each of the solvers and timesteps, steps them, and tells what became of each. The scene stays as it is.
---@field plot fun(self: tide.Scene, name: string, value: number): tide.Scene # Adds a number to the plot of that name, once in a frame, as from update: the window's panels show it.
---@field hash fun(self: tide.Scene): string # 16 hexadecimal digits that stand for the complete state.
---@field reset fun(self: tide.Scene): tide.Scene # Goes back to before the first step.
---@field system fun(self: tide.Scene): tide.System # The mathematics of the scene.
---@field random fun(self: tide.Scene): number # A number from [0, 1) of the world's generator, which is part of snapshots.
---@field reload fun(self: tide.Scene, path?: string, options?: tide.LoadOptions): true?, tide.Reconciliation|string # Runs a script and makes this scene what it says, keeping the state of bodies with the same name and topology. Returns true and what was kept, or nil and a message; nothing has changed then.
---@field time number # Simulated time, in s.
---@field frame integer # Steps taken.
---@field timestep number # What one step advances, in s.
---@field gravity number[] # Assign a list of three numbers, or one of them: `gravity[2] = -1.62`. In m/s^2.
---@field drag number # Ether drag, in 1/s.
---@field deformation_drag number # Drag on each body's deformation, which leaves its rigid motion, in 1/s.
---@field title string # Of the window.
---@field solver string | tide.Solver # The solver's name and options, as read. Assign one of its options, a name, or a table: `solver.iterations = 5` leaves the other options as they are, `solver = { "newton" }` gives them their defaults.
---@field state table # Plain data that is part of snapshots and hash and is carried over reloads: a field that exists keeps its value, and what the new script assigns to it takes effect after scene:reset(). A reload tells when a new script assigns something else than the one before.
---@field camera tide.Camera? # Where the picture is taken from; nil: from where all is seen. Assign a table, or one of its fields.
---@field ground number | boolean | tide.Ground | nil # Height of the ground that is drawn and that bodies come to rest on; true: just below the scene; { height = ..., solid = false }: drawn only; false: none; nil: drawn where a visible plane is a floor. Once steps are taken only what is drawn changes.
---@field background number[] # Red, green, blue behind everything. Assign a list, or one of them.
---@field update fun(dt: number)? # Called before each step: add forces, move pins.
---@field contact fun(contact: tide.Contact)? # Called after each step, which stays taken whatever it does, with each contact that carried a force, in a table of its own.
---@field draw fun(canvas: tide.Canvas)? # Called after the world is drawn.
---@field keypressed fun(key: string)? # Called when a key goes down.
---@field mousepressed fun(x: number, y: number, button: integer)? # Called when a mouse button goes down; x and y in pixels from the top left.
---@field quit fun()? # Called before the program ends.

---A body of a scene.
---@class tide.Body
---@field name string # The body's identity over reloads.
---@field vertex_count integer # How many vertices there are.
---@field spring_count integer # How many springs there are.
---@field element_count integer # How many elements there are: the springs, then the elements of each group of `elements`.
---@field triangle_count integer # How many triangles there are.
---@field mesh tide.Mesh # The shape at rest.
---@field current_mesh fun(self: tide.Body): tide.Mesh # A mesh of the shape as it is now, to save.
---@field surface tide.Mesh? # The fine surface that the mesh carries, at rest.
---@field current_surface fun(self: tide.Body): tide.Mesh? # The fine surface as it is now, to save; nil without one.
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
---@field colour fun(self: tide.Body, value?: (fun(i: integer): number), options?: tide.ColourOptions): tide.Body # Colours the body by numbers: the function is asked for that of each vertex whenever a picture is drawn. The colours go from low to high; without these they are as the numbers are. nil ends it.
---@field spring fun(self: tide.Body, s: integer): integer, integer, number, number # The two vertices of spring s, its stiffness in N/m and its rest length now, in m: springs of the edges first, in their order, then those that bend, then `springs`.
---@field contract fun(self: tide.Body, elements: integer[]|integer, factor: number): tide.Body # Makes springs muscles: from the next step on their rest lengths are those they were made with times a factor, until it is changed; 1 relaxes them. Elements of `elements` count on after the springs; their areas or lengths at rest change in the same way.

---What bodies touch and cannot move.
---@class tide.Collider
---@field name string # The collider's identity over reloads.
---@field shape string # The kind of its shape.
---@field friction number # Coulomb's coefficient; assign a number to change it from the next step on.
---@field restitution number # The part of the speed that a bounce keeps, to be changed likewise.
---@field thickness number # Kept between its surface and what touches it, in m; to be changed likewise.
---@field visible boolean # Whether it is drawn.
---@field position number[] # A copy of where the shape's frame is now; assign three numbers to put it there at once, without a motion. In m.
---@field rotation number[] # A copy of how it is turned, an axis and an angle; assign four numbers to turn it at once.
---@field move_to fun(self: tide.Collider, x: number, y: number, z: number, rotation?: number[]): tide.Collider # Where it is to be at the end of the next step; on the way it drags what touches it. Takes `move_to { position = { x, y, z }, rotation = { 0, 1, 0, 0.5 } }` too.
---@field distance fun(self: tide.Collider, x: number, y: number, z: number): number, number, number, number # How far a point is from its surface now, less the thickness, negative inside; and the direction away from it.
---@field vertex_count integer # Of its surface: of a mesh, the mesh's.
---@field set_position fun(self: tide.Collider, vertex: integer, x: number, y: number, z: number): tide.Collider # Of a mesh with deforms = true: where a vertex is to be at the end of the next step; on the way it drags what touches it. In the collider's own frame, as the mesh's vertices times its scale, in m.
---@field positions fun(self: tide.Collider): tide.Buffer # Likewise, all vertices at once: a buffer over where they are to be at the end of the next step.
---@field force fun(self: tide.Collider): number[], number[] # The sum of the contact forces on it, with friction, in N, and their torque about its position, in N m: lists x, y, z, both means over the step that ended at scene.time. In scene.update that is the step before. A collider that a script moves by these forces follows them one step late: give its inertia the mass of what lands on it, too, or it gains energy.

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
---@field texture fun(self: tide.Mesh, i: integer): number?, number? # Texture coordinates u, v of vertex i; nothing where the mesh has none.
---@field unfold fun(self: tide.Mesh, scale?: number): tide.Mesh # The mesh laid flat by its texture coordinates: vertex i is at (scale u, scale v, 0), in m. As the `rest` of a body it is the pattern that a garment is cut from.
---@field bounds fun(self: tide.Mesh): number, number, number, number, number, number # The least x, y, z and the greatest x, y, z.
---@field translate fun(self: tide.Mesh, x: number, y: number, z: number): tide.Mesh # The mesh, moved.
---@field rotate fun(self: tide.Mesh, axis: number[], angle: number): tide.Mesh # The mesh, turned about an axis through the origin by an angle in radians.
---@field scale fun(self: tide.Mesh, x: number, y?: number, z?: number): tide.Mesh # The mesh, scaled by one factor or by one for each axis.
---@field subdivide fun(self: tide.Mesh, times?: integer): tide.Mesh # The mesh with every edge halved.
---@field weld fun(self: tide.Mesh, distance?: number): tide.Mesh # The mesh with vertices joined that are closer than the distance, by default those at one place.
---@field save fun(self: tide.Mesh, path: string): true?, string? # Writes an .obj or .mesh file; in a scene, in the current folder or one below it. Returns true, or nil and a message.
---@field check fun(self: tide.Mesh): tide.MeshProblem[], tide.MeshProblem[] # What is wrong with the mesh, empty when nothing is; and what is good to know: a rim, several pieces.

---A signed distance: how far a point is from a surface, negative inside. It never changes: each method returns a new one. a + b is the union, a - b the difference, a * b the intersection of two.
---@class tide.Distance
---@operator add(tide.Distance): tide.Distance
---@operator sub(tide.Distance): tide.Distance
---@operator mul(tide.Distance): tide.Distance
---@field at fun(self: tide.Distance, x: number, y: number, z: number): number, number, number, number # The distance there, in m, negative inside; and its gradient.
---@field bounds fun(self: tide.Distance): number, number, number, number, number, number # The least x, y, z and the greatest of what is inside; infinite where it has no end.
---@field translate fun(self: tide.Distance, x: number, y: number, z: number): tide.Distance # The distance, moved.
---@field rotate fun(self: tide.Distance, axis: number[], angle: number): tide.Distance # The distance, turned about an axis through the origin by an angle in radians.
---@field scale fun(self: tide.Distance, factor: number): tide.Distance # The distance, scaled.
---@field grow fun(self: tide.Distance, by: number): tide.Distance # With the surface moved outward, by so many m; inward where negative. Edges become round.
---@field copies fun(self: tide.Distance, counts: integer[], spacing: number[]): tide.Distance # So many copies along each axis, with the middles so far apart, around the origin.

---Numbers of a body or a collider in the engine's own memory: buffer[1] to buffer[#buffer], x, y, z of each vertex in turn. A number at a time is slow: ten times a table's. Whole buffers are fast.
---@class tide.Buffer
---@field [integer] number
---@operator len: integer
---@field get fun(self: tide.Buffer, vertex: integer): number, number, number # x, y, z of a vertex.
---@field set fun(self: tide.Buffer, vertex: integer, x: number, y: number, z: number) # Sets those of a vertex.
---@field table fun(self: tide.Buffer, into?: number[]): number[] # All numbers, as a table, or in the table that is given: to be read and changed as fast as Lua's own tables are, and then assigned.
---@field assign fun(self: tide.Buffer, numbers: tide.Numbers): tide.Buffer # Takes these numbers, as many as it has; none of them where one is not finite.
---@field copy fun(self: tide.Buffer): tide.Vector # The numbers as they are now, as a vector.
---@field add fun(self: tide.Buffer, numbers: tide.Numbers, factor?: number): tide.Buffer # Adds factor (1) times as many numbers to its own.
---@field fill fun(self: tide.Buffer, x: number, y: number, z: number): tide.Buffer # Sets x, y, z of all vertices.
---@field each fun(self: tide.Buffer, visit: fun(vertex: integer, x: number, y: number, z: number): number?, number?, number?): tide.Buffer # Calls the function for each vertex. The three numbers that it returns take the place of its own when all have been visited; nothing returned leaves it as it is.

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
---@field largest_eigenvalue fun(self: tide.System, x: tide.Numbers, options?: { tolerance: number, max_iterations: integer }): number, boolean # k0, 1/s^2: the largest eigenvalue of M^-1 K at x over free particles (Shinya 2005, eq. 27), by the power method, and whether it met its tolerance.
---@field filtered_eigenvalue fun(self: tide.System, x: tide.Numbers): number? # The largest eigenvalue of M^-1 K with the velocity filter of the scene's solver after every multiplication (Ahmad et al. 2007, algorithm 1); nil without a filter.
---@field laplacian fun(self: tide.System): tide.Matrix # L of Liu 2013, eq. 12, over free particles.
---@field mass_matrix fun(self: tide.System): tide.Matrix # M, diagonal, over the coordinates of free particles: as hessian, and unlike laplacian and matrix.
---@field matrix fun(self: tide.System, timestep?: number): tide.Matrix # A = M + h^2 L over free particles.
---@field gather fun(self: tide.System, full: tide.Numbers): tide.Vector # The coordinates of free particles out of all.
---@field scatter fun(self: tide.System, free: tide.Numbers, full?: tide.Numbers): tide.Vector # A copy of full, or without it zeros, with the coordinates of free particles put in.

---What the step function of a solver gets. Vectors are x, y, z of each particle in turn; they are filled again in the next step, so keep a copy() of what is to stay.
---@class tide.SolverState
---@field positions tide.Vector # q: where all particles are at the start of the step; what is there at its end is the result, unless positions are returned. Pinned particles go to their places in inertial, whatever the result has for them; report.warning tells when it moves one that stands still.
---@field velocities tide.Vector # v: the velocities at the start, after drag. Those at the end are (x - q) / h unless others are returned or put here.
---@field forces tide.Vector # f: external forces with gravity, in N; 0 at pinned particles.
---@field inertial tide.Vector # y = q + h v + h^2 M^-1 f: where the particles go without springs; of pinned ones, where they are to be.
---@field options table # The values of the solver's options; the next step has them anew.
---@field memory table # Plain data and vectors that stay from step to step and are part of snapshots; empty at first.
---@field report tide.SolverReport? # Assign what scene:report() is to tell; the same as returning it last.

---The next step of a scene as a minimisation problem. It is valid until the scene steps or changes.
---@class tide.Problem
---@field timestep number # h, s.
---@field inertial tide.Vector # y = q + h v + h^2 M^-1 f: where the particles go without springs.
---@field g fun(self: tide.Problem, x: tide.Numbers): number # g(x) = 1/2 (x - y)' M (x - y) + h^2 E(x), which backward Euler minimises (Liu et al. 2013, eq. 8).
---@field gradient fun(self: tide.Problem, x: tide.Numbers): tide.Vector # grad g at x.
---@field gradient_norm fun(self: tide.Problem, x: tide.Numbers): number # Its norm over the free particles.
---@field solve fun(self: tide.Problem, solver?: string): tide.Vector?, tide.Vector|string, tide.Report? # Takes the step without contact, by the scene's solver or by "NAME" or "NAME,option=value,...". Returns positions, velocities and a report, or nil and a message. The scene stays as it is.
---@field advance fun(self: tide.Problem): true?, string?, boolean? # Takes the step in the scene, as scene:step() after its update.

---A solver whose steps are measured one at a time.
---@class tide.Method
---@field info tide.SolverInfo # What there is to know about its solver.
---@field prepare_seconds number # s, of its first preparation.
---@field time fun(self: tide.Method, problem: tide.Problem, iterations: integer): tide.Vector?, tide.Vector|string, tide.Report? # Takes the step as if it were the solver's first, with at most so many iterations and tolerance 0, up to four times. Returns positions, velocities and the report of the fastest run, whose step_seconds are processor time; or nil and a message.

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
---@field times fun(self: tide.Vector, w: tide.Numbers): tide.Vector # The products of the elements. w may have a third as many: one for x, y and z of each particle.
---@field over fun(self: tide.Vector, w: tide.Numbers): tide.Vector # The quotients of the elements, w as for times: forces:over(system:masses()) are accelerations.

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
---@field spectrum fun(numbers: tide.Numbers, columns: integer, rows: integer): tide.Vector # |V|^2 of the discrete Fourier transform of numbers on a grid, row by row, with frequency 0 in the middle; of x, y, z at each place the sum. The sum of all is the mean square.

---What `require "springtide.wind"` returns.
---@class springtide.WindModule
---@field new fun(scene: tide.Scene, body: tide.Body, definition?: springtide.WindDefinition): springtide.Wind # A fluid around a body that has triangles.

---What `require "springtide.bristles"` returns.
---@class springtide.BristlesModule
---@field springs fun(definition: springtide.Bristles): number[][] # The list for a body's `springs`, with the rest lengths that the mesh has.

---What `require "springtide.motion"` returns.
---@class springtide.MotionModule
---@field parse fun(text: string, name: string, options?: springtide.MotionOptions): table[]? keyframes, string? message # Keyframes of every part: { { time, position, rotation }, ... }, rotations as an axis and an angle.
---@field load fun(name: string, options?: springtide.MotionOptions): table[]? keyframes, string? message # The same of a file in the data folder, the one that SPRINGTIDE_DATA names.

---What `require "springtide.creatures"` returns.
---@class springtide.CreaturesModule
---@field hippo fun(): tide.Distance # A stand-in for the hippo of Table 1.
---@field frog fun(leaping?: boolean): tide.Distance # A stand-in for the frog of Table 1: sitting, or with its hind legs stretched out behind it.
---@field dog fun(): tide.Distance # A stand-in for the dog of Table 1.

---What `require "springtide.dancer"` returns.
---@class springtide.DancerModule
---@field parts fun(options?: springtide.DancerOptions): table[] # Colliders of the figure: a list of { name, definition }.
---@field dress fun(): tide.Mesh # A dress that the figure wears as it stands at first: a skirt and a bodice in one piece, round it, and a strap over either shoulder. 3,522 vertices and 6,880 triangles.

---What `require "springtide.lab"` returns.
---@class springtide.LabModule
---@field convergence fun(source: string|tide.Scene, options?: table): table # The error of one step against iterations and seconds (Liu et al. 2013, eq. 15).
---@field order fun(source: string|tide.Scene, options?: table): table # The error after a fixed time against the timestep, with the order of accuracy.
---@field stability fun(source: string|tide.Scene, options?: table): table # Where solvers are stable over two axes, with the line of the theory (Shinya 2005).
---@field cost fun(source: string|tide.Scene, options?: table): table # Seconds of computing for a second of the scene, with what they depend on.
---@field pictures fun(source: string|tide.Scene, options?: table): table # The state after a frame under each solver: what the steps took, and how far the particles are apart.
---@field velocities fun(source: string|tide.Scene, options?: table): table # Velocities of the first body in time, and their spectrum over its grid (Ahmad et al. 2007).

---@class tide
---@field version string
---@field mesh tide.MeshModule
---@field distance tide.DistanceModule
---@field linear tide.LinearModule
---@field scene fun(definition?: tide.SceneDefinition): tide.Scene # A new scene.
---@field param fun(name: string, default: any, options?: tide.ParamOptions): any # Declares a parameter and returns its value: the default, or what --set or tide.load gave.
---@field compare fun(definition: tide.ComparisonDefinition) # Declares, in a scene file, that the program shows it in panes side by side: a state under several solvers, values of a parameter or timesteps.
---@field load fun(path: string, options?: tide.LoadOptions): tide.Scene?, string? # Runs a scene script and returns its scene, or nil and a message.
---@field solver fun(definition: tide.SolverDefinition): string # Makes a solver of a function; its name, which this returns, is known from now on wherever a solver's name is.
---@field solvers fun(): tide.SolverInfo[] # The solvers there are, the script's own last, with their options.
---@field random fun(m?: integer, n?: integer): number # As math.random. In callbacks it draws from the world's generator, which is part of snapshots.
---@field threads fun(count?: integer): integer # Sets how many threads the engine uses (0: all processors); returns it. Results do not depend on it.
---@field data fun(name: string): string?, string? # The path of a file in the folder that the environment variable SPRINGTIDE_DATA names, or nil and a message when it is not there.
---@field read fun(name: string): string?, string? # The text of a file in that folder, or nil and a message.
local tide = {}

return tide
