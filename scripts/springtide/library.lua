---@meta springtide
-- Annotations from which editors complete scene scripts. Made from the engine's own tables
-- by `springtide reference scripts/springtide/library.lua`; a test compares.
-- luacheck: no max line length

---@alias tide.Numbers tide.Vector|tide.Buffer|number[]

---A scene.
---@class tide.SceneDefinition
---@field timestep? number # duration of one step; greater than 0 and at most 10 s; default 1/30
---@field gravity? number[] # acceleration of every particle; y is up; -1000000 to 1000000 m/s^2; default {0, -9.81, 0}
---@field drag? number # drag on all velocities: each step multiplies them by exp(-drag * timestep); 0 to 1000000 1/s; default 0
---@field deformation_drag? number # drag on the deformation of each body: the difference of its velocities from a rigid motion is multiplied by exp(-deformation_drag * timestep); 0 to 1000000 1/s; default 0
---@field title? string # title of the window; default ""
---@field solver? string | tide.Solver | table # solver: its name, "NAME,option=value,..." or { name, option = value, ... }; one of the engine or one made by tide.solver; default "local_global"
---@field contact? tide.ContactSettings # settings of contact detection and response; default its fields' defaults
---@field camera? tide.Camera # the camera; default one that shows the whole scene
---@field ground? number | boolean | tide.Ground # height of the ground, which is drawn and on which bodies land; true: just below the scene; { height = ..., solid = false }: drawn only; false: none; in m; default drawn where a visible plane is a floor
---@field friction_pairs? any[][] # friction of pairs of contact materials, each { "wool", "steel", 0.3 }: it replaces the coefficients of both sides, in all directions; default none
---@field background? number[] # background colour: red, green, blue in sRGB; default a light grey
---@field portable? boolean # true: the same states, to the bit, on every platform; slower than with wide vectors. The script runs in this mode from its first line; default false

---A body.
---@class tide.BodyDefinition
---@field mesh tide.Mesh # shape of the body at rest
---@field surface? tide.Mesh # embedded fine surface of triangles, in the mesh's coordinates, which moves with the mesh's tetrahedra; it replaces the mesh's own surface for drawing and contact; default none
---@field rest? tide.Mesh # mesh with the same number of vertices that defines rest lengths and areas, such as the pattern of a garment (mesh:unfold); default: `mesh`; default none
---@field mass? number # mass of the whole body, shared equally by its vertices; 1 kg if neither masses nor density is given; greater than 0 and at most 1e+15 kg; default nil
---@field masses? number[]|fun(i: integer, x: number, y: number, z: number): number # mass of each vertex; in kg; default none
---@field density? number|fun(i: integer, x: number, y: number, z: number): number # density. With materials: a solid has it times its volume, a membrane times thickness and area, a rod times cross-section and length. Without: kg/m^3 for tetrahedra; for a mesh without them kg/m^2 for triangles; for edges alone kg/m. If it is a list, a number per vertex; an element takes the mean of its vertices; greater than 0 and at most 1e+15 kg/m^3; default nil
---@field area_density? number # mass per area of the mesh's triangles; for them it replaces density times thickness; greater than 0 and at most 1e+15 kg/m^2; default nil
---@field rigid? boolean # the body moves as a whole and does not deform; it needs density (a closed surface or tetrahedra), area_density, mass or masses; default false
---@field stiffness? number|fun(i: integer, x: number, y: number, z: number): number # stiffness of the spring of each edge; if it is a list, a number per vertex, and a spring takes the mean of its two; 0 to 1e+15 N/m; default nil
---@field modulus? number|fun(i: integer, x: number, y: number, z: number): number # instead of stiffness: stiffness = modulus / rest length, which is independent of resolution; 0 to 1e+15 N; default nil
---@field bend? number|fun(i: integer, x: number, y: number, z: number): number # stiffness of every bending spring; 0 to 1e+15 N/m; default nil
---@field bend_modulus? number|fun(i: integer, x: number, y: number, z: number): number # instead of bend: stiffness = modulus / rest length; 0 to 1e+15 N; default nil
---@field bend_model? "automatic"|"skip"|"hinge" # skip: springs between vertices two apart in a grid or strand, or along the lines of a mesh of edges; hinge: springs between the two vertices opposite an edge; automatic: skip if the mesh has such vertices, else hinge; default "automatic"
---@field springs? number[][] # additional springs, each { i, j, stiffness [, rest length] }; default none
---@field elements? tide.Element[] # groups of elements, each { kind, on = "edges", "triangles" or "tetrahedra", parameters }, as { "area_spring", on = "triangles", stiffness = 50 }; `springtide elements` lists the kinds; default none
---@field colour? number[] # colour of the front: red, green, blue in sRGB; bodies left at the default get different colours; 0 to 1; default {0.72, 0.16, 0.18}
---@field back_colour? number[] # colour of the back: red, green, blue in sRGB; 0 to 1; default made from colour
---@field pattern? "plain"|"checker" # pattern of the surface; default "plain"
---@field checkers? number # number of squares across the mesh's texture; 1 to 1000; default 16
---@field radius? number # radius of the tubes and balls that represent lines and single vertices; greater than 0 and at most 1000 m; default that of its rods, else 5 mm
---@field thickness? number # bodies keep a distance of half of each one's thickness from each other, and of half of it from colliders; 0 to 1000 m; default twice the radius of lines; cloth 5 mm, solids 2 mm, at most a quarter of the mean edge
---@field friction? number | tide.Friction # Coulomb's coefficient of friction; between two objects the geometric mean applies, unless friction_pairs has their contact materials. Or { along = ..., across = ..., direction = { x, y, z } or "warp" }, which depends on the direction along the surface; 0 to 1000; default that of what it touches; between two bodies 0.3
---@field contact_material? string # name of its material in the scene's friction_pairs; default ""
---@field rolling? number # coefficient of rolling friction of a rigid body: the torque that resists rolling, divided by the normal force; between two objects the larger one applies; 0 to 1000 m; default 0
---@field restitution? number # coefficient of restitution: the fraction of the approach speed that a bounce keeps; between two objects the larger one applies; 0 to 1; default 0
---@field collide? "all"|"colliders"|"none" # what the body collides with: colliders and other bodies, only colliders, or nothing; default "all"
---@field self_collide? boolean # the body collides with itself; default false
---@field solid? tide.MaterialSolid # elastic tetrahedra; default none
---@field rod? tide.MaterialRod # elastic rods along edges, which stretch, bend and, with twist = true, twist; default none
---@field membrane? tide.MaterialMembrane # triangles that resist stretch and shear; default none
---@field shell? tide.MaterialShell # edges between triangles that resist bending; default none
---@field gas? tide.MaterialGas # a gas within a closed surface; default none
---@field pressure? number|tide.MaterialPressure # a constant pressure within a closed surface: pressure = 500, the same as gas = { pressure = 500 }; default none
---@field strain_limit? tide.MaterialStrainLimit # holds the stretches of a solid, a membrane or springs within limits; default none
---@field plastic? tide.MaterialPlastic # plastic flow: springs, rods, solids, membranes, discrete shells and other elements with a size at rest change their shape at rest for good beyond a strain; default none
---@field tear? tide.MaterialTear # tearing: where springs and other elements are stretched too far, vertices are split and the body comes apart; scene.torn is called for each; default none

---Settings of contact detection and response.
---@class tide.ContactSettings
---@field continuous? boolean # continuous collision detection of triangles and edges at the end of each step, with impact zones as the last resort: a step that starts without intersections ends without any; default false
---@field sweeps? integer # number of sweeps over all contacts between bodies in each contact solve; 1 to 1000; default 4
---@field lines? boolean # the edges of lines (hair, bristles) collide with edges, not only their vertices; default false

---A position and rotation of a collider at a time.
---@class tide.Keyframe
---@field time number # time of the keyframe; must be later than the one before; any, in s
---@field position? number[] # position of the shape's frame; any, in m; default the shape's
---@field rotation? number[] # rotation { x, y, z, angle }: an axis and an angle about it in radians; default the shape's

---Friction that depends on the direction along a surface; of a body or a collider.
---@class tide.Friction
---@field along number # coefficient of friction along the direction; 0.0001 to 1000
---@field across number # coefficient of friction across the direction; 0.0001 to 1000
---@field direction number[] | "warp" # direction on the surface at rest, which moves with it: a vector x, y, z in the coordinates of a body's mesh, or in the world as a collider is defined; or "warp", along the first texture coordinate of a cloth

---The ground that is drawn.
---@class tide.Ground
---@field height? number # height of the ground along the up axis; -1000000000 to 1000000000 m; default just below the scene
---@field solid? boolean # bodies collide with the ground; false: it is only drawn; default true
---@field friction? number # Coulomb's coefficient; 0 to 1000000; default 0.3
---@field rolling? number # coefficient of rolling friction of rigid bodies on it; 0 to 1000 m; default 0
---@field contact_material? string # name of its material in the scene's friction_pairs; default ""
---@field restitution? number # coefficient of restitution: the fraction of the approach speed that a bounce keeps; 0 to 1; default 0

---The camera.
---@class tide.Camera
---@field position number[] # position of the camera; -1000000000 to 1000000000 m
---@field target? number[] # point at which the camera looks; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field up? number[] # direction that points up in the picture; -1 to 1; default { 0, 1, 0 }, or against gravity where that is along x or z
---@field field_of_view? number # vertical field of view; 0.01 to 3 rad; default 0.7

---A parameter.
---@class tide.ParamOptions
---@field min? number # smallest value; any; default none
---@field max? number # largest value; any; default none
---@field scale? "linear"|"log" # scale of the slider; default "linear"
---@field unit? string # unit, shown after the value; default ""
---@field help? string # one line of explanation; default ""
---@field choices? string[] # choices; default none

---Settings of a run of a script.
---@class tide.LoadOptions
---@field set? table<string, number|boolean|string> # values of the script's parameters, { name = value, ... }; default none
---@field solver? string # "NAME" or "NAME,option=value,..." instead of the script's; default the script's
---@field timestep? number # overrides the timestep of the script; greater than 0 and at most 10 s; default the script's
---@field seed? integer # seed of the world's random generator; 0 to 2147483647; default 0
---@field portable? boolean # true: in the portable mode, even if the script does not say so; default false
---@field time_limit? number # time limit for running the file and for each later scene:step; beyond it they return nil and a message; 0: no limit; 0 to 1000000 s; default 0
---@field memory_limit? number # memory limit of the script and its scene, in MB of 2^20 bytes; beyond it these calls fail likewise; 0: no limit; 0 to 1000000 MB; default 0
---@field trusted? boolean # false: the script reads its own file and the Lua library only and writes no files, and its limits are 10 s and 512 MB where none are given; default true
---@field answers? boolean # also return the second value that the script returns; default false

---Limits of a call.
---@class tide.Limits
---@field time_limit? number # limit of processor time; 0: no limit; 0 to 1000000 s; default 0
---@field memory_limit? number # limit of memory, in MB of 2^20 bytes; 0: no limit; 0 to 1000000 MB; default 0
---@field trusted? boolean # false: the function writes no files; default true
---@field scenes? boolean # false: the function neither makes scenes nor steps them; default true

---What the colours of a body mean.
---@class tide.ColourOptions
---@field low? number # number at the lower end of the colours; any; default 0
---@field high? number # number at the upper end; if it equals `low`, the range is that of the numbers; any; default 0
---@field name? string # name of the numbers on the colour bar; default ""
---@field unit? string # unit of the numbers on the colour bar; default ""

---The panes of a scene file.
---@class tide.ComparisonDefinition
---@field solvers? (string|table)[] # solvers, a pane for each: "NAME", "NAME,key=value" or { "NAME", key = value }; default the scene's
---@field vary? table<string, number[]> # name of a parameter (tide.param) or of a solver option, with a value for each pane: { stiffness = { 20, 80 } }; default as they are
---@field timesteps? number[] # timesteps in s, a pane for each; should divide the first; default the scene's

---Forks of a scene to compare.
---@class tide.CompareOptions
---@field solvers? (string|table)[] # solvers, a fork for each: "NAME", "NAME,key=value" or { "NAME", key = value }; default the scene's
---@field vary? table<string, number[]> # name of a solver option, with a value for each fork: { iterations = { 5, 20 } }; parameters of the scene vary in tide.compare; default as they are
---@field timesteps? number[] # timesteps in s, a fork for each; all end at the same time; default the scene's
---@field frames? integer # number of the scene's timesteps to take; 1 to 1000000000; default 60
---@field errors? boolean # measure the errors; this solves one step to convergence for each fork; default true

---A kind of element of the script's own.
---@class tide.ElementDefinition
---@field vertices integer # vertices that an element joins; 1 to 8
---@field energy fun(p: table<string, tide.Symbol>, ...: tide.SymbolVector): tide.Symbol # energy of an element: a function of the parameters, p.NAME, of the positions of its vertices, and after them of their positions at rest; called once with symbols; in J
---@field parameters? table<string, number|tide.ElementParameter|fun(...: tide.SymbolVector): tide.Symbol> # parameters: name = default, or name = { default, min = ..., unit = ... }; a default that is a function is computed from the positions of the vertices at rest; default none
---@field strain? fun(p: table<string, tide.Symbol>, ...: tide.SymbolVector): tide.Symbol # relative deformation, for colours and reports: a function as `energy`; default relative change of the distances of its vertices
---@field muscle? string # name of the parameter that body:contract multiplies, as a rest length; default "none"
---@field name? string # name in reports and errors; default "element"
---@field help? string # description in one line; default "an element of the script's own"

---A parameter of an element; the default comes first: a number, or a function of the positions at rest.
---@class tide.ElementParameter
---@field min? number # smallest value; any; default none
---@field max? number # largest value; any; default none
---@field unit? string # unit of the number; default ""
---@field help? string # one line of explanation; default ""

