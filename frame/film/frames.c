#include "frames.h"

#include "base/parallel/parallel.h"
#include "beside.h"
#include "film.h"
#include "frame/outputs.h"
#include "io/picture/movie/movie.h"
#include "settle.h"

#include <stdlib.h>

static const io_step *step_of(const frame_job *job, int place)
{
    return &io_source_steps(job->scene.source)[job->scene.steps[place]];
}

/* ---- Making ------------------------------------------------------------------------ */

static status create(frame_job *job)
{
    const int count = job->scene.nsteps;
    const io_step **all = malloc(((size_t)count + 1) * sizeof *all);
    if (!all) {
        return base_fail_memory((size_t)count * sizeof *all, "the steps of a film");
    }
    for (int n = 0; n < count; n++) {
        all[n] = step_of(job, n);
    }
    const frame_film_steps steps = {count, all, job->is_part};
    const status s = frame_film_create(&steps, &job->scene.config, &job->film);
    free(all);
    return s;
}

status frame_film_begin(frame_job *job)
{
    return job->show.is_on ? STATUS_OK : parallel_agree(job->scene.comm, create(job));
}

status frame_film_found(frame_job *job)
{
    return job->film ? frame_film_settle_all(job) : STATUS_OK;
}

status frame_film_refuse(const io_config *config)
{
    static const char *const advice =
        "is for pictures of files: take it out of the config of a running program";
    if (!frame_film_is_given(config) && !config->output.movie && !config->output.cinema) {
        return STATUS_OK;
    }
    const bool has_path =
        config->camera.path.nkeyframes > 0 || config->camera.path.orbit != 0.0;
    return io_config_fail(config,
                          config->output.movie    ? "output.movie"
                          : config->output.cinema ? "output.cinema"
                          : config->pictures      ? "pictures"
                          : config->keys          ? "keys"
                          : has_path              ? "camera.path"
                                                  : "film",
                          "%s", advice);
}

/* ---- Frames ------------------------------------------------------------------------ */

int frame_film_step_index(const frame_job *job, int frame)
{
    return frame_beside_step(job, job->film ? frame_film_step(job->film, frame) : frame);
}

frame_job *frame_film_job(const frame_job *job, int number)
{
    return frame_beside_job(job,
                            job->film ? frame_film_picture_of(job->film, number) : 0);
}

int frame_film_next_step(const frame_job *job, int frame)
{
    const int step = frame_film_step_index(job, frame);
    int next = frame + 1;
    while (next < frame_film_frames(job) &&
           !(frame_film_is_chosen(job, next) && frame_film_job(job, next) == job)) {
        next++;
    }
    const int its = next < frame_film_frames(job) ? frame_film_step_index(job, next) : -1;
    return its == step ? -1 : its;
}

int64_t frame_film_file_number(const frame_job *job, int frame)
{
    return job->film ? frame_film_number(job->film, frame) : step_of(job, frame)->number;
}

int frame_film_frames(const frame_job *job)
{
    return job->film ? frame_film_count(job->film) : job->scene.nsteps;
}

bool frame_film_is_chosen(const frame_job *job, int number)
{
    return frame_choice_has(&job->choice,
                            job->film ? frame_film_frame(job->film, number) : number);
}

bool frame_film_makes_file(const frame_job *job, int number)
{
    frame_film_cell cell;
    return !job->film || !frame_film_find_cell(job->film, number, &cell) || cell.is_last;
}

void frame_film_size(const frame_job *job, int *width, int *height)
{
    frame_film_cell cell;
    const bool is_cell = job->film && frame_film_find_cell(job->film, 0, &cell);
    *width = is_cell ? cell.all_width : job->scene.config->width;
    *height = is_cell ? cell.all_height : job->scene.config->height;
}

int frame_film_frames_left(const frame_job *job, int frame)
{
    int left = 0;
    for (int n = frame; n < frame_film_frames(job); n++) {
        left += frame_film_is_chosen(job, n);
    }
    return job->scene.is_live ? job->drawn + 1 : left;
}

/* ---- Movies ------------------------------------------------------------------------ */

status frame_film_open_movie(frame_job *job)
{
    const io_config *config = job->scene.config;
    const io_movie_request request = {config->output.movie, config->film.rate};
    if (!request.path || job->show.is_on) {
        return STATUS_OK;
    }
    if (job->is_part || job->choice.parts > 1) {
        return io_config_fail(config, "output.movie",
                              "is a film of all frames: leave it out with %s, and make "
                              "it of the pictures at the end, with --resume",
                              job->is_part ? "--follow" : "parts of --frames");
    }
    const status s = io_movie_open(&request, &job->files.movie);
    if (s == STATUS_OK) {
        io_png_writer_set_take(job->files.writer, io_movie_add, job->files.movie);
    }
    return io_config_blame(config, "output.movie", s);
}

status frame_film_repeat(frame_job *job)
{
    return parallel_agree(job->scene.comm,
                          job->files.movie
                              ? io_png_writer_repeat(job->files.writer, job->files.path)
                              : STATUS_OK);
}

status frame_film_close_movie(frame_job *job, status s)
{
    int count = 0;
    for (int n = 0; n < frame_film_frames(job); n++) {
        count += frame_film_is_chosen(job, n) && frame_film_makes_file(job, n);
    }
    const bool is_whole =
        s == STATUS_OK && job->files.movie && io_movie_frames(job->files.movie) == count;
    io_png_writer_set_take(job->files.writer, NULL, NULL);
    const status closed = io_movie_close(&job->files.movie, is_whole);
    return s == STATUS_OK ? closed : s;
}

status frame_film_check_outputs(const frame_job *job)
{
    const int pictures = job->film ? frame_film_pictures(job->film) : 1;
    const int count = frame_film_frames(job) / pictures;
    if (job->show.is_on) {
        return STATUS_OK;
    }
    int64_t *numbers = malloc(((size_t)count + 1) * sizeof *numbers);
    if (!numbers) {
        return base_fail_memory((size_t)count * sizeof *numbers, "the list of frames");
    }
    for (int n = 0, frame = 0; n < count * pictures; n++) {
        if (!job->film || frame_film_picture_of(job->film, n) == 0) {
            numbers[frame++] = frame_film_file_number(job, n);
        }
    }
    const frame_outputs outputs = {job->scene.config, io_source_path(job->scene.source),
                                   job->is_part || job->scene.is_from_memory};
    const status s = frame_outputs_check(&outputs, count, numbers);
    free(numbers);
    return s;
}
