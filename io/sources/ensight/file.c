#include "file.h"
#include "io/gzip/unpacked.h"

#include "io/sources/arrays/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 80, NUMBER = 4 };

status ensight_file_fail(const ensight_file *file, const char *what)
{
    return file->stream && ferror(file->stream)
               ? base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", file->path,
                           strerror(errno))
               : base_fail(STATUS_INPUT, "EnSight file '%s' %s: write it again",
                           file->path, what);
}

status ensight_file_open(const char *path, int32_t file, ensight_form form,
                         ensight_file *out)
{
    *out = (ensight_file){
        .path = path, .file = file, .stream = io_unpacked_stream(path), .form = form};
    if (!out->stream) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    unsigned char mark[NUMBER] = "";
    const size_t count = fread(mark, 1, sizeof mark, out->stream);
    out->is_big = count == sizeof mark && mark[0] == 0; /* Fortran: 80 */
    fseek(out->stream, 0, SEEK_END);
    out->size = ftell(out->stream);
    fseek(out->stream, 0, SEEK_SET);
    return STATUS_OK;
}

void ensight_file_close(ensight_file *file)
{
    if (file->stream) {
        fclose(file->stream);
    }
    file->stream = NULL;
}

/* The form that the first bytes of a geometry name; else text. */
static ensight_form find_form(FILE *stream)
{
    char bytes[NUMBER + sizeof "Fortran Binary"] = "";
    fseek(stream, 0, SEEK_SET);
    const size_t count = fread(bytes, 1, sizeof bytes - 1, stream);
    return count > NUMBER && strncasecmp(bytes + NUMBER, "Fortran", 7) == 0
               ? ENSIGHT_FORTRAN
           : strncasecmp(bytes, "C Binary", 8) == 0 ? ENSIGHT_C
                                                    : ENSIGHT_TEXT;
}

status ensight_file_form(const char *path, ensight_form *out)
{
    ensight_file file;
    status s = ensight_file_open(path, 0, ENSIGHT_TEXT, &file);
    if (s == STATUS_OK) {
        *out = find_form(file.stream);
        s = ferror(file.stream) ? base_fail(STATUS_INPUT, "file '%s' cannot be read: %s",
                                            path, strerror(errno))
                                : STATUS_OK;
    }
    ensight_file_close(&file);
    return s;
}

/* ---- Bytes ------------------------------------------------------------------------- */

static int64_t number_of(const unsigned char bytes[NUMBER], bool is_big)
{
    uint32_t value = 0;
    for (int n = 0; n < NUMBER; n++) {
        value = value << 8 | bytes[is_big ? n : NUMBER - 1 - n];
    }
    return (int32_t)value;
}

static bool read_number(const ensight_file *f, int64_t *out)
{
    unsigned char bytes[NUMBER];
    if (fread(bytes, NUMBER, 1, f->stream) != 1) {
        return false;
    }
    *out = number_of(bytes, f->is_big);
    return true;
}

/* Passes over bytes of the file. */
static bool pass(const ensight_file *f, int64_t bytes)
{
    return bytes <= f->size - ftell(f->stream) &&
           fseek(f->stream, (long)bytes, SEEK_CUR) == 0;
}

/* Begins a record of Fortran; *length: its bytes. Without records there is nothing to
 * do. */
static bool begin_record(const ensight_file *f, int64_t *length)
{
    return f->form != ENSIGHT_FORTRAN || (read_number(f, length) && *length >= 0 &&
                                          *length + NUMBER <= f->size - ftell(f->stream));
}

static bool end_record(const ensight_file *f, int64_t length)
{
    int64_t mark = length;
    return f->form != ENSIGHT_FORTRAN || (read_number(f, &mark) && mark == length);
}

/* ---- Lines ------------------------------------------------------------------------- */

void ensight_trim(char *line)
{
    const size_t first = strspn(line, " \t");
    size_t length = strlen(line);
    while (length > first && isspace((unsigned char)line[length - 1])) {
        length--;
    }
    memmove(line, line + first, length - first);
    line[length - first] = '\0';
}

/* Passes over the rest of a line; false if it is no text. A file of numbers may be one
 * line of gigabytes. */
static bool end_line(const ensight_file *f)
{
    int c = ' ';
    while (c != '\n' && c != EOF && c != '\0') {
        c = getc_unlocked(f->stream);
    }
    return c != '\0';
}

static bool read_text(ensight_file *f)
{
    if (!fgets(f->line, sizeof f->line, f->stream)) {
        return false;
    }
    return strchr(f->line, '\n') || end_line(f);
}

static bool read_bytes(ensight_file *f)
{
    int64_t length = LINE;
    if (!begin_record(f, &length) || length >= ENSIGHT_LINE ||
        fread(f->line, 1, (size_t)length, f->stream) != (size_t)length) {
        return false;
    }
    f->line[length] = '\0';
    return end_record(f, length);
}

