// What happens in a page with a player: files that are dropped on it, and what the player does.
import type { Page } from 'playwright-core';

interface Dropped {
  name: string;
  seconds: number;
}

/** As a person does it, with files that are made in the page. */
export async function drop(page: Page, ...dropped: Dropped[]): Promise<void> {
  const files = dropped.map(({ name, seconds }) => {
    const wav = silence(seconds);
    return { name, head: [...wav.subarray(0, headBytes)], bytes: wav.length };
  });
  await page.evaluate((made) => {
    const dataTransfer = new DataTransfer();
    for (const { name, head, bytes } of made) {
      const parts = [new Uint8Array(head), new Uint8Array(bytes - head.length)];
      dataTransfer.items.add(new File(parts, name, { type: 'audio/wav' }));
    }
    const options = { bubbles: true, cancelable: true, dataTransfer };
    for (const name of ['dragenter', 'dragover', 'drop']) {
      const isOpen = document.querySelector('h1')?.dispatchEvent(new DragEvent(name, options));
      if (isOpen !== false) throw new Error(`The page does not handle ${name}.`);
    }
  }, files);
}

const headBytes = 44;
const sampleRate = 8000;

/** A WAV file with one byte for each sample. */
export function silence(seconds: number): Buffer {
  const size = seconds * sampleRate;
  const file = Buffer.alloc(headBytes + size, 128);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(headBytes - 8 + size, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(size, 40);
  return file;
}

declare global {
  interface Window {
    objectUrls?: { made: number; held: number };
    seen?: { seeks: number[]; changes: string[] };
  }
}

export function watchObjectUrls(): void {
  const counted = { made: 0, held: 0 };
  const { createObjectURL, revokeObjectURL } = URL;
  window.objectUrls = counted;
  URL.createObjectURL = (object) => {
    counted.made += 1;
    counted.held += 1;
    return createObjectURL(object);
  };
  URL.revokeObjectURL = (url) => {
    counted.held -= 1;
    revokeObjectURL(url);
  };
}

/** Records the positions of the player, and what changed in the list of words. */
export function watchPlayer(): void {
  const [audio, words] = [document.querySelector('audio'), document.querySelector('.words')];
  if (!audio || !words) throw new Error('There is no player.');
  const seen = { seeks: [] as number[], changes: [] as string[] };
  window.seen = seen;
  audio.addEventListener('seeking', () => seen.seeks.push(audio.currentTime));
  const observer = new MutationObserver((records) =>
    seen.changes.push(...records.map(({ type }) => type)),
  );
  observer.observe(words, { subtree: true, attributes: true, childList: true });
}

export async function seekedTo(page: Page): Promise<number> {
  await page.waitForFunction(() => (window.seen?.seeks.length ?? 0) > 0);
  return page.evaluate(() => window.seen?.seeks.shift() ?? -1);
}

/** The position of the player and the marked word, once the page knows that it has stopped. */
export async function pausePlayer(): Promise<{ time: number; at: number }> {
  const audio = document.querySelector('audio');
  if (!audio) throw new Error('There is no player.');
  await new Promise((resolve) => {
    audio.addEventListener('pause', resolve, { once: true });
    audio.pause();
  });
  const marked = document.querySelector<HTMLElement>('.word[aria-current]');
  return { time: audio.currentTime, at: Number(marked?.dataset['at']) };
}
