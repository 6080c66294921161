#include "document.h"

#include <ctype.h>
#include <errno.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- Files ------------------------------------------------------------------------- */

const xdmf_document *xdmf_document_of(const xmlNode *element)
{
    return element->_private;
}

status xdmf_fail(const xmlNode *element, const char *format, ...)
{
    char what[XDMF_PATH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return base_fail(STATUS_INPUT, "XDMF file '%s' %s", xdmf_document_of(element)->path,
                     what);
}

/* Notes in each element of a document which one it is: copies keep it. */
static void mark(xmlNode *element, xdmf_document *document)
{
    for (xmlNode *one = element; one; one = one->next) {
        one->_private = document;
        if (one->type == XML_ELEMENT_NODE) {
            mark(one->children, document);
        }
    }
}

static status parse(xdmf_document *document, FILE *stream)
{
    static const xml_dialect dialect = {
        .kind = "XDMF file", .kept = XML_MOST_KEPT, .has_types = true};
    status s = xml_markup_read(stream, document->path, &dialect, &document->markup);
    if (s != STATUS_OK) {
        return s;
    }
    document->xml =
        xmlReadMemory(document->markup.text, (int)document->markup.length, "file.xml",
                      NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlNode *root = document->xml ? xmlDocGetRootElement(document->xml) : NULL;
    if (!root || strcasecmp((const char *)root->name, "Xdmf") != 0) {
        return base_fail(
            STATUS_INPUT, "XDMF file '%s' %s: write it again, or copy it again",
            document->path, root ? "has no element Xdmf" : "is no complete XML document");
    }
    mark(xmlDocGetRootElement(document->xml), document);
    return STATUS_OK;
}

/* O_NONBLOCK is not needed for a regular file, and no other is opened. */
static status open_stream(const char *path, FILE **out)
{
    struct stat about;
    *out = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    return *out ? STATUS_OK
                : base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                            errno != 0 ? strerror(errno) : "it is no regular file");
}

status xdmf_document_open(xdmf_set *set, const char *path, xdmf_document **out)
{
    FILE *stream = NULL;
    for (int n = 0; n < set->count; n++) {
        if (strcmp(set->documents[n].path, path) == 0) {
            *out = &set->documents[n];
            return STATUS_OK;
        }
    }
    if (set->count == XDMF_DOCUMENTS) {
        return base_fail(STATUS_INPUT, "XDMF file '%s' includes more than %d files",
                         set->documents[0].path, (int)XDMF_DOCUMENTS - 1);
    }
    errno = 0;
    status s = open_stream(path, &stream);
    if (s != STATUS_OK) {
        return s;
    }
    xdmf_document *made = &set->documents[set->count];
    *made = (xdmf_document){.path = strdup(path)};
    s = made->path ? io_array_table_add_file(set->builder->table, path, &made->file)
                   : base_fail_memory(strlen(path), "a path");
    set->count += made->path != NULL;
    s = s == STATUS_OK ? parse(made, stream) : s;
    fclose(stream);
    *out = made;
    return s == STATUS_OK ? xdmf_include_all(set, made) : s;
}

status xdmf_set_open(const char *path, io_array_builder *builder, xdmf_set *out)
{
    xdmf_document *first;
    *out = (xdmf_set){.builder = builder};
    return xdmf_document_open(out, path, &first);
}

void xdmf_set_close(xdmf_set *set)
{
    for (int n = 0; n < set->count; n++) {
        free(set->documents[n].path);
        free(set->documents[n].markup.text);
        xmlFreeDoc(set->documents[n].xml);
    }
    free(set->pointer);
    free(set->targets);
}

/* ---- References -------------------------------------------------------------------- */

static void pass_error(void *context, xmlError *error)
{
    (void)context, (void)error;
}

xmlNode **xdmf_find_all(xmlDoc *document, const char *path, int *count)
{
    enum { MOST_OPERATIONS = 100000000 };
    xmlXPathContext *context = xmlXPathNewContext(document);
    xmlXPathObject *result = NULL;
    xmlNode **nodes = NULL;
    *count = 0;
    if (context) {
        context->opLimit = MOST_OPERATIONS;
        context->error = pass_error;
        result = xmlXPathEvalExpression((const xmlChar *)path, context);
    }
    const xmlNodeSet *set =
        result && result->type == XPATH_NODESET ? result->nodesetval : NULL;
    nodes = malloc(((size_t)(set ? set->nodeNr : 0) + 1) * sizeof *nodes);
    for (int n = 0; nodes && set && n < set->nodeNr; n++) {
        if (set->nodeTab[n]->type == XML_ELEMENT_NODE) {
            nodes[(*count)++] = set->nodeTab[n];
        }
    }
    xmlXPathFreeObject(result);
    xmlXPathFreeContext(context);
    return nodes;
}

status xdmf_resolve(const xmlNode *element, const xmlNode **out)
{
    enum { MOST = 8 };
    char path[XDMF_PATH];
    for (int n = 0; n < MOST; n++) {
        if (!xml_attribute(element, "Reference", path, sizeof path)) {
            *out = element;
            return STATUS_OK;
        }
        if (strcasecmp(path, "XML") == 0 && !xdmf_text(element, path, sizeof path)) {
            return xdmf_fail(element, "has a Reference without a path");
        }
        int count;
        xmlNode **found = xdmf_find_all(element->doc, path, &count);
        if (count == 0) {
            free(found);
            return xdmf_fail(element, "has a Reference to '%.200s', which is not there",
                             path);
        }
        element = found[0];
        free(found);
    }
    return xdmf_fail(element, "has references that lead to references without end");
}

status xdmf_child(const xmlNode *element, const char *name, const xmlNode **out)
{
    *out = xml_child(element, name);
    return *out ? xdmf_resolve(*out, out) : STATUS_OK;
}

static const xmlNode *find_item(const xmlNode *element)
{
    while (element && strcmp((const char *)element->name, "DataItem") != 0 &&
           strcmp((const char *)element->name, "DataStructure") != 0) {
        element = xml_next(element, NULL);
    }
    return element;
}

const xmlNode *xdmf_first_item(const xmlNode *element)
{
    return find_item(xml_child(element, NULL));
}

const xmlNode *xdmf_next_item(const xmlNode *item)
{
    return find_item(xml_next(item, NULL));
}

/* ---- Attributes and texts ---------------------------------------------------------- */

bool xdmf_is(const xmlNode *element, const char *name, const char *value)
{
    char text[64];
    xml_attribute(element, name, text, sizeof text);
    return strcasecmp(text, value) == 0;
}

bool xdmf_type(const xmlNode *element, const char *name, char *out, size_t size)
{
    return xml_attribute(element, name, out, size) ||
           xml_attribute(element, "Type", out, size);
}

/* Places stand before texts: "offset length text". */
bool xdmf_text(const xmlNode *element, char *out, size_t size)
{
    int64_t offset, length;
    if (!xml_text_place(element, &offset, &length) || length > XML_MOST_KEPT) {
        return false;
    }
    xmlChar *content = xmlNodeGetContent(element);
    const char *text = content ? (const char *)content : "";
    for (int n = 0; n < 2; n++) {
        text += strspn(text, " ");
        text += strspn(text, "0123456789");
    }
    text += strspn(text, " \t\r\n");
    size_t count = strlen(text);
    while (count > 0 && isspace((unsigned char)text[count - 1])) {
        count--;
    }
    snprintf(out, size, "%.*s", (int)(count < size ? count : 0), text);
    xmlFree(content);
    return count > 0 && count < size;
}

status xdmf_path(const xmlNode *element, const char *file, char out[XDMF_PATH])
{
    const char *own = xdmf_document_of(element)->path;
    const char *slash = file[0] == '/' ? NULL : strrchr(own, '/');
    const int length =
        snprintf(out, XDMF_PATH, "%.*s%s", slash ? (int)(slash - own) + 1 : 0, own, file);
    return length >= 0 && length < XDMF_PATH
               ? STATUS_OK
               : xdmf_fail(element, "names a file with a path that is too long");
}
