// A library to be preloaded into a process: makes one system call on the files of a folder fail, or kills the process
// there, and writes down all of them.
//
//   FAULT_FOLDER  the folder
//   FAULT_AT      which call, from 1; 0 for none
//   FAULT_KIND    "errno N": it is not made and fails with N       "late N": it is made and fails with N
//                 "ever N": this call, and every later one of its kind on its file, fails with N
//                 "short": half of a write is made                 "half N": the same, and the next one fails with N
//                 "kill": the process dies before                  "killed": after     "half-kill": amid a write
//   FAULT_TRACE   the file to which calls are written, one a line
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *folder, *kind;
static int at, count, number, trace = -1, failing;
static const char *failing_name;
static char failing_path[PATH_MAX];

__attribute__((constructor)) static void begin(void) {
  folder = getenv("FAULT_FOLDER");
  kind = getenv("FAULT_KIND") ? getenv("FAULT_KIND") : "";
  at = getenv("FAULT_AT") ? atoi(getenv("FAULT_AT")) : 0;
  const char *space = strchr(kind, ' ');
  number = space ? atoi(space + 1) : 0;
  if (getenv("FAULT_TRACE"))
    trace = (int)REAL(open)(getenv("FAULT_TRACE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is(const char *name) { return strncmp(kind, name, strlen(name)) == 0; }
static int is_ours(const char *path) { return folder && strncmp(path, folder, strlen(folder)) == 0; }

static const char *path_of(int file, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  return path;
}

static unsigned long inode_of(int file) {
  struct stat status;
  return REAL(fstat)(file, &status) == 0 ? (unsigned long)status.st_ino : 0;
}

static void note(const char *format, ...) {
  if (trace < 0) return;
  char line[3 * PATH_MAX];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  int error = errno;
  REAL(write)(trace, line, (size_t)length);
  errno = error;
}

static void note_bytes(const char *bytes, size_t length) {
  if (trace < 0) return;
  char *line = malloc(2 * length + 2);
  for (size_t i = 0; i < length; i++) sprintf(line + 2 * i, "%02x", (unsigned char)bytes[i]);
  line[2 * length] = '\n';
  int error = errno;
  REAL(write)(trace, line, 2 * length + 1);
  errno = error;
  free(line);
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Counts a call, and tells whether it is the one. Dies if it is to.
static int hit(const char *name, const char *path) {
  if (!is_ours(path)) return 0;
  pthread_mutex_lock(&mutex);
  int found = ++count == at;
  if (found && is("ever")) {
    failing_name = name;
    strncpy(failing_path, path, PATH_MAX - 1);
  }
  int again = !found && failing_name == name && strcmp(failing_path, path) == 0;
  pthread_mutex_unlock(&mutex);
  if (again) return 1;
  if (!found) return 0;
  note("fault %s %s\n", name, path);
  if (strcmp(kind, "kill") == 0) die();
  return 1;
}

// What a call that was made comes to.
#define AFTER(found, result)                     \
  do {                                           \
    if (found && is("killed")) die();            \
    if (found && is("late")) {                   \
      errno = number;                            \
      return -1;                                 \
    }                                            \
    return result;                               \
  } while (0)

#define BEFORE(found)              \
  do {                             \
    if (found && (is("errno") || is("ever"))) {    \
      errno = number;              \
      return -1;                   \
    }                              \
  } while (0)

static int opened(const char *path, int flags, mode_t mode) {
  int found = hit("open", path);
  BEFORE(found);
  struct stat status;
  int is_new = (flags & O_CREAT) && REAL(lstat)(path, &status) != 0;
  int file = REAL(open)(path, flags, mode);
  if (is_ours(path) && file >= 0 && is_new) note("create %s %lu\n", path, inode_of(file));
  if (found && is("late") && file >= 0) close(file);
  AFTER(found, file);
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return opened(path, flags, mode);
}

static ssize_t written(int file, const void *bytes, size_t length, off_t offset) {
  char path[PATH_MAX];
  int found = hit("pwrite", path_of(file, path));
  BEFORE(found);
  if (failing && is_ours(path)) {
    failing = 0;
    errno = number;
    return -1;
  }
  int halves = found && length > 1 && (is("short") || is("half"));
  ssize_t result = REAL(pwrite)(file, bytes, halves ? length / 2 : length, offset);
  if (is_ours(path) && result > 0) {
    note("write %lu %ld ", inode_of(file), (long)offset);
    note_bytes(bytes, (size_t)result);
  }
  if (found && is("half-kill")) die();
  if (found && is("half ")) failing = 1;
  AFTER(found, result);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  return written(file, bytes, length, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  return written(file, bytes, length, offset);
}

static ssize_t was_read(int file, void *bytes, size_t length, off_t offset) {
  char path[PATH_MAX];
  int found = hit("pread", path_of(file, path));
  BEFORE(found);
  ssize_t result = REAL(pread)(file, bytes, found && is("short") ? length / 2 + 1 : length, offset);
  AFTER(found, result);
}

ssize_t pread(int file, void *bytes, size_t length, off_t offset) {
  return was_read(file, bytes, length, offset);
}

ssize_t pread64(int file, void *bytes, size_t length, off64_t offset) {
  return was_read(file, bytes, length, offset);
}

// What the process says to the outside.
ssize_t write(int file, const void *bytes, size_t length) {
  ssize_t result = REAL(write)(file, bytes, length);
  if (file == 1 && result > 0) note("say %.*s", (int)result, (const char *)bytes);
  return result;
}

int fsync(int file) {
  char path[PATH_MAX];
  int found = hit("fsync", path_of(file, path));
  BEFORE(found);
  int result = REAL(fsync)(file);
  if (is_ours(path) && result == 0) note("fsync %lu %s\n", inode_of(file), path);
  AFTER(found, result);
}

static int truncated(int file, off_t length) {
  char path[PATH_MAX];
  int found = hit("ftruncate", path_of(file, path));
  BEFORE(found);
  int result = REAL(ftruncate)(file, length);
  if (is_ours(path) && result == 0) note("truncate %lu %ld\n", inode_of(file), (long)length);
  AFTER(found, result);
}

int ftruncate(int file, off_t length) { return truncated(file, length); }
int ftruncate64(int file, off64_t length) { return truncated(file, length); }

int rename(const char *path, const char *other) {
  int found = hit("rename", path);
  BEFORE(found);
  int result = REAL(rename)(path, other);
  if (is_ours(path) && result == 0) note("rename %s %s\n", path, other);
  AFTER(found, result);
}

int link(const char *path, const char *other) {
  int found = hit("link", path);
  BEFORE(found);
  int result = REAL(link)(path, other);
  if (is_ours(path) && result == 0) note("link %s %s\n", path, other);
  AFTER(found, result);
}

int unlink(const char *path) {
  int found = hit("unlink", path);
  BEFORE(found);
  int result = REAL(unlink)(path);
  if (is_ours(path) && result == 0) note("unlink %s\n", path);
  AFTER(found, result);
}

int flock(int file, int operation) {
  char path[PATH_MAX];
  int found = hit("flock", path_of(file, path));
  BEFORE(found);
  int result = ((int (*)(int, int))dlsym(RTLD_NEXT, "flock"))(file, operation);
  AFTER(found, result);
}

int lstat(const char *path, struct stat *status) {
  int found = hit("lstat", path);
  BEFORE(found);
  AFTER(found, REAL(lstat)(path, status));
}

int fstat(int file, struct stat *status) {
  char path[PATH_MAX];
  int found = hit("fstat", path_of(file, path));
  BEFORE(found);
  AFTER(found, REAL(fstat)(file, status));
}
