/*
 * ffmpeg as another process. It reads PNG files from its standard input, which is a
 * socket: writing to one whose reader has ended gives an error and no signal.
 */
#include "kind.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- The process ------------------------------------------------------------------- */

/* Starts ffmpeg, which does not hear signals of a batch system: karman ends it. Returns 0
 * or an errno. */
static int start(io_movie *movie, char *const arguments[])
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t blocked;
    movie->words = tmpfile();
    if (!movie->words || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return errno;
    }
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(movie->words), 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &blocked);
    pid_t pid = 0;
    const int error =
        posix_spawnp(&pid, "ffmpeg", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    movie->to = ends[0];
    movie->pid = error == 0 ? pid : 0;
    return error;
}

static bool send_all(io_movie *movie, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t sent = send(movie->to, bytes + done, size - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        done += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

/* Waits for the end; whether it was a good one, or none was to be waited for. */
static bool finish(io_movie *movie)
{
    int how = 0;
    bool is_good = true;
    if (movie->to >= 0) {
        close(movie->to);
    }
    movie->to = -1;
    if (movie->pid > 0) {
        while (waitpid(movie->pid, &how, 0) < 0 && errno == EINTR) {
        }
        is_good = WIFEXITED(how) && WEXITSTATUS(how) == 0;
    }
    movie->pid = 0;
    return is_good;
}

/* The last line that ffmpeg has written. */
static void read_words(const io_movie *movie, size_t size, char *last)
{
    char line[256];
    snprintf(last, size, "it says nothing");
    rewind(movie->words);
    while (fgets(line, sizeof line, movie->words)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '\0') {
            snprintf(last, size, "%s", line);
        }
    }
}

static status fail(const io_movie *movie)
{
    char words[256];
    read_words(movie, sizeof words, words);
    return base_fail(STATUS_OUTPUT,
                     "output.movie: ffmpeg cannot make '%s': %s; a name in .apng needs "
                     "no ffmpeg",
                     movie->path, words);
}

static void close_words(io_movie *movie)
{
    if (movie->words) {
        fclose(movie->words);
    }
    movie->words = NULL;
}

/* ---- The film ---------------------------------------------------------------------- */

#define CODEC "-c:v", "libx264", "-preset", "medium", "-crf", "17", "-pix_fmt", "yuv420p"

static status fail_start(const io_movie *movie, int error)
{
    return error == ENOENT
               ? base_fail(STATUS_OUTPUT,
                           "output.movie: '%s' needs the program ffmpeg, which is not "
                           "installed: install it, or take a name in .apng, which "
                           "browsers show",
                           movie->path)
               : base_fail(STATUS_OUTPUT,
                           "output.movie: the program ffmpeg cannot be started: %s",
                           strerror(error));
}

/* Whether this ffmpeg can make such films: one frame of 16 x 16 pixels goes nowhere. */
static status rehearse(io_movie *movie)
{
    enum { BYTES = 16 * 16 * 3 };
    static const char *const arguments[] = {
        "ffmpeg",   "-hide_banner", "-loglevel", "error", "-f", "rawvideo",
        "-pix_fmt", "rgb24",        "-s",        "16x16", "-i", "-",
        CODEC,      "-f",           "null",      "-",     NULL};
    const uint8_t black[BYTES] = {0};
    const int error = start(movie, (char *const *)(uintptr_t)arguments);
    if (error != 0) {
        return fail_start(movie, error);
    }
    const bool sent = send_all(movie, black, BYTES);
    const status s = finish(movie) && sent ? STATUS_OK : fail(movie);
    close_words(movie);
    return s;
}

/* Sides become even by a row or column of black, as H.264 halves the resolution of
 * colours. */
status movie_ffmpeg_open(io_movie *movie)
{
    static const char *const filter =
        "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,"
        "format=yuv420p";
    char rate[32];
    snprintf(rate, sizeof rate, "%.10g", movie->rate);
    const char *const arguments[] = {"ffmpeg",
                                     "-hide_banner",
                                     "-loglevel",
                                     "error",
                                     "-y",
                                     "-f",
                                     "image2pipe",
                                     "-c:v",
                                     "png",
                                     "-framerate",
                                     rate,
                                     "-i",
                                     "-",
                                     "-vf",
                                     filter,
                                     CODEC,
                                     "-colorspace",
                                     "bt709",
                                     "-color_primaries",
                                     "bt709",
                                     "-color_trc",
                                     "bt709",
                                     "-color_range",
                                     "tv",
                                     "-movflags",
                                     "+faststart",
                                     "-f",
                                     "mp4",
                                     movie->temporary,
                                     NULL};
    status s = rehearse(movie);
    const int error =
        s == STATUS_OK ? start(movie, (char *const *)(uintptr_t)arguments) : 0;
    return error != 0 ? fail_start(movie, error) : s;
}

status movie_ffmpeg_add(io_movie *movie, const uint8_t *png, size_t size)
{
    if (send_all(movie, png, size)) {
        return STATUS_OK;
    }
    finish(movie);
    return fail(movie);
}

status movie_ffmpeg_close(io_movie *movie)
{
    const status s = finish(movie) ? STATUS_OK : fail(movie);
    close_words(movie);
    return s;
}
