// Which rows a statement reads or changes, on both engines: the one that has every value that it asks
// for, and none that has another value in one column.
import { describe, expect, test } from 'bun:test';
import {
  deleteUsedRefreshTokens,
  takeCode,
  takeRefreshToken,
} from '../../src/accounts/store/oauth.ts';
import { freeAnswer, isKnownToken } from '../../src/accounts/store/operators.ts';
import {
  endPreviousSecret,
  findActiveKey,
  replaceSecret,
  revokeKey,
} from '../../src/accounts/store/keys.ts';
import {
  countUsedSetUps,
  deleteInvite,
  deleteSession,
  deleteSessionsBut,
  findPasswordHash,
  isOpenInvite,
  listOpenInvites,
  listSessions,
  lockOperators,
  takeInvite,
} from '../../src/accounts/store/people.ts';
import { deleteBudget, findBudgetNames } from '../../src/billing/store/budgets.ts';
import { removeGateway } from '../../src/billing/store/gateways.ts';
import { findUnbooked, hasUnbooked, markUnbookable } from '../../src/billing/store/journal.ts';
import { findDueHolds, findOrphanedHolds } from '../../src/billing/store/ledger.ts';
import { deleteEntries, findEntries } from '../../src/cache/store/entries.ts';
import {
  countPending,
  countPendingIn,
  giveUpDeliveries,
  moveDeliveries,
  restartDelivery,
} from '../../src/events/store/deliveries.ts';
import { dropDeliveryLeases, returnDeliveries } from '../../src/events/store/delivery-leases.ts';
import { countWebhooks } from '../../src/events/store/webhooks.ts';
import {
  deleteExpiredClaims,
  deleteRunningClaims,
  endClaimsOf,
  findAnswer,
} from '../../src/requests/store/idempotency.ts';
import { findKeyMinutes } from '../../src/requests/store/rate-limits.ts';
import { findLoggedAnswer, findText } from '../../src/requests/store/stored-texts.ts';
import type { Runner } from '../../src/store/database.ts';
import {
  deleteText,
  deleteUnownedTexts,
  findOtherUnread,
  findPart,
  findUnread,
  insertCallback,
  markRead,
} from '../../src/transcription/store/callbacks.ts';
import {
  deleteJob,
  findProviderJobIds,
  putVendorUpload,
} from '../../src/transcription/store/jobs.ts';
import {
  dropLeases,
  postponeJobs,
  renewLeases,
  returnLeases,
} from '../../src/transcription/store/leases.ts';
import {
  countUploads,
  deleteUnused,
  deleteUpload,
  forgetUpload,
  listUploads,
} from '../../src/uploads/store/uploads.ts';
import { makeInsert, type Values } from './any-row.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

