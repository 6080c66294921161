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

ssize_t plot3d_bytes_read(int descriptor, void *out, size_t bytes, int64_t at)
{
    const ssize_t count = pread(descriptor, out, bytes, (off_t)at);
    if (count < 0) {
        base_fail(STATUS_INPUT, "a PLOT3D file cannot be read: %s", strerror(errno));
    }
    return count;
}
