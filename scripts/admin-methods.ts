// The methods of the admin clients, read from the operations and the API description. The clients of
// both languages are generated from them.
import * as contract from '@trivium/contract';
import { openApiDocument } from '@trivium/contract/openapi';
import { operations } from '@trivium/contract/operations';
import type { Operation, Resource } from '@trivium/contract/operations';
import type { Schema } from './python-models.ts';

export type Fields = Readonly<Record<string, Schema>>;

export interface Method {
  id: string;
  http: string;
  /** Below /admin/v1, with `{id}`. */
  path: string;
  /** What `{id}` is: the first part of its collection, such as `keys`. */
  collection: string | undefined;
  resource: Resource | undefined;
  verb: string;
  /** A summary, and usually a description. */
  doc: readonly string[];
  keyed: boolean;
  /** The fields of the query, if the method takes filters. */
  query: Query | undefined;
  /** Whether the query has only the account. */
  isOfAccount: boolean;
  body: Body | undefined;
  answer: { name: string; fields: Fields };
  /** The field with the entries of a list that can be iterated over. */
  entries: { field: string; item: string } | undefined;
  /** Sends a fixed body to the operation of another method. */
  fixed?: Readonly<Record<string, unknown>>;
}

export interface Query {
  name: string;
  fields: Fields;
  required: readonly string[];
}

export interface Body extends Query {
  description: string;
  hasDefaults: boolean;
}

type Document = {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  components: { schemas: Record<string, Schema> };
};
type Parameter = { name: string; in: string; required?: true; description: string; schema: Schema };

const document = openApiDocument() as unknown as Document;
export const { schemas } = document.components;

/** Methods that send part of the body of another, or a constant one. */
const shortcuts: Readonly<Record<string, readonly Shortcut[]>> = {
  changeWebhook: [
    { verb: 'pause', fixed: { paused: true }, doc: ['Pause an endpoint', 'Its events are kept.'] },
    {
      verb: 'resume',
      fixed: { paused: false },
      doc: ['Resume an endpoint', 'The events that were kept are sent.'],
    },
  ],
  setBudget: [{ verb: 'delete', fixed: {}, doc: ['Delete the budget of a tag value'] }],
};
type Shortcut = Required<Pick<Method, 'verb' | 'fixed' | 'doc'>>;

/** A description that begins like this says what its summary says. */
const repeated = /^(?:Adds|Calls|Caps|Changes|Creates|Deletes|Finds|Makes|Removes) /;

/** In the order of the operations. */
export const methods: readonly Method[] = Object.entries<Operation>(operations).flatMap(
  ([key, operation]) => {
    const method = methodOf(key, operation);
    if (method === undefined) return [];
    const others = (shortcuts[operation.id] ?? []).map((one) => ({ ...method, ...one }));
    return [method, ...others];
  },
);

const listed = methods.find(({ entries, query }) => entries && query)?.query?.fields ?? {};
/** What pages through a list is the same for all lists. */
export const pageFields: Fields = Object.fromEntries(
  Object.entries(listed).filter(([name]) => name === 'cursor' || name === 'limit'),
);
export const isPaged = ({ fields }: Query) => Object.keys(pageFields).every((one) => one in fields);
export const ownFields = ({ fields }: Query): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in pageFields)));

function methodOf(key: string, operation: Operation): Method | undefined {
  const { id, resource, verb, keyed, body, answer } = operation;
  if (verb === undefined || answer === undefined) return undefined;
  const [http = '', route = ''] = key.split(' ');
  const path = route.replace('/admin/v1', '').replace(':id', '{id}');
  const query = verb === 'get' ? undefined : queryOf(route, http, operation);
  const answerSchema = schemas[nameOf(answer[0])] ?? {};
  const name = nameOf(answer[0]);
  const fields = answerSchema.properties ?? {};
  return {
    ...{ id, http, path, resource, verb, query, keyed: keyed !== undefined },
    collection: /\/([a-z]+)\/\{id\}/.exec(path)?.[1],
    doc: docOf(operation, verb === 'list' && query !== undefined),
    isOfAccount: Object.keys(query?.fields ?? {}).join() === 'account_id',
    body: body && bodyOf(nameOf(body[0])),
    answer: { name, fields },
    entries: verb === 'list' ? entriesOf(fields) : undefined,
  };
}

/** Without what concerns only HTTP, which the clients do themselves. */
function docOf({ summary, description }: Operation, isPaged: boolean): string[] {
  if (isPaged) return [summary];
  const sentences = description.split(/(?<=\.) /);
  const about = sentences.filter((one) => !/Idempotency-Key|Accept:/.test(one)).join(' ');
  if (!repeated.test(about)) return [summary, about];
  const [, more] = summary.split('; ');
  return more === undefined ? [about] : [about, more.charAt(0).toUpperCase() + more.slice(1)];
}

export function queryOf(route: string, http: string, { query }: Operation): Method['query'] {
  if (query === undefined) return undefined;
  const described = document.paths[route.replace(':id', '{id}')]?.[http.toLowerCase()];
  // The clients read JSON, and choose no other format.
  const given = (described?.parameters ?? []).filter(
    (one) => one.in === 'query' && one.name !== 'format',
  );
  return {
    name: Object.entries(contract).find(([, one]) => one === query)?.[0] ?? '',
    fields: Object.fromEntries(
      given.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: given.filter(({ required }) => required).map(({ name }) => name),
  };
}

function nameOf(schema: unknown): string {
  const [name] = Object.entries(contract).find(([, one]) => one === schema) ?? [];
  if (name === undefined) throw new Error('The schema of a body has no name in the contract.');
  return name;
}

function bodyOf(name: string): Body {
  const { properties: fields = {}, required = [], description = '' } = schemas[name] ?? {};
  const hasDefaults = Object.values(fields).some((one) => one.default !== undefined);
  return { name, description, fields, required, hasDefaults };
}

/** The entries of a list with one kind of entries. */
function entriesOf(fields: Fields): Method['entries'] {
  const lists = Object.entries(fields).filter(([, { type }]) => type === 'array');
  const [field = '', { items } = {}] = lists[0] ?? [];
  const item = items?.$ref?.replace(/^.*\//, '');
  return lists.length === 1 && item !== undefined ? { field, item } : undefined;
}
