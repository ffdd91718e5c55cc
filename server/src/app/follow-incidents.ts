// Connects the following of incidents to the whole gateway: which credentials vendors refuse, and when
// what was found is written.
import { type Followed, followResults, noteResults } from '../incidents/index.ts';
import { every, type Repeated } from '../platform/every.ts';
import { type Guard, hearOfKey } from '../upstream/index.ts';
import type { AppContext } from './context.ts';

const everyMs = 1000;

type Parts = Pick<AppContext, 'database' | 'clock' | 'log' | 'providers'>;

/** `results` is what requests, jobs and deliveries call. */
export function makeIncidents(parts: Parts) {
  const followed = followResults(parts);
  const noteCredentials = followCredentials(parts, followed);
  const work = () => {
    noteCredentials();
    return followed.flush();
  };
  return {
    results: noteResults(followed, parts.clock),
    start: (): Repeated =>
      every(everyMs, {
        name: 'incidents',
        work,
        startsNow: true,
        onError: (error) =>
          parts.log.warn({ err: error }, 'incidents were not written; the next round tries again'),
      }),
    flush: work,
  };
}

interface Credential {
  guard: Guard;
  position: number;
  /** When it was refused, as this process last saw it. */
  seen?: number | undefined;
  /** Another process reported it. */
  isHeard?: boolean;
}

/**
 * Notes each refusal of a credential, and the success after it. Other gateways, and this one after a
 * restart, hear of it from the store, so that their success can end it as well.
 */
function followCredentials({ providers, clock }: Parts, followed: Followed): () => void {
  const all = new Map(
    Object.values(providers).flatMap(({ provider, guard }) =>
      (guard?.credentials.keys ?? []).map((_key, position): [string, Credential] => {
        return [`${provider.id}:${position + 1}`, { guard: guard as Guard, position }];
      }),
    ),
  );
  return () => {
    const open = new Set(followed.open('credential_refused').map(({ subject }) => subject));
    for (const subject of open) {
      const credential = all.get(subject);
      const of = { kind: 'credential_refused', subject, account_id: '' } as const;
      // It was removed from the settings.
      if (!credential) followed.end(of);
      else if (refusedAt(credential) === undefined && credential.seen === undefined) {
        hear(credential, true);
      }
    }
    for (const [subject, credential] of all) {
      if (credential.isHeard && !open.has(subject)) hear(credential, false);
      const at = refusedAt(credential);
      if (at === credential.seen) continue;
      credential.seen = at;
      credential.isHeard = false;
      const of = { kind: 'credential_refused', subject, account_id: '' } as const;
      if (at === undefined) followed.succeeded(of, clock.ticks());
      else {
        const now = clock.now().getTime();
        const { status } = credential.guard.lastRefusal ?? {};
        const reason = status ? `status ${status}` : 'refused';
        followed.failed(of, { from: now, until: now, reason, requests: 0, cost: 0, isFinal: true });
      }
    }
  };
}

function refusedAt({ guard, position }: Credential): number | undefined {
  return guard.credentials.refusedAt[position];
}

function hear(credential: Credential, isRefused: boolean): void {
  hearOfKey(credential.guard, credential.position, isRefused);
  credential.seen = refusedAt(credential);
  credential.isHeard = isRefused;
}
