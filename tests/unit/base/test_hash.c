/* Hashes: the published answers, and inputs that words keep apart. */
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static uint64_t bytes_of(const char *text)
{
    return base_hash_bytes(BASE_HASH_START, text, strlen(text));
}

static uint64_t words_of(const char *text)
{
    return base_hash_words(BASE_HASH_START, text, strlen(text));
}

/* From the authors' own vectors: draft-eastlake-fnv, appendix C. */
static void bytes_have_the_hashes_of_the_authors(void **unused)
{
    (void)unused;
    assert_true(bytes_of("") == UINT64_C(0xcbf29ce484222325));
    assert_true(bytes_of("a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(bytes_of("foobar") == UINT64_C(0x85944171f73967e8));
}

static void hashing_goes_on_where_it_was_left(void **unused)
{
    (void)unused;
    assert_true(base_hash_bytes(bytes_of("foo"), "bar", 3) == bytes_of("foobar"));
    assert_true(base_hash_words(words_of("8 bytes:"), "es", 2) == words_of("8 bytes:es"));
}

static void each_bit_of_some_words_counts(void **unused)
{
    (void)unused;
    unsigned char bytes[21] = "some bytes, no words";
    const uint64_t before = base_hash_words(BASE_HASH_START, bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_true(base_hash_words(BASE_HASH_START, bytes, sizeof bytes) != before);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_have_the_hashes_of_the_authors),
        cmocka_unit_test(hashing_goes_on_where_it_was_left),
        cmocka_unit_test(each_bit_of_some_words_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
