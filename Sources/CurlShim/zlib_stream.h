#pragma once

/// The `z_stream` of zlib 1, field by field. `inflateInit2_` gets the size of this struct, and fails if zlib's own has
/// another size.
struct zlib_stream {
  const unsigned char *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *(*allocate)(void *, unsigned int, unsigned int);
  void (*release)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long checksum;
  unsigned long reserved;
};
