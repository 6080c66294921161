#include "parts.h"

static const double widest_line = 1000.0; /* pixels */
static const double coarsest = 0.1;       /* tolerance of a step */
static const double most_steps = 1.0e7;   /* of a stream line */
static const double most_changes = 2.0e9; /* every, trail: steps of the data */
static const char *const kind_keys[] = {"points", "line", "plane", "box"};

/* How many numbers the key count has. */
static const int ncounts_of[] = {
    [IO_SEED_POINTS] = 0, [IO_SEED_LINE] = 1, [IO_SEED_PLANE] = 2, [IO_SEED_BOX] = 3};

static status check_seed_kind(const io_config_section *entry)
{
    int count = io_config_section_count(entry, IO_SEED_KINDS, kind_keys);
    if (count != 1) {
        return io_config_section_fail(
            entry, NULL, "must have one of points, line, plane and box, has %s",
            count == 0 ? "none" : "several");
    }
    return STATUS_OK;
}

/* Checks the numbers of seeds and finds their product, which stays small. */
static status count_seeds(const io_config_section *entry, const io_seed_config *seeds,
                          int64_t *total)
{
    static const char *const examples[] = {"", "20", "[10, 10]", "[10, 10, 10]"};
    int wanted = ncounts_of[seeds->kind];
    const char *kind = kind_keys[seeds->kind];
    *total = seeds->kind == IO_SEED_POINTS ? seeds->npoints : 1;
    if (seeds->ncounts != wanted && wanted == 0) {
        return io_config_section_fail(entry, "count",
                                      "is for a line, a plane or a box, not for points");
    }
    if (seeds->ncounts != wanted) {
        return io_config_section_fail(entry, NULL,
                                      "needs count, the seeds along the %s, such as %s",
                                      kind, examples[wanted]);
    }
    for (int i = 0; i < wanted; i++) {
        status result =
            io_config_check_between(entry, "count", seeds->counts[i], 1.0, IO_MAX_SEEDS);
        if (result != STATUS_OK) {
            return result;
        }
        *total *= seeds->counts[i];
        *total = *total < IO_MAX_SEEDS ? *total : IO_MAX_SEEDS + 1;
    }
    return STATUS_OK;
}

static status check_seeds(const io_config_section *section,
                          const io_particles_config *particles)
{
    int64_t total = 0;
    for (int i = 0; i < particles->nseeds; i++) {
        io_config_section entry = io_config_section_item(section, "seeds", i);
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
        return io_config_section_fail(section, "seeds", "has more than %d seeds",
                                      IO_MAX_SEEDS);
    }
    return STATUS_OK;
}

typedef struct bound {
    const char *key;
    double value, low, high;
} bound;

/* Keys that are left out are good. */
static status check_bounds(const io_config_section *section,
                           const io_particles_config *particles)
{
    const bound bounds[] = {
        {"every", particles->every, 0.0, most_changes},
        {"trail", particles->trail, 0.0, most_changes},
        {"max_steps", particles->max_steps, 1.0, most_steps},
    };
    status result = STATUS_OK;
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0] && result == STATUS_OK; i++) {
        if (io_config_section_has(section, bounds[i].key)) {
            result = io_config_check_between(section, bounds[i].key, bounds[i].value,
                                             bounds[i].low, bounds[i].high);
        }
    }
    return result;
}

static status check_lengths(const io_config_section *section,
                            const io_particles_config *particles)
{
    const char *const keys[] = {"length", "radius"};
    const double lengths[] = {particles->length, particles->radius};
    for (int i = 0; i < 2; i++) {
        if (io_config_section_has(section, keys[i]) && !(lengths[i] > 0.0)) {
            return io_config_section_fail(section, keys[i], "must be above 0, is %g",
                                          lengths[i]);
        }
    }
    status result =
        io_config_check_above(section, "line_width", particles->line_width, widest_line);
    return result == STATUS_OK ? io_config_check_above(section, "tolerance",
                                                       particles->tolerance, coarsest)
                               : result;
}

status io_config_check_particles(const io_config_section *section,
                                 const io_particles_config *particles)
{
    status result = check_seeds(section, particles);
    if (result == STATUS_OK) {
        result = check_bounds(section, particles);
    }
    if (result == STATUS_OK) {
        result = check_lengths(section, particles);
    }
    return result == STATUS_OK ? io_config_check_paint(section, &particles->paint)
                               : result;
}
