// The part of libcurl and zlib that MillraceHTTP uses.
//
// Both libraries are loaded when they are first needed, so that building needs neither them nor their headers. What
// is declared here of their binary interfaces has not changed since libcurl 7.68 and zlib 1.2.
#ifndef CMILLRACECURL_H
#define CMILLRACECURL_H

#ifndef __APPLE__

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: libcurl

/// The oldest libcurl that has all that is used here, as 0xXXYYZZ: 7.68.0, in which a poll can be woken.
#define MILLRACE_CURL_OLDEST 0x074400

/// The result of loading a library.
typedef enum {
  MILLRACE_CURL_READY,
  MILLRACE_CURL_MISSING,
  MILLRACE_CURL_INCOMPLETE,
  MILLRACE_CURL_TOO_OLD,
  MILLRACE_CURL_NOT_STARTED
} millrace_curl_state;

/// Loads libcurl under the first of these names that exists, and initialises it. For one thread, once.
millrace_curl_state millrace_curl_load(const char *_Nonnull const *_Nonnull names, size_t count);
/// The version of the loaded library as 0xXXYYZZ, as text, and its CURL_VERSION_… bits.
unsigned int millrace_curl_version_number(void);
const char *millrace_curl_version(void);
int millrace_curl_features(void);
/// The name of an option without CURLOPT_; null where the library does not know it, empty where it cannot tell (before
/// 7.73).
const char *_Nullable millrace_curl_option_name(int option);

typedef struct millrace_curl_easy millrace_curl_easy;
typedef struct millrace_curl_multi millrace_curl_multi;
typedef struct millrace_curl_list millrace_curl_list;

millrace_curl_easy *_Nullable millrace_curl_easy_new(void);
void millrace_curl_easy_free(millrace_curl_easy *easy);
int millrace_curl_set_long(millrace_curl_easy *easy, int option, long value);
int millrace_curl_set_size(millrace_curl_easy *easy, int option, int64_t value);
int millrace_curl_set_text(millrace_curl_easy *easy, int option, const char *_Nullable value);
int millrace_curl_set_list(millrace_curl_easy *easy, int option, millrace_curl_list *_Nullable value);
long millrace_curl_info_long(millrace_curl_easy *easy, int info);
/// The socket of a transfer that only connects; -1 if there is none.
int millrace_curl_info_socket(millrace_curl_easy *easy);
/// Sends and receives as much as is possible at once over the connection of a transfer that only connects. They return
/// curl's code, and set how much that was.
int millrace_curl_easy_send(millrace_curl_easy *easy, const void *bytes, size_t count, size_t *sent);
int millrace_curl_easy_recv(millrace_curl_easy *easy, void *room, size_t count, size_t *received);
const char *millrace_curl_easy_problem(int code);
/// Goes on with a transfer that was paused.
int millrace_curl_easy_resume(millrace_curl_easy *easy);

/// What a transfer calls, each with `context`, in the thread that performs the transfer.
typedef struct {
  void *context;
  /// A line of a head. Returns whether to go on.
  int (*header)(void *context, const uint8_t *bytes, size_t count);
  /// A part of a body. Returns 0 to end the transfer, 1 to go on, and 2 to have the same part later.
  int (*body)(void *context, const uint8_t *bytes, size_t count);
  /// Fills `bytes` with the next part of the request's body. Returns how many there are; -1 to end the transfer.
  int64_t (*read)(void *context, uint8_t *bytes, size_t count);
  /// Goes to a place of the request's body. Returns whether it is there.
  int (*seek)(void *context, int64_t offset);
  /// A name is to be looked up, in a thread of libcurl's. Returns whether to do so.
  int (*lookup)(void *context);
  /// A socket was opened for the transfer, or -1 with the error number. Returns whether to connect it.
  int (*opened)(void *context, int descriptor, int error_number);
  /// There is a connection, new or kept, between these addresses, and the request is sent next. Returns whether to send
  /// it. Not called before version 7.80.
  int (*connected)(
    void *context, const char *local, int local_port, const char *remote, int remote_port);
  /// The head of the request, or a part of it, was sent.
  void (*asked)(void *context, int by_http2);
} millrace_curl_callbacks;

/// What a connection calls that may outlive its transfer.
typedef struct {
  void *context;
  /// A socket is closed next.
  void (*closing)(void *context, int descriptor);
} millrace_curl_sockets;

/// The version that calls `connected`.
#define MILLRACE_CURL_PREREQ_SINCE 0x075000

/// The options that are set for the callbacks.
enum {
  MILLRACE_CURL_VERBOSE = 41,
  MILLRACE_CURL_WRITEDATA = 10001,
  MILLRACE_CURL_READDATA = 10009,
  MILLRACE_CURL_ERRORBUFFER = 10010,
  MILLRACE_CURL_HEADERDATA = 10029,
  MILLRACE_CURL_DEBUGDATA = 10095,
  MILLRACE_CURL_OPENSOCKETDATA = 10164,
  MILLRACE_CURL_SEEKDATA = 10168,
  MILLRACE_CURL_CLOSESOCKETDATA = 10209,
  MILLRACE_CURL_RESOLVER_START_DATA = 10273,
  MILLRACE_CURL_PREREQDATA = 10313,
  MILLRACE_CURL_WRITEFUNCTION = 20011,
  MILLRACE_CURL_READFUNCTION = 20012,
  MILLRACE_CURL_HEADERFUNCTION = 20079,
  MILLRACE_CURL_DEBUGFUNCTION = 20094,
  MILLRACE_CURL_OPENSOCKETFUNCTION = 20163,
  MILLRACE_CURL_SEEKFUNCTION = 20167,
  MILLRACE_CURL_CLOSESOCKETFUNCTION = 20208,
  MILLRACE_CURL_RESOLVER_START_FUNCTION = 20272,
  MILLRACE_CURL_PREREQFUNCTION = 20312
};

