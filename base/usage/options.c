#include "options.h"

#include <stddef.h>
#include <string.h>

/* Every parser of argp has these options, but no table lists them. */
static const struct argp_option common[] = {
    {"help", '?', NULL, 0, "Print a text about the options", 0},
    {"usage", -1, NULL, 0, "Print a line about the arguments", 0},
    {0},
};
enum { COMMON = sizeof common / sizeof common[0] - 1 };

static bool is_end(const struct argp_option *option)
{
    return !option->name && option->key == 0 && !option->doc && option->group == 0;
}

static bool has_option(const struct argp *argp, const char *name)
{
    const struct argp_option *option = argp->options;
    for (; option && !is_end(option); option++) {
        if (option->name && strcmp(option->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The first of the common options, from `at` on, that the table lacks. */
static const struct argp_option *find_common(const struct argp *argp,
                                             const struct argp_option *at)
{
    while (at < common + COMMON && has_option(argp, at->name)) {
        at++;
    }
    return argp->parser && at < common + COMMON ? at : NULL;
}

const struct argp_option *usage_option_next(const struct argp *argp,
                                            const struct argp_option *last)
{
    if (last >= common && last < common + COMMON) {
        return find_common(argp, last + 1);
    }
    const struct argp_option *option = last ? last + 1 : argp->options;
    while (option && !is_end(option) && (option->flags & OPTION_HIDDEN) != 0) {
        option++;
    }
    return option && !is_end(option) ? option : find_common(argp, common);
}

bool usage_option_is_heading(const struct argp_option *option)
{
    return !option->name && option->key == 0;
}

char usage_option_letter(const struct argp_option *option)
{
    return option->key > ' ' && option->key < 127 ? (char)option->key : '\0';
}
