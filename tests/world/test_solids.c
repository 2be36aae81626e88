// Solids against closed formulas: a bar in tension, a cantilever, and the minimum that all methods share.
#include "../linear/dense.h"
#include "base/memory.h"
#include "fixture.h"
#include "world/material.h"

#include <stdio.h>
#include <string.h>

static tide_error error;

#define LIGHT 1e-4 // kg/m^3: so little inertia that a step of 10 s ends at the static equilibrium

static const struct {
    const char *name;
    int model;
} models[] = { { "corotated", TIDE_SOLID_COROTATED },
               { "arap", TIDE_SOLID_ARAP },
               { "stvk", TIDE_SOLID_STVK },
               { "neo_hookean", TIDE_SOLID_NEO_HOOKEAN } };
enum { MODELS = sizeof models / sizeof models[0] };

static tide_material_solid_options solid_of(int model, double young, double poisson)
{
    tide_material_solid_options solid;
    tide_fields_default(tide_material_solid.fields, &solid);
    solid.model = model;
    solid.young = young;
    if (model != TIDE_SOLID_ARAP)
        solid.poisson = poisson;
    return solid;
}

// A world without gravity with a bar along x, from x = 0 on, of these cells.
static tide_world *make_bar(const double size[3], const double cells[3], const tide_material_solid_options *solid,
                            double density, double timestep, tide_body_id *id)
{
    tide_mesh_box_def box;
    tide_mesh *mesh, *moved;
    tide_fields_default(tide_mesh_box.fields, &box);
    memcpy(box.size, size, sizeof box.size);
    memcpy(box.cells, cells, sizeof box.cells);
    assert_ok(tide_mesh_box.build(&box, &mesh, &error), error);
    assert_ok(tide_mesh_translate(mesh, (double[]) { size[0] / 2, 0, 0 }, &moved, &error), error);
    tide_world_settings settings = tide_world_settings_default();
    settings.timestep = timestep;
    memset(settings.gravity, 0, sizeof settings.gravity);
    tide_world *world = fixture_world(&settings, NULL);
    tide_body_def def = tide_body_def_default();
    def.name = "bar";
    def.mesh = moved;
    def.density = density;
    def.materials[tide_material_index(&tide_material_solid)] = solid;
    assert_ok(tide_world_add_body(world, &def, id, &error), error);
    tide_mesh_release(mesh);
    tide_mesh_release(moved);
    return world;
}

static tide_body_info info_of(tide_world *world, tide_body_id id)
{
    tide_body_info info;
    assert_true(tide_world_body_info(world, id, &info));
    return info;
}

// Sets the solver with options "a=1,b=2".
static void use(tide_world *world, const tide_solver_kind *kind, const char *list)
{
    _Alignas(16) char options[1024];
    char text[256];
    assert_true(kind->options_size <= sizeof options && strlen(list) < sizeof text);
    strcpy(text, list);
    tide_fields_default(kind->fields, options);
    for (char *option = strtok(text, ","); option; option = strtok(NULL, ",")) {
        char *value = strchr(option, '=');
        *value++ = '\0';
        assert_ok(tide_fields_parse(kind->fields, kind->name, options, option, value, &error), error);
    }
    assert_ok(tide_world_set_solver(world, kind, options, &error), error);
}

// --- a bar in tension ------------------------------------------------------------------------------------------------

// Returns the lateral stretch and computes the stress along the bar, Pa, from the formulas of the models.
static double lateral_stretch(int model, double young, double poisson, double s, double *stress)
{
    double mu = young / (2 * (1 + poisson)), lambda = 2 * mu * poisson / (1 - 2 * poisson), t = 0;
    switch (model) {
    case TIDE_SOLID_COROTATED:
        *stress = young * (s - 1);
        return 1 - poisson * (s - 1);
    case TIDE_SOLID_ARAP:
        *stress = young * (s - 1);
        return 1;
    case TIDE_SOLID_STVK:
        *stress = s * young * (s * s - 1) / 2;
        return sqrt(1 - poisson * (s * s - 1));
    }
    // Stable neo-Hookean: the lateral stress is 0, found by bisection (Smith et al. 2018, eq. 14 and sec. 3.4).
    double m = 4 * mu / 3, l = lambda + 5 * mu / 6, a = 1 + 3 * m / (4 * l), low = 0.1, high = 2;
    for (int step = 0; step < 200; step++) {
        t = (low + high) / 2;
        double lateral = m * (1 - 1 / (s * s + 2 * t * t + 1)) * t + l * (s * t * t - a) * s * t;
        *(lateral > 0 ? &high : &low) = t;
    }
    *stress = m * (1 - 1 / (s * s + 2 * t * t + 1)) * s + l * (s * t * t - a) * t * t;
    return t;
}

