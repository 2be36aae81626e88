#include "app/program.h"

#include "app/confine.h"
#include "base/memory.h"
#include "session/hdf5_file.h"
#include "session/output.h"
#include "session/picture.h"
#include "session/progress.h"

#include <stdio.h>

// --- pictures of scenes ----------------------------------------------------------------------------------------------

static tide_status create_picture(tide_script *scene, uint32_t width, uint32_t height, void **out, tide_error *error)
{
    tide_picture *picture = tide_allocate_zeroed(1, sizeof *picture);
    if (!picture)
        return tide_fail_memory(error, "picture");
    tide_status status = tide_picture_create(picture, scene, width, height, false, error);
    if (status == TIDE_OK)
        *out = picture;
    else
        tide_free(picture);
    return status;
}

static tide_status draw_picture(void *context, tide_script *scene, const tide_image **image, tide_error *error)
{
    tide_picture *picture = context;
    *image = &picture->image;
    tide_rasterizer_forget(picture->rasterizer); // a picture that is measured is drawn in any case
    return tide_picture_draw(picture, scene, true, error);
}

static void destroy_picture(void *picture)
{
    tide_picture_free(picture);
    tide_free(picture);
}

// --- files of arrays -------------------------------------------------------------------------------------------------

static tide_status create_store(const char *path, void **out, tide_error *error)
{
    tide_hdf5 *file;
    tide_status status = tide_hdf5_create(path, &file, error);
    *out = file;
    return status;
}

static tide_status add_numbers(void *store, const char *name, const void *doubles, const uint64_t *extents, int rank,
                               const char *unit, tide_error *error)
{
    return tide_hdf5_add_numbers(store, name, doubles, extents, rank, unit, error);
}

static tide_status add_texts(void *store, const char *name, const char *const *texts, size_t count, tide_error *error)
{
    return tide_hdf5_add_texts(store, name, texts, count, error);
}

static tide_status close_store(void *store, tide_error *error)
{
    return tide_hdf5_close(store, error);
}

static void discard_store(void *store)
{
    tide_hdf5_discard(store);
}

// --- running ---------------------------------------------------------------------------------------------------------

tide_status tide_module_call(const char *module, const char *const *subjects, const tide_lab_option *given,
                             const tide_scene_options *scene, const char *folder, tide_lab_failure *failure)
{
    const tide_script_options opening = scene ? tide_scene_script_options(scene) : (tide_script_options) { 0 };
    const tide_laboratory lab = { .module = module,
                                  .subjects = subjects,
                                  .folder = folder,
                                  .options = &opening,
                                  .given = given,
                                  .pictures = { create_picture, draw_picture, destroy_picture },
                                  .store = { create_store, add_numbers, add_texts, close_store, discard_store },
                                  .progress = tide_progress_note,
                                  .silence = tide_progress_silence,
                                  .make_folders = tide_make_folders,
                                  .confine = tide_confine };
    tide_status status = tide_laboratory_run(&lab, failure);
    tide_progress_silence(false);
    return status;
}

tide_exit tide_module_run(const char *module, const char *const *subjects, const tide_lab_option *given,
                          const tide_scene_options *scene, const char *folder)
{
    tide_lab_failure failure;
    if (tide_module_call(module, subjects, given, scene, folder, &failure) == TIDE_OK)
        return TIDE_EXIT_DONE;
    if (!failure.told)
        fprintf(stderr, "springtide: %s\n", failure.message);
    const tide_setting_list none = { 0 }, *settings = scene ? &scene->settings : &none;
    return failure.refused || tide_is_about_setting(settings->items, settings->count, &failure.error)
               ? TIDE_EXIT_USAGE
               : TIDE_EXIT_FAILED;
}
