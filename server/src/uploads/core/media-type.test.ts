// The first bytes of every accepted format, and of files that are something else.
import { describe, expect, test } from 'bun:test';
import { sniffMedia } from './media-type.ts';

function file(...parts: (string | number[])[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  );
}

const zeros = (count: number) => Array<number>(count).fill(0);
const box = (brand: string) => file([0, 0, 0, 0x20], `ftyp${brand}`, zeros(20));
const packets = (size: number, before: number) => {
  const bytes = Buffer.alloc(size * 4);
  for (let at = before; at < bytes.length; at += size) bytes[at] = 0x47;
  return bytes;
};
/** One frame of 128 kbit/s at 44.1 kHz has 417 bytes. */
const mp3Frames = file([0xff, 0xfb, 0x90, 0x64], zeros(413), [0xff, 0xfb, 0x90, 0x64], zeros(413));

describe('what is accepted', () => {
  test.each<[string, Uint8Array]>([
    ['audio/wav', file('RIFF', zeros(4), 'WAVEfmt ')],
    ['audio/wav', file('RF64', [255, 255, 255, 255], 'WAVEds64')],
    ['video/x-msvideo', file('RIFF', zeros(4), 'AVI LIST')],
    ['audio/flac', file('fLaC', zeros(30))],
    ['audio/opus', file('OggS', zeros(24), 'OpusHead')],
    ['audio/ogg', file('OggS', zeros(24), [1], 'vorbis')],
    ['audio/mp4', box('M4A ')],
    ['video/mp4', box('isom')],
    ['video/mp4', box('mp42')],
    ['video/quicktime', box('qt  ')],
    ['video/quicktime', file(zeros(4), 'moov', zeros(10))],
    ['video/3gpp', box('3gp5')],
    ['video/webm', file([0x1a, 0x45, 0xdf, 0xa3], zeros(20), 'webm')],
    ['video/x-matroska', file([0x1a, 0x45, 0xdf, 0xa3], zeros(20), 'matroska')],
    ['audio/aiff', file('FORM', zeros(4), 'AIFFCOMM')],
    ['audio/aiff', file('FORM', zeros(4), 'AIFCFVER')],
    ['audio/amr', file('#!AMR-WB\n')],
    ['audio/aac', file([0xff, 0xf1, 0x50, 0x80, 0x2e, 0x7f, 0xfc])],
    ['audio/basic', file('.snd', zeros(20))],
    ['audio/x-caf', file('caff', zeros(20))],
    ['video/x-flv', file('FLV', [1, 5])],
    ['video/x-ms-asf', file([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11])],
    ['video/mpeg', file([0, 0, 1, 0xba, 0x44])],
    ['video/mp2t', packets(188, 0)],
    ['video/mp2t', packets(192, 4)],
    ['audio/mpeg', mp3Frames],
    ['audio/mpeg', mp3Frames.subarray(0, 100)],
    ['audio/mpeg', file('ID3', [4, 0, 0, 0, 0, 0, 10], zeros(10), [...mp3Frames])],
    ['audio/flac', file('ID3', [4, 0, 0, 0, 0, 0, 10], zeros(10), 'fLaC')],
    ...[3, 10, 17, 24].map((at): [string, Uint8Array] => {
      // A byte of the length of the tag is 1.
      const length = [24, 17, 10, 3].map((other) => (other === at ? 1 : 0));
      return ['audio/flac', file('ID3', [4, 0, 0], length, '\0'.repeat(2 ** (at - 3)), 'fLaC')];
    }),
    // The tag is longer than what is read of the file.
    ['audio/mpeg', file('ID3', [4, 0, 0, 0, 0x7f, 0x7f, 0x7f], zeros(200))],
  ])('%s', (type, bytes) => {
    expect(sniffMedia(bytes)).toBe(type);
  });
});

describe('what is refused', () => {
  test.each<[string, Uint8Array]>([
    ['nothing', file('')],
    ['one byte', file([0xff])],
    ['text', file('RIFFLE, a text about waves')],
    ['a web page', file('<!doctype html><audio src="x.mp3">')],
    ['a program', file([0x7f], 'ELF', zeros(20))],
    ['a program for Windows', file('MZ', zeros(60))],
    ['a ZIP archive', file('PK', [3, 4], zeros(40))],
    ['gzip', file([0x1f, 0x8b, 8, 0], zeros(20))],
    ['a PDF', file('%PDF-1.7')],
    ['PNG', file([0x89], 'PNG', [13, 10, 26, 10])],
    ['JPEG', file([0xff, 0xd8, 0xff, 0xe0], zeros(6), 'JFIF')],
    ['a WebP picture', file('RIFF', zeros(4), 'WEBPVP8 ')],
    ['a HEIC picture', box('heic')],
    ['an AVIF picture', box('avif')],
    ['UTF-16 text', file([0xff, 0xfe, 0x41, 0, 0x42, 0])],
    ['zeros', file(zeros(4096))],
    ['ones', file(Array<number>(4096).fill(0xff))],
    ['a frame that no other follows', file([0xff, 0xfb, 0x90, 0x64], zeros(1000))],
    ['a tag of no format', file('ID3', [4, 0, 0, 0, 0, 0, 1, 0], 'hello, world')],
    ['a tag with a length that cannot be', file('ID3', [4, 0, 0, 0x80, 0, 0, 0], zeros(20))],
    ['FLV of another version', file('FLV', [2, 5])],
    ['AAC at a sample rate that is reserved', file([0xff, 0xf1, 0x34, 0x80])],
    ['two packets', packets(188, 0).subarray(0, 2 * 188)],
    ['a playlist', file('#EXTM3U\n')],
  ])('%s', (_name, bytes) => {
    expect(sniffMedia(bytes)).toBeUndefined();
  });
});

// In kbit/s, of the standard: each is followed by a second frame where the first one ends.
const bitrates: Readonly<Record<number, readonly number[]>> = {
  0xfd: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  0xfb: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
};

test.each([0xfd, 0xfb])('frames of every bit rate are recognised: %d', (second) => {
  for (const [at, kilobits] of bitrates[second]?.entries() ?? []) {
    const header = [0xff, second, (at + 1) << 4, 0];
    const length = Math.floor((144_000 * kilobits) / 44_100);
    const frames = (bytes: number) => sniffMedia(file(header, zeros(bytes - 4), header));
    expect([kilobits, frames(length), frames(length + 1)]).toEqual([
      kilobits,
      'audio/mpeg',
      undefined,
    ]);
  }
});
