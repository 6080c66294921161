#include "bytes.h"

#include "base/status.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static uint64_t gather(const unsigned char *bytes, int size, bool is_big)
{
    uint64_t value = 0;
    for (int n = 0; n < size; n++) {
        value |= (uint64_t)bytes[n] << (8 * (is_big ? size - 1 - n : n));
    }
    return value;
}

int64_t plot3d_bytes_int(const unsigned char *bytes, int size, bool is_big)
{
    const uint64_t value = gather(bytes, size, is_big);
    return size == 4 ? (int64_t)(int32_t)(uint32_t)value : (int64_t)value;
}

double plot3d_bytes_real(const unsigned char *bytes, int size, bool is_big)
{
    const uint64_t value = gather(bytes, size, is_big);
    const uint32_t half = (uint32_t)value;
    float single = 0.0f;
    double real = 0.0;
    memcpy(&single, &half, sizeof single);
    memcpy(&real, &value, sizeof real);
    return size == 4 ? (double)single : real;
}

bool plot3d_bytes_are_foreign(bool is_big)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return is_big == (first == 1);
}

static void reverse_short(uint32_t *words, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const uint32_t w = words[n];
        words[n] = w >> 24 | (w >> 8 & 0xff00U) | (w << 8 & 0xff0000U) | w << 24;
    }
}

static void reverse_long(uint64_t *words, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        uint64_t w = words[n];
        w = (w & UINT64_C(0x00ff00ff00ff00ff)) << 8 |
            (w >> 8 & UINT64_C(0x00ff00ff00ff00ff));
        w = (w & UINT64_C(0x0000ffff0000ffff)) << 16 |
            (w >> 16 & UINT64_C(0x0000ffff0000ffff));
        words[n] = w << 32 | w >> 32;
    }
}

void plot3d_bytes_reverse(void *numbers, size_t count, int size)
{
    if (size == 4) {
        reverse_short(numbers, count);
    } else {
        reverse_long(numbers, count);
    }
}

ssize_t plot3d_bytes_read(int descriptor, void *out, size_t bytes, int64_t at)
{
    const ssize_t count = pread(descriptor, out, bytes, (off_t)at);
    if (count < 0) {
        base_fail(STATUS_INPUT, "a PLOT3D file cannot be read: %s", strerror(errno));
    }
    return count;
}
