/* A kernel that reads and does nothing else: what a call over the same bytes could cost at best on a device.
 *
 * All streams lie behind each other as tiles, which teams take in turns. On a GPU every thread loads 16 bytes, up to 8
 * times before it needs the first of them; on a device that is a CPU every thread reads its share. What was read is
 * folded by xor into a word that is stored only if it is READ_KEY, so that no load can be left out. */
#include "peers.h"

#include "measure/device.h"
#include "measure/number.h"

#include <stdlib.h>
#include <string.h>
#include <upsweep/port.h>

#ifdef __clang__
#pragma clang diagnostic ignored "-Wstatic-in-inline" /* as in upsweep/kernel.h: the sink is the file's own */
#endif

int peer_copy_device(int device, void *scratch, const void *const *streams, const size_t *bytes, int count) {
  for (int s = 0; s < count; s++)
    if (bytes[s] && bench_device_copy(device, scratch, streams[s], bytes[s]))
      return -1;
  return 0;
}

#if defined(USW_IMAGES) || defined(USW_PORT_SIMT)

enum { READ_BLOCK_BYTES = 16, READ_LOADS_SHIFT = 3, READ_LOADS = 1 << READ_LOADS_SHIFT };
#define READ_KEY 0x9e3779b97f4a7c15u /* any number: data that folds to it makes one store, which nobody reads */

typedef uint64_t read_block_t __attribute__((vector_size(READ_BLOCK_BYTES)));

/* The streams as a kernel gets them: addresses and bytes; bytes are 0 behind the last one. */
typedef struct read_streams {
  uint64_t address[PEER_MAX_STREAMS], bytes[PEER_MAX_STREAMS];
} read_streams_t;

#ifdef USW_IMAGES
#pragma omp begin declare target
#endif
static volatile uint64_t read_sink;

#if USW_SUB_GROUP > 1
/* A tile is team size << shift blocks, of which `left` are there. */
USW_INLINE read_block_t read_tile(const read_block_t *tile, size_t left, uint32_t shift) {
  const uint32_t threads = usw_port_threads(), thread = usw_port_thread();
  read_block_t loaded[READ_LOADS], fold = {0, 0};
  if (shift == READ_LOADS_SHIFT && left >= (size_t)threads * READ_LOADS) {
#pragma unroll
    for (uint32_t k = 0; k < READ_LOADS; k++)
      loaded[k] = tile[k * threads + thread];
  } else {
#pragma unroll
    for (uint32_t k = 0; k < READ_LOADS; k++) {
      const size_t place = k * threads + thread;
      loaded[k] = k >> shift == 0 && place < left ? tile[place] : fold;
    }
  }
#pragma unroll
  for (uint32_t k = 0; k < READ_LOADS; k++)
    fold ^= loaded[k];
  return fold;
}

/* The bytes behind a stream's last whole block, one for each of the first threads. */
USW_INLINE uint64_t read_rest(const read_streams_t *streams) {
  const uint32_t thread = usw_port_thread();
  uint64_t fold = 0;
#pragma unroll
  for (int s = 0; s < PEER_MAX_STREAMS; s++) {
    const size_t whole = streams->bytes[s] / READ_BLOCK_BYTES * READ_BLOCK_BYTES;
    if (thread < streams->bytes[s] - whole)
      fold ^= ((const unsigned char *)(uintptr_t)streams->address[s])[whole + thread];
  }
  return fold;
}

/* One thread of a team. */
USW_INLINE void read_by_thread(uint32_t shift, read_streams_t streams) {
  const uint32_t tile_shift = shift + (31 - (uint32_t)__builtin_clz(usw_port_threads()));
  const size_t tile_blocks = (size_t)1 << tile_shift;
  size_t tile = usw_port_team();
  read_block_t fold = {0, 0};
  if (tile == 0)
    fold[0] = read_rest(&streams);
#pragma unroll
  for (int s = 0; s < PEER_MAX_STREAMS; s++) {
    const size_t blocks = streams.bytes[s] / READ_BLOCK_BYTES, tiles = (blocks + tile_blocks - 1) >> tile_shift;
    const read_block_t *first = (const read_block_t *)(uintptr_t)streams.address[s];
    for (; tile < tiles; tile += usw_port_teams())
      fold ^= read_tile(first + (tile << tile_shift), blocks - (tile << tile_shift), shift);
    tile -= tiles; /* the same team goes on where its turn is in the next stream */
  }
  if ((fold[0] ^ fold[1]) == READ_KEY)
    read_sink = fold[0];
}
#else
/* One of the threads of a CPU. */
USW_INLINE void read_by_worker(size_t worker, size_t workers, read_streams_t streams) {
  uint64_t fold = 0;
  for (int s = 0; s < PEER_MAX_STREAMS; s++) {
    const size_t words = streams.bytes[s] / sizeof fold, share = words / workers;
    const uint64_t *from = (const uint64_t *)(uintptr_t)streams.address[s];
    const size_t last = worker + 1 == workers ? words : (worker + 1) * share;
    for (size_t i = worker * share; i < last; i++)
      fold ^= from[i];
    if (worker == 0)
      for (size_t i = words * sizeof fold; i < streams.bytes[s]; i++)
        fold ^= ((const unsigned char *)from)[i];
  }
  if (fold == READ_KEY)
    read_sink = fold;
}
#endif

/* The code of a target that is not the one compiled for must be there too: a region's variables are the same everywhere. */
USW_INLINE void read_on_gpu(uint32_t shift USW_UNUSED, read_streams_t streams USW_UNUSED) {
#if USW_SUB_GROUP > 1
  read_by_thread(shift, streams);
#endif
}
USW_INLINE void read_on_cpu(size_t worker USW_UNUSED, size_t workers USW_UNUSED, read_streams_t streams USW_UNUSED) {
#if USW_SUB_GROUP == 1
  read_by_worker(worker, workers, streams);
#endif
}
#ifdef USW_IMAGES
#pragma omp end declare target
#endif

