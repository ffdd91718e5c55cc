// The guard that removes a test PostgreSQL even when the process that started it was killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

// The shell waits on a pipe whose other end only we hold: it closes when we ask for it, and
// when we die in whatever way. The data is thrown away, so the quickest shutdown is right.
// The removal is repeated because an initdb that lost its parent may still be writing.
const GUARD = `
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

/** Sets the guard for a folder; the answer is the function that calls it in. */
export function removeWhenWeAreGone(folder: string): () => Promise<void> {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = once(guard, 'exit');
  guard.unref();
  return async () => {
    guard.ref();
    guard.stdin.end();
    await gone;
  };
}
