#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static bool log_prints = true;
static bool log_notes = false;

void base_log_configure(bool prints, bool notes)
{
    log_prints = prints;
    log_notes = notes;
}

static void print_line(const char *prefix, const char *format, va_list arguments)
{
    char line[2048];
    vsnprintf(line, sizeof line, format, arguments);
    fprintf(stderr, "%s%s\n", prefix, line);
}

void base_log_warning(const char *format, ...)
{
    if (!log_prints) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    print_line("karman: warning: ", format, arguments);
    va_end(arguments);
}

void base_log_note(const char *format, ...)
{
    if (!log_prints || !log_notes) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    print_line("karman: ", format, arguments);
    va_end(arguments);
}
