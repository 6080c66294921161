/* Files of XDMF, and xi:include: other files, and parts of them or of the same file by
 * XPointer. Source: W3C, "XML Inclusions (XInclude)"; "XPointer Framework" (element(),
 * xpointer()). */
#include "document.h"

#include <ctype.h>
#include <errno.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- Files ------------------------------------------------------------------------- */

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

/* ---- xi:include -------------------------------------------------------------------- */

/* The XPath of an XPointer: "xpointer(//Grid[1])", or "element(/1/2)", the second child
 * of the first element; false: it is none of them. */
static bool make_xpath(const char *pointer, char *out, size_t size)
{
    static const char as_path[] = "xpointer(", as_children[] = "element(";
    const size_t length = strlen(pointer);
    if (length == 0 || length > size / 6 || pointer[length - 1] != ')') {
        return false;
    }
    if (strncmp(pointer, as_path, sizeof as_path - 1) == 0) {
        snprintf(out, size, "%.*s", (int)(length - sizeof as_path),
                 pointer + sizeof as_path - 1);
        return true;
    }
    if (strncmp(pointer, as_children, sizeof as_children - 1) != 0) {
        return false;
    }
    for (const char *at = pointer + sizeof as_children - 1; *at == '/';) {
        const size_t digits = strspn(at + 1, "0123456789");
        const int count = snprintf(out, size, "/*[%.*s]", (int)digits, at + 1);
        out += count;
        size -= (size_t)count;
        at += digits + 1;
    }
    return true;
}

static bool is_include(const xmlNode *node)
{
    const char *name = node->type == XML_ELEMENT_NODE ? (const char *)node->name : "";
    return strcmp(name, "include") == 0 || strcmp(name, "xi:include") == 0;
}

/* Finds the elements that a pointer names. Those of the last one are kept: steps often
 * include one and the same. */
static status find_targets(xdmf_set *set, const xmlNode *include, xmlDoc *document,
                           const char *pointer)
{
    char path[6 * XDMF_PATH];
    if (set->pointer && document == set->pointed && strcmp(set->pointer, pointer) == 0) {
        return STATUS_OK;
    }
    free(set->pointer);
    free(set->targets);
    set->targets = NULL;
    set->pointer = strdup(pointer);
    set->pointed = document;
    if (!set->pointer) {
        return base_fail_memory(strlen(pointer), "a path");
    }
    if (pointer[0] != '\0' && !make_xpath(pointer, path, sizeof path)) {
        return xdmf_fail(
            include, "includes parts by '%.200s', which karman does not read", pointer);
    }
    set->targets =
        xdmf_find_all(document, pointer[0] == '\0' ? "/*" : path, &set->ntargets);
    for (int n = 0; n < set->ntargets && set->targets; n++) {
        if (is_include(set->targets[n])) { /* it is replaced later */
            set->ntargets = 0;
        }
    }
    return set->targets && set->ntargets > 0
               ? STATUS_OK
               : xdmf_fail(include, "includes '%.200s', which is not there", pointer);
}

static int64_t count_nodes(const xmlNode *node)
{
    int64_t count = 1;
    for (const xmlNode *one = node->children; one && node->type == XML_ELEMENT_NODE;
         one = one->next) {
        count += count_nodes(one);
    }
    return count;
}

/* Copies keep no _private: it is set as in the original. */
static void mark_copy(const xmlNode *original, xmlNode *copy)
{
    copy->_private = original->_private;
    const xmlNode *from = original->children;
    for (xmlNode *to = copy->children; to && from && copy->type == XML_ELEMENT_NODE;
         to = to->next, from = from->next) {
        mark_copy(from, to);
    }
}

/* Puts a copy of an element before the xi:include. */
static status insert(xdmf_set *set, xmlNode *include, const xmlNode *target)
{
    enum { MOST_NODES = 4000000 };
    set->copied += count_nodes(target);
    if (set->copied > MOST_NODES) {
        return xdmf_fail(include, "includes more than %d elements", (int)MOST_NODES);
    }
    xmlNode *copy = xmlDocCopyNode((xmlNode *)target, include->doc, 1);
    if (!copy) {
        return base_fail_memory(sizeof *copy, "an XML element");
    }
    mark_copy(target, copy);
    xmlAddPrevSibling(include, copy);
    return STATUS_OK;
}

/* Whether one element holds another. */
static bool holds(const xmlNode *element, const xmlNode *other)
{
    while (other && other != element) {
        other = other->parent;
    }
    return other != NULL;
}

static status open_document(xdmf_set *set, const char *path, xdmf_document **out);

static status include_one(xdmf_set *set, xmlNode *include)
{
    char href[XDMF_PATH], path[XDMF_PATH], pointer[XDMF_PATH];
    xmlDoc *document = include->doc;
    status s = STATUS_OK;
    xml_attribute(include, "xpointer", pointer, sizeof pointer);
    if (xml_attribute(include, "href", href, sizeof href) && href[0] != '\0') {
        xdmf_document *other = NULL;
        s = xdmf_path(include, href, path);
        s = s == STATUS_OK ? open_document(set, path, &other) : s;
        document = s == STATUS_OK ? other->xml : NULL;
    }
    s = s == STATUS_OK && !document
            ? xdmf_fail(include, "includes a file that includes it")
            : s;
    s = s == STATUS_OK ? find_targets(set, include, document, pointer) : s;
    for (int n = 0; n < set->ntargets && s == STATUS_OK; n++) {
        const xmlNode *target = set->targets[n];
        s = holds(target, include)
                ? xdmf_fail(include, "includes an element that holds the xi:include")
                : insert(set, include, target);
    }
    return s;
}

/* Goes through an element; includes in copies are reached as well. */
static status include_below(xdmf_set *set, xmlNode *element, int depth)
{
    enum { MOST_DEPTH = 64 };
    status s =
        depth > MOST_DEPTH ? xdmf_fail(element, "has elements without end") : STATUS_OK;
    for (xmlNode *one = element->children; one && s == STATUS_OK;) {
        xmlNode *next = one->next;
        if (is_include(one)) {
            const xmlNode *before = one->prev;
            s = include_one(set, one);
            xmlUnlinkNode(one);
            xmlFreeNode(one);
            next = before ? before->next : element->children;
        } else if (one->type == XML_ELEMENT_NODE) {
            s = include_below(set, one, depth + 1);
        }
        one = next;
    }
    return s;
}

/* ---- The set ----------------------------------------------------------------------- */

/* Opens a file with all that it includes, unless it is in the set. */
static status open_document(xdmf_set *set, const char *path, xdmf_document **out)
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
    return s == STATUS_OK ? include_below(set, xmlDocGetRootElement(made->xml), 0) : s;
}

status xdmf_set_open(const char *path, io_array_builder *builder, xdmf_set *out)
{
    xdmf_document *first;
    *out = (xdmf_set){.builder = builder};
    return open_document(out, path, &first);
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
    base_lookup_clear(&set->files);
}
