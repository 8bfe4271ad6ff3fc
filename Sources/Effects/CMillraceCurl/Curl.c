#ifndef __APPLE__
#define _GNU_SOURCE
#include "CMillraceCurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// The needed part of curl's binary interface. The names of types are this file's own.

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
  int (*easy_send)(millrace_curl_easy *, const void *, size_t, size_t *);
  int (*easy_recv)(millrace_curl_easy *, void *, size_t, size_t *);
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
  const struct option_facts *(*option_by_id)(int);
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
  all &= find(library, "curl_easy_send", &curl.easy_send);
  all &= find(library, "curl_easy_recv", &curl.easy_recv);
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
  find(library, "curl_easy_option_by_id", &curl.option_by_id);
  return curl.global_init(global_all) == 0 ? MILLRACE_CURL_READY : MILLRACE_CURL_NOT_STARTED;
}

unsigned int millrace_curl_version_number(void) { return version ? version->number : 0; }
const char *millrace_curl_version(void) { return version ? version->text : ""; }
int millrace_curl_features(void) { return version ? version->features : 0; }

const char *millrace_curl_option_name(int option) {
  if (!curl.option_by_id) return "";
  const struct option_facts *facts = curl.option_by_id(option);
  return facts ? facts->name : NULL;
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

int millrace_curl_info_socket(millrace_curl_easy *easy) {
  enum { active_socket = 0x500000 + 44 };
  int descriptor = -1;
  return curl.easy_getinfo(easy, active_socket, &descriptor) == 0 ? descriptor : -1;
}

int millrace_curl_easy_send(millrace_curl_easy *easy, const void *bytes, size_t count, size_t *sent) {
  *sent = 0;
  return curl.easy_send(easy, bytes, count, sent);
}

int millrace_curl_easy_recv(millrace_curl_easy *easy, void *room, size_t count, size_t *received) {
  *received = 0;
  return curl.easy_recv(easy, room, count, received);
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
  (void)purpose;
  millrace_curl_callbacks *callbacks = context;
  int descriptor = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
  if (callbacks->opened(callbacks->context, descriptor, descriptor < 0 ? errno : 0)) return descriptor;
  if (descriptor >= 0) close(descriptor);
  return bad_socket;
}

static int socket_unwanted(void *context, int descriptor) {
  millrace_curl_sockets *sockets = context;
  sockets->closing(sockets->context, descriptor);
  return close(descriptor);
}

static int lookup_wanted(void *state, void *reserved, void *context) {
  (void)state;
  (void)reserved;
  millrace_curl_callbacks *callbacks = context;
  return !callbacks->lookup(callbacks->context);
}

static int request_wanted(void *context, char *remote, char *local, int remote_port, int local_port) {
  millrace_curl_callbacks *callbacks = context;
  return !callbacks->connected(callbacks->context, local, local_port, remote, remote_port);
}

// Before the answer, only the head that libcurl sends shows the version of the protocol.
static int something_said(millrace_curl_easy *easy, int kind, char *bytes, size_t count, void *context) {
  enum { head_sent = 2 };
  (void)easy;
  if (kind != head_sent) return 0;
  // A CONNECT to a proxy is not the request.
  static const char connect[] = "CONNECT ";
  if (count >= sizeof connect - 1 && memcmp(bytes, connect, sizeof connect - 1) == 0) return 0;
  static const char version[] = " HTTP/2";
  const char *end = memchr(bytes, '\r', count);
  size_t size = sizeof version - 1;
  const char *start = end && (size_t)(end - bytes) > size + 2 ? end - size : NULL;
  millrace_curl_callbacks *callbacks = context;
  callbacks->asked(
    callbacks->context,
    start && (memcmp(start, version, size) == 0 || memcmp(start - 2, version, size) == 0));
  return 0;
}

int millrace_curl_set_callbacks(
  millrace_curl_easy *easy, millrace_curl_callbacks *callbacks, millrace_curl_sockets *sockets, char *problem) {
  problem[0] = 0;
  int refused = curl.easy_setopt(easy, MILLRACE_CURL_ERRORBUFFER, problem);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_HEADERFUNCTION, (data_callback)header_arrived);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_HEADERDATA, callbacks);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_WRITEFUNCTION, (data_callback)body_arrived);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_WRITEDATA, callbacks);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_READFUNCTION, (data_callback)body_wanted);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_READDATA, callbacks);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_SEEKFUNCTION, body_sought);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_SEEKDATA, callbacks);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_OPENSOCKETFUNCTION, socket_wanted);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_OPENSOCKETDATA, callbacks);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_CLOSESOCKETFUNCTION, socket_unwanted);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_CLOSESOCKETDATA, sockets);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_RESOLVER_START_FUNCTION, lookup_wanted);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_RESOLVER_START_DATA, callbacks);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_DEBUGFUNCTION, something_said);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_DEBUGDATA, callbacks);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_VERBOSE, 1L);
  if (version->number < MILLRACE_CURL_PREREQ_SINCE) return !refused;
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_PREREQFUNCTION, request_wanted);
  refused |= curl.easy_setopt(easy, MILLRACE_CURL_PREREQDATA, callbacks);
  return !refused;
}

