// Requests of any size that are meant to be expensive for the gateway to read or to refuse.
import type { Route } from '../../server/src/http/route.ts';

export interface Hostile {
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Makes a request of about `size` bytes. */
export interface Attack {
  name: string;
  of: (size: number, pieces: readonly string[]) => Hostile;
  /** Listeners refuse longer addresses and headers. */
  maxSize?: number;
}

/** What the texts consist of. Each list is repeated until the text is long enough. */
export const kinds: readonly (readonly string[])[] = [
  // What the gateway writes in place of other texts, in parts.
  [
    'Must',
    ...Array.from({ length: 10 }, () => 'aske'),
    'd]d]',
    '[red',
    ...Array.from({ length: 10 }, () => 'acte'),
    '[asked]',
    '…',
  ],
  ['a'],
  ['a=b,', ';', '&', '/', '.', '-', '\n', ' '],
  ['%', '%25', '%E2', '%00', '+'],
  ['"', "'", '\\', '`', String.raw`\u0022`],
  ['e\u0301\u0308', '\u200d', '👩\u200d', '\ufeff'],
  ['[', '{', '(', '<b ', '&#', ']'],
];

export function attacksOn(route: Route, document: unknown): Attack[] {
  const path = route.path.replaceAll(/:\w+/g, 'acct_default');
  const inAddress = [
    attack('query', (text) => ({ path: `${path}?from=${text}&cursor=${text}&${text}` })),
    attack('path', (text) => ({ path: route.path.replaceAll(/:\w+/g, text) })),
    attack('headers', (text) => ({
      path,
      headers: { accept: text, 'x-trivium-tags': text, 'idempotency-key': text, cookie: text },
    })),
  ];
  if (route.method !== 'POST' && route.method !== 'PATCH') return inAddress;
  const type = typeOf(route);
  const fields = fieldsOf(document, route);
  const usual = type === json ? jsonFills : [forms[type] ?? raw];
  const fills = route.path === '/mcp' ? [...usual, batch] : usual;
  const inBody = fills.map((fill): Attack => ({
    name: fill.name,
    of: (size, pieces) => ({
      path,
      headers: { 'content-type': type },
      body: fill(pieces, size, fields),
    }),
  }));
  return [...inAddress, ...inBody];
}

/** The text is in one place of an address, or in each of four headers. */
function attack(name: string, of: (text: string) => Partial<Hostile> & { path: string }): Attack {
  const encoded = (size: number, pieces: readonly string[]) =>
    encodeURIComponent(textOf(pieces, size / 4)).slice(0, size / 4);
  return { name, maxSize: 10_000, of: (...how) => ({ headers: {}, ...of(encoded(...how)) }) };
}

function textOf(pieces: readonly string[], size: number): string {
  const once = pieces.join('');
  const text = once.repeat(Math.ceil(size / once.length)).slice(0, size);
  return text.toWellFormed();
}

/** Many short strings, which take about `size` bytes as JSON. */
function listOf(pieces: readonly string[], size: number): string[] {
  const onceChars = JSON.stringify(pieces).length - 1;
  return Array.from({ length: Math.ceil(size / onceChars) }, () => pieces).flat();
}

/** An object of many short names. */
function namesOf(pieces: readonly string[], size: number): object {
  const names = listOf(pieces, size / 2).map((name, at) => [`${name}${at.toString(36)}`, 1]);
  return Object.fromEntries(names) as object;
}

/** A body of about `size` bytes with the fields of a route. */
type Fill = (pieces: readonly string[], size: number, fields: readonly string[]) => string;

function inEach(fields: readonly string[], value: (name: string) => unknown): string {
  return JSON.stringify(Object.fromEntries(fields.map((name) => [name, value(name)])));
}

const texts: Fill = (pieces, size, fields) =>
  inEach(fields, () => textOf(pieces, size / fields.length));
const lists: Fill = (pieces, size, fields) =>
  inEach(fields, () => listOf(pieces, size / fields.length));
const names: Fill = (pieces, size, fields) => {
  const inner = JSON.parse(inEach(fields, () => namesOf(pieces, size / fields.length / 2)));
  return JSON.stringify({ ...(inner as object), ...namesOf(pieces, size / 2) });
};

/** What a request is mostly about; a request with these alone can be valid. */
const mainFields = ['query', 'q', 'url', 'urls', 'audio_url', 'name', 'email', 'id', 'ids'];

const main: Fill = (pieces, size, fields) => {
  const given = fields.filter((name) => mainFields.includes(name));
  const text = textOf(pieces, size / Math.max(given.length, 1));
  const page = (rest: string) => `https://a.example/${encodeURIComponent(rest)}`;
  return inEach(given, (name) => {
    if (/urls|ids/.test(name))
      return listOf(pieces, text.length / 5)
        .slice(0, 20)
        .map(page);
    return name.includes('url') ? page(text).slice(0, text.length) : text;
  });
};

const raw: Fill = (pieces, size) => textOf(pieces, size);
const deep: Fill = (pieces, size) => `{"a":${'['.repeat(size / 2)}${textOf(pieces, size / 2)}`;

/** Calls of the protocol for agents, in one request. */
const batch: Fill = (pieces, size) => {
  const call = { jsonrpc: '2.0', id: 1, method: pieces[0], params: { name: pieces.at(-1) } };
  const count = size / (JSON.stringify(call).length + 1);
  return JSON.stringify(Array.from({ length: count }, () => call));
};

const jsonFills = [texts, lists, names, main, raw, deep];

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=a';

const forms: Readonly<Record<string, Fill>> = {
  [form]: function fields(pieces, size) {
    const list = listOf(pieces, size).map((one, at) => `${one}${at}=${one}`);
    return list.join('&').slice(0, size).toWellFormed();
  },
  [multipart]: function parts(pieces, size) {
    const head = '--a\r\ncontent-disposition: form-data; name="';
    const list = listOf(pieces, size).map((one) => `${head}${one}"\r\n\r\n${one}\r\n`);
    return list.join('').slice(0, size).toWellFormed();
  },
};

/** The type of body that the route reads. */
function typeOf({ path }: Route): string {
  if (/^\/oauth\/(?:token|revoke)|searxng/.test(path)) return form;
  return path.startsWith('/v1/audio/') ? multipart : json;
}

/** Fields of the routes whose bodies the API description does not contain. */
const otherFields = [
  ...['query', 'q', 'url', 'urls', 'ids', 'includeDomains', 'include_domains', 'contents'],
  ...['formats', 'scrapeOptions', 'country', 'email', 'password', 'token'],
];

function fieldsOf(document: unknown, { method, path }: Route): readonly string[] {
  const { paths, components } = document as Document;
  const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const schema = operation?.requestBody?.content?.[json]?.schema;
  const known =
    schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  const found = Object.keys(known?.properties ?? {});
  return found.length === 0 ? otherFields : found;
}

interface Schema {
  $ref?: string;
  properties?: object;
}

interface Operation {
  requestBody?: { content?: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}
