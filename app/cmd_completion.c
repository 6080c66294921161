/* karman completion SHELL: completion of command lines. */
#include "app/example/example.h"
#include "app/version/config_keys.h"
#include "arguments.h"
#include "base/usage/completion.h"
#include "cmd.h"
#include "composite/schedule.h"

#include <stdlib.h>
#include <string.h>

typedef struct completion_arguments {
    app_arguments common;
    const char *shell;
} completion_arguments;

static const app_place places[] = {
    {ARGP_KEY_ARG, APP_KEEP_ARGUMENT, .offset = offsetof(completion_arguments, shell)},
    {0},
};

const struct argp cmd_completion_argp = {
    .parser = app_arguments_keep,
    .args_doc = "bash|zsh|fish",
    .doc = "Prints a script that completes commands, options, files and the keys of "
           "--set. An installation puts it where shells find it. Otherwise, in bash: "
           "'source <(karman completion bash)'."};

/* Lists algorithms as "radix-k tree"; malloc'ed, or NULL if memory is short. */
static char *list_algorithms(void)
{
    char *list = NULL;
    size_t size;
    FILE *stream = open_memstream(&list, &size);
    if (!stream) {
        return NULL;
    }
    for (int n = 0; composite_algorithm_at(n); n++) {
        fprintf(stream, "%s%s", n > 0 ? " " : "", composite_algorithm_at(n)->name);
    }
    return fclose(stream) == 0 ? list : NULL;
}

#ifndef KARMAN_MESSAGES
/* There are no collectives without the laboratory. */
char *cmd_collectives_words(bool algorithms)
{
    (void)algorithms;
    return strdup("");
}
#endif

/* Lists the examples in the same way; empty if there are none. */
static char *list_examples(void)
{
    char *list = NULL, *names[EXAMPLE_MOST];
    int count = 0;
    size_t size;
    FILE *stream = open_memstream(&list, &size);
    if (!stream) {
        return NULL;
    }
    if (example_names(&count, names) != STATUS_OK) {
        base_fail_set_message("");
    }
    for (int n = 0; n < count; n++) {
        fprintf(stream, "%s%s", n > 0 ? " " : "", names[n]);
        free(names[n]);
    }
    return fclose(stream) == 0 ? list : NULL;
}

status cmd_completion(const usage_program *program, int argc, char **argv)
{
    completion_arguments arguments = {.common.places = places};
    status s = app_arguments_read(&cmd_completion_argp, argc, argv, &arguments.common);
    const char *shell = arguments.shell;
    if (s != STATUS_OK) {
        return s;
    }
    if (!shell) {
        return base_fail(STATUS_USAGE, "name a shell: 'karman completion bash'");
    }
    char *keys = about_config_words(), *algorithms = list_algorithms();
    char *examples = list_examples();
    char *collectives = cmd_collectives_words(false),
         *theirs = cmd_collectives_words(true);
    const usage_words words[] = {{"KEY=VALUE", keys},       {"ALGORITHM", algorithms},
                                 {"EXAMPLE", examples},     {"COLLECTIVE", collectives},
                                 {"ITS-ALGORITHM", theirs}, {NULL, NULL}};
    s = keys && algorithms && examples && collectives && theirs
            ? usage_completion_print(program, words, shell, stdout)
            : base_fail_memory(0, "words");
    free(keys);
    free(algorithms);
    free(examples);
    free(collectives);
    free(theirs);
    return s;
}
