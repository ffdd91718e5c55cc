// The length of a recording, read from its file: honest files of several formats, and files that
// are made to lie, to last for ever or to use up memory.
import { describe, expect, test } from 'bun:test';
import { plausibleSeconds } from './core/media-type.ts';
import type { StoredFile } from './file-store.ts';
import { makeLengthReader } from './read-length.ts';

const mib = 1024 * 1024;
const { read } = makeLengthReader();

/** A file that begins with these bytes and is zeros up to its size. */
function fileOf(head: Uint8Array, bytes = head.length): StoredFile {
  const part = (start = 0, end = bytes) => {
    const found = new Uint8Array(Math.max(0, end - start));
    found.set(head.subarray(start, end));
    return new Blob([found]);
  };
  return { bytes, read: part, stream: () => part().stream() };
}

function wav(seconds: number, rate = 8000): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + seconds * rate, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  for (const [at, value] of [1, 1].entries()) head.writeUInt16LE(value, 20 + at * 2);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(seconds * rate, 40);
  return head;
}

const box = (name: string, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, body]);
};

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};

/** An MP4 with one track of sound, after its data. */
function mp4(seconds: number, table: Uint8Array = words(0, 0)): Buffer {
  const rate = 16_000;
  const sound = Buffer.concat([
    words(0, 1),
    box(
      'mp4a',
      Buffer.alloc(6),
      Buffer.from([0, 1]),
      Buffer.alloc(8),
      Buffer.from([0, 1, 0, 16]),
      words(0, rate * 65_536),
    ),
  ]);
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, rate, seconds * rate, 0)),
    box('hdlr', words(0, 0), Buffer.from('soun'), Buffer.alloc(13)),
    box('minf', box('stbl', box('stsd', sound), box('stts', table))),
  );
  return Buffer.concat([
    box('ftyp', Buffer.from('M4A '), words(0), Buffer.from('M4A ')),
    box('mdat', Buffer.alloc(1000)),
    box(
      'moov',
      box('mvhd', Buffer.alloc(100)),
      box('trak', box('tkhd', words(0, 0, 0, 1), Buffer.alloc(68)), media),
    ),
  ]);
}

const mp3Frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]);

describe('an honest file', () => {
  test.each<[string, string, StoredFile, number]>([
    ['WAV', 'audio/wav', fileOf(wav(61), 44 + 61 * 8000), 61],
    ['WAV of ten hours', 'audio/wav', fileOf(wav(36_000), 44 + 36_000 * 8000), 36_000],
    ['MP3', 'audio/mpeg', fileOf(Buffer.concat(Array<Buffer>(1000).fill(mp3Frame))), 27],
    ['MP4 whose index is at its end', 'audio/mp4', fileOf(mp4(90)), 90],
  ])('%s', async (_name, type, file, seconds) => {
    expect(await read(file, type)).toBe(seconds);
  });
});

describe('a length is unknown', () => {
  const id3 = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f])]);
  const nested = Array.from({ length: 5000 }).reduce<Buffer>((inner) => box('moov', inner), mp4(0));
  test.each<[string, string, StoredFile]>([
    ['of zeros', 'audio/mpeg', fileOf(new Uint8Array(0), 500 * mib)],
    ['of a file that ends in its header', 'audio/wav', fileOf(wav(5).subarray(0, 30))],
    ['of a tag as long as the file', 'audio/mpeg', fileOf(id3, 300 * mib)],
    ['of boxes within boxes', 'audio/mp4', fileOf(nested)],
    ['of an index that fills the file', 'audio/mp4', fileOf(mp4(5, new Uint8Array(12 * mib)))],
    ['of a second in 500 MB', 'audio/mp4', fileOf(mp4(1), 500 * mib)],
    ['of more than two days', 'audio/mp4', fileOf(mp4(200_000), 2000 * mib)],
    [
      'of a file that fails',
      'audio/wav',
      {
        ...fileOf(wav(5)),
        read: () => {
          throw new Error('gone');
        },
      },
    ],
  ])('%s', async (_name, type, file) => {
    expect(await read(file, type)).toBeNull();
  });

  test('when it takes too long, and the next file is read all the same', async () => {
    const endless: StoredFile = { ...fileOf(wav(5)), read: () => new ReadableStream() };
    const reader = makeLengthReader({ timeLimitMs: 50, maxReadBytes: mib });
    expect(await reader.read(endless, 'audio/wav')).toBeNull();
    expect(await read(fileOf(wav(61), 44 + 61 * 8000), 'audio/wav')).toBe(61);
  });

  test('when too many wait', async () => {
    const reader = makeLengthReader({ timeLimitMs: 1, maxReadBytes: mib });
    const found = Array.from({ length: 40 }, () => reader.read(fileOf(wav(5)), 'audio/wav'));
    expect(await Promise.all(found)).toEqual(Array<null>(40).fill(null));
  });
});

test.each([undefined, NaN, -1, 0, Infinity, 1e308, 48 * 3600 + 1])('%p is no length', (seconds) => {
  expect(plausibleSeconds({ seconds }, 1)).toBeNull();
});

test('a length is compared with the size of the file', () => {
  const [video, lossless] = [{ hasVideo: true }, { lossless: true }];
  expect(plausibleSeconds({ seconds: 0.2 }, 100)).toBe(1);
  expect(plausibleSeconds({ seconds: 60 }, 15_000_000)).toBe(60);
  expect(plausibleSeconds({ seconds: 60 }, 15_000_100)).toBeNull();
  expect(plausibleSeconds({ seconds: 60, ...lossless }, 150_000_000)).toBe(60);
  expect(plausibleSeconds({ seconds: 60, ...video }, 1_500_000_000)).toBe(60);
  expect(plausibleSeconds({ seconds: 1, ...video }, 500_000_000)).toBeNull();
});
