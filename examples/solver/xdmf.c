#include "xdmf.h"

#include "failure.h"
#include "output.h"
#include "store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *escaped = *text == '&'   ? "&amp;"
                              : *text == '<' ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '"' ? "&quot;"
                                             : NULL;
        escaped ? fputs(escaped, out) : fputc(*text, out);
    }
}

/* Prints the array GROUP/<block>/<name> of the file `index`, of n[] values. */
static void print_array(FILE *out, const char *index, const char *group,
                        const char *block, const char *name, const int64_t n[3])
{
    fprintf(out,
            "            <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" "
            "Dimensions=\"%" PRId64 " %" PRId64 " %" PRId64 "\">",
            n[2], n[1], n[0]);
    print_text(out, index);
    fprintf(out, ":%s/", group);
    print_text(out, block);
    fprintf(out, "/%s</DataItem>\n", name);
}

static void print_block(FILE *out, const solver_flow *flow, int number, const char *index,
                        const char *step)
{
    static const char *const coordinates[] = {"x", "y", "z"};
    int64_t cells[3];
    const char *block = solver_flow_block(flow, number, cells);
    const int64_t vertices[3] = {cells[0] + 1, cells[1] + 1, cells[2] + 1};
    fputs("        <Grid GridType=\"Uniform\" Name=\"", out);
    print_text(out, block);
    fprintf(out,
            "\">\n"
            "          <Topology TopologyType=\"3DSMesh\" Dimensions=\"%" PRId64
            " %" PRId64 " %" PRId64 "\"/>\n"
            "          <Geometry GeometryType=\"X_Y_Z\">\n",
            vertices[2], vertices[1], vertices[0]);
    for (int c = 0; c < 3; c++) {
        print_array(out, index, "/grid", block, coordinates[c], vertices);
    }
    fputs("          </Geometry>\n", out);
    for (int v = 0; v < SOLVER_VARIABLES; v++) {
        const char *name = solver_store_variable(v);
        fprintf(out,
                "          <Attribute AttributeType=\"Scalar\" Name=\"%s\" "
                "Center=\"Cell\">\n",
                name);
        print_array(out, index, step, block, name, cells);
        fputs("          </Attribute>\n", out);
    }
    fputs("        </Grid>\n", out);
}

static void print_step(FILE *out, const solver_flow *flow, const char *index,
                       const double step[2])
{
    char group[32];
    snprintf(group, sizeof group, "/flow/%06" PRId64, (int64_t)step[0]);
    fprintf(out,
            "      <Grid GridType=\"Collection\" CollectionType=\"Spatial\" "
            "Name=\"%s\">\n"
            "        <Time Value=\"%.17g\"/>\n",
            strrchr(group, '/') + 1, step[1]);
    for (int block = 0; block < solver_flow_blocks(flow); block++) {
        print_block(out, flow, block, index, group);
    }
    fputs("      </Grid>\n", out);
}

bool solver_xdmf_write(const solver_flow *flow, const char *index, const char *part,
                       const solver_series_steps *steps)
{
    char *text = NULL, path[SOLVER_FILE_SIZE];
    size_t size = 0;
    const char *slash = strrchr(index, '/'), *name = slash ? slash + 1 : index;
    const char *dot = strrchr(name, '.'); /* a leading dot starts no ending */
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return solver_fail_memory(0, "an XDMF file");
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<Xdmf Version=\"3.0\">\n"
          "  <Domain>\n"
          "    <Grid GridType=\"Collection\" CollectionType=\"Temporal\" "
          "Name=\"steps\">\n",
          out);
    for (int64_t n = 0; n < steps->count; n++) {
        print_step(out, flow, name, steps->steps[n]);
    }
    fputs("    </Grid>\n"
          "  </Domain>\n"
          "</Xdmf>\n",
          out);
    bool works = ferror(out) == 0;
    works = (fclose(out) == 0 && works) || solver_fail_memory(size, "an XDMF file");
    snprintf(path, sizeof path, "%.*s.xdmf",
             (int)(dot && dot != name ? (size_t)(dot - index) : strlen(index)), index);
    works = works && solver_output_write(part, path, text, size);
    free(text);
    return works;
}
