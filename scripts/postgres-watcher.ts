// A watcher that removes the folder of a test run, and a PostgreSQL that runs in it, even if the
// process that started it is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

// The shell waits on a pipe whose other end only this process holds. The pipe closes on request
// and whenever this process dies. The data is discarded, so the server is killed at once. The
// removal is repeated because an orphaned initdb may still be writing.
const watcherProgram = `
cat > /dev/null
lock="$1/data/postmaster.pid"
pid=$(head -n 1 "$lock" 2> /dev/null)
if [ -n "$pid" ]; then
  kill -QUIT "$pid"
  tries=0
  while [ -e "$lock" ] && kill -0 "$pid" && [ "$tries" -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  if [ -e "$lock" ]; then kill -KILL "$pid"; fi
fi
tries=0
while ! rm -rf -- "$1" && [ "$tries" -lt 20 ]; do
  sleep 0.5
  tries=$((tries + 1))
done
`;

/** Starts the watcher for a folder; returns the function that triggers it. */
export function removeWhenWeAreGone(folder: string): () => Promise<void> {
  const watcher = spawn('/bin/sh', ['-c', watcherProgram, 'sh', folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = once(watcher, 'exit');
  watcher.unref();
  return async () => {
    watcher.ref();
    watcher.stdin.end();
    await gone;
  };
}
