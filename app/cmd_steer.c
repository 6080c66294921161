/* karman steer RUN_DIR ORDER: shows a running program and gives it orders. */
#include "app/steer/steer_show.h"
#include "arguments.h"
#include "cmd.h"
#include "library/insitu.h"
#include "run/steer/client.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 32, MOST_WAIT = 1000000 };

typedef struct steer_arguments {
    app_arguments common;
    const char *folder;
    int nwords;
    const char *words[MOST_WORDS];
    char *read[MOST_WORDS]; /* texts of files; NULL: the word itself */
    double wait;
    bool json;
} steer_arguments;

/* ---- Arguments --------------------------------------------------------------------- */

/* Only the order change has many words. */
static int most_words(const steer_arguments *arguments)
{
    const bool is_change =
        arguments->nwords > 0 && strcmp(arguments->words[0], "change") == 0;
    return is_change ? MOST_WORDS : 3;
}

static status add_word(void *into, const app_option *option, const char *text)
{
    steer_arguments *arguments = into;
    (void)option;
    if (!arguments->folder) {
        arguments->folder = text;
    } else if (arguments->nwords < most_words(arguments)) {
        arguments->words[arguments->nwords++] = text;
    } else {
        return base_fail(
            STATUS_USAGE,
            "'%s' follows the order: give one order; a list has commas without "
            "blanks, like 1,2,3",
            text);
    }
    return STATUS_OK;
}

static const app_option rows[] = {
    {"wait",
     'w',
     "SECONDS",
     "Time to wait for the answer (default: 10); 0: send only",
     APP_NUMBER,
     APP_AT(steer_arguments, wait),
     0,
     1e6,
     {"a number of seconds from 0 to 1000000"}},
    {"json", 'j', NULL, "Print JSON, for programs", APP_FLAG,
     APP_AT(steer_arguments, json)},
    {.keep = APP_ARGUMENTS, .take = add_word},
    {0},
};

const app_line cmd_steer_line = {
    .options = rows,
    .arguments = "RUN_DIR status\nRUN_DIR list\nRUN_DIR set NAME VALUE\n"
                 "RUN_DIR change KEY=VALUE...\nRUN_DIR change @FILE...\n"
                 "RUN_DIR halt\nRUN_DIR resume\nRUN_DIR step [COUNT]\nRUN_DIR redraw\n"
                 "RUN_DIR stop\nRUN_DIR replay LOG",
    .doc = "Looks at a running program and gives it orders, through files in its run "
           "directory.\v'set' gives a parameter a value ('list' shows them), 'change' "
           "changes the config of a picture, as --set does, or by a fragment of YAML in "
           "FILE, 'halt' lets the program wait after its step, 'step' lets it do one or "
           "COUNT more, 'resume' lets it go on, 'redraw' asks for a picture of what it "
           "holds, and 'stop' for its end. 'replay' puts the log.jsonl of an earlier run "
           "into the directory for the next run there, which then gets the same orders "
           "at the same steps. docs/user/steering.md describes the directory.\nExit "
           "status: 0 done, 1 failed or refused by the program, 2 wrong usage.",
};

/* A value may begin with a minus sign, as options do. A blank in front tells them apart
 * and does not change the value. */
static status protect_numbers(int argc, char **argv, char **kept)
{
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(argv[i]);
        bool is_number = argv[i][0] == '-' &&
                         (isdigit((unsigned char)argv[i][1]) || argv[i][1] == '.');
        if (!is_number || *kept) {
            continue;
        }
        *kept = malloc(length + 2);
        if (!*kept) {
            return base_fail_memory(length, "an argument");
        }
        snprintf(*kept, length + 2, " %s", argv[i]);
        argv[i] = *kept;
    }
    return STATUS_OK;
}

/* ---- Orders ------------------------------------------------------------------------ */

