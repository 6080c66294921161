#include "finish.h"

#include "base/srgb.h"

#include <stddef.h>
#include <string.h>

/* ---- One pixel at a time: the reference -------------------------------------------- */

/* Not inlined: for the few pixels at the ends of a range, a second, unrolled copy would
 * gain nothing. */
#define NOT_INLINE __attribute__((noinline))

static uint8_t to_byte(float value)
{
    /* NaN compares false and becomes 0. */
    float scaled = value > 0.0f ? value * 255.0f + 0.5f : 0.0f;
    return scaled >= 255.0f ? 255 : (uint8_t)scaled;
}

NOT_INLINE static void finish_rgb8(int64_t count, const float *rgba,
                                   const float background[3], uint8_t *rgb)
{
    for (int64_t i = 0; i < count; i++) {
        float transmittance = 1.0f - rgba[4 * i + 3];
        for (int c = 0; c < 3; c++) {
            rgb[3 * i + c] = to_byte(rgba[4 * i + c] + transmittance * background[c]);
        }
    }
}

NOT_INLINE static void finish_rgba8(int64_t count, const float *rgba, uint8_t *bytes)
{
    for (int64_t i = 0; i < count; i++) {
        float alpha = rgba[4 * i + 3];
        for (int c = 0; c < 3; c++) {
            bytes[4 * i + c] = to_byte(alpha > 0.0f ? rgba[4 * i + c] / alpha : 0.0f);
        }
        bytes[4 * i + 3] = to_byte(alpha);
    }
}

/* ---- Four pixels at a time, with AVX2 ---------------------------------------------- */

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2   __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f")))

/* The hardware fetches memory that is read in small steps slowly, so it is prefetched. */
enum { FOUR = 4, AHEAD = 1024 /* floats */ };

/* Clears the upper halves of wide registers before a call of functions without AVX. GCC
 * 12 does so before a return, but not before it jumps to a function of this file. The
 * next SSE instruction would then take 120 ns, the time of 50 pixels. */
AVX2 static inline void end_wide(void)
{
    _mm256_zeroupper();
}

AVX2 static inline __m256 broadcast_alpha(__m256 rgba)
{
    return _mm256_permute_ps(rgba, _MM_SHUFFLE(3, 3, 3, 3));
}

/* to_byte of two pixels before packing, which turns negative values into 0. Of 255 and
 * NaN, min takes NaN, and the conversion makes it the most negative number. */
AVX2 static inline __m256i to_bytes(__m256 value)
{
    const __m256 most = _mm256_set1_ps(255.0f);
    return _mm256_cvttps_epi32(_mm256_min_ps(most, value * most + _mm256_set1_ps(0.5f)));
}

/* Packs four pixels of four bytes each. Packing works on halves: pixels 0 1 and 2 3
 * become 0 2 1 3, which the permutation reorders. */
AVX2 static inline __m128i pack(__m256i v01, __m256i v23)
{
    __m256i v0213 = _mm256_packs_epi32(v01, v23);
    __m256i v0123 = _mm256_permute4x64_epi64(v0213, _MM_SHUFFLE(3, 1, 2, 0));
    return _mm_packus_epi16(_mm256_castsi256_si128(v0123),
                            _mm256_extracti128_si256(v0123, 1));
}

AVX2 static inline __m256i show_over(const float *two, __m256 background)
{
    __m256 rgba = _mm256_loadu_ps(two);
    __m256 transmittance = _mm256_set1_ps(1.0f) - broadcast_alpha(rgba);
    return to_bytes(rgba + transmittance * background);
}

/* Writes twelve bytes. */
AVX2 static inline void store_colours(__m128i colours, uint8_t *rgb)
{
    const int last = _mm_extract_epi32(colours, 2);
    _mm_storel_epi64((__m128i *)(void *)rgb, colours);
    memcpy(rgb + 8, &last, sizeof last);
}

