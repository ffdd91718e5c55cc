// trivium listen: receives the events of a gateway on this machine, prints them, and forwards them
// to a program under development.
import { setTimeout as sleep } from 'node:timers/promises';
import { accountEvents } from '@trivium/contract';
import type { Webhook } from '@trivium/contract';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, verifyWebhook } from '@trivium/sdk';
import { UsageError } from '../command.ts';
import type { Command, Context } from '../command.ts';
import { choiceOption, textOption } from '../options.ts';
import { jsonText, plain } from '../style.ts';
import { accountOf, accountOption } from './admin.ts';

const maxBodyBytes = 128 * 1024 * 1024;
const forwardMs = 30_000;

export const listen: Command = {
  name: 'listen',
  group: 'Development',
  summary: 'Print the events of the gateway, and forward them to a local address',
  usage: '',
  examples: ['listen', 'listen --forward-to http://127.0.0.1:3000/hooks --event job.completed'],
  options: {
    ...accountOption,
    'forward-to': textOption('url', 'forward each event to this address'),
    event: choiceOption('only this event; may be repeated', accountEvents),
    host: textOption(
      'address',
      'the address at which the gateway reaches this machine; 127.0.0.1 by default',
    ),
  },
  run: async (given, context) => {
    const forwardTo = given.text('forward-to');
    if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
      throw new UsageError(
        '--forward-to must be an http address, such as http://127.0.0.1:3000/hooks.',
      );
    }
    const host = given.text('host') ?? '127.0.0.1';
    const { webhooks } = context.admin();
    let secret: string | undefined;
    const server = createServer((request, response) => {
      void receive(request, response, secret, forwardTo, context);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, host, resolve);
    });
    const { port } = server.address() as AddressInfo;
    const events = (given.texts('event') ?? [...accountEvents]) as Webhook['events'];
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
    const endpoint = { url, events, description: 'trivium listen' };
    let id: string | undefined;
    try {
      const made = await webhooks.create(accountOf(given), endpoint).catch(refuse);
      ({ id, secret } = made);
      const ready = { url, secret: made.secret, events };
      if (context.jsonNotes) context.note(`${jsonText({ listening: ready })}\n`);
      else
        context.note(`Listening for ${events.join(', ')}. Events are signed with ${made.secret}\n`);
      for (;;) await sleep(idleMs, undefined, { signal: context.signal });
    } finally {
      server.closeAllConnections();
      server.close();
      if (id !== undefined) await webhooks.delete(id);
    }
  },
};

const idleMs = 60_000;

function refuse(error: unknown): never {
  const isPrivate = error instanceof ApiError && error.issues.some(({ path }) => path === 'url');
  if (!isPrivate) throw error;
  throw new UsageError(
    'The gateway sends no events to this machine. Start it with ' +
      'TRIVIUM_ALLOW_PRIVATE_WEBHOOKS=on while you develop.',
  );
}

/**
 * Returns the program's status to the gateway, so that the gateway retries a rejected event. Pages in
 * a browser on this machine can also send requests here, so only what the gateway signed counts.
 */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string | undefined,
  forwardTo: string | undefined,
  context: Context,
): Promise<void> {
  if (request.method !== 'POST' || secret === undefined) {
    return void response.writeHead(405, { allow: 'POST', connection: 'close' }).end();
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return void response.writeHead(413).end();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const { headers } = request;
  const isSigned = await verifyWebhook({ secret, headers, body }).catch(() => undefined);
  if (!isSigned) return void response.writeHead(401).end();
  const answer = forwardTo === undefined ? undefined : await forward(forwardTo, request, body);
  print(body.toString(), answer, context);
  response.writeHead(answer?.status ?? 200).end();
}

interface Forwarded {
  status: number;
  error?: string;
}

const passedOn = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];

async function forward(url: string, request: IncomingMessage, body: Buffer): Promise<Forwarded> {
  const headers = new Headers();
  for (const name of passedOn) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(forwardMs),
    });
    return { status };
  } catch (error) {
    return { status: 502, error: error instanceof Error ? error.message : String(error) };
  }
}

function print(text: string, answer: Forwarded | undefined, context: Context): void {
  const event = readEvent(text);
  if (context.json) {
    context.out(`${jsonText({ event, forwarded: answer ?? null })}\n`);
    return;
  }
  const { type, timestamp, data } = Object(event) as Record<string, unknown>;
  const { id } = Object(data) as { id?: unknown };
  const sent = answer === undefined ? '' : `  ${answer.error ?? answer.status}`;
  const words = [timestamp, type, id ?? ''].map(String).join('  ');
  context.out(`${plain(`${words}${sent}`)}\n`);
}

function readEvent(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
