// Writes the models of the Python client from the API description: names, types and descriptions of
// what the gateway answers. The generators on PyPI cannot express that a newer gateway may add
// values to an enumeration, or that an answer carries the metadata of its response.

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  enum?: readonly string[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema;
  required?: readonly string[];
  description?: string;
  default?: unknown;
}

export type Schemas = Readonly<Record<string, Schema | undefined>>;

/** The paths that the clients call, by the module that has the models of their answers. */
const families = {
  models:
    /^\/v1\/(?:balance|estimates|extract|feedback|jobs|providers|search|transcriptions|uploads|usage)\b/,
  admin_models:
    /^\/admin\/v1\/(?:accounts|activity|audit|find|incidents|invites|jobs|keys|overview|people|provider-records|providers|requests|scorecard|settings|transfers|usage|webhooks)\b/,
};

/** Names of the package that differ from those of the description. */
const renamed: Readonly<Record<string, string>> = {
  Warning: 'RequestWarning',
  TranscriptionUsage: 'Usage',
};

/** Names of objects that have none in the description. */
const inlineNames: Readonly<Record<string, string>> = {
  'OwnUsage.total': 'UsageSums',
  'OwnUsage.previous': 'UsageSums',
  'UsageReport.total': 'UsageSums',
  'UsageReport.previous': 'UsageSums',
  'UsageLine.previous': 'UsageSums',
  'UsageComparison.total': 'UsageTotal',
  'UsageComparison.previous': 'UsageTotal',
  'UsageComparison.causes': 'UsageCause',
  'UsageLine.days': 'UsageDay',
  'OwnUsage.stored': 'StoredUse',
  'ProviderDescription.tools': 'ProviderTools',
  'ProvidersResponse.auto': 'AutoOrders',
  'AutoOrder.order': 'AutoPlace',
  'ToolDescription.capabilities': 'Capability',
  'ErrorKindList.errors': 'ErrorKind',
  'DeliveryDetail.attempt_details': 'DeliveryAttempt',
  'ProviderDescription.simulated': 'SimulatedPeriod',
  'ProviderHourList.hours': 'ProviderHour',
  'FoundList.found': 'Found',
  'Incident.gaps': 'IncidentGap',
  'Overview.total': 'UsageSums',
  'Overview.previous': 'UsageSums',
  'Overview.points': 'OverviewPoint',
  'Overview.by_tool': 'OverviewGroup',
  'Overview.by_provider': 'OverviewGroup',
  'Overview.by_key': 'OverviewGroup',
  'Overview.cost_by_provider': 'CostSeries',
  'Overview.cost_by_key': 'CostSeries',
  'Overview.latency': 'Latency',
  'Overview.latency_by_provider': 'ProviderLatency',
  'Overview.latency_over_time': 'ProviderLatencySeries',
  'PeopleList.people': 'PersonLine',
  'PeopleList.invites': 'Invite',
  'ProviderRecordList.records': 'ProviderRecord',
};

/** Descriptions of models that are used in several places, each with another description. */
const sharedDescriptions: Readonly<Record<string, string>> = {
  UsageSums: 'Requests and their cost, added up.',
  OverviewGroup: 'The requests of a tool, a provider or a key.',
  CostSeries: 'The cost of a provider or a key at each point of the chart.',
  Latency: 'Requests and how long they took.',
  OverviewPoint: 'The requests of an hour or a day.',
  ProviderLatency: 'How long requests to a provider took.',
  ProviderLatencySeries: 'The latency of a provider at each point of the chart.',
  PersonLine: 'A person who can sign in.',
  Invite: 'An open invitation.',
  ProviderRecord: 'Recent requests to a provider.',
};

/** Models that inherit the fields of another. */
const bases: Readonly<Record<string, string>> = {
  UsageLine: 'UsageSums',
  UsageDay: 'UsageSums',
  ProviderLatency: 'Latency',
  DeliveryDetail: 'WebhookDelivery',
  Account: 'Policy',
  Key: 'Policy',
  NewKey: 'Key',
  NewWebhook: 'Webhook',
};

/** Fields that the first release did not send, with what their absence means. */
const addedLater: Readonly<Record<string, string>> = {
  'Balance.exposed_usd': '0',
  'Account.exposed_usd': '0',
  'Account.low_balance_usd': 'None',
  'Key.used_today_usd': 'None',
  'Key.used_this_month_usd': 'None',
  'Key.own_use_only': 'False',
  'ProvidersResponse.auto': 'None',
  'RequestLine.tags': '{}',
  'RequestLine.warning_details': '[]',
  'RequestLine.attempts': '[]',
  'RequestLine.cost_parts': '[]',
};

/** Names of enumerations, by a value that no other has. */
const enumNames: Readonly<Record<string, string>> = {
  submitting: 'AttemptStatus',
  running: 'JobStatus',
  param_ignored: 'WarningCode',
};

const columns = 100;
/** Longer ones, and ids of providers, are plain strings. */
const maxEnumValues = 8;

