// Reads a request once into the form that routes, the list of calls and fingerprints use.
import { fingerprint } from './fingerprint.ts';
import type { Incoming } from './vendor.ts';

export async function readIncoming(
  request: Request,
  params: Record<string, string>,
  mount: string,
  now: Date,
): Promise<Incoming> {
  const url = new URL(request.url);
  const path = url.pathname.slice(mount.length) || '/';
  const { body, text } = await readBody(request);
  const id = fingerprint(32, request.method, url.pathname, url.search, text, now.toISOString());
  return {
    id,
    method: request.method,
    path,
    params,
    query: groupValues(url.searchParams),
    headers: request.headers,
    body,
  };
}

/** False when the body claimed to be JSON and was not. */
export function isReadable(incoming: Incoming): boolean {
  return incoming.body !== unreadable;
}

const unreadable = '(not valid JSON)';

async function readBody(request: Request): Promise<{ body: unknown; text: string }> {
  const type = request.headers.get('content-type') ?? '';
  if (/^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type)) {
    const fields = groupValues(await request.formData());
    return { body: fields, text: JSON.stringify(fields) };
  }
  const text = await request.text();
  if (text === '') return { body: undefined, text };
  if (!/json/i.test(type)) return { body: text, text };
  try {
    return { body: JSON.parse(text) as unknown, text };
  } catch {
    return { body: unreadable, text };
  }
}

function groupValues(
  entries: Iterable<[string, FormDataEntryValue]>,
): Record<string, string | string[]> {
  const grouped: Record<string, string | string[]> = {};
  for (const [name, entry] of entries) {
    const value = typeof entry === 'string' ? entry : `(file ${entry.name}, ${entry.size} bytes)`;
    const known = grouped[name];
    if (known === undefined) grouped[name] = value;
    else grouped[name] = Array.isArray(known) ? [...known, value] : [known, value];
  }
  return grouped;
}
