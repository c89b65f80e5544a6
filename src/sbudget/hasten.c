/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <time.h>

#include "hasten.h"

/* Descriptors that are looked at, and connections that are hastened. */
#define DESCRIPTORS 1024
#define SOCKETS 8
/* Nanoseconds between acknowledgements: the kernel falls back to delaying
 * them after each answer. */
#define PAUSE 500000

static int sockets[SOCKETS];
static int socket_count;
static pthread_t thread;
static bool running;
static atomic_bool stopping;

static bool _is_tcp(int descriptor)
{
	struct sockaddr_storage peer;
	socklen_t size = sizeof(peer);

	return !getpeername(descriptor, (struct sockaddr *) &peer, &size) &&
	       ((peer.ss_family == AF_INET) || (peer.ss_family == AF_INET6));
}

static void _set(int descriptor, int option)
{
	int on = 1;

	(void) setsockopt(descriptor, IPPROTO_TCP, option, &on, sizeof(on));
}

static void *_acknowledge(void *arg)
{
	struct timespec pause = { .tv_nsec = PAUSE };

	(void) arg;
	while (!stopping) {
		for (int i = 0; i < socket_count; i++)
			_set(sockets[i], TCP_QUICKACK);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

extern void hasten_begin(void)
{
	socket_count = 0;
	for (int i = 3; (i < DESCRIPTORS) && (socket_count < SOCKETS); i++) {
		if (!_is_tcp(i))
			continue;
		_set(i, TCP_NODELAY);
		sockets[socket_count++] = i;
	}
	stopping = false;
	running = socket_count &&
		  !pthread_create(&thread, NULL, _acknowledge, NULL);
}

extern void hasten_end(void)
{
	if (!running)
		return;
	stopping = true;
	pthread_join(thread, NULL);
	running = false;
}
