// libspringtide: every public header.
#ifndef TIDE_SPRINGTIDE_H
#define TIDE_SPRINGTIDE_H

#define TIDE_VERSION "0.1.0"

#include "base/clock.h"
#include "base/error.h"
#include "base/field.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"
#include "base/vec3.h"
#include "draw/camera.h"
#include "draw/draw_list.h"
#include "draw/image.h"
#include "draw/rasterizer.h"
#include "draw/world_view.h"
#include "factor/cholesky.h"
#include "formats/mesh_file.h"
#include "linear/iterative.h"
#include "linear/sparse.h"
#include "mesh/mesh.h"
#include "model/element.h"
#include "model/system.h"
#include "script/script.h"
#include "solver/solver.h"
#include "solver/solver_text.h"
#include "world/collider_state.h"
#include "world/world.h"

#endif
