/* Memory for large records, which stays for later calls: fresh memory costs as much as what is done with it, as each of its pages has to be made
 * when it is touched for the first time. (Histogram of 2^22 items with records of 32 MiB, on an H200 33 to 36 ms, so 13.5; by 8 threads of its host
 * 59 to 64, so 39 to 43.) */
#ifndef USWI_BASE_ROOM_H
#define USWI_BASE_ROOM_H

#include <stddef.h>

/* At least so many bytes on a boundary of 64, or NULL. What is in them is undefined. Threads: any. */
void *uswi_room_take(size_t bytes);

/* Let a room that was taken go. NULL: nothing happens. */
void uswi_room_give_back(void *room);

/* Free those that nobody has. */
void uswi_room_release(void);

#endif