// The ends are held where the affine deformation with the formula's lateral stretch has them. Then the whole bar takes
// it, as its sides are free of stress, and the end pulls with the formula's stress.
static void check_tension(int model, double young, double poisson, double s)
{
    const double size[3] = { 1, 0.3, 0.2 };
    tide_material_solid_options solid = solid_of(model, young, poisson);
    tide_body_id id;
    tide_world *world = make_bar(size, (double[]) { 4, 2, 2 }, &solid, LIGHT, 10, &id);
    tide_body_info info = info_of(world, id);
    const double *rest = info.mesh->vertices;
    double stress, t = lateral_stretch(model, young, poisson, s, &stress), *x = tide_world_positions(world, id),
                   pull = 0;
    const double scale[3] = { s, t, t };
    for (uint32_t v = 0; v < info.vertex_count; v++)
        if (rest[3 * v] < 1e-9 || rest[3 * v] > size[0] - 1e-9) {
            double target[3];
            for (size_t k = 0; k < 3; k++)
                target[k] = x[3 * v + k] = scale[k] * rest[3 * v + k];
            assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
            assert_ok(tide_world_move_pin(world, id, v, target, &error), error);
        }
    use(world, tide_solver_kind_find("newton", &error), "iterations=200,tolerance=1e-15");
    for (int step = 0; step < 3; step++) {
        assert_ok(tide_world_step(world, &error), error);
        memset(tide_world_velocities(world, id), 0, 3 * info.vertex_count * sizeof *x);
    }
    x = tide_world_positions(world, id);
    for (size_t i = 0; i < 3 * info.vertex_count; i++)
        assert_near(x[i], scale[i % 3] * rest[i], 1e-8);
    double gradient[36 * 3 + 300];
    const tide_elements *groups;
    uint32_t count;
    assert_ok(tide_world_groups(world, id, &groups, &count, &error), error);
    assert_int_equal(count, 1);
    for (uint32_t e = 0; e < groups[0].count; e++) {
        groups[0].kind->gradient(&groups[0], x, e, e + 1, gradient);
        for (size_t c = 0; c < 4; c++)
            if (rest[3 * groups[0].vertices[4 * e + c]] > size[0] - 1e-9)
                pull += gradient[3 * c];
    }
    assert_near(pull / (size[1] * size[2]), stress, 1e-8 * young);
    tide_world_destroy(world);
}

static void test_bar_in_tension(void **state)
{
    (void)state;
    static const double stretches[] = { 0.8, 0.999, 1.001, 1.3 };
    for (int m = 0; m < MODELS; m++)
        for (size_t s = 0; s < sizeof stretches / sizeof stretches[0]; s++) {
            check_tension(models[m].model, 2e5, 0.3, stretches[s]);
            check_tension(models[m].model, 1e4, 0.45, stretches[s]);
            if (models[m].model != TIDE_SOLID_ARAP)
                check_tension(models[m].model, 1e4, -0.4, stretches[s]);
        }
}

// --- a cantilever ----------------------------------------------------------------------------------------------------

// Returns the deflection of the end of a bar under a load on it, over that of beam theory (Timoshenko's, with the
// shear of a rectangle, as Poisson's ratio is 0).
static double cantilever(int model, int cells)
{
    const double length = 1, side = 0.1, young = 1e7,
                 load = 1e-10 * young * side * side * side; // small strain, also at y
    const double inertia = side * side * side * side / 12, area = side * side;
    double exact =
        load * length * length * length / (3 * young * inertia) + load * length / (5.0 / 6 * young / 2 * area);
    tide_material_solid_options solid = solid_of(model, young, 0);
    tide_body_id id;
    tide_world *world =
        make_bar((double[]) { length, side, side }, (double[]) { 10 * cells, cells, cells }, &solid, 1000, 10, &id);
    tide_body_info info = info_of(world, id);
    const double *rest = info.mesh->vertices;
    double share = load / (cells * cells); // of a face
    double bent = 0;
    for (uint32_t v = 0; v < info.vertex_count; v++)
        if (rest[3 * v] < 1e-9)
            assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
    use(world, tide_solver_kind_find("newton", &error), "iterations=50,tolerance=1e-12");
    for (int step = 0; step < 3; step++) { // inertia lets each leave 4e-4 of the way
        for (uint32_t v = 0; v < info.vertex_count; v++) {
            if (rest[3 * v] < length - 1e-9)
                continue;
            double part = 1; // inside; half at edges, a quarter at corners
            for (size_t k = 1; k < 3; k++)
                part *= fabs(fabs(rest[3 * v + k]) - side / 2) < 1e-9 ? 0.5 : 1;
            assert_ok(tide_world_add_force(world, id, v, (double[]) { 0, -share * part, 0 }, &error), error);
        }
        assert_ok(tide_world_step(world, &error), error);
        memset(tide_world_velocities(world, id), 0, 3 * info.vertex_count * sizeof(double));
    }
    const double *x = tide_world_positions(world, id);
    for (uint32_t v = 0; v < info.vertex_count; v++)
        if (rest[3 * v] > length - 1e-9)
            bent = fmax(bent, rest[3 * v + 1] - x[3 * v + 1]);
    tide_world_destroy(world);
    return bent / exact;
}

