// Which versions of a secret sign a delivery: the present one, and in an overlap the one before.

export interface SecretVersion {
  secret_version: number;
  /** Until then the version before signs as well. */
  old_secret_until: number | null;
}

/** The present version first. */
export function signingVersions(
  { secret_version, old_secret_until }: SecretVersion,
  now: number,
): number[] {
  const overlaps = old_secret_until !== null && now < old_secret_until && secret_version > 1;
  return overlaps ? [secret_version, secret_version - 1] : [secret_version];
}
