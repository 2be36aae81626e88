// The layers of scripts/springtide/commands/contact_scene.lua in Bullet, for tests/bench/peers.lua:
//     peer_bullet METHOD N LAYERS WARM_UP FRAMES FOLDER
// METHOD is `position` (btSoftRigidDynamicsWorld) or `deformable` (btDeformableMultiBodyDynamicsWorld). Prints the
// processor's time of each measured step in seconds, a line each, and writes FOLDER/N.obj after it, N from 1.
//
// Cloths have the same vertices, triangles, springs, masses, gravity, and drag as the scene's. Margins make the same
// distances: half a thickness of each cloth, and nothing of the floor. What differs:
// - Friction is a number of each cloth, and there is no deformation_drag.
// - `position`: springs are constraints, whose part for an iteration is what a spring alone would get in an implicit
//   step. Cloths do not touch themselves, which would need clusters of triangles.
// - `deformable`: explicit, in 24 substeps. With 12 these springs diverge; implicit steps do not keep the cloths apart.
#include <BulletSoftBody/btDefaultSoftBodySolver.h>
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableGravityForce.h>
#include <BulletSoftBody/btDeformableMassSpringForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <type_traits>
#include <vector>

namespace
{

const btScalar mass_unit = 1e4f; // masses and forces in 0.1 g and so on: Bullet ends its solves at absolute numbers
const btScalar edge = 0.02f, thickness = 0.006f, stiffness = 120 * mass_unit, bend = stiffness / 40,
               mass_of_area = 0.2f * mass_unit;
const btScalar h = 1 / btScalar(120), drag = 1, cloth_friction = 0.3f, floor_friction = 0.5f;
const int substeps = 24; // of `deformable`
const btVector3 gravity(0, btScalar(-9.81), 0);

struct Options {
    bool deformable;
    int n, layers, warm_up, frames;
    std::string folder;
};

// The part of its error that a constraint takes away at once where a spring would in an implicit step, both ends free.
btScalar part_of(btScalar k, btScalar mass)
{
    btScalar s = 2 * k * h * h / mass;
    return s / (1 + s);
}

void link(btSoftBody *cloth, int a, int b, bool bends, btSoftBody::Material *material)
{
    cloth->appendLink(a, b, material);
    cloth->m_links[cloth->m_links.size() - 1].m_bbending = bends;
}

// The i-th layer, from 1: a grid of n x n with alternating diagonals, turned about the y axis.
btSoftBody *make_cloth(const Options &o, btSoftBodyWorldInfo &info, int i)
{
    int n = o.n;
    btScalar side = edge * (n - 1), angle = btScalar(0.35) * i, c = std::cos(angle), s = std::sin(angle);
    btScalar mass = mass_of_area * side * side / (n * n);
    std::vector<btVector3> places;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            btScalar x = edge * column - side / 2, z = edge * row - side / 2;
            places.push_back(btVector3(c * x + s * z, btScalar(1.05) * thickness * i, c * z - s * x));
        }
    std::vector<btScalar> masses(places.size(), mass);
    btSoftBody *cloth = new btSoftBody(&info, n * n, places.data(), masses.data());
    btSoftBody::Material *stretch = cloth->m_materials[0], *bending = cloth->appendMaterial();
    stretch->m_kLST = part_of(stiffness, mass);
    bending->m_kLST = part_of(bend, mass);
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            int here = row * n + column, right = here + 1, below = here + n, across = below + 1;
            if (column + 1 < n)
                link(cloth, here, right, false, stretch);
            if (row + 1 < n)
                link(cloth, here, below, false, stretch);
            if (column + 2 < n)
                link(cloth, here, here + 2, true, bending);
            if (row + 2 < n)
                link(cloth, here, here + 2 * n, true, bending);
            if (column + 1 == n || row + 1 == n)
                continue;
            bool forward = (column + row) % 2 == 0;
            link(cloth, forward ? here : right, forward ? across : below, false, stretch);
            cloth->appendFace(here, below, forward ? across : right);
            cloth->appendFace(forward ? here : right, forward ? across : below, forward ? right : across);
        }
    cloth->getCollisionShape()->setMargin(thickness / 2);
    cloth->m_cfg.kDF = cloth_friction;
    cloth->setFriction(cloth_friction);
    cloth->setActivationState(DISABLE_DEACTIVATION);
    if (o.deformable) {
        cloth->m_cfg.collisions =
            btSoftBody::fCollision::SDF_RD | btSoftBody::fCollision::SDF_RDN | btSoftBody::fCollision::VF_DD;
        cloth->m_cfg.kKHR = cloth->m_cfg.kCHR = 1;
        cloth->m_cfg.drag = 1 - std::exp(-drag * h / substeps);
        cloth->setCollisionFlags(0);
        cloth->setSpringStiffness(stiffness); // of repulsion
        cloth->m_softSoftCollision = true;
        cloth->initializeFaceTree();
        cloth->setSelfCollision(true);
    } else {
        cloth->m_cfg.collisions = btSoftBody::fCollision::SDF_RS | btSoftBody::fCollision::VF_SS;
        cloth->m_cfg.kDP = 1 - std::exp(-drag * h);
        cloth->m_cfg.piterations = 10; // as the iterations of the scene
    }
    return cloth;
}

