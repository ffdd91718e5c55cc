// Whether a length that a file states can be true. A header may say anything, so it is compared
// with the size of the file.

/** What a file says of itself. */
export interface StatedLength {
  seconds?: number | undefined;
  hasVideo?: boolean | undefined;
  lossless?: boolean | undefined;
}

/** No provider takes a longer recording. */
const maxSeconds = 48 * 3600;
/** The most that a second of such a file has: video of a camera, sound of a studio, other sound. */
const maxBitsPerSecond = { video: 200_000_000, lossless: 20_000_000, sound: 2_000_000 };

/** Whole seconds, rounded up; null where it is unknown, absurd, or too short for the file. */
export function plausibleSeconds(stated: StatedLength, bytes: number): number | null {
  const { seconds, hasVideo, lossless } = stated;
  if (seconds === undefined || !(seconds > 0) || seconds > maxSeconds) return null;
  const most = maxBitsPerSecond[hasVideo ? 'video' : lossless ? 'lossless' : 'sound'];
  // A short file may be mostly a picture and tags.
  return (bytes * 8) / most > Math.max(1, seconds) ? null : Math.ceil(seconds);
}
