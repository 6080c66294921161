/* The footprints of a cube's k-d tree: active pixels where no data set is at hand. The
 * view is that of tests/bench/bench_composite, whose sparse case has the same images. */
#include "activity.h"

#include "base/vec.h"

#include <math.h>

/* The tree while it is descended. */
typedef struct descent {
    simulate_activity *activity;
    int visited; /* positions so far */
} descent;

/* The eye, from the middle of the cube, whose edges are 2 long. */
static vec3 eye(void)
{
    return vec3_make(-3.1, -5.2, 3.4);
}

static int longest_axis(box3 box)
{
    const vec3 size = vec3_sub(box.hi, box.lo);
    int axis = 0;
    for (int a = 1; a < 3; a++) {
        axis = size.v[a] > size.v[axis] ? a : axis;
    }
    return axis;
}

/* The corners of a box in pixels, [8][2], in perspective with an angle of 30 degrees. */
static void project_corners(const simulate_activity *activity, box3 box,
                            double corners[8][2])
{
    const vec3 forward = vec3_normalize(vec3_scale(eye(), -1));
    const vec3 right = vec3_normalize(vec3_cross(forward, vec3_make(0, 0, 1)));
    const vec3 up = vec3_cross(right, forward);
    const double half_angle = 15 * 3.14159265358979323846 / 180;
    const double scale = 0.5 * activity->height / tan(half_angle);
    for (int c = 0; c < 8; c++) {
        const vec3 point = vec3_make(box.lo.v[0], box.lo.v[1], box.lo.v[2]);
        const vec3 corner =
            vec3_make(c & 1 ? box.hi.v[0] : point.v[0], c & 2 ? box.hi.v[1] : point.v[1],
                      c & 4 ? box.hi.v[2] : point.v[2]);
        const vec3 ray = vec3_sub(corner, eye());
        const double depth = vec3_dot(ray, forward);
        corners[c][0] = 0.5 * activity->width + vec3_dot(ray, right) / depth * scale;
        corners[c][1] = 0.5 * activity->height - vec3_dot(ray, up) / depth * scale;
    }
}

/* The columns between which the convex hull of the corners lies at height y. A line
 * across the hull ends where it meets lines between two corners. */
static bool find_columns(double corners[8][2], double y, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (int a = 0; a < 8; a++) {
        for (int b = 0; b < 8; b++) {
            if (corners[a][1] <= y && corners[b][1] > y) {
                const double way = (y - corners[a][1]) / (corners[b][1] - corners[a][1]);
                const double x = corners[a][0] + way * (corners[b][0] - corners[a][0]);
                *least = fmin(*least, x);
                *most = fmax(*most, x);
            }
        }
    }
    return *least < *most;
}

static double clamp(double x, double most)
{
    return x <= 0 ? 0 : x >= most ? most : x;
}

/* Enough heights of a band to find the hull's area there. */
enum { HEIGHTS = 8 };

static simulate_span find_span(const simulate_activity *activity, double corners[8][2],
                               int band)
{
    const double rows = (double)activity->height / SIMULATE_BANDS;
    double left = INFINITY, right = -INFINITY, area = 0;
    for (int i = 0; i < HEIGHTS; i++) {
        double least, most;
        if (find_columns(corners, rows * (band + (i + 0.5) / HEIGHTS), &least, &most)) {
            least = clamp(least, activity->width);
            most = clamp(most, activity->width);
            left = fmin(left, least);
            right = fmax(right, most);
            area += most - least;
        }
    }
    const int first = left < right ? (int)left : 0;
    const int end = left < right ? (int)ceil(right) : 0;
    const double fill = end > first ? area / HEIGHTS / (end - first) : 0;
    return (simulate_span){(uint16_t)first, (uint16_t)end,
                           (uint16_t)lround(65535 * fill)};
}

static void add_box(descent *all, box3 box)
{
    simulate_span *spans = simulate_activity_spans(all->activity, all->visited++);
    double corners[8][2];
    project_corners(all->activity, box, corners);
    for (int band = 0; band < SIMULATE_BANDS; band++) {
        spans[band] = find_span(all->activity, corners, band);
    }
}

/* Gives a box to `count` positions, those on the eye's side of a cut in front. */
static void split(descent *all, box3 box, int count)
{
    if (count == 1) {
        add_box(all, box);
        return;
    }
    const int axis = longest_axis(box), below = count / 2;
    const double length = box.hi.v[axis] - box.lo.v[axis];
    const double cut = box.lo.v[axis] + length * below / count;
    box3 low = box, high = box;
    low.hi.v[axis] = cut;
    high.lo.v[axis] = cut;
    const bool low_first = eye().v[axis] < cut;
    split(all, low_first ? low : high, low_first ? below : count - below);
    split(all, low_first ? high : low, low_first ? count - below : below);
}

status simulate_activity_kd(int width, int height, int size, simulate_activity *activity)
{
    const status s = simulate_activity_create(width, height, size, activity);
    if (s == STATUS_OK) {
        const box3 cube = {vec3_make(-1, -1, -1), vec3_make(1, 1, 1)};
        descent all = {activity, 0};
        split(&all, cube, size);
        simulate_activity_finish(activity);
    }
    return s;
}
