/* The frames of a job: steps, or frames of a film. */
#ifndef FRAME_FILM_FRAMES_H
#define FRAME_FILM_FRAMES_H

#include "frame/job_state.h"

/* Makes the film of a job whose source is open, if its config has one. Collective.
 * Errors: STATUS_USAGE, STATUS_MEMORY. */
status frame_film_begin(struct frame_job *job);

/* Takes the values that were found, and finds those of further pictures. Collective.
 * Errors: those of frame_film_settle_all. */
status frame_film_found(struct frame_job *job);

/* Fails if a config has keys of films, which running programs and views do not draw.
 * Local. Errors: STATUS_USAGE. */
status frame_film_refuse(const io_config *config);

/* The number of frames. Local. */
int frame_film_frames(const struct frame_job *job);

/* The job that draws a picture: this one, or one beside it. Local. */
struct frame_job *frame_film_job(const struct frame_job *job, int number);

/* The step (index) of a frame. Local. */
int frame_film_step_index(const struct frame_job *job, int frame);

/* The step (index) of the next frame, if it is another; else -1. Local. */
int frame_film_next_step(const struct frame_job *job, int frame);

/* The number of a frame in names of files: that of its step, but of a film its own.
 * Local. */
int64_t frame_film_file_number(const struct frame_job *job, int frame);

/* Whether a picture makes a file: of cells, the last one. Local. */
bool frame_film_makes_file(const struct frame_job *job, int number);

/* The size of the files' pictures. Local. */
void frame_film_size(const struct frame_job *job, int *width, int *height);

/* Whether --frames chooses the frame of a picture. Local. */
bool frame_film_is_chosen(const struct frame_job *job, int number);

/* Writes the table of the config's Cinema database, with all pictures. Local, on rank 0.
 * Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status frame_film_write_cinema(const struct frame_job *job);

/* The number of frames left, with this one. It is unknown for a running program: as many
 * as so far are assumed. Local. */
int frame_film_frames_left(const struct frame_job *job, int frame);

/* Begins the film that the writer's thread makes of all pictures, if the config has
 * output.movie. Local, on rank 0. Errors: those of io_movie_open. */
status frame_film_open_movie(struct frame_job *job);

/* Takes the current picture, which is complete, into the film. Collective. Errors:
 * STATUS_MEMORY, those of io_png_writer_submit. */
status frame_film_repeat(struct frame_job *job);

/* Ends it; it appears if all frames are in it. Returns `s`, or the failure of the film.
 * Local, on rank 0. */
status frame_film_close_movie(struct frame_job *job, status s);

/* Checks the files that the job will write. Local, on rank 0. Errors: those of
 * frame_outputs_check. */
status frame_film_check_outputs(const struct frame_job *job);

#endif
