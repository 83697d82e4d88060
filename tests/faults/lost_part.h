/* One of several GPUs that is lost while all of them run parts. */
#ifndef USW_TESTS_FAULTS_LOST_PART_H
#define USW_TESTS_FAULTS_LOST_PART_H

/* In a process of its own: GPU `gpu` of three is lost at a launch of a call of this kind, 0 to LOST_PART_WAYS - 1. */
enum { LOST_PART_GPUS = 3, LOST_PART_WAYS = 6 };
int lose_part(int way, int gpu);

#endif
