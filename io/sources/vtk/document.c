#include "document.h"
#include "io/gzip/unpacked.h"

#include "encoded.h"

#include <errno.h>
#include <inttypes.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

status vtk_document_fail(const vtk_document *document, const char *what)
{
    return base_fail(STATUS_INPUT,
                     "VTK file '%s' %s: write it again, or convert it with ParaView",
                     document->path, what);
}

/* ---- Opening ----------------------------------------------------------------------- */

#ifdef KARMAN_HAS_LZ4
enum { HAS_LZ4 = 1 };
#else
enum { HAS_LZ4 = 0 };
#endif
#ifdef KARMAN_HAS_LZMA
enum { HAS_LZMA = 1 };
#else
enum { HAS_LZMA = 0 };
#endif

static status take_compressor(vtk_document *document, const xmlNode *root)
{
    static const struct {
        const char *name, *library;
        int form, is_there;
    } known[] = {{"vtkZLibDataCompressor", "zlib", 0, 1},
                 {"vtkLZ4DataCompressor", "liblz4", VTK_LZ4, HAS_LZ4},
                 {"vtkLZMADataCompressor", "liblzma", VTK_LZMA, HAS_LZMA}};
    char compressor[64];
    xml_attribute(root, "compressor", compressor, sizeof compressor);
    for (size_t n = 0; n < sizeof known / sizeof known[0]; n++) {
        if (strcmp(compressor, known[n].name) == 0 && !known[n].is_there) {
            return base_fail(
                STATUS_INPUT,
                "VTK file '%s' is compressed by %s, and this karman was built "
                "without %s: install it (Debian: %s-dev) and build anew, or "
                "write the file with vtkZLibDataCompressor",
                document->path, compressor, known[n].library, known[n].library);
        }
        if (strcmp(compressor, known[n].name) == 0) {
            document->form |= VTK_PACKED | known[n].form;
            return STATUS_OK;
        }
    }
    return compressor[0] == '\0'
               ? STATUS_OK
               : base_fail(
                     STATUS_INPUT,
                     "VTK file '%s' is compressed by %s, which karman does not read: "
                     "write it with vtkZLibDataCompressor, or with none",
                     document->path, compressor);
}

/* Takes the attributes of VTKFile. */
static status take_root(vtk_document *document)
{
    const xmlNode *root = xmlDocGetRootElement(document->xml);
    if (!root || strcmp((const char *)root->name, "VTKFile") != 0) {
        return vtk_document_fail(document, "has no element VTKFile");
    }
    xml_attribute(root, "type", document->type, sizeof document->type);
    document->data = xml_child(root, document->type);
    if (!document->data) {
        return vtk_document_fail(document, "has no element of its type");
    }
    const bool is_big = xml_attribute_is(root, "byte_order", "BigEndian");
    document->swaps = io_arrays_swap(is_big);
    document->form = VTK_XML | (is_big ? VTK_BIG : 0) |
                     (xml_attribute_is(root, "header_type", "UInt64") ? VTK_WIDE : 0);
    const xmlNode *appended = xml_child(root, "AppendedData");
    document->appends_base64 = appended && !xml_attribute_is(appended, "encoding", "raw");
    return take_compressor(document, root);
}

status vtk_document_open(const char *path, vtk_document *out)
{
    static const xml_dialect dialect = {.kind = "VTK file", .kept = 128, .appends = true};
    *out = (vtk_document){.path = path, .stream = io_unpacked_stream(path)};
    if (!out->stream) {
        return base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                         strerror(errno));
    }
    fseek(out->stream, 0, SEEK_END);
    out->size = ftell(out->stream);
    const status s = xml_markup_read(out->stream, path, &dialect, &out->markup);
    if (s != STATUS_OK) {
        return s;
    }
    out->xml = xmlReadMemory(out->markup.text, (int)out->markup.length, "file.xml", NULL,
                             XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    return out->xml ? take_root(out)
                    : vtk_document_fail(out, "is no complete XML document");
}

void vtk_document_close(vtk_document *document)
{
    if (document->stream) {
        fclose(document->stream);
    }
    free(document->markup.text);
    xmlFreeDoc(document->xml);
}

/* ---- Arrays ------------------------------------------------------------------------ */

static bool find_type(const xmlNode *element, io_number *out)
{
    static const char *const names[] = {
        [IO_FLOAT32] = "Float32", [IO_FLOAT64] = "Float64", [IO_INT8] = "Int8",
        [IO_UINT8] = "UInt8",     [IO_INT16] = "Int16",     [IO_UINT16] = "UInt16",
        [IO_INT32] = "Int32",     [IO_UINT32] = "UInt32",   [IO_INT64] = "Int64",
        [IO_UINT64] = "UInt64"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        if (xml_attribute_is(element, "type", names[n])) {
            *out = (io_number)n;
            return true;
        }
    }
    return false;
}

/* Finds where the values of an array are, and how. */
static status find_values(const vtk_document *document, const xmlNode *element,
                          vtk_encoded *out)
{
    out->form = document->form;
    if (xml_attribute_is(element, "format", "appended")) {
        double offset;
        if (document->markup.appended == 0 || !xml_reals(element, "offset", 1, &offset) ||
            offset < 0.0 ||
            offset > (double)(document->size - document->markup.appended)) {
            return vtk_document_fail(document, "ends before an array");
        }
        out->form |= document->appends_base64 ? VTK_BASE64 : 0;
        out->offset = document->markup.appended + (int64_t)offset;
        out->length = document->size - out->offset;
        return STATUS_OK;
    }
    if (!xml_text_place(element, &out->offset, &out->length)) {
        return vtk_document_fail(document, "has an array without values");
    }
    const bool is_base64 = xml_attribute_is(element, "format", "binary");
    out->form = is_base64 ? out->form | VTK_BASE64 : VTK_XML | VTK_TEXT;
    return STATUS_OK;
}

status vtk_document_array(const vtk_document *document, const xmlNode *element,
                          const int64_t n[3], vtk_array *out, bool *known)
{
    double components = 1.0;
    vtk_encoded values = {0};
    io_number type;
    *known = find_type(element, &type);
    if (!*known) {
        return STATUS_OK;
    }
    xml_reals(element, "NumberOfComponents", 1, &components);
    const double bytes = (double)n[0] * (double)n[1] * (double)n[2] * components *
                         (double)io_number_size(type);
    if (!(components >= 1.0 && components <= 64.0) || bytes > 0x1p50) {
        return vtk_document_fail(document, "has an array of impossible size");
    }
    status s = find_values(document, element, &values);
    const bool is_text = values.form & VTK_TEXT;
    type = is_text && type != IO_FLOAT32 ? IO_FLOAT64 : type;
    *out =
        (vtk_array){.components = (int)components, .step = (int64_t)io_number_size(type)};
    values.size = n[0] * n[1] * n[2] * out->components * out->step;
    s = s == STATUS_OK ? vtk_encoded_check(document->stream, document->path, &values) : s;
    out->place =
        io_array_place_make(type, document->swaps && !is_text, 0, n, out->components, 0);
    out->place.file = document->file;
    vtk_encoded_put(&values, &out->place);
    if (!(values.form & (VTK_TEXT | VTK_BASE64 | VTK_PACKED))) {
        out->place.is_coded = false;
        out->place.offset = values.offset + vtk_encoded_header(&values);
    }
    return s;
}

io_array_place vtk_array_component(const vtk_array *array, int component)
{
    io_array_place place = array->place;
    place.offset += component * array->step;
    return place;
}
