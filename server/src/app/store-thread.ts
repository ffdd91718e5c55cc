// Entry point of the embedded store's thread: registers the transactions that it runs by name.
import { serveSqlite } from '../store/sqlite/sqlite-thread.ts';
import { jobRows, transitionTask } from '../transcription/job-changes.ts';
import { makeBatchTask } from '../billing/book-batch.ts';
import { logTask } from '../requests/log-queue.ts';
import { refusalTask } from '../requests/refusals.ts';

serveSqlite([makeBatchTask(jobRows), logTask, refusalTask, transitionTask]);
