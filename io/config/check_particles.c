#include "steps.h"

static const char *const kind_keys[] = {"points", "line", "plane", "box"};

/* Number of values of the key count. */
static const int ncounts_of[] = {
    [IO_SEED_POINTS] = 0, [IO_SEED_LINE] = 1, [IO_SEED_PLANE] = 2, [IO_SEED_BOX] = 3};

static status check_seed_kind(const io_section *entry)
{
    int count = io_section_count(entry, IO_SEED_KINDS, kind_keys);
    if (count != 1) {
        return io_section_fail(entry, NULL,
                               "must have one of points, line, plane and box, has %s",
                               count == 0 ? "none" : "several");
    }
    return STATUS_OK;
}

/* Finds the number of seeds, the product of the numbers along each side, with a limit. */
static status count_seeds(const io_section *entry, const io_seed_config *seeds,
                          int64_t *total)
{
    static const char *const examples[] = {"", "20", "[10, 10]", "[10, 10, 10]"};
    int wanted = ncounts_of[seeds->kind];
    const char *kind = kind_keys[seeds->kind];
    *total = seeds->kind == IO_SEED_POINTS ? seeds->npoints : 1;
    if (seeds->ncounts != wanted && wanted == 0) {
        return io_section_fail(entry, "count",
                               "is for a line, a plane or a box, not for points");
    }
    if (seeds->ncounts != wanted) {
        return io_section_fail(entry, NULL,
                               "needs count, the seeds along the %s, such as %s", kind,
                               examples[wanted]);
    }
    for (int i = 0; i < wanted; i++) {
        *total *= seeds->counts[i];
        *total = *total < IO_MAX_SEEDS ? *total : IO_MAX_SEEDS + 1;
    }
    return STATUS_OK;
}

static status check_seeds(const io_section *section, const io_particles_config *particles)
{
    int64_t total = 0;
    for (int i = 0; i < particles->nseeds; i++) {
        io_section entry = io_section_item(section, "seeds", i);
        int64_t more = 0;
        status result = check_seed_kind(&entry);
        if (result == STATUS_OK) {
            result = count_seeds(&entry, &particles->seeds[i], &more);
        }
        if (result != STATUS_OK) {
            return result;
        }
        total += more;
    }
    if (total > IO_MAX_SEEDS) {
        return io_section_fail(section, "seeds", "has more than %d seeds", IO_MAX_SEEDS);
    }
    return STATUS_OK;
}

status io_config_check_particles(const io_section *section,
                                 const io_particles_config *particles)
{
    status result = check_seeds(section, particles);
    return result == STATUS_OK ? io_config_check_paint(section, &particles->paint)
                               : result;
}