void add_floor(btDiscreteDynamicsWorld &world)
{
    btCollisionShape *shape = new btBoxShape(btVector3(10, 1, 10)); // `deformable` falls through a plane
    shape->setMargin(0);
    btRigidBody *floor = new btRigidBody(0, nullptr, shape);
    floor->setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, -1, 0)));
    floor->setFriction(floor_friction);
    world.addRigidBody(floor);
}

void write_meshes(const std::string &path, const btSoftBodyArray &cloths)
{
    std::FILE *file = std::fopen(path.c_str(), "w");
    if (!file) {
        std::fprintf(stderr, "%s cannot be written\n", path.c_str());
        std::exit(1);
    }
    int first = 1;
    for (int i = 0; i < cloths.size(); i++) {
        const btSoftBody &cloth = *cloths[i];
        for (int k = 0; k < cloth.m_nodes.size(); k++) {
            const btVector3 &x = cloth.m_nodes[k].m_x;
            if (!std::isfinite(x[0] + x[1] + x[2])) {
                std::fprintf(stderr, "a cloth has diverged\n");
                std::exit(1);
            }
            std::fprintf(file, "v %.9g %.9g %.9g\n", double(x[0]), double(x[1]), double(x[2]));
        }
        for (int k = 0; k < cloth.m_faces.size(); k++) {
            std::fprintf(file, "f");
            for (int j = 0; j < 3; j++)
                std::fprintf(file, " %d", first + int(cloth.m_faces[k].m_n[j] - &cloth.m_nodes[0]));
            std::fprintf(file, "\n");
        }
        first += cloth.m_nodes.size();
    }
    std::fclose(file);
}

double processor_seconds()
{
    std::timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// Both kinds of world have these functions, but no common class with them. Nothing is freed: the process ends.
template <class World> void run(const Options &o, World &world)
{
    btSoftBodyWorldInfo &info = world.getWorldInfo();
    world.setGravity(gravity); // of rigid bodies
    info.m_gravity = gravity;
    info.air_density = 0;
    info.m_sparsesdf.Initialize();
    add_floor(world);
    for (int i = 1; i <= o.layers; i++)
        world.addSoftBody(make_cloth(o, info, i));
    if constexpr (std::is_same_v<World, btDeformableMultiBodyDynamicsWorld>)
        for (int i = 0; i < o.layers; i++) {
            btSoftBody *cloth = world.getSoftBodyArray()[i];
            world.addForce(cloth, new btDeformableMassSpringForce(stiffness, 0, true, bend));
            world.addForce(cloth, new btDeformableGravityForce(gravity));
        }
    const int parts = o.deformable ? substeps : 1;
    for (int frame = 1 - o.warm_up; frame <= o.frames; frame++) {
        double begin = processor_seconds();
        world.stepSimulation(h, parts, h / parts);
        if (frame < 1)
            continue;
        std::printf("%.9f\n", processor_seconds() - begin);
        write_meshes(o.folder + "/" + std::to_string(frame) + ".obj", world.getSoftBodyArray());
    }
}

} // namespace

int main(int count, char **words)
{
    if (count != 7) {
        std::fprintf(stderr, "usage: peer_bullet position|deformable N LAYERS WARM_UP FRAMES FOLDER\n");
        return 2;
    }
    Options o = { std::strcmp(words[1], "deformable") == 0,
                  std::atoi(words[2]),
                  std::atoi(words[3]),
                  std::atoi(words[4]),
                  std::atoi(words[5]),
                  words[6] };
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad_phase;
    if (o.deformable) {
        btDeformableBodySolver bodies;
        btDeformableMultiBodyConstraintSolver solver;
        solver.setDeformableSolver(&bodies);
        btDeformableMultiBodyDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration, &bodies);
        world.setImplicit(false);
        world.setLineSearch(false);
        world.setUseProjection(false);
        run(o, world);
    } else {
        btSequentialImpulseConstraintSolver solver;
        btSoftRigidDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
        run(o, world);
    }
    return 0;
}
