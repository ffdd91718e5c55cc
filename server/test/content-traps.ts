// Texts that act like defects of the scanner on the thread that processes texts from the web: one
// hangs it, one ends it, and one waits for a file.
import { existsSync } from 'node:fs';

export const hangs = '[this text hangs]';
export const crashes = '[this text ends the thread]';
export const waitsFor = (file: string) => `[this text waits for ${file}]`;

if (!Bun.isMainThread) {
  const self = globalThis as unknown as Worker;
  self.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const text = JSON.stringify(data);
    const trap = /\[this text (hangs|ends|waits)(?: for ([^\]]+))?/.exec(text);
    if (!trap) return;
    self.postMessage('started');
    const [, kind, file = ''] = trap;
    if (kind === 'ends') process.exit(1);
    while (kind === 'hangs' || !existsSync(file)) Bun.sleepSync(1);
  });
}
