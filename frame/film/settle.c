#include "settle.h"

#include "base/parallel/parallel.h"
#include "beside.h"
#include "film.h"

#include <stdlib.h>
#include <string.h>

static status settle(const frame_job *job, frame_auto_seen *seen,
                     const frame_auto_values *known, frame_auto_values *values,
                     io_config **config)
{
    frame_auto_data data = frame_job_data(job);
    data.config = &(*config)->data;
    data.seen = seen;
    status s = parallel_agree(data.comm, frame_auto_fields(&data, NULL, values, config));
    data.config = &(*config)->data;
    return s == STATUS_OK ? frame_auto_looks(&data, known, values, config) : s;
}

status frame_film_settle(frame_job *job, const frame_auto_values *known,
                         frame_auto_values *values, io_config **config)
{
    return settle(job, NULL, known, values, config);
}

/* ---- Several pictures -------------------------------------------------------------- */

/* What the pictures of a film share. Of those that are alike in a respect, the first one
 * has it for all. */
typedef struct sharing {
    frame_job *job;
    int count;                 /* of pictures */
    frame_auto_values *values; /* [count]: found last */
    frame_auto_values *known;  /* [count]: by all with the same layers */
    frame_auto_values *ranges; /* [count]: of all with the same layers */
    frame_auto_seen *seen;     /* [count]: by those with the same camera */
} sharing;

static int first_with_layers(const sharing *all, int picture)
{
    int n = 0;
    while (!frame_film_gives_same(all->job->film, n, picture, "layers")) {
        n++;
    }
    return n;
}

static int first_with_camera(const sharing *all, int picture)
{
    const frame_film *film = all->job->film;
    int n = 0;
    while (!frame_film_gives_same(film, n, picture, "layers") ||
           !frame_film_gives_same(film, n, picture, "camera") ||
           !frame_film_gives_same(film, n, picture, "clip")) {
        n++;
    }
    return n;
}

/* The config of a picture with its values so far. */
static status begin(const sharing *all, int picture, io_config **config)
{
    const frame_job *job = all->job;
    status s = frame_beside_picture(job, picture, config);
    frame_auto_values_clear(&all->values[picture]);
    return s == STATUS_OK && !frame_film_gives(job->film, picture, "layers")
               ? frame_auto_values_begin(&job->found, &all->values[picture])
               : s;
}

/* The overrides of a list; malloc'ed, with room for one more. `camera`: those alone. */
static const char **list_values(const frame_auto_values *values, bool camera, int *count)
{
    const char **texts = calloc((size_t)values->count + 1, sizeof *texts);
    *count = 0;
    for (int n = 0; n < values->count && texts; n++) {
        const char *text = values->items[n].text;
        if (!camera || strncmp(text, "camera.", 7) == 0) {
            texts[(*count)++] = text;
        }
    }
    return texts;
}

/* Takes the camera of the first picture with the same one, if it fits. */
static status take_camera(const sharing *all, int picture, io_config **config)
{
    const int first = first_with_camera(all, picture);
    const frame_auto_values *values = &all->values[first];
    const io_config *its = frame_film_picture_base(all->job->film, first);
    if (first == picture || its->width != (*config)->width ||
        its->height != (*config)->height) {
        return STATUS_OK;
    }
    int count = 0;
    const char **texts = list_values(values, true, &count);
    io_config *made = NULL;
    const status s = texts ? io_config_override(*config, count, texts, &made)
                           : base_fail_memory(0, "the camera of a picture");
    free(texts);
    if (s == STATUS_OK) {
        io_config_destroy(config);
        *config = made;
    }
    return s;
}

/* Finds what a picture would have by itself, for those that are like it. Collective. */
static status survey(const sharing *all, int picture)
{
    const frame_job *job = frame_beside_job(all->job, picture);
    const int first = first_with_layers(all, picture);
    frame_auto_values *known = &all->known[first];
    io_config *config = NULL;
    status s = parallel_agree(job->scene.comm, begin(all, picture, &config));
    if (s == STATUS_OK) {
        s = settle(job, &all->seen[first_with_camera(all, picture)],
                   picture == first ? NULL : known, &all->values[picture], &config);
    }
    if (s == STATUS_OK && picture == first) {
        s = frame_auto_values_join(&all->values[picture], AUTO_SHARE_LAYERS, known);
    }
    if (s == STATUS_OK) {
        s = frame_auto_values_join(&all->values[picture], AUTO_SHARE_RANGES,
                                   &all->ranges[first]);
    }
    io_config_destroy(&config);
    return parallel_agree(job->scene.comm, s);
}

