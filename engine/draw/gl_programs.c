// Compiles and links the shaders.
#include "draw/gl_parts.h"

#include <stdio.h>
#include <string.h>

static tide_status fail(tide_error *error, const char *label, const char *log)
{
    char line[200];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(log, "\n"), log);
    return tide_fail(error, TIDE_ERROR_STATE, "OpenGL", "shader", label, "the driver refuses it: %s", line);
}

static tide_status compile(const tide_gl *gl, GLuint program, GLenum kind, const tide_gl_shader_text *text,
                           tide_error *error)
{
    char log[400] = "";
    GLint good = GL_FALSE;
    GLuint shader = glCreateShader(kind);
    const bool of_marks = text == &tide_gl_shader_texts[TIDE_GL_MARK];
    const char *fragment[] = { gl->dialect->shader_version, tide_gl_shader_head, text->shared,
                               of_marks ? gl->dialect->mark_visibility : "", text->fragment };
    const char *vertex[] = { gl->dialect->shader_version, tide_gl_shader_head, text->vertex };
    if (kind == GL_VERTEX_SHADER)
        glShaderSource(shader, 3, vertex, NULL);
    else
        glShaderSource(shader, 5, fragment, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good)
        glAttachShader(program, shader);
    else
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glDeleteShader(shader); // the program keeps it
    return good ? TIDE_OK : fail(error, text->label, log);
}

static tide_status make_program(const tide_gl *gl, GLuint program, const tide_gl_shader_text *text, tide_error *error)
{
    char log[400] = "";
    GLint good = GL_FALSE;
    TIDE_TRY(compile(gl, program, GL_VERTEX_SHADER, text, error));
    TIDE_TRY(compile(gl, program, GL_FRAGMENT_SHADER, text, error));
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good)
        return TIDE_OK;
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    return fail(error, text->label, log);
}

static void set_units(GLuint program)
{
    static const struct {
        const char *name;
        GLint unit;
    } samplers[] = {
        { "light_map", TIDE_GL_UNIT_LIGHT },       { "contact_map", TIDE_GL_UNIT_CONTACT },
        { "level_0", TIDE_GL_UNIT_LEVELS },        { "level_1", TIDE_GL_UNIT_LEVELS + 1 },
        { "level_2", TIDE_GL_UNIT_LEVELS + 2 },    { "level_3", TIDE_GL_UNIT_LEVELS + 3 },
        { "source", TIDE_GL_UNIT_SOURCE },         { "scene", TIDE_GL_UNIT_SOURCE },
        { "scene_depth", TIDE_GL_UNIT_DEPTH },     { "casters_1", TIDE_GL_UNIT_CASTERS },
        { "casters_2", TIDE_GL_UNIT_CASTERS + 1 }, { "casters_3", TIDE_GL_UNIT_CASTERS + 2 },
        { "casters_4", TIDE_GL_UNIT_CASTERS + 3 }, { "openness_map", TIDE_GL_UNIT_OPENNESS },
        { "near_map", TIDE_GL_UNIT_NEAR },
    };
    glUseProgram(program);
    for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; i++) {
        GLint place = glGetUniformLocation(program, samplers[i].name);
        if (place >= 0)
            glUniform1i(place, samplers[i].unit);
    }
    GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX)
        glUniformBlockBinding(program, block, 0);
}

tide_status tide_gl_make_programs(tide_gl *gl, tide_error *error)
{
    for (int i = 0; i < TIDE_GL_PROGRAM_COUNT; i++) {
        gl->programs[i] = glCreateProgram();
        tide_status status = make_program(gl, gl->programs[i], &tide_gl_shader_texts[i], error);
        if (status != TIDE_OK)
            return status;
        set_units(gl->programs[i]);
    }
    gl->place_tones = glGetUniformLocation(gl->programs[TIDE_GL_SURFACE], "tones");
    gl->place_through = glGetUniformLocation(gl->programs[TIDE_GL_SURFACE], "through");
    gl->place_checkers = glGetUniformLocation(gl->programs[TIDE_GL_SURFACE], "checkers");
    gl->place_mapped = glGetUniformLocation(gl->programs[TIDE_GL_SURFACE], "mapped");
    gl->place_map = glGetUniformLocation(gl->programs[TIDE_GL_SURFACE], "map");
    gl->place_blur = glGetUniformLocation(gl->programs[TIDE_GL_BLUR], "blur");
    gl->place_pool = glGetUniformLocation(gl->programs[TIDE_GL_POOL], "pool");
    glGenBuffers(1, &gl->frame_block);
    glBindBuffer(GL_UNIFORM_BUFFER, gl->frame_block);
    glBufferData(GL_UNIFORM_BUFFER, sizeof gl->frame, NULL, GL_STREAM_DRAW);
    return tide_gl_check("making programs", error);
}