/* ---- how many teams, and how many loads of each thread ---- */

typedef struct read_grid {
  uint32_t teams, team_size, shift; /* a thread loads 1 << shift blocks of a tile */
  int device;
} read_grid_t;

static uint32_t from_environment(const char *name, uint32_t most, uint32_t otherwise) {
  const char *text = getenv(name);
  uint64_t number = 0;
  return text && number_parse(text, 1, most, &number) == 0 ? (uint32_t)number : otherwise;
}

/* Threads that a multiprocessor holds at once: a thread's loads need half of what it has in registers. */
enum { READ_RESIDENT_THREADS = 1024, READ_MAX_TEAMS = 1 << 20 };
enum { READ_MIN_TEAM_SIZE = 32, READ_TEAM_SIZE = 512, READ_MAX_TEAM_SIZE = 1024 };

static read_grid_t grid_for(int device, const read_streams_t *streams) {
  uint32_t team_size = from_environment("USW_BENCH_READ_TEAM_SIZE", READ_MAX_TEAM_SIZE, READ_TEAM_SIZE);
  team_size = team_size < READ_MIN_TEAM_SIZE ? READ_MIN_TEAM_SIZE : 1u << (31 - (uint32_t)__builtin_clz(team_size));
  const uint32_t resident = bench_device_multiprocessors(device) * (READ_RESIDENT_THREADS / team_size);
  const uint32_t most = from_environment("USW_BENCH_READ_TEAMS", READ_MAX_TEAMS, resident);
  size_t tiles = 0;
  uint32_t shift = READ_LOADS_SHIFT + 1;
  do { /* short streams: more tiles rather than longer ones, until every team has one */
    shift--;
    tiles = 0;
    for (int s = 0; s < PEER_MAX_STREAMS; s++)
      tiles += streams->bytes[s] / READ_BLOCK_BYTES / ((size_t)team_size << shift) + (streams->bytes[s] != 0);
  } while (shift > 0 && tiles < most);
  return (read_grid_t){tiles < most ? (uint32_t)tiles : most, team_size, shift, device};
}

/* ---- launches ---- */

#ifdef USW_IMAGES
/* Everything that a region captures is a scalar, so that nothing is mapped: streams are taken apart and put together. */
#define EACH_STREAM(F) F(0) F(1) F(2) F(3) F(4) F(5)
#define TAKE_APART(s) const uint64_t address_##s = streams->address[s], bytes_##s = streams->bytes[s];
#define ADDRESS(s) address_##s,
#define BYTES(s) bytes_##s,
#define TOGETHER                                                                                                       \
  (read_streams_t) {                                                                                                   \
    {EACH_STREAM(ADDRESS)}, { EACH_STREAM(BYTES) }                                                                     \
  }

static void read_bare(const read_grid_t *grid, const read_streams_t *streams) {
  const uint32_t shift = grid->shift;
  const int device = grid->device, teams = (int)grid->teams, team_size = (int)grid->team_size;
  EACH_STREAM(TAKE_APART)
#pragma omp target teams ompx_bare num_teams(teams) thread_limit(team_size) device(device)
  read_on_gpu(shift, TOGETHER);
}

/* Few bytes are read by one thread. */
static void read_standard(int device, const read_streams_t *streams) {
  enum { SERIAL_BYTES = 32 << 10 };
  size_t bytes = 0;
  for (int s = 0; s < PEER_MAX_STREAMS; s++)
    bytes += streams->bytes[s];
  const size_t workers = bytes < SERIAL_BYTES ? 1 : bench_device_multiprocessors(device);
  EACH_STREAM(TAKE_APART)
#pragma omp target teams distribute parallel for num_teams(1) device(device)
  for (size_t worker = 0; worker < workers; worker++)
    read_on_cpu(worker, workers, TOGETHER);
}

static int launch(int device, const read_streams_t *streams) {
  const char *target = usw_device_target(device);
  if (!target)
    return -1;
  if (strcmp(target, "x86_64") == 0) {
    read_standard(device, streams);
  } else {
    const read_grid_t grid = grid_for(device, streams);
    read_bare(&grid, streams);
  }
  return 0;
}

#else /* the emulated GPU */

typedef struct read_context {
  uint32_t shift;
  read_streams_t streams;
} read_context_t;

static void read_body(void *context) {
  const read_context_t *c = context;
  read_on_gpu(c->shift, c->streams);
}

static int launch(int device, const read_streams_t *streams) {
  const read_grid_t grid = grid_for(device, streams);
  read_context_t context = {grid.shift, *streams};
  usw_simt_launch(grid.teams, grid.team_size, read_body, &context);
  return 0;
}
#endif

int peer_read_device(int device, const void *const *streams, const size_t *bytes, int count) {
  read_streams_t all = {{0}, {0}};
  if (device < 0 || count < 1 || count > PEER_MAX_STREAMS)
    return -1;
  for (int s = 0; s < count; s++) {
    all.address[s] = (uint64_t)(uintptr_t)streams[s];
    all.bytes[s] = bytes[s];
    if (all.address[s] % READ_BLOCK_BYTES)
      return -1;
  }
  return launch(device, &all);
}

#else /* built without devices */

int peer_read_device(int device, const void *const *streams, const size_t *bytes, int count) {
  (void)device, (void)streams, (void)bytes, (void)count;
  return -1;
}
#endif
