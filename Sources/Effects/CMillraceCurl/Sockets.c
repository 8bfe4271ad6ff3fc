#ifndef __APPLE__
#define _GNU_SOURCE
#include "CMillraceCurl.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/epoll.h>
#endif

#ifndef POLLRDHUP
#define POLLRDHUP 0
#endif

static int is_address(const struct sockaddr_storage *found, const char *text, int port) {
  char name[INET6_ADDRSTRLEN] = "";
  int found_port = -1;
  if (found->ss_family == AF_INET) {
    const struct sockaddr_in *address = (const void *)found;
    inet_ntop(AF_INET, &address->sin_addr, name, sizeof name);
    found_port = ntohs(address->sin_port);
  } else if (found->ss_family == AF_INET6) {
    const struct sockaddr_in6 *address = (const void *)found;
    inet_ntop(AF_INET6, &address->sin6_addr, name, sizeof name);
    found_port = ntohs(address->sin6_port);
  }
  return found_port == port && strcmp(name, text) == 0;
}

int millrace_socket_connects(
  int descriptor, const char *local, int local_port, const char *remote, int remote_port) {
  struct sockaddr_storage near, far;
  socklen_t near_size = sizeof near, far_size = sizeof far;
  return getsockname(descriptor, (struct sockaddr *)&near, &near_size) == 0
    && getpeername(descriptor, (struct sockaddr *)&far, &far_size) == 0
    && is_address(&near, local, local_port) && is_address(&far, remote, remote_port);
}

millrace_socket_state millrace_socket_look(int descriptor) {
  struct pollfd looked = {descriptor, POLLIN | POLLRDHUP, 0};
  int count;
  do count = poll(&looked, 1, 0);
  while (count < 0 && errno == EINTR);
  if (count < 0 || looked.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) return MILLRACE_SOCKET_CLOSED;
  if (!(looked.revents & POLLIN)) return MILLRACE_SOCKET_QUIET;
  char byte;
  return recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0 ? MILLRACE_SOCKET_UNREAD : MILLRACE_SOCKET_CLOSED;
}

void millrace_socket_end(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

int millrace_descriptor_shortage(void) {
  int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno == EMFILE || errno == ENFILE ? errno : 0;
  close(descriptor);
  return 0;
}

#ifdef __linux__
int millrace_watch_new(void) { return epoll_create1(EPOLL_CLOEXEC); }

void millrace_watch_add(int watch, int descriptor, int for_input) {
  struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT | (for_input ? EPOLLIN : 0)};
  event.data.fd = descriptor;
  if (epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event) != 0 && errno == EEXIST)
    epoll_ctl(watch, EPOLL_CTL_MOD, descriptor, &event);
}

void millrace_watch_remove(int watch, int descriptor) {
  struct epoll_event event = {0};
  epoll_ctl(watch, EPOLL_CTL_DEL, descriptor, &event);
}

int millrace_watch_next(int watch) {
  struct epoll_event event;
  return epoll_wait(watch, &event, 1, 0) == 1 ? event.data.fd : -1;
}
#else
int millrace_watch_new(void) { return -1; }
void millrace_watch_add(int watch, int descriptor, int for_input) {
  (void)watch, (void)descriptor, (void)for_input;
}
void millrace_watch_remove(int watch, int descriptor) { (void)watch, (void)descriptor; }
int millrace_watch_next(int watch) { (void)watch; return -1; }
#endif
#endif
