#include "bytes.h"

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

static int failure; /* one thread reads headers */

ssize_t plot3d_bytes_read(int descriptor, void *out, size_t bytes, int64_t at)
{
    ssize_t count;
    do {
        count = pread(descriptor, out, bytes, (off_t)at);
    } while (count < 0 && errno == EINTR);
    if (count < 0 && failure == 0) {
        failure = errno;
    }
    return count;
}

int plot3d_bytes_take_failure(void)
{
    const int taken = failure;
    failure = 0;
    return taken;
}
