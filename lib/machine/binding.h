/* USW_BIND=1: threads of calls on the host stay on cores of their own. */
#ifndef USWI_MACHINE_BINDING_H
#define USWI_MACHINE_BINDING_H

#include "machine/topology.h"

/* Bind the calling thread, number t of its team, once for its life. */
void uswi_bind_thread(const uswi_topology_t *topology, uint32_t t);

#endif
