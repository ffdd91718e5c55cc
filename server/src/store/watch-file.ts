// Notices that the file of the embedded store was deleted or replaced. SQLite would not: it goes on
// with the file it has open, and everything it writes is lost when the process ends.
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

interface Watch {
  stop: () => void;
}

const everyMs = 500;

/** Calls `onLost` once, with the reason. */
export function watchStoreFile(file: string, onLost: (reason: string) => void): Watch {
  const opened = identityOf(statSync(file));
  const check = async () => {
    const found = await stat(file).then(identityOf, (error: NodeJS.ErrnoException) =>
      // Other errors say nothing about the file: a network disk may be away for a moment.
      error.code === 'ENOENT' ? 'deleted' : opened,
    );
    if (found === opened) return;
    clearInterval(timer);
    const what = found === 'deleted' ? 'was deleted' : 'was replaced by another file';
    onLost(`The store ${file} ${what} while the gateway was running.`);
  };
  const timer = setInterval(() => void check(), everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function identityOf({ dev, ino }: { dev: number; ino: number }): string {
  return `${dev} ${ino}`;
}
