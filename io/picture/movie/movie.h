/*
 * Films of the pictures of a job: H.264 in MP4 by ffmpeg, which runs beside the job, or
 * animated PNG, which is the streams of the pictures one after the other.
 */
#ifndef IO_PICTURE_MOVIE_MOVIE_H
#define IO_PICTURE_MOVIE_MOVIE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct io_movie io_movie;

typedef struct io_movie_request {
    const char *path; /* NAME.mp4, or NAME.png and NAME.apng; borrowed for the call */
    double rate;      /* frames a second */
} io_movie_request;

/* Whether a path names an MP4 file, which ffmpeg makes. Local. */
bool io_movie_is_mp4(const char *path);

/*
 * Begins a film beside its path. Of MP4 it first tries whether ffmpeg is there and can do
 * it. Local. Errors: STATUS_OUTPUT with one sentence, STATUS_MEMORY.
 */
status io_movie_open(const io_movie_request *request, io_movie **out);

/* Adds a picture, the bytes of a PNG file; all have one size. An io_png_take. Local.
 * Errors: STATUS_OUTPUT. */
status io_movie_add(void *movie, const uint8_t *png, size_t size);

/* The number of pictures so far. Local. */
int64_t io_movie_frames(const io_movie *movie);

/*
 * Ends a film. If it is `whole`, its file appears under its name, else nothing remains.
 * NULL is fine. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY.
 */
status io_movie_close(io_movie **movie, bool whole);

#endif
