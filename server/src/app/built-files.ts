// The dashboard and the documentation as a build embeds them. A build replaces this module; in a
// clone it is empty, and both are read from their sources.

export interface BuiltFiles {
  docs: {
    pages: { name: string; markdown: string }[];
    pictures: { name: string; base64: string }[];
  };
  /** Each body is gzipped, in base64. */
  dashboard: readonly { path: string; type: string; base64: string }[];
}

export const builtFiles: BuiltFiles | undefined = undefined;
