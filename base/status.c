#include "status.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Long enough for two paths and a sentence. */
static char held[2048];
static pthread_mutex_t held_lock = PTHREAD_MUTEX_INITIALIZER;

int base_status_exit_code(status s)
{
    if (s == STATUS_OK) {
        return 0;
    }
    return s == STATUS_USAGE ? 2 : 1;
}

/* Names from files may hold anything, and a terminal obeys control characters. */
static void make_printable(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c;
        *c = byte < ' ' || byte == 0x7f ? '?' : *c;
    }
}

status base_fail(status s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&held_lock);
    if (held[0] == '\0') {
        vsnprintf(held, sizeof held, format, arguments);
        make_printable(held);
    }
    pthread_mutex_unlock(&held_lock);
    va_end(arguments);
    return s;
}

status base_fail_memory(size_t bytes, const char *what)
{
    return base_fail(STATUS_MEMORY,
                     "not enough memory for %s (%.1f MiB): use more ranks on more nodes",
                     what, (double)bytes / (1024.0 * 1024.0));
}

const char *base_fail_message(void)
{
    return held;
}

void base_fail_set_message(const char *message)
{
    pthread_mutex_lock(&held_lock);
    snprintf(held, sizeof held, "%s", message);
    pthread_mutex_unlock(&held_lock);
}
