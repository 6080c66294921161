/* Loads one config on all ranks. */
#ifndef FRAME_CONFIG_LOAD_H
#define FRAME_CONFIG_LOAD_H

#include "base/status.h"
#include "io/config/config.h"

#include <mpi.h>
#include <stdbool.h>

struct frame_particles;
struct io_source;

/* The frames of a job that are drawn, by their places from 0: every `parts`-th one from
 * first + part to last. Zero: all. */
typedef struct frame_choice {
    bool is_given;
    int first, last; /* last < 0: to the end */
    int parts, part; /* 0 <= part < parts */
} frame_choice;

/* Whether it has a frame. Local. */
static inline bool frame_choice_has(const frame_choice *choice, int frame)
{
    return !choice->is_given ||
           (frame >= choice->first && (choice->last < 0 || frame <= choice->last) &&
            (frame - choice->first) % choice->parts == choice->part);
}

/* Options beside the config of a job. Zero: none. */
typedef struct frame_job_options {
    int noverrides;
    const char *const
        *overrides;      /* [noverrides]: "image.width=512", as with --set; borrowed */
    int threads;         /* of each rank; 0: the node's cores divided by its ranks */
    bool resume;         /* keep complete frames of the same config */
    frame_choice choice; /* ranges and views are those of all frames all the same */
    bool is_part;     /* data.file is one of several files that hold the steps together */
    const char *text; /* text of the config, instead of a file; NULL; borrowed */
    const char *field; /* field of the volume, instead of the config's; NULL; borrowed */
    struct frame_particles *particles; /* those of a running program, whose files appear
                                        one by one; NULL; borrowed */
    struct frame_recording *recording; /* of the last frame, which is drawn in any case;
                                        NULL; borrowed; frame_render fills it */
    bool is_shown;     /* pictures are shown, not written (frame/shown/shown.h) */
    bool shows_config; /* frame_render first prints the config, with all found values */
} frame_job_options;

/*
 * Rank 0 reads the config file; every rank parses the same text with the same overrides
 * ([noverrides], as io_config_parse). Collective. Errors: as io_config_parse, the same on
 * every rank.
 */
status frame_config_load(MPI_Comm comm, const char *path, int noverrides,
                         const char *const *overrides, io_config **out);

/* Does the same for a job: with its overrides, and from its text if it has one. */
status frame_config_load_for(MPI_Comm comm, const char *path,
                             const frame_job_options *options, io_config **out);

/*
 * Finds the overrides that name grid and fields of the config's file, guessed from names
 * and shapes (io/sources/listing/guess.h). *keys is NULL if the config names
 * them, the file says so itself, or nothing is found; else one override on each line,
 * malloc'ed. Rank 0 looks at the file. Collective. Errors: STATUS_MEMORY.
 */
status frame_config_guess(MPI_Comm comm, const io_config *config, char **keys);

/* Gives pixels one sample if the config does not say how many. Each sample is composited
 * by itself, so that figures of a frame are those of one. Local. Errors: STATUS_MEMORY.
 */
status frame_config_take_one_sample(io_config **config);

/* Replaces the config by one with these keys, if there are any, and frees the keys.
 * Local. Errors: those of io_config_override. */
status frame_config_name(char *keys, io_config **config);

/* Takes all outputs but pictures out of a config, and ways to divide the work that depend
 * on earlier pictures: for pictures in memory. Local. */
void frame_config_show(io_config *config);

/* What was given at a path; a new reference, or NULL. Local. */
struct json_t *frame_config_given(const io_config *config, const char *path);

/* Whether two configs were given the same at a path, such as `data`, but for one key
 * there (NULL: none). Local. */
bool frame_config_has_same(const io_config *a, const io_config *b, const char *path,
                           const char *but);

/* Whether there are files of the picture, not only of its layers' geometry. Local. */
bool frame_config_draws(const io_config *config);

/* Warns of what the data of a config have and karman leaves out. Local. */
void frame_config_tell_omissions(const struct io_source *source);

#endif