/// Sets the callbacks. `callbacks` must live as long as the transfer, and `sockets` as long as the connections;
/// `problem` gets what went wrong in words and has MILLRACE_CURL_PROBLEM_SIZE bytes. Sockets are opened such that no
/// child process inherits them. Returns whether the library takes them all.
int millrace_curl_set_callbacks(
  millrace_curl_easy *easy, millrace_curl_callbacks *callbacks, millrace_curl_sockets *sockets, char *problem);
#define MILLRACE_CURL_PROBLEM_SIZE 256

millrace_curl_list *_Nullable millrace_curl_list_append(
  millrace_curl_list *_Nullable list, const char *text);
void millrace_curl_list_free(millrace_curl_list *_Nullable list);

millrace_curl_multi *_Nullable millrace_curl_multi_new(void);
/// Closes every connection, without a SIGPIPE.
void millrace_curl_multi_free(millrace_curl_multi *multi);
int millrace_curl_multi_set_long(millrace_curl_multi *multi, int option, long value);
int millrace_curl_multi_add(millrace_curl_multi *multi, millrace_curl_easy *easy);
int millrace_curl_multi_remove(millrace_curl_multi *multi, millrace_curl_easy *easy);
int millrace_curl_multi_perform(millrace_curl_multi *multi);
/// Waits until a socket is ready, the descriptor `also` can be read unless it is -1, a time of curl's is over, or
/// another thread calls the next function.
int millrace_curl_multi_poll(millrace_curl_multi *multi, int also, int milliseconds);
/// A descriptor that a poll waits for, with the events that end the poll and those that have happened.
typedef struct {
  int descriptor;
  short events;
  short happened;
} millrace_curl_wait;
enum { MILLRACE_CURL_WAIT_INPUT = 1, MILLRACE_CURL_WAIT_OUTPUT = 4 };
/// Waits likewise, for any number of descriptors.
int millrace_curl_multi_poll_all(
  millrace_curl_multi *multi, millrace_curl_wait *_Nullable waits, unsigned int count, int milliseconds);
int millrace_curl_multi_wake(millrace_curl_multi *multi);
/// The next transfer that has ended, and its code; null if there is none.
millrace_curl_easy *_Nullable millrace_curl_multi_ended(millrace_curl_multi *multi, int *code);

// MARK: Sockets

/// Whether a descriptor is the socket between these addresses.
int millrace_socket_connects(
  int descriptor, const char *local, int local_port, const char *remote, int remote_port);

/// What can be seen of a connection without reading from it.
typedef enum { MILLRACE_SOCKET_QUIET, MILLRACE_SOCKET_UNREAD, MILLRACE_SOCKET_CLOSED } millrace_socket_state;

/// Whether the other side has sent something that was not read, or has closed its half.
millrace_socket_state millrace_socket_look(int descriptor);
/// Ends both directions. The descriptor stays open.
void millrace_socket_end(int descriptor);
/// The error number with which a descriptor cannot be opened now, such as EMFILE; 0 if it can.
int millrace_descriptor_shortage(void);

/// A set of sockets that can be read itself once something happens to one of them; -1 where there is none.
int millrace_watch_new(void);
/// Has the set watch a socket for its end, or for any input, until something has happened once.
void millrace_watch_add(int watch, int descriptor, int for_input);
void millrace_watch_remove(int watch, int descriptor);
/// Returns one of the sockets to which something has happened; -1 if there is none.
int millrace_watch_next(int watch);

/// Names the calling thread, and has it get no signals: neither SIGPIPE, nor those meant for the rest of the program.
/// Foundation gives the system no name of a thread.
void millrace_curl_thread_began(const char *name);

// MARK: zlib

/// One body that is being decompressed.
typedef struct millrace_inflation millrace_inflation;

/// Begins with a gzip or zlib stream, or with bare deflate data if `is_raw`. Null if there is no zlib.
millrace_inflation *_Nullable millrace_inflation_new(int is_raw);
void millrace_inflation_free(millrace_inflation *inflation);
/// Decompresses as much of `input` as fits into `output`. Sets how much was taken and made. Returns 0 to go on, 1 at
/// the end of the stream, and -1 if the data is broken.
int millrace_inflation_step(
  millrace_inflation *inflation, const uint8_t *_Nullable input, size_t input_count,
  uint8_t *output, size_t output_count, size_t *taken, size_t *made);
/// Begins with the next of several streams. Returns whether it could.
int millrace_inflation_restart(millrace_inflation *inflation);

#pragma clang assume_nonnull end

#endif
#endif
