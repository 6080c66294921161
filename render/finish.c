#include "render/finish.h"

static uint8_t to_byte(float value)
{
    /* NaN compares false and becomes 0. */
    float scaled = value > 0.0f ? value * 255.0f + 0.5f : 0.0f;
    return scaled >= 255.0f ? 255 : (uint8_t)scaled;
}

void render_finish_rgb8(int64_t count, const float *rgba, const float background[3],
                        uint8_t *rgb)
{
    for (int64_t i = 0; i < count; i++) {
        float transmittance = 1.0f - rgba[4 * i + 3];
        for (int c = 0; c < 3; c++) {
            rgb[3 * i + c] = to_byte(rgba[4 * i + c] + transmittance * background[c]);
        }
    }
}
