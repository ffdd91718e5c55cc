// Settings that Bun reads from the environment before the gateway's first line runs.
export const bunSettings = {
  // Bun reads 1 to 65535; its default of 256 would make slow upstreams queue behind each other.
  BUN_CONFIG_MAX_HTTP_REQUESTS: '65535',
  // On machines above 16 GB the heap may grow threefold before it is collected, elsewhere twofold.
  BUN_JSC_heapGrowthMaxIncrease: '1',
  // In ms. The allocator can return the free parts of used pages whenever a thread waits for work,
  // which happens several times for each request. Doing it twice a second frees as much.
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '500',
};
