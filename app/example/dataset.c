#include "dataset.h"

#include "base/path.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_WORDS = 16 };
static const char program[] = "karman-dataset";

bool example_dataset_is(const char *command)
{
    const size_t length = sizeof program - 1;
    return strncmp(command, program, length) == 0 && command[length] == ' ';
}

/* Starts the program and waits for it. The child alone handles Ctrl-C, so that its file
 * can be removed. */
static status run(char **words)
{
    void (*held)(int) = signal(SIGINT, SIG_IGN);
    posix_spawnattr_t attributes;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    pid_t child = 0;
    int code = posix_spawn(&child, words[0], NULL, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    int how = 0;
    while (code == 0 && waitpid(child, &how, 0) < 0 && errno == EINTR) {
    }
    signal(SIGINT, held);
    if (code != 0) {
        return base_fail(STATUS_OUTPUT, "%s cannot be started: %s", words[0],
                         strerror(code));
    }
    return how == 0 ? STATUS_OK
                    : base_fail(STATUS_OUTPUT, "'%s %s' failed", program, words[1]);
}

/* Splits a command into words. The last one is its file. */
static int split(char *command, char *words[MOST_WORDS])
{
    char *place, *word = strtok_r(command, " ", &place);
    int count = 0;
    for (; word && count < MOST_WORDS - 1; word = strtok_r(NULL, " ", &place)) {
        words[count++] = word;
    }
    words[count] = NULL;
    return count;
}

static status make(char **words, int count, const char *folder, bool *is_made)
{
    char *file = base_path_join(folder, words[count - 1]);
    char *found = base_path_beside_program(program);
    status s = file && found ? STATUS_OK : base_fail_memory(0, program);
    *is_made = s == STATUS_OK && access(file, F_OK) != 0;
    if (*is_made) {
        words[0] = found;
        words[count - 1] = file;
        s = run(words);
        if (s != STATUS_OK) {
            unlink(file);
        }
    }
    free(found);
    free(file);
    return s;
}

status example_dataset_make(const char *command, const char *folder, bool *is_made)
{
    char *words[MOST_WORDS], *copy = strdup(command);
    if (!copy) {
        return base_fail_memory(strlen(command), program);
    }
    const int count = split(copy, words);
    status s = count > 2 ? make(words, count, folder, is_made)
                         : base_fail(STATUS_INTERNAL, "'%s' names no file", command);
    free(copy);
    return s;
}
