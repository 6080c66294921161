#include "words.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 64 };

static int smallest(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/*
 * Edits that turn one word into the other: letters put in, left out, changed, or two
 * neighbours swapped (optimal string alignment; F. J. Damerau, Comm. ACM 7(3), 1964).
 * Three rows of the table are kept. Words longer than MAX_WORD are far from everything.
 */
static int edit_distance(const char *a, const char *b)
{
    int rows[3][MAX_WORD + 1] = {{0}};
    int na = (int)strlen(a), nb = (int)strlen(b);
    if (na > MAX_WORD || nb > MAX_WORD) {
        return MAX_WORD;
    }
    for (int j = 0; j <= nb; j++) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= na; i++) {
        int *row = rows[i % 3];
        const int *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = smallest(change, last[j] + 1, row[j - 1] + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < row[j]) {
                row[j] = before[j - 2] + 1;
            }
        }
    }
    return rows[na % 3][nb];
}

const char *base_words_nearest(const char *word, int count, const char *const *words)
{
    /* What is this far away, or shares no letter, is another word. */
    int length = (int)strlen(word);
    int least = length / 3 + 2 < length ? length / 3 + 2 : length;
    const char *nearest = NULL;
    for (int i = 0; i < count; i++) {
        int distance = edit_distance(word, words[i]);
        if (distance < least) {
            least = distance;
            nearest = words[i];
        }
    }
    return nearest;
}

void base_words_list(int count, const char *const *words, size_t size, char *text)
{
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
}

void base_words_flatten(char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ') {
            *text = ' ';
        }
    }
}
