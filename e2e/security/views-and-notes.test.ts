// Saved views, notes on requests and the search over all of an account, on both engines: what each
// role may do, what a hostile member sends, and that nothing of another account is found or changed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FoundList, RequestLine, RequestList, SavedView, ViewList } from '@trivium/contract';
import { engines, startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { makeSide } from './sides.ts';
import type { Side } from './sides.ts';
import { member, operator } from './visitor.ts';
import type { Visitor } from './visitor.ts';

describe.each(engines)('on %s', (engine) => {
  let gateway: Gateway;
  let ada: Visitor;
  let vic: Visitor;
  let mine: Side;
  let theirs: Side;
  beforeAll(async () => {
    gateway = await startGateway({ engine });
    ada = await operator(gateway);
    mine = await makeSide(gateway, ada, 'Mine', 'bob@example.org');
    theirs = await makeSide(gateway, ada, 'Theirs', 'eve@example.org');
    vic = await member(gateway, ada, mine.account_id, 'vic@example.org', 'viewer');
  });
  afterAll(() => gateway.close());

  const status = async (who: Visitor, method: string, path: string, body?: object) =>
    (await who.ask(method, `/admin/v1${path}`, body ? { body } : {})).status;
  const viewsOf = ({ account_id }: Side) => `/accounts/${account_id}/views`;
  const listed = async (side: Side, who = side.person) =>
    ViewList.parse(await (await who.ask('GET', `/admin/v1${viewsOf(side)}`)).json()).views;
  const view = { name: 'Failed', page: '/requests', query: 'outcome=failed&range=7d' };
  const requestOf = async ({ account_id, person }: Side) => {
    const page = await person.ask('GET', `/admin/v1/requests?account_id=${account_id}`);
    return RequestList.parse(await page.json()).requests[0] ?? missing();
  };
  const noted = async (who: Visitor, { id }: { id: string }, text: string) => {
    const made = await who.made(`/admin/v1/requests/${id}/notes`, { text });
    return made.id;
  };

  test('a view is saved, used by a viewer, overwritten, renamed and deleted', async () => {
    const made = SavedView.parse(await mine.person.made(`/admin/v1${viewsOf(mine)}`, view));
    expect(await listed(mine, vic)).toEqual([made]);
    expect(await status(mine.person, 'POST', viewsOf(mine), view)).toBe(409);
    expect(await status(mine.person, 'POST', viewsOf(mine), { ...view, page: '/jobs' })).toBe(201);
    const path = `/views/${made.id}`;
    for (const who of [vic, theirs.person]) {
      const refused = who === vic ? 403 : 404;
      expect(await status(who, 'PATCH', path, { name: 'x' })).toBe(refused);
      expect(await status(who, 'DELETE', path)).toBe(refused);
    }
    expect(await status(vic, 'POST', viewsOf(mine), { ...view, name: 'x' })).toBe(403);
    expect(await status(theirs.person, 'POST', viewsOf(mine), view)).toBe(403);
    expect(await status(theirs.person, 'GET', viewsOf(mine))).toBe(403);
    expect(await status(ada, 'PATCH', path, { query: 'status=502' })).toBe(200);
    expect(await status(mine.person, 'PATCH', path, { name: 'Broken' })).toBe(200);
    const other = await mine.person.made(`/admin/v1${viewsOf(mine)}`, view);
    expect(await status(mine.person, 'PATCH', `/views/${other.id}`, { name: 'Broken' })).toBe(409);
    const changed = (await listed(mine)).find(({ id }) => id === made.id);
    expect(changed).toMatchObject({ name: 'Broken', query: 'status=502', page: '/requests' });
    for (const { id } of await listed(mine)) {
      expect(await status(mine.person, 'DELETE', `/views/${id}`)).toBe(200);
      expect(await status(mine.person, 'DELETE', `/views/${id}`)).toBe(404);
    }
  });

  test.each([
    ['a script as its page', { page: 'javascript:alert(1)' }],
    ['another site as its page', { page: '//evil.example' }],
    ['a page without a list', { page: '/people' }],
    ['a page with a query', { page: '/requests?x' }],
    ['an inherited name as its page', { page: 'constructor' }],
    ['HTML as its query', { query: '<script>' }],
    ['an attribute as its query', { query: '"onclick=x' }],
    ['a fragment', { query: '#x' }],
    ['a space in its query', { query: 'a b' }],
    ['a NUL in its query', { query: 'a=\u0000' }],
    ['another account in its query', { query: 'account=acct_default' }],
    ['an encoded account in its query', { query: 'a=1&%61ccount=acct_default' }],
    ['a query of 2,001 characters', { query: 'q='.padEnd(2001, 'x') }],
    ['a query of 100,000 characters', { query: 'x'.repeat(100_000) }],
    ['an empty name', { name: '' }],
    ['a blank name', { name: ' \t ' }],
    ['a NUL in its name', { name: 'a\u0000' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['no name', { name: null }],
    ['another field', { extra: 1 }],
  ])('a view with %s is refused', async (_what, part) => {
    const sent = { ...view, name: 'Refused', ...part };
    expect(await status(mine.person, 'POST', viewsOf(mine), sent)).toBe(400);
  });

  test('an account has 100 views, also when 110 are saved at once, and names may be HTML', async () => {
    const save = (at: number) =>
      status(mine.person, 'POST', viewsOf(mine), { ...view, name: `<b>${at}</b>` });
    const statuses = await Promise.all(Array.from({ length: 110 }, (_, at) => save(at)));
    expect(statuses.filter((one) => one === 201)).toHaveLength(100);
    expect(statuses.filter((one) => one === 400)).toHaveLength(10);
    const [first] = await listed(mine);
    expect([(await listed(mine)).length, first?.name]).toEqual([100, '<b>0</b>']);
    expect(await listed(theirs)).toEqual([]);
  });

  test('a note is written, read by a viewer, and changed only by its author or an operator', async () => {
    const request = await requestOf(mine);
    const carol = await member(gateway, ada, mine.account_id, 'carol@example.org');
    const text = '<img src=x onerror=alert(1)> javascript:alert(1)';
    const id = await noted(carol, request, ` ${text}\n`);
    const read = async (who: Visitor) => {
      const path = `/admin/v1/requests/${request.id}?account_id=${mine.account_id}`;
      return RequestLine.parse(await (await who.ask('GET', path)).json()).notes;
    };
    expect(await read(vic)).toMatchObject([{ id, text, author: { name: 'carol@example.org' } }]);
    const path = `/notes/${id}`;
    for (const [who, refused] of [
      [mine.person, 403],
      [vic, 403],
      [theirs.person, 404],
    ] as const) {
      expect(await status(who, 'PATCH', path, { text: 'x' })).toBe(refused);
      expect(await status(who, 'DELETE', path)).toBe(refused);
    }
    expect(await status(vic, 'POST', `/requests/${request.id}/notes`, { text })).toBe(403);
    expect(await status(carol, 'PATCH', path, { text: 'second' })).toBe(200);
    expect(await status(ada, 'PATCH', path, { text: 'third' })).toBe(200);
    // Its author leaves.
    const person = (await carol.session()).person?.id ?? '';
    expect(await status(ada, 'DELETE', `/people/${person}`)).toBe(200);
    expect(await status(carol, 'DELETE', path)).toBe(401);
    expect(await read(vic)).toMatchObject([{ text: 'third', author: { id: person } }]);
    const list = async (has: string) => {
      const query = `account_id=${mine.account_id}&has_note=${has}`;
      const page = await mine.person.ask('GET', `/admin/v1/requests?${query}`);
      return RequestList.parse(await page.json()).requests.map((one) => one.id);
    };
    expect(await list('true')).toEqual([request.id]);
    expect(await list('false')).not.toContain(request.id);
    const errors = `/requests/errors?account_id=${mine.account_id}&has_note=true`;
    expect(await status(mine.person, 'GET', errors)).toBe(200);
    const audit = `/admin/v1/audit?account_id=${mine.account_id}&target=${request.id}`;
    const entries = await (await vic.ask('GET', audit)).text();
    expect(entries.match(/"action":"note\.\w+"/g)).toHaveLength(3);
    expect(entries).not.toContain('third');
    expect(await status(ada, 'DELETE', path)).toBe(200);
    expect(await read(vic)).toEqual([]);
  });

  test('a note on a request of another account, too long or one too many is refused', async () => {
    const [own, foreign] = [await requestOf(mine), await requestOf(theirs)];
    const write = (id: string, text: unknown) =>
      status(mine.person, 'POST', `/requests/${id}/notes`, { text });
    expect(await write(foreign.id, 'x')).toBe(404);
    expect(await write(foreign.answer_id ?? '', 'x')).toBe(404);
    for (const text of ['', ' \n', 'a\u0000', 'x'.repeat(2001), 'x'.repeat(100_000), null, ['x']]) {
      expect(await write(own.id, text)).toBe(400);
    }
    for (let at = 1; at <= 20; at += 1) expect(await write(own.answer_id ?? '', `${at}`)).toBe(201);
    expect(await write(own.id, 'one more')).toBe(400);
    expect((await requestOf(mine)).notes).toHaveLength(20);
    expect((await requestOf(theirs)).notes).toEqual([]);
  });

  test('operators find what belongs to any account, members only what is theirs', async () => {
    const find = async (who: Visitor, text: string, account?: string) => {
      const query = new URLSearchParams({ text, ...(account ? { account_id: account } : {}) });
      const found = await who.ask('GET', `/admin/v1/find?${query}`);
      return FoundList.parse(await found.json()).found.map(({ kind, id }) => `${kind} ${id}`);
    };
    const foreign = await requestOf(theirs);
    const own = await requestOf(mine);
    const { account_id: account, person } = mine;
    expect(await find(ada, foreign.id)).toEqual([`request ${foreign.id}`]);
    expect(await find(ada, foreign.answer_id ?? '')).toEqual([`request ${foreign.id}`]);
    expect(await find(ada, theirs.key_id)).toEqual([`key ${theirs.key_id}`]);
    expect(await find(ada, theirs.key_id.slice(0, 20))).toEqual([]);
    expect(await find(ada, 'eve@EXAMPLE')).toHaveLength(1);
    expect(await find(ada, 'thei')).toContain(`account ${theirs.account_id}`);
    expect(await find(person, own.id, account)).toEqual([`request ${own.id}`]);
    expect(await find(person, mine.key_id, account)).toEqual([`key ${mine.key_id}`]);
    const hidden = [foreign.id, foreign.answer_id ?? '', theirs.key_id, theirs.account_id];
    for (const text of [...hidden, 'Theirs', 'eve@example.org', 'bob@example.org', '%', '_____']) {
      expect(await find(person, text, account)).toEqual([]);
    }
    expect(await status(person, 'GET', `/find?text=x&account_id=${theirs.account_id}`)).toBe(403);
    expect(await status(person, 'GET', '/find?text=x')).toBe(403);
    expect(await status(ada, 'GET', `/find?text=${'x'.repeat(201)}`)).toBe(400);
    expect(await status(ada, 'GET', '/find?text=%20')).toBe(400);
  });
});

function missing(): never {
  throw new Error('The account has no request.');
}