AVX2 static void finish_rgb8_avx2(int64_t count, const float *rgba,
                                  const float background[3], uint8_t *rgb)
{
    const float *b = background;
    const __m256 behind = _mm256_setr_ps(b[0], b[1], b[2], 0, b[0], b[1], b[2], 0);
    const __m128i colours =
        _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    int64_t i = 0;
    /* Stores write 16 bytes, and the next pixels overwrite the last 4. So at least two
     * more pixels must follow. */
    for (; i + FOUR + 2 <= count; i += FOUR) {
        const float *at = rgba + 4 * i;
        __builtin_prefetch(at + AHEAD);
        __m128i four = pack(show_over(at, behind), show_over(at + 8, behind));
        _mm_storeu_si128((__m128i *)(void *)(rgb + 3 * i),
                         _mm_shuffle_epi8(four, colours));
    }
    /* The remaining pixels. If fewer than four remain, the group starts at pixels that
     * are already done, and does them again. */
    for (; i < count && count >= FOUR; i += FOUR) {
        i = i + FOUR <= count ? i : count - FOUR;
        const float *at = rgba + 4 * i;
        __m128i four = pack(show_over(at, behind), show_over(at + 8, behind));
        store_colours(_mm_shuffle_epi8(four, colours), rgb + 3 * i);
    }
    end_wide();
    finish_rgb8(count - i, rgba + 4 * i, background, rgb + 3 * i);
}

AVX2 static inline __m256i show_alone(const float *two)
{
    __m256 rgba = _mm256_loadu_ps(two);
    __m256 alpha = broadcast_alpha(rgba);
    __m256 visible = _mm256_cmp_ps(alpha, _mm256_setzero_ps(), _CMP_GT_OQ);
    __m256 colour = _mm256_and_ps(rgba / alpha, visible);
    return to_bytes(_mm256_blend_ps(colour, rgba, 0x88));
}

AVX2 static void finish_rgba8_avx2(int64_t count, const float *rgba, uint8_t *bytes)
{
    int64_t i = 0;
    for (; i + FOUR <= count; i += FOUR) {
        const float *at = rgba + 4 * i;
        __builtin_prefetch(at + AHEAD);
        _mm_storeu_si128((__m128i *)(void *)(bytes + 4 * i),
                         pack(show_alone(at), show_alone(at + 8)));
    }
    end_wide();
    finish_rgba8(count - i, rgba + 4 * i, bytes + 4 * i);
}

/* ---- Four pixels at a time, with AVX-512 ------------------------------------------- */

AVX512 static inline __m512 broadcast_alpha_512(__m512 rgba)
{
    return _mm512_permute_ps(rgba, _MM_SHUFFLE(3, 3, 3, 3));
}

/* to_byte of four pixels. Of a NaN and 0, max takes 0. */
AVX512 static inline __m128i to_bytes_512(__m512 value)
{
    const __m512 most = _mm512_set1_ps(255.0f);
    __m512 positive = _mm512_max_ps(value, _mm512_setzero_ps());
    __m512 scaled = _mm512_min_ps(positive * most + _mm512_set1_ps(0.5f), most);
    return _mm512_cvtepi32_epi8(_mm512_cvttps_epi32(scaled));
}

AVX512 static void finish_rgb8_avx512(int64_t count, const float *rgba,
                                      const float background[3], uint8_t *rgb)
{
    const __m512 behind = _mm512_broadcast_f32x4(
        _mm_setr_ps(background[0], background[1], background[2], 0.0f));
    const __m128i colours =
        _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    int64_t i = 0;
    for (; i + FOUR + 2 <= count; i += FOUR) {
        __builtin_prefetch(rgba + 4 * i + AHEAD);
        __m512 four = _mm512_loadu_ps(rgba + 4 * i);
        __m512 transmittance = _mm512_set1_ps(1.0f) - broadcast_alpha_512(four);
        __m128i bytes = to_bytes_512(four + transmittance * behind);
        _mm_storeu_si128((__m128i *)(void *)(rgb + 3 * i),
                         _mm_shuffle_epi8(bytes, colours));
    }
    for (; i < count && count >= FOUR; i += FOUR) {
        i = i + FOUR <= count ? i : count - FOUR;
        __m512 four = _mm512_loadu_ps(rgba + 4 * i);
        __m512 transmittance = _mm512_set1_ps(1.0f) - broadcast_alpha_512(four);
        __m128i bytes = to_bytes_512(four + transmittance * behind);
        store_colours(_mm_shuffle_epi8(bytes, colours), rgb + 3 * i);
    }
    end_wide();
    finish_rgb8(count - i, rgba + 4 * i, background, rgb + 3 * i);
}

