// The details of the request log on both engines: the request, how it was served, what it cost and
// why; found by id or text, exported, and deleted in time.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ErrorKindList, NewKey, RequestAnswer, RequestLine, RequestList } from '@trivium/contract';
import type { ErrorKind } from '@trivium/contract';
import { found } from '../exa-upstream.ts';
import { cleanUp } from './clean-up.ts';
import { engines } from './engines.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

describe.each(engines)('on $name', (engine) => {
  let fixture: GatewayOnStore;
  beforeAll(async () => {
    fixture = await openGatewayOnStore(engine, '5');
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  const admin = (path: string) => fixture.gateway.admin('GET', path);
  const list = async (query: string) =>
    RequestList.parse(await (await admin(`/requests?${query}`)).json());
  /** The row of a failure is written after its answer. */
  const one = async (id: string) => {
    await waitFor(async () => (await admin(`/requests/${id}`)).status === 200, {
      what: 'the details are written',
    });
    return RequestLine.parse(await (await admin(`/requests/${id}`)).json());
  };
  const searched = async (query: string, more = {}) => {
    const response = await fixture.gateway.search({}, { query, ...more });
    const { id } = (await response.json()) as { id?: string };
    return { id, status: response.status, requestId: response.headers.get('x-request-id') ?? '' };
  };

  test('a served request has its query, its calls and its cost', async () => {
    const { id, requestId } = await searched('solar panels', { offset: 3 });
    const line = await one(requestId);
    expect(line).toMatchObject({
      id: requestId,
      answer_id: id ?? '',
      asked: 'solar panels',
      parameters: { offset: 3 },
      error_message: null,
      warnings: 1,
      warning_details: [{ code: 'param_ignored', param: 'offset' }],
      attempts: [{ provider: 'engine_a', outcome: 'answered', status: null, message: null }],
      delivered: 1,
      held_usd: 0.007,
      cost_usd: 0.007,
      cost_basis: 'reported',
      cost_parts: [],
      tags: {},
    });
    const keptHours = (Date.parse(line.asked_until ?? '') - Date.parse(line.created_at)) / 3.6e6;
    expect(Math.round(keptHours)).toBe(720);
  });

  test('a failure has its message and each attempt, without the query in them', async () => {
    fixture.exa.answer(() =>
      Response.json({ error: 'no luck with secret words today' }, { status: 503 }),
    );
    const { requestId, status } = await searched('secret words');
    fixture.exa.answer(() => found());
    const line = await one(requestId);
    expect(status).toBe(502);
    expect([line.asked, line.status, line.cost_usd, line.cost_basis]).toEqual([
      'secret words',
      502,
      0,
      null,
    ]);
    expect(line.error_message).toStartWith('engine_a is unavailable');
    expect(line.attempts.map(({ outcome, status: its }) => [outcome, its])).toEqual([
      ['unavailable', 503],
      ['unavailable', 503],
    ]);
    // Each begins after the one before, and all within the request. Times are rounded.
    const [first = 0, firstEnd = 0, second = 0, secondEnd = 0] = line.attempts.flatMap((one) => [
      one.started_ms ?? NaN,
      (one.started_ms ?? NaN) + one.latency_ms,
    ]);
    expect([first >= 0, second >= firstEnd - 1, secondEnd <= line.latency_ms + 2]).toEqual(
      Array(3).fill(true),
    );
    expect(JSON.stringify([line.error_message, line.attempts])).not.toContain('secret words');
  });

  test('an invalid request is logged with its query and the reason', async () => {
    const { requestId } = await searched('too many', { max_results: -1 });
    const line = await one(requestId);
    expect([line.asked, line.status, line.attempts]).toEqual(['too many', 400, []]);
    expect(line.error_message).toContain('max_results');
  });

  test('errors are grouped by their kind, with the latest one of each', async () => {
    const kinds = async (query: string) => {
      const response = await admin(`/requests/errors?${query}`);
      return ErrorKindList.parse(await response.json()).errors;
    };
    const isInvalid = ({ error_type }: ErrorKind) => error_type === 'invalid_request';
    const before = (await kinds('')).find(isInvalid)?.count ?? 0;
    const sent = [
      await searched('kind one', { max_results: 0 }),
      await searched('kind two', { offset: -1 }),
    ];
    for (const { requestId } of sent) await one(requestId);
    const latest = await one(sent[1]?.requestId ?? '');
    const account = `account_id=${latest.account_id}`;
    const [invalid, ...more] = (await kinds(account)).filter(isInvalid);
    expect(more).toEqual([]);
    expect(invalid).toMatchObject({
      status: 400,
      outcome: 'refused',
      tool: 'search',
      provider: null,
      count: before + 2,
      last_seen_at: latest.created_at,
      last_message: latest.error_message,
    });
    expect(Date.parse(invalid?.first_seen_at ?? '')).toBeLessThan(Date.parse(latest.created_at));
    expect((await kinds(`${account}&text=kind%20one`)).map(({ count }) => count)).toEqual([1]);
    expect(await kinds('account_id=acc_nothing')).toEqual([]);
    expect(await kinds(`${account}&outcome=served&text=kind`)).toEqual([]);
    // Of equally many, the kind that was seen last comes first.
    await one((await searched('kind three', { max_results: 0 })).requestId);
    fixture.exa.answer(() => Response.json({}, { status: 503 }));
    const failed = await searched('kind three');
    fixture.exa.answer(() => found());
    await one(failed.requestId);
    const tied = await kinds('text=kind%20three');
    expect(tied.map(({ status }) => status)).toEqual([502, 400]);
    expect((await admin('/requests/errors?id=req_a')).status).toBe(400);
    expect((await admin('/requests/errors?status=1.5')).status).toBe(400);
  });

  test('a request is found by its id, by the id of its answer, and by a text', async () => {
    const { id, requestId } = await searched('100% of Batteries_in “España”');
    for (const known of [id, requestId]) {
      expect((await list(`id=${known}`)).requests.map((line) => line.id)).toEqual([requestId]);
      expect((await one(known ?? '')).id).toBe(requestId);
    }
    const idsBy = async (text: string) =>
      (await list(`text=${encodeURIComponent(text)}`)).requests.map((line) => line.id);
    expect(await idsBy('batteries_IN')).toEqual([requestId]);
    expect(await idsBy('100%')).toEqual([requestId]);
    expect(await idsBy('“España”')).toEqual([requestId]);
    expect(await idsBy('batteriesXin')).toEqual([]);
    expect(await idsBy("' or 1 = 1 --")).toEqual([]);
  });

  test('an unknown id gets a 404, and an unknown or repeated parameter a 400', async () => {
    expect((await admin('/requests/req_nothing')).status).toBe(404);
    expect((await admin('/requests/srch_')).status).toBe(404);
    expect((await admin('/requests/req_nothing?limit=1')).status).toBe(400);
    expect((await admin('/requests?text=')).status).toBe(400);
    expect((await admin('/requests?text=a&text=b')).status).toBe(400);
    expect((await admin('/requests?tag=a%20b')).status).toBe(400);
    expect((await admin('/requests/export?format=xml')).status).toBe(400);
    expect((await admin('/requests/export?limit=1')).status).toBe(400);
    expect((await admin(`/requests?text=${'x'.repeat(501)}`)).status).toBe(400);
  });

  test('the export has every row of the filter, and no cell is a formula', async () => {
    const ids: string[] = [];
    for (const query of ['=1+1 export', '@sum export', 'a "quoted", export\nline']) {
      ids.unshift((await searched(query)).requestId);
    }
    const json = await admin('/requests/export?text=export');
    expect(json.headers.get('content-type')).toBe('application/jsonl');
    const lines = (await json.text()).trimEnd().split('\n');
    const read = lines.map((line) => RequestLine.parse(JSON.parse(line)));
    expect(read.map(({ id }) => id)).toEqual(ids);
    const csv = await admin('/requests/export?text=export&format=csv');
    expect(csv.headers.get('content-type')).toStartWith('text/csv');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="requests.csv"');
    const text = await csv.text();
    expect(text.split('\r\n')).toHaveLength(ids.length + 2);
    expect(text).toStartWith(
      'created_at,id,answer_id,account_id,account_name,key_id,key_name,tool,provider,asked,tags,',
    );
    expect(text).toMatch(/,acct_default,Default,key_\w+,Bootstrap,search,engine_a,/);
    expect(text).toContain(",'=1+1 export,");
    expect(text).toContain(",'@sum export,");
    expect(text).toContain(',"a ""quoted"", export\nline",');
  });

  // On both engines with smaller limits in list-pages.test.ts.
  const only = engine.name === 'SQLite' ? [engine] : [];
  test.each(only)(
    'a search by text reads a limited part, and its cursor continues it',
    async () => {
      const { database } = fixture.store;
      // Recent, so that retention does not delete them.
      const start = Date.now() - 100_000;
      await database.run(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 50050)
       insert into requests (id, account_id, key_id, tool, status, warnings, cost, latency_ms,
         created_at, asked)
       select 'far_' || i, 'acct_far', 'k', 'search', 200, 0, 0, 1, ${start} + i,
         case when i = 7 then 'far away' else 'near' end from n`,
      );
      const first = await list('account_id=acct_far&text=far%20away');
      expect(first.requests).toEqual([]);
      // The newest 50,000 were read.
      expect(first.searched_until).toBe(new Date(start + 51).toISOString());
      const second = await list(`account_id=acct_far&text=far%20away&cursor=${first.next_cursor}`);
      expect(second.requests.map(({ id }) => id)).toEqual(['far_7']);
      expect([second.next_cursor, second.searched_until]).toEqual([null, null]);
    },
  );

  test('very long and strange texts are cut and stored', async () => {
    const { requestId } = await searched(`${'ab'.repeat(999)}😀😀 the end`);
    const { asked } = await one(requestId);
    expect([asked?.length, asked?.isWellFormed(), asked?.at(-1)]).toEqual([2000, true, '…']);
    const pages = Array.from(
      { length: 20 },
      (_, at) => `https://example.org/${at}?${'q'.repeat(500)}`,
    );
    const extracted = await fixture.gateway.ask('POST', '/v1/extract', {
      body: { urls: pages, provider: 'engine_a' },
    });
    const line = await one(extracted.headers.get('x-request-id') ?? '');
    expect(line.asked).toStartWith('https://example.org/0?');
    expect(line.asked?.length).toBe(2000);
    for (const body of [{ query: ['a'] }, { query: { toString: 1 } }, [], 'text', null, 5]) {
      const response = await fixture.gateway.search({}, body as object);
      expect(response.status).toBe(400);
      expect((await one(response.headers.get('x-request-id') ?? '')).asked).toBeNull();
    }
  });

  test('the query is removed when its time is over, and the row stays', async () => {
    const { requestId } = await searched('soon forgotten');
    const { database } = fixture.store;
    await cleanUp(database, { request_log_days: 90_000 });
    expect((await one(requestId)).asked).toBe('soon forgotten');
    await database.run('update requests set forget_at = 1 where id = $1', [requestId]);
    await cleanUp(database, { request_log_days: 90_000 });
    const line = await one(requestId);
    expect([line.asked, line.asked_until, line.cost_usd]).toEqual([null, null, 0.007]);
  });

  test('answers are kept only if the operator sets it', async () => {
    const { requestId } = await searched('not kept');
    const answer = await admin(`/requests/${requestId}/answer`);
    expect(RequestAnswer.parse(await answer.json())).toEqual({
      id: requestId,
      answer: null,
      truncated: false,
      kept_until: null,
    });
    expect(await fixture.store.database.run('select 1 from logged_answers')).toEqual([]);
  });

  test('a key of the account reads the same details', async () => {
    const named = { name: 'Second' };
    const made = await fixture.gateway.admin('POST', '/accounts/acct_default/keys', named);
    const { key, id: keyId } = NewKey.parse(await made.json());
    const response = await fixture.gateway.search({ authorization: `Bearer ${key}` });
    const line = await one(response.headers.get('x-request-id') ?? '');
    expect([line.key_id, line.asked]).toEqual([keyId, 'solar']);
  });
});

describe.each(engines)('keeping no text on $name', (engine) => {
  test('no part of the query is stored anywhere', async () => {
    const settings = { TRIVIUM_KEEP_QUERY_HOURS: '0' };
    await using fixture = await openGatewayOnStore(engine, '1', settings);
    fixture.exa.answer((call) =>
      call === 1
        ? found()
        : Response.json({ error: 'we do not like unspeakable things' }, { status: 422 }),
    );
    for (const status of [200, 502]) {
      const response = await fixture.gateway.search({}, { query: 'unspeakable things' });
      expect(response.status).toBe(status);
    }
    const logged = async () => (await fixture.gateway.admin('GET', '/requests')).text();
    await waitFor(async () => (await logged()).includes('provider_error'), {
      what: 'the error is logged',
    });
    const text = await logged();
    expect(RequestList.parse(JSON.parse(text)).requests.map(({ asked }) => asked)).toEqual([
      null,
      null,
    ]);
    expect(text).not.toContain('unspeakable');
  });
});

describe.each(engines)('keeping answers on $name', (engine) => {
  let fixture: GatewayOnStore;
  beforeAll(async () => {
    const settings = { TRIVIUM_KEEP_ANSWER_HOURS: '24', TRIVIUM_KEEP_ANSWERS_MAX_MB: '1' };
    fixture = await openGatewayOnStore(engine, '5', settings);
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  const admin = (path: string) => fixture.gateway.admin('GET', path);
  const answerTo = async (requestId: string) =>
    RequestAnswer.parse(await (await admin(`/requests/${requestId}/answer`)).json());
  const searched = async (more: Record<string, string> = {}) => {
    const response = await fixture.gateway.search(more);
    const text = await response.text();
    return { text, requestId: response.headers.get('x-request-id') ?? '' };
  };

  test('the answer is kept as it was sent, for its own time', async () => {
    const { text, requestId } = await searched();
    const kept = await answerTo(requestId);
    expect(kept).toMatchObject({ id: requestId, answer: text, truncated: false });
    const hours = (Date.parse(kept.kept_until ?? '') - Date.now()) / 3_600_000;
    expect(Math.ceil(hours)).toBe(24);
    const answerId = (JSON.parse(text) as { id: string }).id;
    expect(await answerTo(answerId)).toEqual(kept);

    const { database } = fixture.store;
    await database.run('update logged_answers set expires_at = 1');
    expect(await answerTo(requestId)).toMatchObject({ answer: null, kept_until: null });
    await cleanUp(database, { request_log_days: 90_000 });
    expect(await database.run('select request_id from logged_answers')).toEqual([]);
    const line = RequestLine.parse(await (await admin(`/requests/${requestId}`)).json());
    expect([line.asked, line.cost_usd]).toEqual(['solar', 0.007]);
  });

  test('a replay shows the answer of the first request, which is kept once', async () => {
    const first = await searched({ 'idempotency-key': 'once' });
    const again = await searched({ 'idempotency-key': 'once' });
    expect(again.text).toBe(first.text);
    await waitFor(async () => (await admin(`/requests/${again.requestId}`)).status === 200, {
      what: 'the replay is logged',
    });
    expect((await answerTo(again.requestId)).answer).toBe(first.text);
    const rows = await fixture.store.database.run(
      'select request_id from logged_answers where request_id = $1',
      [again.requestId],
    );
    expect(rows).toEqual([]);
  });

  test('an answer from the cache is not kept again', async () => {
    const cached = { 'x-trivium-cache': '3600' };
    const fetched = await searched(cached);
    const hits = [await searched(cached), await searched({ ...cached, 'idempotency-key': 'hit' })];
    expect((await answerTo(fetched.requestId)).answer).toBe(fetched.text);
    for (const { text, requestId } of hits) {
      expect(JSON.parse(text)).toMatchObject({ usage: { cost_usd: 0 } });
      expect((await answerTo(requestId)).answer).toBeNull();
    }
  });

  test('failures, answers for a key that keeps no text, and those of other accounts are not kept', async () => {
    const made = await fixture.gateway.admin('POST', '/accounts/acct_default/keys', {
      ...{ name: 'silent', keep_query_hours: 0 },
    });
    const { key } = NewKey.parse(await made.json());
    const silent = await searched({ authorization: `Bearer ${key}` });
    expect(await answerTo(silent.requestId)).toMatchObject({ answer: null, truncated: false });
    const { requestId } = await searched();
    expect((await answerTo(requestId)).answer).not.toBeNull();
    expect((await admin(`/requests/${requestId}/answer?account_id=acct_other`)).status).toBe(404);
    expect((await admin(`/requests/req_none/answer`)).status).toBe(404);
    fixture.exa.answer(() => Response.json({ error: 'no' }, { status: 500 }));
    const { text } = await searched();
    fixture.exa.answer(() => found());
    const rows = await fixture.store.database.run('select body from logged_answers');
    expect(rows.map(({ body }) => body)).not.toContain(text);
  });

  test('a long answer is cut, and all answers together have a limit', async () => {
    const long = 'é'.repeat(300_000);
    fixture.exa.answer(() =>
      Response.json({
        requestId: 'r',
        results: [{ url: 'https://example.org/', title: 'Example', highlights: [long] }],
        costDollars: { total: 0.007 },
      }),
    );
    const { text, requestId } = await searched();
    const kept = await answerTo(requestId);
    expect(kept.truncated).toBe(true);
    expect(kept.answer).toHaveLength(262_144);
    expect(text.startsWith(kept.answer?.slice(0, -1) ?? '-')).toBe(true);
    // The account that has most is trimmed first, whatever expires first.
    const soon = Date.now() + 3_600_000;
    await fixture.store.database.run(
      `insert into logged_answers (request_id, account_id, bytes, truncated, expires_at, body)
       values ('req_small', 'acct_other', 10, 0, ${soon}, 'small')`,
    );
    for (let round = 0; round < 4; round += 1) await searched();
    fixture.exa.answer(() => found());
    const bytes = async () => {
      const [row] = await fixture.store.database.run(
        'select sum(bytes) as sum from logged_answers',
      );
      return Number(row?.['sum']);
    };
    const isDeleted = async () => (await answerTo(requestId)).answer === null;
    await waitFor(async () => (await isDeleted()) && (await bytes()) <= 1024 * 1024, {
      what: 'the oldest are deleted',
    });
    const small = `select body from logged_answers where request_id = 'req_small'`;
    expect(await fixture.store.database.run(small)).toEqual([{ body: 'small' }]);
    const { requestId: last } = await searched();
    expect((await answerTo(last)).answer).not.toBeNull();
  });
});
