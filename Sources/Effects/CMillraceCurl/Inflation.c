#ifndef __APPLE__
#include "CMillraceCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The part of zlib's binary interface that is needed here. The names of types are this file's own.

struct stream {
  const uint8_t *next_in;
  unsigned int available_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned int available_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *allocate;
  void *release;
  void *opaque;
  int data_type;
  unsigned long checksum;
  unsigned long reserved;
};

struct millrace_inflation {
  struct stream stream;
};

// The version of `struct stream`. The library refuses a version whose first number is not its own, and another
// size of the struct.
static const char declared_version[] = "1.2.0";

enum { ok = 0, stream_end = 1, buffer_error = -5, no_flush = 0 };
// The largest window. 32 more lets the head decide between gzip and zlib; a negative one means neither.
enum { window_bits = 15, any_head = 32 };

static struct {
  int (*init)(struct stream *, int window_bits, const char *version, int size);
  int (*inflate)(struct stream *, int flush);
  int (*reset)(struct stream *);
  int (*end)(struct stream *);
  int is_there;
} zlib;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static int find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static void load(void) {
  void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  zlib.is_there = find(library, "inflateInit2_", &zlib.init) && find(library, "inflate", &zlib.inflate)
    && find(library, "inflateReset", &zlib.reset) && find(library, "inflateEnd", &zlib.end);
}

millrace_inflation *millrace_inflation_new(int is_raw) {
  pthread_once(&once, load);
  if (!zlib.is_there) return NULL;
  millrace_inflation *inflation = calloc(1, sizeof *inflation);
  if (!inflation) return NULL;
  int bits = is_raw ? -window_bits : window_bits + any_head;
  if (zlib.init(&inflation->stream, bits, declared_version, sizeof(struct stream)) == ok) return inflation;
  free(inflation);
  return NULL;
}

void millrace_inflation_free(millrace_inflation *inflation) {
  zlib.end(&inflation->stream);
  free(inflation);
}

int millrace_inflation_step(
  millrace_inflation *inflation, const uint8_t *input, size_t input_count, uint8_t *output,
  size_t output_count, size_t *taken, size_t *made) {
  struct stream *stream = &inflation->stream;
  stream->next_in = input;
  stream->available_in = (unsigned int)input_count;
  stream->next_out = output;
  stream->available_out = (unsigned int)output_count;
  int result = zlib.inflate(stream, no_flush);
  *taken = input_count - stream->available_in;
  *made = output_count - stream->available_out;
  stream->next_in = NULL;
  stream->next_out = NULL;
  if (result == stream_end) return 1;
  return result == ok || result == buffer_error ? 0 : -1;
}

int millrace_inflation_restart(millrace_inflation *inflation) { return zlib.reset(&inflation->stream) == ok; }
#endif
