/* Checks of parameters that the algorithms share. */
#include "algorithms.h"

#include <stdio.h>

static const struct {
    unsigned bit;
    const char *key;
} keys[] = {{COMPOSITE_HAS_FACTORS, "factors"},
            {COMPOSITE_HAS_GROUP, "group"},
            {COMPOSITE_HAS_FAN_IN, "fan_in"}};

enum { KEYS = sizeof keys / sizeof keys[0] };

static unsigned find_given(const composite_params *params)
{
    return (params->nfactors ? COMPOSITE_HAS_FACTORS : 0u) |
           (params->group ? COMPOSITE_HAS_GROUP : 0u) |
           (params->fan_in ? COMPOSITE_HAS_FAN_IN : 0u);
}

/* Writes "'group' and 'fan_in'" or the like. */
static void print_keys(char *text, size_t size, unsigned set)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < KEYS; i++) {
        if (set & keys[i].bit && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s'%s'",
                                     used > 0 ? " and " : "", keys[i].key);
        }
    }
}

status composite_params_reject_except(const char *name, const composite_params *params,
                                      unsigned has)
{
    const unsigned wrong = find_given(params) & ~has;
    if (!wrong) {
        return STATUS_OK;
    }
    char wrong_keys[64];
    char all_keys[64];
    print_keys(wrong_keys, sizeof wrong_keys, wrong);
    print_keys(all_keys, sizeof all_keys, has);
    if (!has) {
        return base_fail(STATUS_USAGE,
                         "the compositing algorithm %s has no parameters: remove %s",
                         name, wrong_keys);
    }
    return base_fail(STATUS_USAGE,
                     "the compositing algorithm %s has no parameter but %s: remove %s",
                     name, all_keys, wrong_keys);
}

status composite_params_reject(const char *name, const composite_params *params)
{
    return composite_params_reject_except(name, params, 0);
}

status composite_params_check_fan_in(const char *name, const composite_params *params)
{
    if (params->fan_in != 0 && params->fan_in < 2) {
        return base_fail(STATUS_USAGE,
                         "%s: fan_in is %d, but at least 2 images have to merge at once: "
                         "give 2 or more, or leave it out",
                         name, params->fan_in);
    }
    return STATUS_OK;
}
