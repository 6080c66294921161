#include "reference/reference.h"

#include <math.h>

static const double radians_per_degree = 3.14159265358979323846 / 180.0;

reference_ray reference_camera_ray(const reference_camera *camera, double column,
                                   double row)
{
    vec3 forward = vec3_normalize(vec3_sub(camera->look_at, camera->position));
    vec3 right = vec3_normalize(vec3_cross(forward, camera->up));
    vec3 up = vec3_cross(right, forward);

    /* The picture is two units high; the camera looks at its middle. */
    double across = (2.0 * column - camera->columns) / camera->rows;
    double upwards = 1.0 - 2.0 * row / camera->rows;
    double scale = camera->orthographic ? 0.5 * camera->height
                                        : tan(0.5 * camera->fov * radians_per_degree);
    vec3 offset =
        vec3_add(vec3_scale(right, scale * across), vec3_scale(up, scale * upwards));
    if (camera->orthographic) {
        return (reference_ray){vec3_add(camera->position, offset), forward};
    }
    return (reference_ray){camera->position, vec3_normalize(vec3_add(forward, offset))};
}
