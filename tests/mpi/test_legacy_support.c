#include "test_legacy_support.h"

#include <stdio.h>
#include <string.h>

double legacy_number(int array, int i, int j, int k)
{
    return 1.0 + 0.25 * i + 2.0 * j + 16.0 * k + 128.0 * array;
}

static void put(FILE *f, bool is_text, double value)
{
    const float single = (float)value;
    unsigned char bytes[4], turned[4];
    if (is_text) {
        fprintf(f, "%.9g\n", value);
        return;
    }
    memcpy(bytes, &single, sizeof bytes);
    for (int n = 0; n < 4; n++) {
        turned[n] = bytes[3 - n];
    }
    fwrite(turned, 1, 4, f);
}

/* Tuples of `components` numbers, those of arrays from `array` on. */
static void put_tuples(FILE *f, bool is_text, const int n[3], int array, int components)
{
    for (int k = 0; k < n[2]; k++) {
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++) {
                for (int c = 0; c < components; c++) {
                    put(f, is_text, legacy_number(array + c, i, j, k));
                }
            }
        }
    }
    fputc('\n', f);
}

static void put_fields(FILE *f, bool is_text)
{
    const int vertices[3] = {LEGACY_NI, LEGACY_NJ, LEGACY_NK},
              cells[3] = {LEGACY_NI - 1, LEGACY_NJ - 1, LEGACY_NK - 1};
    fprintf(f, "CELL_DATA %d\nSCALARS pressure float\nLOOKUP_TABLE default\n",
            (LEGACY_NI - 1) * (LEGACY_NJ - 1) * (LEGACY_NK - 1));
    put_tuples(f, is_text, cells, 3, 1);
    fprintf(f, "POINT_DATA %d\nVECTORS velocity float\n",
            LEGACY_NI * LEGACY_NJ * LEGACY_NK);
    put_tuples(f, is_text, vertices, 4, 3);
    fprintf(f, "METADATA\nINFORMATION 0\n\nFIELD FieldData 1\ntemp%%20here 1 %d float\n",
            LEGACY_NI * LEGACY_NJ * LEGACY_NK);
    put_tuples(f, is_text, vertices, 7, 1);
}

static void write_head(FILE *f, bool is_text, const char *kind)
{
    fprintf(f, "# vtk DataFile Version 3.0\nof a test\n%s\nDATASET %s\n",
            is_text ? "ASCII" : "BINARY", kind);
    fprintf(f, "DIMENSIONS %d %d %d\n", LEGACY_NI, LEGACY_NJ, LEGACY_NK);
}

void legacy_curvilinear(FILE *f, bool is_text)
{
    write_head(f, is_text, "STRUCTURED_GRID");
    fprintf(f, "POINTS %d float\n", LEGACY_NI * LEGACY_NJ * LEGACY_NK);
    put_tuples(f, is_text, (const int[3]){LEGACY_NI, LEGACY_NJ, LEGACY_NK}, 0, 3);
    put_fields(f, is_text);
}

void legacy_rectilinear(FILE *f, bool is_text)
{
    static const int n[3] = {LEGACY_NI, LEGACY_NJ, LEGACY_NK};
    write_head(f, is_text, "RECTILINEAR_GRID");
    for (int axis = 0; axis < 3; axis++) {
        fprintf(f, "%c_COORDINATES %d float\n", "XYZ"[axis], n[axis]);
        for (int i = 0; i < n[axis]; i++) {
            put(f, is_text, 3.0 * i * i + axis);
        }
        fputc('\n', f);
    }
    put_fields(f, is_text);
}

/* Bits, eight in a byte unless they are text, and texts, before the fields. */
void legacy_bits(FILE *f, bool is_text)
{
    write_head(f, is_text, "STRUCTURED_POINTS");
    fprintf(f, "ORIGIN 1 2 3\nSPACING 0.5 0.25 2\n");
    fprintf(f, "FIELD FieldData 1\nwriter 1 2 string\n%s\n",
            is_text ? "one\nand two" : "\303one\307and two");
    fprintf(f, "POINT_DATA %d\nSCALARS wet bit\nLOOKUP_TABLE default\n",
            LEGACY_NI * LEGACY_NJ * LEGACY_NK);
    for (int n = 0; n < (is_text ? LEGACY_NI * LEGACY_NJ * LEGACY_NK
                                 : (LEGACY_NI * LEGACY_NJ * LEGACY_NK + 7) / 8);
         n++) {
        fputs(is_text ? "1\n" : "\377", f);
    }
    fputc('\n', f);
    put_fields(f, is_text);
}

void legacy_uniform(FILE *f, bool is_text)
{
    write_head(f, is_text, "STRUCTURED_POINTS");
    fprintf(f, "ORIGIN 1 2 3\nSPACING 0.5 0.25 2\n");
    put_fields(f, is_text);
}
