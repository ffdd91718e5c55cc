// The type of programs.mjs, which plain Node must be able to read as well.
export function findProgram(
  args: readonly string[],
): { command?: string[]; error?: string } | undefined;
