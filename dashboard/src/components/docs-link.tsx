// A link from a page to its documentation.
import { Icon } from './icon.tsx';

interface DocsLinkProps {
  /** The name of the page under /docs, with its section if there is one. */
  page: string;
}

export function DocsLink({ page }: DocsLinkProps) {
  return (
    <a className="docs-link" href={`/docs/${page}`} target="_blank" rel="noreferrer">
      <Icon name="docs" /> Documentation
    </a>
  );
}
