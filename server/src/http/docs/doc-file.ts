// A page of documentation before it is rendered.
export interface DocFile {
  /** The file's name without .md, which is also its address under /docs. */
  name: string;
  markdown: string;
}
