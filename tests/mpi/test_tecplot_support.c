#include "test_tecplot_support.h"

#include <stdbool.h>
#include <stdio.h>

double tecplot_number(int variable, int i, int j, int k)
{
    return 1.0 + 0.25 * i + 2.0 * j + 16.0 * k + 128.0 * variable;
}

void tecplot_head(FILE *f)
{
    fprintf(f, "# of a test\n\nTitle = \"a = test, ZONE\"\n");
    fprintf(f, "variables = \"X (m)\", Y\n\"Z\" \"Pressure (Pa)\",\n \"U\", iblank\n");
    fprintf(f, "DATASETAUXDATA Common.Speed = \"3 # no comment\"\n");
    fprintf(f, "TEXT X=3, Y=4, T=\"ZONE of text\"\nGEOMETRY T=LINE\n1\n2\n0 0\n1 1\n");
    fprintf(f, "ZONE T=\"of triangles\" N=3, E=1, F=FEPOINT, ET=TRIANGLE\n");
    fprintf(f, "1 2 3 4 5 6\n1 2 3 4 5 6\n1 2 3 4 5 6\n1 2 3\n");
}

static void put_variable(FILE *f, int variable, bool is_cell, double more)
{
    const int less = is_cell ? 1 : 0;
    for (int k = 0; k < TECPLOT_NK - less; k++) {
        for (int j = 0; j < TECPLOT_NJ - less; j++) {
            for (int i = 0; i < TECPLOT_NI - less; i++) {
                fprintf(f, "%.9g\n", tecplot_number(variable, i, j, k) + more);
            }
        }
    }
}

/* Variables of a zone, one behind the other. */
void tecplot_block(FILE *f)
{
    tecplot_head(f);
    fprintf(f, "Zone T=\"a block\", I=%d J=%d,K = %d ZONETYPE=ORDERED\n", TECPLOT_NI,
            TECPLOT_NJ, TECPLOT_NK);
    fprintf(f, "DATAPACKING=BLOCK # here\nDT=(SINGLE SINGLE)\n");
    fprintf(f, "VARLOCATION=([4]=CELLCENTERED, [5-6]=NODAL), SOLUTIONTIME=7\n");
    for (int variable = 0; variable < TECPLOT_VARIABLES - 1; variable++) {
        put_variable(f, variable, variable == 3, 0.0);
    }
    fprintf(f, "%d*1\n", TECPLOT_NI * TECPLOT_NJ * TECPLOT_NK);
}

void tecplot_point(FILE *f)
{
    tecplot_head(f);
    fprintf(f, "ZONE I=%d, J=%d, K=%d, F=POINT\n", TECPLOT_NI, TECPLOT_NJ, TECPLOT_NK);
    for (int n = 0; n < TECPLOT_NI * TECPLOT_NJ * TECPLOT_NK; n++) {
        for (int v = 0; v < TECPLOT_VARIABLES - 1; v++) {
            fprintf(f, "%.9gD+00, ",
                    tecplot_number(v, n % TECPLOT_NI, n / TECPLOT_NI % TECPLOT_NJ,
                                   n / TECPLOT_NI / TECPLOT_NJ));
        }
        fprintf(f, "1\n");
    }
}

/* Two steps of a strand: the second shares its coordinates, and has no iblank. */
void tecplot_strand(FILE *f)
{
    tecplot_block(f);
    fprintf(f, "ZONE I=%d J=%d K=%d F=BLOCK STRANDID=1 SOLUTIONTIME=0.5\n", TECPLOT_NI,
            TECPLOT_NJ, TECPLOT_NK);
    for (int variable = 0; variable < TECPLOT_VARIABLES; variable++) {
        put_variable(f, variable, false, 0.0);
    }
    fprintf(f, "ZONE I=%d J=%d K=%d F=BLOCK STRANDID=1 SOLUTIONTIME=1.5\n", TECPLOT_NI,
            TECPLOT_NJ, TECPLOT_NK);
    fprintf(f, "VARSHARELIST=([1-3]=3) PASSIVEVARLIST=([6])\n");
    put_variable(f, 3, false, 1000.0);
    put_variable(f, 4, false, 1000.0);
}

/* The same with coordinates of its own. */
void tecplot_moving(FILE *f)
{
    tecplot_head(f);
    for (int step = 0; step < 2; step++) {
        fprintf(f, "ZONE I=%d J=%d K=%d F=BLOCK STRANDID=1 SOLUTIONTIME=%d\n", TECPLOT_NI,
                TECPLOT_NJ, TECPLOT_NK, step);
        for (int variable = 0; variable < TECPLOT_VARIABLES; variable++) {
            put_variable(f, variable, false, 1000.0 * step);
        }
    }
}

/* Two blocks in one strand, each at two times. */
void tecplot_pair(FILE *f)
{
    tecplot_head(f);
    for (int zone = 0; zone < 4; zone++) {
        fprintf(f, "ZONE I=%d J=%d K=%d F=BLOCK STRANDID=1 SOLUTIONTIME=%d\n", TECPLOT_NI,
                TECPLOT_NJ, TECPLOT_NK, zone / 2);
        for (int variable = 0; variable < TECPLOT_VARIABLES; variable++) {
            put_variable(f, variable, false, variable < 3 ? 0.0 : 1000.0 * zone);
        }
    }
}
