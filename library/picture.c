/* The pictures of a session: their configs, their jobs, their drawing. */
#include "frame/layers/layers.h"
#include "grid/priority.h"
#include "state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields ------------------------------------------------------------------------ */

/* A failure names a key: the n-th layer's, or that of the condition. */
static status check_field(const insitu_session *session, const io_config *config,
                          const char *key, const char *field)
{
    grid_recipe *recipe = NULL;
    status s = field
                   ? grid_recipe_create(field, session->grid.nfields,
                                        session->grid.fields, config->data.terms, &recipe)
                   : STATUS_OK;
    if (s == STATUS_OK && recipe &&
        grid_recipe_takes_steps(recipe, session->grid.nfields)) {
        s = base_fail(
            STATUS_USAGE,
            "'%s' takes other steps, by previous() or mean(): a running program "
            "has its present step alone",
            field);
    }
    grid_recipe_destroy(&recipe);
    return io_config_blame(config, key, s);
}

static status check_three(const insitu_session *session, const io_config *config,
                          const char *key, char *const fields[3])
{
    status s = STATUS_OK;
    for (int c = 0; c < 3 && s == STATUS_OK; c++) {
        s = check_field(session, config, key, fields[c]);
    }
    return s;
}

static status check_layer(const insitu_session *session, const io_config *config, int n)
{
    const io_layer_config *layer = &config->layers[n];
    char key[64];
    snprintf(key, sizeof key, "layers.%d.%s", n, io_config_kind_name(layer->kind));
    if (layer->kind == IO_LAYER_VOLUME) {
        return check_field(session, config, key, layer->volume->field);
    }
    if (layer->kind == IO_LAYER_PARTICLES) {
        status s = check_three(session, config, key, layer->particles->velocity);
        return s == STATUS_OK
                   ? check_field(session, config, key, layer->particles->paint.field)
                   : s;
    }
    status s = check_field(session, config, key, layer->tool->field);
    if (s == STATUS_OK && layer->tool->lic) {
        s = check_three(session, config, key, layer->tool->lic->velocity);
    }
    return s == STATUS_OK ? check_field(session, config, key, layer->tool->paint.field)
                          : s;
}

/* Whether there is a grid whose fields are known. */
static bool knows_fields(const insitu_session *session)
{
    return session->grid.source || session->grid.is_told;
}

static status check_fields(const insitu_session *session, const io_config *config)
{
    status s = STATUS_OK;
    for (int n = 0; n < config->nlayers && s == STATUS_OK; n++) {
        s = check_layer(session, config, n);
    }
    return s;
}

/* ---- Configs ----------------------------------------------------------------------- */

static int index_of(const insitu_session *session, const insitu_picture *picture)
{
    return (int)(picture - session->pictures);
}

/* No two pictures may write the same files. */
static status check_outputs(const insitu_session *session, const insitu_picture *picture)
{
    for (int n = 0; n < session->npictures; n++) {
        const insitu_picture *other = &session->pictures[n];
        if (other != picture && other->frames &&
            strcmp(other->frames, picture->frames) == 0) {
            return base_fail(STATUS_USAGE,
                             "output.frames of the pictures '%s' and '%s' is the same, "
                             "%s: give each its own, or none",
                             other->name, picture->name, picture->frames);
        }
    }
    return STATUS_OK;
}

/* Particles of the program and its grid are those of all pictures. */
static status check_view(const insitu_session *session, const insitu_picture *picture)
{
    const io_data_config *mine = &picture->config->data;
    const io_data_config *first = &session->pictures[0].config->data;
    bool same = mine->ntransforms == first->ntransforms;
    for (int n = 0; same && n < mine->ntransforms; n++) {
        const grid_transform *a = &mine->transforms[n], *b = &first->transforms[n];
        same = a->nblocks == b->nblocks && a->reflect == b->reflect &&
               memcmp(a->scale, b->scale, sizeof a->scale) == 0 &&
               memcmp(&a->rotate, &b->rotate, sizeof a->rotate) == 0 &&
               memcmp(&a->shift, &b->shift, sizeof a->shift) == 0;
        for (int k = 0; same && k < a->nblocks; k++) {
            same = strcmp(a->blocks[k], b->blocks[k]) == 0;
        }
    }
    return same ? STATUS_OK
                : io_config_fail(picture->config, "data.transform",
                                 "is not that of the first picture: all pictures of a "
                                 "program have the same");
}

