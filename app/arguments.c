#include "arguments.h"

#include "base/words.h"
#include "io/config/keys/keys.h"
#include "io/config/table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool app_arguments_help(const struct argp *argp, bool prints, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool help = strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-?") == 0;
        bool usage = strcmp(argv[i], "--usage") == 0;
        if (help || usage) {
            if (prints) {
                argp_help(argp, stdout, usage ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP,
                          argv[0]);
            }
            return true;
        }
    }
    return false;
}

/* ---- Options that argp rejects ----------------------------------------------------- */

enum { MOST_OPTIONS = 64 };

static size_t name_length(const char *typed)
{
    return strcspn(typed, "=");
}

/* The options that begin with a name; returns their number. */
static int find_options(const struct argp *argp, const char *name, size_t length,
                        const struct argp_option *found[MOST_OPTIONS])
{
    int count = 0;
    for (const struct argp_option *o = argp->options;
         o && (o->name || o->key || o->doc) && count < MOST_OPTIONS; o++) {
        if (o->name && strncmp(o->name, name, length) == 0) {
            found[count++] = o;
        }
        if (o->name && strlen(o->name) == length && strncmp(o->name, name, length) == 0) {
            found[0] = o;
            return 1;
        }
    }
    return count;
}

static const struct argp_option *find_letter(const struct argp *argp, char letter)
{
    const struct argp_option *o = argp->options;
    while (o && (o->name || o->key || o->doc) && o->key != letter) {
        o++;
    }
    return o && o->key == letter ? o : NULL;
}

/* Fails for an option that is known: it lacks its value, or takes none. */
static void reject_value(const struct argp_option *option, const char *typed,
                         const char *program)
{
    if (option->arg) {
        base_fail(STATUS_USAGE, "%s needs a value: %s %s; see '%s --help'", typed, typed,
                  option->arg, program);
    } else {
        base_fail(STATUS_USAGE, "%s: --%s takes no value", typed, option->name);
    }
}

/* Fails for a name that no option has, or several begin with. */
static void reject_name(const struct argp *argp, const char *typed, const char *program)
{
    const struct argp_option *all[MOST_OPTIONS];
    const char *names[MOST_OPTIONS];
    char name[128], near[512] = "", path[IO_DOCUMENT_PATH_SIZE];
    const size_t length = name_length(typed + 2);
    snprintf(name, sizeof name, "%.*s", (int)length, typed + 2);
    int count = find_options(argp, name, length, all);
    if (count > 1) {
        for (int n = 0; n < count; n++) {
            names[n] = all[n]->name;
        }
        base_words_choice(count, names, sizeof near, near);
        base_fail(STATUS_USAGE, "--%s may be one of several options: %s", name, near);
        return;
    }
    count = find_options(argp, "", 0, all);
    bool has_set = false;
    for (int n = 0; n < count; n++) {
        names[n] = all[n]->name;
        has_set = has_set || strcmp(names[n], "set") == 0;
    }
    const char *nearest = base_words_nearest(name, count, names);
    if (nearest) {
        base_fail(STATUS_USAGE, "'%s' has no option --%s: did you mean --%s?", program,
                  name, nearest);
    } else if (has_set && io_keys_seek(io_config_keys, name, path)) {
        base_fail(STATUS_USAGE, "'%s' has no option --%s: did you mean --set %s=…?",
                  program, name, path);
    } else {
        base_fail(STATUS_USAGE, "'%s' has no option --%s: see '%s --help'", program, name,
                  program);
    }
}

