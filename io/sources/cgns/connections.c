#include "connections.h"

#include "base/array.h"
#include "periods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Nodes ------------------------------------------------------------------------- */

#define MOST_INDEX ((int64_t)1 << 40)

/* Reads the numbers of a child; in two dimensions, `rest` stands for those along k. */
static bool read_child(const cgns_node *node, const char *name, int count, int64_t rest,
                       int64_t *out)
{
    cgns_node child;
    int64_t values[6];
    if (!cgns_node_child(node, name, &child)) {
        return false;
    }
    const int found = cgns_node_ints(&child, 6, values), axes = found * 3 / count;
    bool is_good = found == count || found == count / 3 * 2;
    cgns_node_close(&child);
    for (int n = 0; n < count && is_good; n++) {
        out[n] = n % 3 < axes ? values[n / 3 * axes + n % 3] : rest;
        is_good = out[n] >= -MOST_INDEX && out[n] <= MOST_INDEX;
    }
    return is_good;
}

/* Makes a contact of a connection: ends and of_donor are first and last vertices, from 1
 * on, and transform names the donor's axis along each axis, negative if it runs back.
 * Returns false if they contradict each other. */
static bool make_contact(const int64_t ends[6], const int64_t of_donor[6],
                         const int64_t transform[3], io_contact *out)
{
    bool is_good = true, seen[3] = {false, false, false};
    for (int axis = 0; axis < 3 && is_good; axis++) {
        const int64_t t = transform[axis], way = t < 0 ? -1 : 1;
        if (t * way < 1 || t * way > 3 || seen[t * way - 1]) {
            return false;
        }
        const int to = (int)(t * way) - 1;
        const bool is_upward = ends[axis] <= ends[axis + 3];
        seen[to] = true;
        out->axis[axis] = to;
        out->way[axis] = (int)way;
        out->lo[axis] = ends[is_upward ? axis : axis + 3] - 1;
        out->hi[axis] = ends[is_upward ? axis + 3 : axis] - 1;
        out->begin[to] = of_donor[is_upward ? to : to + 3] - 1;
        is_good = ends[axis + 3] - ends[axis] == way * (of_donor[to + 3] - of_donor[to]);
    }
    return is_good;
}

static status add_donor(cgns_tables *tables, const cgns_node *connection, int *out)
{
    char path[2 * CGNS_NAME_SIZE];
    if (base_array_room(tables->donors, tables->ndonors, 1,
                        "the connections of a CGNS file") != STATUS_OK) {
        return STATUS_MEMORY;
    }
    cgns_node_text(connection, sizeof path, path);
    const char *slash = strrchr(path, '/'); /* behind the name of a base */
    snprintf(tables->donors[tables->ndonors], CGNS_NAME_SIZE, "%.*s", CGNS_NAME_SIZE - 1,
             slash ? slash + 1 : path);
    *out = tables->ndonors++;
    return STATUS_OK;
}

static status omit(const cgns_conditions *to, const char *name)
{
    return io_catalog_omit(to->catalog,
                           "connection '%s' of zone '%s': its ranges do not fit", name,
                           to->catalog->blocks[to->block].name);
}

status cgns_connections_add(const cgns_conditions *to, const cgns_node *connection)
{
    int64_t ends[6], of_donor[6], transform[3] = {1, 2, 3};
    cgns_node given;
    io_contact contact = {.block = to->block, .donor = -1};
    bool is_good = read_child(connection, "PointRange", 6, 1, ends) &&
                   read_child(connection, "PointRangeDonor", 6, 1, of_donor);
    if (is_good && cgns_node_child(connection, "Transform", &given)) {
        cgns_node_close(&given);
        is_good = read_child(connection, "Transform", 3, 3, transform);
    }
    if (!is_good || !make_contact(ends, of_donor, transform, &contact)) {
        return omit(to, connection->name);
    }
    bool is_periodic = false;
    status s = cgns_periods_note(to, connection, &is_periodic);
    if (s == STATUS_OK && !is_periodic) {
        s = add_donor(to->tables, connection, &contact.donor);
    }
    return s == STATUS_OK ? io_catalog_add_contacts(to->catalog, 1, &contact) : s;
}

/* ---- Donors ------------------------------------------------------------------------ */

static int compare_name(const void *name, const void *block)
{
    return strcmp(name, ((const grid_block *)block)->name);
}

/* Whether vertices from `at` on along each axis lie in a block. */
static bool is_in(const grid_block *block, const int64_t lo[3], const int64_t hi[3])
{
    bool is = true;
    for (int axis = 0; axis < 3; axis++) {
        is = is && lo[axis] >= 0 && hi[axis] >= 0 && lo[axis] < block->n[axis] &&
             hi[axis] < block->n[axis];
    }
    return is;
}

/* Whether the vertices of a contact are those of its block, and of the donor's. */
static bool fits(const io_catalog *catalog, const io_contact *contact)
{
    int64_t last[3];
    for (int axis = 0; axis < 3; axis++) {
        const int to = contact->axis[axis];
        last[to] = contact->begin[to] +
                   contact->way[axis] * (contact->hi[axis] - contact->lo[axis]);
    }
    return is_in(&catalog->blocks[contact->block], contact->lo, contact->hi) &&
           is_in(&catalog->blocks[contact->donor], contact->begin, last);
}

status cgns_connections_join(io_catalog *catalog, cgns_tables *tables)
{
    int kept = 0;
    status s = STATUS_OK;
    for (int n = 0; n < catalog->ncontacts && s == STATUS_OK; n++) {
        io_contact contact = catalog->contacts[n];
        const char *name = contact.donor >= 0 ? tables->donors[contact.donor] : NULL;
        const grid_block *donor =
            name ? bsearch(name, catalog->blocks, (size_t)catalog->nblocks,
                           sizeof *catalog->blocks, compare_name)
                 : NULL;
        contact.donor = donor ? (int)(donor - catalog->blocks) : -1;
        if (name && (!donor || !fits(catalog, &contact))) {
            s = io_catalog_omit(catalog, "a connection of zone '%s' with '%s': %s",
                                catalog->blocks[contact.block].name, name,
                                donor ? "its ranges do not fit"
                                      : "there is no such zone");
        } else {
            catalog->contacts[kept++] = contact;
        }
    }
    catalog->ncontacts = kept;
    return s;
}
