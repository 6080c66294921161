/* karman completion SHELL: completion of command lines, by scripts that call karman
 * --complete. */
#include "app/example/example.h"
#include "arguments.h"
#include "base/words.h"
#include "cmd.h"
#include "completion/scripts.h"
#include "composite/schedule.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"
#ifdef KARMAN_MESSAGES
#include "messages/collective/describe/describe.h"
#endif

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct completion_arguments {
    app_arguments common;
    const char *shell;
} completion_arguments;

static const app_option rows[] = {
    {.keep = APP_ARGUMENT, APP_AT(completion_arguments, shell)}, {0}};

const app_line cmd_completion_line = {
    .options = rows,
    .arguments = "bash|zsh|fish",
    .doc = "Prints a script that completes commands, options, files and the keys of "
           "--set. An installation puts it where shells find it. Otherwise, in bash: "
           "'source <(karman completion bash)'."};

status cmd_completion(int argc, char **argv)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    static const unsigned char *const scripts[] = {
        completion_karman_bash, completion_karman_zsh, completion_karman_fish};
    completion_arguments arguments = {0};
    char known[64];
    status s = app_arguments_read(&cmd_completion_line, argc, argv, &arguments.common);
    if (s != STATUS_OK || !arguments.shell) {
        return s != STATUS_OK
                   ? s
                   : base_fail(STATUS_USAGE, "name a shell: 'karman completion bash'");
    }
    for (int n = 0; n < 3; n++) {
        if (strcmp(arguments.shell, shells[n]) == 0) {
            fputs((const char *)scripts[n], stdout);
            return STATUS_OK;
        }
    }
    base_words_list(3, shells, sizeof known, known);
    return base_fail(STATUS_USAGE, "there is no completion for '%s': give one of %s",
                     arguments.shell, known);
}

/* ---- Words ------------------------------------------------------------------------- */

/* What is completed. */
typedef struct typed_word {
    const char *text, *before; /* the word; what stands before it in --option=word */
} typed_word;

static void offer(const typed_word *typed, const char *dashes, const char *word,
                  const char *help)
{
    static const char *const ends[] = {": ", " (", "; ", ". "};
    char whole[IO_DOCUMENT_PATH_SIZE];
    snprintf(whole, sizeof whole, "%s%s", dashes, word);
    if (strncmp(whole, typed->text, strlen(typed->text)) != 0) {
        return;
    }
    size_t length = strlen(help);
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
        const char *end = strstr(help, ends[e]);
        length = end && (size_t)(end - help) < length ? (size_t)(end - help) : length;
    }
    printf("%s%s%s%.*s\n", typed->before, whole, length > 0 ? "\t" : "", (int)length,
           help);
}

void cmd_complete_offer(const char *text, const char *dashes, const char *word,
                        const char *help)
{
    offer(&(typed_word){text, ""}, dashes, word, help);
}

/* Offers the keys below a path, which stands as it was typed: any index of a list for
 * each other. */
static void offer_keys(const typed_word *typed, const io_key *keys, const char *path)
{
    for (const io_key *key = keys; key->name; key++) {
        char below[IO_DOCUMENT_PATH_SIZE];
        const bool is_list = key->many == IO_KEY_COUNTED || key->many == IO_KEY_GROWN;
        snprintf(below, sizeof below, "%s%s%s", path, key->name, key->below ? "." : "=");
        const size_t length = strlen(below);
        if (key->below && is_list) {
            const char *index = typed->text + length;
            const bool has_index = strncmp(typed->text, below, length) == 0;
            const int digits = has_index ? (int)strspn(index, "0123456789") : 0;
            snprintf(below + length, sizeof below - length, "%.*s.",
                     digits > 0 ? digits : 1, digits > 0 ? index : "0");
        }
        if (key->below) {
            offer_keys(typed, key->below, below);
        } else {
            offer(typed, "", below, "");
        }
    }
}

static void offer_all_keys(const typed_word *typed)
{
    puts(":keys");
    offer_keys(typed, io_config_keys, "");
}

static void offer_algorithms(const typed_word *typed)
{
    for (int n = 0; composite_algorithm_at(n); n++) {
        offer(typed, "", composite_algorithm_at(n)->name, "");
    }
}

