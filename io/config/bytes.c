/* Amounts of memory: numbers with a unit. */
#include "io/config/document/scalar.h"
#include "parts.h"

#include <string.h>

/* Splits "4 GiB" before its unit: the number goes into `number` ([size]). */
static const char *find_unit(const char *text, size_t size, char *number)
{
    size_t length = strcspn(text, " KMGT");
    if (length == 0 || length >= size) {
        return NULL;
    }
    memcpy(number, text, length);
    number[length] = '\0';
    return text + length + strspn(text + length, " ");
}

int64_t io_config_bytes(const char *text)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    const double most = 9e18; /* what 63 bits hold */
    char number[32];
    double count = 0.0, bytes = 1.0;
    const char *unit = find_unit(text, sizeof number, number);
    if (unit == NULL || !io_scalar_number(number, &count)) {
        return -1;
    }
    for (int n = 0; n < 4; n++) {
        bytes *= 1024.0;
        if (strcmp(unit, units[n]) == 0) {
            bytes *= count;
            return bytes >= 1.0 && bytes < most ? (int64_t)bytes : -1;
        }
    }
    return -1;
}
