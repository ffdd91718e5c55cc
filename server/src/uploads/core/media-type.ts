// Recognises the kind of audio or video file from its first bytes, and decides whether the length
// that a file states can be true for its size. Names and headers are not trusted.

/** As many bytes as the longest rule reads. */
export const sniffedBytes = 4096;

/** Undefined if it is neither audio nor video that a provider may be able to read. */
export function sniffMedia(bytes: Uint8Array): string | undefined {
  const start = afterId3(bytes);
  const [type] = rules.find(([, fits]) => fits(start)) ?? [];
  // A tag longer than what was read is followed by MP3 or, rarely, by another format.
  return type ?? (start.length === 0 && bytes.length > 0 ? mp3 : undefined);
}

const mp3 = 'audio/mpeg';

const rules: readonly [type: string, fits: (bytes: Uint8Array) => boolean][] = [
  ['audio/wav', (b) => isRiff(b, 'WAVE') || (hasText(b, 0, 'RF64') && hasText(b, 8, 'WAVE'))],
  ['video/x-msvideo', (b) => isRiff(b, 'AVI ')],
  ['audio/flac', (b) => hasText(b, 0, 'fLaC')],
  ['audio/opus', (b) => isOgg(b) && hasText(b, 28, 'OpusHead')],
  ['video/ogg', (b) => isOgg(b) && hasText(b, 29, 'theora')],
  ['audio/ogg', isOgg],
  ['audio/mp4', (b) => brandOf(b)?.startsWith('M4A') === true],
  ['video/quicktime', (b) => brandOf(b) === 'qt  '],
  ['video/3gpp', (b) => brandOf(b)?.startsWith('3g') === true],
  ['video/mp4', isMp4],
  // Old QuickTime files begin with their data.
  ['video/quicktime', (b) => /^(?:moov|mdat|wide|free)$/.test(text(b, 4, 8))],
  ['video/webm', (b) => isEbml(b) && startsNear(b, 'webm')],
  ['video/x-matroska', (b) => isEbml(b) && startsNear(b, 'matroska')],
  ['audio/aiff', (b) => hasText(b, 0, 'FORM') && /^AIF[FC]$/.test(text(b, 8, 12))],
  ['audio/amr', (b) => hasText(b, 0, '#!AMR')],
  ['audio/basic', (b) => hasText(b, 0, '.snd')],
  ['audio/x-caf', (b) => hasText(b, 0, 'caff')],
  ['video/x-ms-asf', (b) => hasBytes(b, 0, asf)],
  ['video/x-flv', (b) => hasText(b, 0, 'FLV') && b[3] === 1],
  ['audio/ac3', (b) => hasBytes(b, 0, [0x0b, 0x77])],
  ['video/mpeg', (b) => [0xba, 0xb3].some((code) => hasBytes(b, 0, [0, 0, 1, code]))],
  ['video/mp2t', isTransportStream],
  ['audio/aac', isAdts],
  [mp3, isMpegAudio],
];

const asf = [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11];

function isRiff(bytes: Uint8Array, format: string): boolean {
  return hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, format);
}

/** An ID3 tag may precede several formats. Its length is in four groups of seven bits. */
function afterId3(bytes: Uint8Array): Uint8Array {
  if (!hasText(bytes, 0, 'ID3') || bytes.length < 10) return bytes;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10);
  if ((a | b | c | d) >= 0x80) return bytes;
  return bytes.subarray(10 + ((a << 21) | (b << 14) | (c << 7) | d));
}

function isOgg(bytes: Uint8Array): boolean {
  return hasText(bytes, 0, 'OggS');
}

function brandOf(bytes: Uint8Array): string | undefined {
  return hasText(bytes, 4, 'ftyp') ? text(bytes, 8, 12) : undefined;
}

/** Pictures (HEIF, AVIF) and documents use the same container. */
function isMp4(bytes: Uint8Array): boolean {
  const brand = brandOf(bytes);
  return (
    brand !== undefined && !/^(?:avi[fs]|hei[cfmsx]|hev[cx]|mif1|msf1|jp2 |jpx |crx )$/.test(brand)
  );
}

function isEbml(bytes: Uint8Array): boolean {
  return hasBytes(bytes, 0, [0x1a, 0x45, 0xdf, 0xa3]);
}

/** Packets of 188 bytes that all begin with the same byte. Some recorders add four bytes. */
function isTransportStream(bytes: Uint8Array): boolean {
  const fits = (offset: number, size: number) =>
    [0, 1, 2].every((packet) => bytes[offset + packet * size] === 0x47);
  return fits(0, 188) || fits(4, 192);
}

function isAdts(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  const rate = (third >> 2) & 0x0f;
  return first === 0xff && (second & 0xf6) === 0xf0 && rate < 13;
}

/** A frame header without reserved values, followed by another one. */
function isMpegAudio(bytes: Uint8Array): boolean {
  const length = frameBytes(bytes, 0);
  if (length === undefined) return false;
  return bytes.length < length + 4 || frameBytes(bytes, length) !== undefined;
}

/** In kbit/s. The layers differ in MPEG 1, but not in MPEG 2 and 2.5. */
const bitrates = {
  layer2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  layer3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  low: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const sampleRates = [44_100, 48_000, 32_000];

/** The length of the MPEG audio frame that begins at this position. Undefined if none does. */
function frameBytes(bytes: Uint8Array, at: number): number | undefined {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if (first !== 0xff || second < 0xe0) return undefined;
  const version = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const rate = sampleRates[(third >> 2) & 3];
  // Nothing is recorded in layer 1, and its header looks like the beginning of UTF-16 text.
  if (version === 1 || (layer !== 2 && layer !== 3) || rate === undefined) return undefined;
  const isFirst = version === 3;
  const kilobits = bitrates[isFirst ? (`layer${layer}` as const) : 'low'][third >> 4];
  if (kilobits === undefined || kilobits === 0) return undefined;
  const hertz = isFirst ? rate : rate / (version === 2 ? 2 : 4);
  const perFrame = layer === 3 && !isFirst ? 72_000 : 144_000;
  return Math.floor((perFrame * kilobits) / hertz) + ((third >> 1) & 1);
}

function hasText(bytes: Uint8Array, at: number, words: string): boolean {
  return text(bytes, at, at + words.length) === words;
}

function hasBytes(bytes: Uint8Array, at: number, expected: readonly number[]): boolean {
  return expected.every((byte, offset) => bytes[at + offset] === byte);
}

/** The name of the document type is near the beginning. */
function startsNear(bytes: Uint8Array, words: string): boolean {
  return text(bytes, 0, 128).includes(words);
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

/** What a file says about itself. */
export interface StatedLength {
  seconds?: number | undefined;
  hasVideo?: boolean | undefined;
  lossless?: boolean | undefined;
}

/** No provider accepts a longer recording. */
const maxSeconds = 48 * 3600;
/** The maximum bits per second of such a file: camera video, studio sound, other sound. */
const maxBitsPerSecond = { video: 200_000_000, lossless: 20_000_000, sound: 2_000_000 };

/** Whole seconds, rounded up. Null if the length is unknown, absurd, or too short for the file. */
export function plausibleSeconds(stated: StatedLength, bytes: number): number | null {
  const { seconds, hasVideo, lossless } = stated;
  if (seconds === undefined || !(seconds > 0) || seconds > maxSeconds) return null;
  const maxBits = maxBitsPerSecond[hasVideo ? 'video' : lossless ? 'lossless' : 'sound'];
  // A short file may consist mostly of a picture and tags.
  return (bytes * 8) / maxBits > Math.max(1, seconds) ? null : Math.ceil(seconds);
}