// The stiffness error exact / deflection - 1 of linear tetrahedra falls with the square of their size.
static void test_cantilever(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        double coarse = 1 / cantilever(models[m].model, 1) - 1, fine = 1 / cantilever(models[m].model, 2) - 1;
        assert_true(coarse > fine && fine > 0 && log2(coarse / fine) > 1.8);
        if (m > 0) // all are linear elasticity here
            continue;
        double finest = 1 / cantilever(models[m].model, 4) - 1;
        assert_true(finest > 0 && finest < 0.15 && log2(fine / finest) > 1.9);
    }
}

// --- axial vibration -------------------------------------------------------------------------------------------------

// Returns the frequency of the n-th axial mode of a bar that is held at one end, over sqrt(E / density) (2 n - 1) / (4
// l).
static double axial_frequency(int model, int mode)
{
    const double young = 1e5, density = 1000, expected = sqrt(young / density) * (2 * mode - 1) / 4;
    const double h = 1 / (200 * expected), shape = acos(0) * (2 * mode - 1), amplitude = 1e-5;
    tide_material_solid_options solid = solid_of(model, young, 0);
    tide_body_id id;
    tide_world *world = make_bar((double[]) { 1, 0.1, 0.1 }, (double[]) { 40, 1, 1 }, &solid, density, h, &id);
    tide_body_info info = info_of(world, id);
    const double *rest = info.mesh->vertices;
    double *x = tide_world_positions(world, id), before = 1;
    for (uint32_t v = 0; v < info.vertex_count; v++) {
        if (rest[3 * v] < 1e-9)
            assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
        x[3 * v] += amplitude * sin(shape * rest[3 * v]);
    }
    use(world, tide_solver_kind_find("implicit_midpoint", &error), "tolerance=1e-9");
    for (int step = 1; step <= 200; step++) { // to the first zero of the part of the mode, after a quarter of a period
        double part = 0;
        assert_ok(tide_world_step(world, &error), error);
        x = tide_world_positions(world, id);
        for (uint32_t v = 0; v < info.vertex_count; v++)
            part += (x[3 * v] - rest[3 * v]) * sin(shape * rest[3 * v]);
        if (part <= 0) {
            tide_world_destroy(world);
            return 1 / (4 * h * (step - 1 + before / (before - part))) / expected;
        }
        before = part;
    }
    tide_world_destroy(world);
    return 0;
}

static void test_axial_vibration(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (int mode = 1; mode <= 3; mode++) {
            double ratio = axial_frequency(models[m].model, mode);
            if (!(fabs(ratio - 1) < 0.01))
                fail_msg("%s: the axial frequency %d is %g times that of the bar", models[m].name, mode, ratio);
        }
}

// --- one minimum -----------------------------------------------------------------------------------------------------

static bool has(const tide_solver_kind *kind, const char *option)
{
    const tide_field *field = kind->fields;
    while (field->name && strcmp(field->name, option) != 0)
        field++;
    return field->name;
}

// Methods with iterations and a tolerance, without those that converge to something else than backward Euler's minimum.
static bool minimises(const tide_solver_kind *kind)
{
    static const char *const others[] = { "bdf2", "implicit_midpoint", "pbd", "xpbd" };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(kind->name, others[i]) == 0)
            return false;
    return has(kind, "iterations") && has(kind, "tolerance");
}

