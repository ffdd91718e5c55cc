// When a native option counts as switched on.

/** Whether an option asks for anything. A value that cannot be read does. */
export function isOn(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 'false') return false;
  return !Array.isArray(value) || value.length > 0;
}
