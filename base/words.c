#include "words.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 64, LEAST_SHORT = 3 };

static int smallest(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/*
 * Number of edits that turn one word into the other: insertions, deletions,
 * substitutions, and swaps of neighbours (optimal string alignment; F. J. Damerau, Comm.
 * ACM 7(3), 1964). Three rows of the table are kept. Words longer than MAX_WORD count as
 * far from everything.
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

/* Whether a word is a prefix of another, or a subsequence of it with the same first
 * letter: vort_mag of vorticity_magnitude. */
static bool is_short_for(const char *word, const char *whole)
{
    const size_t length = strlen(word);
    if (length < LEAST_SHORT || length > strlen(whole) || word[0] != whole[0]) {
        return false;
    }
    for (; *whole != '\0' && *word != '\0'; whole++) {
        word += *word == *whole ? 1 : 0;
    }
    return *word == '\0';
}

/* Distance of a word from a known one. Short forms count as few edits, however many
 * letters they lack. */
static int distance_between(const char *word, const char *known)
{
    const int edits = edit_distance(word, known);
    const int most = strncmp(word, known, strlen(word)) == 0 ? 1 : 2;
    return is_short_for(word, known) && edits > most ? most : edits;
}

/* The distance from which on a word is a different one, as is a word without a common
 * letter. */
static int farthest(const char *word)
{
    const int length = (int)strlen(word);
    return length / 3 + 2 < length ? length / 3 + 2 : length;
}

/* Whether a word is among those that were found. */
static bool is_among(const char *word, int count, const char *const *words)
{
    int n = 0;
    while (n < count && strcmp(words[n], word) != 0) {
        n++;
    }
    return n < count;
}

int base_words_near(const char *word, int count, const char *const *words, int most,
                    const char **near)
{
    const int limit = farthest(word);
    int found = 0;
    for (int distance = 0; distance < limit; distance++) {
        for (int i = 0; i < count && found < most; i++) {
            if (distance_between(word, words[i]) == distance &&
                !is_among(words[i], found, near)) {
                near[found++] = words[i];
            }
        }
    }
    return found;
}

const char *base_words_nearest(const char *word, int count, const char *const *words)
{
    const char *nearest = NULL;
    base_words_near(word, count, words, 1, &nearest);
    return nearest;
}

void base_words_choice(int count, const char *const *words, size_t size, char *text)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s'%.60s'", before, words[i]);
    }
}

void base_words_list(int count, const char *const *words, size_t size, char *text)
{
    static const char rest[] = ", …";
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        const char *comma = i > 0 ? ", " : "";
        const size_t more = strlen(comma) + strlen(words[i]);
        const size_t room = i + 1 < count ? sizeof rest - 1 : 0;
        if (used + more + room >= size) {
            snprintf(text + used, size - used, "%s", i > 0 ? rest : rest + 2);
            return;
        }
        snprintf(text + used, size - used, "%s%s", comma, words[i]);
        used += more;
    }
}

void base_words_hint(const char *word, int count, const char *const *words, size_t size,
                     char *text)
{
    enum { MOST = 4 };
    const char *near[MOST];
    char choice[MOST * (MAX_WORD + 8)];
    int found = base_words_near(word, count, words, MOST, near);
    while (found > 1 &&
           distance_between(word, near[found - 1]) > distance_between(word, near[0])) {
        found--;
    }
    base_words_choice(found, near, sizeof choice, choice);
    snprintf(text, size, "%s%s%s", found > 0 ? " (did you mean " : "", choice,
             found > 0 ? "?)" : "");
}

void base_words_flatten(char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ') {
            *text = ' ';
        }
    }
}

const char *base_words_bytes(double bytes, size_t size, char *text)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    while (bytes >= 1000.0 && unit < 5) {
        bytes /= 1024.0;
        unit++;
    }
    snprintf(text, size, "%.3g %s", bytes, units[unit]);
    return text;
}

bool base_words_copy(const char *from, char **to)
{
    *to = from ? strdup(from) : NULL;
    return !from || *to;
}
