// Checks that a request of the log fills the form of the playground.
import { expect, test } from 'bun:test';
import { fieldsOf, requestFrom } from '../playground/form-fields.ts';
import { readShared } from '../playground/share.ts';
import { playgroundAddress } from './logged-request.ts';

const schema = {
  required: ['query'],
  properties: {
    query: { type: 'string' },
    provider: { type: 'string', enum: ['auto', 'engine_a', 'fusion'] },
    max_results: { type: 'integer' },
    include_domains: { type: 'array' },
    strict: { type: 'boolean' },
    content: { type: 'object', properties: { full_text: { type: 'boolean' } } },
    provider_options: { type: 'object', properties: {} },
  },
};
const fields = fieldsOf(schema);
const candidates = ['engine_a', 'engine_b'].map((id) => ({ id })) as never;

function formOf(parameters: Record<string, unknown> | null, asked: string | null = 'solar & wind') {
  const address = playgroundAddress({ tool: 'search', asked, parameters });
  const shared = readShared(new URL(address, 'http://a').searchParams, fields, candidates);
  return { ...shared, request: requestFrom(fields, shared?.filled ?? {}) };
}

test('another engine gets the parameters, without the panel or the options of the first', () => {
  const options = { fusion: { providers: ['engine_a'] }, engine_a: { a: 1 } };
  const parameters = { provider: 'fusion', provider_options: options, max_results: 7 };
  const sent = { tool: 'search', asked: 'wind', parameters } as const;
  expect(playgroundAddress(sent, 'engine_b')).toBe(
    '/playground?tool=search&query=wind&max_results=7&provider=engine_b',
  );
});

test('every parameter of a request is in the form', () => {
  const sent = {
    max_results: 7,
    include_domains: ['a.example', 'b.example'],
    strict: false,
    content: { full_text: true },
    provider_options: { engine_a: { moderation: true } },
  };
  const { provider, request } = formOf({ provider: 'engine_a', ...sent });
  expect(provider).toBe('engine_a');
  expect(request).toEqual({ query: 'solar & wind', ...sent });
});

test('a fusion has its panel, and its other options as text', () => {
  const fusion = { providers: ['engine_b', 'engine_a'], top_k: 2 };
  const { way, panel, request } = formOf({ provider: 'fusion', provider_options: { fusion } });
  expect({ way, panel }).toEqual({ way: 'fusion', panel: ['engine_b', 'engine_a'] });
  expect(request['provider_options']).toEqual({ fusion: { top_k: 2 } });
});

test('fields that are not kept are left empty', () => {
  expect(formOf(null, null)).toMatchObject({ provider: 'auto', request: {} });
  expect(formOf({}, 'cut …').request).toEqual({});
});
