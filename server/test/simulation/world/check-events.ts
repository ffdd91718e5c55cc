// What the checker says about events: each arrives, signed, and those about one thing in its order.
import type { Evidence } from './evidence.ts';
import type { Delivery } from './outside.ts';

/** Where the secrets of the endpoints are among those of the template. */
const [ofKeys, ofProviders] = [3, 4];

export function checkEvents(evidence: Evidence): string[] {
  const { deliveries } = evidence.outside;
  const keys = deliveries.filter(({ path }) => path === '/keys');
  const providers = deliveries.filter(({ path }) => path === '/providers');
  return [
    ...checkSigner(keys, ofKeys),
    ...checkSigner(providers, ofProviders),
    ...checkKeys(evidence, keys),
    ...checkProviders(providers),
  ];
}

function checkSigner(deliveries: readonly Delivery[], signer: number): string[] {
  return deliveries
    .filter((one) => one.signer !== signer)
    .map(({ path, type }) => `${type} came to ${path} with a wrong signature`);
}

/** The events that a receiver took, each once, in the order of their first arrival. */
function takenBy(deliveries: readonly Delivery[]): Delivery[] {
  const taken = deliveries.filter(({ status }) => status < 300);
  return taken.filter(({ id }, at) => taken.findIndex((one) => one.id === id) === at);
}

/** A key that an operator made and revoked is announced as made, and then as revoked. */
function checkKeys({ operations }: Evidence, deliveries: readonly Delivery[]): string[] {
  const taken = takenBy(deliveries);
  const faults: string[] = [];
  for (const { change, tries, account, id: operation } of operations) {
    if (account !== 0 || change === undefined) continue;
    const answer = tries.find(
      (one) => one.answer?.kind === 'answer' && one.answer.status < 300,
    )?.answer;
    if (answer?.kind !== 'answer') continue;
    const isMade = change.path.endsWith('/keys');
    if (!isMade && change.method !== 'DELETE') continue;
    const key = isMade ? String(answer.body['id']) : (change.path.split('/').at(-1) ?? '');
    const types = taken.filter(({ jobId }) => jobId === key).map(({ type }) => type);
    const wanted = isMade ? 'key.created' : 'key.revoked';
    if (types.filter((type) => type === wanted).length !== 1) {
      faults.push(
        `${operation}: ${wanted} of ${key} is among what came ${types.join(', ') || '(none)'}`,
      );
    }
    if (types.indexOf('key.revoked') === 0 && types.length > 1) {
      faults.push(`${operation}: ${key} was announced as revoked before it was announced as made`);
    }
  }
  return faults;
}

/** A provider that is announced as unhealthy is announced as recovered before it is so again. */
function checkProviders(deliveries: readonly Delivery[]): string[] {
  const last = new Map<string, string>();
  return takenBy(deliveries).flatMap(({ jobId, type }) => {
    const before = last.get(jobId);
    last.set(jobId, type);
    return before === type ? [`${jobId} was announced as ${type} twice in a row`] : [];
  });
}
