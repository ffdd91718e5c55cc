// A documentation page before it is rendered.
export interface DocFile {
  /** The file's name without .md, which is also its path under /docs. */
  name: string;
  markdown: string;
}
