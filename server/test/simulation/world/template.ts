// The store that every run begins with: migrated, with three accounts and a key for each. Made once by
// a gateway in a world without faults.
import '@modelcontextprotocol/server';
import '@trivium/sdk/mcp';
import { dayMs } from '@trivium/contract/durations';
import { Database as Sqlite } from 'bun:sqlite';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Base64Url, sha256Hex } from '../../../src/platform/ids.ts';
import type { Row } from '../../../src/store/database.ts';
import type { Tenant } from './callers/caller.ts';
import { redirectUri, verifier } from './callers/requests.ts';
import { adminToken } from './environment.ts';
import { epochMs } from './machine.ts';
import type { Ask, Body } from './network.ts';
import { makeScratchFolder } from './scratch.ts';
import type { Engine } from './shared/engine.ts';
import { thisVersion, type Version } from './shared/version.ts';
import { makeWorld } from './world.ts';

export interface Template extends Disposable {
  folder: string;
  tenants: readonly Tenant[];
  /** Of the accounts, of the endpoint for events of keys, and of the one for events of providers. */
  secrets: readonly string[];
  /** Of gateways that share a store. */
  shared?: { engine: Engine; versions: readonly Version[]; restore: () => void };
}

/** The daily cap of the capped keys in the beginning. */
export const cappedUsd = 0.05;

function makeTemplate(engine: Engine | undefined, versions: readonly Version[]): Template {
  const made = engine && { engine, gateways: 1, versions: [thisVersion] };
  using world = makeWorld(0, undefined, {}, made);
  const life = world.makeLife('setter-up');
  const folder = makeScratchFolder();
  const tenants: Tenant[] = [];
  const secrets: string[] = [];
  const result: { state: 'working' | 'done'; error?: unknown } = { state: 'working' };
  const ask = async (given: Omit<Ask, 'key'>): Promise<Body> => {
    const answer = await world.call(life, { ...given, key: adminToken });
    if (answer.kind === 'answer' && answer.status < 300) return answer.body;
    throw new Error(`${given.path}: ${JSON.stringify(answer)}`);
  };
  const work = async () => {
    await world.gateway.start();
    const client = await ask({ path: '/oauth/register', body: { redirect_uris: [redirectUri] } });
    for (const name of ['first', 'second', 'third']) {
      const accountId = String((await ask({ path: '/admin/v1/accounts', body: { name } }))['id']);
      const makeKey = async (limits: object) => {
        const path = `/admin/v1/accounts/${accountId}/keys`;
        const made = await ask({ path, body: { name, ...limits } });
        return { key: String(made['key']), keyId: String(made['id']) };
      };
      const capped = await makeKey({ daily_cap_usd: cappedUsd });
      const access = { client: String(client['client_id']), codes: [], grants: [] };
      tenants.push({ accountId, ...(await makeKey({})), capped, ...access });
      const { secret } = await ask({ path: `/admin/v1/accounts/${accountId}/webhook-secret` });
      secrets.push(String(secret));
    }
    const webhooks = '/admin/v1/webhooks';
    const endpoints = [
      {
        path: `${webhooks}?account_id=${tenants[0]?.accountId}`,
        body: { url: `${receiver}/keys`, events: ['key.created', 'key.revoked'] },
      },
      {
        path: webhooks,
        body: {
          url: `${receiver}/providers`,
          events: ['provider.unhealthy', 'provider.recovered'],
        },
      },
    ];
    // A release may not know these events; only a gateway alone is checked by them.
    for (const endpoint of versions.every((one) => one === thisVersion) ? endpoints : [])
      secrets.push(String((await ask(endpoint))['secret']));
    await world.gateway.stop();
  };
  world.scheduler.after(0, life, () => {
    work()
      .catch((error: unknown) => {
        result.error = error;
      })
      .finally(() => {
        result.state = 'done';
      });
  });
  world.scheduler.runUntil(60_000, () => result.state === 'done');
  world.scheduler.runUntil(world.scheduler.now() + 1000);
  if (tenants.length < 3 || result.error !== undefined) {
    throw new Error(world.story.join('\n'), { cause: result.error });
  }
  letApplicationsIn(tenants, engine?.run ?? openStore(world.folder));
  if (!engine) cpSync(world.folder, folder, { recursive: true });
  world.shared?.close();
  const saved = engine?.save();
  return {
    ...(engine && saved
      ? { shared: { engine, versions, restore: () => engine.restore(saved) } }
      : {}),
    folder,
    tenants,
    secrets,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** More than the applications of a run need. */
const codesOfAccount = 12;

/** As if a person of each account had signed in and agreed: a password takes real time. */
function letApplicationsIn(tenants: readonly Tenant[], run: Engine['run']): void {
  for (const { accountId, client, codes } of tenants) {
    run(
      `insert into people (id, name, email, email_verified, role, account_id, created_at, updated_at)
       values ($1, 'Ada', $1, 1, 'member', $1, 'x', 'x')`,
      [accountId],
    );
    for (let at = 0; at < codesOfAccount; at += 1) {
      const code = `code ${at} of ${accountId}`;
      codes.push(code);
      run(
        `insert into oauth_codes (hash, client, client_name, redirect_uri, challenge, person_id,
           account_id, expires_at) values ($1, $2, 'Agent', $3, $4, $5, $5, $6)`,
        [
          ...[
            sha256Hex(code),
            sha256Hex(client),
            redirectUri,
            sha256Base64Url(verifier),
            accountId,
          ],
          epochMs + 365 * dayMs,
        ],
      );
    }
  }
}

function openStore(folder: string): Engine['run'] {
  return (text, values = []) => {
    using sqlite = new Sqlite(join(folder, 'trivium.sqlite'));
    return sqlite.prepare(text.replaceAll(/\$(?=\d)/g, '?')).all(...(values as never[])) as Row[];
  };
}

const receiver = 'https://hooks.example';

/**
 * In a turn of its own: the world runs all promises itself. Gateways of these versions run on it, and
 * this version makes it, because only a store of this version can be checked.
 */
export function makeTemplateSoon(
  engine?: Engine,
  versions: readonly Version[] = [thisVersion],
): Promise<Template> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(makeTemplate(engine, versions));
      } catch (error) {
        reject(error);
      }
    });
  });
}