/* Copies and other data are those of files. */
static status check_files(const insitu_picture *picture)
{
    const io_data_config *data = &picture->config->data;
    return data->ncopies > 0
               ? io_config_fail(picture->config, "data.copies",
                                "is for files: write the data of the program, and draw "
                                "its copies with karman render")
           : data->other ? io_config_fail(picture->config, "data.other",
                                          "is for files: write the data of the program, "
                                          "and draw differences with karman render")
                         : STATUS_OK;
}

status insitu_picture_check_new(insitu_session *session, insitu_picture *picture)
{
    status s = check_view(session, picture);
    s = s == STATUS_OK ? check_files(picture) : s;
    if (s == STATUS_OK) {
        s = frame_job_check(picture->config, session->ranks);
    }
    if (s == STATUS_OK && knows_fields(session)) {
        s = check_fields(session, picture->config);
    }
    if (s != STATUS_OK) {
        return s;
    }
    picture->value = picture->shown = (double)NAN;
    picture->frames = strdup(picture->config->output.frames);
    return picture->frames ? check_outputs(session, picture)
                           : base_fail_memory(0, "the name of a picture");
}

static status create(insitu_session *session, insitu_picture *picture)
{
    status s = io_in_situ_config(&session->from, index_of(session, picture), 0, NULL,
                                 &picture->config);
    s = s == STATUS_OK ? insitu_picture_check_new(session, picture) : s;
    return s == STATUS_OK
               ? frame_particles_ask(session->particles, picture->name, picture->config)
               : s;
}

status insitu_pictures_create(insitu_session *session)
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

void insitu_pictures_drop(insitu_session *session)
{
    for (int n = 0; n < session->npictures; n++) {
        frame_job_destroy(&session->pictures[n].job);
    }
}

void insitu_picture_clear(insitu_picture *picture)
{
    frame_job_destroy(&picture->job);
    io_config_destroy(&picture->config);
    free(picture->frames);
}

void insitu_pictures_destroy(insitu_session *session)
{
    for (int n = 0; n < session->npictures; n++) {
        insitu_picture_clear(&session->pictures[n]);
    }
    free(session->pictures);
    session->npictures = 0;
}

/* ---- Checks ------------------------------------------------------------------------ */

/* Checks the fields and the place of a picture's condition. */
static status check_when(const insitu_session *session, const io_in_situ *times, int n,
                         const io_config *config)
{
    const io_condition *when = &times->pictures[n].trigger.when;
    char key[64];
    snprintf(key, sizeof key, "in_situ.pictures.%d.when", n);
    return when->is_there ? insitu_measure_check(session, config, key, &when->of)
                          : STATUS_OK;
}

status insitu_times_check(const insitu_session *session, const io_in_situ *times)
{
    status s = STATUS_OK;
    for (int n = 0; knows_fields(session) && n < times->npictures && s == STATUS_OK;
         n++) {
        s = check_when(session, times, n, session->pictures[0].config);
    }
    return s;
}

static status check_picture(const insitu_session *session, const insitu_picture *picture)
{
    const io_config *config = picture->config;
    grid_layout *declared = session->grid.declared;
    status s = STATUS_OK;
    if (session->grid.source || session->grid.nfields > 0) {
        s = check_fields(session, config);
        s = s == STATUS_OK
                ? check_when(session, session->config, index_of(session, picture), config)
                : s;
    }
    if (s == STATUS_OK && declared) {
        s = grid_layout_rank_blocks(declared, config->data.npriority,
                                    config->data.priority);
        s = s == STATUS_OK ? frame_layers_check(config, declared)
                           : io_config_blame(config, "data.priority", s);
    }
    return s;
}

status insitu_pictures_check(const insitu_session *session)
{
    status s = STATUS_OK;
    for (int n = 0; n < session->npictures && s == STATUS_OK; n++) {
        s = check_picture(session, &session->pictures[n]);
    }
    for (int n = 0; n < session->config->nmonitors && s == STATUS_OK; n++) {
        char key[64];
        snprintf(key, sizeof key, "in_situ.monitors.%d", n);
        s = insitu_measure_check(session, session->pictures[0].config, key,
                                 &session->config->monitors[n].of);
    }
    return s;
}