interface Field {
  type: string;
  value: string | undefined;
  description: string | undefined;
}

interface Model {
  base: string;
  description: string | undefined;
  fields: Map<string, Field>;
}

/** The text of a module. `document` is an OpenAPI document, as GET /openapi.json returns it. */
export function pythonModels(document: unknown, module: keyof typeof families): string {
  const { paths, components } = document as {
    paths: Readonly<Record<string, object>>;
    components: { schemas: Schemas };
  };
  const { models, enums } = readModels(components.schemas, answersOf(paths, families[module]));
  const isOwn = module === 'models';
  const own = isOwn
    ? new Map<string, Model>()
    : readModels(components.schemas, answersOf(paths, families.models)).models;
  const classes = [...models]
    .filter(([name]) => !own.has(name))
    .map(([name, model]) => writeModel(name, model, models));
  const aliases = isOwn ? [...enums].map(([name, type]) => `${name} = ${type}\n`) : [];
  const text = [...(isOwn ? [aliases.join('')] : []), ...classes, ...(isOwn ? [completedJob] : [])];
  const used = new Set(classes.join('').match(/(?<=[\s([])[A-Z]\w+/g));
  const shared = [...own.keys(), ...enums.keys()].filter((name) => !isOwn && used.has(name));
  return `${headOf(module, shared, used.has('Any'))}\n${text.join('\n\n')}`;
}

/** The names of the schemas that the operations of these paths answer with. */
function answersOf(paths: Readonly<Record<string, object>>, family: RegExp): string[] {
  const text = Object.entries(paths).flatMap(([path, operations]) =>
    family.test(path) ? Object.values(operations) : [],
  ) as { responses?: Record<string, { content?: Record<string, { schema: Schema }> }> }[];
  const names = text.flatMap(({ responses = {} }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const ref = content?.['application/json']?.schema.$ref;
      return status.startsWith('2') && ref !== undefined ? [nameIn(ref)] : [];
    }),
  );
  return [...new Set(names)];
}

/** The models of the answers and of all that they contain, each after those that it names. */
function readModels(schemas: Schemas, answers: readonly string[]) {
  const models = new Map<string, Model>();
  const enums = new Map<string, string>();
  const add = (name: string, schema: Schema): string => {
    const python = renamed[name] ?? name;
    if (models.has(python)) return python;
    const base = bases[python];
    if (base === 'Policy') add('Policy', policyIn(schemas));
    else if (base !== undefined && schemas[base]) add(base, schemas[base]);
    const fields = new Map<string, Field>();
    for (const [field, value] of Object.entries(schema.properties ?? {})) {
      fields.set(field, fieldOf(value, `${python}.${field}`, schema.required ?? []));
    }
    const isAnswer = answers.includes(name) || name === 'Policy';
    models.set(python, {
      base: base ?? listBase(name, fields) ?? (isAnswer ? 'Answer' : 'Model'),
      description: sharedDescriptions[python] ?? schema.description,
      fields,
    });
    return python;
  };
  const fieldOf = (schema: Schema, place: string, required: readonly string[]): Field => {
    const type = typeOf(schema, place);
    const later = addedLater[place];
    const { description } = schema;
    if (later !== undefined && later !== 'None') return { type, value: later, description };
    if (type === 'Any') return { type, value: 'None', description };
    const isRequired = required.includes(place.split('.')[1] ?? '') && later === undefined;
    if (isRequired && !isNullable(schema)) return { type, value: undefined, description };
    return { type: `${type} | None`, value: 'None', description };
  };
  const typeOf = (schema: Schema, place: string): string => {
    const inner = schema.anyOf?.find(({ type }) => type !== 'null');
    if (inner) return typeOf(inner, place);
    if (schema.$ref !== undefined) {
      const found = schemas[nameIn(schema.$ref)] ?? {};
      return found.properties ? add(nameIn(schema.$ref), found) : typeOf(found, place);
    }
    if (schema.enum && schema.type !== 'boolean') {
      const { name, type } = enumOf(schema.enum);
      if (name !== undefined) enums.set(name, type);
      return name ?? type;
    }
    const type = [schema.type].flat().find((one) => one !== 'null') ?? '';
    if (type === 'array') {
      const item = typeOf(schema.items ?? {}, place);
      return isNullable(schema.items ?? {}) ? `list[${item} | None]` : `list[${item}]`;
    }
    if (schema.properties) return add(nameOf(place), schema);
    if (type === 'object') return `dict[str, ${typeOf(schema.additionalProperties ?? {}, place)}]`;
    return schema.format === 'date-time' ? 'datetime' : (scalars[type] ?? 'Any');
  };
  for (const name of answers) add(name, schemas[name] ?? {});
  return { models: basesFirst(models), enums };
}

/** A place such as `OwnUsage.total` is not a class name. */
function nameOf(place: string): string {
  const name = inlineNames[place];
  if (name === undefined) throw new Error(`Name the object at ${place} in inlineNames.`);
  return name;
}

function basesFirst(models: ReadonlyMap<string, Model>): Map<string, Model> {
  const sorted = new Map<string, Model>();
  const visit = (name: string) => {
    const model = models.get(name);
    if (model === undefined || sorted.has(name)) return;
    visit(model.base.split('[')[0] ?? '');
    for (const { type } of model.fields.values())
      if (model.base.endsWith(']')) visit(type.slice(5, -1));
    sorted.set(name, model);
  };
  for (const name of models.keys()) visit(name);
  return sorted;
}

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
};

