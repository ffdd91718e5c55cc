// The state of a delivery, in the same words everywhere.
import type { WebhookDelivery } from '@trivium/contract';
import { Tag } from '../components/basics.tsx';
import { stateOf } from './webhook-labels.ts';

export function StateTag({ of }: { of: Pick<WebhookDelivery, 'state' | 'attempts'> }) {
  const [tone, words] = stateOf(of);
  return <Tag tone={tone}>{words}</Tag>;
}
