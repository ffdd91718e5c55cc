// Reads a request once into the form that routes, the list of calls and fingerprints use.
import { fingerprint } from './fingerprint.ts';
import { receiveFile, receiveForm } from './received-file.ts';
import type { ReceivedFile } from './received-file.ts';
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
  if (/^multipart\/form-data/i.test(type)) {
    const fields = groupValues(await receiveForm(request));
    return { body: fields, text: JSON.stringify(fields) };
  }
  if (/^(?:audio|video)\/|^application\/octet-stream/i.test(type)) {
    const file = await receiveFile(request.body);
    return { body: file, text: JSON.stringify(file) };
  }
  const text = await readText(request);
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    const fields = groupValues(new URLSearchParams(text));
    return { body: fields, text: JSON.stringify(fields) };
  }
  if (text === '') return { body: undefined, text };
  if (!/json/i.test(type)) return { body: text, text };
  try {
    return { body: JSON.parse(text) as unknown, text };
  } catch {
    return { body: unreadable, text };
  }
}

const maxTextBytes = 8 * 1024 * 1024;

/** Longer text is cut, which makes it invalid. */
async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxTextBytes) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function groupValues<Value extends string | ReceivedFile>(
  entries: Iterable<[string, Value]>,
): Record<string, Value | Value[]> {
  const grouped: Record<string, Value | Value[]> = {};
  for (const [name, value] of entries) {
    const known = grouped[name];
    if (known === undefined) grouped[name] = value;
    else grouped[name] = Array.isArray(known) ? [...known, value] : [known, value];
  }
  return grouped;
}
