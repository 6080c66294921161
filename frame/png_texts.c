#include "png_texts.h"

#include "base/version.h"
#include "frame/layers/layers.h"
#include "job_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The main field of the picture and its range; "none" if it shows no field. */
static const char *describe_field(const frame_job *job, char *range, size_t size)
{
    const io_volume_config *volume = job->scene.config->volume;
    const char *field = volume ? volume->field : NULL;
    double shown[2] = {job->scene.volume.range[0], job->scene.volume.range[1]};
    if (!volume && !frame_layers_shown(&job->layers, &field, shown)) {
        snprintf(range, size, "none");
        return "none";
    }
    snprintf(range, size, "%.9g %.9g", shown[0], shown[1]);
    return field;
}

void frame_texts_frame(const frame_job *job, const io_step *step,
                       char text[APP_FRAME_TEXT])
{
    char range[64] = "of the step";
    if (!io_config_has_step_ranges(job->scene.config)) {
        describe_field(job, range, sizeof range);
    }
    snprintf(text, APP_FRAME_TEXT,
             "step %" PRId64 ", time %.9g, range %s, colours %016" PRIx64, step->number,
             step->time, range, job->scene.colors_hash);
}

static void describe_camera(const io_camera_config *c, char *text, size_t size)
{
    snprintf(
        text, size,
        "position %.9g %.9g %.9g, look_at %.9g %.9g %.9g, up %.9g %.9g %.9g, %s %.9g",
        c->position.v[0], c->position.v[1], c->position.v[2], c->look_at.v[0],
        c->look_at.v[1], c->look_at.v[2], c->up.v[0], c->up.v[1], c->up.v[2],
        c->orthographic ? "orthographic height" : "fov",
        c->orthographic ? c->height : c->fov);
}

void frame_texts_make(const frame_job *job, const io_step *step, frame_texts *out)
{
    describe_camera(&job->scene.config->camera, out->camera, sizeof out->camera);
    frame_texts_frame(job, step, out->frame);
    snprintf(out->step, sizeof out->step, "%" PRId64, step->number);
    snprintf(out->time, sizeof out->time, "%.9g", step->time);
    snprintf(out->software, sizeof out->software, "karman %s", base_version());
    const char *field = describe_field(job, out->range, sizeof out->range);
    const io_png_text list[APP_TEXTS] = {
        {"Software", out->software},
        {IO_PNG_CONFIG_KEYWORD, job->scene.config->canonical},
        {APP_FRAME_KEYWORD, out->frame},
        {"karman camera", out->camera},
        {"karman step", out->step},
        {"karman time", out->time},
        {"karman field", field},
        {"karman range", out->range},
    };
    memcpy(out->list, list, sizeof list);
}

/* Whether a picture's file of a pattern exists; true if there is no pattern. */
static bool is_there(const char *pattern, int64_t number)
{
    char *path = pattern ? io_config_expand(pattern, number) : NULL;
    const bool is = !pattern || (path && access(path, R_OK) == 0);
    free(path);
    return is;
}

bool frame_texts_are_there(const frame_job *job, const io_step *step)
{
    const io_config *config = job->scene.config;
    char frame[APP_FRAME_TEXT];
    frame_texts_frame(job, step, frame);
    if (!config->output.frames ||
        !io_png_is_complete(job->files.path, config->width, config->height,
                            IO_PNG_CONFIG_KEYWORD, config->canonical) ||
        !io_png_is_complete(job->files.path, config->width, config->height,
                            APP_FRAME_KEYWORD, frame)) {
        return false;
    }
    const int64_t number = job->scene.number;
    return is_there(config->output.floats, number) &&
           is_there(config->output.figure, number) &&
           is_there(config->output.extracts, number);
}
