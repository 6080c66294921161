#include "arguments.h"

#include "base/words.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"
#include "run/case/options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 64, NO_LETTER = 256 };

const app_option *app_option_next(const app_line *line, const app_option *last)
{
    const app_option *o = last ? last + 1 : line->options;
    return o && (o->name || o->help || o->keep != APP_HEADING) ? o : NULL;
}

/* ---- argp -------------------------------------------------------------------------- */

/* The key of an option of argp. */
static int key_of(const app_line *line, const app_option *option)
{
    return option->letter != 0 ? option->letter
                               : NO_LETTER + (int)(option - line->options);
}

/* Makes the table of argp. */
static void make_table(const app_line *line, struct argp_option table[MOST_OPTIONS + 1])
{
    int group = 0, count = 0;
    for (const app_option *o = NULL;
         (o = app_option_next(line, o)) && count < MOST_OPTIONS;) {
        const bool is_heading = !o->name && o->keep == APP_HEADING;
        group += is_heading;
        if (o->name || is_heading) {
            table[count++] = (struct argp_option){
                o->name, is_heading ? 0 : key_of(line, o), o->value, 0, o->help, group};
        }
    }
    table[count] = (struct argp_option){0};
}

static error_t parse(int key, char *text, struct argp_state *state);

void app_arguments_print(const app_line *line, const char *name, bool is_usage)
{
    struct argp_option table[MOST_OPTIONS + 1];
    const struct argp argp = {table, parse, line->arguments, line->doc, NULL, NULL, NULL};
    char program[128];
    make_table(line, table);
    snprintf(program, sizeof program, "%s", name);
    argp_help(&argp, stdout, is_usage ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP, program);
}

bool app_arguments_help(const app_line *line, bool prints, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const bool is_usage = strcmp(argv[i], "--usage") == 0;
        if (is_usage || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-?") == 0) {
            if (prints) {
                app_arguments_print(line, argv[0], is_usage);
            }
            return true;
        }
    }
    return false;
}

bool app_arguments_have(int argc, char **argv, const char *name, char letter)
{
    for (int i = 1; i < argc; i++) {
        const char *typed = argv[i];
        const size_t length = strcspn(typed, "=");
        if (typed[0] == '-' &&
            (typed[1] == letter || (length > 3 && typed[1] == '-' &&
                                    strncmp(typed + 2, name, length - 2) == 0))) {
            return true;
        }
    }
    return false;
}

const app_option *app_option_find(const app_line *line, const char *name)
{
    const app_option *o = app_option_next(line, NULL);
    while (o && !(o->name && strcmp(o->name, name) == 0)) {
        o = app_option_next(line, o);
    }
    return o;
}

/* ---- Options that argp rejects ----------------------------------------------------- */

/* The options that begin with a name, or the one that has it; returns their number. */
static int find_options(const app_line *line, const char *name,
                        const char *found[MOST_OPTIONS])
{
    int count = 0;
    for (const app_option *o = NULL;
         (o = app_option_next(line, o)) && count < MOST_OPTIONS;) {
        if (o->name && strcmp(o->name, name) == 0) {
            found[0] = o->name;
            return 1;
        }
        if (o->name && strncmp(o->name, name, strlen(name)) == 0) {
            found[count++] = o->name;
        }
    }
    return count;
}

/* Fails for an option that is known: it lacks its value, or takes none. */
static void reject_value(const app_option *option, const char *typed, const char *program)
{
    if (option->value) {
        base_fail(STATUS_USAGE, "%s needs a value: %s %s; see '%s --help'", typed, typed,
                  option->value, program);
    } else {
        base_fail(STATUS_USAGE, "%s: --%s takes no value", typed, option->name);
    }
}

