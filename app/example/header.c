#include "header.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char indent[] = "    ";

/* Copies the next line of the comment without its mark; false after the last one. */
static bool get_line(const char **text, size_t size, char *line)
{
    const char *at = *text;
    if (*at != '#') {
        return false;
    }
    at += at[1] == ' ' ? 2 : 1;
    const size_t length = strcspn(at, "\n");
    snprintf(line, size, "%.*s", (int)length, at);
    *text = at + length + (at[length] == '\n');
    return true;
}

static status add_command(const char *line, example_header *header)
{
    if (header->ncommands == EXAMPLE_COMMANDS) {
        return STATUS_OK;
    }
    char *command = strdup(line + strspn(line, " "));
    if (!command) {
        return base_fail_memory(strlen(line), "an example");
    }
    header->commands[header->ncommands++] = command;
    return STATUS_OK;
}

/* Adds a line to the notes. Skips empty lines at their beginning. */
static void add_note(const char *line, FILE *notes)
{
    if (line[0] != '\0' || ftell(notes) > 0) {
        fprintf(notes, "%s\n", line);
    }
}

static status read_lines(const char *text, FILE *notes, example_header *header)
{
    char line[512];
    status s = STATUS_OK;
    for (bool is_first = true; s == STATUS_OK && get_line(&text, sizeof line, line);
         is_first = false) {
        if (is_first) {
            const size_t length = strlen(line);
            line[length > 0 && line[length - 1] == '.' ? length - 1 : length] = '\0';
            header->title = strdup(line);
            s = header->title ? STATUS_OK : base_fail_memory(length, "an example");
        } else if (strncmp(line, indent, sizeof indent - 1) == 0) {
            s = add_command(line, header);
        } else {
            add_note(line, notes);
        }
    }
    return s;
}

status example_header_read(const char *text, example_header *header)
{
    size_t size;
    *header = (example_header){.title = NULL};
    FILE *notes = open_memstream(&header->notes, &size);
    if (!notes) {
        return base_fail_memory(0, "an example");
    }
    status s = read_lines(text, notes, header);
    if (fclose(notes) != 0 && s == STATUS_OK) {
        s = base_fail_memory(0, "an example");
    }
    if (s == STATUS_OK && !header->title) {
        header->title = strdup("");
        s = header->title ? STATUS_OK : base_fail_memory(1, "an example");
    }
    if (s != STATUS_OK) {
        example_header_clear(header);
    }
    return s;
}

void example_header_clear(example_header *header)
{
    for (int n = 0; n < header->ncommands; n++) {
        free(header->commands[n]);
    }
    free(header->title);
    free(header->notes);
    *header = (example_header){.title = NULL};
}
