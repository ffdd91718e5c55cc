// Firecrawl's batch scrape. The first request extracts the pages, and its answer is stored as for
// every idempotency key: in the transaction that charges for it, for one day, for the API key that
// sent it. The client reads it from there.
import {
  ExtractRequest,
  ExtractResponse,
  ExtractResult,
  GatewayError,
  IdempotencyKey,
} from '@trivium/contract';
import { z } from 'zod';
import { openStoredAnswer } from '../../../requests/index.ts';
import { takeRoom } from '../../../platform/byte-budget.ts';
import { machine } from '../../../platform/machine.ts';
import { newId, sha256Hex } from '../../../platform/ids.ts';
import type { HttpContext } from '../../context.ts';
import { jsonText, badRequest, validate } from '../../middleware/body.ts';
import type { CallerRequest } from '../../route.ts';
import { documentOf, ofVersion, wholeCredits, type Version } from './firecrawl.ts';
import { nativeScrape, ownPages, pageOptions, scrapeFields } from './firecrawl-options.ts';
import { defineShape, flag, text, texts, type Shape, type StoredAs } from './shape.ts';

const Batch = z.looseObject({
  ...scrapeFields,
  origin: text,
  integration: text,
  urls: texts,
  ignoreInvalidURLs: flag,
});
const PageUrl = ExtractRequest.shape.urls.element;
const BatchId = z.string().regex(/^batch_[0-9a-f]{32,64}$/);

export function firecrawlBatch(version: Version): Shape {
  return defineShape({
    ...ofVersion(version, 'batch/scrape', { native: nativeScrape, named: ownPages }),
    params: Batch,
    tool: 'extract',
    storedAs: (request) => storedBatchAt(request, version),
    toRequest: (reading) => {
      const { urls } = addressesIn(reading.given, version);
      return { urls, ...pageOptions(reading, version) };
    },
    toAnswer: (asked, _answer, stored) => {
      const { invalid } = addressesIn(asked, version);
      return {
        success: true,
        ...{ id: stored?.id, url: stored?.url },
        ...(invalid.length === 0 ? {} : { invalidURLs: invalid }),
      };
    },
  });
}

/** The status of a batch, with its pages, which are read from the store one after the other. */
export async function readBatch(context: HttpContext, incoming: CallerRequest): Promise<Response> {
  const found = await findBatch(context, incoming);
  if (found === 'running') {
    return Response.json({ success: true, status: 'scraping', total: 0, completed: 0, data: [] });
  }
  const { provider, results, failed, usage } = found.answer;
  const { account_id } = incoming.caller;
  const room = context.bytes.open(account_id);
  try {
    takeRoom(room, found.bytes);
    const data: string[] = [];
    for await (const page of found.pages()) data.push(JSON.stringify(documentOf(page, provider)));
    const head = {
      success: true,
      status: 'completed',
      total: results.length + failed.length,
      completed: results.length,
      creditsUsed: wholeCredits(usage.credits),
      expiresAt: new Date(found.expires_at).toISOString(),
    };
    const text = `${JSON.stringify(head).slice(0, -1)},"data":[${data.join(',')}]}`;
    return jsonText(text, 200, {}, account_id);
  } finally {
    room.close();
  }
}

/** The pages of a batch that could not be read. The other pages are not loaded from the store. */
export async function readBatchErrors(context: HttpContext, incoming: CallerRequest) {
  const found = await findBatch(context, incoming);
  const failed = found === 'running' ? [] : found.answer.failed;
  const idAt = (index: number) => `${incoming.params['id']}_${index}`;
  const errors = failed.map(({ url, error }, index) => ({ id: idAt(index), url, error }));
  return { success: true, errors, robotsBlocked: [] };
}

/** A batch ends before its client learns its id, unless it set an idempotency key. */
export async function cancelBatch(context: HttpContext, incoming: CallerRequest): Promise<never> {
  await findBatch(context, incoming);
  throw badRequest('The pages of a batch are read when it is created, so it cannot be cancelled.', {
    status: 409,
  });
}

/** A long page is null, because it is in the store. */
const Summary = ExtractResponse.extend({ results: z.array(ExtractResult.nullable()) });

/** `bytes` is the size of all pages in memory. */
async function findBatch(context: HttpContext, { caller, params }: CallerRequest) {
  const id = params['id'] ?? '';
  const isId = BatchId.safeParse(id).success;
  const stored = isId ? await openStoredAnswer(context, caller, keyOf(id)) : undefined;
  if (stored === undefined) throw noBatch();
  if (stored === 'running') return stored;
  const { expires_at, read } = stored;
  if (read === undefined) {
    const reason = 'they are too long, or the account has used up its storage';
    const message = `The pages of this batch were not stored: ${reason}. Scrape fewer pages at once.`;
    throw badRequest(message, { status: 413 });
  }
  // The API key may also have used this idempotency key for something else.
  const answer = Summary.safeParse(JSON.parse(read.text)).data;
  if (answer === undefined) throw noBatch();
  const pages = async function* () {
    let fromStore = 0;
    for (const page of answer.results) {
      if (page) {
        yield page;
        continue;
      }
      const text = await read.partAt(fromStore);
      if (text === undefined) throw noBatch();
      fromStore += 1;
      await machine.nextTurn();
      yield ExtractResult.parse(JSON.parse(text));
    }
  };
  return { answer, expires_at, bytes: read.bytes, pages };
}

function noBatch(): GatewayError {
  return new GatewayError(
    'not_found',
    'There is no such batch, or it is older than a day. Only the API key that created a ' +
      'batch can read it.',
  );
}

/** Clients send their idempotency key in either header. The same key finds the same batch. */
function storedBatchAt({ headers, url }: Request, version: Version): StoredAs {
  const given = headers.get('x-idempotency-key') ?? headers.get('idempotency-key');
  const key = given === null ? undefined : validate(IdempotencyKey, given);
  const id = key === undefined ? newId('batch') : `batch_${sha256Hex(key)}`;
  const { origin } = new URL(url);
  const address = `${origin}/compat/firecrawl/${version}/batch/scrape/${id}`;
  return { id, key: keyOf(id), url: address };
}

function keyOf(id: string): string {
  return `firecrawl:${id}`;
}

/** Invalid addresses are left out, unless the client forbids that, as clients of version 1 do. */
function addressesIn({ urls, ignoreInvalidURLs }: z.output<typeof Batch>, version: Version) {
  const leavesOut = ignoreInvalidURLs ?? version === 'v2';
  const parts = Object.groupBy(urls ?? [], (url) =>
    PageUrl.safeParse(url).success ? 'valid' : 'invalid',
  );
  if (!leavesOut || parts.valid === undefined) return { urls: urls ?? undefined, invalid: [] };
  return { urls: parts.valid, invalid: parts.invalid ?? [] };
}