static status print_answer(const json_t *answer, bool json)
{
    const char *message = json_string_value(json_object_get(answer, "message"));
    long long cycle = (long long)json_integer_value(json_object_get(answer, "cycle"));
    bool accepted = json_is_true(json_object_get(answer, "accepted"));
    if (json) {
        json_dumpf(answer, stdout, JSON_INDENT(2));
        printf("\n");
    } else if (accepted) {
        printf("cycle %lld: %s\n", cycle, message ? message : "done");
    }
    return accepted ? STATUS_OK
                    : base_fail(STATUS_INPUT, "refused at cycle %lld: %s", cycle,
                                message ? message : "no reason is given");
}

/* Replaces the words @FILE of a change by the texts of the files, which are malloc'ed. */
static status read_fragments(steer_arguments *arguments)
{
    status s = STATUS_OK;
    for (int n = 1; n < arguments->nwords && s == STATUS_OK; n++) {
        const char *word = arguments->words[n];
        if (most_words(arguments) == MOST_WORDS && word[0] == '@') {
            s = steer_fragment_read(word + 1, &arguments->read[n]);
            arguments->words[n] = s == STATUS_OK ? arguments->read[n] : word;
        }
    }
    return s;
}

static status give_order(steer_arguments *arguments)
{
    json_t *order = NULL, *answer = NULL;
    status s = read_fragments(arguments);
    if (s == STATUS_OK) {
        s = steer_order_parse(arguments->folder, arguments->nwords, arguments->words,
                              &order);
    }
    s = s == STATUS_OK ? insitu_client_check(arguments->folder, order) : s;
    if (s == STATUS_OK) {
        s = steer_order_send(arguments->folder, order, arguments->wait, &answer);
    }
    if (s == STATUS_OK && answer) {
        s = print_answer(answer, arguments->json);
    } else if (s == STATUS_OK && arguments->wait == 0.0 && !arguments->json) {
        printf("sent\n");
    } else if (s == STATUS_OK && arguments->wait > 0.0) {
        s = base_fail(STATUS_INPUT,
                      "no answer within %g s: the program takes the order at its next "
                      "step; see %s/log.jsonl for the outcome",
                      arguments->wait, arguments->folder);
    }
    json_decref(order);
    json_decref(answer);
    for (int n = 0; n < arguments->nwords; n++) {
        free(arguments->read[n]);
    }
    return s;
}

static status put_log(const steer_arguments *arguments)
{
    int count = 0;
    if (arguments->nwords != 2) {
        return base_fail(STATUS_USAGE, "give 'replay LOG', the log.jsonl of a run");
    }
    status s = steer_log_put(arguments->folder, arguments->words[1], &count);
    if (s == STATUS_OK) {
        printf("the next run in %s repeats %d orders of %s\n", arguments->folder, count,
               arguments->words[1]);
    }
    return s;
}

static status run(steer_arguments *arguments)
{
    const char *word = arguments->words[0];
    bool shows = strcmp(word, "status") == 0 || strcmp(word, "list") == 0;
    if (shows && arguments->nwords > 1) {
        return base_fail(STATUS_USAGE, "'%s' takes no arguments", word);
    }
    return strcmp(word, "status") == 0
               ? app_steer_show_status(arguments->folder, arguments->json)
           : strcmp(word, "list") == 0
               ? app_steer_show_list(arguments->folder, arguments->json)
           : strcmp(word, "replay") == 0 ? put_log(arguments)
                                         : give_order(arguments);
}

static status parse(int argc, char **argv, steer_arguments *arguments)
{
    status s = app_arguments_read(&cmd_steer_line, argc, argv, &arguments->common);
    if (s == STATUS_OK && arguments->nwords == 0) {
        s = base_fail(STATUS_USAGE,
                      "steer needs a run directory and an order: see '%s --help'",
                      argv[0]);
    }
    return s;
}

status cmd_steer(int argc, char **argv)
{
    steer_arguments arguments = {.wait = 10.0};
    char *kept = NULL;
    status s = protect_numbers(argc, argv, &kept);
    s = s == STATUS_OK ? parse(argc, argv, &arguments) : s;
    s = s == STATUS_OK ? run(&arguments) : s;
    free(kept);
    return s;
}
