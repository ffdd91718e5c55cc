// Which rows a statement reads or changes, on both engines: the one that has every value that it asks
// for, and none that has another value in one column.
import { describe, expect, test } from 'bun:test';
import * as oauth from '../../src/accounts/store/oauth.ts';
import { freeAnswer, isKnownToken } from '../../src/accounts/store/operators.ts';
import { findNamed } from '../../src/accounts/store/find.ts';
import * as keys from '../../src/accounts/store/keys.ts';
import * as people from '../../src/accounts/store/people.ts';
import { deleteView, listViews } from '../../src/accounts/store/views.ts';
import { deleteBudget, findBudgetNames } from '../../src/billing/store/budgets.ts';
import { removeGateway } from '../../src/billing/store/gateways.ts';
import { findUnbooked, hasUnbooked, markUnbookable } from '../../src/billing/store/journal.ts';
import { findDueHolds, findOrphanedHolds } from '../../src/billing/store/ledger.ts';
import { deleteEntries, findEntries } from '../../src/cache/store/entries.ts';
import * as deliveries from '../../src/events/store/deliveries.ts';
import { dropDeliveryLeases, returnDeliveries } from '../../src/events/store/delivery-leases.ts';
import { countWebhooks } from '../../src/events/store/webhooks.ts';
import * as claims from '../../src/requests/store/idempotency.ts';
import * as notes from '../../src/requests/store/notes.ts';
import { findKeyMinutes } from '../../src/requests/store/rate-limits.ts';
import { findLoggedAnswer, findText } from '../../src/requests/store/stored-texts.ts';
import type { Runner } from '../../src/store/database.ts';
import * as callbacks from '../../src/transcription/store/callbacks.ts';
import * as jobs from '../../src/transcription/store/jobs.ts';
import * as leases from '../../src/transcription/store/leases.ts';
import * as uploads from '../../src/uploads/store/uploads.ts';
import { makeInsert, type Values } from './any-row.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

interface Case {
  table: string;
  row: Values;
  not: Record<string, string | number | null>;
  act: (on: Runner) => Promise<unknown>;
}

/** The row that is meant, values of columns with which it is not, and the statement. */
function of(table: string, row: Values, not: Case['not'], act: Case['act']): Case {
  return { table, row, not, act };
}

const at = 1000;
const lease = { lease_owner: 'me', lease_until: at };
const other = 'other';
const budget = { account_id: 'x', tag: 't', value: 'v' };
const invite = { id: 'i', hash: 'h', used_at: null, expires_at: at + 1 };
const ofKey = { id: 'k', hash: 'h', revoked_at: null };
const claim = { key: 'k', owner: 'o', state: 'running', served_by: 'gw', expires_at: 1 };
const session = { id: 's', person_id: 'x', expires_at: '2026-01-02' };
const password = { person_id: 'x', provider_id: 'credential', password: 'p' };
const callback = { id: 'c', job_id: 'j', read_at: null };
const token = { hash: 'h', grant_id: 'x', used_at: null, expires_at: at + 1 };
const pending = { id: 'd', webhook_id: 'w', state: 'pending' };
const hold = { id: 'h', expires_at: at, served_by: 'gone' };
const journal = { id: 'j', task: 'post', trouble: null };
const job = { id: 'j', finished_at: null, attempt_status: 'waiting', run_at: 5, ...lease };
const upload = { id: 'u', account_id: 'x', created_at: at - 1 };

