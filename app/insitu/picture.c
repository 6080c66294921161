/* The pictures of a session: their configs, their jobs, their drawing. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Configs ----------------------------------------------------------------------- */

static int index_of(const app_insitu *session, const insitu_picture *picture)
{
    return (int)(picture - session->pictures);
}

/* The picture's config with its changes. Local. */
static status read_config(const app_insitu *session, const insitu_picture *picture,
                          int nchanges, char *const *changes, io_config **out)
{
    return io_in_situ_config(&session->from, index_of(session, picture), nchanges,
                             (const char *const *)changes, out);
}

/* No two pictures may write the same files. */
static status check_outputs(const app_insitu *session, const insitu_picture *picture)
{
    for (const insitu_picture *other = session->pictures; other < picture; other++) {
        if (strcmp(other->frames, picture->frames) == 0) {
            return base_fail(STATUS_USAGE,
                             "output.frames of the pictures '%s' and '%s' is the same, "
                             "%s: give each its own, or none",
                             other->name, picture->name, picture->frames);
        }
    }
    return STATUS_OK;
}

static status create(app_insitu *session, insitu_picture *picture)
{
    status s = read_config(session, picture, 0, NULL, &picture->config);
    if (s != STATUS_OK) {
        return s;
    }
    picture->frames = strdup(picture->config->output.frames);
    s = app_particles_ask(session->particles, picture->name, picture->config);
    if (s != STATUS_OK) {
        return s;
    }
    return picture->frames ? check_outputs(session, picture)
                           : base_fail_memory(0, "the name of a picture");
}

status insitu_pictures_create(app_insitu *session)
{
    const size_t count = (size_t)session->config->npictures;
    session->pictures = calloc(count, sizeof *session->pictures);
    if (!session->pictures) {
        return base_fail_memory(count * sizeof *session->pictures, "the pictures");
    }
    session->npictures = (int)count;
    status s = STATUS_OK;
    for (size_t n = 0; n < count && s == STATUS_OK; n++) {
        insitu_picture *picture = &session->pictures[n];
        picture->name = session->config->pictures[n].name;
        picture->trigger.config = &session->config->pictures[n].trigger;
        s = create(session, picture);
    }
    return s;
}

void insitu_pictures_drop(app_insitu *session)
{
    for (int n = 0; n < session->npictures; n++) {
        app_job_destroy(&session->pictures[n].job);
    }
}

static void free_changes(int nchanges, char **changes)
{
    for (int n = 0; n < nchanges; n++) {
        free(changes[n]);
    }
    free(changes);
}

void insitu_pictures_destroy(app_insitu *session)
{
    insitu_pictures_drop(session);
    for (int n = 0; n < session->npictures; n++) {
        insitu_picture *picture = &session->pictures[n];
        io_config_destroy(&picture->config);
        free_changes(picture->nchanges, picture->changes);
        free(picture->frames);
    }
    free(session->pictures);
    session->npictures = 0;
}

/* ---- Fields ------------------------------------------------------------------------ */

static status check_field(const app_insitu *session, const io_config *config,
                          const char *field)
{
    grid_recipe *recipe = NULL;
    status s = field ? grid_recipe_create(field, session->grid.nfields,
                                          session->grid.fields, config->data.gas, &recipe)
                     : STATUS_OK;
    grid_recipe_destroy(&recipe);
    return s;
}

static status check_layer(const app_insitu *session, const io_config *config,
                          const io_layer_config *layer)
{
    if (layer->kind == IO_LAYER_VOLUME) {
        return check_field(session, config, layer->volume->field);
    }
    if (layer->kind == IO_LAYER_PARTICLES) {
        return check_field(session, config, layer->particles->paint.field);
    }
    status s = check_field(session, config, layer->tool->field);
    return s == STATUS_OK ? check_field(session, config, layer->tool->paint.field) : s;
}

static status check_fields(const app_insitu *session, const io_config *config)
{
    status s = STATUS_OK;
    for (int n = 0; n < config->nlayers && s == STATUS_OK; n++) {
        s = check_layer(session, config, &config->layers[n]);
    }
    return s;
}

status insitu_pictures_check(const app_insitu *session)
{
    status s = STATUS_OK;
    for (int n = 0; n < session->npictures && s == STATUS_OK; n++) {
        const insitu_picture *picture = &session->pictures[n];
        const char *field = picture->trigger.config->when.field;
        if (picture->config) {
            s = check_fields(session, picture->config);
        }
        if (s == STATUS_OK && picture->config) {
            s = check_field(session, picture->config, field);
        }
    }
    return s;
}

/* ---- Changes ----------------------------------------------------------------------- */

/* Copies the picture's changes and adds key=value, which replaces a change of the same
 * key. *count: the number of changes. */