interface Case {
  table: string;
  /** The row that is meant. */
  row: Values;
  /** Values of columns with which it is not. */
  not: Record<string, string | number | null>;
  act: (on: Runner) => Promise<unknown>;
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
  findKeyMinutes: {
    table: 'key_minutes',
    row: { account_id: 'x', key_id: 'k', minute: 5 },
    not: { account_id: other, key_id: other, minute: 4 },
    act: (on) => findKeyMinutes(on, [{ account_id: 'x', key_id: 'k' }], 5),
  },
  isOpenInvite: {
    ...{ table: 'invites', row: invite, not: { hash: other, used_at: 1, expires_at: at } },
    act: (on) => isOpenInvite(on, 'h', at),
  },
  takeInvite: {
    ...{ table: 'invites', row: invite, not: { hash: other, used_at: 1, expires_at: at } },
    act: (on) => takeInvite(on, 'h', at),
  },
  deleteInvite: {
    ...{ table: 'invites', row: invite, not: { id: other, used_at: 1 } },
    act: (on) => deleteInvite(on, 'i'),
  },
  listOpenInvites: {
    ...{ table: 'invites', row: invite, not: { used_at: 1, expires_at: at } },
    act: (on) => listOpenInvites(on, at, 10),
  },
  countUsedSetUps: {
    ...{ table: 'invites', row: { ...invite, used_at: 1, expires_at: null } },
    ...{ not: { used_at: null, expires_at: at }, act: countUsedSetUps },
  },
  lockOperators: {
    ...{ table: 'people', row: { id: 'p', email: 'e', role: 'operator' }, not: { role: 'member' } },
    act: lockOperators,
  },
  listSessions: {
    ...{ table: 'sessions', row: session, not: { person_id: 'y', expires_at: '2026-01-01' } },
    act: (on) => listSessions(on, 'x', { now: '2026-01-01', limit: 10 }),
  },
  deleteSession: {
    ...{ table: 'sessions', row: session, not: { id: other, person_id: 'y' } },
    act: (on) => deleteSession(on, 'x', 's'),
  },
  deleteSessionsBut: {
    ...{ table: 'sessions', row: session, not: { id: other, person_id: 'y' } },
    act: (on) => deleteSessionsBut(on, 'x', other),
  },
  findPasswordHash: {
    ...{ table: 'credentials', row: password, not: { person_id: 'y', provider_id: 'oidc' } },
    act: (on) => findPasswordHash(on, 'x'),
  },
  takeCode: {
    ...{ table: 'oauth_codes', row: { hash: 'h', grant_id: null, expires_at: at + 1 } },
    ...{ not: { hash: other, grant_id: 'x', expires_at: at } },
    act: (on) => takeCode(on, 'h', 'x', at),
  },
  takeRefreshToken: {
    ...{ table: 'oauth_refresh_tokens', row: token },
    ...{ not: { hash: other, used_at: 1, expires_at: at } },
    act: (on) => takeRefreshToken(on, 'h', at),
  },
  deleteUsedRefreshTokens: {
    ...{ table: 'oauth_refresh_tokens', row: { ...token, used_at: 1 } },
    ...{ not: { grant_id: 'y', used_at: null } },
    act: (on) => deleteUsedRefreshTokens(on, 'x', 0),
  },
  isKnownToken: {
    ...{ table: 'operator_tokens', row: { hash: 'h' }, not: { hash: other } },
    act: (on) => isKnownToken(on, 'h'),
  },
  freeAnswer: {
    ...{ table: 'admin_answers', row: { id: 'a', answer: '' }, not: { id: other, answer: 'x' } },
    act: (on) => freeAnswer(on, 'a'),
  },
  findActiveKey: {
    ...{ table: 'keys', row: ofKey, not: { hash: other, revoked_at: 1 } },
    act: (on) => findActiveKey(on, 'h'),
  },
  'findActiveKey by its earlier secret': {
    ...{ table: 'keys', row: { ...ofKey, previous_hash: 'old', previous_until: 2 } },
    ...{ not: { previous_hash: other, revoked_at: 1 }, act: (on) => findActiveKey(on, 'old') },
  },
  revokeKey: {
    ...{ table: 'keys', row: ofKey, not: { id: other, revoked_at: 1 } },
    act: (on) => revokeKey(on, 'k', at),
  },
  replaceSecret: {
    ...{ table: 'keys', row: ofKey, not: { id: other, revoked_at: 1 } },
    act: (on) => replaceSecret(on, { id: 'k', hash: 'new', display: 'd', previous_until: at }),
  },
  endPreviousSecret: {
    ...{ table: 'keys', row: { ...ofKey, previous_hash: 'old', previous_until: at + 1 } },
    ...{ not: { id: other, revoked_at: 1, previous_until: at } },
    act: (on) => endPreviousSecret(on, 'k', at),
  },
  deleteBudget: {
    ...{ table: 'budgets', row: budget, not: { account_id: 'y', tag: other, value: other } },
    act: (on) => deleteBudget(on, budget),
  },
  findBudgetNames: {
    ...{ table: 'budgets', row: budget, not: { account_id: 'y' } },
    act: (on) => findBudgetNames(on, 'x'),
  },
  removeGateway: {
    ...{ table: 'gateways', row: { id: 'gw', beat: 3 }, not: { id: other, beat: 4 } },
    act: (on) => removeGateway(on, 'gw', 3),
  },
  hasUnbooked: {
    ...{ table: 'deferred', row: journal, not: { trouble: 'x', id: null }, act: hasUnbooked },
  },
  findUnbooked: {
    ...{ table: 'deferred', row: journal, not: { trouble: 'x', id: null, task: other } },
    act: (on) => findUnbooked(on, { task: 'post' }, 10),
  },
  markUnbookable: {
    ...{ table: 'deferred', row: journal, not: { trouble: 'x', id: other } },
    act: (on) => markUnbookable(on, 'j', 'broken'),
  },
  findOrphanedHolds: {
    ...{ table: 'holds', row: hold, not: { served_by: null } },
    act: (on) => findOrphanedHolds(on, 10),
  },
  findDueHolds: {
    ...{ table: 'holds', row: hold, not: { expires_at: at + 1 } },
    act: (on) => findDueHolds(on, at, 10),
  },
  endClaimsOf: {
    ...{ table: 'idempotency', row: claim, not: { state: 'done', served_by: other } },
    act: (on) => endClaimsOf(on, 'gw', at),
  },
  deleteRunningClaims: {
    ...{ table: 'idempotency', row: claim, not: { state: 'done' }, act: deleteRunningClaims },
  },
  deleteExpiredClaims: {
    ...{ table: 'idempotency', row: { ...claim, state: 'done', expires_at: at } },
    ...{ not: { expires_at: at + 1, state: 'running' } },
    act: (on) => deleteExpiredClaims(on, at, 10),
  },
  findAnswer: {
    ...{ table: 'idempotency', row: { ...claim, account_id: 'x', state: 'done' } },
    ...{ not: { account_id: 'y', key: other, owner: other, state: 'running' } },
    act: (on) => findAnswer(on, { account_id: 'x', key: 'k', owner: 'o' }),
  },
  findText: {
    ...{ table: 'kept_texts', row: { account_id: 'x', hash: 'h' } },
    ...{ not: { account_id: 'y', hash: other }, act: (on) => findText(on, 'x', 'h') },
  },
  findLoggedAnswer: {
    ...{ table: 'logged_answers', row: { request_id: 'r', account_id: 'x', expires_at: at + 1 } },
    ...{ not: { request_id: other, account_id: 'y', expires_at: at } },
    act: (on) => findLoggedAnswer(on, { request_id: 'r', account_id: 'x' }, at),
  },
  findEntries: {
    ...{ table: 'cache_entries', row: { id: 'e', stored_at: at } },
    ...{ not: { id: other, stored_at: at - 1 }, act: (on) => findEntries(on, ['e'], at, 10) },
  },
  deleteEntries: {
    ...{ table: 'cache_entries', row: { id: 'e', account_id: 'x' }, not: { account_id: 'y' } },
    act: (on) => deleteEntries(on, 'x'),
  },
  countPending: {
    ...{
      table: 'deliveries',
      row: pending,
      not: { state: 'failed' },
      act: (on) => countPending(on),
    },
  },
  countPendingIn: {
    ...{ table: 'deliveries', row: { ...pending, lane: 'l' } },
    ...{ not: { state: 'failed', lane: other }, act: (on) => countPendingIn(on, 'l') },
  },
  restartDelivery: {
    ...{ table: 'deliveries', row: pending, not: { id: other } },
    act: (on) => restartDelivery(on, 'd', 'new', at),
  },
  moveDeliveries: {
    ...{ table: 'deliveries', row: pending, not: { webhook_id: other, state: 'failed' } },
    act: (on) => moveDeliveries(on, 'w', { url: 'new', paused: false, now: at }),
  },
  giveUpDeliveries: {
    ...{ table: 'deliveries', row: pending, not: { webhook_id: other, state: 'delivered' } },
    act: (on) => giveUpDeliveries(on, 'w', 'gone', at),
  },
  returnDeliveries: {
    ...{ table: 'deliveries', row: { ...pending, ...lease }, not: { lease_owner: other } },
    act: (on) => returnDeliveries(on, 'me'),
  },
  dropDeliveryLeases: {
    ...{ table: 'deliveries', row: { ...pending, ...lease }, not: { lease_until: null } },
    act: dropDeliveryLeases,
  },
  countWebhooks: {
    ...{ table: 'webhooks', row: { id: 'w', account_id: 'x' }, not: { account_id: null } },
    act: (on) => countWebhooks(on, 'x'),
  },
  'countWebhooks of the gateway': {
    ...{ table: 'webhooks', row: { id: 'w', account_id: null }, not: { account_id: 'x' } },
    act: (on) => countWebhooks(on, null),
  },
  'a callback makes its job due': {
    ...{ table: 'jobs', row: job, not: { id: other, finished_at: 1 } },
    act: async (on) => {
      await insertCallback(on, {
        id: 'c',
        job_id: 'j',
        body_id: 'b',
        attempt: 1,
        received_at: at,
      });
      await on.run('delete from callbacks');
    },
  },
  findUnread: {
    ...{ table: 'callbacks', row: callback, not: { job_id: other, read_at: 1 } },
    act: (on) => findUnread(on, 'j'),
  },
  findOtherUnread: {
    ...{ table: 'callbacks', row: callback, not: { id: 'known', job_id: other, read_at: 1 } },
    act: (on) => findOtherUnread(on, [{ job_id: 'j', readCallbackIds: ['known'] }]),
  },
  markRead: {
    ...{ table: 'callbacks', row: callback, not: { id: other } },
    act: (on) => markRead(on, { id: 'c' } as Parameters<typeof markRead>[1], at),
  },
  findPart: {
    ...{ table: 'texts', row: { id: 't', part: 1 }, not: { id: other, part: 2 } },
    act: (on) => findPart(on, 't', 1),
  },
  deleteText: {
    ...{ table: 'texts', row: { id: 't' }, not: { id: other }, act: (on) => deleteText(on, 't') },
  },
  deleteUnownedTexts: {
    ...{ table: 'texts', row: { id: 't', job_id: null, made_at: at - 1 } },
    ...{ not: { job_id: 'j', made_at: at }, act: (on) => deleteUnownedTexts(on, at) },
  },
  'deleteJob and its texts': {
    ...{ table: 'texts', row: { id: 't', job_id: 'j' }, not: { job_id: other } },
    act: (on) => deleteJob(on, 'j'),
  },
  'deleteJob and its callbacks': {
    ...{
      table: 'callbacks',
      row: callback,
      not: { job_id: other },
      act: (on) => deleteJob(on, 'j'),
    },
  },
  deleteJob: {
    ...{ table: 'jobs', row: job, not: { id: other } },
    act: (on) => deleteJob(on, 'j'),
  },
  findProviderJobIds: {
    ...{ table: 'jobs', row: { ...job, provider: 'stt_a', provider_job_id: 'p', created_at: 5 } },
    ...{ not: { provider: 'stt_b', provider_job_id: null, attempt_status: 'unknown' } },
    act: (on) => findProviderJobIds(on, 'stt_a', { from: 5, to: 5 }),
  },
  putVendorUpload: {
    ...{ table: 'jobs', row: job, not: { id: other, lease_owner: other } },
    act: (on) => putVendorUpload(on, 'j', 'me', { audio_url: 'u', credential: null }),
  },
  dropLeases: {
    ...{ table: 'jobs', row: job, not: { lease_until: null }, act: (on) => dropLeases(on, at) },
  },
  renewLeases: {
    ...{ table: 'jobs', row: job, not: { id: other, lease_owner: other } },
    act: (on) => renewLeases(on, ['j'], 'me', at + 9),
  },
  returnLeases: {
    ...{
      table: 'jobs',
      row: job,
      not: { id: other, lease_owner: other, attempt_status: 'submitting' },
    },
    act: (on) => returnLeases(on, ['j'], 'me', at),
  },
  postponeJobs: {
    ...{ table: 'jobs', row: job, not: { id: other, lease_owner: other } },
    act: (on) => postponeJobs(on, [{ id: 'j', owner: 'me', run_at: 9 }]),
  },
  countUploads: {
    ...{
      table: 'uploads',
      row: upload,
      not: { account_id: 'y' },
      act: (on) => countUploads(on, 'x'),
    },
  },
  deleteUpload: {
    ...{ table: 'uploads', row: upload, not: { id: other, account_id: 'y' } },
    act: (on) => deleteUpload(on, 'u', 'x'),
  },
  deleteUnused: {
    ...{ table: 'uploads', row: upload, not: { id: other }, act: (on) => deleteUnused(on, 'u') },
  },
  listUploads: {
    ...{ table: 'uploads', row: upload, not: { id: 'a', created_at: at } },
    act: (on) => listUploads(on, 'a', at, 10),
  },
  forgetUpload: {
    ...{ table: 'uploads', row: upload, not: { id: other }, act: (on) => forgetUpload(on, 'u') },
  },
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
