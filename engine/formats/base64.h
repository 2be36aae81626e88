// Base64 (RFC 4648): the standard alphabet with padding, as in data URIs, and base64url without padding, as in links.
#ifndef TIDE_FORMATS_BASE64_H
#define TIDE_FORMATS_BASE64_H

#include "base/text.h"

void tide_base64_add(tide_text *out, const void *bytes, size_t size);
void tide_base64url_add(tide_text *out, const void *bytes, size_t size);
// Adds the bytes that a base64url text encodes. Returns false, and may have added some of them, if it has other
// characters, a length that no encoding has, or bits beyond the last byte that are not 0.
bool tide_base64url_read(const char *text, size_t size, tide_text *bytes);

#endif