---A solver of the script's own.
---@class tide.SolverDefinition
---@field name string # name: letters, digits and underscores; must differ from all other solvers
---@field help? string # description in one line; default ""
---@field source? string # paper and equation; default ""
---@field order? integer # order of accuracy in the timestep; 0: none, or dependent on the iterations; 0 to 16; default 0
---@field options? table<string, number|boolean|string|tide.SolverOption> # options: name = default, or name = { default, min = ..., ... }; `substeps` always exists; default none
---@field step fun(system: tide.System, state: tide.SolverState, h: number): (tide.Numbers|tide.SolverReport)?, (tide.Numbers|tide.SolverReport)?, tide.SolverReport? # function that takes one step of h seconds: returns positions, velocities (default: (x - q) / h) and a report, or changes state.positions and state.velocities; contacts are resolved after it

---An option of a script solver; the default comes first: a number, true, false or a string.
---@class tide.SolverOption
---@field min? number # smallest value; any; default none
---@field max? number # largest value; any; default none
---@field integer? boolean # integers only; default false
---@field unit? string # unit of the number; default ""
---@field help? string # one line of explanation; default ""
---@field choices? string[] # choices, which include the default; default none

---The report of a step of a script solver.
---@class tide.SolverReport
---@field iterations? integer # how many it took; 0 to 2147483647; default 0
---@field line_searches? integer # how many it took; 0 to 2147483647; default 0
---@field linear_iterations? integer # how many it took; 0 to 2147483647; default 0
---@field converged? boolean # whether the tolerance was met; default true
---@field warning? string # warning about this step; default ""

---Springs between bodies.
---@class tide.AttachOptions
---@field stiffness number # stiffness of each spring; greater than 0 and at most 1e+15 N/m
---@field rest_length? number # rest length of springs between two vertices; springs to the nearest point of a body have 0; 0 to 1e+15 m; default 0
---@field keep_distance? boolean # use the current distance of the two vertices as the rest length; default false

---A picture of a scene.
---@class tide.PictureOptions
---@field width? integer # width of the picture; 16 to 8192 pixels; default 1280
---@field height? integer # height of the picture; 16 to 8192 pixels; default 720
---@field wireframe? boolean # show springs, coloured by strain, instead of surfaces; default false
---@field colour? string # colour bodies by strain, stress, tension, speed, ... as --colour does; default "plain"

---How a vertex is attached to a collider.
---@class tide.AttachColliderOptions
---@field stiffness? number # stiffness of the zero-length spring that holds each vertex; default: vertices are held exactly; greater than 0 and at most 1e+15 N/m; default nil

---A joint of two rigid bodies, or of one and a collider or the world.
---@class tide.JointOptions
---@field joint "ball"|"hinge" # "ball" leaves the bodies free to turn about the point, "hinge" only about the axis
---@field point number[] # where the bodies are joined, at their current places; -1000000000 to 1000000000 m
---@field axis? number[] # direction of a hinge's axis, of any length; it turns with the first body; -1e+300 to 1e+300; default nil
---@field stiffness? number # stiffness against pulling the bodies apart; default: held exactly; greater than 0 and at most 1e+15 N/m; default nil
---@field touching? boolean # let the joined bodies collide with each other; default false
---@field motor? tide.Motor # of a hinge: what drives it; default nil

---What drives a hinge.
---@class tide.Motor
---@field torque? number # constant torque on the first body about the axis, with the opposite one on the second; -1e+15 to 1e+15 N m; default nil
---@field speed? number # in place of torque: the speed to hold, of the first body about the axis relative to the second; 0 brakes; -1000000 to 1000000 rad/s; default nil
---@field max_torque? number # largest torque of a motor with a speed; default: no limit; 0 to 1e+15 N m; default nil

---A mesh from lists.
---@class tide.MeshNew
---@field vertices number[][] | number[] # { {x, y, z}, ... } or a flat list; in m
---@field edges? integer[][] | integer[] # { {i, j}, ... }; default: the edges of the triangles and tetrahedra; default none
---@field triangles? integer[][] | integer[] # { {i, j, k}, ... }, counter-clockwise seen from outside; default: the surface of the tetrahedra; default none
---@field tetrahedra? integer[][] | integer[] # { {i, j, k, l}, ... }; default none
---@field texture? number[][] | number[] # texture coordinates, { {u, v}, ... } or a flat list; default none

---A mesh of tetrahedra that fills the inside of a distance or of a closed surface.
---@class tide.MeshTetrahedralize
---@field distance? tide.Distance | fun(x: number, y: number, z: number): number # solid to fill; a function is sampled twice per cell along each axis and needs `bounds`; default none
---@field mesh? tide.Mesh # a closed surface instead of a distance; default none
---@field bounds? number[][] # box outside of which the solid is cut off, { { least x, y, z }, { greatest x, y, z } }; in m; default those of the distance
---@field cell? number|"auto" # edge length of the lattice's cubes; auto: 1/20 of the longest side, or as `vertices` requires; auto or 1e-09 to 1000000000 m; default "auto"
---@field vertices? integer # number of vertices to aim at, within 3 %; chooses `cell`; 0: `cell` decides; 0 to 10000000; default 0
---@field keep? "all"|"largest" # which of several unconnected pieces to keep: all, or the one of largest volume; default "all"

---Changes to a mesh that was loaded.
---@class tide.MeshMend
---@field scale? number # scale factor of all coordinates, applied first: 0.001 for a file in millimetres; greater than 0 and at most 1e+15; default 1
---@field weld? number # join vertices closer than this, as mesh:weld does; 0 to 1e+15 m; default nil
---@field fix? boolean # repair the mesh: join coincident vertices; repair flat triangles by changing edges; remove flat tetrahedra, duplicate elements and unused vertices; orient triangles consistently, outward where the surface is closed; default false

---implicit Euler by local and global steps with a matrix factored once; stable at any timestep. Source: Liu et al. 2013, Fast simulation of mass-spring systems: eq. 8 and 14, sec. 4; accelerated: Peng et al. 2018, alg. 1; Wang 2015, alg. 1
---@class tide.SolverLocalGlobal
---@field [1] "local_global"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field iterations? integer # local and global steps to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0: take all iterations; at least 0; default 0
---@field acceleration? "none"|"anderson"|"chebyshev" # extrapolation from past iterations; a proposal that does not decrease g is rejected, and none is made while contacts move particles; default "none"
---@field window? integer # with "anderson": number of past iterations that it combines; 1 to 20; default 5
---@field rho? number|"auto" # with "chebyshev": spectral radius of the plain iteration; "auto" estimates it from the corrections during the delay; auto or greater than 0 and at most 0.99999; default "auto"
---@field delay? integer # with "chebyshev": number of plain iterations before the acceleration starts (10 in Wang 2015); 1 to 1000000; default 5
---@field start? "lowest"|"prediction" # with an acceleration: initial guess of the iterations: "prediction": y = q + h v + h^2 M^-1 f; "lowest": y or q + h v, whichever has the lower g; default "lowest"
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # solve method for global steps: "fast", a factor in single precision; "double", one in double precision; "iterative", conjugate gradients without a factor; "cholmod", CHOLMOD's own solve, for comparison; default "fast"; way: "fast" switches to double precision by itself where single precision is not enough, default "fast"; vectors: widest vector instructions to use, in bits, for comparison; "double" needs 256, default "widest"; memory_limit: memory limit of the factor; a system that needs more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0

---implicit Euler, solved to any accuracy by Newton's method with a line search. Source: Martin et al. 2011, Example-based elastic materials: sec. 5; Liu et al. 2013: eq. 8, sec. 5
---@class tide.SolverNewton
---@field [1] "newton"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field iterations? integer # Newton steps to take in a timestep, at most; 1 to 1000000; default 20
---@field tolerance? number # stop when |grad g(x)| <= tolerance * max(|grad g(y)|, h^2 |contact forces|), or at rounding error, and contacts move no particle by more than 1e-6 m; 0: take all iterations; at least 0; default 1e-08
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # solve method for the warm start and the preconditioner of "pcg": "fast", a factor in single precision; "double", one in double precision; "iterative", conjugate gradients without a factor; "cholmod", CHOLMOD's own solve, for comparison; default "fast"; way: "fast" switches to double precision by itself where single precision is not enough, default "fast"; vectors: widest vector instructions to use, in bits, for comparison; "double" needs 256, default "widest"; memory_limit: memory limit of the factor; a system that needs more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field linear? "cholesky"|"pcg"|"cholmod" # linear solver: a sparse factorisation, conjugate gradients or, for comparison, CHOLMOD's factorisation; default "cholesky"
---@field cg_tolerance? number # with "pcg": the relative residual at which conjugate gradients stop; greater than 0 and at most 1; default 0.001
---@field warm_start? integer # number of local_global iterations before the first Newton step; 0 to 1000000; default 0
---@field definite? "projected"|"shifted" # how an indefinite Hessian is made positive definite: "projected" removes negative eigenvalues, spring by spring, as far as needed; "shifted" adds to the diagonal; default "projected"
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0

---implicit Euler by L-BFGS: quasi-Newton steps with the matrix of local_global as initial Hessian. Source: Liu et al. 2017, Quasi-Newton methods for real-time simulation of hyperelastic materials: sec. 4
---@class tide.SolverLbfgs
---@field [1] "lbfgs"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field iterations? integer # quasi-Newton steps to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0: take all iterations; at least 0; default 0
---@field history? integer # number of past iterations of the step that approximate the curvature; 1 to 50; default 5
---@field start? "lowest"|"prediction" # initial guess of the iterations: "prediction": y = q + h v + h^2 M^-1 f; "lowest": y or q + h v, whichever has the lower g; default "lowest"
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # solve method for initial search directions: "fast", a factor in single precision; "double", one in double precision; "iterative", conjugate gradients without a factor; "cholmod", CHOLMOD's own solve, for comparison; default "fast"; way: "fast" switches to double precision by itself where single precision is not enough, default "fast"; vectors: widest vector instructions to use, in bits, for comparison; "double" needs 256, default "widest"; memory_limit: memory limit of the factor; a system that needs more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0

---implicit Euler by nonlinear conjugate gradients, preconditioned with the matrix of local_global. Source: Liu et al. 2013, sec. 6 (future work); Polak and Ribiere 1969; Hager and Zhang 2006, A survey of nonlinear conjugate gradient methods: sec. 7
---@class tide.SolverNonlinearCg
---@field [1] "nonlinear_cg"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field iterations? integer # conjugate gradient steps to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0: take all iterations; at least 0; default 0
---@field start? "lowest"|"prediction" # initial guess of the iterations: "prediction": y = q + h v + h^2 M^-1 f; "lowest": y or q + h v, whichever has the lower g; default "lowest"
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # solve method for preconditioned gradients: "fast", a factor in single precision; "double", one in double precision; "iterative", conjugate gradients without a factor; "cholmod", CHOLMOD's own solve, for comparison; default "fast"; way: "fast" switches to double precision by itself where single precision is not enough, default "fast"; vectors: widest vector instructions to use, in bits, for comparison; "double" needs 256, default "widest"; memory_limit: memory limit of the factor; a system that needs more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0

---vertex block descent: implicit Euler by moving one particle at a time; iterations are cheap and never increase g, but many are needed. Source: Chen et al. 2024, Vertex block descent; its acceleration: Wang 2015, eq. 9 to 11
---@class tide.SolverVbd
---@field [1] "vbd"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field iterations? integer # sweeps over all particles in a timestep, at most; 1 to 1000000; default 20
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0: take all iterations; at least 0; default 0
---@field rho? number # spectral radius for Chebyshev acceleration: the factor by which a sweep reduces the error, 0.999 on a fine cloth; 0: no acceleration; 0 to 0.9999; default 0
---@field rigid? boolean # after each sweep, move and turn each free body rigidly to minimise g; false: move single particles only, as published; default true
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0

---linearised backward Euler: one Newton step from the last positions, by conjugate gradients without a matrix. Source: Baraff and Witkin 1998, Large steps in cloth simulation: eq. 6; its springs: Choi and Ko 2002; Kauppila, sec. 2 to 4
---@class tide.SolverSemiImplicit
---@field [1] "semi_implicit"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field linear? "cg"|"cholesky"|"cholmod" # linear solver: conjugate gradients without a matrix, a sparse factorisation or, for comparison, that of CHOLMOD; default "cg"
---@field cg_tolerance? number # with "cg": the residual, relative to the right-hand side, at which conjugate gradients stop; with rigid bodies a 10,000th of it; greater than 0 and at most 1; default 0.001
---@field cg_iterations? integer # with "cg": largest number of iterations; the step is then taken with the current solution; 1 to 1000000; default 1000
---@field jacobi? boolean # with "cg": precondition with the inverses of the diagonal's 3 x 3 blocks; default true
---@field definite? "projected"|"none" # how the matrix is made positive definite: "projected", spring by spring; or "none", as published, which fails where springs are compressed too much; default "projected"
---@field adaptive? boolean # repeat a step with half its length if a spring deforms too much; double the length after two good steps; default false
---@field max_deformation? number # with "adaptive": largest change of a spring's length in a step, as a fraction of its rest length; greater than 0; default 0.1
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0

---IMEX Euler: the linear part of the forces implicit, with a matrix factored once, the rest explicit. Source: Eberhardt et al. 2000, Implicit-explicit schemes for fast animation with particle systems; Ahmad et al. 2007, sec. 7.2
---@class tide.SolverImex
---@field [1] "imex"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # solve method for steps: "fast", a factor in single precision; "double", one in double precision; "iterative", conjugate gradients without a factor; "cholmod", CHOLMOD's own solve, for comparison; default "double"; way: "fast" switches to double precision by itself where single precision is not enough, default "double"; vectors: widest vector instructions to use, in bits, for comparison; "double" needs 256, default "widest"; memory_limit: memory limit of the factor; a system that needs more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0

