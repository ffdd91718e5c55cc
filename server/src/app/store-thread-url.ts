// Where the thread of the embedded store begins. The store starts it and does not know its tasks.

export const storeThread = new URL('./store-thread.ts', import.meta.url);
