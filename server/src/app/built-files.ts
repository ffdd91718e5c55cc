// The dashboard and the documentation as a build embeds them. A build replaces this module; in a
// clone it is empty, and both are made from their sources. It is imported when one of them is first
// requested: two megabytes that most gateways never need.

export interface BuiltFile {
  path: string;
  type: string;
  /** The body, gzipped, in base64. */
  base64: string;
}

export interface BuiltFiles {
  docs: readonly BuiltFile[];
  dashboard: readonly BuiltFile[];
}

export const builtFiles: BuiltFiles | undefined = undefined;
