/* for getrandom, which is not in POSIX */
#define _DEFAULT_SOURCE

#include "secret.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

status live_secret_make(char secret[LIVE_SECRET_LENGTH + 1])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[LIVE_SECRET_BYTES];
    ssize_t got;
    do {
        got = getrandom(bytes, sizeof bytes, 0);
    } while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof bytes) {
        return base_fail(STATUS_OUTPUT, "the operating system gives no random numbers");
    }
    for (int i = 0; i < LIVE_SECRET_BYTES; i++) {
        secret[2 * i] = digits[bytes[i] >> 4];
        secret[2 * i + 1] = digits[bytes[i] & 15];
    }
    secret[LIVE_SECRET_LENGTH] = '\0';
    return STATUS_OK;
}

bool live_secret_equal(const char secret[LIVE_SECRET_LENGTH + 1], const char *text)
{
    if (!text || strlen(text) != LIVE_SECRET_LENGTH) {
        return false;
    }
    volatile unsigned char difference = 0;
    for (int i = 0; i < LIVE_SECRET_LENGTH; i++) {
        difference = (unsigned char)(difference | (secret[i] ^ text[i]));
    }
    return difference == 0;
}
