#ifndef __APPLE__
#define _GNU_SOURCE
#include "CMillraceCurl.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#ifdef __linux__
#include <linux/sockios.h>
#endif
#include <time.h>

// What of curl's binary interface is needed here. The names of types are this file's own.

typedef size_t (*data_callback)(char *bytes, size_t size, size_t count, void *context);

struct version_facts {
  int age;
  const char *text;
  unsigned int number;
  const char *host;
  int features;
};

struct socket_address {
  int family;
  int type;
  int protocol;
  unsigned int length;
  struct sockaddr address;
};

struct multi_message {
  int kind;
  millrace_curl_easy *easy;
  union {
    void *pointer;
    int code;
  } data;
};

struct option_facts {
  const char *name;
  int number;
};

enum { message_done = 1, global_all = 3, pause_none = 0 };
enum { pause_writing = 0x10000001, abort_reading = 0x10000000, bad_socket = -1 };

static struct {
  int (*global_init)(long flags);
  struct version_facts *(*version_info)(int age);
  millrace_curl_easy *(*easy_init)(void);
  void (*easy_cleanup)(millrace_curl_easy *);
  int (*easy_setopt)(millrace_curl_easy *, int option, ...);
  int (*easy_getinfo)(millrace_curl_easy *, int info, ...);
  int (*easy_pause)(millrace_curl_easy *, int);
  const char *(*easy_strerror)(int);
  millrace_curl_list *(*slist_append)(millrace_curl_list *, const char *);
  void (*slist_free_all)(millrace_curl_list *);
  millrace_curl_multi *(*multi_init)(void);
  int (*multi_cleanup)(millrace_curl_multi *);
  int (*multi_setopt)(millrace_curl_multi *, int option, ...);
  int (*multi_add_handle)(millrace_curl_multi *, millrace_curl_easy *);
  int (*multi_remove_handle)(millrace_curl_multi *, millrace_curl_easy *);
  int (*multi_perform)(millrace_curl_multi *, int *running);
  int (*multi_poll)(millrace_curl_multi *, void *, unsigned int, int timeout, int *ready);
  int (*multi_wakeup)(millrace_curl_multi *);
  struct multi_message *(*multi_info_read)(millrace_curl_multi *, int *left);
  // Not before 7.73.
  const struct option_facts *(*option_by_name)(const char *);
} curl;

static struct version_facts *version;

// `dlsym` gives a data pointer, which C does not convert to a function's.
static int find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

