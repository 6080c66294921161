#include "recording.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>
#include <string.h>

status frame_recording_take(frame_recording *recording, const image *img, bool is_light)
{
    frame_small_clear(&recording->mine);
    return frame_small_make(img, APP_RECORDING_WIDTH, is_light, &recording->mine);
}

void frame_recording_clear(frame_recording *recording)
{
    json_decref(recording->timings);
    json_decref(recording->picture);
    frame_small_clear(&recording->mine);
    *recording = (frame_recording){0};
}

/* ---- Gathering --------------------------------------------------------------------- */

/* The texts of all ranks, one after another with their zeros. */
typedef struct texts {
    int *counts, *begin; /* [ranks], on rank 0 */
    char *all;
} texts;

static void clear_texts(texts *of)
{
    free(of->counts);
    free(of->begin);
    free(of->all);
}

/* Encodes the images of all ranks in the same size, which is halved until they fit.
 * *text is this rank's. Collective. */
static status encode_all(frame_recording *recording, MPI_Comm comm, char **text)
{
    for (;;) {
        *text = frame_small_encode(&recording->mine);
        status s = parallel_agree(
            comm, *text ? STATUS_OK : base_fail_memory(0, "the pictures of a page"));
        if (s != STATUS_OK) {
            return s;
        }
        int64_t length = (int64_t)strlen(*text), all = 0;
        parallel_allreduce(&length, &all, 1, MPI_INT64_T, MPI_SUM, comm);
        if (all <= APP_RECORDING_BYTES || recording->mine.width < 32) {
            return STATUS_OK;
        }
        free(*text);
        *text = NULL;
        s = parallel_agree(comm, frame_small_halve(&recording->mine));
        if (s != STATUS_OK) {
            return s;
        }
    }
}

/* Makes room for the texts on rank 0, whose lengths are there. */
static status make_room(int ranks, texts *of)
{
    int sum = 0;
    for (int r = 0; r < ranks; r++) {
        of->begin[r] = sum;
        sum += of->counts[r];
    }
    of->all = malloc((size_t)sum);
    return of->all ? STATUS_OK : base_fail_memory((size_t)sum, "the pictures of a page");
}

static void wait_for(MPI_Request request)
{
    parallel_wait(&request);
}

/* Brings the texts of all ranks to rank 0. Collective. */
static status gather_texts(MPI_Comm comm, const char *text, texts *to)
{
    const bool is_root = parallel_rank(comm) == 0;
    const size_t ranks = (size_t)parallel_size(comm);
    const int length = (int)strlen(text) + 1;
    MPI_Request request;
    if (is_root) {
        to->counts = calloc(ranks, sizeof *to->counts);
        to->begin = calloc(ranks, sizeof *to->begin);
    }
    const bool fails = is_root && (!to->counts || !to->begin);
    status s = parallel_agree(
        comm, fails ? base_fail_memory(ranks, "the pictures of a page") : STATUS_OK);
    if (s != STATUS_OK) {
        return s;
    }
    MPI_Igather(&length, 1, MPI_INT, to->counts, 1, MPI_INT, 0, comm, &request);
    wait_for(request);
    s = parallel_agree(comm, is_root ? make_room((int)ranks, to) : STATUS_OK);
    if (s == STATUS_OK) {
        MPI_Igatherv(text, length, MPI_CHAR, to->all, to->counts, to->begin, MPI_CHAR, 0,
                     comm, &request);
        wait_for(request);
    }
    return s;
}

static status describe(frame_recording *recording, int ranks, const texts *from,
                       const float background[3])
{
    json_t *images = json_array();
    int failed = 0;
    for (int r = 0; r < ranks; r++) {
        failed |= json_array_append_new(images, json_string(from->all + from->begin[r]));
    }
    recording->picture =
        failed ? NULL
               : frame_small_describe(recording->mine.width, recording->mine.height,
                                      background, images);
    json_decref(images);
    return recording->picture ? STATUS_OK
                              : base_fail_memory(4096, "the pictures of a page");
}

/* Collective. */
static status gather_images(frame_recording *recording, MPI_Comm comm,
                            const float background[3])
{
    const int ranks = parallel_size(comm);
    int has = recording->mine.rgba != NULL, all;
    parallel_allreduce(&has, &all, 1, MPI_INT, MPI_MIN, comm);
    if (!all || ranks > APP_RECORDING_MOST_RANKS) {
        return STATUS_OK;
    }
    char *text = NULL;
    texts list = {0};
    status s = encode_all(recording, comm, &text);
    s = s == STATUS_OK ? gather_texts(comm, text, &list) : s;
    if (s == STATUS_OK) {
        s = parallel_agree(comm, parallel_rank(comm) == 0
                                     ? describe(recording, ranks, &list, background)
                                     : STATUS_OK);
    }
    clear_texts(&list);
    free(text);
    return s;
}

status frame_recording_finish(frame_recording *recording, MPI_Comm comm,
                              const io_timings *timings, const float background[3])
{
    status s = parallel_rank(comm) == 0
                   ? io_timings_describe(timings, &recording->timings)
                   : STATUS_OK;
    s = parallel_agree(comm, s);
    return s == STATUS_OK ? gather_images(recording, comm, background) : s;
}