// Takes a step from a disturbed shape, and writes the positions.
static void step_disturbed(int model, const tide_solver_kind *kind, const char *options, double *out, double *before)
{
    tide_material_solid_options solid = solid_of(model, 1e4, 0.3);
    tide_body_id id;
    tide_world *world = make_bar((double[]) { 0.3, 0.1, 0.1 }, (double[]) { 3, 1, 1 }, &solid, 1000, 1.0 / 60, &id);
    tide_body_info info = info_of(world, id);
    double *x = tide_world_positions(world, id), *v = tide_world_velocities(world, id);
    tide_random random = tide_random_seed(9);
    for (size_t i = 0; i < 3 * info.vertex_count; i++) {
        x[i] += test_uniform(&random, -0.01, 0.01);
        v[i] = test_uniform(&random, -0.5, 0.5);
    }
    for (uint32_t p = 0; p < 4; p++)
        assert_ok(tide_world_pin(world, id, p, TIDE_NOT_GIVEN, &error), error);
    memcpy(before, x, 3 * info.vertex_count * sizeof *x);
    use(world, kind, options);
    assert_ok(tide_world_step(world, &error), error);
    memcpy(out, tide_world_positions(world, id), 3 * info.vertex_count * sizeof *x);
    tide_world_destroy(world);
}

enum { NUMBERS = 3 * 16 };

static void check_minimum(int m, const tide_solver_kind *kind, const char *more, const double *expected)
{
    double x[NUMBERS], before[NUMBERS], size = 0, off = 0;
    char options[160];
    snprintf(options, sizeof options, "tolerance=1e-13,iterations=20000%s%s", has(kind, "substep") ? ",substep=1" : "",
             more);
    step_disturbed(models[m].model, kind, options, x, before);
    for (int i = 0; i < NUMBERS; i++) {
        size = fmax(size, fabs(expected[i] - before[i]));
        off = fmax(off, fabs(x[i] - expected[i]));
    }
    if (!(off <= 1e-8 * size))
        fail_msg("%s with %s of %s ends %g of %g from the minimum", kind->name, options, models[m].name, off, size);
}

static void test_one_minimum(void **state)
{
    (void)state;
    uint32_t methods = 0;
    for (int m = 0; m < MODELS; m++) {
        double expected[NUMBERS], before[NUMBERS];
        step_disturbed(models[m].model, tide_solver_kind_find("newton", &error), "iterations=100,tolerance=1e-14",
                       expected, before);
        const tide_solver_kind *kind;
        for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
            if (!minimises(kind))
                continue;
            check_minimum(m, kind, "", expected);
            methods++;
            if (!has(kind, "acceleration"))
                continue;
            check_minimum(m, kind, ",acceleration=anderson", expected);
            check_minimum(m, kind, ",acceleration=chebyshev", expected);
        }
    }
    assert_true(methods >= 5 * MODELS);
}

// Every method takes steps of a solid that is released from a disturbed shape, and stays finite.
static void test_every_method(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    double x[NUMBERS], before[NUMBERS];
    for (int m = 0; m < MODELS; m++)
        for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
            step_disturbed(models[m].model, kind, "", x, before);
            for (int k = 0; k < NUMBERS; k++)
                assert_true(fabs(x[k]) < 1);
        }
}

// local_global decreases g in each iteration, from a body that is squeezed flat and turned inside out.
static void test_local_global_decreases_g(void **state)
{
    (void)state;
    const tide_solver_kind *kind = tide_solver_kind_find("local_global", &error);
    for (int m = 0; m < MODELS; m++) {
        double last = INFINITY;
        for (int iterations = 1; iterations <= 24; iterations++) {
            tide_material_solid_options solid = solid_of(models[m].model, 1e6, 0.48);
            tide_body_id id;
            char options[64];
            tide_world *world = make_bar((double[]) { 0.3, 0.1, 0.1 }, (double[]) { 3, 1, 1 }, &solid, 1000, 0.1, &id);
            tide_body_info info = info_of(world, id);
            double *x = tide_world_positions(world, id);
            for (size_t i = 0; i < 3 * info.vertex_count; i++)
                x[i] *= i % 3 == 0 ? -2 : i % 3 == 1 ? 1.5 : 0.3;
            snprintf(options, sizeof options, "iterations=%d", iterations);
            use(world, kind, options);
            assert_ok(tide_world_step(world, &error), error);
            double g = tide_world_report(world)->g;
            assert_true(g <= last * (1 + 1e-12));
            last = g;
            tide_world_destroy(world);
        }
    }
}

// --- incompressible
// ---------------------------------------------------------------------------------------------------

static double volume_of(const tide_body_info *info, const double *x)
{
    double sum = 0;
    for (uint32_t t = 0; t < info->mesh->tetrahedron_count; t++)
        sum += tide_mesh_tetrahedron_volume(x, info->mesh->tetrahedra + 4 * (size_t)t);
    return sum;
}

