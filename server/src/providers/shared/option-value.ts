// Decides whether a native option is on.

/** True if an option asks for anything, including a value that cannot be read. */
export function isOn(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 'false') return false;
  return !Array.isArray(value) || value.length > 0;
}
