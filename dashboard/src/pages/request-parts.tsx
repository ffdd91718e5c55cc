// How a request of the log is named in a list and in its detail.
import type { RequestLine } from '@trivium/contract';
import { isRefusal } from '../api/errors.ts';
import { Tag } from '../components/basics.tsx';

export interface RequestNames {
  key: (id: string) => string;
  provider: (id: string | null) => string;
}

export function StatusTag({ of: { status, error_type } }: { of: RequestLine }) {
  if (status < 400) return <Tag tone="good">{status}</Tag>;
  const refused = isRefusal(error_type);
  return (
    <Tag tone={refused ? 'warn' : 'bad'}>
      {status} {refused ? 'refused: ' : ''}
      {error_type?.replaceAll('_', ' ')}
    </Tag>
  );
}

/** A request that the gateway refused never reached the provider that was chosen for it. */
export function providerOf({ provider, error_type }: RequestLine, names: RequestNames): string {
  return isRefusal(error_type) ? 'Not called' : names.provider(provider);
}

export function TagList({ tags }: { tags: RequestLine['tags'] }) {
  const all = Object.entries(tags);
  if (all.length === 0) return null;
  return (
    <span className="tags">
      {all.map(([name, value]) => (
        <Tag key={name} tone="accent">
          {name}={value}
        </Tag>
      ))}
    </span>
  );
}