---BDF2: backward differences over two steps, implicit, of order 2, solved like newton; damps far less than implicit Euler. Source: Choi and Ko 2002, Stable but responsive cloth: sec. 4.2; the start: theta method
---@class tide.SolverBdf2
---@field [1] "bdf2"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field iterations? integer # Newton steps to take in a timestep, at most; 1 to 1000000; default 20
---@field tolerance? number # stop when |grad g(x)| <= tolerance * max(|grad g(y)|, h^2 |contact forces|), or at rounding error, and contacts move no particle by more than 1e-6 m; 0: take all iterations; at least 0; default 1e-08
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # solve method for the warm start and the preconditioner of "pcg": "fast", a factor in single precision; "double", one in double precision; "iterative", conjugate gradients without a factor; "cholmod", CHOLMOD's own solve, for comparison; default "fast"; way: "fast" switches to double precision by itself where single precision is not enough, default "fast"; vectors: widest vector instructions to use, in bits, for comparison; "double" needs 256, default "widest"; memory_limit: memory limit of the factor; a system that needs more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field linear? "cholesky"|"pcg"|"cholmod" # linear solver: a sparse factorisation, conjugate gradients or, for comparison, CHOLMOD's factorisation; default "cholesky"
---@field cg_tolerance? number # with "pcg": the relative residual at which conjugate gradients stop; greater than 0 and at most 1; default 0.001
---@field warm_start? integer # number of local_global iterations before the first Newton step; 0 to 1000000; default 0
---@field definite? "projected"|"shifted" # how an indefinite Hessian is made positive definite: "projected" removes negative eigenvalues, spring by spring, as far as needed; "shifted" adds to the diagonal; default "projected"
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0

