// A native option that sets the field of a parameter, for every engine and every parameter: it is
// sent verbatim, the parameter is named in a warning, and the gateway does not apply it either.
import { describe, expect, test } from 'bun:test';
import { type ProviderId, searchEngineIds } from '@trivium/contract';
import { providers } from '../src/providers/registry.ts';
import { playSearch } from './play.ts';
import { type Body, extractValues, type Planned, plansOf, searchValues } from './request-matrix.ts';
import { answerOf, type Page } from './vendor-answers.ts';

const given = 'as the caller wrote it';

for (const id of searchEngineIds) {
  const { search, extract } = plansOf(id);
  describe(id, () => {
    if (search) collides(id, 'search', search, searchValues);
    if (extract) collides(id, 'extract', extract, extractValues);
  });
}

test('an option that is not a number is not capped when the vendor refuses it', () => {
  const refusal = { status: 400, body: { error: { details: [{ field: 'maxResults' }] } } };
  const again = (maxResults: unknown) =>
    providers.engine_g.search?.repeat?.(
      { kind: 'rejected', message: '', ...refusal },
      { method: 'POST', path: '/search', body: { maxResults } },
    );
  expect(again(50)).toMatchObject({ body: { maxResults: 20 } });
  for (const value of [20, '50', { toString: false }, [{ toString: null }], null]) {
    expect(again(value)).toBeUndefined();
  }
});

function collides(
  id: ProviderId,
  tool: 'search' | 'extract',
  plan: (body: Body) => Planned,
  values: readonly Body[],
): void {
  const cases = values.flatMap((body) =>
    ownFields(plan, body).map((field) => ({ body, field, option: { [field]: given } })),
  );
  test(`${tool}: an option that sets the field of a parameter is sent instead of it`, () => {
    if (tool === 'search') expect(cases.length).toBeGreaterThan(10);
    for (const { body, field, option } of cases) {
      const param = paramOf(body);
      const { sent, warnings } = plan({ ...body, provider_options: { [id]: option } });
      for (const call of sent) expect([param, fieldsOf(call)[field]]).toEqual([param, given]);
      const message = `The option ${field} of provider_options.${id} was sent instead.`;
      expect(warnings.filter((warning) => warning.param === param)).toEqual([
        { code: 'param_ignored', param, message },
      ]);
    }
  });
  test(`${tool}: an option that sets another field changes no warning`, () => {
    for (const { body } of cases) {
      const options = { provider_options: { [id]: { unheard_of: given, [`${given}.x`]: null } } };
      expect(plan({ ...body, ...options }).warnings).toEqual(plan(body).warnings);
    }
  });
  if (tool === 'extract') return;
  test('the results are not filtered, cut or skipped by a parameter that was not sent', async () => {
    for (const { body, option } of cases) {
      const pages: Page[] = [
        ['https://a.example/1', '2020-01-01'],
        ['https://b.example/2', '2026-11-15'],
      ];
      const asked = { ...body, provider_options: { [id]: option } };
      const reply = { status: 200, body: answerOf(id as 'engine_a', pages) };
      const received = Array<typeof reply>(10).fill(reply);
      const now = '2026-11-15T12:00:00.000Z';
      const fixture = { asked, now, sent: [], received, answered: {}, warned: [] };
      const { results } = (await playSearch(id, fixture)).answered as {
        results: { url: string }[];
      };
      expect([asked, results.map(({ url }) => url)]).toEqual([asked, pages.map(([url]) => url)]);
    }
  });
}

/** The fields that the parameter of a request sets. Nothing else in the request is changed. */
function ownFields(plan: (body: Body) => Planned, body: Body): string[] {
  const param = paramOf(body);
  const [name = ''] = param.split('.');
  const { [name]: _value, ...rest } = body;

  const [calls, without] = [plan(body).sent.map(fieldsOf), plan(rest).sent.map(fieldsOf)];
  const last = calls.at(-1) ?? {};
  return Object.keys(last).filter(
    (field) => JSON.stringify(last[field]) !== JSON.stringify((without.at(-1) ?? {})[field]),
  );
}

/** Each request of the matrix has one parameter besides the required ones. */
function paramOf(body: Body): string {
  const name = Object.keys(body).at(-1) ?? '';
  const value = body[name];
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isGroup ? `${name}.${Object.keys(value)[0]}` : name;
}

function fieldsOf({ url, body }: Planned['sent'][number]): Body {
  return (body as Body | undefined) ?? Object.fromEntries(new URL(url).searchParams);
}
