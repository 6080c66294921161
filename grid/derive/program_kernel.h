/* Programs at rows of points. rows_kernel.h includes this header once for each
 * instruction set. Each operation is a loop over a piece of the row, which compilers turn
 * into SIMD where the operation has an instruction. */
#include "program.h"

#include <math.h>

enum {
    PROGRAM_PIECE = 32
}; /* points at a time: results of a program stay in the cache */

/* The middle eigenvalue of the square of the strain rate plus that of the rotation rate,
 * from the gradients of the velocity's components. A vortex is where it is negative.
 * Jeong and Hussain, "On the identification of a vortex", Journal of Fluid Mechanics 285,
 * 1995. The eigenvalues of a symmetric matrix are the roots of its characteristic
 * polynomial, by cosines: O. K. Smith, Communications of the ACM 4, 1961. */
static double lambda2(const double u[3], const double v[3], const double w[3])
{
    /* S^2 + Omega^2 is the symmetric part of the gradient's square. */
    const double a = u[0] * u[0] + u[1] * v[0] + u[2] * w[0];
    const double b = v[0] * u[1] + v[1] * v[1] + v[2] * w[1];
    const double c = w[0] * u[2] + w[1] * v[2] + w[2] * w[2];
    const double ab = 0.5 * (u[0] * u[1] + u[1] * v[1] + u[2] * w[1] + v[0] * u[0] +
                             v[1] * v[0] + v[2] * w[0]);
    const double ac = 0.5 * (u[0] * u[2] + u[1] * v[2] + u[2] * w[2] + w[0] * u[0] +
                             w[1] * v[0] + w[2] * w[0]);
    const double bc = 0.5 * (v[0] * u[2] + v[1] * v[2] + v[2] * w[2] + w[0] * u[1] +
                             w[1] * v[1] + w[2] * w[1]);
    const double mean = (a + b + c) / 3.0;
    const double p = a - mean, q = b - mean, r = c - mean;
    const double size =
        (p * p + q * q + r * r) / 6.0 + (ab * ab + ac * ac + bc * bc) / 3.0;
    if (!(size > 0.0)) {
        return size == 0.0 ? mean : (double)NAN;
    }
    const double root = sqrt(size);
    const double determinant =
        p * (q * r - bc * bc) - ab * (ab * r - bc * ac) + ac * (ab * bc - q * ac);
    double cosine = determinant / (2.0 * size * root);
    cosine = cosine > 1.0 ? 1.0 : cosine < -1.0 ? -1.0 : cosine;
    const double angle = acos(cosine) / 3.0, third = 2.0943951023931954923;
    /* The largest lies at `angle`, the smallest a third of a turn on. */
    return mean - 2.0 * root * (cos(angle) + cos(angle + third));
}

static void lambda2_row(const program_op *op, int count, const double *const *slots,
                        double *restrict out)
{
    for (int i = 0; i < count; i++) {
        const int from[3] = {op->a, op->b, op->c};
        double g[3][3];
        for (int n = 0; n < 9; n++) {
            g[n / 3][n % 3] = slots[from[n / 3] + n % 3][i];
        }
        out[i] = lambda2(g[0], g[1], g[2]);
    }
}

/* The smaller or larger number; NaN if there is one. */
static inline double least(double a, double b)
{
    return a < b || isnan(a) ? a : b;
}

