#include "machine/numa.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

uint16_t uswi_node_of_number(const uswi_topology_t *topology, int number) {
  for (uint32_t m = 0; number >= 0 && m < topology->memory_count; m++)
    if (topology->memories[m].number == (uint32_t)number)
      return topology->memories[m].node;
  return USWI_NOWHERE;
}

#ifdef SYS_move_pages
int uswi_numa_nodes_of_pages(void **pages, uint32_t count, int *numbers_out) {
  return syscall(SYS_move_pages, 0, (unsigned long)count, pages, NULL, numbers_out, 0) == 0;
}
#else
int uswi_numa_nodes_of_pages(void **pages, uint32_t count, int *numbers_out) {
  (void)pages, (void)count, (void)numbers_out;
  return 0;
}
#endif

int uswi_node_of_pci(const char *address) {
  char path[64];
  int node = -1;
  snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/numa_node", address);
  FILE *file = fopen(path, "r");
  if (!file)
    return -1;
  if (fscanf(file, "%d", &node) != 1)
    node = -1;
  fclose(file);
  return node;
}

/* ---- where new pages go ---- */

enum { POLICY_PREFERRED = 1 };

#if defined(SYS_get_mempolicy) && defined(SYS_set_mempolicy)
static long get_policy(uswi_policy_t *policy) {
  return syscall(SYS_get_mempolicy, &policy->mode, policy->nodes, 8 * sizeof policy->nodes, NULL, 0);
}
static long set_policy(int mode, const unsigned long *nodes, size_t bytes) {
  return syscall(SYS_set_mempolicy, mode, nodes, 8 * bytes);
}
#else
static long get_policy(uswi_policy_t *policy) {
  (void)policy;
  return -1;
}
static long set_policy(int mode, const unsigned long *nodes, size_t bytes) {
  (void)mode, (void)nodes, (void)bytes;
  return -1;
}
#endif

void uswi_policy_prefer(int number, uswi_policy_t *before) {
  unsigned long nodes[sizeof before->nodes / sizeof *before->nodes] = {0};
  const size_t bits = 8 * sizeof *nodes;
  before->is_changed = 0;
  if (number < 0 || (size_t)number >= 8 * sizeof nodes || get_policy(before) != 0)
    return;
  nodes[(size_t)number / bits] = 1ul << (size_t)number % bits;
  before->is_changed = set_policy(POLICY_PREFERRED, nodes, sizeof nodes) == 0;
}

void uswi_policy_give_back(const uswi_policy_t *before) {
  if (before->is_changed)
    set_policy(before->mode, before->nodes, sizeof before->nodes);
}
