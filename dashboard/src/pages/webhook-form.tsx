// The form to create or change an endpoint of webhooks.
import { useState } from 'react';
import type { NewWebhook, SubscribableEvent, Webhook, WebhookRequest } from '@trivium/contract';
import { requestJson, withQuery } from '../api/http.ts';
import { faultsOf, useAction, useIdempotencyKey } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Checks } from '../components/checks.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import { eventsFor } from './webhook-words.ts';

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
  const faults = faultsOf(save.error, ['url', 'events', 'description']);
  return (
    <Dialog title={editing ? 'Change this endpoint' : 'Add an endpoint'} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <Input
          label="URL"
          type="url"
          required
          hint="A public https address. The gateway sends a POST to it for each event."
          placeholder="https://hooks.example/events"
          value={url}
          onChange={setUrl}
          fault={faults.of('url')}
        />
        <Checks
          legend="Events"
          options={options}
          chosen={events}
          onChange={setEvents}
          fault={faults.of('events')}
        />
        <Input
          label="Description"
          hint="A note for people to read. Optional."
          value={description}
          onChange={setDescription}
          fault={faults.of('description')}
        />
        <ErrorNote error={faults.rest} />
        <div className="row">
          <Button kind="primary" submit busy={save.busy} disabled={events.length === 0}>
            {editing ? 'Save' : 'Add'}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
          {events.length === 0 ? (
            <span className="small soft">Choose at least one event.</span>
          ) : null}
        </div>
      </form>
    </Dialog>
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
  if (!editing) {
    const path = withQuery('/admin/v1/webhooks', { account_id: accountId ?? undefined });
    return requestJson<NewWebhook>('POST', path, body, { idempotencyKey });
  }
  await requestJson('PATCH', `/admin/v1/webhooks/${encodeURIComponent(editing.id)}`, body);
  return undefined;
}
