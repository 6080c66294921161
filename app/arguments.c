#include "arguments.h"

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

/* Records the option that argp rejected. */
static error_t reject(const struct argp_state *state)
{
    if (state->next > 0 && state->next <= state->argc) {
        base_fail(
            STATUS_USAGE,
            "'%s' does not know the option '%s', or it lacks its value: see '%s --help'",
            state->argv[0], state->argv[state->next - 1], state->argv[0]);
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
