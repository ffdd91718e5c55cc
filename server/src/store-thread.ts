// Where the embedded store's thread begins: its transactions by name, and the file it serves.
import { serveSqlite } from './platform/sqlite-thread.ts';
import { move_task } from './services/move-task.ts';
import { post_task } from './services/post-batch.ts';

serveSqlite([post_task, move_task]);
