#include "summary.h"

#include "film/frames.h"
#include "job_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_TEXT = 40 };

/* "384,000". */
static const char *write_count(int64_t count, char text[COUNT_TEXT])
{
    char digits[COUNT_TEXT];
    const int length = snprintf(digits, sizeof digits, "%" PRId64, count);
    char *out = text;
    for (int n = 0; n < length; n++) {
        if (n > 0 && (length - n) % 3 == 0) {
            *out++ = ',';
        }
        *out++ = digits[n];
    }
    *out = '\0';
    return text;
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void write_threads(const frame_summary *s, char text[COUNT_TEXT])
{
    if (s->least_threads < s->most_threads) {
        snprintf(text, COUNT_TEXT, "%d to %d threads", s->least_threads, s->most_threads);
    } else {
        snprintf(text, COUNT_TEXT, "%d thread%s", s->most_threads,
                 plural(s->most_threads));
    }
}

static void write_frames(const frame_summary *s, char *text, size_t size)
{
    if (s->frames > 0) {
        snprintf(text, size, "%d frame%s to %s", s->frames, plural(s->frames),
                 s->pictures);
    } else {
        snprintf(text, size, "frames to %s as data appear", s->pictures);
    }
}

void frame_summary_write(const frame_summary *s, char text[APP_SUMMARY_TEXT])
{
    char cells[COUNT_TEXT], threads[COUNT_TEXT];
    write_threads(s, threads);
    snprintf(text, APP_SUMMARY_TEXT,
             "%s: %d block%s, %s cell%s, %d step%s; %d rank%s x %s on %d node%s; "
             "%d x %d pixels, ",
             s->data, s->blocks, plural(s->blocks), write_count(s->cells, cells),
             plural(s->cells), s->steps, plural(s->steps), s->ranks, plural(s->ranks),
             threads, s->nodes, plural(s->nodes), s->width, s->height);
    const size_t length = strlen(text);
    write_frames(s, text + length, APP_SUMMARY_TEXT - length);
}

static int64_t count_cells(const io_source *source)
{
    const grid_block *blocks = io_source_blocks(source);
    int64_t cells = 0;
    for (int b = 0; b < io_source_block_count(source); b++) {
        cells += (blocks[b].n[0] - 1) * (blocks[b].n[1] - 1) * (blocks[b].n[2] - 1);
    }
    return cells;
}

void frame_summary_of_job(const frame_job *job, const char *data, bool is_open,
                          char text[APP_SUMMARY_TEXT])
{
    const frame_scene *scene = &job->scene;
    const char *pattern = io_config_pictures(scene->config);
    int frames = 0, width, height;
    for (int n = 0; n < frame_job_frame_count(job) && !is_open; n++) {
        frames += frame_job_makes_file(job, n);
    }
    frame_film_size(job, &width, &height);
    char *only =
        frames == 1 ? io_config_expand(pattern, frame_film_file_number(job, 0)) : NULL;
    const frame_summary summary = {.data = data ? data : io_source_path(scene->source),
                                   .blocks = io_source_block_count(scene->source),
                                   .cells = count_cells(scene->source),
                                   .steps = io_source_step_count(scene->source),
                                   .ranks = scene->ranks,
                                   .nodes = job->crew.nodes,
                                   .least_threads = job->crew.least_threads,
                                   .most_threads = job->crew.most_threads,
                                   .width = width,
                                   .height = height,
                                   .frames = frames,
                                   .pictures = only ? only : pattern};
    frame_summary_write(&summary, text);
    free(only);
}
