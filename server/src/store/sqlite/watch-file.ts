// Detects that a file of the embedded store was deleted or replaced. SQLite would not notice: it
// uses the files it has open, and everything it writes to them is lost when the process is killed.
import { every } from '../../platform/every.ts';
import { machine } from '../../platform/machine.ts';
import type { Repeated } from '../../platform/every.ts';

const everyMs = 500;
/** The database, its write-ahead log, and the index of that log. */
const endings = ['', '-wal', '-shm'];

/** Calls `onLost` once, with the reason. */
export function watchStoreFiles(file: string, onLost: (reason: string) => void): Repeated {
  const files = endings.map((ending) => `${file}${ending}`);
  const seen = new Map<string, string>();
  const check = async () => {
    for (const path of files) {
      const before = seen.get(path);
      const found = await machine.stat(path).then(identityOf, (error: NodeJS.ErrnoException) =>
        // Other errors say nothing about the file: a network disk may be unavailable for a moment.
        error.code === 'ENOENT' ? 'deleted' : before,
      );
      if (before === undefined && found !== undefined && found !== 'deleted') seen.set(path, found);
      if (before === undefined || found === before) continue;
      watch.stop();
      const what = found === 'deleted' ? 'was deleted' : 'was replaced by another file';
      return onLost(`The store ${path} ${what} while the gateway was running.`);
    }
  };
  const watch = every(everyMs, { name: 'store_files', work: check, startsNow: true });
  return watch;
}

function identityOf({ dev, ino }: { dev: number; ino: number }): string {
  return `${dev} ${ino}`;
}