bool ensight_file_line(ensight_file *f)
{
    const bool is_there = f->form == ENSIGHT_TEXT ? read_text(f) : read_bytes(f);
    if (!is_there) {
        f->line[0] = '\0';
    }
    ensight_trim(f->line);
    return is_there;
}

bool ensight_file_is(const ensight_file *f, const char *word)
{
    return strncasecmp(f->line, word, strlen(word)) == 0;
}

/* Text has its first words in the third line, behind two of a description. */
static bool is_geometry(FILE *stream)
{
    ensight_file file = {.stream = stream, .form = find_form(stream)};
    bool is = true;
    fseek(stream, 0, SEEK_SET);
    for (int n = 0; n < 4 && is && file.form == ENSIGHT_TEXT; n++) {
        is = ensight_file_line(&file) && (n != 2 || ensight_file_is(&file, "node id ")) &&
             (n != 3 || ensight_file_is(&file, "element id "));
    }
    return is;
}

/* The number of a part of EnSight 6, "part 1"; 0: the line is another. */
static int64_t number_in(const char *line)
{
    char *end = NULL;
    const bool is_part =
        strncasecmp(line, "part", 4) == 0 && isspace((unsigned char)line[4]);
    const int64_t number = is_part ? strtoll(line + 4, &end, 10) : 0;
    return is_part && *end == '\0' && number > 0 ? number : 0;
}

/* A description, then `part` and a number. In binary the order of bytes is unknown. */
static bool is_variable(FILE *stream)
{
    bool is = false;
    for (int form = ENSIGHT_TEXT; form <= ENSIGHT_FORTRAN && !is; form++) {
        ensight_file file = {.stream = stream, .form = (ensight_form)form};
        int64_t number = 0;
        fseek(stream, 0, SEEK_END);
        file.size = ftell(stream);
        fseek(stream, 0, SEEK_SET);
        const int mark = getc(stream);
        file.is_big = mark == 0;
        fseek(stream, 0, SEEK_SET);
        const bool has_description = ensight_file_line(&file);
        is = has_description && ensight_file_line(&file) &&
             (number_in(file.line) > 0 ||
              (strcmp(file.line, "part") == 0 && ensight_file_part(&file, &number) &&
               number > 0));
    }
    return is;
}

bool ensight_file_is_part(FILE *stream)
{
    return is_geometry(stream) || is_variable(stream);
}

status ensight_file_refuse(const char *path)
{
    FILE *stream = io_unpacked_stream(path);
    const bool is_part = stream && ensight_file_is_part(stream);
    if (stream) {
        fclose(stream);
    }
    return is_part ? base_fail(STATUS_INPUT,
                               "'%s' is the geometry or a variable of an EnSight case: "
                               "give karman the case file (.case) that names it",
                               path)
                   : STATUS_OK;
}

/* Whether a line is one that ensight_file_find looks for. */
static bool is_found(const ensight_file *f, const char *line)
{
    return (f->is_six ? number_in(line) > 0 : strcasecmp(line, "part") == 0) ||
           strcasecmp(line, "END TIME STEP") == 0;
}

/* Moves to such a line between lines and numbers of which nothing is known. */
static bool scan_bytes(ensight_file *f)
{
    char bytes[1 << 14], line[LINE + 1] = "";
    int64_t at = ftell(f->stream);
    size_t count;
    do {
        fseek(f->stream, (long)at, SEEK_SET);
        count = fread(bytes, 1, sizeof bytes, f->stream);
        for (size_t n = 0; n + LINE <= count; n += NUMBER) {
            if (bytes[n] != '\0' && strchr("pPeE", bytes[n])) {
                memcpy(line, bytes + n, LINE);
                ensight_trim(line);
                if (is_found(f, line)) {
                    return fseek(f->stream, (long)(at + (int64_t)n), SEEK_SET) == 0;
                }
            }
        }
        at += (int64_t)sizeof bytes - LINE;
    } while (count == sizeof bytes);
    return false;
}

/* Reads the next record that is a line. */
static bool find_record(ensight_file *f)
{
    int64_t length = 0;
    while (begin_record(f, &length) && length != LINE && pass(f, length) &&
           end_record(f, length)) {
    }
    return length == LINE && fseek(f->stream, -NUMBER, SEEK_CUR) == 0 &&
           ensight_file_line(f);
}

bool ensight_file_find(ensight_file *f)
{
    bool is_there = true;
    do {
        is_there =
            f->form == ENSIGHT_FORTRAN
                ? find_record(f)
                : (f->form == ENSIGHT_TEXT || scan_bytes(f)) && ensight_file_line(f);
    } while (is_there && !is_found(f, f->line));
    return is_there;
}

/* ---- Numbers ----------------------------------------------------------------------- */