const cases: Record<string, Case> = {
  findKeyMinutes: of(
    'key_minutes',
    { account_id: 'x', key_id: 'k', minute: 5 },
    { account_id: other, key_id: other, minute: 4 },
    (on) => findKeyMinutes(on, [{ account_id: 'x', key_id: 'k' }], 5),
  ),
  isOpenInvite: of('invites', invite, { hash: other, used_at: 1, expires_at: at }, (on) =>
    people.isOpenInvite(on, 'h', at),
  ),
  takeInvite: of('invites', invite, { hash: other, used_at: 1, expires_at: at }, (on) =>
    people.takeInvite(on, 'h', at),
  ),
  deleteInvite: of('invites', invite, { id: other, used_at: 1 }, (on) =>
    people.deleteInvite(on, 'i'),
  ),
  listOpenInvites: of('invites', invite, { used_at: 1, expires_at: at }, (on) =>
    people.listOpenInvites(on, at, 10),
  ),
  countUsedSetUps: of(
    'invites',
    { ...invite, used_at: 1, expires_at: null },
    { used_at: null, expires_at: at },
    people.countUsedSetUps,
  ),
  lockOperators: of(
    'people',
    { id: 'p', email: 'e', role: 'operator' },
    { role: 'member' },
    people.lockOperators,
  ),
  listSessions: of('sessions', session, { person_id: 'y', expires_at: '2026-01-01' }, (on) =>
    people.listSessions(on, 'x', { now: '2026-01-01', limit: 10 }),
  ),
  deleteSession: of('sessions', session, { id: other, person_id: 'y' }, (on) =>
    people.deleteSession(on, 'x', 's'),
  ),
  deleteSessionsBut: of('sessions', session, { id: other, person_id: 'y' }, (on) =>
    people.deleteSessionsBut(on, 'x', other),
  ),
  findPasswordHash: of('credentials', password, { person_id: 'y', provider_id: 'oidc' }, (on) =>
    people.findPasswordHash(on, 'x'),
  ),
  takeCode: of(
    'oauth_codes',
    { hash: 'h', grant_id: null, expires_at: at + 1 },
    { hash: other, grant_id: 'x', expires_at: at },
    (on) => oauth.takeCode(on, 'h', 'x', at),
  ),
  takeRefreshToken: of(
    'oauth_refresh_tokens',
    token,
    { hash: other, used_at: 1, expires_at: at },
    (on) => oauth.takeRefreshToken(on, 'h', at),
  ),
  deleteUsedRefreshTokens: of(
    'oauth_refresh_tokens',
    { ...token, used_at: 1 },
    { grant_id: 'y', used_at: null },
    (on) => oauth.deleteUsedRefreshTokens(on, 'x', 0),
  ),
  isKnownToken: of('operator_tokens', { hash: 'h' }, { hash: other }, (on) =>
    isKnownToken(on, 'h'),
  ),
  freeAnswer: of('admin_answers', { id: 'a', answer: '' }, { id: other, answer: 'x' }, (on) =>
    freeAnswer(on, 'a'),
  ),
  findActiveKey: of('keys', ofKey, { hash: other, revoked_at: 1 }, (on) =>
    keys.findActiveKey(on, 'h'),
  ),
  'findActiveKey by its earlier secret': of(
    'keys',
    { ...ofKey, previous_hash: 'old', previous_until: 2 },
    { previous_hash: other, revoked_at: 1 },
    (on) => keys.findActiveKey(on, 'old'),
  ),
  revokeKey: of('keys', ofKey, { id: other, revoked_at: 1 }, (on) => keys.revokeKey(on, 'k', at)),
  replaceSecret: of('keys', ofKey, { id: other, revoked_at: 1 }, (on) =>
    keys.replaceSecret(on, { id: 'k', hash: 'new', display: 'd', previous_until: at }),
  ),
  endPreviousSecret: of(
    'keys',
    { ...ofKey, previous_hash: 'old', previous_until: at + 1 },
    { id: other, revoked_at: 1, previous_until: at },
    (on) => keys.endPreviousSecret(on, 'k', at),
  ),
  deleteBudget: of('budgets', budget, { account_id: 'y', tag: other, value: other }, (on) =>
    deleteBudget(on, budget),
  ),
  findBudgetNames: of('budgets', budget, { account_id: 'y' }, (on) => findBudgetNames(on, 'x')),
  findNamed: of(
    'keys',
    { ...ofKey, name: 'Café', account_id: 'x' },
    { name: other, account_id: 'y' },
    (on) => findNamed(on, 'key', { text: 'CAF', account_id: 'x' }),
  ),
  listViews: of('saved_views', { id: 'v', account_id: 'x' }, { account_id: 'y' }, (on) =>
    listViews(on, 'x'),
  ),
  deleteView: of('saved_views', { id: 'v' }, { id: other }, (on) => deleteView(on, 'v')),
  findNotes: of('request_notes', { request_id: 'r' }, { request_id: other }, (on) =>
    notes.findNotes(on, ['r']),
  ),
  deleteNote: of('request_notes', { id: 'n' }, { id: other }, (on) => notes.deleteNote(on, 'n')),
  removeGateway: of('gateways', { id: 'gw', beat: 3 }, { id: other, beat: 4 }, (on) =>
    removeGateway(on, 'gw', 3),
  ),
  hasUnbooked: of('deferred', journal, { trouble: 'x', id: null }, hasUnbooked),
  findUnbooked: of('deferred', journal, { trouble: 'x', id: null, task: other }, (on) =>
    findUnbooked(on, { task: 'post' }, 10),
  ),
  markUnbookable: of('deferred', journal, { trouble: 'x', id: other }, (on) =>
    markUnbookable(on, 'j', 'broken'),
  ),
  findOrphanedHolds: of('holds', hold, { served_by: null }, (on) => findOrphanedHolds(on, 10)),
  findDueHolds: of('holds', hold, { expires_at: at + 1 }, (on) => findDueHolds(on, at, 10)),
  endClaimsOf: of('idempotency', claim, { state: 'done', served_by: other }, (on) =>
    claims.endClaimsOf(on, 'gw', at),
  ),
  deleteRunningClaims: of('idempotency', claim, { state: 'done' }, claims.deleteRunningClaims),
  deleteExpiredClaims: of(
    'idempotency',
    { ...claim, state: 'done', expires_at: at },
    { expires_at: at + 1, state: 'running' },
    (on) => claims.deleteExpiredClaims(on, at, 10),
  ),
  findAnswer: of(
    'idempotency',
    { ...claim, account_id: 'x', state: 'done' },
    { account_id: 'y', key: other, owner: other, state: 'running' },
    (on) => claims.findAnswer(on, { account_id: 'x', key: 'k', owner: 'o' }),
  ),
  findText: of(
    'kept_texts',
    { account_id: 'x', hash: 'h' },
    { account_id: 'y', hash: other },
    (on) => findText(on, 'x', 'h'),
  ),
  findLoggedAnswer: of(
    'logged_answers',
    { request_id: 'r', account_id: 'x', expires_at: at + 1 },
    { request_id: other, account_id: 'y', expires_at: at },
    (on) => findLoggedAnswer(on, { request_id: 'r', account_id: 'x' }, at),
  ),
  findEntries: of(
    'cache_entries',
    { id: 'e', stored_at: at },
    { id: other, stored_at: at - 1 },
    (on) => findEntries(on, ['e'], at, 10),
  ),
  deleteEntries: of('cache_entries', { id: 'e', account_id: 'x' }, { account_id: 'y' }, (on) =>
    deleteEntries(on, 'x'),
  ),
  countPending: of('deliveries', pending, { state: 'failed' }, (on) => deliveries.countPending(on)),
  countPendingIn: of(
    'deliveries',
    { ...pending, lane: 'l' },
    { state: 'failed', lane: other },
    (on) => deliveries.countPendingIn(on, 'l'),
  ),
  restartDelivery: of('deliveries', pending, { id: other }, (on) =>
    deliveries.restartDelivery(on, 'd', 'new', at),
  ),
  moveDeliveries: of('deliveries', pending, { webhook_id: other, state: 'failed' }, (on) =>
    deliveries.moveDeliveries(on, 'w', { url: 'new', paused: false, now: at }),
  ),
  giveUpDeliveries: of('deliveries', pending, { webhook_id: other, state: 'delivered' }, (on) =>
    deliveries.giveUpDeliveries(on, 'w', 'gone', at),
  ),
  returnDeliveries: of('deliveries', { ...pending, ...lease }, { lease_owner: other }, (on) =>
    returnDeliveries(on, 'me'),
  ),
  dropDeliveryLeases: of(
    'deliveries',
    { ...pending, ...lease },
    { lease_until: null },
    dropDeliveryLeases,
  ),
  countWebhooks: of('webhooks', { id: 'w', account_id: 'x' }, { account_id: null }, (on) =>
    countWebhooks(on, 'x'),
  ),
  'countWebhooks of the gateway': of(
    'webhooks',
    { id: 'w', account_id: null },
    { account_id: 'x' },
    (on) => countWebhooks(on, null),
  ),
  'a callback makes its job due': of('jobs', job, { id: other, finished_at: 1 }, async (on) => {
    await callbacks.insertCallback(on, {
      id: 'c',
      job_id: 'j',
      body_id: 'b',
      attempt: 1,
      received_at: at,
    });
    await on.run('delete from callbacks');
  }),
  findUnread: of('callbacks', callback, { job_id: other, read_at: 1 }, (on) =>
    callbacks.findUnread(on, 'j'),
  ),
  findOtherUnread: of('callbacks', callback, { id: 'known', job_id: other, read_at: 1 }, (on) =>
    callbacks.findOtherUnread(on, [{ job_id: 'j', readCallbackIds: ['known'] }]),
  ),
  markRead: of('callbacks', callback, { id: other }, (on) =>
    callbacks.markRead(on, { id: 'c' } as Parameters<typeof callbacks.markRead>[1], at),
  ),
  findPart: of('texts', { id: 't', part: 1 }, { id: other, part: 2 }, (on) =>
    callbacks.findPart(on, 't', 1),
  ),
  deleteText: of('texts', { id: 't' }, { id: other }, (on) => callbacks.deleteText(on, 't')),
  deleteUnownedTexts: of(
    'texts',
    { id: 't', job_id: null, made_at: at - 1 },
    { job_id: 'j', made_at: at },
    (on) => callbacks.deleteUnownedTexts(on, at),
  ),
  'deleteJob and its texts': of('texts', { id: 't', job_id: 'j' }, { job_id: other }, (on) =>
    jobs.deleteJob(on, 'j'),
  ),
  'deleteJob and its callbacks': of('callbacks', callback, { job_id: other }, (on) =>
    jobs.deleteJob(on, 'j'),
  ),
  deleteJob: of('jobs', job, { id: other }, (on) => jobs.deleteJob(on, 'j')),
  findProviderJobIds: of(
    'jobs',
    { ...job, provider: 'stt_a', provider_job_id: 'p', created_at: 5 },
    { provider: 'stt_b', provider_job_id: null, attempt_status: 'unknown' },
    (on) => jobs.findProviderJobIds(on, 'stt_a', { from: 5, to: 5 }),
  ),
  putVendorUpload: of('jobs', job, { id: other, lease_owner: other }, (on) =>
    jobs.putVendorUpload(on, 'j', 'me', { audio_url: 'u', credential: null }),
  ),
  dropLeases: of('jobs', job, { lease_until: null }, (on) => leases.dropLeases(on, at)),
  renewLeases: of('jobs', job, { id: other, lease_owner: other }, (on) =>
    leases.renewLeases(on, ['j'], 'me', at + 9),
  ),
  returnLeases: of(
    'jobs',
    job,
    { id: other, lease_owner: other, attempt_status: 'submitting' },
    (on) => leases.returnLeases(on, ['j'], 'me', at),
  ),
  postponeJobs: of('jobs', job, { id: other, lease_owner: other }, (on) =>
    leases.postponeJobs(on, [{ id: 'j', owner: 'me', run_at: 9 }]),
  ),
  countUploads: of('uploads', upload, { account_id: 'y' }, (on) => uploads.countUploads(on, 'x')),
  deleteUpload: of('uploads', upload, { id: other, account_id: 'y' }, (on) =>
    uploads.deleteUpload(on, 'u', 'x'),
  ),
  deleteUnused: of('uploads', upload, { id: other }, (on) => uploads.deleteUnused(on, 'u')),
  listUploads: of('uploads', upload, { id: 'a', created_at: at }, (on) =>
    uploads.listUploads(on, 'a', at, 10),
  ),
  forgetUpload: of('uploads', upload, { id: other }, (on) => uploads.forgetUpload(on, 'u')),
};

