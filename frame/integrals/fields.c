#include "fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of the first entry of a list: the next comma outside of brackets and quotes. */
static size_t entry_length(const char *list)
{
    int depth = 0;
    char quote = '\0';
    size_t n = 0;
    for (; list[n] && (list[n] != ',' || depth > 0 || quote); n++) {
        if (quote) {
            quote = list[n] == quote ? '\0' : quote;
        } else if (list[n] == '\'' || list[n] == '`') {
            quote = list[n];
        } else {
            depth += list[n] == '(' || list[n] == '[';
            depth -= list[n] == ')' || list[n] == ']';
        }
    }
    return n;
}

/* Whether a field is known by this name, or may be: it is no expression. */
static bool is_name(const frame_fields *fields, int nfields, const grid_field *its,
                    const char *name)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    static const char coordinates[] = " x y z i j k time "; /* words of expressions */
    char word[8] = "";
    snprintf(word, sizeof word, " %.5s ", name);
    bool is = name[strspn(name, plain)] == '\0' && !(name[0] >= '0' && name[0] <= '9') &&
              !strstr(coordinates, word);
    for (int n = 0; n < nfields && !is; n++) {
        const grid_field *field = &its[n];
        is = strcmp(field->name, name) == 0 || strcmp(field->alias, name) == 0;
    }
    for (int n = 0; n < fields->terms.ndefinitions && !is; n++) {
        is = strcmp(fields->terms.definitions[n].name, name) == 0;
    }
    return is;
}

static status add(frame_fields *fields, const char *name, size_t length)
{
    char **grown = realloc(fields->names, ((size_t)fields->count + 1) * sizeof *grown);
    char *copy = strndup(name, length);
    fields->names = grown ? grown : fields->names;
    if (!grown || !copy) {
        free(copy);
        return base_fail_memory(length, "the list of fields");
    }
    fields->names[fields->count++] = copy;
    return STATUS_OK;
}

static status add_all(frame_fields *fields, int nfields, const grid_field *its)
{
    status s = STATUS_OK;
    for (int n = 0; n < nfields && s == STATUS_OK; n++) {
        const char *name = its[n].name;
        s = add(fields, name, strlen(name));
    }
    for (int n = 0; n < fields->terms.ndefinitions && s == STATUS_OK; n++) {
        const char *name = fields->terms.definitions[n].name;
        s = add(fields, name, strlen(name));
    }
    return s;
}

status frame_fields_define(frame_fields *fields, const char *name, const char *text)
{
    const size_t count = (size_t)fields->terms.ndefinitions;
    grid_definition *old = (grid_definition *)(uintptr_t)fields->terms.definitions;
    grid_definition *grown = realloc(old, (count + 1) * sizeof *grown);
    if (!grown) {
        return base_fail_memory((count + 1) * sizeof *grown, "a definition");
    }
    fields->terms.definitions = grown;
    grown[count] = (grid_definition){strdup(name), strdup(text)};
    fields->terms.ndefinitions++;
    return grown[count].name && grown[count].text
               ? STATUS_OK
               : base_fail_memory(strlen(text), "a definition");
}

status frame_fields_find(const char *list, bool all, int nfields, const grid_field *its,
                         const grid_terms *terms, frame_fields *out)
{
    *out = (frame_fields){0};
    if (!grid_terms_copy(terms, &out->terms)) {
        return base_fail_memory(0, "the list of fields");
    }
    status s = !list && all ? add_all(out, nfields, its) : STATUS_OK;
    while (list && *list && s == STATUS_OK) {
        const char *begin = list + strspn(list, " ");
        const size_t length = entry_length(begin);
        s = add(out, begin, length);
        list = begin + length + (begin[length] == ',');
        const char *name = s == STATUS_OK ? out->names[out->count - 1] : "";
        if (s == STATUS_OK && !is_name(out, nfields, its, name)) {
            s = frame_fields_define(out, name, name);
        }
    }
    return s;
}

void frame_fields_clear(frame_fields *fields)
{
    for (int n = 0; n < fields->count; n++) {
        free(fields->names[n]);
    }
    free(fields->names);
    grid_terms_clear(&fields->terms);
    *fields = (frame_fields){0};
}
