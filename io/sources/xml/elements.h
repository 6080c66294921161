/* Elements of an XML document whose texts became places (markup.h). */
#ifndef IO_SOURCES_XML_ELEMENTS_H
#define IO_SOURCES_XML_ELEMENTS_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first child of this name of an element, or the next element of this name behind
 * one; NULL: there is none, or no element was given. Name NULL: any. Local. */
const xmlNode *xml_child(const xmlNode *element, const char *name);
const xmlNode *xml_next(const xmlNode *element, const char *name);

/* Copies an attribute, cut to `size`; "" and false if there is none. Local. */
bool xml_attribute(const xmlNode *element, const char *name, char *out, size_t size);

/* Whether an attribute has this value. Local. */
bool xml_attribute_is(const xmlNode *element, const char *name, const char *value);

/* Reads the numbers of an attribute; false: there are not `count`. Local. */
bool xml_reals(const xmlNode *element, const char *name, int count, double *out);

/* The place of the only text of an element in its file; false: there is not one. Local.
 */
bool xml_text_place(const xmlNode *element, int64_t *offset, int64_t *length);

/* Copies the text of an element without the white space around it, if the dialect keeps
 * it; false: there is none, or it is too long. Local. */
bool xml_text(const xmlNode *element, char *out, size_t size);

#endif