/* ---- Changes ----------------------------------------------------------------------- */

/* Pictures that orders make larger take memory that the program may need. */
static status check_size(const io_config *before, const io_config *config)
{
    const int64_t most = (int64_t)1 << 26;
    const int64_t old = (int64_t)before->width * before->height;
    const int64_t pixels = (int64_t)config->width * config->height;
    return pixels <= most || pixels <= old
               ? STATUS_OK
               : base_fail(STATUS_USAGE,
                           "image: an order may ask for %lld pixels at most, not for %d "
                           "x %d: start the program with a config of this size",
                           (long long)most, config->width, config->height);
}

status insitu_picture_plan(const insitu_session *session, int index,
                           struct io_document *section, int count,
                           const char *const *changes, io_config **config)
{
    const io_config *before = session->pictures[index].config;
    status s = io_in_situ_change(section, index, before, count, changes, config);
    if (s == STATUS_OK && *config) {
        s = check_size(before, *config);
    }
    if (s == STATUS_OK && *config && knows_fields(session)) {
        s = check_fields(session, *config);
    }
    if (s != STATUS_OK) {
        io_config_destroy(config);
    }
    return s;
}

void insitu_picture_take(insitu_session *session, insitu_picture *picture,
                         io_config **config)
{
    io_config_destroy(&picture->config);
    picture->config = *config;
    *config = NULL;
    /* A lack of memory is told at the next step. */
    frame_particles_ask(session->particles, picture->name, picture->config);
    insitu_measure_forget(session);
    picture->is_stale = picture->is_changed = true;
    picture->pause.until = 0.0; /* the new value may have removed the cause */
}

status insitu_pictures_room(insitu_session *session, int count)
{
    const size_t bytes = (size_t)(session->npictures + count) * sizeof *session->pictures;
    insitu_picture *list = realloc(session->pictures, bytes);
    if (!list) {
        return base_fail_memory(bytes, "the pictures");
    }
    session->pictures = list;
    return STATUS_OK;
}

/* Takes a picture's wishes for particles back. */
static void forget_particles(insitu_session *session, const insitu_picture *picture)
{
    io_config none = *picture->config;
    none.nlayers = 0;
    frame_particles_ask(session->particles, picture->name, &none);
}

/* Gives a picture its times, which begin anew if they are others. */
static void take_times(insitu_picture *picture, const io_in_situ_picture *from)
{
    const io_trigger *old = picture->trigger.config, *now = &from->trigger;
    const bool is_same =
        old && old->every == now->every && old->interval == now->interval &&
        old->ntimes == now->ntimes &&
        (old->ntimes == 0 ||
         memcmp(old->times, now->times, (size_t)old->ntimes * sizeof *old->times) == 0);
    if (!is_same) {
        picture->trigger = (insitu_trigger){.config = now};
    }
    picture->trigger.config = now;
    picture->name = from->name;
}

void insitu_pictures_swap(insitu_session *session, const bool *is_removed, int nadded,
                          const insitu_picture *added, io_in_situ **section)
{
    int count = 0;
    for (int n = 0; n < session->npictures; n++) {
        insitu_picture *picture = &session->pictures[n];
        if (is_removed[n]) {
            forget_particles(session, picture);
            insitu_picture_clear(picture);
        } else {
            session->pictures[count++] = *picture;
        }
    }
    for (int n = 0; n < nadded; n++) {
        insitu_picture *picture = &session->pictures[count++];
        *picture = added[n];
        picture->is_changed = true;
        frame_particles_ask(session->particles, picture->name, picture->config);
    }
    session->npictures = count;
    for (int n = 0; n < count; n++) {
        take_times(&session->pictures[n], &(*section)->pictures[n]);
    }
    insitu_measure_forget(session);
    io_in_situ_destroy(&session->config);
    session->config = *section;
    *section = NULL;
}

void insitu_pictures_publish(insitu_session *session)
{
    const char *names[IO_MAX_PICTURES];
    int count = 0;
    for (int n = 0; n < session->npictures; n++) {
        if (session->pictures[n].is_changed) {
            names[count++] = session->pictures[n].name;
        }
    }
    steer_run_wait(session->run, session->config->redraw_on_change, count, names);
}