describe.each(engines)('on $name', (engine) => {
  test('only the row that is meant', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const insert = await makeInsert(database);
    for (const id of ['x', 'y']) {
      await insert('accounts', { id });
      await insert('people', { id, email: id });
      await insert('keys', { id, account_id: 'x', hash: `of ${id}` });
      await insert('oauth_grants', { id });
    }
    const faults: string[] = [];
    for (const [name, { table, row, not, act }] of Object.entries(cases)) {
      const effectOn = async (one?: Values): Promise<string> => {
        let effect = '';
        const undone = new Error('undone');
        await database
          .transaction(async (tx) => {
            if (one) await insert(table, one, { on: tx });
            const before = await tx.run(`select * from ${table}`);
            const result = await act(tx);
            const after = await tx.run(`select * from ${table}`);
            const isChanged = JSON.stringify(before) !== JSON.stringify(after);
            effect = JSON.stringify([Bun.inspect(result), isChanged]);
            throw undone;
          })
          .catch((error: unknown) => {
            if (error !== undone) throw new Error(name, { cause: error });
          });
        return effect;
      };
      const none = await effectOn();
      if ((await effectOn(row)) === none) faults.push(`${name}: the row itself`);
      for (const [column, value] of Object.entries(not)) {
        const effect = await effectOn({ ...row, [column]: value });
        if (effect !== none) faults.push(`${name}: ${column} = ${value}`);
      }
    }
    expect(faults).toEqual([]);
  });
});