static void reject_letter(const struct argp *argp, const char *typed, const char *program)
{
    const struct argp_option *option = find_letter(argp, typed[1]);
    if (option && option->arg && typed[2] == '\0') {
        reject_value(option, typed, program);
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

/* Records the option that argp rejected. */
static error_t reject(const struct argp_state *state)
{
    const struct argp *argp = state->root_argp;
    const struct argp_option *found[MOST_OPTIONS];
    if (state->next <= 0 || state->next > state->argc) {
        return 0;
    }
    const char *typed = state->argv[state->next - 1], *program = state->argv[0];
    if (strncmp(typed, "--", 2) != 0) {
        reject_letter(argp, typed, program);
    } else if (find_options(argp, typed + 2, name_length(typed + 2), found) == 1) {
        reject_value(found[0], typed, program);
    } else {
        reject_name(argp, typed, program);
    }
    return 0;
}

/* ---- Tables ------------------------------------------------------------------------ */

static void *at(const app_arguments *arguments, const app_place *place)
{
    return (char *)(uintptr_t)arguments + place->offset;
}

static const char *option_of(const struct argp_state *state, int key)
{
    const struct argp_option *option = state->root_argp->options;
    while (option->key != key) {
        option++;
    }
    return option->name;
}

static status read_number(const char *option, const app_place *place, const char *text,
                          int64_t *number)
{
    const char *none = place->names[1];
    char *end;
    if (none && strcmp(text, none) == 0) {
        *number = 0;
        return STATUS_OK;
    }
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 ||
        value < place->least || value > place->most) {
        return base_fail(STATUS_USAGE,
                         "--%s %.64s: give a whole number from %" PRId64 " to %" PRId64
                         "%s%s%s",
                         option, text, place->least, place->most, none ? ", or '" : "",
                         none ? none : "", none ? "'" : "");
    }
    *number = value;
    return STATUS_OK;
}

static status keep_second(const char *option, const app_place *place, const char *text,
                          bool *second)
{
    *second = strcmp(text, place->names[1]) == 0;
    return *second || strcmp(text, place->names[0]) == 0
               ? STATUS_OK
               : base_fail(STATUS_USAGE, "--%s %.64s: give '%s' or '%s'", option, text,
                           place->names[0], place->names[1]);
}

/* Keeps an argument in the first place of its kind from `place` on that is free. */
static status keep_argument(const app_arguments *arguments, const app_place *place,
                            const char *text)
{
    const char **out = at(arguments, place);
    if (!*out) {
        *out = text;
        return STATUS_OK;
    }
    if (place[1].keep == APP_KEEP_ARGUMENT) {
        return keep_argument(arguments, place + 1, text);
    }
    return place->names[0]
               ? base_fail(STATUS_USAGE, "%s, but '%.256s' follows '%.256s'",
                           place->names[0], text, *out)
               : base_fail(STATUS_USAGE, "'%s' is one argument too many", text);
}

static status keep(app_arguments *arguments, const app_place *place, const char *text,
                   const struct argp_state *state)
{
    void *out = at(arguments, place);
    int64_t number = 0;
    status s = STATUS_OK;
    switch (place->keep) {
    case APP_KEEP_TEXT:
        *(const char **)out = text;
        break;
    case APP_KEEP_FLAG:
        *(bool *)out = true;
        break;
    case APP_KEEP_INT:
        s = read_number(option_of(state, place->key), place, text, &number);
        *(int *)out = (int)number;
        break;
    case APP_KEEP_INT64:
        s = read_number(option_of(state, place->key), place, text, out);
        break;
    case APP_KEEP_SECOND:
        s = keep_second(option_of(state, place->key), place, text, out);
        break;
    case APP_KEEP_ARGUMENT:
        s = keep_argument(arguments, place, text);
        break;
    default:
        s = place->take(arguments, place, text);
    }
    return s;
}

error_t app_arguments_keep(int key, char *text, struct argp_state *state)
{
    app_arguments *arguments = state->input;
    const app_place *place = arguments->places;
    if (key == ARGP_KEY_ERROR) {
        return reject(state);
    }
    while (place->keep != APP_KEEP_NOTHING && place->key != key) {
        place++;
    }
    if (place->keep == APP_KEEP_NOTHING && key != ARGP_KEY_ARG) {
        return ARGP_ERR_UNKNOWN;
    }
    const status s = place->keep == APP_KEEP_NOTHING
                         ? base_fail(STATUS_USAGE, "'%s' is one argument too many", text)
                         : keep(arguments, place, text, state);
    arguments->result = arguments->result == STATUS_OK ? s : arguments->result;
    return 0;
}

status app_arguments_read(const struct argp *argp, int argc, char **argv,
                          app_arguments *arguments)
{
    const unsigned flags = ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP;
    status s = argp_parse(argp, argc, argv, flags, NULL, arguments) == 0
                   ? arguments->result
                   : base_fail(STATUS_USAGE, "'%s' was called wrongly: see '%s --help'",
                               argv[0], argv[0]);
    for (const app_place *place = arguments->places;
         s == STATUS_OK && place->keep != APP_KEEP_NOTHING; place++) {
        if (place->keep == APP_KEEP_ARGUMENT && place->names[1] &&
            !*(const char **)at(arguments, place)) {
            s = base_fail(STATUS_USAGE, "%s: see '%s --help'", place->names[1], argv[0]);
        }
    }
    return s;
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
