// Receives the events of a gateway: WEBHOOK_SECRET=whsec_… node receiver.mjs It checks the
// signature, answers immediately, and handles each event once, even if the gateway sends it again
// after a failure.
import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from '@trivium/sdk';

const secret = process.env.WEBHOOK_SECRET;
const maxBytes = 1024 * 1024;
const maxRemembered = 10_000;
/** Kept in memory here; a real receiver would store the ids in its database. */
const handled = new Set();

const server = createServer(async (request, response) => {
  try {
    const body = await readBody(request);
    const { id, payload } = await verifyWebhook({ secret, headers: request.headers, body });
    response.writeHead(204).end();
    if (handled.has(id)) return;
    remember(id);
    handle(payload);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) console.error(error);
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 400).end();
  }
});
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});

function handle({ type, data }) {
  switch (type) {
    case 'job.completed':
      return console.log(`job ${data.id} completed: ${data.result?.text ?? ''}`);
    case 'job.failed':
      return console.log(`job ${data.id} failed: ${data.error?.message ?? ''}`);
    default:
      return console.log(`${type}: ${JSON.stringify(data)}`);
  }
}

/**
 * Reads the bytes as received: a body that was parsed and serialized again has another signature.
 */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function remember(id) {
  handled.add(id);
  if (handled.size > maxRemembered) handled.delete(handled.values().next().value);
}