/* Reads `count` numbers of 4 bytes, which may be in several records. */
static bool read_numbers(const ensight_file *f, int count, unsigned char (*out)[NUMBER])
{
    for (int n = 0; n < count;) {
        int64_t length = (int64_t)count * NUMBER;
        if (!begin_record(f, &length) || length < NUMBER ||
            length > (int64_t)(count - n) * NUMBER ||
            fread(out[n], NUMBER, (size_t)length / NUMBER, f->stream) !=
                (size_t)length / NUMBER ||
            !end_record(f, length)) {
            return false;
        }
        n += (int)(length / NUMBER);
    }
    return true;
}

enum { MOST_NUMBERS = 8 };

bool ensight_file_integers(ensight_file *f, int count, int64_t *out)
{
    double numbers[MOST_NUMBERS];
    unsigned char bytes[MOST_NUMBERS][NUMBER];
    bool are_there = true;
    if (f->form == ENSIGHT_TEXT) {
        are_there = ensight_file_reals(f, count, numbers);
        for (int n = 0; n < count && are_there; n++) {
            are_there = numbers[n] > -0x1p31 && numbers[n] < 0x1p31;
            out[n] = are_there ? (int64_t)numbers[n] : 0;
        }
        return are_there;
    }
    are_there = read_numbers(f, count, bytes);
    for (int n = 0; n < count && are_there; n++) {
        out[n] = number_of(bytes[n], f->is_big);
    }
    return are_there;
}

bool ensight_file_reals(ensight_file *f, int count, double *out)
{
    unsigned char bytes[MOST_NUMBERS][NUMBER];
    bool are_there = true;
    for (int n = 0; n < count && f->form == ENSIGHT_TEXT && are_there; n++) {
        are_there = fscanf(f->stream, "%lf", &out[n]) == 1;
    }
    if (f->form == ENSIGHT_TEXT) {
        end_line(f);
        return are_there;
    }
    are_there = read_numbers(f, count, bytes);
    for (int n = 0; n < count && are_there; n++) {
        const int32_t number = (int32_t)number_of(bytes[n], f->is_big);
        float value;
        memcpy(&value, &number, sizeof value);
        out[n] = (double)value;
    }
    return are_there;
}

/* The number of a part is small: so it shows the order of bytes. */
bool ensight_file_part(ensight_file *f, int64_t *out)
{
    unsigned char bytes[1][NUMBER];
    if (f->is_six) {
        *out = number_in(f->line);
        return *out > 0;
    }
    if (f->form != ENSIGHT_C) {
        return ensight_file_integers(f, 1, out);
    }
    const bool is_there = read_numbers(f, 1, bytes);
    if (is_there) {
        const uint32_t big = (uint32_t)number_of(bytes[0], true);
        const uint32_t little = (uint32_t)number_of(bytes[0], false);
        f->is_big = big < little;
        *out = big < little ? big : little;
    }
    return is_there;
}

/* In C binary of EnSight 6 the sizes show the order of bytes: of both they are those with
 * fewer vertices. */
bool ensight_file_sizes(ensight_file *f, int64_t n[3])
{
    unsigned char bytes[3][NUMBER];
    double vertices[2] = {1.0, 1.0};
    if (!f->is_six || f->form != ENSIGHT_C) {
        return ensight_file_integers(f, 3, n);
    }
    const bool are_there = read_numbers(f, 3, bytes);
    for (int m = 0; m < 6 && are_there; m++) {
        vertices[m / 3] *= (double)(uint32_t)number_of(bytes[m % 3], m / 3 == 1);
    }
    f->is_big = vertices[1] < vertices[0];
    for (int axis = 0; axis < 3 && are_there; axis++) {
        n[axis] = number_of(bytes[axis], f->is_big);
    }
    return are_there;
}

bool ensight_file_array(ensight_file *f, io_number type, const int64_t n[3],
                        io_array_place *out)
{
    const int64_t count = n[0] * n[1] * n[2], bytes = count * NUMBER;
    int64_t length = bytes;
    const bool begins = count <= f->size && begin_record(f, &length) && length == bytes;
    const int64_t here = ftell(f->stream);
    if (f->form == ENSIGHT_TEXT) {
        *out = io_array_place_make(IO_FLOAT32, false, 0, n, 1, 0);
        out->is_coded = true;
        out->code[0] = here;
        out->code[1] = count;
    } else {
        *out = io_array_place_make(type, io_arrays_swap(f->is_big), here, n, 1, 0);
    }
    out->file = f->file;
    if (!begins) {
        return false;
    }
    if (f->form != ENSIGHT_TEXT) {
        return pass(f, bytes) && end_record(f, bytes);
    }
    const bool are_there = io_array_text_skip(f->stream, count);
    end_line(f);
    return are_there;
}
