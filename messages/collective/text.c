#include "text.h"

typedef struct writer {
    char *text;
    size_t used, size;
} writer;

static void put(writer *to, char c)
{
    if (to->used + 1 < to->size) {
        to->text[to->used++] = c;
    }
}

static void put_number(writer *to, int64_t number)
{
    char digits[20];
    int count = 0;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        put(to, '-');
    }
    while (count > 0) {
        put(to, digits[--count]);
    }
}

void collective_text_write(char *text, size_t size, const char *format,
                           const int64_t *numbers, const char *const *texts)
{
    writer to = {text, 0, size};
    for (const char *c = format; *c; c++) {
        const char kind = c[0] == '%' ? c[1] : '\0';
        if (kind == 'd') {
            put_number(&to, *numbers++);
        } else if (kind == 's') {
            for (const char *t = *texts++; *t; t++) {
                put(&to, *t);
            }
        } else {
            put(&to, *c);
        }
        c += kind == 'd' || kind == 's';
    }
    if (size > 0) {
        text[to.used] = '\0';
    }
}