/* Fails for a name that no option has, or several begin with. */
static void reject_name(const app_line *line, const char *typed, const char *program)
{
    const char *names[MOST_OPTIONS];
    char name[128], near[512] = "", path[IO_DOCUMENT_PATH_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
    int count = find_options(line, name, names);
    if (count == 1) {
        reject_value(app_option_find(line, names[0]), typed, program);
        return;
    }
    if (count > 1) {
        base_words_choice(count, names, sizeof near, near);
        base_fail(STATUS_USAGE, "--%s may be one of several options: %s", name, near);
        return;
    }
    count = find_options(line, "", names);
    const char *nearest = base_words_nearest(name, count, names);
    if (nearest) {
        base_fail(STATUS_USAGE, "'%s' has no option --%s: did you mean --%s?", program,
                  name, nearest);
    } else if (app_option_find(line, "set") && io_keys_seek(io_config_keys, name, path)) {
        base_fail(STATUS_USAGE, "'%s' has no option --%s: did you mean --set %s=…?",
                  program, name, path);
    } else {
        base_fail(STATUS_USAGE, "'%s' has no option --%s: see '%s --help'", program, name,
                  program);
    }
}

static void reject_letter(const app_line *line, const char *typed, const char *program)
{
    const app_option *o = app_option_next(line, NULL);
    while (o && o->letter != typed[1]) {
        o = app_option_next(line, o);
    }
    if (o && o->value && typed[2] == '\0') {
        reject_value(o, typed, program);
    } else if (typed[1] == 'n') {
        base_fail(STATUS_USAGE,
                  "'%s' has no option %s: the launcher takes the number of ranks, "
                  "'mpiexec -n 4 %s …'",
                  program, typed, program);
    } else {
        base_fail(STATUS_USAGE, "'%s' has no option %s: see '%s --help'", program, typed,
                  program);
    }
}

/* ---- Values ------------------------------------------------------------------------ */

static status keep_whole(const app_option *o, const char *text, void *member)
{
    const char *none = o->words[0];
    const bool is_none = none && strcmp(text, none) == 0;
    char *end = NULL;
    errno = 0;
    const long long value = is_none ? 0 : strtoll(text, &end, 10);
    if (!is_none && (*text < '0' || *text > '9' || *end != '\0' || errno != 0 ||
                     (double)value < o->least || (double)value > o->most)) {
        return base_fail(STATUS_USAGE,
                         "--%s %.64s: give a whole number from %.0f to %.0f%s%s%s",
                         o->name, text, o->least, o->most, none ? ", or '" : "",
                         none ? none : "", none ? "'" : "");
    }
    if (o->size == sizeof(int64_t)) {
        *(int64_t *)member = value;
    } else {
        *(int *)member = (int)value;
    }
    return STATUS_OK;
}

static status keep_number(const app_option *o, const char *text, double *number)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= o->least && value <= o->most)) {
        return base_fail(STATUS_USAGE, "--%s %.64s: give %s", o->name, text, o->words[0]);
    }
    *number = value;
    return STATUS_OK;
}

static status keep_choice(const app_option *o, const char *text, void *member)
{
    const int most = (int)(sizeof o->words / sizeof o->words[0]);
    char known[256];
    int count = 0, found = -1;
    for (; count < most && o->words[count]; count++) {
        found = strcmp(text, o->words[count]) == 0 ? count : found;
    }
    if (found < 0) {
        base_words_choice(count, o->words, sizeof known, known);
        return base_fail(STATUS_USAGE, "--%s %.64s: give %s", o->name, text, known);
    }
    if (o->size == sizeof(bool)) {
        *(bool *)member = found > 0;
    } else {
        *(int *)member = found;
    }
    return STATUS_OK;
}

static void *member_of(const app_arguments *arguments, const app_option *option)
{
    return (char *)(uintptr_t)arguments + option->offset;
}

