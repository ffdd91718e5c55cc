// The dashboard and the documentation as a build embeds them. A build replaces this module; in a
// clone it is empty, and both are read from their sources. It is imported when one of them is first
// requested: two megabytes that most gateways never need.
import type { Documentation } from '../http/index.ts';

export interface BuiltFiles {
  docs: Documentation;
  /** Each body is gzipped, in base64. */
  dashboard: readonly { path: string; type: string; base64: string }[];
}

export const builtFiles: BuiltFiles | undefined = undefined;
