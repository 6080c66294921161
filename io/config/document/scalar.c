#include "scalar.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

static const char *skip_sign(const char *text)
{
    return text + (*text == '-' || *text == '+' ? 1 : 0);
}

bool io_scalar_integer(const char *text, int64_t *value)
{
    const char *first = skip_sign(text);
    size_t length = strspn(first, digits);
    if (length == 0 || first[length] != '\0' || (length > 1 && first[0] == '0')) {
        return false;
    }
    errno = 0;
    long long parsed = strtoll(text, NULL, 10);
    if (errno != 0) {
        return false;
    }
    *value = parsed;
    return true;
}

/* [-+]? ( digits [. digits?] | . digits ) ( [eE] [-+]? digits )?  */
static bool is_decimal(const char *text)
{
    text = skip_sign(text);
    size_t whole = strspn(text, digits);
    text += whole;
    size_t fraction = 0;
    if (*text == '.') {
        fraction = strspn(text + 1, digits);
        text += 1 + fraction;
    }
    if (whole + fraction == 0) {
        return false;
    }
    if (*text == 'e' || *text == 'E') {
        text = skip_sign(text + 1);
        size_t exponent = strspn(text, digits);
        if (exponent == 0) {
            return false;
        }
        text += exponent;
    }
    return *text == '\0';
}

bool io_scalar_number(const char *text, double *value)
{
    if (!is_decimal(text)) {
        return false;
    }
    double parsed = strtod(text, NULL);
    if (!isfinite(parsed)) {
        return false;
    }
    *value = parsed;
    return true;
}
