#include "log.h"

#include <stdarg.h>
#include <stdio.h>

static bool log_prints = true;

void base_log_configure(bool prints)
{
    log_prints = prints;
}

static void (*log_watch)(void *context, const char *warning);
static void *log_context;

void base_log_watch(void (*watch)(void *context, const char *warning), void *context)
{
    log_watch = watch;
    log_context = context;
}

static void print(const char *mark, const char *format, va_list arguments)
{
    char line[2048];
    if (log_prints || log_watch) {
        vsnprintf(line, sizeof line, format, arguments);
    }
    if (log_prints) {
        fprintf(stderr, "karman: %s%s\n", mark, line);
    }
    if (log_watch && mark[0] != '\0') {
        log_watch(log_context, line);
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