/* Finds the values of a picture, with those that it shares. Collective. */
static status settle_picture(const sharing *all, int picture, bool shares)
{
    const frame_job *job = frame_beside_job(all->job, picture);
    frame_auto_values *known = &all->known[first_with_layers(all, picture)];
    io_config *config = NULL;
    status s = begin(all, picture, &config);
    s = s == STATUS_OK && shares ? take_camera(all, picture, &config) : s;
    s = parallel_agree(job->scene.comm, s);
    if (s == STATUS_OK) {
        s = settle(job, shares ? &all->seen[first_with_camera(all, picture)] : NULL,
                   shares ? known : NULL, &all->values[picture], &config);
    }
    if (s == STATUS_OK && shares) {
        s = frame_auto_values_join(&all->values[picture], AUTO_SHARE_OPACITY, known);
    }
    s = s == STATUS_OK ? frame_film_take(all->job->film, picture, config) : s;
    io_config_destroy(&config);
    return parallel_agree(job->scene.comm, s);
}

/* Gives the whole the layers that were found, with ranges and opacity: those of the first
 * picture without layers of its own. Cameras are found again, for the sizes of cells. */
static status close_whole(const sharing *all)
{
    frame_film *film = all->job->film;
    frame_auto_values found = {0};
    int picture = 0, count = 0;
    while (picture < all->count && frame_film_gives(film, picture, "layers")) {
        picture++;
    }
    if (picture == all->count) {
        return STATUS_OK;
    }
    const frame_auto_values *its = &all->values[picture];
    const bool is_first = picture == 0 && all->job->beside.count == 0;
    its = is_first ? &all->job->found : its;
    status s = STATUS_OK;
    for (int what = AUTO_SHARE_LAYERS; what <= AUTO_SHARE_OPACITY && s == STATUS_OK;
         what++) {
        s = frame_auto_values_join(its, (frame_auto_share)what, &found);
    }
    const char **texts = s == STATUS_OK ? list_values(&found, false, &count) : NULL;
    s = s == STATUS_OK && !texts ? base_fail_memory(0, "the values of a picture") : s;
    s = s == STATUS_OK ? frame_film_close(film, count, texts) : s;
    free(texts);
    frame_auto_values_clear(&found);
    return s;
}

static status settle_pictures(const sharing *all)
{
    frame_job *job = all->job;
    const bool shares = job->beside.count > 0;
    status s = STATUS_OK;
    for (int n = 0; n < all->count && s == STATUS_OK && shares; n++) {
        s = survey(all, n);
    }
    for (int n = 0; n < all->count && s == STATUS_OK; n++) {
        all->seen[n].is_last = true;
        s = frame_auto_values_join(&all->ranges[n], AUTO_SHARE_RANGES, &all->known[n]);
    }
    s = parallel_agree(job->scene.comm, s);
    if (s == STATUS_OK && !shares) {
        s = frame_film_take(job->film, 0, job->scene.config);
        s = parallel_agree(job->scene.comm, s);
    }
    for (int n = !shares; n < all->count && s == STATUS_OK; n++) {
        s = settle_picture(all, n, shares);
    }
    return s == STATUS_OK ? parallel_agree(job->scene.comm, close_whole(all)) : s;
}

static void clear_values(frame_auto_values *values, int count)
{
    for (int n = 0; values && n < count; n++) {
        frame_auto_values_clear(&values[n]);
    }
    free(values);
}

status frame_film_settle_all(frame_job *job)
{
    sharing all = {.job = job, .count = frame_film_pictures(job->film)};
    const size_t count = (size_t)all.count;
    status s = frame_beside_begin(job);
    if (s != STATUS_OK) {
        return s;
    }
    all.values = calloc(count, sizeof *all.values);
    all.known = calloc(count, sizeof *all.known);
    all.ranges = calloc(count, sizeof *all.ranges);
    all.seen = calloc(count, sizeof *all.seen);
    s = all.values && all.known && all.ranges && all.seen
            ? STATUS_OK
            : base_fail_memory(0, "values of pictures");
    s = parallel_agree(job->scene.comm, s);
    s = s == STATUS_OK ? settle_pictures(&all) : s;
    s = s == STATUS_OK ? frame_beside_take(job) : s;
    clear_values(all.values, all.count);
    clear_values(all.known, all.count);
    clear_values(all.ranges, all.count);
    free(all.seen);
    return s;
}