millrace_curl_list *millrace_curl_list_append(millrace_curl_list *list, const char *text) {
  return curl.slist_append(list, text);
}

void millrace_curl_list_free(millrace_curl_list *list) { curl.slist_free_all(list); }

// Whether the two descriptors are the pair of local sockets through which libcurl wakes the poll of `multi`: each wake
// leaves one byte to be read in the first, and the poll takes them all.
static int wakes_through(millrace_curl_multi *multi, const int pair[2]) {
  enum { wakes = 29 };
  for (int i = 0; i < 2; i++) {
    int domain = 0;
    socklen_t size = sizeof domain;
    if (getsockopt(pair[i], SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 || domain != AF_UNIX) return 0;
  }
  int before = -1, between = -1, after = -1;
  ioctl(pair[0], FIONREAD, &before);
  for (int i = 0; i < wakes; i++) curl.multi_wakeup(multi);
  ioctl(pair[0], FIONREAD, &between);
  curl.multi_poll(multi, NULL, 0, 0, NULL);
  ioctl(pair[0], FIONREAD, &after);
  return before == 0 && between == wakes && after == 0;
}

// libcurl wakes its poll through a pair of local sockets, which child processes inherit up to version 8 and which no
// function returns. A new pair has the two lowest free descriptors, which are those of a pair that was closed just
// before, unless another thread opens something in between. So this tries again until the pair proves to be the one.
// After the last try, child processes inherit two sockets that carry no data.
millrace_curl_multi *millrace_curl_multi_new(void) {
  enum { tries = 16 };
  millrace_curl_multi *multi = NULL;
  for (int i = 0; i < tries; i++) {
    if (multi) curl.multi_cleanup(multi);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return NULL;
    close(pair[0]);
    close(pair[1]);
    multi = curl.multi_init();
    if (!multi) return NULL;
    if (!wakes_through(multi, pair)) continue;
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    break;
  }
  return multi;
}

void millrace_curl_multi_free(millrace_curl_multi *multi) {
  // TLS sends an end, perhaps to a closed socket. A SIGPIPE that was pending before stays pending.
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

int millrace_curl_multi_poll(millrace_curl_multi *multi, int also, int milliseconds) {
  millrace_curl_wait watched = {also, MILLRACE_CURL_WAIT_INPUT, 0};
  return curl.multi_poll(multi, &watched, also < 0 ? 0 : 1, milliseconds, NULL);
}

int millrace_curl_multi_poll_all(
  millrace_curl_multi *multi, millrace_curl_wait *waits, unsigned int count, int milliseconds) {
  return curl.multi_poll(multi, waits, count, milliseconds, NULL);
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

void millrace_curl_thread_began(const char *name) {
  pthread_setname_np(pthread_self(), name);
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
