// Writes the parameters of the Python client from the API description: what a caller may ask of each
// tool, as typed dictionaries that refuse a field they do not know.
import { providerIds, providerNames, typedName } from '@trivium/contract';
import { docText, nameIn } from './python-models.ts';
import type { Schema, Schemas } from './python-models.ts';

/** Names of objects that have none in the description. */
const inlineNames: Readonly<Record<string, string>> = {
  'SearchRequest.content': 'SearchContent',
  'SearchContent.snippets': 'SnippetOptions',
  'SearchRequest.locale': 'Locale',
  'SearchRequest.provider_options': 'SearchProviderOptions',
  'ExtractRequest.content': 'ExtractContent',
  'ExtractContent.excerpts': 'ExcerptOptions',
  'ExtractRequest.provider_options': 'ExtractProviderOptions',
  'TranscriptionRequest.provider_options': 'TranscriptionProviderOptions',
};

const providers: Readonly<Record<string, string>> = {
  'SearchRequest.provider': 'SearchProvider',
  'ExtractRequest.provider': 'ExtractProvider',
  'TranscriptionRequest.provider': 'TranscriptionProvider',
};

/** The optional parameters of a request, by its name, and what their type says. */
const parameters: Readonly<Record<string, readonly [name: string, says: string]>> = {
  SearchRequest: ['SearchParameters', 'The optional parameters of a search. None means not given.'],
  ExtractRequest: [
    'ExtractParameters',
    'The optional parameters of an extraction. `timeout_ms` is for one page, not for the call.',
  ],
  TranscriptionRequest: [
    'TranscriptionParameters',
    'The optional parameters of a transcription. None means not given.',
  ],
};

/** The text of `requests.py`. */
export function pythonRequests(document: unknown): string {
  const { schemas } = (document as { components: { schemas: Schemas } }).components;
  const types = new Map<string, string>();
  const add = (name: string, schema: Schema): string => {
    const fields = Object.entries(schema.properties ?? {}).map(
      ([field, value]) => [field, typeOf(value, `${name}.${field}`), textOf(value)] as const,
    );
    const [optional, says] = parameters[name] ?? [];
    const required = fields.filter(([field]) => (schema.required ?? []).includes(field));
    const others = fields.filter((field) => !required.includes(field));
    if (name.endsWith('ProviderOptions')) types.set(name, optionsOf(name, schema, others));
    else if (optional === undefined) {
      types.set(name, classOf(name, total, schema.description, others));
    } else {
      const given = others.map(([field, type, text]) => [field, `${type} | None`, text] as const);
      types.set(optional, classOf(optional, total, says, given));
      types.set(name, classOf(name, optional, undefined, required));
    }
    return name;
  };
  const typeOf = (schema: Schema, place: string): string => {
    if (schema.$ref !== undefined) {
      const name = nameIn(schema.$ref);
      const found = schemas[name] ?? {};
      return found.properties ? add(name, found) : (known[name] ?? typeOf(found, place));
    }
    // Ignored, and so any value, unless the provider is fusion.
    if (place === 'SearchProviderOptions.fusion')
      return add('FusionOptions', schemas['FusionOptions'] ?? {});
    if (schema.enum) return providers[place] ?? literalOf(schema.enum);
    if (schema.properties) return add(inlineNames[place] ?? place, schema);
    if (schema.type === 'array') return `Sequence[${typeOf(schema.items ?? {}, place)}]`;
    if (schema.pattern === datePattern) return 'date | str';
    return { integer: 'int', boolean: 'bool', number: 'float' }[String(schema.type)] ?? 'str';
  };
  for (const name of Object.keys(parameters)) add(name, schemas[name] ?? {});
  const engines = (name: string) => literalOf(namesOf(schemas[name]?.enum ?? []));
  return `${headOf(engines)}\n\n${[...types.values()].join('\n\n')}`;
}

function textOf({ description, default: value }: Schema): string | undefined {
  const sentence = value === undefined ? '' : ` Default: ${JSON.stringify(value)}.`;
  return description === undefined ? undefined : description + sentence;
}

const total = 'TypedDict, total=False';
const datePattern = String.raw`^\d{4}-\d{2}-\d{2}$`;
const known: Readonly<Record<string, string>> = {
  NativeOptions: 'NativeOptions',
  SearchEngineId: 'SearchEngine',
};

/** The ids with the names of their vendors. */
function namesOf(ids: readonly string[]): string[] {
  return [...ids, ...providerIds.filter((id) => ids.includes(id)).map(typedName)];
}

function literalOf(values: readonly string[]): string {
  const text = `Literal[${values.map((value) => `"${value}"`).join(', ')}]`;
  return text.length < 70
    ? text
    : text.replace(/\[(.*)\]/, '[\n    $1,\n]').replace(/, (?=")/g, ',\n    ');
}

type Fields = readonly (readonly [name: string, type: string, description: string | undefined])[];

function classOf(
  name: string,
  base: string,
  description: string | undefined,
  fields: Fields,
): string {
  return [
    `@strict_fields\nclass ${name}(${base}):`,
    ...(description === undefined ? [] : [docText(description), '']),
    ...fields.flatMap(([field, type, text]) => [
      `    ${field}: ${type}`,
      ...(text === undefined ? [] : [docText(text)]),
    ]),
    '',
  ].join('\n');
}

/** By ids and by the names of vendors; a newer gateway may have more. */
function optionsOf(name: string, { description }: Schema, fields: Fields): string {
  const vendors = fields.flatMap(([field, type]) => {
    const id = providerIds.find((one) => one === field);
    return id === undefined ? [] : [[typedName(id), type, undefined] as const];
  });
  const text = classOf(name, total, description, [...fields, ...vendors]);
  return text.replace('@strict_fields', '@open_fields');
}

const headOf = (
  engines: (name: string) => string,
) => `"""The parameters of each tool, named and typed as in the API.

Written by scripts/clients.ts from the API description: do not edit.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

# The names known today, for editors. A gateway may have more, so any string is accepted.
SearchEngine = (
    ${engines('SearchEngineId')}
    | str
)
SearchProvider = SearchEngine | Literal["auto", "fusion"]
ExtractEngine = (
    ${engines('ExtractEngineId')}
    | str
)
ExtractProvider = ExtractEngine | Literal["auto"]
TranscriptionEngine = (
    ${engines('TranscriberId')}
    | str
)
TranscriptionProvider = TranscriptionEngine | Literal["auto"]
ProviderId = SearchEngine | TranscriptionEngine

VENDORS: dict[str, str] = {
${vendorLines()}}
"""Provider ids by vendor name, without spaces and dots."""

NativeOptions = dict[str, Any]
"""A provider's own parameters, sent to it unchanged."""


# Unknown fields are refused before anything is sent.
strict_fields = with_config(ConfigDict(extra="forbid", strict=True))
# A gateway may have providers that this version does not know.
open_fields = with_config(ConfigDict(extra="allow", strict=True))
`;

function vendorLines(): string {
  const lines = providerIds.flatMap((id) =>
    [...new Set([typedName(id), providerNames[id].toLowerCase().replaceAll('.', '')])].map(
      (name) => `    "${name}": "${id}",\n`,
    ),
  );
  return lines.join('');
}
