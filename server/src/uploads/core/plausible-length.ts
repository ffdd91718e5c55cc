// Decides whether the length that a file states can be true. A header may say anything, so it is
// compared with the size of the file.

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
