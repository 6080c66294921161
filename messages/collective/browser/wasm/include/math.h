/* For the page's build: instructions of WebAssembly. */
#pragma once

#define INFINITY    __builtin_inf()
#define isfinite(x) __builtin_isfinite(x)
#define isnan(x)    __builtin_isnan(x)

/* No argument is a NaN. */
static inline double fmax(double a, double b)
{
    return a > b ? a : b;
}

static inline double fmin(double a, double b)
{
    return a < b ? a : b;
}

static inline double floor(double a)
{
    return __builtin_floor(a);
}

static inline double ceil(double a)
{
    return __builtin_ceil(a);
}

static inline double fabs(double a)
{
    return __builtin_fabs(a);
}

double sqrt(double a);
double tan(double a);
long lround(double a);
