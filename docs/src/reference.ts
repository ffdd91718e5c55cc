// The API reference: every endpoint and schema of the OpenAPI document on one page.
import { escapeHtml } from './layout.ts';

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

type Content = Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

type HighlightJson = (code: string) => string;

export function renderReference({ paths, components }: OpenApi, highlight: HighlightJson): string {
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) =>
      operationHtml(verb, path, operation, highlight),
    ),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<h3 id="${name}"><a href="#${name}">${name}</a></h3>${described(schema)}${fields(schema)}`,
  );
  return `<h1>API reference</h1>
<p>Generated from <a href="/openapi.json">openapi.json</a>, which is generated from the schemas that
validate every request.</p>
<h2 id="endpoints"><a href="#endpoints">Endpoints</a></h2>
${operations.join('\n')}
<h2 id="schemas"><a href="#schemas">Schemas</a></h2>
${schemas.join('\n')}`;
}

function operationHtml(
  verb: string,
  path: string,
  operation: Operation,
  highlight: HighlightJson,
): string {
  const { operationId: id, summary, description, parameters = [] } = operation;
  const { requestBody, responses } = operation;
  const [success] = Object.values(responses);
  const rows = parameters.map(
    (one) => `<tr><td><code>${one.name}</code></td><td>${one.in}</td>
<td>${one.required === true ? 'yes' : ''}</td>
<td>${escapeHtml(one.description ?? '')}</td></tr>`,
  );
  const answers = Object.entries(responses).map(
    ([status, response]) => `<tr><td><code>${status}</code></td>
<td>${escapeHtml(response.description)}</td><td>${contentType(response.content)}</td></tr>`,
  );
  const body = requestBody === undefined ? '' : `<p>Body: ${contentType(requestBody.content)}</p>`;
  return `<h3 id="${id}"><a href="#${id}"><span class="verb">${verb.toUpperCase()}</span>
<code>${escapeHtml(path)}</code></a></h3>
<p>${escapeHtml(summary)}. ${escapeHtml(description)}</p>
${rows.length === 0 ? '' : table(['Parameter', 'In', 'Required', 'Meaning'], rows)}
${body}${exampleOf(requestBody?.content, '', highlight)}
${exampleOf(success?.content, 'Response', highlight)}
${table(['Status', 'Meaning', 'Body'], answers)}`;
}

function contentType(content: Content | undefined): string {
  const schema = content?.['application/json']?.schema;
  return schema === undefined ? '' : typeOf(schema);
}

function exampleOf(content: Content | undefined, label: string, highlight: HighlightJson): string {
  const [first] = Object.values(content?.['application/json']?.examples ?? {});
  if (first === undefined) return '';
  const caption = label === '' ? '' : `<figcaption class="label">${label}</figcaption>`;
  const code = highlight(JSON.stringify(first.value, null, 2));
  return `<figure class="code${label === '' ? '' : ' answer'}">${caption}<pre tabindex="0"><code
 class="language-json">${code}</code></pre></figure>`;
}

function fields(schema: Schema): string {
  const rows = rowsOf(schema, '');
  return rows.length === 0 ? '' : table(['Field', 'Type', 'Required', 'Rules'], rows);
}

/** One row for each field, including those inside objects and lists, with a dotted name. */
function rowsOf({ properties = {}, required = [] }: Schema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const row = `<tr><td><code>${escapeHtml(path)}</code></td><td>${typeOf(schema)}</td>
<td>${required.includes(name) ? 'yes' : ''}</td><td>${rules(schema)}</td></tr>`;
    const [inner, mark] = insideOf(schema);
    return [row, ...(inner === undefined ? [] : rowsOf(inner, `${path}${mark}.`))];
  });
}

/** The object inside a field: the field itself, a list item, or the value if it is not null. */
function insideOf(schema: Schema): [Schema | undefined, string] {
  if (schema.properties !== undefined) return [schema, ''];
  if (schema.items?.properties !== undefined) return [schema.items, '[]'];
  return [schema.anyOf?.find(({ properties }) => properties !== undefined), ''];
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(/^.*\//, '');
    return `<a href="#${name}">${name}</a>`;
  }
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values !== undefined) return values.map((one) => `<code>${String(one)}</code>`).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}`;
  return [schema.type ?? 'anything'].flat().join(' or ');
}

function rules({
  description,
  default: preset,
  minimum,
  maximum,
  pattern,
  format,
}: Schema): string {
  const parts = [
    description,
    preset === undefined ? undefined : `Default ${JSON.stringify(preset)}.`,
    minimum === undefined ? undefined : `At least ${minimum}.`,
    maximum === undefined ? undefined : `At most ${maximum}.`,
    format === undefined ? undefined : `Format ${format}.`,
    pattern === undefined ? undefined : `Pattern ${pattern}`,
  ];
  return escapeHtml(parts.filter((part) => part !== undefined).join(' '));
}

function described({ description }: Schema): string {
  return description === undefined ? '' : `<p>${escapeHtml(description)}</p>`;
}

function table(head: readonly string[], rows: readonly string[]): string {
  const cells = head.map((title) => `<th>${title}</th>`).join('');
  return `<div class="wide" tabindex="0"><table><thead><tr>${cells}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}