millrace_curl_state millrace_curl_load(const char *const *names, size_t count) {
  void *library = NULL;
  for (size_t i = 0; i < count && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return MILLRACE_CURL_MISSING;
  if (!find(library, "curl_version_info", &curl.version_info)) return MILLRACE_CURL_INCOMPLETE;
  version = curl.version_info(0);
  if (version->number < MILLRACE_CURL_OLDEST) return MILLRACE_CURL_TOO_OLD;
  int all = 1;
  all &= find(library, "curl_global_init", &curl.global_init);
  all &= find(library, "curl_easy_init", &curl.easy_init);
  all &= find(library, "curl_easy_cleanup", &curl.easy_cleanup);
  all &= find(library, "curl_easy_setopt", &curl.easy_setopt);
  all &= find(library, "curl_easy_getinfo", &curl.easy_getinfo);
  all &= find(library, "curl_easy_pause", &curl.easy_pause);
  all &= find(library, "curl_easy_strerror", &curl.easy_strerror);
  all &= find(library, "curl_slist_append", &curl.slist_append);
  all &= find(library, "curl_slist_free_all", &curl.slist_free_all);
  all &= find(library, "curl_multi_init", &curl.multi_init);
  all &= find(library, "curl_multi_cleanup", &curl.multi_cleanup);
  all &= find(library, "curl_multi_setopt", &curl.multi_setopt);
  all &= find(library, "curl_multi_add_handle", &curl.multi_add_handle);
  all &= find(library, "curl_multi_remove_handle", &curl.multi_remove_handle);
  all &= find(library, "curl_multi_perform", &curl.multi_perform);
  all &= find(library, "curl_multi_poll", &curl.multi_poll);
  all &= find(library, "curl_multi_wakeup", &curl.multi_wakeup);
  all &= find(library, "curl_multi_info_read", &curl.multi_info_read);
  if (!all) return MILLRACE_CURL_INCOMPLETE;
  find(library, "curl_easy_option_by_name", &curl.option_by_name);
  return curl.global_init(global_all) == 0 ? MILLRACE_CURL_READY : MILLRACE_CURL_NOT_STARTED;
}

unsigned int millrace_curl_version_number(void) { return version ? version->number : 0; }
const char *millrace_curl_version(void) { return version ? version->text : ""; }
int millrace_curl_features(void) { return version ? version->features : 0; }

int millrace_curl_option_named(const char *name) {
  if (!curl.option_by_name) return -2;
  const struct option_facts *facts = curl.option_by_name(name);
  return facts ? facts->number : -1;
}

millrace_curl_easy *millrace_curl_easy_new(void) { return curl.easy_init(); }
void millrace_curl_easy_free(millrace_curl_easy *easy) { curl.easy_cleanup(easy); }

int millrace_curl_set_long(millrace_curl_easy *easy, int option, long value) {
  return curl.easy_setopt(easy, option, value);
}

int millrace_curl_set_size(millrace_curl_easy *easy, int option, int64_t value) {
  return curl.easy_setopt(easy, option, value);
}

int millrace_curl_set_text(millrace_curl_easy *easy, int option, const char *value) {
  return curl.easy_setopt(easy, option, value);
}

int millrace_curl_set_list(millrace_curl_easy *easy, int option, millrace_curl_list *value) {
  return curl.easy_setopt(easy, option, value);
}

long millrace_curl_info_long(millrace_curl_easy *easy, int info) {
  long value = 0;
  curl.easy_getinfo(easy, info, &value);
  return value;
}

const char *millrace_curl_easy_problem(int code) { return curl.easy_strerror(code); }
int millrace_curl_easy_resume(millrace_curl_easy *easy) { return curl.easy_pause(easy, pause_none); }

static size_t header_arrived(char *bytes, size_t size, size_t count, void *context) {
  millrace_curl_callbacks *callbacks = context;
  return callbacks->header(callbacks->context, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

static size_t body_arrived(char *bytes, size_t size, size_t count, void *context) {
  millrace_curl_callbacks *callbacks = context;
  if (size * count == 0) return 0;
  switch (callbacks->body(callbacks->context, (const uint8_t *)bytes, size * count)) {
  case 1: return size * count;
  case 2: return pause_writing;
  default: return 0;
  }
}

static size_t body_wanted(char *bytes, size_t size, size_t count, void *context) {
  millrace_curl_callbacks *callbacks = context;
  int64_t read = callbacks->read(callbacks->context, (uint8_t *)bytes, size * count);
  return read < 0 ? abort_reading : (size_t)read;
}

static int body_sought(void *context, int64_t offset, int origin) {
  millrace_curl_callbacks *callbacks = context;
  return origin == SEEK_SET && callbacks->seek(callbacks->context, offset) ? 0 : 1;
}

static int socket_wanted(void *context, int purpose, struct socket_address *address) {
  (void)context;
  (void)purpose;
  return socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
}

enum {
  opt_write_data = 10001,
  opt_read_data = 10009,
  opt_error_buffer = 10010,
  opt_write_function = 20011,
  opt_read_function = 20012,
  opt_header_data = 10029,
  opt_header_function = 20079,
  opt_open_socket_function = 20163,
  opt_seek_function = 20167,
  opt_seek_data = 10168
};

void millrace_curl_set_callbacks(
  millrace_curl_easy *easy, millrace_curl_callbacks *callbacks, char *problem) {
  problem[0] = 0;
  curl.easy_setopt(easy, opt_error_buffer, problem);
  curl.easy_setopt(easy, opt_header_function, (data_callback)header_arrived);
  curl.easy_setopt(easy, opt_header_data, callbacks);
  curl.easy_setopt(easy, opt_write_function, (data_callback)body_arrived);
  curl.easy_setopt(easy, opt_write_data, callbacks);
  curl.easy_setopt(easy, opt_read_function, (data_callback)body_wanted);
  curl.easy_setopt(easy, opt_read_data, callbacks);
  curl.easy_setopt(easy, opt_seek_function, body_sought);
  curl.easy_setopt(easy, opt_seek_data, callbacks);
  curl.easy_setopt(easy, opt_open_socket_function, socket_wanted);
}

millrace_curl_list *millrace_curl_list_append(millrace_curl_list *list, const char *text) {
  return curl.slist_append(list, text);
}

void millrace_curl_list_free(millrace_curl_list *list) { curl.slist_free_all(list); }

#ifdef __linux__
// What waits to be read at one end of a pair of local sockets, and what waits at the other because of it.
static int waiting_at(int descriptor, int question) {
  int count = -1;
  return ioctl(descriptor, question, &count) == 0 ? count : -1;
}

static int is_inherited_local_socket(int descriptor) {
  int domain = 0;
  socklen_t size = sizeof domain;
  int flags = fcntl(descriptor, F_GETFD);
  return flags >= 0 && !(flags & FD_CLOEXEC)
    && getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

// libcurl wakes its poll through a pair of local sockets, which child processes inherit up to version 8 and which it
// does not tell. Each call of the wake leaves one byte in the pair: the two descriptors in which that is seen three
// times in a row are the pair.
static void keep_wakeup_to_this_process(millrace_curl_multi *multi) {
  enum { most = 4096, rounds = 3 };
  struct candidate { int descriptor, unread, unsent, is_reading, is_writing; };
  struct candidate *candidates = calloc(most, sizeof *candidates);
  if (!candidates) return;
  int count = 0;
  for (int descriptor = 3; descriptor < most; descriptor++)
    if (is_inherited_local_socket(descriptor)) candidates[count++].descriptor = descriptor;
  for (int i = 0; i < count; i++) {
    candidates[i].unread = waiting_at(candidates[i].descriptor, FIONREAD);
    candidates[i].unsent = waiting_at(candidates[i].descriptor, SIOCOUTQ);
    candidates[i].is_reading = candidates[i].is_writing = 1;
  }
  for (int round = 0; round < rounds; round++) {
    curl.multi_wakeup(multi);
    for (int i = 0; i < count; i++) {
      int unread = waiting_at(candidates[i].descriptor, FIONREAD);
      int unsent = waiting_at(candidates[i].descriptor, SIOCOUTQ);
      candidates[i].is_reading &= unread == candidates[i].unread + 1;
      candidates[i].is_writing &= unsent > candidates[i].unsent;
      candidates[i].unread = unread;
      candidates[i].unsent = unsent;
    }
  }
  for (int i = 0; i < count; i++)
    if (candidates[i].is_reading || candidates[i].is_writing)
      fcntl(candidates[i].descriptor, F_SETFD, FD_CLOEXEC);
  free(candidates);
}
#endif

millrace_curl_multi *millrace_curl_multi_new(void) {
  millrace_curl_multi *multi = curl.multi_init();
#ifdef __linux__
  if (multi) keep_wakeup_to_this_process(multi);
#endif
  return multi;
}

void millrace_curl_multi_free(millrace_curl_multi *multi) {
  // TLS connections say goodbye, perhaps to nobody. Where a SIGPIPE was pending before, it stays so.
  sigset_t pipe_signal, before, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  curl.multi_cleanup(multi);
  if (!sigismember(&pending, SIGPIPE)) {
    struct timespec at_once = {0, 0};
    sigtimedwait(&pipe_signal, NULL, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int millrace_curl_multi_set_long(millrace_curl_multi *multi, int option, long value) {
  return curl.multi_setopt(multi, option, value);
}

int millrace_curl_multi_add(millrace_curl_multi *multi, millrace_curl_easy *easy) {
  return curl.multi_add_handle(multi, easy);
}

int millrace_curl_multi_remove(millrace_curl_multi *multi, millrace_curl_easy *easy) {
  return curl.multi_remove_handle(multi, easy);
}

int millrace_curl_multi_perform(millrace_curl_multi *multi) {
  int running = 0;
  return curl.multi_perform(multi, &running);
}

int millrace_curl_multi_poll(millrace_curl_multi *multi, int milliseconds) {
  return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

int millrace_curl_multi_wake(millrace_curl_multi *multi) { return curl.multi_wakeup(multi); }

millrace_curl_easy *millrace_curl_multi_ended(millrace_curl_multi *multi, int *code) {
  int left = 0;
  struct multi_message *message;
  while ((message = curl.multi_info_read(multi, &left))) {
    if (message->kind != message_done) continue;
    *code = message->data.code;
    return message->easy;
  }
  return NULL;
}

void millrace_curl_block_signals(void) {
  sigset_t all;
  sigfillset(&all);
  // These are raised by the thread's own faults.
  sigdelset(&all, SIGSEGV);
  sigdelset(&all, SIGBUS);
  sigdelset(&all, SIGILL);
  sigdelset(&all, SIGFPE);
  sigdelset(&all, SIGTRAP);
  sigdelset(&all, SIGABRT);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
}
#endif
