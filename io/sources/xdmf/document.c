#include "document.h"

#include "io/file.h"

#include <libxml/xpath.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Elements ---------------------------------------------------------------------- */

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
        if (strcasecmp(path, "XML") == 0 && !xml_text(element, path, sizeof path)) {
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

status xdmf_path(const xmlNode *element, const char *file, char out[XDMF_PATH])
{
    return io_file_beside(xdmf_document_of(element)->path, file, out, XDMF_PATH)
               ? STATUS_OK
               : xdmf_fail(element, "names a file with a path that is too long");
}
