/* The comment at the beginning of an example. */
#ifndef APP_EXAMPLE_HEADER_H
#define APP_EXAMPLE_HEADER_H

#include "base/status.h"

enum { EXAMPLE_COMMANDS = 8 };

typedef struct example_header {
    char *title; /* without its full stop */
    int ncommands;
    char *commands[EXAMPLE_COMMANDS]; /* the indented lines */
    char *notes;                      /* the other lines with their line breaks, or "" */
} example_header;

/* Parses the comment. Errors: STATUS_MEMORY. */
status example_header_read(const char *text, example_header *header);
void example_header_clear(example_header *header);

#endif
