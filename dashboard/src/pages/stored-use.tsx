// One line: what the account keeps on the gateway, and what it may keep.
import type { OwnUsage, StoredUse } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { useLoad } from '../api/use-load.ts';
import { Await } from '../components/basics.tsx';
import { mebibytes } from '../format.ts';
import { useSession } from '../shell/session.tsx';

export function StoredLine() {
  const { account } = useSession();
  const headers = { 'x-trivium-account': account.id };
  // Of one day: only what is stored is shown here.
  const path = `/v1/usage?from=${new Date().toISOString().slice(0, 10)}`;
  const usage = useLoad(`${account.id} ${path}`, () =>
    requestJson<OwnUsage>('GET', path, undefined, { headers }),
  );
  return (
    <Await of={usage}>
      {({ stored }) => (stored ? <p className="soft">{storedWords(stored)}</p> : null)}
    </Await>
  );
}

function storedWords({ bytes, max_bytes, uploads, answers, transcripts, tags }: StoredUse): string {
  const parts = Object.entries({ uploads, answers, transcripts, tags });
  const each = parts.map(([name, size]) => `${name} ${mebibytes(size)}`).join(', ');
  return `Stored: ${mebibytes(bytes)} of ${mebibytes(max_bytes)} (${each}).`;
}
