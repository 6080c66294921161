/* Values of items: decoding, and reading of small ones at once. */
#include "io/sources/arrays/text.h"
#include "item.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Decoding ---------------------------------------------------------------------- */

status xdmf_item_decode(const char *path, const io_array_place *place, void **values,
                        int64_t *bytes)
{
    if (place->code[2] != XDMF_HEAVY) {
        return io_array_text_decode(path, place, values, bytes);
    }
    const size_t size = (size_t)place->code[1] * io_number_size(place->type);
    void *out = malloc(size + 1), *kept = NULL;
    const status s = out ? xdmf_heavy_read(&kept, path, place, out)
                         : base_fail_memory(size, "an array");
    xdmf_heavy_forget(&kept);
    if (s != STATUS_OK) {
        free(out);
        out = NULL;
    }
    *values = out;
    *bytes = (int64_t)size;
    return s;
}

status xdmf_item_find_part(void **kept, const char *path, const io_array_place *place,
                           const io_box *box, io_array_part *out)
{
    out->rank = 0;
    return place->code[2] == XDMF_HEAVY
               ? xdmf_heavy_find_part(kept, path, place, box, out)
               : STATUS_OK;
}

/* ---- Values at once ---------------------------------------------------------------- */

static status open_at(const char *path, int64_t byte, FILE **out)
{
    FILE *stream = fopen(path, "rb");
    *out = stream;
    if (!stream || fseek(stream, (long)byte, SEEK_SET) != 0) {
        if (stream) {
            fclose(stream);
        }
        *out = NULL;
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    return STATUS_OK;
}

static status read_stored(const char *path, const io_array_place *place, int64_t count,
                          void **out)
{
    const size_t size = io_number_size(place->type);
    FILE *stream = NULL;
    status s = open_at(path, place->offset, &stream);
    *out = s == STATUS_OK ? malloc((size_t)count * size + 1) : NULL;
    if (s == STATUS_OK && !*out) {
        s = base_fail_memory((size_t)count * size, "an array");
    } else if (s == STATUS_OK &&
               fread(*out, size, (size_t)count, stream) != (size_t)count) {
        s = base_fail(STATUS_INPUT, "file '%s' ends inside an array", path);
    }
    if (stream) {
        fclose(stream);
    }
    return s;
}

status xdmf_item_read(const xdmf_set *set, const xdmf_item *item, double **out)
{
    const int64_t count = xdmf_item_values(item), n[3] = {count, 1, 1};
    void *stored = NULL;
    int64_t bytes = 0;
    io_array_place place;
    *out = NULL;
    if (item->count != 1 || !xdmf_item_place(item, n, 1, 0, &place) ||
        (count > 1 && place.stride[0] != (int64_t)io_number_size(place.type))) {
        return base_fail(
            STATUS_INPUT,
            "XDMF file '%s' has numbers that do not lie one behind the other",
            set->documents[0].path);
    }
    const char *path = set->builder->table->files[place.file];
    status s = place.is_coded ? xdmf_item_decode(path, &place, &stored, &bytes)
                              : read_stored(path, &place, count, &stored);
    if (s == STATUS_OK) {
        *out = malloc((size_t)count * sizeof **out);
        s = *out ? STATUS_OK : base_fail_memory((size_t)count * sizeof **out, "numbers");
    }
    if (s == STATUS_OK) {
        io_array_numbers(&place, (char *)stored + (place.is_coded ? place.offset : 0),
                         count, *out);
    }
    free(stored);
    return s;
}

int xdmf_text_numbers(const xmlNode *element, int most, double *out)
{
    char text[2 * XML_MOST_KEPT], *end = text;
    int count = 0;
    if (!xml_text(element, text, sizeof text)) {
        return 0;
    }
    for (char *at = text; count < most; at = end) {
        const double number = strtod(at, &end);
        if (end == at) {
            break;
        }
        out[count++] = number;
        end += strspn(end, ", \t\r\n");
    }
    return *end == '\0' ? count : 0;
}

status xdmf_item_has_bit(const xdmf_set *set, const xdmf_item *item, int bit, bool *out)
{
    double *numbers = NULL;
    const status s = xdmf_item_read(set, item, &numbers);
    *out = false;
    for (int64_t n = 0; n < xdmf_item_values(item) && s == STATUS_OK && !*out; n++) {
        *out = numbers[n] >= 0.0 && numbers[n] < 256.0 && ((int)numbers[n] & bit) != 0;
    }
    free(numbers);
    return s;
}
