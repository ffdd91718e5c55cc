// A link that downloads what an address answers with, such as a table for a spreadsheet.
import { withQuery } from '../shell/router.tsx';
import { Icon } from './icon.tsx';

interface DownloadProps {
  of: string;
  query: object;
  name: string;
}

export function Download({ of, query, name }: DownloadProps) {
  return (
    <a className="button" href={withQuery(of, query)} download>
      <Icon name="download" /> {name}
    </a>
  );
}
