/* Pictures that are cells of one: side by side, or insets. */
#ifndef FRAME_FILM_CELLS_H
#define FRAME_FILM_CELLS_H

#include "frame/job_state.h"

/* Whether the current picture is a cell, and whether others of its frame follow. Local.
 */
bool frame_film_is_cell(const struct frame_job *job);
bool frame_film_awaits_cells(const struct frame_job *job);

/*
 * Takes the pixels of a cell into the whole picture on rank 0. Returns true if other
 * cells follow, or after a failure: there is nothing to compress. With the last cell
 * *share becomes that of the whole. False for pictures that are no cells. *s is the
 * status of this rank, and becomes that of all. Collective.
 */
bool frame_film_take_cell(struct frame_job *job, io_png_share *share, status *s);

/* Gives a picture to the writer's thread, which takes strips and floats. Local, on rank
 * 0. Errors: those of io_png_writer_submit. */
status frame_film_submit(struct frame_job *job, const io_step *step,
                         io_png_strips *strips, io_float_file *floats);

#endif
