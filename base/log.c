#include "log.h"

#include <stdarg.h>
#include <stdio.h>

static bool log_prints = true;

void base_log_configure(bool prints)
{
    log_prints = prints;
}

void base_log_warning(const char *format, ...)
{
    if (!log_prints) {
        return;
    }
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "karman: warning: %s\n", line);
}
