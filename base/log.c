#include "log.h"

#include <stdarg.h>
#include <stdio.h>

static bool log_prints = true;

void base_log_configure(bool prints)
{
    log_prints = prints;
}

static void print(const char *mark, const char *format, va_list arguments)
{
    char line[2048];
    if (log_prints) {
        vsnprintf(line, sizeof line, format, arguments);
        fprintf(stderr, "karman: %s%s\n", mark, line);
    }
}

void base_log_warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print("warning: ", format, arguments);
    va_end(arguments);
}

void base_log_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print("", format, arguments);
    va_end(arguments);
}
