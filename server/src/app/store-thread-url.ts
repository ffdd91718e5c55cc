// The entry point of the embedded store's thread. The store starts the thread, but does not know
// its tasks.

export const storeThread = new URL('./store-thread.ts', import.meta.url);
