// The form to create or change a webhook endpoint.
import { useState } from 'react';
import type { NewWebhook, SubscribableEvent, Webhook, WebhookRequest } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useIdempotencyKey } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import { Checks } from '../components/checks.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import { eventsFor } from './webhook-labels.ts';

interface WebhookFormProps {
  editing: Webhook | undefined;
  /** The account of a new endpoint; null for one of the gateway itself. */
  accountId: string | null;
  onClose: () => void;
  /** Receives a new endpoint with its secret. */
  onMade: (made: NewWebhook) => void;
}

export function WebhookForm({ editing, accountId, onClose, onMade }: WebhookFormProps) {
  const options = eventsFor(editing ? editing.account_id : accountId);
  const [events, setEvents] = useState<readonly SubscribableEvent[]>(
    () => editing?.events ?? options.map(([event]) => event),
  );
  const idempotencyKey = useIdempotencyKey();
  const initial = { url: editing?.url ?? '', description: editing?.description ?? '' };
  const send = async (texts: typeof initial) => {
    const body: WebhookRequest = { ...texts, events: [...events] };
    const once = { idempotency_key: idempotencyKey };
    if (editing) await admin.webhooks.update(editing.id, body);
    else onMade(await admin.webhooks.create(accountId ?? undefined, body, once));
  };
  const form = useForm(initial, send, onClose, ['events']);
  return (
    <FormDialog
      title={editing ? 'Change this endpoint' : 'Add an endpoint'}
      submit={editing ? 'Save' : 'Add'}
      form={form}
      disabled={events.length === 0}
      note={events.length === 0 ? 'Choose at least one event.' : undefined}
      onClose={onClose}
    >
      <Input
        label="URL"
        type="url"
        required
        hint="A public https address. The gateway sends a POST to it for each event."
        placeholder="https://hooks.example/events"
        {...form.field('url')}
      />
      <Checks
        legend="Events"
        options={options}
        chosen={events}
        onChange={setEvents}
        error={form.errors.of('events')}
      />
      <Input
        label="Description"
        hint="A note for people to read. Optional."
        {...form.field('description')}
      />
    </FormDialog>
  );
}