---implicit midpoint rule, of order 2 and symplectic, solved like newton; keeps energy, also that of unwanted vibrations. Source: Hairer, Lubich and Wanner 2006, Geometric numerical integration: sec. II.1.3 and VI.4; Liu et al. 2013, sec. 6
---@class tide.SolverImplicitMidpoint
---@field [1] "implicit_midpoint"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field iterations? integer # Newton steps to take in a timestep, at most; 1 to 1000000; default 20
---@field tolerance? number # stop when |grad g(x)| <= tolerance * max(|grad g(y)|, h^2 |contact forces|), or at rounding error, and contacts move no particle by more than 1e-6 m; 0: take all iterations; at least 0; default 1e-08
---@field solve? "cholmod"|"fast"|"double"|"iterative"|{ [1]?: string, way?: "cholmod"|"fast"|"double"|"iterative", vectors?: "widest"|"128"|"256"|"512", memory_limit?: number } # solve method for the warm start and the preconditioner of "pcg": "fast", a factor in single precision; "double", one in double precision; "iterative", conjugate gradients without a factor; "cholmod", CHOLMOD's own solve, for comparison; default "fast"; way: "fast" switches to double precision by itself where single precision is not enough, default "fast"; vectors: widest vector instructions to use, in bits, for comparison; "double" needs 256, default "widest"; memory_limit: memory limit of the factor; a system that needs more is solved as with "iterative", 1 to 1000000 MB, default 4096
---@field linear? "cholesky"|"pcg"|"cholmod" # linear solver: a sparse factorisation, conjugate gradients or, for comparison, CHOLMOD's factorisation; default "cholesky"
---@field cg_tolerance? number # with "pcg": the relative residual at which conjugate gradients stop; greater than 0 and at most 1; default 0.001
---@field warm_start? integer # number of local_global iterations before the first Newton step; 0 to 1000000; default 0
---@field definite? "projected"|"shifted" # how an indefinite Hessian is made positive definite: "projected" removes negative eigenvalues, spring by spring, as far as needed; "shifted" adds to the diagonal; default "projected"
---@field damping? "none"|"rayleigh"|"springs"|{ [1]?: string, model?: "none"|"rayleigh"|"springs", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0

---position-based dynamics: projects springs one after another; stable; stiffness in N/m holds only approximately. Source: Mueller et al. 2007, Position based dynamics: eq. 8 to 11, sec. 3.3
---@class tide.SolverPbd
---@field [1] "pbd"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field iterations? integer # sweeps over all constraints to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0: take all iterations; at least 0; default 0
---@field stiffness? number|"auto" # fraction of its stretch that each spring loses in a timestep; "auto": derived from its stiffness in N/m; auto or 0 to 1; default "auto"

---position-based dynamics with compliance: stiffness in N/m that does not depend on iterations. Source: Macklin et al. 2016, XPBD: position-based simulation of compliant constrained dynamics, eq. 17 and 18
---@class tide.SolverXpbd
---@field [1] "xpbd"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field iterations? integer # sweeps over all constraints to take in a timestep, at most; 1 to 1000000; default 10
---@field tolerance? number # stop when |grad g(x)| <= tolerance * |grad g(y)|; 0: take all iterations; at least 0; default 0

---forward Euler, explicit, of order 1; gains energy at every substep unless it is damped. Source: Shinya 2005: eq. 10 to 15; damping: eq. 30
---@class tide.SolverExplicitEuler
---@field [1] "explicit_euler"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is divided into as few equal substeps as this allows; "auto": the longest stable substep divided by sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # factor by which the largest eigenvalue may grow before an automatic substep becomes unstable; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs; "auto": the stiffness damping with the longest stable substep; none with symplectic Euler, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low-pass filter of velocities over neighbours after every substep: { "exponential", lambda = 2 }; default "none"; kind: how the weight of a neighbour decreases with its distance, default "exponential"; lambda: rate of that decrease per mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange momentum between neighbours, which conserves it, instead of averaging velocities, default true

---symplectic Euler, explicit, of order 1; cheap, conserves energy well, diverges if the substep is too long. Source: Ahmad et al. 2007: eq. 3 with the new velocity (forward-backward Euler); largest stable substep: Shinya 2005, eq. 27
---@class tide.SolverSymplecticEuler
---@field [1] "symplectic_euler"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is divided into as few equal substeps as this allows; "auto": the longest stable substep divided by sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # factor by which the largest eigenvalue may grow before an automatic substep becomes unstable; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs; "auto": the stiffness damping with the longest stable substep; none with symplectic Euler, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low-pass filter of velocities over neighbours after every substep: { "exponential", lambda = 2 }; default "none"; kind: how the weight of a neighbour decreases with its distance, default "exponential"; lambda: rate of that decrease per mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange momentum between neighbours, which conserves it, instead of averaging velocities, default true

---velocity Verlet, explicit, of order 2; conserves energy well. Source: Ahmad et al. 2007, sec. 2 and eq. 11; largest stable substep: Shinya 2005, eq. 27
---@class tide.SolverVerlet
---@field [1] "verlet"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is divided into as few equal substeps as this allows; "auto": the longest stable substep divided by sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # factor by which the largest eigenvalue may grow before an automatic substep becomes unstable; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs; "auto": the stiffness damping with the longest stable substep; none with symplectic Euler, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low-pass filter of velocities over neighbours after every substep: { "exponential", lambda = 2 }; default "none"; kind: how the weight of a neighbour decreases with its distance, default "exponential"; lambda: rate of that decrease per mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange momentum between neighbours, which conserves it, instead of averaging velocities, default true

---explicit midpoint rule (Runge-Kutta of order 2); gains energy slowly unless it is damped. Source: Shinya 2005: eq. 18; damping: eq. 30
---@class tide.SolverMidpoint
---@field [1] "midpoint"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is divided into as few equal substeps as this allows; "auto": the longest stable substep divided by sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # factor by which the largest eigenvalue may grow before an automatic substep becomes unstable; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs; "auto": the stiffness damping with the longest stable substep; none with symplectic Euler, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low-pass filter of velocities over neighbours after every substep: { "exponential", lambda = 2 }; default "none"; kind: how the weight of a neighbour decreases with its distance, default "exponential"; lambda: rate of that decrease per mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange momentum between neighbours, which conserves it, instead of averaging velocities, default true

---Runge-Kutta of order 4, explicit; accurate, at four evaluations of forces per substep. Source: Shinya 2005: eq. 19; largest stable substep and damping: eq. 33
---@class tide.SolverRk4
---@field [1] "rk4"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is divided into as few equal substeps as this allows; "auto": the longest stable substep divided by sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # factor by which the largest eigenvalue may grow before an automatic substep becomes unstable; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs; "auto": the stiffness damping with the longest stable substep; none with symplectic Euler, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low-pass filter of velocities over neighbours after every substep: { "exponential", lambda = 2 }; default "none"; kind: how the weight of a neighbour decreases with its distance, default "exponential"; lambda: rate of that decrease per mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange momentum between neighbours, which conserves it, instead of averaging velocities, default true

---symplectic Euler on forces linearised every 0.01 s: many cheap substeps for few evaluations of forces. Source: Shinya 2005: sec. 4, eq. 34; largest stable substep: eq. 25 and 27
---@class tide.SolverLinearizedExplicit
---@field [1] "linearized_explicit"
---@field substeps? integer # number of equal substeps of each timestep, each of them a step of this method; 1 to 1000000; default 1
---@field substep? number|"auto" # longest substep; the timestep is divided into as few equal substeps as this allows; "auto": the longest stable substep divided by sqrt(safety); auto or greater than 0 s; default "auto"
---@field safety? number # factor by which the largest eigenvalue may grow before an automatic substep becomes unstable; 1 to 1000000; default 1.5
---@field damping? "none"|"rayleigh"|"springs"|"auto"|{ [1]?: string, model?: "none"|"rayleigh"|"springs"|"auto", mass?: number, stiffness?: number } # Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it; default "none"; model: "rayleigh" damps changes of length but no rotations; "springs" damps all velocity differences along springs; "auto": the stiffness damping with the longest stable substep; none with symplectic Euler, default "rayleigh"; mass: d0: damping proportional to mass, which resists all motion, at least 0 1/s, default 0; stiffness: alpha: damping proportional to stiffness, which mostly damps high frequencies, at least 0 s, default 0
---@field filter? "none"|"exponential"|"gaussian"|{ [1]?: string, kind?: "none"|"exponential"|"gaussian", lambda?: number, symmetric?: boolean } # low-pass filter of velocities over neighbours after every substep: { "exponential", lambda = 2 }; default "none"; kind: how the weight of a neighbour decreases with its distance, default "exponential"; lambda: rate of that decrease per mean distance of neighbours: 1 damps all motion visibly, 10 hardly any, greater than 0 and at most 1000, default 2; symmetric: exchange momentum between neighbours, which conserves it, instead of averaging velocities, default true
---@field relinearize? number # time for which K and D are used before they are evaluated again; greater than 0 s; default 0.01
---@field threshold? number|"auto" # speed at which a substep counts as diverged, is discarded, and K is evaluated again; "auto": twice the speed predicted from the velocities and accelerations at the last evaluation; auto or greater than 0 m/s; default "auto"

---@alias tide.Solver tide.SolverLocalGlobal|tide.SolverNewton|tide.SolverLbfgs|tide.SolverNonlinearCg|tide.SolverVbd|tide.SolverSemiImplicit|tide.SolverImex|tide.SolverBdf2|tide.SolverImplicitMidpoint|tide.SolverPbd|tide.SolverXpbd|tide.SolverExplicitEuler|tide.SolverSymplecticEuler|tide.SolverVerlet|tide.SolverMidpoint|tide.SolverRk4|tide.SolverLinearizedExplicit

---a cloth: a rectangular grid in the x-z plane that starts at the origin, with edges between neighbours
---@class tide.MeshGrid
---@field columns? integer # number of vertices along x; at least 2; default 21
---@field rows? integer # number of vertices along z; at least 2; default 21
---@field width? number # length along x; greater than 0 m; default 1
---@field height? number # length along z; greater than 0 m; default 1
---@field diagonals? "alternating"|"forward"|"backward"|"both"|"none" # diagonals of the cells that are edges; default "alternating"

---a rope or a hair: a line of vertices with an edge between neighbours
---@class tide.MeshStrand
---@field points? integer # number of vertices along the line; 2 to 100000000; default 11
---@field from? number[] # position of the first vertex; any, in m; default {0, 0, 0}
---@field to? number[] # position of the last vertex; any, in m; default {1, 0, 0}

---hair, fur or a brush: a straight or curled line of vertices from each root
---@class tide.MeshStrands
---@field points? integer # number of vertices of each strand, counted from the root; 2 to 100000000; default 19
---@field length? number # length of each strand along its edges, which are equally long; greater than 0 m; default 0.1
---@field on? tide.Mesh # surface on which strands are rooted; they follow its normals; default none
---@field count? integer # number of strands, distributed at random over the area of `on`; 0 to 100000000; default one at each vertex of the surface
---@field roots? number[][] | number[] # positions of the roots, instead of `on`: { {x, y, z}, ... } or a flat list; in m; default { {0, 0, 0} }
---@field normals? number[][] | number[] # directions at the roots, of any length except 0: one per root, or one for all; default { {0, 1, 0} }
---@field curl? number # radius of the helix at the tip; it grows from 0 at the root; at least 0 m; default 0
---@field turns? number # turns of the helix; negative: left-handed; -1000000 to 1000000; default 3
---@field jitter? number # random variation: sizes by up to this fraction, directions by up to this tangent, the start of the curl by this fraction of half a turn; 0 to 0.9; default 0
---@field seed? integer # seed of all random numbers; 0 to 2147483647; default 0

---a solid block of tetrahedra, centred at the origin
---@class tide.MeshBox
---@field size? number[] # side lengths along x, y and z; greater than 0 m; default {1, 1, 1}
---@field cells? number[] # integer numbers of cells along x, y and z; each cell is cut into five tetrahedra; 1 to 100000000; default {4, 4, 4}

---the surface of a ball, centred at the origin, with triangles of nearly equal size
---@class tide.MeshSphere
---@field radius? number # distance of all vertices from the origin; greater than 0 m; default 0.5
---@field subdivisions? integer # how often each triangle of an icosahedron is cut into four; gives 10 * 4^subdivisions + 2 vertices; 0 to 11; default 3

---the surface of a cylinder, cone or skirt along y, centred at the origin
---@class tide.MeshCylinder
---@field radius? number # radius at the bottom; 0 makes a tip; at least 0 m; default 0.5
---@field top_radius? number # radius at the top; 0 makes a tip; at least 0 m; default that of the bottom
---@field height? number # length along y; greater than 0 m; default 1
---@field segments? integer # number of vertices around the axis; 3 to 100000000; default 32
---@field rows? integer # number of vertices from the bottom to the top; 2 to 100000000; default 11
---@field caps? boolean # close the bottom and the top; if open, bending springs run around and along the side; default true

---the surface of a ring about the y axis, centred at the origin
---@class tide.MeshTorus
---@field major? number # distance from the axis to the centre line of the tube; greater than 0 m; default 0.5
---@field minor? number # radius of the tube, less than major; greater than 0 m; default 0.2
---@field segments? integer # number of vertices around the axis; 3 to 100000000; default 32
---@field sides? integer # number of vertices around the tube; 3 to 100000000; default 12

---@class tide.MeshModule
---@field grid fun(definition: tide.MeshGrid): tide.Mesh # a cloth: a rectangular grid in the x-z plane that starts at the origin, with edges between neighbours
---@field strand fun(definition: tide.MeshStrand): tide.Mesh # a rope or a hair: a line of vertices with an edge between neighbours
---@field strands fun(definition: tide.MeshStrands): tide.Mesh # hair, fur or a brush: a straight or curled line of vertices from each root
---@field box fun(definition: tide.MeshBox): tide.Mesh # a solid block of tetrahedra, centred at the origin
---@field sphere fun(definition: tide.MeshSphere): tide.Mesh # the surface of a ball, centred at the origin, with triangles of nearly equal size
---@field cylinder fun(definition: tide.MeshCylinder): tide.Mesh # the surface of a cylinder, cone or skirt along y, centred at the origin
---@field torus fun(definition: tide.MeshTorus): tide.Mesh # the surface of a ring about the y axis, centred at the origin
---@field load fun(path: string, options?: tide.MeshMend): tide.Mesh?, string? # Reads a mesh file, searched first in the scene's folder: .obj, .ply, .stl, .mesh (MEDIT), .node or .ele (TetGen) or .msh (Gmsh). Returns the mesh, or nil and a message.
---@field tetrahedralize fun(definition: tide.MeshTetrahedralize): tide.Mesh # A mesh of tetrahedra that fills the inside of a distance or of a closed surface.
---@field new fun(definition: tide.MeshNew): tide.Mesh # A mesh from lists of vertices, edges, triangles and tetrahedra.

---All that is below a plane.
---@class tide.DistancePlane
---@field normal? number[] # outward normal; any; default {0, 1, 0}
---@field offset? number # signed distance from the origin along the normal; -1000000000 to 1000000000 m; default 0

---A ball.
---@class tide.DistanceSphere
---@field position? number[] # position of the centre; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field radius? number # radius; greater than 0 and at most 1000000000 m; default 0.5

---All that is near a line.
---@class tide.DistanceCapsule
---@field from? number[] # first end of the axis; -1000000000 to 1000000000 m; default {0, -0.5, 0}
---@field to? number[] # second end of the axis; -1000000000 to 1000000000 m; default {0, 0.5, 0}
---@field radius? number # radius around the axis; greater than 0 and at most 1000000000 m; default 0.25

---A rod with flat ends.
---@class tide.DistanceCylinder
---@field from? number[] # first end of the axis; -1000000000 to 1000000000 m; default {0, -0.5, 0}
---@field to? number[] # second end of the axis; -1000000000 to 1000000000 m; default {0, 0.5, 0}
---@field radius? number # radius around the axis; greater than 0 and at most 1000000000 m; default 0.25

---A block along the axes; its :rotate turns it.
---@class tide.DistanceBox
---@field position? number[] # position of the centre; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field size? number[] # side lengths along x, y and z; greater than 0 and at most 1000000000 m; default {1, 1, 1}
---@field rounding? number # radius of the rounded edges, at most half of the shortest side; 0 to 1000000000 m; default 0

---A ball with three radii.
---@class tide.DistanceEllipsoid
---@field position? number[] # position of the centre; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field radii? number[] # semi-axes along x, y and z; greater than 0 and at most 1000000000 m; default {0.5, 0.5, 0.5}

---A ring.
---@class tide.DistanceTorus
---@field position? number[] # position of the centre; -1000000000 to 1000000000 m; default {0, 0, 0}
---@field axis? number[] # axis of the ring; any; default {0, 1, 0}
---@field major? number # distance from the centre to the centre line of the tube; greater than 0 and at most 1000000000 m; default 0.5
---@field minor? number # radius of the tube, at most that of the ring; greater than 0 and at most 1000000000 m; default 0.15

---Distances to combine.
---@class tide.DistanceParts
---@field [integer] tide.Distance
---@field blend? number # distance from the seam within which it is smoothed; the distances precede it: { a, b, ..., blend = 0.1 }; 0 to 1000000000 m; default 0

---A function as a distance.
---@class tide.DistanceFunction
---@field fn fun(x: number, y: number, z: number): number # signed distance from the surface, negative inside; in m
---@field bounds number[][] # box in which it is sampled, { { least x, y, z }, { greatest x, y, z } }; in m
---@field cell? number # edge length of the sampling grid; greater than 0 and at most 1000000000 m; default 0.05

---@class tide.DistanceModule
---@field plane fun(definition?: tide.DistancePlane): tide.Distance # All that is below a plane.
---@field sphere fun(definition?: tide.DistanceSphere): tide.Distance # A ball.
---@field capsule fun(definition?: tide.DistanceCapsule): tide.Distance # All that is near a line.
---@field cylinder fun(definition?: tide.DistanceCylinder): tide.Distance # A rod with flat ends.
---@field box fun(definition?: tide.DistanceBox): tide.Distance # A block along the axes; its :rotate turns it.
---@field ellipsoid fun(definition?: tide.DistanceEllipsoid): tide.Distance # A ball with three radii.
---@field torus fun(definition?: tide.DistanceTorus): tide.Distance # A ring.
---@field union fun(parts: tide.DistanceParts): tide.Distance # The union of the parts: { a, b, ..., blend = 0.1 }.
---@field intersection fun(parts: tide.DistanceParts): tide.Distance # The intersection of the parts.
---@field difference fun(parts: tide.DistanceParts): tide.Distance # The first part without the others.
---@field fn fun(definition: tide.DistanceFunction): tide.Distance # A distance function sampled on a grid: { fn = function(x, y, z) ... end, bounds = ..., cell = 0.05 }.
---@field mesh fun(mesh: tide.Mesh): tide.Distance # The exact signed distance from a closed surface.

---What colliders of every shape have.
---@class tide.ColliderFields
---@field friction? number | tide.Friction # Coulomb's coefficient of friction: the largest friction force divided by the normal force; or { along = ..., across = ..., direction = { x, y, z } }, which depends on the direction along the surface; at least 0; default 0.3
---@field contact_material? string # name of its material in the scene's friction_pairs; default ""
---@field rolling? number # coefficient of rolling friction of rigid bodies on it: the torque that resists rolling, divided by the normal force; between two objects the larger one applies; 0 to 1000 m; default 0
---@field restitution? number # coefficient of restitution: the fraction of the approach speed that a bounce keeps; 0 to 1; default 0
---@field thickness? number # distance kept between its surface and bodies; 0 to 1000000000 m; default 0
---@field colour? number[] # colour: red, green, blue in sRGB; 0 to 1; default {0.72, 0.7, 0.67}
---@field visible? boolean # draw the collider; default true
---@field move? function # function(t) that returns the position at time t (s), as x, y, z or as a table { position =, rotation = }; default none
---@field keyframes? tide.Keyframe[] # positions and rotations over time: { { time =, position =, rotation = }, ... }; default none
---@field interpolation? "linear"|"smooth" # "linear": straight lines between keyframes; "smooth": continuous velocity without overshoot; default "linear"
---@field loop? boolean # repeat the keyframes; the last must then equal the first; default false

---an infinite floor or wall
---@class tide.ColliderPlane: tide.ColliderFields
---@field shape "plane"
---@field normal? number[] # outward normal, of any length except 0; the other side of the plane is inside; any; default {0, 1, 0}
---@field offset? number # signed distance of the plane from the origin along the normal; -1000000000 to 1000000000 m; default 0

---a ball
---@class tide.ColliderSphere: tide.ColliderFields
---@field shape "sphere"
---@field position? number[] # position of the centre; any, in m; default {0, 0, 0}
---@field radius? number # radius of the sphere; greater than 0 and at most 1000000000 m; default 0.5

---a rod with round ends: all points within a distance of a line segment
---@class tide.ColliderCapsule: tide.ColliderFields
---@field shape "capsule"
---@field from? number[] # first end of the centre line; any, in m; default {0, -0.5, 0}
---@field to? number[] # second end of the centre line; if both ends are equal, the capsule is a sphere; any, in m; default {0, 0.5, 0}
---@field radius? number # radius of the capsule; greater than 0 and at most 1000000000 m; default 0.25

---a cylinder with flat ends, such as a drum, a disc or a rod
---@class tide.ColliderCylinder: tide.ColliderFields
---@field shape "cylinder"
---@field from? number[] # centre of the first end; any, in m; default {0, -0.5, 0}
---@field to? number[] # centre of the second end; must differ from the first; any, in m; default {0, 0.5, 0}
---@field radius? number # radius of the cylinder; greater than 0 and at most 1000000000 m; default 0.25

---a block with sharp edges
---@class tide.ColliderBox: tide.ColliderFields
---@field shape "box"
---@field position? number[] # position of the centre; any, in m; default {0, 0, 0}
---@field rotation? number[] # rotation { x, y, z, angle }: an axis and an angle about it in radians; default none
---@field size? number[] # side lengths along its own x, y and z axes; greater than 0 and at most 1000000000 m; default {1, 1, 1}

---a ring
---@class tide.ColliderTorus: tide.ColliderFields
---@field shape "torus"
---@field position? number[] # position of the centre; any, in m; default {0, 0, 0}
---@field axis? number[] # axis of symmetry, through the hole; of any length except 0; any; default {0, 1, 0}
---@field major? number # distance from the centre to the centre line of the tube; greater than 0 and at most 1000000000 m; default 0.5
---@field minor? number # radius of the tube, at most `major`; greater than 0 and at most 1000000000 m; default 0.15

---a solid bounded by a closed mesh, rigid or deforming
---@class tide.ColliderMesh: tide.ColliderFields
---@field shape "mesh"
---@field mesh tide.Mesh # a mesh with a closed surface of triangles; with sheet = true any triangles
---@field position? number[] # position of the mesh's origin; any, in m; default {0, 0, 0}
---@field rotation? number[] # rotation { x, y, z, angle }: an axis and an angle about it in radians; default none
---@field scale? number # scale factor of the mesh's coordinates; greater than 0 and at most 1000000000; default 1
---@field sheet? boolean # treat the triangles as a thin sheet: it may be open, and both of its sides touch; default false
---@field deforms? boolean # a script may move its vertices, by collider:set_position or collider:positions; default false
---@field frames? (tide.Mesh|tide.Numbers)[] # successive positions of its vertices: meshes with the topology of `mesh`, or lists of x, y, z of all vertices; between frames vertices move along straight lines or, with interpolation = "smooth", with continuous velocity; default none
---@field rate? number # frames per second; the first frame is at time 0; greater than 0 and at most 1000000 1/s; default 30

---terrain: a height above each point of a rectangle
---@class tide.ColliderHeightfield: tide.ColliderFields
---@field shape "heightfield"
---@field position? number[] # position of the centre at height 0; any, in m; default {0, 0, 0}
---@field width? number # length along x; greater than 0 and at most 1000000000 m; default 10
---@field depth? number # length along z; greater than 0 and at most 1000000000 m; default 10
---@field columns? integer # number of heights along x; 2 to 16384; default 33
---@field rows? integer # number of heights along z; 2 to 16384; default 33
---@field heights number[]|number[][]|fun(x: number, z: number): number # columns * rows heights in m, row by row, or a function(x, z) that returns a height

---any solid given by a signed distance function
---@class tide.ColliderDistance: tide.ColliderFields
---@field shape "distance"
---@field fn tide.Distance|fun(x: number, y: number, z: number): number # function(x, y, z) that returns the signed distance to the surface in m, negative inside; or a tide.distance
---@field bounds? number[][] # two opposite corners { { x, y, z }, { x, y, z } } of a box around the solid; what lies outside the box is cut off; default those of the distance
---@field cell? number # edge length of the grid at whose points a function is sampled; also the resolution of the drawn surface; greater than 0 and at most 1000000000 m; default 0.05
---@field position? number[] # position of the origin of x, y and z; any, in m; default {0, 0, 0}
---@field rotation? number[] # rotation { x, y, z, angle }: an axis and an angle about it in radians; default none

---@alias tide.ColliderDefinition tide.ColliderPlane|tide.ColliderSphere|tide.ColliderCapsule|tide.ColliderCylinder|tide.ColliderBox|tide.ColliderTorus|tide.ColliderMesh|tide.ColliderHeightfield|tide.ColliderDistance

---What elements of every kind have.
---@class tide.ElementFields
---@field on? "edges"|"triangles"|"tetrahedra" # parts of the mesh; each of them gets an element; default none
---@field vertices? integer[][] # instead of `on`: vertices of each element; default none

---a Hookean spring between two particles
---@class tide.ElementSpring: tide.ElementFields
---@field [1] "spring"
---@field stiffness number # k of E = k/2 (l - r)^2; 0 to 1e+15 N/m
---@field rest_length? number # r: the length at rest; 0 to 1e+15 m; default the mesh's

---a spring between the area of a triangle and its area at rest
---@class tide.ElementAreaSpring: tide.ElementFields
---@field [1] "area_spring"
---@field stiffness number # k of E = k/2 (A - A0)^2; 0 to 1e+15 N/m^3
---@field rest_area? number # A0: the area at rest; 0 to 1e+15 m^2; default the mesh's
---@field rest_edges? number # sum of the squared lengths of the three edges at rest, which scales the constant matrix; 0 to 1e+15 m^2; default the mesh's

---a spring between the volume of a tetrahedron and its volume at rest
---@class tide.ElementVolumeSpring: tide.ElementFields
---@field [1] "volume_spring"
---@field stiffness number # k of E = k/2 (V - V0)^2; 0 to 1e+18 N/m^5
---@field rest_volume? number # V0: the volume at rest; -1e+15 to 1e+15 m^3; default the mesh's
---@field rest_slope? number # squared gradient of the volume at rest, which scales the constant matrix; 0 to 1e+15 m^4; default the mesh's

---a triangle of a membrane that resists any deformation alike (as rigid as possible)
---@class tide.ElementMembraneArap: tide.ElementFields
---@field [1] "membrane_arap"
---@field stiffness number # Young's modulus times thickness; 0 to 1e+15 N/m
---@field area? number # area at rest; -1e+15 to 1e+15 m^2; default the mesh's
---@field b11? number # B of F = [x1 - x0, x2 - x0] B: the inverse of the edges at rest; -1e+15 to 1e+15 1/m; default the mesh's
---@field b12? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b21? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b22? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's

---a triangle of a membrane whose stress is linear in Green strain (St. Venant-Kirchhoff)
---@class tide.ElementMembraneStvk: tide.ElementFields
---@field [1] "membrane_stvk"
---@field stiffness number # Young's modulus times thickness; 0 to 1e+15 N/m
---@field area? number # area at rest; -1e+15 to 1e+15 m^2; default the mesh's
---@field b11? number # B of F = [x1 - x0, x2 - x0] B: the inverse of the edges at rest; -1e+15 to 1e+15 1/m; default the mesh's
---@field b12? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b21? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b22? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field poisson? number # Poisson's ratio; -0.999 to 0.5; default 0.3

---a triangle of a rubber sheet: the neo-Hookean solid under plane stress
---@class tide.ElementMembraneNeoHookean: tide.ElementFields
---@field [1] "membrane_neo_hookean"
---@field stiffness number # Young's modulus times thickness; 0 to 1e+15 N/m
---@field area? number # area at rest; -1e+15 to 1e+15 m^2; default the mesh's
---@field b11? number # B of F = [x1 - x0, x2 - x0] B: the inverse of the edges at rest; -1e+15 to 1e+15 1/m; default the mesh's
---@field b12? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b21? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b22? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field poisson? number # Poisson's ratio; a negative one would make W infinite in large stretch; 0 to 0.5; default 0.45

---a triangle of cloth with different moduli along warp and weft
---@class tide.ElementMembraneOrthotropic: tide.ElementFields
---@field [1] "membrane_orthotropic"
---@field stiffness number # Young's modulus times thickness; 0 to 1e+15 N/m
---@field area? number # area at rest; -1e+15 to 1e+15 m^2; default the mesh's
---@field b11? number # B of F = [x1 - x0, x2 - x0] B: the inverse of the edges at rest; -1e+15 to 1e+15 1/m; default the mesh's
---@field b12? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b21? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b22? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field weft_ratio? number # modulus of the weft, relative to the warp's; 0 to 1000000; default 1
---@field shear_ratio? number # shear modulus, relative to the warp's modulus; 0 to 1000000; default 0.1
---@field poisson? number # geometric mean of the Poisson's ratios along warp and weft; -0.999 to 0.999; default 0

---a triangle of cloth with the stretch and shear conditions of Baraff and Witkin 1998
---@class tide.ElementMembraneBaraffWitkin: tide.ElementFields
---@field [1] "membrane_baraff_witkin"
---@field stiffness number # Young's modulus times thickness; 0 to 1e+15 N/m
---@field area? number # area at rest; -1e+15 to 1e+15 m^2; default the mesh's
---@field b11? number # B of F = [x1 - x0, x2 - x0] B: the inverse of the edges at rest; -1e+15 to 1e+15 1/m; default the mesh's
---@field b12? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b21? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b22? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field weft_ratio? number # stretch stiffness of the weft, relative to the warp's; 0 to 1000000; default 1
---@field shear_ratio? number # shear stiffness, relative to the stretch stiffness of the warp; 0 to 1000000; default 0.1

---a hinge between two triangles that resists a change of its angle (discrete shells)
---@class tide.ElementShellDiscrete: tide.ElementFields
---@field [1] "shell_discrete"
---@field stiffness number # bending stiffness; 0 to 1e+15 N m
---@field rest_angle? number # angle between the normals at rest; -3.141592654 to 3.141592654 rad; default the mesh's
---@field strain? number # strain of the faces of the sheet, relative to the change of the angle; 0: plasticity leaves it out; 0 to 1e+15 1/rad; default 0
---@field factor? number # squared length of the edge, relative to the area of both triangles; 0 to 1e+15; default the mesh's
---@field weight_1? number # weight of a corner in the constant matrix; -1e+15 to 1e+15 1/m; default the mesh's
---@field weight_2? number # weight of a corner in the constant matrix; -1e+15 to 1e+15 1/m; default the mesh's
---@field weight_3? number # weight of a corner in the constant matrix; -1e+15 to 1e+15 1/m; default the mesh's
---@field weight_4? number # weight of a corner in the constant matrix; -1e+15 to 1e+15 1/m; default the mesh's

---holds the stretches of a triangle within limits
---@class tide.ElementLimitTriangle: tide.ElementFields
---@field [1] "limit_triangle"
---@field stiffness number # Young's modulus times thickness; 0 to 1e+15 N/m
---@field area? number # area at rest; -1e+15 to 1e+15 m^2; default the mesh's
---@field b11? number # B of F = [x1 - x0, x2 - x0] B: the inverse of the edges at rest; -1e+15 to 1e+15 1/m; default the mesh's
---@field b12? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b21? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field b22? number # see b11; -1e+15 to 1e+15 1/m; default the mesh's
---@field stretch? number # largest stretch; 0.1: 10 % longer; 0 to 1000000; default 0.1
---@field compression? number # largest compression; 0.1: 10 % shorter; 1: no limit; 0 to 1; default 1
---@field tolerance? number # how far a stretch may exceed a limit; 1e-06 to 1; default 0.002

---holds the stretch of an edge within limits
---@class tide.ElementLimitSpring: tide.ElementFields
---@field [1] "limit_spring"
---@field stiffness number # k of the limit's energy; 0 to 1e+15 N/m
---@field rest_length? number # length at rest; 0 to 1e+15 m; default the mesh's
---@field stretch? number # largest stretch; 0.1: 10 % longer; 0 to 1000000; default 0.1
---@field compression? number # largest compression; 0.1: 10 % shorter; 1: no limit; 0 to 1; default 1
---@field tolerance? number # how far a stretch may exceed a limit; 1e-06 to 1; default 0.002

---Elements of a kind that tide.element made; its parameters by name.
---@class tide.ElementOwn: tide.ElementFields
---@field [1] tide.ElementKind
---@field [string] number

---@alias tide.Element tide.ElementSpring|tide.ElementAreaSpring|tide.ElementVolumeSpring|tide.ElementMembraneArap|tide.ElementMembraneStvk|tide.ElementMembraneNeoHookean|tide.ElementMembraneOrthotropic|tide.ElementMembraneBaraffWitkin|tide.ElementShellDiscrete|tide.ElementLimitTriangle|tide.ElementLimitSpring|tide.ElementOwn

---The material `solid`: elastic tetrahedra.
---@class tide.MaterialSolid
---@field model? "corotated"|"arap"|"stvk"|"neo_hookean"|"spring" # corotated: linear elasticity in a frame that rotates with each tetrahedron; arap: as rigid as possible, by mu alone, without lateral contraction; stvk: St. Venant-Kirchhoff, for small strain; neo_hookean: stable neo-Hookean, for large strain; spring: springs along the edges, for Poisson's ratio 1/4; default "corotated"
---@field young number # Young's modulus; greater than 0 and at most 1e+15 Pa
---@field poisson? number # Poisson's ratio, above -1 and below 0.5; any; default 0.3; 0 for arap, 0.25 for spring
---@field incompressible? boolean # tetrahedra keep their volumes too, by a bulk modulus of 100 young; it asks more iterations of solvers, and coarse meshes bend less than they should; default false

---The material `rod`: elastic rods along edges, which stretch, bend and, with twist = true, twist.
---@class tide.MaterialRod
---@field young number # Young's modulus; greater than 0 and at most 1e+15 Pa
---@field poisson? number # Poisson's ratio, which gives the resistance to twist: G = young / (2 (1 + poisson)); for `twist`; -1 to 0.5; default 0.3
---@field radius number # radius of the round cross-section; greater than 0 and at most 1000000 m
---@field twist? boolean # the rods resist twist with G J, and curvature at rest keeps its direction; an edge with both vertices pinned does not turn about itself (body:turn turns it); default false

---The material `membrane`: triangles that resist stretch and shear.
---@class tide.MaterialMembrane
---@field model? "arap"|"stvk"|"neo_hookean"|"orthotropic"|"baraff_witkin" # arap: as rigid as possible, by mu alone, without lateral contraction; stvk: St. Venant-Kirchhoff, for small strain; neo_hookean: rubber, for large strain; orthotropic: stvk with moduli along warp and weft; baraff_witkin: the stretch and shear conditions of Baraff and Witkin 1998; default "stvk"
---@field young? number # Young's modulus; greater than 0 and at most 1e+15 Pa; default required by arap, stvk, neo_hookean
---@field poisson? number # Poisson's ratio, above -1 and below 0.5; for orthotropic that of tension along the warp; -1 to 0.5; default 0.3; 0 for arap
---@field thickness number # thickness, which turns Pa into N/m and density into mass per area; greater than 0 and at most 1e+15 m
---@field warp? number # modulus along the warp, of orthotropic and baraff_witkin; greater than 0 and at most 1e+15 Pa; default young
---@field weft? number # modulus across the warp, of orthotropic and baraff_witkin; greater than 0 and at most 1e+15 Pa; default that of the warp
---@field shear? number # shear modulus, of orthotropic and baraff_witkin; greater than 0 and at most 1e+15 Pa; default a tenth of that of the warp
---@field direction? number[] # direction of the warp at rest, of orthotropic and baraff_witkin; if it is not given, that in which the first texture coordinate grows; any; default along the texture, or {1, 0, 0}

---The material `shell`: edges between triangles that resist bending.
---@class tide.MaterialShell
---@field model? "quadratic"|"discrete" # quadratic: isometric quadratic bending, for sheets that are flat at rest and hardly stretch; discrete: discrete shells, by the angles between triangles; default "quadratic"
---@field bending number # bending stiffness: torque per width and curvature, young thickness^3 / (12 (1 - poisson^2)); greater than 0 and at most 1e+15 N m
---@field rest? "flat"|"shape" # flat: the sheet tends to a plane; shape: to the angles of the mesh at rest, with discrete; default "flat"
---@field thickness? number # thickness for plasticity: the faces of a sheet of curvature k have the strain k thickness / 2; greater than 0 and at most 1e+15 m; default that of the membrane

---The material `gas`: a gas within a closed surface.
---@class tide.MaterialGas
---@field pressure number # pressure over the ambient pressure; of an isothermal gas, at the volume at rest; -1e+15 to 1e+15 Pa
---@field isothermal? boolean # the pressure falls as the volume grows, as that of an enclosed ideal gas at constant temperature; false: it is constant; default false
---@field ambient? number # ambient pressure, of an isothermal gas; 0 to 1e+15 Pa; default 101325

---The material `pressure`: a constant pressure within a closed surface: pressure = 500, the same as gas = { pressure = 500 }.
---@class number|tide.MaterialPressure
---@field pressure number # pressure over the ambient pressure; of an isothermal gas, at the volume at rest; -1e+15 to 1e+15 Pa

---The material `strain_limit`: holds the stretches of a solid, a membrane or springs within limits.
---@class tide.MaterialStrainLimit
---@field stretch? number # largest stretch, relative to the length at rest; 0.02: 2 % longer; 0 to 1000000; default no limit
---@field compression? number # largest compression; 0.1: 10 % shorter; 0 to 1; default no limit
---@field tolerance? number # how far a stretch may exceed a limit; the smaller, the harder to solve; 1e-06 to 1; default 0.002

---The material `plastic`: plastic flow: springs, rods, solids, membranes, discrete shells and other elements with a size at rest change their shape at rest for good beyond a strain.
---@class tide.MaterialPlastic
---@field yield number # elastic strain at which an element begins to flow: of a spring its elongation, of a rod that at its surface, of a solid or a membrane the equivalent logarithmic strain; 0 to 100
---@field hardening? number # growth of the yield strain with accumulated plastic strain; 0: perfectly plastic; 0 to 1000000000; default 0
---@field creep? number # rate at which strain beyond the yield strain flows: exp(-creep t) of it is left after a time t; 0 to 1000000000 1/s; default at once

---The material `tear`: tearing: where springs and other elements are stretched too far, vertices are split and the body comes apart; scene.torn is called for each.
---@class tide.MaterialTear
---@field strain number # strain beyond which an element tears: 0.3 when stretched by 30 %; plastic strain that it has accumulated counts; greater than 0 and at most 1000000
---@field toughness? number # energy that an element must hold to tear, per length of the tear: its length at rest for a spring, the square root of its area for a triangle; for a tetrahedron per area (J/m^2), volume^(2/3); 0 to 1e+15 J/m; default 0

---The energies of a scene.
---@class tide.Energy
---@field kinetic number # J
---@field elastic number # J
---@field gravity number # J; zero at the origin
---@field total number # J

---The report of a step. Numbers that a method does not have are absent.
---@class tide.Report
---@field solver string # its name
---@field converged boolean # whether the tolerance was met; with newton, bdf2 and implicit_midpoint contacts have converged, too
---@field iterations integer # how many it took
---@field line_searches integer # how many it took
---@field linear_iterations integer # how many it took
---@field substeps integer # how many it took
---@field rejected integer # substeps that were discarded and repeated with other lengths
---@field substep number? # s, the length of the last substep
---@field stable_substep number? # s, the longest stable substep in theory; 0: none is stable, as the method gains energy without damping
---@field largest_eigenvalue number? # 1/s^2, the largest eigenvalue, from which the stable substep follows
---@field warning string? # warning about this step
---@field g number? # objective of the step at its result
---@field gradient_norm number? # norm of the gradient of g at the result, over free particles
---@field initial_gradient_norm number? # norm of the gradient of g at y, over free particles
---@field local_seconds number # s
---@field global_seconds number # s
---@field contact_seconds number # s
---@field step_seconds number # s
---@field energy_gain number # J, energy gained in the step beyond what forces, pins, colliders and contacts can have added; 0 if none
---@field accelerated boolean? # whether all iterations were accelerated; false when contacts moved particles

---Cauchy stress in a tetrahedron or triangle, positive in tension.
---@class tide.Stress
---@field xx number # Pa
---@field yy number # Pa
---@field zz number # Pa
---@field yz number # Pa
---@field zx number # Pa
---@field xy number # Pa
---@field principal number[] # Pa, the three principal stresses, the largest first
---@field directions number[][] # unit vectors along them, in their order
---@field von_mises number # Pa, the stress of a bar in tension that is as close to yield

---The result of scene:certify().
---@class tide.Certificate
---@field clean boolean # whether nothing crosses, and all was searched
---@field count integer # number of crossings
---@field allowed integer # of them those that the scene allows: of things that it lets pass each other, or holds
---@field complete boolean # false: too many triangles are near one another; there may be more crossings
---@field text string # all this in a line, with the first crossing
---@field crossings tide.Crossing[] # the first 1000, in a fixed order

---A crossing of a body with itself, another body or a collider.
---@class tide.Crossing
---@field body tide.Body # the body
---@field triangle integer? # triangle of it, or of its fine surface; nil where a cut has made a new one
---@field edge integer? # edge of it, of a strand
---@field vertex integer? # vertex of it, which is inside the collider
---@field other tide.Body? # body that it crosses; nil if it is a collider
---@field collider tide.Collider? # collider that it crosses; nil if it is a body
---@field other_triangle integer? # triangle of that body, or of the collider's mesh
---@field position number[] # where, m
---@field allowed boolean # whether the scene lets the two pass each other, or holds all vertices of both

---An element that tore.
---@class tide.Torn
---@field body tide.Body # the body
---@field element integer # its index, springs first
---@field vertices integer[] # its vertices
---@field strain number # at which it tore: 0.3 when stretched by 30 %
---@field vertex integer? # that was split, so that the body comes apart there; nil: the element itself was cut
---@field position number[] # of that vertex, or the mean of its vertices, m

---A vertex of a body that touches a collider or another body.
---@class tide.Contact
---@field body tide.Body # that touches something
---@field vertex integer # of it
---@field collider tide.Collider? # collider that is touched; nil if it is a body
---@field other tide.Body? # body that is touched; nil if it is a collider
---@field other_vertex integer? # nearest vertex of that body
---@field point number[] # where, in m
---@field normal number[] # contact normal, away from what is touched
---@field depth number # m, penetration depth before the contact was resolved
---@field force number # N, normal force on the body, averaged over the step that ended at scene.time
---@field friction number[] # N, friction force on the body, averaged likewise

---What the mesh doctor found.
---@class tide.MeshProblem
---@field kind string # "isolated vertex" and the like
---@field count integer # number of occurrences
---@field index integer # of the first
---@field fatal boolean # whether the mesh is refused for a body
---@field text string # the problem, its place and what to do

---The result of a reload.
---@class tide.Reconciliation
---@field kept integer # bodies that keep their state
---@field rebuilt integer # bodies rebuilt with another topology
---@field added integer # new bodies
---@field removed integer # bodies that were removed
---@field refactored boolean # whether the matrix was factored again
---@field seconds number # that it took
---@field changes string # what changed, a line for each body, collider or setting

---The result of one fork of scene:compare.
---@class tide.ComparisonResult
---@field solver string # as it was given, or its name
---@field scene tide.Scene # the fork, to go on with
---@field value number? # of what varies
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
---@field order integer # order of accuracy in the timestep; 0: none, or dependent on the iterations
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

---The result of an iterative method.
---@class tide.IterativeResult
---@field iterations integer # how many it took
---@field residual number # |b - A x| / |b|, or the eigenvalue's relative change
---@field converged boolean # whether the tolerance was met

---A world with its bodies, solver and callbacks.
---@class tide.Scene
---@field body fun(self: tide.Scene, name: string, definition?: tide.BodyDefinition): tide.Body # Adds a body or, without a definition, finds one. The name identifies it across reloads.
---@field bodies fun(self: tide.Scene): tide.Body[] # All bodies, in the order they were added.
---@field collider fun(self: tide.Scene, name: string, definition?: tide.ColliderDefinition): tide.Collider # Adds a collider or, without a definition, finds one. The name identifies it across reloads.
---@field colliders fun(self: tide.Scene): tide.Collider[] # All colliders, in the order they were added.
---@field contacts fun(self: tide.Scene): tide.Contact[] # The contacts of the last step that carried a force, in a fixed order.
---@field certify fun(self: tide.Scene): tide.Certificate # Checks in exact arithmetic, apart from contact, that no triangle crosses another one (of the same body too), no strand goes through a triangle, and nothing is inside a collider. Touching is no crossing. `springtide run --certify` does this after each step.
---@field set_touching fun(self: tide.Scene, a: tide.Body, b: tide.Body, touching: boolean): tide.Scene # Sets whether two bodies collide with each other, or one body with itself if it is given twice. Overrides their definitions.
---@field attach fun(self: tide.Scene, a: tide.Body, vertices: integer|integer[]|tide.Body|tide.Collider|tide.JointOptions, b?: tide.Body|tide.Collider|tide.JointOptions, to?: integer|integer[]|"nearest"|tide.AttachColliderOptions, options?: tide.AttachOptions|tide.AttachColliderOptions): tide.Scene|tide.Joint # Attaches vertices of a, by springs, to the same number of vertices of b, to one vertex of b, or to the nearest points of b's surface. If b is a collider, the vertices are pinned to it and move with it: at their current positions or, with "nearest", on its surface. With two rigid bodies and a table of options, `scene:attach(a, b, { joint = "hinge", point = { x, y, z }, axis = { 0, 0, 1 } })`, joins the bodies and returns the joint; b may be a collider, which moves the joint, and without b, a is joined to the world.
---@field step fun(self: tide.Scene, count?: integer): true?, string?, boolean? # Calls update and advances by the timestep, count times. Returns true. If a step fails, returns nil, a message and whether the step diverged; the world is then at the last good frame.
---@field problem fun(self: tide.Scene): tide.Problem?, string? # Calls update and returns the next step as a minimisation problem, or nil and a message. problem:advance() then takes the step.
---@field method fun(self: tide.Scene, solver?: string): tide.Method # A solver for problems: that of the scene with its options, or "NAME" or "NAME,option=value,...".
---@field solver_info fun(self: tide.Scene): tide.SolverInfo # The entry of tide.solvers() for the scene's solver.
---@field energy fun(self: tide.Scene): tide.Energy # The current energies, in J.
---@field report fun(self: tide.Scene): tide.Report # The solver's report of the last step.
---@field snapshot fun(self: tide.Scene): tide.Snapshot # The complete state as one value.
---@field restore fun(self: tide.Scene, snapshot: tide.Snapshot): tide.Scene # Restores a snapshot of the same bodies.
---@field load_snapshot fun(self: tide.Scene, path: string): tide.Snapshot?, string? # Reads a world file of the same bodies, which snapshot:save or --save-world wrote; restore() takes the result. A scene reads it where it reads meshes: in its folder first. Returns nil and a message for a file that is missing, damaged or of other bodies.
---@field fork fun(self: tide.Scene): tide.Scene # An independent scene in the same state, with the same callbacks. While the fork runs them, their references to this scene and its bodies mean those of the fork.
---@field compare fun(self: tide.Scene, options: tide.CompareOptions): tide.ComparisonResult[] # Forks the scene for each solver and timestep, steps the forks and returns their results. The scene itself does not change.
---@field plot fun(self: tide.Scene, name: string, value: number): tide.Scene # Adds a number to the plot of that name, once per frame, for example in update. The window's panels show the plot; `--stats` has a column for it, and `--plots` draws it.
---@field picture fun(self: tide.Scene, path: string, options?: tide.PictureOptions): true?, string? # Draws the scene as it is now, without what scene.draw adds, into a .png file. Returns true, or nil and a message if it cannot be written. In plain Lua only: a scene that a program runs has --png.
---@field hash fun(self: tide.Scene): string # The hash of the complete state, 16 hexadecimal digits.
---@field reset fun(self: tide.Scene): tide.Scene # Restores the state before the first step.
---@field system fun(self: tide.Scene): tide.System # The mathematical system of the scene: energy, gradient, Hessian, matrices.
---@field random fun(self: tide.Scene): number # A random number in [0, 1) from the world's generator, which is part of snapshots.
---@field reload fun(self: tide.Scene, path?: string, options?: tide.LoadOptions): true?, tide.Reconciliation|string # Runs a script and reconciles this scene with it: bodies with the same name and topology keep their state. Returns true and what was kept. On failure returns nil and a message, and nothing changes.
---@field time number # Simulated time, in s.
---@field frame integer # Number of steps taken.
---@field timestep number # Duration of one step, in s.
---@field gravity number[] # Acceleration of every particle, in m/s^2. Assign a list of three numbers, or one of them: `gravity[2] = -1.62`.
---@field drag number # Drag on all velocities: they decay by exp(-drag * time). In 1/s.
---@field deformation_drag number # Drag on the deformation of each body, not on its rigid motion, in 1/s.
---@field title string # Title of the window.
---@field solver string | tide.Solver # The solver's name and options. Assign one option, a name or a table: `solver.iterations = 5` keeps the other options, `solver = { "newton" }` resets them to their defaults.
---@field state table # Plain data that is part of snapshots and of the hash and is kept across reloads: an existing field keeps its value, and what the new script assigns to it takes effect after scene:reset(). A reload reports fields that the new script sets to another value than the old one did.
---@field camera tide.Camera? # The camera; nil: one that shows the whole scene. Assign a table or one of its fields.
---@field ground number | boolean | tide.Ground | nil # Height of the ground, which is drawn and on which bodies land. true: just below the scene; { height = ..., solid = false }: drawn only; false: none; nil: drawn where a visible plane is a floor. After the first step an assignment changes only what is drawn.
---@field friction_pairs any[][] # A copy of the friction of pairs of contact materials, each { "wool", "steel", 0.3 }. Assign a whole list: it takes effect from the next step on. A pair that is not in it, or a side without a contact_material, has the geometric mean of the coefficients of both sides.
---@field background number[] # Background colour: red, green, blue. Assign a list or one of the three.
---@field update fun(dt: number)? # Called before each step: add forces, move pins.
---@field contact fun(contact: tide.Contact)? # Called after each step once for each contact that carried a force, with a table. An error in it does not undo the step.
---@field torn fun(torn: tide.Torn)? # Called after each step once for each element that tore (`tear` of a body), with a table. An error in it does not undo the step.
---@field draw fun(canvas: tide.Canvas)? # Called after the world is drawn.
---@field keypressed fun(key: string)? # Called when a key goes down.
---@field mousepressed fun(x: number, y: number, button: integer)? # Called when a mouse button goes down; x and y in pixels from the top left.
---@field quit fun()? # Called before the program ends.

---A body of a scene.
---@class tide.Body
---@field name string # The name, which identifies the body across reloads.
---@field vertex_count integer # Number of vertices: those of the mesh that the body was made of, then those that cuts and tears added.
---@field spring_count integer # Number of springs.
---@field element_count integer # Number of elements of all kinds: the springs, then those of the materials, then those of `elements`.
---@field cut_count integer # Number of elements that are cut.
---@field split_count integer # Number of vertices that cuts and tears added: copies, at first at the same place.
---@field triangle_count integer # Number of triangles.
---@field mesh tide.Mesh # The mesh at rest, with the cuts and tears.
---@field current_mesh fun(self: tide.Body): tide.Mesh # A mesh of the current positions, for example to save.
---@field surface tide.Mesh? # The embedded fine surface at rest.
---@field current_surface fun(self: tide.Body): tide.Mesh? # The embedded fine surface at its current positions, for example to save; nil without one.
---@field pin fun(self: tide.Body, vertices: integer[]|integer|fun(i: integer, x: number, y: number, z: number): boolean, options?: { stiffness: number }): tide.Body # Holds vertices at their current positions: exactly, or by a zero-length spring of a stiffness in N/m: `pin { 1, 81, stiffness = 500 }`.
---@field unpin fun(self: tide.Body, vertices?: integer[]|integer|fun(i: integer, x: number, y: number, z: number): boolean): tide.Body # Unpins vertices; without arguments all of them.
---@field is_pinned fun(self: tide.Body, i: integer): boolean # Whether vertex i is pinned.
---@field move_pin fun(self: tide.Body, i: integer, x: number, y: number, z: number) # Sets the position that the pin of vertex i reaches at the end of the next step.
---@field turn fun(self: tide.Body, i: integer, j: integer, angle: number): tide.Body # Turns the cross-section of a rod that twists, at the edge of vertices i and j, which must both be pinned: by an angle in rad about the axis from i to j, by the end of the next step.
---@field position fun(self: tide.Body, i: integer): number, number, number # Position of vertex i, in m.
---@field velocity fun(self: tide.Body, i: integer): number, number, number # Velocity of vertex i, in m/s.
---@field set_position fun(self: tide.Body, i: integer, x: number, y: number, z: number) # Sets the position of vertex i, and of its pin if it has one, in m.
---@field set_velocity fun(self: tide.Body, i: integer, x: number, y: number, z: number) # Sets the velocity of vertex i, in m/s.
---@field motion fun(self: tide.Body): { centre: number[], velocity: number[], spin: number[] } # The motion of the body as a whole: its centre of mass in m, the velocity of that in m/s, and the angular velocity in rad/s.
---@field set_motion fun(self: tide.Body, motion: { velocity?: number[], spin?: number[] }): tide.Body # Gives all vertices the velocities of a rigid motion about the centre of mass, velocity in m/s and spin in rad/s, 0 by default: `set_motion { velocity = { 0, 2, 0 }, spin = { 0, 0, 5 } }`.
---@field positions fun(self: tide.Body): tide.Buffer # A buffer over the engine's own positions: x, y, z of vertex 1, then of vertex 2, ...
---@field velocities fun(self: tide.Body): tide.Buffer # A buffer over the engine's own velocities, as positions().
---@field force fun(self: tide.Body, i: integer, x: number, y: number, z: number) # Adds a force to vertex i for the next step, in N.
---@field colour fun(self: tide.Body, value?: (fun(i: integer): number), options?: tide.ColourOptions): tide.Body # Colours the body by numbers: whenever a picture is drawn, the function returns the number of each vertex. Colours range from low to high; without these, over the numbers themselves. nil ends it.
---@field spring fun(self: tide.Body, s: integer): integer, integer, number, number # The two vertices of spring s, its stiffness in N/m and its current rest length in m. Springs are counted in this order: edges, bending springs, `springs`.
---@field contract fun(self: tide.Body, elements: integer[]|integer, factor: number): tide.Body # Actuates springs: from the next step on, their rest lengths are the original ones times a factor, until it is changed; 1 relaxes them. Elements of `elements` count on after the springs; the factor scales their lengths or areas at rest.
---@field cut fun(self: tide.Body, what: { springs: integer[]? }|fun(i: integer, x: number, y: number, z: number): boolean): integer # Cuts the body for good: `cut { springs = { 3, 4 } }` or `elements = { ... }` removes these elements; `plane = { normal = { 1, 0, 0 }, offset = 0.5 }`, `triangles =` a mesh or a list of triangles of points { x, y, z }, and a function (or `predicate =`) that tells the side of each vertex separate the tetrahedra (triangles, edges) on the two sides: vertices between them are split, the new ones follow the others. Returns the number of elements that were cut and of new vertices. Cuts are part of snapshots; scene:reset() takes them back.
---@field is_cut fun(self: tide.Body, e: integer): boolean # Whether element e is cut.
---@field set_stiffness fun(self: tide.Body, elements: integer[]|integer|number, stiffness?: number): tide.Body # Sets the stiffness of springs or other elements from the next step on (of springs in N/m), 0 makes them slack: `set_stiffness({ 1, 2 }, 50)`; `set_stiffness(50)` sets that of all springs. Part of snapshots.
---@field reaction fun(self: tide.Body, vertices?: integer[]|integer|fun(i: integer, x: number, y: number, z: number): boolean, point?: number[]): number, number, number, number?, number?, number? # Sum of the forces that pins and attachments exert on vertices in the last step, x, y, z in N; without vertices, on all. With a point { x, y, z } also their torque about it, x, y, z in N m: `local x, y, z = body:reaction { 1, 81 }`.
---@field contact_force fun(self: tide.Body, vertices?: integer[]|integer|fun(i: integer, x: number, y: number, z: number): boolean, point?: number[]): number, number, number, number?, number?, number? # The same for the forces of contacts on the body in the last step, friction included. Contacts of the body with itself cancel.
---@field tension fun(self: tide.Body, e: integer): number # Tension of spring e in N: stiffness times (length - rest length); negative under compression. Also of another element between two vertices, such as an edge of a rod.
---@field stress fun(self: tide.Body, i: integer, on?: "tetrahedra"|"triangles"): tide.Stress # Cauchy stress of tetrahedron i of a solid at present, or of triangle i of a membrane, in Pa, positive in tension: a table with xx, yy, zz, yz, zx, xy; principal, a list of the three principal stresses, the largest first; directions, the unit vectors along them; and von_mises. A body with both materials takes the solid unless `on` is "triangles".
---@field largest_stress fun(self: tide.Body): number, integer? # Largest von Mises stress of the body's solid, or of its membrane, in Pa, and its tetrahedron or triangle; 0 without either.

---An object that bodies collide with and cannot move.
---@class tide.Collider
---@field name string # The name, which identifies the collider across reloads.
---@field shape string # The kind of its shape.
---@field friction number # Coulomb's coefficient of friction. An assigned number takes effect from the next step on.
---@field restitution number # Coefficient of restitution: the fraction of the approach speed that a bounce keeps. It can be assigned.
---@field thickness number # Distance kept between its surface and bodies, in m. It can be assigned.
---@field visible boolean # Whether the collider is drawn.
---@field position number[] # A copy of the current position of the shape's frame, in m. Assigning three numbers moves it at once, without a velocity.
---@field rotation number[] # A copy of the current rotation: an axis and an angle in radians. Assigning four numbers turns it at once.
---@field move_to fun(self: tide.Collider, x: number, y: number, z: number, rotation?: number[]): tide.Collider # Moves the collider, over the next step, to a position; what touches it is dragged along. Also `move_to { position = { x, y, z }, rotation = { 0, 1, 0, 0.5 } }`.
---@field distance fun(self: tide.Collider, x: number, y: number, z: number): number, number, number, number # The signed distance of a point from its current surface minus the thickness, negative inside; and the outward direction.
---@field vertex_count integer # Number of vertices of its surface; for a mesh, those of the mesh.
---@field set_position fun(self: tide.Collider, vertex: integer, x: number, y: number, z: number): tide.Collider # For a mesh with deforms = true: sets the position that a vertex reaches at the end of the next step. Coordinates are in the collider's own frame, after its scale, in m.
---@field positions fun(self: tide.Collider): tide.Buffer # For a mesh with deforms = true: a buffer over the positions that all vertices reach at the end of the next step.
---@field force fun(self: tide.Collider): number[], number[] # The sum of the contact forces on it, with friction, in N, and their torque about its position (that of rolling friction included), in N m: lists x, y, z, averaged over the step that ended at scene.time. In scene.update this is the previous step. A collider that a script moves by these forces follows them one step late. It gains energy unless the mass of what lands on it is added to its inertia: v = v + dt * force / (mass + landing).

---Geometry and topology. A mesh is immutable: each method returns a new one.
---@class tide.Mesh
---@field vertex_count integer # Number of vertices.
---@field edge_count integer # Number of edges.
---@field triangle_count integer # Number of triangles.
---@field tetrahedron_count integer # Number of tetrahedra.
---@field vertex fun(self: tide.Mesh, i: integer): number, number, number # Coordinates of vertex i, in m.
---@field edge fun(self: tide.Mesh, i: integer): integer, integer # The two vertices of edge i.
---@field triangle fun(self: tide.Mesh, i: integer): integer, integer, integer # The three vertices of triangle i.
---@field tetrahedron fun(self: tide.Mesh, i: integer): integer, integer, integer, integer # The four vertices of tetrahedron i.
---@field texture fun(self: tide.Mesh, i: integer): number?, number? # Texture coordinates u, v of vertex i; returns nothing if the mesh has none.
---@field unfold fun(self: tide.Mesh, scale?: number): tide.Mesh # A copy laid flat by the texture coordinates: vertex i is at (scale u, scale v, 0), in m. As the `rest` of a body, it is the sewing pattern of a garment.
---@field bounds fun(self: tide.Mesh): number, number, number, number, number, number # The least and the greatest x, y, z.
---@field translate fun(self: tide.Mesh, x: number, y: number, z: number): tide.Mesh # A copy of the mesh, translated.
---@field rotate fun(self: tide.Mesh, axis: number[], angle: number): tide.Mesh # A copy of the mesh, rotated about an axis through the origin by an angle in radians.
---@field scale fun(self: tide.Mesh, x: number, y?: number, z?: number): tide.Mesh # A copy of the mesh, scaled by one factor or by one per axis.
---@field subdivide fun(self: tide.Mesh, times?: integer): tide.Mesh # A copy of the mesh with every edge split in two.
---@field weld fun(self: tide.Mesh, distance?: number): tide.Mesh # A copy of the mesh in which vertices closer than the distance are joined; default: coincident ones.
---@field save fun(self: tide.Mesh, path: string): true?, string? # Writes an .obj or .mesh file. A scene may write into the current folder and those below it. Returns true, or nil and a message.
---@field check fun(self: tide.Mesh): tide.MeshProblem[], tide.MeshProblem[] # A list of the mesh's defects, empty if there are none; and a list of its properties: a boundary, several pieces.

---A signed distance from a surface, negative inside. It is immutable: each method returns a new one. a + b is the union, a - b the difference, a * b the intersection.
---@class tide.Distance
---@operator add(tide.Distance): tide.Distance
---@operator sub(tide.Distance): tide.Distance
---@operator mul(tide.Distance): tide.Distance
---@field at fun(self: tide.Distance, x: number, y: number, z: number): number, number, number, number # The signed distance at a point, in m, negative inside; and its gradient.
---@field bounds fun(self: tide.Distance): number, number, number, number, number, number # The least and the greatest x, y, z of the inside; infinite where it is unbounded.
---@field translate fun(self: tide.Distance, x: number, y: number, z: number): tide.Distance # A copy of the distance, translated.
---@field rotate fun(self: tide.Distance, axis: number[], angle: number): tide.Distance # A copy of the distance, rotated about an axis through the origin by an angle in radians.
---@field scale fun(self: tide.Distance, factor: number): tide.Distance # A copy of the distance, scaled.
---@field grow fun(self: tide.Distance, by: number): tide.Distance # A copy of the distance with the surface offset outward by so many m, inward if negative. Edges become round.
---@field copies fun(self: tide.Distance, counts: integer[], spacing: number[]): tide.Distance # Copies along each axis around the origin: their numbers, and the distances between their centres.

---Numbers of a body or a collider in the engine's own memory: buffer[1] to buffer[#buffer], x, y, z of each vertex in turn. Access to single numbers is ten times slower than that of a table; operations on whole buffers are fast.
---@class tide.Buffer
---@field [integer] number
---@operator len: integer
---@field get fun(self: tide.Buffer, vertex: integer): number, number, number # Returns x, y, z of a vertex.
---@field set fun(self: tide.Buffer, vertex: integer|string, x?: number, y?: number, z?: number): tide.Buffer? # Sets x, y, z of a vertex; or, from a string as bytes() makes it, all numbers. If one of them is not finite, nothing changes.
---@field bytes fun(self: tide.Buffer): string # Returns all numbers as raw bytes: 8 a number, a little-endian double, as string.unpack("<d", s) and numpy.frombuffer(s, "<f8") read them.
---@field table fun(self: tide.Buffer, into?: number[]): number[] # Copies all numbers into a new table or into the given one. A table is faster to read and change; assign() writes it back.
---@field assign fun(self: tide.Buffer, numbers: tide.Numbers): tide.Buffer # Replaces all numbers by those of a list of the same length. If one of them is not finite, nothing changes.
---@field copy fun(self: tide.Buffer): tide.Vector # Returns a copy of the numbers as a vector.
---@field add fun(self: tide.Buffer, numbers: tide.Numbers, factor?: number): tide.Buffer # Adds factor (default 1) times a list of the same length.
---@field fill fun(self: tide.Buffer, x: number, y: number, z: number): tide.Buffer # Sets all vertices to the same x, y, z.
---@field each fun(self: tide.Buffer, visit: fun(vertex: integer, x: number, y: number, z: number): number?, number?, number?): tide.Buffer # Calls the function for each vertex. The three numbers that it returns replace those of the vertex after all vertices have been visited; if it returns nothing, the vertex stays unchanged.

---The complete state of a scene at one moment.
---@class tide.Snapshot
---@field save fun(self: tide.Snapshot, path: string): true?, string? # Writes a world file, as --save-world does; --open-world and scene:load_snapshot read it. A scene may write into the current folder and those below it. Returns true, or nil and a message.
---@field hash fun(self: tide.Snapshot): string # The hash of the state, 16 hexadecimal digits.
---@field frame integer # Number of steps taken before the snapshot.
---@field time number # Simulated time, in s.
---@field size integer # Size in bytes.

---The surface on which scene.draw draws, over the picture of the world.
---@class tide.Canvas
---@field width integer # Of the picture, in pixels.
---@field height integer # Of the picture, in pixels.
---@field colour fun(self: tide.Canvas, r: number, g: number, b: number, a?: number) # Sets the colour of what is drawn next: sRGB, 0 to 1.
---@field text fun(self: tide.Canvas, x: number, y: number, text: any, size?: number) # Draws text at a position in the picture, in pixels from the top left.
---@field label fun(self: tide.Canvas, x: number, y: number, z: number, text: any, size?: number) # Draws text at a position in the world, in m.
---@field line fun(self: tide.Canvas, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, width?: number) # Draws a line in the world; its width is in pixels.
---@field point fun(self: tide.Canvas, x: number, y: number, z: number, size?: number) # Draws a point in the world; its size is in pixels.

---The mathematical system of a scene in its current state. Positions x hold x, y, z of each particle in turn.
---@class tide.System
---@field particle_count integer # Number of particles of all bodies.
---@field free_count integer # Number of particles that are not pinned.
---@field positions fun(self: tide.System): tide.Vector # Current positions of all particles, in m.
---@field velocities fun(self: tide.System): tide.Vector # Current velocities of all particles, in m/s.
---@field masses fun(self: tide.System): tide.Vector # The mass of each particle, in kg.
---@field energy fun(self: tide.System, x: tide.Numbers): number # The elastic energy at positions x, in J.
---@field gradient fun(self: tide.System, x: tide.Numbers): tide.Vector # The energy's gradient at x, in N; 0 at pinned particles.
---@field hessian fun(self: tide.System, x: tide.Numbers, options?: { project: boolean }): tide.Matrix # The Hessian of the energy at x over the coordinates of free particles; with project, that of each element is projected to a positive semidefinite one.
---@field largest_eigenvalue fun(self: tide.System, x: tide.Numbers, options?: { tolerance: number, max_iterations: integer }): number, boolean # k0, 1/s^2: the largest eigenvalue of M^-1 K at x over free particles (Shinya 2005, eq. 27), by the power method; and whether the tolerance was met.
---@field filtered_eigenvalue fun(self: tide.System, x: tide.Numbers): number? # The largest eigenvalue of M^-1 K with the velocity filter of the scene's solver after every multiplication (Ahmad et al. 2007, algorithm 1); nil without a filter.
---@field laplacian fun(self: tide.System): tide.Matrix # L, the Laplacian of Liu et al. 2013, eq. 12, over free particles.
---@field mass_matrix fun(self: tide.System): tide.Matrix # M, the diagonal mass matrix, over the coordinates of free particles, as the Hessian; laplacian and matrix have one row per particle.
---@field matrix fun(self: tide.System, timestep?: number): tide.Matrix # A = M + h^2 L, the matrix of local_global, over free particles.
---@field gather fun(self: tide.System, full: tide.Numbers): tide.Vector # The coordinates of the free particles, extracted from those of all particles.
---@field scatter fun(self: tide.System, free: tide.Numbers, full?: tide.Numbers): tide.Vector # The coordinates of all particles: a copy of `full` (default zeros) into which those of the free particles are written.

---The state that the step function of a solver gets. Vectors hold x, y, z of each particle in turn. The next step fills them again, so copy() what must be kept. Contacts are resolved after the step function has returned: impulses then correct its positions and velocities, with the masses only. So no vector here contains contact forces, and the next step begins with the corrected positions and velocities.
---@class tide.SolverState
---@field positions tide.Vector # q: positions of all particles at the start of the step. Unless positions are returned, the values here at the end are the result. Pinned particles move to their positions in `inertial` in any case; report.warning says when the result moves one whose pin does not move.
---@field velocities tide.Vector # v: velocities at the start, after drag. Those at the end are (x - q) / h unless others are returned or written here; those of pinned particles are in any case.
---@field forces tide.Vector # f: external forces including gravity, in N; 0 at pinned particles.
---@field inertial tide.Vector # y = q + h v + h^2 M^-1 f: inertial positions, reached without springs; for pinned particles, the positions of their pins.
---@field options table # Values of the solver's options. Changes last until the end of the step.
---@field memory table # Plain data and vectors that persist from step to step and are part of snapshots; empty at first.
---@field report tide.SolverReport? # Report for scene:report(), to be assigned; same as returning it as the last value.

---The next step of a scene as a minimisation problem. It is valid until the scene steps or changes.
---@class tide.Problem
---@field timestep number # h, the timestep, in s.
---@field inertial tide.Vector # y = q + h v + h^2 M^-1 f: inertial positions, reached without springs.
---@field g fun(self: tide.Problem, x: tide.Numbers): number # g(x) = 1/2 (x - y)' M (x - y) + h^2 E(x), which backward Euler minimises (Liu et al. 2013, eq. 8).
---@field gradient fun(self: tide.Problem, x: tide.Numbers): tide.Vector # The gradient of g at x.
---@field gradient_norm fun(self: tide.Problem, x: tide.Numbers): number # The norm of the gradient over free particles.
---@field solve fun(self: tide.Problem, solver?: string): tide.Vector?, tide.Vector|string, tide.Report? # Takes the step without contact, with the scene's solver, "NAME" or "NAME,option=value,...". Returns positions, velocities and a report, or nil and a message. The scene does not change.
---@field advance fun(self: tide.Problem): true?, string?, boolean? # Takes the step in the scene, as scene:step() does after update.

---A solver whose steps are measured one at a time.
---@class tide.Method
---@field info tide.SolverInfo # Facts about the solver.
---@field prepare_seconds number # Duration of the first preparation, in s.
---@field time fun(self: tide.Method, problem: tide.Problem, iterations: integer): tide.Vector?, tide.Vector|string, tide.Report? # Takes the step as the solver's first one, with at most so many iterations and tolerance 0, up to four times. Returns positions, velocities and the report of the fastest run, in which step_seconds is processor time; or nil and a message.

---Numbers v[1] to v[#v], with + and -, and with * and / by a number. ipairs visits them; tostring shows the first.
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
---@field times fun(self: tide.Vector, w: tide.Numbers): tide.Vector # The elementwise product. w may have one number per particle, which applies to x, y and z.
---@field over fun(self: tide.Vector, w: tide.Numbers): tide.Vector # The elementwise quotient, with w as in times: forces:over(system:masses()) are accelerations.

---A sparse matrix, with + and -, with * by a number, a vector or a matrix, and with / by a number. tostring shows the first entries.
---@class tide.Matrix
---@operator add(tide.Matrix): tide.Matrix
---@operator sub(tide.Matrix): tide.Matrix
---@operator mul(number): tide.Matrix
---@operator mul(tide.Matrix): tide.Matrix
---@operator mul(tide.Numbers): tide.Vector
---@operator div(number): tide.Matrix
---@operator unm: tide.Matrix
---@field multiply fun(self: tide.Matrix, x: tide.Numbers): tide.Vector # Computes A x. x may hold several interleaved vectors.
---@field get fun(self: tide.Matrix, row: integer, column: integer): number # The entry in a row and a column.
---@field rows fun(self: tide.Matrix): integer # Number of rows.
---@field columns fun(self: tide.Matrix): integer # Number of columns.
---@field nonzeros fun(self: tide.Matrix): integer # Number of stored entries; a symmetric matrix stores its lower triangle.
---@field transpose fun(self: tide.Matrix): tide.Matrix # The transposed matrix.
---@field norm fun(self: tide.Matrix): number # The Frobenius norm: the square root of the sum of the squares of all entries.
---@field triplets fun(self: tide.Matrix): number[][] # The stored entries, each { row, column, value }.

---A sparse Cholesky factorisation.
---@class tide.Factor
---@field solve fun(self: tide.Factor, b: tide.Numbers): tide.Vector # Solves A x = b. b may hold several interleaved right-hand sides.
---@field rows fun(self: tide.Factor): integer # Number of rows of A.
---@field nonzeros fun(self: tide.Factor): integer # Number of entries of the factor.

---A kind of element made by tide.element. Bodies take it as elements = { { kind, on = "edges", NAME = value } }.
---@class tide.ElementKind
---@field name string # its name
---@field vertex_count integer # vertices that an element joins

---A number in the energy of an element: of an expression that is evaluated later for all elements. It has + - * / ^ with numbers and symbols, and cannot be compared.
---@class tide.Symbol
---@operator add(tide.Symbol|number): tide.Symbol
---@operator sub(tide.Symbol|number): tide.Symbol
---@operator mul(tide.Symbol|number): tide.Symbol
---@operator mul(tide.SymbolVector): tide.SymbolVector
---@operator div(tide.Symbol|number): tide.Symbol
---@operator pow(tide.Symbol|number): tide.Symbol
---@operator unm: tide.Symbol

---A vector in the energy of an element, as a vertex is: + and - with vectors, * and / with numbers. A list of three numbers stands for a vector, too.
---@class tide.SymbolVector
---@operator add(tide.SymbolVector|number[]): tide.SymbolVector
---@operator sub(tide.SymbolVector|number[]): tide.SymbolVector
---@operator mul(tide.Symbol|number): tide.SymbolVector
---@operator div(tide.Symbol|number): tide.SymbolVector
---@operator unm: tide.SymbolVector
---@field x tide.Symbol # coordinate
---@field y tide.Symbol # coordinate
---@field z tide.Symbol # coordinate
---@field length fun(self: tide.SymbolVector): tide.Symbol # The length. Its gradient at 0 is taken as (1, 0, 0).
---@field dot fun(self: tide.SymbolVector, other: tide.SymbolVector|number[]): tide.Symbol # The dot product.
---@field cross fun(self: tide.SymbolVector, other: tide.SymbolVector|number[]): tide.SymbolVector # The cross product.
---@field normalized fun(self: tide.SymbolVector): tide.SymbolVector # The vector divided by its length; (1, 0, 0) if it is 0.

---A hinge or a ball joint of rigid bodies.
---@class tide.Joint
---@field kind string # "ball" or "hinge".
---@field motor tide.Motor? # The motor of a hinge; nil without one. It can be assigned, also one field of it: `motor.speed = 3`. It takes effect from the next step on.
---@field angle fun(self: tide.Joint): number # The angle of the first body about a hinge's axis, relative to the second body, the collider or the world, in rad. It is 0 where the joint was made, and counts whole turns.
---@field speed fun(self: tide.Joint): number # The speed of the first body about a hinge's axis, relative to the second body, the collider or the world, in rad/s.
---@field torque fun(self: tide.Joint): number # The torque of a hinge's motor on the first body over the last step, in N m.

---@class tide.LinearModule
---@field vector fun(numbers: integer|tide.Numbers): tide.Vector # A vector of zeros of a given size, or of the numbers of a list.
---@field sparse fun(rows: integer, columns: integer, triplets: number[][], options?: { symmetric: boolean }): tide.Matrix # A matrix from { row, column, value } triplets; values in the same place are added. With symmetric = true, the lower triangle (row >= column) or the upper one is enough; if entries off the diagonal are in both, the two must be equal.
---@field diagonal fun(values: tide.Numbers): tide.Matrix # A diagonal matrix.
---@field cholesky fun(A: tide.Matrix): tide.Factor?, string? # Factors a symmetric matrix. Returns nil and a message if it is not positive definite.
---@field conjugate_gradient fun(A: tide.Matrix, b: tide.Numbers, options?: { tolerance: number, max_iterations: integer, start: tide.Numbers }): tide.Vector, tide.IterativeResult # Solves A x = b for a symmetric positive definite A.
---@field largest_eigenvalue fun(A: tide.Matrix, options?: { tolerance: number, max_iterations: integer, start: tide.Numbers }): number, tide.Vector, tide.IterativeResult # The eigenvalue of largest magnitude of a symmetric matrix, and its eigenvector.
---@field spectrum fun(numbers: tide.Numbers, columns: integer, rows: integer): tide.Vector # The power spectrum |V|^2 of numbers on a grid, row by row, with frequency 0 in the centre; for vectors x, y, z, the sum of the three. The sum of all entries is the mean square.

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

---What `require "springtide.check"` returns.
---@class springtide.CheckModule
---@field exercise fun(definition: springtide.Exercise): springtide.Exercise # Verifies the definition of an exercise and returns it with its defaults.

---What `require "springtide.sweep"` returns.
---@class springtide.SweepModule
---@field rows fun(out: string): table?, string? # The rows of a sweep's folder, or nil and a message.
---@field result fun(out: string, number: integer): table? # The whole result of a run: get("series/NAME") and get("positions/BODY") are the bytes of doubles.
---@field run fun(options: table): table?, string? # Takes the runs that are not done yet and returns all rows, or nil and a message.

---What `require "springtide.optimise"` returns.
---@class springtide.OptimiseModule
---@field minimise_batches fun(evaluate: fun(points: number[][]): number[], options: table): table # Minimises by a function of a list of points that returns a list of values: batches are evaluated side by side.
---@field minimise fun(f: fun(x: number[]): number, options: table): table # Minimises a function of a list of numbers.
---@field scene fun(options: table): table?, string? # Searches parameters of a scene that make a measure the least, or the most. Returns the result, or nil and a message.

---@class tide
---@field version string
---@field mesh tide.MeshModule
---@field distance tide.DistanceModule
---@field linear tide.LinearModule
---@field scene fun(definition?: tide.SceneDefinition): tide.Scene # Makes a scene.
---@field param fun(name: string, default: any, options?: tide.ParamOptions): any # Declares a parameter and returns its value: the default, or the one given by --set or tide.load.
---@field compare fun(definition: tide.ComparisonDefinition) # In a scene file: shows the scene in panes side by side, which differ by solver, by the value of a parameter or by timestep.
---@field load fun(path: string, options?: tide.LoadOptions): tide.Scene?, any # Runs a scene script and returns its scene, or nil and a message. With answers = true, the script's second result follows.
---@field limited fun(limits: tide.Limits, f: function, ...): boolean?, any # For hosts: calls f(...) under limits of processor time and memory. Returns true and its results, or nil and a message.
---@field element fun(definition: tide.ElementDefinition): tide.ElementKind # Makes a kind of element from a function for its energy.
---@field solver fun(definition: tide.SolverDefinition): string # Makes a solver from a function and returns its name, which is then valid wherever the name of a solver is.
---@field solvers fun(): tide.SolverInfo[] # A list of all solvers with their options; the script's own come last.
---@field random fun(m?: integer, n?: integer): number # Same as math.random. In callbacks it draws from the world's generator, which is part of snapshots.
---@field threads fun(count?: integer): integer # Sets the number of threads of the engine (0: all processors) and returns it. Results do not depend on it.
---@field data fun(name: string): string?, string? # The path of a file in the folder named by the environment variable SPRINGTIDE_DATA, or nil and a message if it does not exist.
---@field read fun(name: string): string?, string? # The text of a file in that folder, or nil and a message.
---@field max fun(...: number|tide.Symbol): number|tide.Symbol # The largest, of symbols or numbers.
---@field min fun(...: number|tide.Symbol): number|tide.Symbol # The smallest, of symbols or numbers.
---@field abs fun(a: number|tide.Symbol): number|tide.Symbol # |a|, of a symbol or a number.
---@field sqrt fun(a: number|tide.Symbol): number|tide.Symbol # The square root of a symbol or a number. Its derivative at 0 is taken as 0.
---@field exp fun(a: number|tide.Symbol): number|tide.Symbol # e^a, of a symbol or a number.
---@field log fun(a: number|tide.Symbol): number|tide.Symbol # The natural logarithm of a symbol or a number.
---@field sin fun(a: number|tide.Symbol): number|tide.Symbol # The sine of a symbol or a number.
---@field cos fun(a: number|tide.Symbol): number|tide.Symbol # The cosine of a symbol or a number.
---@field atan2 fun(y: number|tide.Symbol, x: number|tide.Symbol): number|tide.Symbol # The angle of the point (x, y), of symbols or numbers.
---@field select fun(c: number|tide.Symbol, a: number|tide.Symbol|tide.SymbolVector, b: number|tide.Symbol|tide.SymbolVector): number|tide.Symbol|tide.SymbolVector # a where c > 0, else b. Both are evaluated, so neither may be infinite where it is not selected.
---@field det fun(a: tide.SymbolVector|number[], b: tide.SymbolVector|number[], c: tide.SymbolVector|number[]): tide.Symbol # The determinant of three vectors, a . (b x c): six times the volume of their tetrahedron.
local tide = {}

return tide