export function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

export function isNullable({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes('null') || anyOf.some((one) => one.type === 'null');
}

function enumOf(values: readonly string[]): { name?: string; type: string } {
  if (values.includes('balance.low')) return { type: 'EventType' };
  if (values.length > maxEnumValues || /^(?:engine|stt)_/.test(values[0] ?? '')) {
    return { type: 'str' };
  }
  const type = `Literal[${values.map((value) => `"${value}"`).join(', ')}] | str`;
  const name = Object.entries(enumNames).find(([value]) => values.includes(value))?.[1];
  return name === undefined ? { type } : { name, type };
}

/** What an operator may set for an account as well as for a key. */
function policyIn({ AccountChange, Key }: Schemas): Schema {
  const shared = Object.entries(Key?.properties ?? {}).filter(
    ([name]) => name !== 'name' && name in (AccountChange?.properties ?? {}),
  );
  return {
    description: 'What requests may do. None sets no limit.',
    properties: Object.fromEntries(shared),
  };
}

/** A list is generic over its items, which its one field with a list has. */
function listBase(name: string, fields: ReadonlyMap<string, Field>): string | undefined {
  const [, item] = itemsOf(fields) ?? [];
  if (!name.endsWith('List') || item === undefined) return undefined;
  if (!fields.has('next_cursor')) return `Listing[${item}]`;
  return fields.has('searched_until') ? `SearchedPage[${item}]` : `Page[${item}]`;
}

function itemsOf(fields: ReadonlyMap<string, Field>): [field: string, item: string] | undefined {
  for (const [field, { type }] of fields) {
    const item = /^list\[(\w+)\]$/.exec(type)?.[1];
    if (item !== undefined) return [field, item];
  }
  return undefined;
}

function writeModel(name: string, model: Model, all: ReadonlyMap<string, Model>): string {
  const isList = model.base.endsWith(']');
  const inherited = new Set(model.base.includes('Page[') ? pageFields : []);
  for (let base = all.get(model.base); base; base = all.get(base.base)) {
    for (const field of base.fields.keys()) inherited.add(field);
  }
  const fields = [...model.fields].filter(([field]) => !inherited.has(field));
  return [
    `class ${name}(${model.base}):`,
    ...(model.description === undefined ? [] : [docText(model.description), '']),
    ...(isList ? [`    _items: ClassVar[str] = "${itemsOf(model.fields)?.[0]}"`] : []),
    ...fields.flatMap(([field, { type, value, description }]) => [
      `    ${field}: ${type}${value === undefined ? '' : ` = ${value}`}`,
      ...(description === undefined ? [] : [docText(description)]),
    ]),
    '',
  ].join('\n');
}

const pageFields = ['next_cursor', 'searched_until'];

/** A docstring, broken where a line would become too long. */
export function docText(text: string): string {
  const lines = wrapWords(`"""${inPython(text)}"""`, columns - 4);
  return lines.map((line) => `    ${line}`).join('\n');
}

export function inPython(text: string): string {
  return text.replace(/\bnull\b/gi, 'None');
}

export function wrapWords(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length > width) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

const intros = {
  models: 'The answers of the gateway, as pydantic models that keep unknown fields.',
  admin_models:
    "The gateway's answers to its operator: accounts, keys, balances, requests and jobs.",
};

/** Names that are also part of a module. */
const reexported = {
  models: ['Answer', 'ErrorType', 'Model', 'ResponseMeta', 'SearchedPage', 'ValidationIssue'],
  admin_models: [
    ...['AccountEvent', 'Answer', 'EventType', 'GatewayEvent', 'Listing', 'Model', 'Page'],
    'SearchedPage',
  ],
};

function headOf(
  module: keyof typeof families,
  shared: readonly string[],
  usesAny: boolean,
): string {
  return `"""${intros[module]}

Written by scripts/clients.ts from the API description: do not edit.
"""

from datetime import datetime
from typing import ${usesAny ? 'Any, ' : ''}ClassVar, Literal

${reexported[module].map((name) => `from ._model import ${name} as ${name}\n`).join('')}${shared
    .map((name) => `from .models import ${name}\n`)
    .join('')}
`;
}

const completedJob = `class CompletedJob(Job):
    """A completed job with its transcript, as \`jobs.wait\` returns it."""

    # Narrower than in a job; both are only read.
    status: Literal["completed"]  # pyright: ignore[reportIncompatibleVariableOverride]
    result: Transcript  # pyright: ignore
`;
