// A store's thread that ends by itself after it has opened the file.
import { serveSqlite } from '../../src/store/sqlite/sqlite-thread.ts';

serveSqlite([]);
setTimeout(() => {
  throw new Error('out of memory');
}, 200);