AVX512 static void finish_rgba8_avx512(int64_t count, const float *rgba, uint8_t *bytes)
{
    int64_t i = 0;
    for (; i + FOUR <= count; i += FOUR) {
        __builtin_prefetch(rgba + 4 * i + AHEAD);
        __m512 four = _mm512_loadu_ps(rgba + 4 * i);
        __m512 alpha = broadcast_alpha_512(four);
        __mmask16 visible = _mm512_cmp_ps_mask(alpha, _mm512_setzero_ps(), _CMP_GT_OQ);
        __m512 colour = _mm512_maskz_mov_ps(visible, four / alpha);
        _mm_storeu_si128((__m128i *)(void *)(bytes + 4 * i),
                         to_bytes_512(_mm512_mask_mov_ps(colour, 0x8888, four)));
    }
    end_wide();
    finish_rgba8(count - i, rgba + 4 * i, bytes + 4 * i);
}
#endif

/* ---- Choosing ---------------------------------------------------------------------- */

static const finish_kernel plain = {"plain", finish_rgb8, finish_rgba8};

#if defined(__x86_64__)
static const finish_kernel avx2 = {"avx2", finish_rgb8_avx2, finish_rgba8_avx2};
static const finish_kernel avx512 = {"avx512", finish_rgb8_avx512, finish_rgba8_avx512};

const finish_kernel *const *render_finish_kernels(void)
{
    static const finish_kernel *const upto_avx512[] = {&plain, &avx2, &avx512, NULL};
    static const finish_kernel *const upto_avx2[] = {&plain, &avx2, NULL};
    static const finish_kernel *const upto_plain[] = {&plain, NULL};
    return __builtin_cpu_supports("avx512f") ? upto_avx512
           : __builtin_cpu_supports("avx2")  ? upto_avx2
                                             : upto_plain;
}
#else
const finish_kernel *const *render_finish_kernels(void)
{
    static const finish_kernel *const upto_plain[] = {&plain, NULL};
    return upto_plain;
}
#endif

static const finish_kernel *fastest_kernel(void)
{
    const finish_kernel *const *fastest = render_finish_kernels();
    while (fastest[1]) {
        fastest++;
    }
    return *fastest;
}

void render_finish_rgb8(int64_t count, const float *rgba, const float background[3],
                        uint8_t *rgb)
{
    fastest_kernel()->rgb8(count, rgba, background, rgb);
}

void render_finish_rgba8(int64_t count, const float *rgba, uint8_t *bytes)
{
    fastest_kernel()->rgba8(count, rgba, bytes);
}

/* ---- 16 bits ----------------------------------------------------------------------- */

static void put_two_bytes(float value, uint8_t *bytes)
{
    const float scaled = value > 0.0f ? value * 65535.0f + 0.5f : 0.0f;
    const unsigned rounded = scaled >= 65535.0f ? 65535 : (unsigned)scaled;
    bytes[0] = (uint8_t)(rounded >> 8);
    bytes[1] = (uint8_t)rounded;
}

void render_finish_rgb16(int64_t count, const float *rgba, const float background[3],
                         uint8_t *bytes)
{
    for (int64_t i = 0; i < count; i++, rgba += 4) {
        for (int c = 0; c < 3; c++, bytes += 2) {
            put_two_bytes(rgba[c] + (1.0f - rgba[3]) * background[c], bytes);
        }
    }
}

void render_finish_rgba16(int64_t count, const float *rgba, uint8_t *bytes)
{
    for (int64_t i = 0; i < count; i++, rgba += 4, bytes += 8) {
        for (int c = 0; c < 3; c++) {
            put_two_bytes(rgba[3] > 0.0f ? rgba[c] / rgba[3] : 0.0f,
                          bytes + 2 * (size_t)c);
        }
        put_two_bytes(rgba[3], bytes + 6);
    }
}

/* ---- Light ------------------------------------------------------------------------- */

void render_finish_display(int64_t count, float *rgba)
{
    for (int64_t i = 0; i < count; i++, rgba += 4) {
        const double alpha = (double)rgba[3];
        for (int c = 0; c < 3; c++) {
            rgba[c] = alpha > 0.0
                          ? (float)(alpha * base_srgb_encode((double)rgba[c] / alpha))
                          : 0.0f;
        }
    }
}
