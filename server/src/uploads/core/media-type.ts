// Recognises the kind of audio or video file from its first bytes. The caller's file names and
// headers are not trusted.
// Decides whether the length that a file states can be true. A header may say anything, so it is
// compared with the size of the file.

interface MediaType {
  type: string;
}

/** As many bytes as the longest rule reads. */
export const sniffedBytes = 4096;

interface Rule extends MediaType {
  fits: (bytes: Uint8Array) => boolean;
}

/** Undefined if it is neither audio nor video that a provider may be able to read. */
export function sniffMedia(bytes: Uint8Array): MediaType | undefined {
  const start = afterId3(bytes);
  const rule = rules.find(({ fits }) => fits(start));
  if (rule) return { type: rule.type };
  // A tag longer than what was read is followed by MP3 or, rarely, by another format.
  return start.length === 0 && bytes.length > 0 ? mp3 : undefined;
}

const mp3: MediaType = { type: 'audio/mpeg' };

const rules: readonly Rule[] = [
  riff('WAVE', 'audio/wav'),
  riff('AVI ', 'video/x-msvideo'),
  {
    type: 'audio/wav',
    fits: (b) => hasText(b, 0, 'RF64') && hasText(b, 8, 'WAVE'),
  },
  { type: 'audio/flac', fits: (b) => hasText(b, 0, 'fLaC') },
  { type: 'audio/opus', fits: (b) => isOgg(b) && hasText(b, 28, 'OpusHead') },
  { type: 'video/ogg', fits: (b) => isOgg(b) && hasText(b, 29, 'theora') },
  { type: 'audio/ogg', fits: isOgg },
  { type: 'audio/mp4', fits: (b) => brandOf(b)?.startsWith('M4A') === true },
  { type: 'video/quicktime', fits: (b) => brandOf(b) === 'qt  ' },
  { type: 'video/3gpp', fits: (b) => brandOf(b)?.startsWith('3g') === true },
  { type: 'video/mp4', fits: isMp4 },
  // Old QuickTime files begin with their data.
  {
    type: 'video/quicktime',
    fits: (b) => /^(?:moov|mdat|wide|free)$/.test(text(b, 4, 8)),
  },
  { type: 'video/webm', fits: (b) => isEbml(b) && startsNear(b, 'webm') },
  { type: 'video/x-matroska', fits: (b) => isEbml(b) && startsNear(b, 'matroska') },
  {
    type: 'audio/aiff',
    fits: (b) => hasText(b, 0, 'FORM') && /^AIF[FC]$/.test(text(b, 8, 12)),
  },
  { type: 'audio/amr', fits: (b) => hasText(b, 0, '#!AMR') },
  { type: 'audio/basic', fits: (b) => hasText(b, 0, '.snd') },
  { type: 'audio/x-caf', fits: (b) => hasText(b, 0, 'caff') },
  { type: 'video/x-ms-asf', fits: (b) => hasBytes(b, 0, asf) },
  { type: 'video/x-flv', fits: (b) => hasText(b, 0, 'FLV') && b[3] === 1 },
  { type: 'audio/ac3', fits: (b) => hasBytes(b, 0, [0x0b, 0x77]) },
  {
    type: 'video/mpeg',
    fits: (b) => hasBytes(b, 0, [0, 0, 1, 0xba]) || hasBytes(b, 0, [0, 0, 1, 0xb3]),
  },
  { type: 'video/mp2t', fits: isTransportStream },
  { type: 'audio/aac', fits: isAdts },
  { ...mp3, fits: isMpegAudio },
];

const asf = [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11];

function riff(format: string, type: string): Rule {
  return { type, fits: (b) => hasText(b, 0, 'RIFF') && hasText(b, 8, format) };
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
    bytes.length > offset + 2 * size &&
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
  const most = maxBitsPerSecond[hasVideo ? 'video' : lossless ? 'lossless' : 'sound'];
  // A short file may consist mostly of a picture and tags.
  return (bytes * 8) / most > Math.max(1, seconds) ? null : Math.ceil(seconds);
}
