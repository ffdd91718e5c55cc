// The documentation before it is rendered: pages of Markdown, and the pictures they show.
export interface DocFile {
  /** The file's name without .md, which is also its path under /docs. */
  name: string;
  markdown: string;
}

export interface DocPicture {
  /** The file's name in docs/images, such as `fusion.svg`. */
  name: string;
  base64: string;
}

export interface Documentation {
  pages: readonly DocFile[];
  pictures: readonly DocPicture[];
}
