#include "numbers.h"

#include "frame/entry.h"
#include "run/case/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

status numbers_set(void *arguments, const app_option *option, const char *text)
{
    numbers_arguments *a = arguments;
    (void)option;
    return app_arguments_override(text, NUMBERS_OVERRIDES, &a->noverrides, a->overrides);
}

status numbers_derive(void *arguments, const app_option *option, const char *text)
{
    static const char key[] = "derive.";
    numbers_arguments *a = arguments;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0') {
        return base_fail(STATUS_USAGE,
                         "--derive %s: give a name and an expression, such as "
                         "speed=mag(velocity)",
                         text);
    }
    const size_t size = sizeof key + strlen(text);
    char *made = a->nmade < NUMBERS_OVERRIDES ? malloc(size) : NULL;
    if (!made) {
        return base_fail_memory(size, "the options --derive");
    }
    snprintf(made, size, "%s%s", key, text);
    a->made[a->nmade++] = made;
    return numbers_set(arguments, option, made);
}

static status run(MPI_Comm comm, numbers_arguments *a, numbers_work *work)
{
    char *steps = NULL;
    io_config *config = NULL;
    const char *text = a->steps ? a->steps : "last";
    status s = STATUS_OK;
    if (a->steps || case_is_data(comm, a->file)) {
        s = case_steps(text, &steps);
        a->overrides[a->noverrides] = steps;
        a->noverrides += s == STATUS_OK;
    }
    s = s == STATUS_OK ? case_load(comm, a->file, a->noverrides, a->overrides, &config)
                       : s;
    s = s == STATUS_OK ? work(comm, a, config) : s;
    if (s != STATUS_OK && a->steps) {
        case_name_steps(a->steps, steps);
    }
    io_config_destroy(&config);
    free(steps);
    return s;
}

status numbers_run(MPI_Comm comm, numbers_arguments *arguments, status before,
                   numbers_work *work)
{
    frame_entry entry;
    frame_entry_begin(&entry);
    const status s = before == STATUS_OK ? run(comm, arguments, work) : before;
    frame_entry_end(&entry);
    for (int n = 0; n < arguments->nmade; n++) {
        free(arguments->made[n]);
    }
    arguments->nmade = 0;
    return s;
}
