/* Payloads of messages: pixels with the transparent ones left out. Private to composite/.
 */
#ifndef COMPOSITE_PIXELS_ENCODE_H
#define COMPOSITE_PIXELS_ENCODE_H

#include "base/image.h"
#include "composite/schedule.h"

/*
 * A payload of a range of pixels, in words of 4 bytes, is either
 *
 *   raw        rgba [npix][4], then depth [npix] where the image has it, or
 *   encoded    runs of active pixels: first (from the start of the range) and count, two
 *              uint32, then rgba [count][4], then depth [count]; again and again, by
 *              ascending pixels
 *
 * An encoded payload is always shorter than the raw one, so that the length tells them
 * apart; a range without active pixels is the payload of length 0. A pixel is transparent
 * where all bits of its colour and alpha are zero and its depth is +infinity.
 */

/* A payload that has come. */
typedef struct composite_payload {
    const float *words;
    int64_t bytes;
    int64_t pix0, npix; /* its range: pixels [pix0, pix0 + npix) */
    bool in_front;      /* of the image that it is merged into */
} composite_payload;

/* Bytes of a pixel of img, or of `npix` pixels raw. */
int64_t composite_raw_bytes(const image *img, int64_t npix);

/* Most bytes for which encoding pays: three quarters of the raw payload. */
int64_t composite_encoded_limit(const image *img, int64_t npix);

/*
 * Encodes the pixels [pix0, pix0 + npix) of img into out, [composite_encoded_limit / 4]
 * words, and sets *bytes. False where that does not pay, or, by a few samples, will
 * hardly do so; then out is untouched. Reads nothing outside the active rectangle. Local.
 */
bool composite_encode(const image *img, int64_t pix0, int64_t npix, float *out,
                      int64_t *bytes);

/*
 * Merges a payload into img, whose active rectangle grows by its pixels. Returns how many
 * were blended, or -1 where the payload is not as described above: nothing from there on
 * is merged, and never anything outside the range. Local.
 */
int64_t composite_merge(composite_operator op, const composite_payload *payload,
                        image *img);

/* Makes the pixels [pix0, pix0 + npix) of img transparent. Touches nothing outside the
 * active rectangle, which stays as it is. Local. */
void composite_erase(int64_t pix0, int64_t npix, image *img);

#endif