static void offer_examples(const typed_word *typed)
{
    char *names[EXAMPLE_MOST];
    int count = 0;
    if (example_names(&count, names) != STATUS_OK) {
        base_fail_set_message("");
    }
    for (int n = 0; n < count; n++) {
        offer(typed, "", names[n], "");
        free(names[n]);
    }
}

#ifdef KARMAN_MESSAGES
static void offer_collectives(const typed_word *typed)
{
    for (int n = 0; collective_operation_at(n); n++) {
        offer(typed, "", collective_operation_at(n)->name, "");
    }
}

static void offer_their_algorithms(const typed_word *typed)
{
    for (int n = 0; collective_algorithm_at(n); n++) {
        offer(typed, "", collective_algorithm_at(n)->name, "");
    }
}
#endif

/* Names of values: a line for the script of the shell, or words. */
static const struct {
    const char *name, *line;
    void (*offer)(const typed_word *typed);
} values[] = {
    {"CONFIG", ":files yaml yml", NULL},
    {"FILE", ":files yaml yml h5 hdf5", NULL},
    {"LOG", ":files", NULL},
    {"FOLDER", ":folders", NULL},
    {"RUN_DIR", ":folders", NULL},
    {"KEY=VALUE", NULL, offer_all_keys},
    {"ALGORITHM", NULL, offer_algorithms},
    {"EXAMPLE", NULL, offer_examples},
#ifdef KARMAN_MESSAGES
    {"COLLECTIVE", NULL, offer_collectives},
    {"ITS-ALGORITHM", NULL, offer_their_algorithms},
#endif
};

static void offer_value(const typed_word *typed, const char *name)
{
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        if (strcmp(name, values[n].name) == 0 && values[n].line) {
            puts(values[n].line);
        } else if (strcmp(name, values[n].name) == 0) {
            values[n].offer(typed);
        }
    }
}

/* Offers the arguments of a command: names in capitals, and literal words. */
static void offer_arguments(const typed_word *typed, const char *text)
{
    static const char between[] = " \n|[].,";
    for (text += strspn(text, between); *text != '\0'; text += strspn(text, between)) {
        char name[64];
        const int length = (int)strcspn(text, between);
        snprintf(name, sizeof name, "%.*s", length, text);
        text += length;
        if (isupper((unsigned char)name[0])) {
            offer_value(typed, name);
        } else if (islower((unsigned char)name[0])) {
            offer(typed, "", name, "");
        }
    }
}

static void offer_options(const typed_word *typed, const app_line *line)
{
    for (const app_option *o = NULL; (o = app_option_next(line, o));) {
        if (o->name) {
            offer(typed, "--", o->name, o->help);
        }
    }
    offer(typed, "--", "help", "Print a text about the options");
    offer(typed, "--", "usage", "Print a line about the arguments");
}

/* The option that a word before a value names; NULL: none. */
static const app_option *find_option(const app_line *line, const char *word)
{
    if (strncmp(word, "--", 2) == 0) {
        return app_option_find(line, word + 2);
    }
    const app_option *o = app_option_next(line, NULL);
    while (o && !(word[0] == '-' && word[1] != '\0' && o->letter == word[1])) {
        o = app_option_next(line, o);
    }
    return o;
}

void cmd_complete(const app_line *line, int count, char **words)
{
    /* bash takes --option=value for three words, other shells for one. */
    const char *last = words[count - 1], *equals = strchr(last, '=');
    int before = count - 2;
    char name[128] = "", whole[128] = "";
    typed_word typed = {strcmp(last, "=") == 0 ? "" : last, ""};
    if (before > 0 && strcmp(words[before], "=") == 0) {
        before--;
    }
    if (before >= 0) {
        snprintf(name, sizeof name, "%s", words[before]);
    }
    if (strncmp(last, "--", 2) == 0 && equals) {
        const int length = (int)(equals - last);
        snprintf(name, sizeof name, "%.*s", length, last);
        snprintf(whole, sizeof whole, "%s=", name);
        typed = (typed_word){equals + 1, whole};
    }
    const app_option *option = find_option(line, name);
    if (option && option->value) {
        offer_value(&typed, option->value);
    } else if (typed.text[0] == '-') {
        offer_options(&typed, line);
    } else {
        offer_arguments(&typed, line->arguments ? line->arguments : "");
    }
}