static char **list_changes(const insitu_picture *picture, const char *key,
                           const char *value, int *count)
{
    const size_t length = strlen(key), size = length + strlen(value) + 2;
    char **list = calloc((size_t)picture->nchanges + 1, sizeof *list);
    bool works = list != NULL;
    *count = 0;
    for (int n = 0; works && n < picture->nchanges; n++) {
        const char *old = picture->changes[n];
        if (strncmp(old, key, length) != 0 || old[length] != '=') {
            works = (list[(*count)++] = strdup(old)) != NULL;
        }
    }
    char *last = works ? malloc(size) : NULL;
    if (!last) {
        free_changes(list ? *count : 0, list);
        return NULL;
    }
    snprintf(last, size, "%s=%s", key, value);
    list[(*count)++] = last;
    return list;
}

status insitu_picture_change(app_insitu *session, insitu_picture *picture,
                             const char *key, const char *value)
{
    int count = 0;
    io_config *config = NULL;
    char **changes = list_changes(picture, key, value, &count);
    status s = changes ? read_config(session, picture, count, changes, &config)
                       : base_fail_memory(0, "a parameter");
    if (s == STATUS_OK && session->grid.source) {
        s = check_fields(session, config);
    }
    s = parallel_agree(session->comm, s);
    if (s != STATUS_OK) {
        io_config_destroy(&config);
        free_changes(changes ? count : 0, changes);
        return s;
    }
    free_changes(picture->nchanges, picture->changes);
    picture->changes = changes;
    picture->nchanges = count;
    io_config_destroy(&picture->config);
    picture->config = config;
    app_particles_ask(session->particles, picture->name, config); /* a lack of memory is
                                                                     told at the next step
                                                                   */
    picture->is_changed = true;
    picture->pause.until = 0.0; /* the new value may have removed the cause */
    return STATUS_OK;
}

/* ---- Drawing ----------------------------------------------------------------------- */

/* Makes the job, or hands it the config that has changed since. Collective. */
static status make_job(app_insitu *session, insitu_picture *picture)
{
    status s = STATUS_OK;
    if (picture->job && picture->config) {
        s = app_job_change(picture->job, &picture->config);
    }
    if (s != STATUS_OK || (picture->job && !picture->config)) {
        return s;
    }
    if (!picture->config) {
        s = read_config(session, picture, picture->nchanges, picture->changes,
                        &picture->config);
    }
    s = parallel_agree(session->comm, s);
    const app_job_memory memory = {session->grid.source, session->particles,
                                   session->threads};
    return s == STATUS_OK
               ? app_job_replace(session->comm, &picture->config, &memory, &picture->job)
               : s;
}

static status check_condition(insitu_picture *picture, bool *holds)
{
    const io_condition *when = &picture->trigger.config->when;
    double range[2];
    *holds = true;
    if (!when->field) {
        return STATUS_OK;
    }
    status s = app_job_extremes(picture->job, when->field, range);
    *holds = s == STATUS_OK && insitu_condition_holds(when, range);
    return s;
}

/* The path of a picture relative to the run directory, if it lies in there. */
static const char *path_inside(const app_insitu *session, const char *path)
{
    const char *folder = session->config->run;
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1
                                                                     : path;
}

static void tell(app_insitu *session, insitu_picture *picture, const app_frame *frame)
{
    steer_run_add_frame(session->run, picture->name, path_inside(session, frame->picture),
                        frame->step, frame->time, frame->seconds);
    insitu_cost_add_frame(session, frame);
    if (frame->is_blank && !picture->has_warned) {
        base_log_warning("%s shows nothing but background: look at camera, range, "
                         "opacity and clip",
                         frame->picture);
        picture->has_warned = true;
    }
}

/* Draws. A failure to draw may leave the job half made, so the job is destroyed. A
 * failure to write, as the disk is full, say, keeps it. */
static status draw(app_insitu *session, insitu_picture *picture)
{
    app_frame frame;
    app_job_attach_missing(picture->job, &session->missing);
    status s = app_job_render(picture->job, 0, &frame);
    session->missing = app_job_detach_missing(picture->job);
    if (s != STATUS_OK) {
        app_job_destroy(&picture->job);
        return s;
    }
    s = app_job_wait(picture->job);
    app_job_rest(picture->job);
    if (s == STATUS_OK) {
        tell(session, picture, &frame);
    }
    return s;
}

status insitu_picture_draw(app_insitu *session, insitu_picture *picture, bool checks,
                           bool *drawn)
{
    const double begin = base_clock();
    status s = make_job(session, picture);
    session->cost.create += base_clock() - begin;
    *drawn = true;
    if (s != STATUS_OK) {
        app_job_destroy(&picture->job);
    } else if (checks) {
        s = check_condition(picture, drawn);
    }
    if (s == STATUS_OK && *drawn) {
        s = draw(session, picture);
    }
    picture->is_changed = picture->is_changed && !(s == STATUS_OK && *drawn);
    base_trim_memory(); /* the solver may need the memory that reading and drawing took */
    return s;
}
