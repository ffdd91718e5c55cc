// The time to sync a page to disk, which every paid response waits for.
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const page = Buffer.alloc(4096, 1);
const pages = 200;
/** The pause between syncs of single requests. */
const pauseMs = 1;

/** The median in ms, over pages of a file that does not grow. */
export async function measureSync(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-disk-'));
  const file = openSync(join(folder, 'pages'), 'w');
  try {
    writeSync(file, Buffer.alloc(page.length * pages));
    fsyncSync(file);
    const times = new Float64Array(pages);
    for (let at = 0; at < pages; at += 1) {
      const began = performance.now();
      writeSync(file, page, 0, page.length, at * page.length);
      fdatasyncSync(file);
      times[at] = performance.now() - began;
      await Bun.sleep(pauseMs);
    }
    return times.sort()[pages / 2] ?? NaN;
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}
