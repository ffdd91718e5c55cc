// Writes the Python admin client, and the types of its filters and bodies, from the operations.
import { eventTypes } from '@trivium/contract';
import { operations, resources } from '@trivium/contract/operations';
import type { Resource } from '@trivium/contract/operations';
import { isPaged, methods, ownFields, pageFields, queryOf, schemas } from './admin-methods.ts';
import type { Body, Fields, Method, Query } from './admin-methods.ts';
import { docText, inPython, isNullable, nameIn, wrapWords } from './python-models.ts';
import type { Schema } from './python-models.ts';

const columns = 100;

/** What `{id}` is in a path, by its collection. */
const ids: Readonly<Record<string, readonly [name: string, description: string]>> = {
  accounts: ['account_id', 'The id of the account.'],
  keys: ['key_id', 'The id of the key.'],
  people: ['person_id', 'The id of the person.'],
  invites: ['invitation_id', 'The id of the invitation.'],
  jobs: ['job_id', 'The id of the job.'],
  incidents: ['incident_id', 'The id of the incident.'],
  requests: ['request_id', 'The id of the request, of its answer, or of its job.'],
  notes: ['note_id', 'The id of the note.'],
  views: ['view_id', 'The id of the view.'],
  webhooks: ['webhook_id', 'The id of the endpoint.'],
  deliveries: ['delivery_id', 'The id of the delivery.'],
  providers: ['provider', "The id of the provider, or its vendor's name."],
};

/** Fields of a body that are passed without their name. */
const positional: Readonly<Record<string, string>> = {
  createAccount: 'name',
  createInvite: 'role',
};

/** The types of bodies whose fields are passed on, if they have another name. */
const passedOn: Readonly<Record<string, readonly [fields: string, checked: string]>> = {
  AccountRequest: ['PolicyChange', 'AccountChange'],
  KeyRequest: ['KeyChange', 'KeyChange'],
};

/** Enumerations of filters that a newer gateway may extend. */
const open = new Set(['action', 'error_type', 'outcome', 'status']);
const maxValues = 8;

const filtersOf = ({ name }: Query) => name.replace('Kind', '').replace('Query', 'Filters');
const hasFilters = ({ isOfAccount }: Method) => !isOfAccount;

/** Many optional fields are passed on as they are; few are parameters of the method. */
const isPassedOn = ({ fields, required }: Body) =>
  Object.keys(fields).length > (required.length > 0 ? 5 : 2);
/** None in such a body is a value, which removes a limit. */
const keepsNone = (body: Body) => isPassedOn(body) && Object.values(body.fields).some(isNullable);

/** `_fields.py`: the filters of lists, and the fields of bodies. */
export function pythonFields(): string {
  const own = (['/v1/usage', '/v1/jobs'] as const).flatMap(
    (route) => queryOf(route, 'GET', operations[`GET ${route}`]) ?? [],
  );
  const queries = [
    ...own,
    ...methods.flatMap((one) => (one.query && hasFilters(one) ? [one.query] : [])),
  ];
  const filterClass = (name: string, base: string, fields: Fields, required: readonly string[]) =>
    classOf(`class ${name}(${base}, total=False):`, undefined, fields, (field) =>
      required.includes(field) ? '' : ' | None',
    );
  const filters = queries.map((query) => {
    const base = isPaged(query) ? 'PageFilters' : 'TypedDict';
    return filterClass(filtersOf(query), base, ownFields(query), query.required);
  });
  filters.unshift(filterClass('PageFilters', 'TypedDict', pageFields, []));
  const bodies = new Map(methods.flatMap(({ body }) => (body ? [[body.name, body]] : [])));
  const policy = Object.fromEntries(
    Object.entries(bodies.get('AccountRequest')?.fields ?? {}).filter(([name]) => name !== 'name'),
  );
  const classes = [...bodies.values()].flatMap((body) => {
    if (body.name in passedOn) return [];
    const base = keepsNone(body) ? 'PolicyChange' : 'TypedDict';
    const fields = Object.fromEntries(
      Object.entries(body.fields).filter(([name]) => base === 'TypedDict' || !(name in policy)),
    );
    return classOf(
      `@strict_fields\nclass ${body.name}(${base}, total=False):`,
      body.description,
      fields,
      (name, schema) =>
        isNullable(schema) || !(keepsNone(body) || body.required.includes(name)) ? ' | None' : '',
    );
  });
  const policyClass = classOf(
    '@strict_fields\nclass PolicyChange(TypedDict, total=False):',
    'Limits on requests. None removes a limit.',
    policy,
    () => ' | None',
  );
  return `# Written by scripts/clients.ts from the operations: do not edit.
"""The filters of lists, and what an operator may set. None means not given, or removes a limit."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from typing_extensions import TypedDict

from .admin_models import AccountEvent, GatewayEvent
from .requests import ProviderId, TranscriptionEngine, strict_fields

Event = AccountEvent | GatewayEvent


${[...filters, policyClass, ...classes].join('\n\n')}`;
}

