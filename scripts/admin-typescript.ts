// Writes the TypeScript admin client and the filters of both clients from the operations.
import { join } from 'node:path';
import { operations, resources } from '@trivium/contract/operations';
import type { Resource } from '@trivium/contract/operations';
import { auditActions, errorTypes, eventTypes, outcomes } from '@trivium/contract';
import { typeOf } from '../sdk/build/types-of-schemas.ts';
import { isPaged, methods, ownFields, pageFields, queryOf, schemas } from './admin-methods.ts';
import type { Body, Fields, Method, Query } from './admin-methods.ts';
import { projectRoot } from './command.ts';
import { wrapWords } from './python-models.ts';
import type { Schema } from './python-models.ts';

const note = '// Written by scripts/clients.ts from the operations: do not edit.';

/** The generated files, by their paths in the project. */
export function typescriptFiles(): Map<string, string> {
  return new Map([
    ['sdk/src/admin-methods.ts', formatted('admin-methods.ts', methodsFile())],
    ['sdk/src/filters.ts', formatted('filters.ts', filtersFile())],
  ]);
}

function formatted(name: string, text: string): string {
  const formatter = join(projectRoot, 'node_modules', '.bin', 'oxfmt');
  const run = Bun.spawnSync([formatter, `--stdin-filepath=${name}`], {
    cwd: projectRoot,
    stdin: Buffer.from(text),
  });
  if (run.exitCode !== 0) throw new Error(run.stderr.toString());
  return run.stdout.toString();
}

/** Names of filters that differ from those of their queries. */
const filterNames: Readonly<Record<string, string>> = {
  ErrorKindQuery: 'ErrorFilters',
  JobQuery: 'AccountJobFilters',
  OwnJobQuery: 'JobFilters',
  OwnUsageQuery: 'UsageFilters',
  RequestAnswerQuery: 'AnswerFilters',
  UsageQuery: 'AccountUsageFilters',
};

function filtersOf({ name }: Query): string {
  return filterNames[name] ?? name.replace('Query', 'Filters');
}

/** A method of an account takes its id, unless that is optional beside another id. */
const hasFilters = ({ isOfAccount, path, query }: Method) =>
  !isOfAccount || (path.includes('{id}') && query?.required.length === 0);

function filtersFile(): string {
  const own = (['/v1/usage', '/v1/jobs'] as const).flatMap(
    (route) => queryOf(route, 'GET', operations[`GET ${route}`]) ?? [],
  );
  const queries = methods.flatMap((method) =>
    method.query !== undefined && hasFilters(method) ? [method.query] : [],
  );
  const types = [...own, ...queries].map((query) => {
    const name = filtersOf(query) + (isPaged(query) ? ' extends PageFilters' : '');
    return filterInterface(name, ownFields(query), query.required);
  });
  const text = [filterInterface('PageFilters', pageFields, []), ...types].join('\n');
  const named = enumNames.map(([name]) => name).filter((name) => text.includes(` ${name} `));
  return [note, `import type { ${named.join(', ')} } from '@trivium/contract';\n`, text].join('\n');
}

function filterInterface(name: string, fields: Fields, required: readonly string[]): string {
  const lines = Object.entries(fields).map(([field, schema]) => {
    const [mark, absent] = required.includes(field) ? ['', ''] : ['?', ' | undefined'];
    return `${comment([withDefault(schema)])}${field}${mark}: ${filterType(schema)}${absent};\n`;
  });
  return `export interface ${name} {\n${lines.join('')}}\n`;
}

const enumNames: readonly (readonly [string, readonly string[]])[] = [
  ['AuditAction', auditActions],
  ['ErrorType', errorTypes],
  ['EventType', eventTypes],
  ['Outcome', outcomes],
];

