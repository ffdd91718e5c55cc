// What incomplete multipart uploads left in a bucket. Bun's client can neither list nor abort them,
// so these two S3 requests are signed here.
import { AwsClient } from 'aws4fetch';
import type { BucketSettings } from '../settings/index.ts';
import { send } from '../platform/http-client.ts';
import type { Outgoing } from '../platform/http-client.ts';

interface UnfinishedParts {
  key: string;
  uploadId: string;
  startedAt: number;
}

const timeoutMs = 30_000;
const maxBytes = 4 * 1024 * 1024;
const pageUploads = 500;
/** Entries beyond this are found once the earlier ones are gone. */
const maxPages = 20;

/** `signedUrl` is an address of the object `key`, signed by Bun's client. */
export function openUnfinishedParts(settings: BucketSettings, signedUrl: string, key: string) {
  const { access_key_id, secret_access_key, session_token, prefix } = settings;
  const { bucketUrl, region } = placeIn(signedUrl, key);
  const signer = new AwsClient({
    ...{ accessKeyId: access_key_id, secretAccessKey: secret_access_key, service: 's3', region },
    ...(session_token === undefined ? {} : { sessionToken: session_token }),
  });
  const ask = async (method: 'GET' | 'DELETE', url: URL): Promise<string> => {
    const signed = await signer.sign(url.href, { method });
    const outgoing: Outgoing = {
      ...{ url: signed.url, method, headers: Object.fromEntries(signed.headers) },
      ...{ timeout_ms: timeoutMs, maxBytes },
    };
    const sent = await send(outgoing);
    if (!sent.ok) throw new Error(`the bucket did not answer: ${sent.message}`);
    // An error of the store may repeat what was sent to it.
    const isGone = method === 'DELETE' && sent.status === 404;
    if (sent.status >= 300 && !isGone) throw new Error(`the bucket answered ${sent.status}`);
    return sent.text;
  };
  return {
    list: async function* (): AsyncGenerator<readonly UnfinishedParts[]> {
      let after: Pick<UnfinishedParts, 'key' | 'uploadId'> | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const found = readList(await ask('GET', listUrl(bucketUrl, prefix, after)));
        yield found.uploads;
        const last = found.uploads.at(-1);
        if (!found.hasMore || !last) return;
        after = last;
      }
    },
    abort: async (unfinished: Pick<UnfinishedParts, 'key' | 'uploadId'>): Promise<void> => {
      const url = new URL(unfinished.key.split('/').map(encodeURIComponent).join('/'), bucketUrl);
      url.searchParams.set('uploadId', unfinished.uploadId);
      await ask('DELETE', url);
    },
  };
}

/**
 * The address of the bucket as Bun's client writes it, and the region that the client has chosen.
 */
function placeIn(signedUrl: string, key: string): { bucketUrl: URL; region: string } {
  const url = new URL(signedUrl);
  const region = (url.searchParams.get('X-Amz-Credential') ?? '').split('/')[2] ?? 'us-east-1';
  const path = url.pathname.slice(0, -key.length);
  return { bucketUrl: new URL(path, url.origin), region };
}

function listUrl(
  bucketUrl: URL,
  prefix: string,
  after: Pick<UnfinishedParts, 'key' | 'uploadId'> | undefined,
): URL {
  const url = new URL(bucketUrl.href.replace(/\/$/, ''));
  url.search = 'uploads=';
  url.searchParams.set('prefix', prefix);
  url.searchParams.set('max-uploads', String(pageUploads));
  if (after) {
    url.searchParams.set('key-marker', after.key);
    url.searchParams.set('upload-id-marker', after.uploadId);
  }
  return url;
}

function readList(xml: string): { uploads: UnfinishedParts[]; hasMore: boolean } {
  const uploads = elementsIn(xml, 'Upload').flatMap((inner) => {
    const [key, uploadId, startedAt] = ['Key', 'UploadId', 'Initiated'].map((tag) =>
      textIn(inner, tag),
    );
    const time = Date.parse(startedAt ?? '');
    if (key === undefined || uploadId === undefined || Number.isNaN(time)) return [];
    return { key, uploadId, startedAt: time };
  });
  return { uploads, hasMore: textIn(xml, 'IsTruncated') === 'true' };
}

function textIn(xml: string, tag: string): string | undefined {
  const [inner] = elementsIn(xml, tag, 1);
  return inner === undefined ? undefined : unescaped(inner);
}

/** Takes linear time in the length of the text, whatever the store wrote. */
function elementsIn(xml: string, tag: string, most = Infinity): string[] {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  const found: string[] = [];
  for (let at = 0; found.length < most;) {
    const start = xml.indexOf(open, at);
    const end = start === -1 ? -1 : xml.indexOf(close, start);
    if (end === -1) break;
    found.push(xml.slice(start + open.length, end));
    at = end + close.length;
  }
  return found;
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' },
};

function unescaped(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity);
}
