#include "movie.h"

#include "io/file.h"
#include "kind.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool io_movie_is_mp4(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".mp4") == 0;
}

status io_movie_open(const io_movie_request *request, io_movie **out)
{
    status s = io_file_try(request->path, request->path);
    io_movie *movie = s == STATUS_OK ? calloc(1, sizeof *movie) : NULL;
    if (s != STATUS_OK || !movie) {
        return s != STATUS_OK ? s : base_fail_memory(sizeof *movie, "a film");
    }
    movie->to = -1;
    movie->rate = request->rate;
    movie->is_mp4 = io_movie_is_mp4(request->path);
    movie->path = strdup(request->path);
    s = movie->path ? io_file_temporary_name(movie->path, &movie->temporary)
                    : base_fail_memory(0, "the path of a film");
    if (s == STATUS_OK) {
        s = movie->is_mp4 ? movie_ffmpeg_open(movie) : movie_apng_open(movie);
    }
    if (s != STATUS_OK) {
        io_movie_close(&movie, false);
        return s;
    }
    *out = movie;
    return STATUS_OK;
}

status io_movie_add(void *context, const uint8_t *png, size_t size)
{
    io_movie *movie = context;
    const status s = movie->is_mp4 ? movie_ffmpeg_add(movie, png, size)
                                   : movie_apng_add(movie, png, size);
    movie->frames += s == STATUS_OK;
    return s;
}

int64_t io_movie_frames(const io_movie *movie)
{
    return movie->frames;
}

status io_movie_close(io_movie **doomed, bool whole)
{
    io_movie *movie = *doomed;
    if (!movie) {
        return STATUS_OK;
    }
    status s = movie->is_mp4 ? movie_ffmpeg_close(movie) : movie_apng_close(movie);
    if (whole && s == STATUS_OK && movie->frames > 0) {
        s = io_file_commit(movie->temporary, movie->path);
    } else if (movie->temporary) {
        unlink(movie->temporary);
    }
    free(movie->temporary);
    free(movie->path);
    free(movie);
    *doomed = NULL;
    return whole ? s : STATUS_OK;
}