function filterType(schema: Schema): string {
  const named = enumNames.find(([, values]) => values.join() === schema.enum?.join());
  if (named) return named[0];
  const groups = schema.pattern?.match(/^\^\(\?:([a-z|]+)\|tag:/)?.[1];
  if (groups === undefined) return typeOf(schema as never, '');
  return [...groups.split('|').map((group) => `'${group}'`), '`tag:${string}`'].join(' | ');
}

function withDefault({ description = '', default: value }: Schema): string {
  return value === undefined ? description : `${description} Default: ${String(value)}.`;
}

function comment(sentences: readonly string[]): string {
  const text = sentences.map((one) => one.replace(/\.?$/, '.')).join(' ');
  const lines = wrapWords(text, 90);
  if (lines.length === 1) return `/** ${text} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

function methodsFile(): string {
  const groups = Map.groupBy(methods, ({ resource = '' }) => resource);
  const write = (one: (method: Method) => string, outer = ''): string => {
    const own = (groups.get(outer as never) ?? []).map(one);
    const inner = [...groups.keys()]
      .filter((name) => name !== '' && name.replace(/\.?\w+$/, '') === outer)
      .map((name) => {
        const text = write(one, name);
        const doc = one === typeOfMethod ? comment([resources[name as Resource]]) : '';
        return `${doc}${name.split('.').at(-1)}: {\n${text}}${one === typeOfMethod ? ';' : ','}\n`;
      });
    return [...own, ...inner].join('');
  };
  const types = write(typeOfMethod);
  const code = write(codeOf);
  const given = (names: Iterable<string>) =>
    [...new Set(names)].filter((name) => new RegExp(`\\b${name}\\b`).test(types)).toSorted();
  const contractTypes = given(
    [
      ...methods.flatMap(({ answer, body }) => [answer.name, body?.name ?? '']),
      ...methods.flatMap(({ entries }) => entries?.item ?? []),
    ].filter((name) => name !== ''),
  );
  const filters = given(
    methods.flatMap((one) => (one.query && hasFilters(one) ? [filtersOf(one.query)] : [])),
  );
  return `${note}
import type { ${contractTypes.join(', ')} } from '@trivium/contract';
import { providerPart } from './admin-calls.ts';
import type { AdminCalls, KeyedOptions, Options } from './admin-calls.ts';
import type { ApiPromise, PagePromise } from './api-promise.ts';
import type { ${filters.join(', ')} } from './filters.ts';
import { queryOf } from './lists.ts';
import type { List } from './lists.ts';
import type { EitherName } from './names.ts';

export interface AdminClient {
${types}}

export function adminMethods({ ask, change, list }: AdminCalls): AdminClient {
  return {
${code}  };
}

const part = encodeURIComponent;
`;
}

/** Methods that accept one field of their body instead of the body. */
const shortBodies: Readonly<Record<string, string>> = { createAccount: 'name' };

function typeOfMethod(method: Method): string {
  const { id, verb, doc, keyed, query, body, answer, entries, fixed } = method;
  const about = comment(doc);
  const options = `options?: ${keyed ? 'KeyedOptions' : 'Options'}`;
  if (entries && query) {
    return `${about}${verb}: List<${answer.name}, ${entries.item}, ${filtersOf(query)}>;\n`;
  }
  const given: string[] = [];
  const name = idName(method);
  if (name !== undefined) given.push(`${name}: string`);
  if (query && !hasFilters(method)) {
    given.push(`accountId: string${query.required.length > 0 ? '' : ' | undefined'}`);
  } else if (query) {
    given.push(`filters${query.required.length > 0 ? '' : '?'}: EitherName<${filtersOf(query)}>`);
  }
  if (body && fixed === undefined) {
    const short = id in shortBodies ? 'string | ' : '';
    const mark = body.required.length > 0 || !body.hasDefaults ? '' : '?';
    given.push(`${bodyName(body)}${mark}: ${short}EitherName<${bodyType(body)}>`);
  } else if (body && body.required.length > 0) {
    given.push(`${bodyName(body)}: ${requiredOf(body)}`);
  }
  const answered = entries
    ? `PagePromise<${answer.name}, ${entries.item}>`
    : `ApiPromise<${answer.name}>`;
  return `${about}${verb}: (${[...given, options].join(', ')}) => ${answered};\n`;
}

function idName({ collection, resource }: Method): string | undefined {
  if (collection === undefined) return undefined;
  if (collection === 'providers') return 'provider';
  return collection === 'accounts' && resource !== 'accounts' ? 'accountId' : 'id';
}

function bodyName({ name }: Body): string {
  return /Change$/.test(name) ? 'change' : /Rotation$/.test(name) ? 'rotation' : 'request';
}

/** Fields with a default may be omitted. */
function bodyType(body: Body): string {
  if (!body.hasDefaults) return body.name;
  const partial = `Partial<${body.name}>`;
  return body.required.length === 0 ? partial : `${requiredOf(body)} & ${partial}`;
}

function requiredOf({ name, required }: Body): string {
  return `Pick<${name}, ${required.map((field) => `'${field}'`).join(' | ')}>`;
}

function codeOf(method: Method): string {
  const { id, verb, http, keyed, query, body, answer, entries, fixed } = method;
  const name = idName(method);
  const path = pathOf(method, name);
  if (entries && query) return `${verb}: list(${path}, '${entries.field}'),\n`;
  if (entries) {
    const types = `${answer.name}, ${entries.item}, object, '${entries.field}'`;
    return `${verb}: (${name}, rest) => list<${types}>(${path}, '${entries.field}')({}, rest),\n`;
  }
  const given: string[] = name === undefined ? [] : [name];
  if (query && !hasFilters(method)) given.push('accountId');
  else if (query) given.push(query.required.length > 0 ? 'filters' : 'filters = {}');
  let sent = 'undefined';
  if (fixed) {
    const fields = body?.required ?? [];
    if (fields.length > 0) given.push(`{ ${fields.join(', ')} }`);
    sent = `{ ${[...fields, ...Object.entries(fixed).map((one) => one.join(': '))].join(', ')} }`;
  } else if (body) {
    const isOptional = body.required.length === 0 && body.hasDefaults;
    given.push(isOptional ? 'body = {}' : 'body');
    const short = shortBodies[id];
    sent = short === undefined ? 'body' : `typeof body === 'string' ? { ${short}: body } : body`;
  }
  const shape = shapeOf(answer.fields);
  const rest = shape === undefined ? ['rest'] : ['rest', shape];
  const call =
    body || keyed
      ? `change('${http}', ${[path, sent, ...rest].join(', ')})`
      : `ask('${http}', ${[path, ...rest].join(', ')})`;
  return `${verb}: (${[...given, 'rest'].join(', ')}) => ${call},\n`;
}

function pathOf(method: Method, name: string | undefined): string {
  const { path, collection, query, entries } = method;
  const filters = hasFilters(method) ? 'filters' : '{ account_id: accountId }';
  const part = collection === 'providers' ? `providerPart(${name})` : `part(${name})`;
  const text = path.replace('{id}', `\${${part}}`);
  const full = query && !entries ? `${text}\${queryOf(${filters})}` : text;
  return full.includes('${') ? `\`${full}\`` : `'${full}'`;
}

/** What an answer must have to be one: an id, or else its first list, or else its texts. */
function shapeOf(fields: Method['answer']['fields']): string | undefined {
  if ('id' in fields) return undefined;
  const resolved = Object.entries(fields).map(
    ([name, { $ref, ...field }]) =>
      [name, $ref === undefined ? field : (schemas[$ref.replace(/^.*\//, '')] ?? {})] as const,
  );
  const list = resolved.find(([, { type }]) => type === 'array');
  if (list) return `{ ${list[0]}: 'list' }`;
  const texts = resolved.filter(
    ([, field]) => field.type === 'string' && field.format === undefined,
  );
  return `{ ${texts.map(([name]) => `${name}: 'string'`).join(', ')} }`;
}
