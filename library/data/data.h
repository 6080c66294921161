/*
 * Data without a run: a file, or arrays, of which pictures are drawn into memory and
 * values are read. The work behind the calls of karman.h; each function does that of the
 * call of the same name.
 */
#ifndef LIBRARY_DATA_H
#define LIBRARY_DATA_H

#include "frame/shown/picture.h"
#include "library/state.h"

#define INSITU_ARRAYS "the arrays" /* their place in messages */

typedef struct insitu_data {
    char *path;        /* of a data file or a config; NULL: arrays */
    char *text;        /* of the config that is made for the data; NULL: `path` is one */
    io_config *config; /* of the data alone */
    io_source *source; /* of a file; arrays have that of the session's grid */
    grid_layout *layout;  /* of a grid; NULL: none was read yet */
    int grid;             /* its number: io_source_grid */
    frame_shown picture;  /* the last one */
    char *picture_config; /* its config */
    char *description;    /* of karman_describe */
} insitu_data;

/* Collective. Errors: those of the config and of io_source_open, STATUS_MEMORY. */
status insitu_data_open(MPI_Comm comm, const char *path, const karman_options *options,
                        insitu_session **out);

/* Collective; a pointer to NULL is fine. */
void insitu_data_free(insitu_data **data);

/* The session's source, made anew if arrays have been described since; borrowed.
 * Collective. Errors: those of insitu_grid_open, STATUS_USAGE (no data session). */
status insitu_data_source(insitu_session *session, io_source **source);

/* The index of a step, by its number; KARMAN_LAST_STEP: the last one. Local. Errors:
 * STATUS_USAGE. */
status insitu_data_step(const io_source *source, int64_t number, int *index);

/* The layout of the grid of a step (index), with the priorities of blocks; borrowed.
 * Collective. Errors: those of io_load_layout, STATUS_USAGE. */
status insitu_data_layout(insitu_session *session, io_source *source, int step,
                          const grid_layout **layout);

/* Collective. Errors: those of frame_job_create and frame_job_render. */
status insitu_data_draw(insitu_session *session, int count, const char *const *options,
                        karman_picture *picture);

/* Collective. Errors: those of the source, STATUS_MEMORY. */
status insitu_data_describe(insitu_session *session, const char **json);

/* Collective. Errors: those of the source and the layout. */
status insitu_data_bounds(insitu_session *session, int64_t step, double bounds[6]);

/* Collective. Errors: those of grid_recipe_create and io_load_range. */
status insitu_data_range(insitu_session *session, const char *field, int64_t step,
                         double range[2]);

/* What is read. */
typedef struct insitu_wish {
    const char *array;
    int block;
    int64_t step;
    int type;
} insitu_wish;

/* Collective. Errors: STATUS_USAGE, those of io_source_read. */
status insitu_data_read(insitu_session *session, const insitu_wish *wish, void *values);

/* Collective. Errors: those of grid_recipe_create, frame_probe_create and
 * frame_probe_values. */
status insitu_data_probe(insitu_session *session, const karman_points *points,
                         int *blocks, double *values);

#endif