static inline double most(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* `truth` as a number; NaN if one of both is none. */
static inline double logical(bool truth, double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : truth ? 1.0 : 0.0;
}

#define EACH(expression)                                                                 \
    for (int i = 0; i < count; i++) {                                                    \
        out[i] = (expression);                                                           \
    }                                                                                    \
    break

/* Arithmetic, comparisons and choices. False: the operation is another one. */
static bool arithmetic(const program_op *op, int count, const double *const args[3],
                       double *restrict out)
{
    const double *restrict a = args[0], *restrict b = args[1], *restrict c = args[2];
    switch (op->code) {
    case PROGRAM_ADD:
        EACH(a[i] + b[i]);
    case PROGRAM_SUBTRACT:
        EACH(a[i] - b[i]);
    case PROGRAM_MULTIPLY:
        EACH(a[i] * b[i]);
    case PROGRAM_DIVIDE:
        EACH(a[i] / b[i]);
    case PROGRAM_NEGATE:
        EACH(-a[i]);
    case PROGRAM_SQRT:
        EACH(sqrt(a[i]));
    case PROGRAM_ABS:
        EACH(fabs(a[i]));
    case PROGRAM_MIN:
        EACH(least(a[i], b[i]));
    case PROGRAM_MAX:
        EACH(most(a[i], b[i]));
    case PROGRAM_LESS:
        EACH(logical(a[i] < b[i], a[i], b[i]));
    case PROGRAM_LESS_EQUAL:
        EACH(logical(a[i] <= b[i], a[i], b[i]));
    case PROGRAM_EQUAL:
        EACH(logical(!(a[i] < b[i]) && !(a[i] > b[i]), a[i], b[i]));
    case PROGRAM_UNEQUAL:
        EACH(logical(a[i] < b[i] || a[i] > b[i], a[i], b[i]));
    case PROGRAM_AND:
        EACH(logical(fabs(a[i]) > 0.0 && fabs(b[i]) > 0.0, a[i], b[i]));
    case PROGRAM_OR:
        EACH(logical(fabs(a[i]) > 0.0 || fabs(b[i]) > 0.0, a[i], b[i]));
    case PROGRAM_NOT:
        EACH(logical(!(fabs(a[i]) > 0.0), a[i], a[i]));
    case PROGRAM_IF:
        EACH(isnan(a[i]) ? a[i] : fabs(a[i]) > 0.0 ? b[i] : c[i]);
    default:
        return false;
    }
    return true;
}

/* Functions of the mathematical library. */
static void mathematics(const program_op *op, int count, const double *const args[3],
                        double *restrict out)
{
    const double *restrict a = args[0], *restrict b = args[1];
    switch (op->code) {
    case PROGRAM_POWER:
        EACH(pow(a[i], b[i]));
    case PROGRAM_SIGN:
        EACH(a[i] > 0.0 ? 1.0 : a[i] < 0.0 ? -1.0 : a[i]);
    case PROGRAM_FLOOR:
        EACH(floor(a[i]));
    case PROGRAM_CEIL:
        EACH(ceil(a[i]));
    case PROGRAM_ROUND:
        EACH(round(a[i]));
    case PROGRAM_MOD:
        EACH(a[i] - b[i] * floor(a[i] / b[i]));
    case PROGRAM_CBRT:
        EACH(cbrt(a[i]));
    case PROGRAM_EXP:
        EACH(exp(a[i]));
    case PROGRAM_LOG:
        EACH(log(a[i]));
    case PROGRAM_LOG10:
        EACH(log10(a[i]));
    case PROGRAM_LOG2:
        EACH(log2(a[i]));
    case PROGRAM_SIN:
        EACH(sin(a[i]));
    case PROGRAM_COS:
        EACH(cos(a[i]));
    case PROGRAM_TAN:
        EACH(tan(a[i]));
    case PROGRAM_ASIN:
        EACH(asin(a[i]));
    case PROGRAM_ACOS:
        EACH(acos(a[i]));
    case PROGRAM_ATAN:
        EACH(atan(a[i]));
    case PROGRAM_ATAN2:
        EACH(atan2(a[i], b[i]));
    case PROGRAM_SINH:
        EACH(sinh(a[i]));
    case PROGRAM_COSH:
        EACH(cosh(a[i]));
    default:
        EACH(tanh(a[i]));
    }
}

#undef EACH

static void run_op(const program_op *op, int count, const double *const *slots,
                   const double (*results)[PROGRAM_PIECE], double *restrict out)
{
    if (op->code == PROGRAM_NUMBER) {
        for (int i = 0; i < count; i++) {
            out[i] = op->number;
        }
    } else if (op->code == PROGRAM_SLOT) {
        memcpy(out, slots[op->a], (size_t)count * sizeof *out);
    } else if (op->code == PROGRAM_LAMBDA2) {
        lambda2_row(op, count, slots, out);
    } else {
        const double *const args[3] = {results[op->a], results[op->b], results[op->c]};
        if (!arithmetic(op, count, args, out)) {
            mathematics(op, count, args, out);
        }
    }
}

/* The results of a program at `count` points: slots[slot][count], NULL where the program
 * reads none. */
static void evaluate(const derive_program *program, int count, const double *const *slots,
                     double *out)
{
    double results[PROGRAM_OPS][PROGRAM_PIECE];
    const double *here[PROGRAM_SLOTS];
    for (int first = 0; first < count; first += PROGRAM_PIECE) {
        const int left = count - first,
                  piece = left < PROGRAM_PIECE ? left : PROGRAM_PIECE;
        for (int slot = 0; slot < PROGRAM_SLOTS; slot++) {
            here[slot] = slots[slot] ? slots[slot] + first : NULL;
        }
        for (int n = 0; n < program->count; n++) {
            run_op(&program->ops[n], piece, here, (const double(*)[PROGRAM_PIECE])results,
                   results[n]);
        }
        memcpy(out + first, results[program->count - 1], (size_t)piece * sizeof *out);
    }
}
