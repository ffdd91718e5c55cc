// The form to create or change an endpoint of webhooks.
import { useState } from 'react';
import type { NewWebhook, SubscribableEvent, Webhook, WebhookRequest } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { fieldErrorsOf, useAction, useIdempotencyKey } from '../api/use-action.ts';
import { Checks } from '../components/checks.tsx';
import { FormDialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import { eventsFor } from './webhook-labels.ts';

interface WebhookFormProps {
  editing: Webhook | undefined;
  /** The account of a new endpoint; null for one of the gateway itself. */
  accountId: string | null;
  onClose: () => void;
  /**
   * Receives the endpoint with its secret if one was created. The form stays until this ends, so
   * that it never opens again with old values.
   */
  onDone: (made: NewWebhook | undefined) => Promise<void>;
}

export function WebhookForm({ editing, accountId, onClose, onDone }: WebhookFormProps) {
  const options = eventsFor(editing ? editing.account_id : accountId);
  const [url, setUrl] = useState(editing?.url ?? '');
  const [description, setDescription] = useState(editing?.description ?? '');
  const [events, setEvents] = useState<readonly SubscribableEvent[]>(
    () => editing?.events ?? options.map(([event]) => event),
  );
  const idempotencyKey = useIdempotencyKey();
  const save = useAction(async () => {
    const body: WebhookRequest = { url, events: [...events], description };
    await onDone(await saveWebhook({ editing, accountId, idempotencyKey }, body));
  });
  const errors = fieldErrorsOf(save.error, ['url', 'events', 'description']);
  return (
    <FormDialog
      title={editing ? 'Change this endpoint' : 'Add an endpoint'}
      submit={editing ? 'Save' : 'Add'}
      action={save}
      errors={errors}
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
        value={url}
        onChange={setUrl}
        error={errors.of('url')}
      />
      <Checks
        legend="Events"
        options={options}
        chosen={events}
        onChange={setEvents}
        error={errors.of('events')}
      />
      <Input
        label="Description"
        hint="A note for people to read. Optional."
        value={description}
        onChange={setDescription}
        error={errors.of('description')}
      />
    </FormDialog>
  );
}

interface SaveOptions {
  editing: Webhook | undefined;
  accountId: string | null;
  idempotencyKey: string;
}

async function saveWebhook(
  { editing, accountId, idempotencyKey }: SaveOptions,
  body: WebhookRequest,
): Promise<NewWebhook | undefined> {
  const once = { idempotency_key: idempotencyKey };
  if (!editing) return admin.webhooks.create(accountId ?? undefined, body, once);
  await admin.webhooks.change(editing.id, body);
  return undefined;
}
