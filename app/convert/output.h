/* The new file under its temporary name. */
#ifndef APP_CONVERT_OUTPUT_H
#define APP_CONVERT_OUTPUT_H

#include "skeleton.h"

typedef struct convert_output {
    const char *path; /* the caller's */
    char *temporary;  /* the same on every rank */
    bool is_made;     /* the temporary file may exist */
    bool stays;       /* it stays after a failure, so that the work can go on */
    MPI_File file;    /* open for writing; MPI_FILE_NULL: not */
} convert_output;

/* Checks that a file may be written. Local, on rank 0. Errors: STATUS_USAGE. */
status convert_output_check_file(const io_source *source, const char *path,
                                 bool replaces);

/* Checks that the file and its XDMF may be written: they do not exist or may be replaced,
 * and are not read from. Local, on rank 0. Errors: STATUS_USAGE. */
status convert_output_check(const io_source *source, const app_convert_request *request);

/*
 * Rank 0 makes the temporary file in its full size, with the skeleton; all ranks open it.
 * Collective. Errors: STATUS_OUTPUT (no permission, no room), STATUS_MEMORY. Call
 * convert_output_abandon or convert_output_finish afterwards, even after a failure.
 */
status convert_output_make(MPI_Comm comm, const char *path,
                           const convert_skeleton *skeleton, convert_output *out);

/*
 * The same, for work that can go on after an interruption: the temporary file is
 * `path`.part. *goes_on: it was there, with the size and the beginning of the
 * skeleton, and is used as it is. Collective. Errors the same.
 */
status convert_output_return(MPI_Comm comm, const char *path,
                             const convert_skeleton *skeleton, bool *goes_on,
                             convert_output *out);

/* Writes bytes at an offset. Local. Errors: STATUS_OUTPUT. */
status convert_output_write(const convert_output *output, int64_t offset, int64_t bytes,
                            const void *data);

/* Closes the file on all ranks. Collective. Errors: STATUS_OUTPUT. */
status convert_output_close(MPI_Comm comm, convert_output *output);

/* Removes the temporary file, if it is there, and frees all. Collective. */
void convert_output_abandon(MPI_Comm comm, convert_output *output);

#endif
