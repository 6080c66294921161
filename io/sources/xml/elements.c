#include "elements.h"

#include "markup.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const xmlNode *find_element(const xmlNode *from, const char *name)
{
    while (from && (from->type != XML_ELEMENT_NODE ||
                    (name && strcmp((const char *)from->name, name) != 0))) {
        from = from->next;
    }
    return from;
}

const xmlNode *xml_child(const xmlNode *element, const char *name)
{
    return element ? find_element(element->children, name) : NULL;
}

const xmlNode *xml_next(const xmlNode *element, const char *name)
{
    return element ? find_element(element->next, name) : NULL;
}

bool xml_attribute(const xmlNode *element, const char *name, char *out, size_t size)
{
    xmlChar *value = xmlGetNoNsProp(element, (const xmlChar *)name);
    snprintf(out, size, "%.*s", (int)size - 1, value ? (const char *)value : "");
    xmlFree(value);
    return value != NULL;
}

bool xml_attribute_is(const xmlNode *element, const char *name, const char *value)
{
    char text[64];
    xml_attribute(element, name, text, sizeof text);
    return strcmp(text, value) == 0;
}

bool xml_reals(const xmlNode *element, const char *name, int count, double *out)
{
    char text[512], *at = text;
    xml_attribute(element, name, text, sizeof text);
    for (int n = 0; n < count; n++) {
        char *end = at;
        const double number = strtod(at, &end);
        if (end == at) {
            return false;
        }
        out[n] = number;
        at = end;
    }
    return true;
}

bool xml_text_place(const xmlNode *element, int64_t *offset, int64_t *length)
{
    int found = 0;
    for (const xmlNode *node = element->children; node; node = node->next) {
        /* A text behind an entity is the rest of a short one. */
        const bool is_rest = node->prev && node->prev->type == XML_ENTITY_REF_NODE;
        found += node->type == XML_TEXT_NODE && node->content && !is_rest &&
                 sscanf((const char *)node->content, " %" SCNd64 " %" SCNd64, offset,
                        length) == 2;
    }
    return found == 1;
}

/* Places stand before texts: "offset length text". */
bool xml_text(const xmlNode *element, char *out, size_t size)
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
