// The warnings of a request: how it was adjusted, and what was found in text from the web.
import type { RequestLine } from '@trivium/contract';
import { labelProviders } from '@trivium/contract/provider-names';
import { Tag } from '../components/basics.tsx';

export function RequestWarnings({
  of: { warnings, warning_details },
}: {
  of: Pick<RequestLine, 'warnings' | 'warning_details'>;
}) {
  return (
    <ul className="stack tight">
      {warning_details.map(({ code, param, message }) => (
        <li key={`${param ?? ''} ${message}`} className="note warn">
          <span>
            {code === 'content_flagged' ? <Tag tone="warn">Flagged</Tag> : null}{' '}
            <code>{param ?? code}</code> {labelProviders(message)}
          </span>
        </li>
      ))}
      {warning_details.length < warnings ? (
        <li className="small soft">
          {warnings - warning_details.length} more, not kept in the log
        </li>
      ) : null}
    </ul>
  );
}
