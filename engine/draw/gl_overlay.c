// Labels over a picture that stays in the graphics processor's memory: raster_text.c draws them on an empty image,
// which is blended over the picture. The image is kept while the labels are the same.
#include "base/hash.h"
#include "draw/gl_parts.h"

#include <string.h>

static uint64_t hash_of(const tide_draw_list *list, const tide_image *image)
{
    const uint32_t size[2] = { image->width, image->height };
    uint64_t hash = tide_hash_bytes(TIDE_HASH_START, size, sizeof size);
    hash = tide_hash_bytes(hash, list->boxes, list->box_count * sizeof *list->boxes);
    hash = tide_hash_bytes(hash, &list->camera, sizeof list->camera);
    hash = tide_hash_bytes(hash, list->stage.up, sizeof list->stage.up);
    for (size_t i = 0; i < list->label_count; i++) {
        const tide_draw_label *label = &list->labels[i];
        const float numbers[] = { label->position[0], label->position[1], label->position[2],
                                  label->on_screen,   label->size,        label->colour.r,
                                  label->colour.g,    label->colour.b,    label->colour.a };
        hash = tide_hash_bytes(hash, numbers, sizeof numbers);
        hash = tide_hash_string(hash, label->text ? label->text : "");
    }
    return hash;
}

// Fills the overlay if the labels are others than before.
static tide_status fill_overlay(tide_gl *gl, tide_error *error)
{
    tide_image *picture = gl->parts->image;
    const GLsizei width = (GLsizei)picture->width, height = (GLsizei)picture->height;
    const uint64_t hash = hash_of(gl->parts->list, picture);
    if (gl->overlay.texture && gl->overlay_hash == hash)
        return TIDE_OK;
    const bool resized = gl->labels.width != picture->width || gl->labels.height != picture->height;
    gl->overlay_hash = 0;
    TIDE_TRY(tide_image_resize(&gl->labels, picture->width, picture->height, error));
    if (resized || !gl->overlay.texture)
        TIDE_TRY(tide_gl_make_target(&gl->overlay, GL_RGBA8, width, height, GL_NEAREST, error));
    memset(gl->labels.pixels, 0, 4 * (size_t)picture->width * picture->height);
    gl->parts->image = &gl->labels;
    tide_status status = tide_raster_labels(gl->parts, error);
    gl->parts->image = picture;
    if (status != TIDE_OK)
        return status;
    glBindTexture(GL_TEXTURE_2D, gl->overlay.texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, gl->labels.pixels);
    gl->overlay_hash = hash;
    return TIDE_OK;
}

tide_status tide_gl_draw_labels(tide_gl *gl, tide_error *error)
{
    const tide_draw_list *list = gl->parts->list;
    if (!list->label_count && !list->box_count)
        return TIDE_OK;
    glActiveTexture(GL_TEXTURE0 + TIDE_GL_UNIT_SOURCE);
    TIDE_TRY(fill_overlay(gl, error));
    glBindFramebuffer(GL_FRAMEBUFFER, gl->picture.framebuffer);
    glBindTexture(GL_TEXTURE_2D, gl->overlay.texture);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA); // the labels' colours are multiplied by their alpha
    glUseProgram(gl->programs[TIDE_GL_OVERLAY]);
    glBindVertexArray(gl->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
    return TIDE_OK;
}