// Returns the relative change of volume of a bar that is stretched by 20 % and clamped at both ends.
static double volume_change(int model, bool incompressible)
{
    tide_material_solid_options solid = solid_of(model, 1e4, 0.3);
    solid.incompressible = incompressible;
    tide_body_id id;
    tide_world *world = make_bar((double[]) { 1, 0.3, 0.3 }, (double[]) { 6, 2, 2 }, &solid, LIGHT, 10, &id);
    tide_body_info info = info_of(world, id);
    const double *rest = info.mesh->vertices;
    for (uint32_t v = 0; v < info.vertex_count; v++)
        if (rest[3 * v] < 1e-9 || rest[3 * v] > 1 - 1e-9) {
            double target[3] = { 1.2 * rest[3 * v], rest[3 * v + 1], rest[3 * v + 2] };
            assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
            assert_ok(tide_world_move_pin(world, id, v, target, &error), error);
        }
    use(world, tide_solver_kind_find("newton", &error), "iterations=200,tolerance=1e-12");
    assert_ok(tide_world_step(world, &error), error);
    double change = volume_of(&info, tide_world_positions(world, id)) / volume_of(&info, rest) - 1;
    tide_world_destroy(world);
    return change;
}

static void test_incompressible(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        double free = volume_change(models[m].model, false), kept = volume_change(models[m].model, true);
        if (!(free > 0.05 && fabs(kept) < 0.01))
            fail_msg("%s changes its volume by %g, incompressible by %g", models[m].name, free, kept);
    }
}

// --- springs
// -----------------------------------------------------------------------------------------------------------

static double elastic(tide_world *world)
{
    tide_energy energy;
    assert_ok(tide_world_energy(world, &energy, &error), error);
    return energy.elastic;
}

// Stretches the bar by `small` along each of the six axes of an icosahedron, and returns the mean energy. The mean of a
// polynomial of degree 4 over these is that over all directions.
static double mean_of_stretches(tide_world *world, tide_body_id id, double small)
{
    const double golden = (1 + sqrt(5)) / 2, norm = sqrt(1 + golden * golden);
    tide_body_info info = info_of(world, id);
    double mean = 0;
    for (size_t a = 0; a < 6; a++) {
        double axis[3] = { 0 }, *x = tide_world_positions(world, id);
        axis[a / 2] = 1 / norm;
        axis[(a / 2 + 1) % 3] = (a % 2 ? -golden : golden) / norm;
        for (size_t v = 0; v < info.vertex_count; v++) {
            const double *rest = info.mesh->vertices + 3 * v;
            double along = rest[0] * axis[0] + rest[1] * axis[1] + rest[2] * axis[2];
            for (size_t k = 0; k < 3; k++)
                x[3 * v + k] = rest[k] + small * along * axis[k];
        }
        mean += elastic(world) / 6;
    }
    return mean;
}

// Springs store the energy of linear elasticity with Poisson's ratio 1/4: in a dilatation, and in stretches on the mean
// over directions, whatever the mesh is.
static void test_springs_of_a_solid(void **state)
{
    (void)state;
    const double young = 3e4, poisson = 0.25, small = 1e-6, volume = 1 * 0.3 * 0.2;
    const double mu = young / (2 * (1 + poisson)), lambda = 2 * mu * poisson / (1 - 2 * poisson);
    tide_material_solid_options solid = solid_of(TIDE_SOLID_SPRING, young, TIDE_NOT_GIVEN);
    tide_body_id id;
    tide_world *world = make_bar((double[]) { 1, 0.3, 0.2 }, (double[]) { 5, 2, 2 }, &solid, 1000, 0.1, &id);
    tide_body_info info = info_of(world, id);
    double *x = tide_world_positions(world, id), stretched = mean_of_stretches(world, id, small);
    double wanted = (mu + lambda / 2) * small * small * volume;
    assert_near(stretched, wanted, 1e-5 * wanted);
    for (size_t i = 0; i < 3 * info.vertex_count; i++)
        x[i] = (1 + small) * info.mesh->vertices[i];
    wanted = (3 * mu + 4.5 * lambda) * small * small * volume;
    assert_near(elastic(world), wanted, 1e-8 * wanted);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_bar_in_tension),  cmocka_unit_test(test_cantilever),
    cmocka_unit_test(test_axial_vibration), cmocka_unit_test(test_one_minimum),
    cmocka_unit_test(test_every_method),    cmocka_unit_test(test_local_global_decreases_g),
    cmocka_unit_test(test_incompressible),  cmocka_unit_test(test_springs_of_a_solid),
};
TIDE_TEST_SUITE(world_solids, tests)
