#include "base64.h"

void io_base64_encode(const uint8_t *bytes, size_t size, char *out)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t n = 0; n < size; n += 3) {
        unsigned left = size - n < 3 ? (unsigned)(size - n) : 3;
        unsigned b = (unsigned)bytes[n] << 16;
        b |= left > 1 ? (unsigned)bytes[n + 1] << 8 : 0;
        b |= left > 2 ? (unsigned)bytes[n + 2] : 0;
        *out++ = letters[b >> 18];
        *out++ = letters[b >> 12 & 63];
        *out++ = left > 1 ? letters[b >> 6 & 63] : '=';
        *out++ = left > 2 ? letters[b & 63] : '=';
    }
    *out = '\0';
}
