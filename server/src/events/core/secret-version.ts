// Decides which versions of a secret sign a delivery: the current one, and during an overlap the
// previous one.

export interface SecretVersion {
  secret_version: number;
  /** Until then, the previous version signs as well. */
  old_secret_until: number | null;
}

/** The current version comes first. */
export function signingVersions(
  { secret_version, old_secret_until }: SecretVersion,
  now: number,
): number[] {
  const overlaps = old_secret_until !== null && now < old_secret_until && secret_version > 1;
  return overlaps ? [secret_version, secret_version - 1] : [secret_version];
}
