// Brave publishes an MCP server with a schema for each request: whether it accepts our calls, and
// its fields.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { typedQuery } from '../../server/test/reference-clients/brave-query.ts';
import type { Client } from './compare-types.ts';

/** The part of its schemas that is used, whichever zod it brings. */
const Module = z.object({ params: z.custom<z.ZodObject>((value) => typeof value === 'object') });

export interface BraveClient extends Client {
  /** The parts of a call that its schemas do not accept. */
  judge: (url: string) => string[];
}

export async function loadBrave(folder: string): Promise<BraveClient> {
  const schemaOf = async (index: string) =>
    Module.parse(await import(join(folder, 'dist', 'tools', index, 'params.js'))).params;
  const schemas = { web: await schemaOf('web'), news: await schemaOf('news') };
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  return {
    package: '@brave/brave-search-mcp-server',
    version,
    types: {
      'GET /web/search': fieldsOf(schemas.web),
      'GET /news/search': fieldsOf(schemas.news),
    },
    judge: (url) => {
      const { pathname, searchParams } = new URL(url);
      const schema = pathname.endsWith('/news/search') ? schemas.news : schemas.web;
      const { error } = schema.strict().safeParse(typedQuery(searchParams));
      return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
    },
  };
}

const maxWords = 200;

function fieldsOf(schema: z.ZodObject): Record<string, string> {
  const { properties = {} } = schema.toJSONSchema({ io: 'input' }) as unknown as {
    properties?: Record<string, { type?: unknown; enum?: unknown[]; description?: string }>;
  };
  return Object.fromEntries(
    Object.entries(properties)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { type, enum: values, description = '' }]) => {
        const words = values ? values.map((value) => JSON.stringify(value)).join(' | ') : type;
        const mark = /deprecated/i.test(description) ? ' (deprecated)' : '';
        return [name, String(words ?? 'any').slice(0, maxWords) + mark];
      }),
  );
}
