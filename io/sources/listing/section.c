#include "section.h"

#include <ctype.h>
#include <string.h>

/* Whether YAML reads the unquoted text as a string, even in a flow mapping. */
static bool is_plain(const char *text)
{
    if (!isalpha((unsigned char)text[0]) && text[0] != '/' && text[0] != '.') {
        return false;
    }
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c >= 128 ||
            (!isalnum((unsigned char)*c) && !strchr("/._-+%", *c))) {
            return false;
        }
    }
    return true;
}

/* Writes text, quoted if necessary. In single quotes only the quote itself is special; it
 * is doubled. */
static void write_text(FILE *out, const char *text)
{
    if (is_plain(text)) {
        fputs(text, out);
        return;
    }
    fputc('\'', out);
    for (const char *c = text; *c != '\0'; c++) {
        fputs(*c == '\'' ? "'" : "", out);
        fputc(*c, out);
    }
    fputc('\'', out);
}

static void write_entry(FILE *out, const char *name, int width, const char *value)
{
    fprintf(out, "    %s:%*s", name, width - (int)strlen(name) + 1, "");
    write_text(out, value);
    fputc('\n', out);
}

static void write_key(FILE *out, const char *name, const char *value)
{
    fprintf(out, "data.%s=", name);
    write_text(out, value);
    fputc('\n', out);
}

void io_section_write_keys(FILE *out, const io_guess *guess)
{
    const io_guess_grid *grid = io_guess_get_grid(guess);
    fputs(guess->is_fortran ? "data.order=fortran\n" : "", out);
    if (guess->has_axis && guess->ntimes > 0) {
        write_key(out, "time", guess->time);
    }
    fputs(guess->is_geographic ? "data.transform={scale: [1, 1, 0.001]}\n" : "", out);
    write_key(out, "grid.x", grid->paths[0]);
    write_key(out, "grid.y", grid->paths[1]);
    if (grid->paths[2][0] != '\0') {
        write_key(out, "grid.z", grid->paths[2]);
    }
    if (grid->iblank[0] != '\0') {
        write_key(out, "grid.iblank", grid->iblank);
    }
    for (int n = 0; n < guess->nfields; n++) {
        fputs(n == 0 ? "data.fields={" : ", ", out);
        write_text(out, guess->fields[n].name);
        fputs(": ", out);
        write_text(out, guess->fields[n].path);
    }
    fputs(guess->nfields > 0 ? "}\n" : "", out);
}

void io_section_write(FILE *out, const char *file, const io_guess *guess)
{
    static const char *const names[] = {"x", "y", "z"};
    const io_guess_grid *grid = io_guess_get_grid(guess);
    fputs("data:\n  file: ", out);
    write_text(out, file);
    fputs(guess->is_fortran ? "\n  order: fortran" : "", out);
    if (guess->has_axis && guess->ntimes > 0) {
        fputs("\n  time: ", out);
        write_text(out, guess->time);
    }
    if (guess->is_geographic) { /* a kilometre counts as a degree */
        fputs("\n  transform: {scale: [1, 1, 0.001]}", out);
    }
    fputs("\n  grid:\n", out);
    int width = grid->iblank[0] != '\0' ? (int)strlen("iblank") : 1;
    for (int axis = 0; axis < (grid->paths[2][0] != '\0' ? 3 : 2); axis++) {
        write_entry(out, names[axis], width, grid->paths[axis]);
    }
    if (grid->iblank[0] != '\0') {
        write_entry(out, "iblank", width, grid->iblank);
    }
    width = 0;
    for (int n = 0; n < guess->nfields; n++) {
        const int length = (int)strlen(guess->fields[n].name);
        width = length > width ? length : width;
    }
    if (guess->nfields > 0) {
        fputs("  fields:\n", out);
    }
    for (int n = 0; n < guess->nfields; n++) {
        write_entry(out, guess->fields[n].name, width, guess->fields[n].path);
    }
}
