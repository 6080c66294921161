/* Trials of forms of a PLOT3D file, private to the reading of headers. */
#ifndef IO_SOURCES_PLOT3D_TRIAL_H
#define IO_SOURCES_PLOT3D_TRIAL_H

#include "form.h"

typedef struct plot3d_trial {
    const plot3d_request *request;
    int descriptor;
    int64_t size;
    plot3d_text *text; /* NULL: the file is no text */
    plot3d_payload payload;
    plot3d_header header; /* filled in by a trial that succeeds */
    int64_t begin;        /* place in the payload behind the sizes */
    char mismatch[240];   /* why the likeliest trial failed, as the end of a sentence */
    bool is_lenient;      /* bytes may follow behind the values */
    bool is_sure;         /* it holds whatever the kind of the file */
} plot3d_trial;

/*
 * Tries all forms with the records and the byte order of the payload. *found: one of them
 * fits, and trial->header is that of the file, without extents. Local. Errors:
 * STATUS_MEMORY.
 */
status plot3d_trial_run(plot3d_trial *trial, bool *found);

/*
 * Whether the form `a` explains the bytes behind the values better than `b`: zeros are
 * padding, and the shortest form in front of them is right. Other bytes rather belong to
 * the values, so the fewest of them are best. Local.
 */
bool plot3d_trial_is_better(const plot3d_header *a, const plot3d_header *b);

#endif