function classOf(
  head: string,
  description: string | undefined,
  fields: Fields,
  ending: (name: string, schema: Schema) => string,
): string {
  const lines = Object.entries(fields).map(([name, schema]) => {
    const python = name === 'from' ? 'from_' : name;
    return `    ${python}: ${typeOf(name, schema)}${ending(name, schema)}\n${docText(describe(schema))}\n`;
  });
  const doc = description === undefined ? '' : `${docText(description)}\n\n`;
  return `${head}\n${doc}${lines.join('')}`;
}

function describe({ description = '', default: value }: Schema): string {
  return value === undefined || value === null || value === ''
    ? description
    : `${description} Default: ${String(value)}.`;
}

function typeOf(name: string, schema: Schema): string {
  const inner = schema.anyOf?.find(({ type }) => type !== 'null');
  if (inner) return typeOf(name, inner);
  if (schema.$ref !== undefined) {
    const named = nameIn(schema.$ref);
    return named === 'ProviderId' ? named : typeOf(name, schemas[named] ?? {});
  }
  if (schema.enum) return enumOf(name, schema.enum);
  const groups = schema.pattern?.match(/^\^\(\?:([a-z|]+)\|tag:/)?.[1];
  if (groups !== undefined) return `${literal(groups.split('|'))} | str`;
  if (schema.type === 'array') return `Sequence[${typeOf(name, schema.items ?? {})}]`;
  if (schema.format === 'date-time') return 'datetime | str';
  if (name === 'from' || name === 'to') return 'date | str';
  return { integer: 'int', number: 'float', boolean: 'bool' }[String(schema.type)] ?? 'str';
}

function enumOf(name: string, values: readonly string[]): string {
  if (values.join() === eventTypes.join()) return 'Event | Literal["webhook.test"]';
  if (values.includes('balance.low')) return 'Event';
  if (values.every((value) => value.startsWith('stt_'))) return 'TranscriptionEngine';
  if (!open.has(name)) return literal(values);
  return values.length > maxValues ? 'str' : `${literal(values)} | str`;
}

function literal(values: readonly string[]): string {
  return `Literal[${values.map((value) => `"${value}"`).join(', ')}]`;
}

/** `_async_admin.py`; the blocking client is made from it. */
export function pythonAdmin(): string {
  const groups = Map.groupBy(methods, ({ resource }) => resource);
  const parts = [...groups.keys()].filter((one) => one !== undefined);
  const openings = (outer: string, client: string) =>
    parts
      .filter((one) => one.replace(/\.?\w+$/, '') === outer)
      .map((one) => `        self.${one.split('.').at(-1)} = ${className(one)}(${client})\n`)
      .join('');
  const classes = parts.map((resource) => {
    const inner = openings(resource, 'client');
    const init =
      inner === ''
        ? ''
        : `\n    def __init__(self, client: AsyncSender) -> None:\n        super().__init__(client)\n${inner}`;
    const own = (groups.get(resource) ?? []).map((one) => methodOf(one, 'self._client')).join('');
    return `class ${className(resource)}(_Part):\n    """${resources[resource]}"""\n${init}${own}`;
  });
  const top = (groups.get(undefined) ?? []).map((one) => methodOf(one, 'self')).join('');
  const body = `${clientHead}${openings('', 'self')}${top}\n\n${partClass}${classes.join('\n\n')}`;
  const used = (names: Iterable<string>) =>
    [...new Set(names)].filter((name) => new RegExp(`\\b${name}\\b`).test(body)).toSorted();
  const fields = used([
    ...methods.flatMap((one) => (one.query && hasFilters(one) ? [filtersOf(one.query)] : [])),
    ...methods.flatMap((one) => one.body?.name ?? []),
    ...['PolicyChange', 'Event'],
  ]);
  const models = used(
    methods.flatMap(({ answer, entries }) => [answer.name, ...(entries ? [entries.item] : [])]),
  );
  return `"""The operator's async client: accounts, balances, keys, people, webhooks and usage."""

from collections.abc import Sequence
from typing import Literal

import httpx
from typing_extensions import Unpack

from ._admin_calls import ROOT, change, changed, listing
from ._async import AsyncPages, AsyncSender
from ._call import Call, encode, get, query, segment
from ._fields import (
${fields.map((name) => `    ${name},\n`).join('')})
from ._providers import to_provider_id
from ._settings import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, read_settings
from .admin_models import (
${models.map((name) => `    ${name},\n`).join('')})


${body}`;
}

const className = (resource: Resource) =>
  `AsyncAdmin${(resource.split('.').at(-1) ?? '').replace(/^./, (first) => first.toUpperCase())}`;

const partClass = `class _Part:
    def __init__(self, client: AsyncSender) -> None:
        self._client = client


`;

const clientHead = `class AsyncTriviumAdmin(AsyncSender):
    """The operator's client of a Trivium gateway.

    Args:
        url: The address of the gateway; TRIVIUM_URL or http://127.0.0.1:8787 by default.
        admin_token: The operator's token, not an API key; TRIVIUM_ADMIN_TOKEN by default.
        timeout: The maximum number of seconds for a call, including retries.
        max_retries: How many times a call is retried after a broken connection.
        http_client: An httpx client to use; the caller closes it.
    """

    def __init__(
        self,
        *,
        url: str | None = None,
        admin_token: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = read_settings(
            url=url,
            token=admin_token,
            token_name="admin_token",
            timeout=timeout,
            max_retries=max_retries,
        )
        super().__init__(settings, http_client)
`;

interface Parameter {
  text: string;
  name: string;
  about: string;
}

function methodOf(method: Method, client: string): string {
  const { id, verb, doc, keyed, query, body, answer, entries, fixed } = method;
  const plain: Parameter[] = [];
  const named: Parameter[] = [];
  const add = (to: Parameter[], name: string, type: string, about: string) =>
    to.push({ text: `${name}: ${type}`, name, about });
  if (method.collection !== undefined) {
    const [name, about] = ids[method.collection] ?? [];
    if (name === undefined || about === undefined) throw new Error(`Name the id of ${id} in ids.`);
    add(plain, name, 'str', about);
  }
  if (query && !hasFilters(method)) {
    const type = query.required.length > 0 ? 'str' : 'str | None = None';
    add(method.collection ? named : plain, 'account_id', type, 'The id of the account.');
  }
  const sent = Object.entries(body?.fields ?? {}).filter(
    ([name]) => fixed === undefined || body?.required.includes(name),
  );
  for (const [name, schema] of sent) {
    const isPlain = positional[id] === name;
    if (!isPlain && body && fixed === undefined && isPassedOn(body)) continue;
    const isRequired = body?.required.includes(name);
    const type = typeOf(name, schema) + (isRequired ? '' : ' | None = None');
    add(isPlain ? plain : named, name, type, describe(schema));
  }
  named.sort(
    (one, other) => Number(one.text.endsWith('= None')) - Number(other.text.endsWith('= None')),
  );
  if (keyed) {
    const about =
      'Generated for each call unless given. A call repeated with it takes effect once.';
    add(named, 'idempotency_key', 'str | None = None', about);
  }
  const rest: Parameter[] = [];
  if (query && hasFilters(method)) {
    const type = filtersOf(query);
    add(rest, '**filters', `Unpack[${type}]`, `Filters, as in \`${type}\`.`);
  } else if (body && fixed === undefined && isPassedOn(body)) {
    const [type] = passedOn[body.name] ?? [body.name];
    add(rest, '**fields', `Unpack[${type}]`, `${body.description} The fields are in \`${type}\`.`);
  }
  const result = entries ? `AsyncPages[${answer.name}, ${entries.item}]` : answer.name;
  const parameters = [
    ...['self', ...plain.map(({ text }) => text)],
    ...(named.length > 0 ? ['*', ...named.map(({ text }) => text)] : []),
    ...rest.map(({ text }) => text),
  ];
  const head = `    ${entries ? '' : 'async '}def ${snake(verb)}(`;
  const short = `${head}${parameters.join(', ')}) -> ${result}:`;
  const signature =
    short.length <= columns
      ? short
      : `${head}\n${parameters.map((one) => `        ${one},\n`).join('')}    ) -> ${result}:`;
  const paged = entries && query ? ['Iterate over the list to get every entry of every page.'] : [];
  return [
    '',
    signature,
    docOf([...doc, ...paged], [...plain, ...named, ...rest]),
    ...codeOf(method, client),
    '',
  ].join('\n');
}

function docOf(sentences: readonly string[], parameters: readonly Parameter[]): string {
  const [first = '', ...more] = sentences.map((one) => one.replace(/\.?$/, '.'));
  const texts = [wrap(`"""${first}`, 8), ...(more.length > 0 ? [wrap(more.join(' '), 8)] : [])];
  if (parameters.length === 0) {
    return `${texts.join('\n\n')}${texts.length > 1 ? '\n        ' : ''}"""`;
  }
  const args = parameters.map(({ name, about }) => wrap(`${name}: ${about}`, 12, 16));
  return [...texts, `        Args:\n${args.join('\n')}\n        """`].join('\n\n');
}

function wrap(text: string, indent: number, further = indent): string {
  return wrapWords(inPython(text), columns - further - 3)
    .map((line, at) => ' '.repeat(at === 0 ? indent : further) + line)
    .join('\n');
}

function codeOf(method: Method, client: string): string[] {
  const { http, keyed, query, answer, entries } = method;
  const path = pathOf(method);
  if (entries && query) {
    return [
      `        path = ${path}`,
      `        return AsyncPages(`,
      `            ${client},`,
      `            lambda given: listing(path, ${answer.name}, given, ${filtersOf(query)}),`,
      '            filters,',
      '        )',
    ];
  }
  if (entries) {
    return [
      `        path = ${path}`,
      `        return AsyncPages(${client}, lambda _: get(path, ${answer.name}, None))`,
    ];
  }
  const lines: string[] = [`        path = ${path}`];
  let call = `get(path, ${answer.name}, None)`;
  if (query && hasFilters(method))
    call = `listing(path, ${answer.name}, filters, ${filtersOf(query)})`;
  else if (http !== 'GET') {
    const given = bodyOf(method);
    if (given !== undefined) lines.push(`        body = ${given}`);
    const sent = given === undefined ? 'None' : 'body';
    call = keyed
      ? `change(path, ${answer.name}, ${sent}, idempotency_key)`
      : `Call("${http}", path, ${answer.name}${given === undefined ? '' : ', body=body'})`;
  }
  return [...lines, `        return await ${client}._send(${call})`];
}

function bodyOf({ id, body, fixed }: Method): string | undefined {
  if (body === undefined) return undefined;
  const names = fixed ? body.required : Object.keys(body.fields);
  const constants = Object.entries(fixed ?? {}).map(
    ([name, value]) => `"${name}": ${value === true ? 'True' : 'False'}`,
  );
  const [, checked = body.name] = passedOn[body.name] ?? [];
  if (fixed === undefined && isPassedOn(body)) {
    const own = positional[id];
    const fields = own === undefined ? 'fields' : `{"${own}": ${own}, **fields}`;
    return `${keepsNone(body) ? 'changed' : 'encode'}(${checked}, ${fields})`;
  }
  const fields = [...names.map((name) => `"${name}": ${name}`), ...constants];
  const text = `encode(${checked}, {${fields.join(', ')}})`;
  if (text.length < columns - 16) return text;
  return `encode(\n            ${checked},\n            {${fields.join(', ')}},\n        )`;
}

function pathOf({ path, collection, isOfAccount }: Method): string {
  const [name = ''] = ids[collection ?? ''] ?? [];
  const value = collection === 'providers' ? 'to_provider_id(provider)' : name;
  const text = path.replace('{id}', `{segment('${name}', ${value})}`);
  const full = isOfAccount ? `${text}{query({'account_id': account_id})}` : text;
  return `f"{ROOT}${full}"`;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
