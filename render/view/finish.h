/* From the composited float image to the pixels of a file. */
#ifndef RENDER_VIEW_FINISH_H
#define RENDER_VIEW_FINISH_H

#include <stdint.h>

/* Blends `count` premultiplied pixels rgba ([count][4]) over the background colour and
 * converts them to 8 bits ([count][3]). Values are clamped to 0..1 and rounded to the
 * nearest of 0..255, halves up; NaN becomes 0. Local. Each pixel is independent, so
 * threads may share the work. */
void render_finish_rgb8(int64_t count, const float *rgba, const float background[3],
                        uint8_t *rgb);

/* The same without a background, for files that keep the opacity: [count][4], colour and
 * alpha. PNG colours are not premultiplied, so colour is divided by alpha; it is 0 if
 * alpha is not positive. */
void render_finish_rgba8(int64_t count, const float *rgba, uint8_t *bytes);

/* The same two in 16 bits, the higher byte first: 0..65535, [count][3] and [count][4] of
 * two bytes each. */
void render_finish_rgb16(int64_t count, const float *rgba, const float background[3],
                         uint8_t *bytes);
void render_finish_rgba16(int64_t count, const float *rgba, uint8_t *bytes);

/* Turns premultiplied light into premultiplied colours as displayed (base/srgb.h), in
 * place: rgba [count][4]. Local. */
void render_finish_display(int64_t count, float *rgba);

/* The functions of 8 bits, for an instruction set. All kernels give the same bytes. */
typedef struct finish_kernel {
    const char *name;
    void (*rgb8)(int64_t count, const float *rgba, const float background[3],
                 uint8_t *rgb);
    void (*rgba8)(int64_t count, const float *rgba, uint8_t *bytes);
} finish_kernel;

/* The kernels that this processor can run, from the plainest to the fastest,
 * NULL-terminated. The functions above use the fastest. For tests and benchmarks. */
const finish_kernel *const *render_finish_kernels(void);

#endif
