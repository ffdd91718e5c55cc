// How much data the account stores on the gateway.
import type { StoredUse } from '@trivium/contract';
import { gatewayClientFor } from '../api/clients.ts';
import { useLoad } from '../api/data.ts';
import { Await } from '../components/basics.tsx';
import { mebibytes } from '../format.ts';
import { useSession } from '../shell/session.tsx';

export function StoredUsage() {
  const { account } = useSession();
  // Asks for one day, because only `stored` is shown here.
  const from = new Date().toISOString().slice(0, 10);
  const usage = useLoad(['usage', 'stored', account.id], () =>
    gatewayClientFor(account.id).client.usage({ from }),
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
