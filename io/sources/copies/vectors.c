#include "vectors.h"

#include <string.h>
#include <strings.h>

/* Whether a vector is one of a rotation. */
static bool is_pseudo(const char *name)
{
    return strncasecmp(name, "vort", 4) == 0 || strncasecmp(name, "omega", 5) == 0 ||
           strncasecmp(name, "curl", 4) == 0;
}

/* Finds the fields of the vector whose first component is `field`. */
static bool find_fields(const io_catalog *catalog, int field, int fields[3])
{
    char name[GRID_NAME_SIZE];
    memcpy(name, catalog->fields[field].name, sizeof name);
    const size_t length = strlen(name);
    if (length < 2 || (name[length - 1] != 'x' && name[length - 1] != 'X')) {
        return false;
    }
    fields[0] = field;
    bool is = true;
    for (int c = 1; c < 3 && is; c++) {
        name[length - 1]++;
        fields[c] = io_catalog_find_field(catalog, name);
        is = fields[c] >= 0 &&
             catalog->fields[fields[c]].location == catalog->fields[field].location;
    }
    return is;
}

void copies_vectors_find(const io_catalog *catalog, copies_vector *out)
{
    memset(out, 0, (size_t)catalog->nfields * sizeof *out);
    for (int field = 0; field < catalog->nfields; field++) {
        int fields[3];
        if (!find_fields(catalog, field, fields)) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            copies_vector *of = &out[fields[c]];
            *of = (copies_vector){true, is_pseudo(catalog->fields[field].name), c, {0}};
            memcpy(of->fields, fields, sizeof fields);
        }
    }
}
