/* usw info --topology: the machine as lines, objects with one child on the line of that child. */
#include "topology.h"
#include "topology_objects.h"

#include <stdio.h>

typedef struct tree {
  hwloc_topology_t topology;
  tool_seats_t seats;
} tree_t;

static void print_processor(const tree_t *tree, hwloc_obj_t processor) {
  unsigned first, last;
  const int thread = tool_seat_of(&tree->seats, processor, &first, &last);
  if (!tool_is_usable(tree->topology, processor))
    fputs(" (not allowed)", stdout);
  else if (thread >= 0)
    printf(": thread %d, chunks %u to %u", thread, first, last);
}

/* Devices below bridges, which are of no interest themselves. */
static void print_devices(const tree_t *tree, hwloc_obj_t first, int depth) {
  char label[TOOL_LABEL_BYTES];
  for (hwloc_obj_t at = first; at; at = at->next_sibling)
    if (at->type == HWLOC_OBJ_PCI_DEVICE) {
      tool_name_device(at, label);
      printf("%*s%s %s\n", 2 * depth, "", tool_kind_of(&at->attr->pcidev), label);
    } else {
      print_devices(tree, at->io_first_child, depth);
    }
}

static void print_object(const tree_t *tree, hwloc_obj_t object, int depth);

static void print_children(const tree_t *tree, hwloc_obj_t object, int depth) {
  char label[TOOL_LABEL_BYTES];
  for (hwloc_obj_t at = object->memory_first_child; at; at = at->next_sibling) {
    tool_name_object(at, label);
    printf("%*s%s\n", 2 * depth, "", label);
  }
  for (hwloc_obj_t at = object->first_child; at; at = at->next_sibling)
    print_object(tree, at, depth);
  print_devices(tree, object->io_first_child, depth);
}

static void print_object(const tree_t *tree, hwloc_obj_t object, int depth) {
  char label[TOOL_LABEL_BYTES];
  printf("%*s", 2 * depth, "");
  for (;; object = object->first_child) {
    tool_name_object(object, label);
    fputs(label, stdout);
    if (object->type == HWLOC_OBJ_PU)
      print_processor(tree, object);
    if (object->arity != 1 || object->memory_arity || object->io_arity)
      break;
    fputs(", ", stdout);
  }
  putchar('\n');
  print_children(tree, object, depth + 1);
}

int tool_print_tree(const char **why_out) {
  tree_t tree = {.topology = tool_load_topology()};
  *why_out = "hwloc cannot read this machine's topology";
  if (!tree.topology)
    return -1;
  if (tool_find_seats(&tree.seats) == 0) {
    print_object(&tree, hwloc_get_root_obj(tree.topology), 0);
    printf("\nA large call   %u chunks, by %u thread%s: %s\n", tree.seats.chunks, tree.seats.threads,
           tree.seats.threads == 1 ? "" : "s", tree.seats.reason);
    puts("  threads      sit where the system puts them; with USW_BIND=1 as above");
    printf("  tree         a record for each chunk; the calling thread merges the %u in the order of the chunks\n",
           tree.seats.chunks);
    *why_out = NULL;
  }
  tool_free_seats(&tree.seats);
  hwloc_topology_destroy(tree.topology);
  return *why_out ? -1 : 0;
}
