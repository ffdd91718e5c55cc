// The machine of tests that open hundreds of stores: the thread of the embedded store is compiled
// once for the whole run, and the largest pool is smaller, because a pool opens all its connections
// at once.
import { pathToFileURL } from 'node:url';
import { storeThread } from '../src/app/store-thread-url.ts';
import { machine } from '../src/platform/machine.ts';

/** Those of the tasks and of the readers are not larger. */
const connectionsOfPool = 4;

export function makeMachineSmall(): void {
  const { openSql, startThread } = machine;
  machine.openSql = ({ max = connectionsOfPool, ...options }) =>
    openSql({ ...options, max: Math.min(max, connectionsOfPool) });
  // `npm test` has compiled it.
  const compiled = process.env['TRIVIUM_TEST_STORE_THREAD'];
  if (compiled === undefined) return;
  const thread = pathToFileURL(compiled);
  machine.startThread = (program, options) =>
    startThread(program.href === storeThread.href ? thread : program, options);
}