/* Keeps an argument in the first row behind `last` that is free. */
static status keep_argument(app_arguments *arguments, const app_option *last,
                            const char *text)
{
    const app_option *o = app_option_next(arguments->line, last);
    while (o && o->keep != APP_ARGUMENT && o->keep != APP_ARGUMENTS) {
        o = app_option_next(arguments->line, o);
    }
    if (!o) {
        return base_fail(STATUS_USAGE, "'%s' is one argument too many", text);
    }
    void *member = member_of(arguments, o);
    if (o->keep == APP_ARGUMENTS) {
        return o->take(member, o, text);
    }
    const char **out = member;
    if (!*out) {
        *out = text;
        return STATUS_OK;
    }
    return o->words[0] ? base_fail(STATUS_USAGE, "%s, but '%.256s' follows '%.256s'",
                                   o->words[0], text, *out)
                       : keep_argument(arguments, o, text);
}

static status keep(app_arguments *arguments, const app_option *o, const char *text)
{
    void *member = member_of(arguments, o);
    switch (o->keep) {
    case APP_FLAG:
        *(bool *)member = true;
        return STATUS_OK;
    case APP_TEXT:
        *(const char **)member = text;
        return STATUS_OK;
    case APP_WHOLE:
        return keep_whole(o, text, member);
    case APP_NUMBER:
        return keep_number(o, text, member);
    case APP_CHOICE:
        return keep_choice(o, text, member);
    default:
        return o->take(member, o, text);
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    app_arguments *arguments = state->input;
    const app_line *line = arguments->line;
    status s = STATUS_OK;
    if (key == ARGP_KEY_ERROR && state->next > 0 && state->next <= state->argc) {
        const char *typed = state->argv[state->next - 1];
        (strncmp(typed, "--", 2) == 0 ? reject_name : reject_letter)(line, typed,
                                                                     state->argv[0]);
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        s = keep_argument(arguments, NULL, text);
    } else {
        const app_option *o = app_option_next(line, NULL);
        while (o && !(o->name && key_of(line, o) == key)) {
            o = app_option_next(line, o);
        }
        if (!o) {
            return key == ARGP_KEY_ERROR ? 0 : ARGP_ERR_UNKNOWN;
        }
        s = keep(arguments, o, text);
    }
    arguments->result = arguments->result == STATUS_OK ? s : arguments->result;
    return 0;
}

status app_arguments_read(const app_line *line, int argc, char **argv,
                          app_arguments *arguments)
{
    const unsigned flags = ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP;
    struct argp_option table[MOST_OPTIONS + 1];
    const struct argp argp = {table, parse, line->arguments, line->doc, NULL, NULL, NULL};
    arguments->line = line;
    make_table(line, table);
    for (const app_option *o = NULL; (o = app_option_next(line, o));) {
        if (o->keep == APP_WHOLE && o->size == sizeof(int64_t)) {
            *(int64_t *)member_of(arguments, o) = APP_NOT_GIVEN;
        }
    }
    status s = argp_parse(&argp, argc, argv, flags, NULL, arguments) == 0
                   ? arguments->result
                   : base_fail(STATUS_USAGE, "'%s' was called wrongly: see '%s --help'",
                               argv[0], argv[0]);
    for (const app_option *o = NULL; s == STATUS_OK && (o = app_option_next(line, o));) {
        if (o->keep == APP_ARGUMENT && o->words[1] &&
            !*(const char **)member_of(arguments, o)) {
            s = base_fail(STATUS_USAGE, "%s: see '%s --help'", o->words[1], argv[0]);
        }
    }
    return s;
}

status app_take_picture(void *member, const app_option *option, const char *text)
{
    return case_options_take(member, option->name, text);
}

status app_arguments_override(const char *text, int most, int *count,
                              const char **overrides)
{
    if (!strchr(text, '=')) {
        return base_fail(STATUS_USAGE, "--set %s: give KEY=VALUE, like image.width=512",
                         text);
    }
    if (*count == most) {
        return base_fail(STATUS_USAGE, "--set is given more than %d times", most);
    }
    overrides[(*count)++] = text;
    return STATUS_OK;
}
