// The dashboard and the documentation as a build embeds them. A build replaces this module; in a
// clone it is empty, and both are read from their sources.

export interface BuiltFiles {
  docs: {
    pages: { name: string; markdown: string }[];
    pictures: { name: string; base64: string }[];
  };
  dashboard: readonly { path: string; type: string; text: string }[];
}

export const builtFiles: BuiltFiles | undefined = undefined;
