/* The two ways to make a film. */
#ifndef IO_PICTURE_MOVIE_KIND_H
#define IO_PICTURE_MOVIE_KIND_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct io_movie {
    char *path, *temporary;
    double rate;
    int64_t frames;
    bool is_mp4;
    /* ffmpeg */
    int to;      /* its standard input; -1: none */
    pid_t pid;   /* 0: it does not run */
    FILE *words; /* its standard error, a file without a name */
    /* animated PNG */
    FILE *file;
    uint32_t sequence;
    long count_at; /* the place of the number of frames */
} io_movie;

/* Starts ffmpeg; finds out before whether it can make such films. Errors: STATUS_OUTPUT.
 */
status movie_ffmpeg_open(io_movie *movie);
status movie_ffmpeg_add(io_movie *movie, const uint8_t *png, size_t size);

/* Waits for its end. Errors: STATUS_OUTPUT. */
status movie_ffmpeg_close(io_movie *movie);

/* The same for animated PNG (https://www.w3.org/TR/png-3/#apng-frame-based-animation). */
status movie_apng_open(io_movie *movie);
status movie_apng_add(io_movie *movie, const uint8_t *png, size_t size);
status movie_apng_close(io_movie *movie);

#endif
