// Settings that Bun reads from the environment before the gateway's first line runs.
export const bunSettings = {
  // Bun reads 1 to 65535; its default of 256 would make slow upstreams queue behind each other.
  BUN_CONFIG_MAX_HTTP_REQUESTS: '65535',
  // On machines above 16 GB the heap may grow threefold before it is collected, elsewhere twofold.
  BUN_JSC_heapGrowthMaxIncrease: '1',
  // In ms. Whenever a thread waits for work, and for a gateway that is several times a request, its
  // allocator may give the free parts of used pages back. Twice a second frees as much.
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '500',
};
