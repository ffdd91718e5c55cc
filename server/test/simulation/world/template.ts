// The store that every run begins with: migrated, with two accounts and a key for each. Made once by
// a gateway in a world without faults.
import '@modelcontextprotocol/server';
import '@trivium/sdk/mcp';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tenant } from './callers.ts';
import type { Engine } from './shared/engine.ts';
import { adminToken, makeWorld } from './world.ts';
import type { Ask, Body } from './world.ts';

export interface Template extends Disposable {
  folder: string;
  tenants: readonly Tenant[];
  /** Of the first account; signs its webhooks. */
  secrets: readonly string[];
  /** Of gateways that share a store. */
  shared?: { engine: Engine; restore: () => void };
}

function makeTemplate(engine?: Engine): Template {
  using world = makeWorld(0, undefined, {}, engine && { engine, gateways: 1 });
  const life = world.makeLife('setter-up');
  const folder = mkdtempSync(join(tmpdir(), 'trivium-sim-template-'));
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
    for (const name of ['first', 'second']) {
      const accountId = String((await ask({ path: '/admin/v1/accounts', body: { name } }))['id']);
      const key = await ask({ path: `/admin/v1/accounts/${accountId}/keys`, body: { name } });
      tenants.push({ accountId, key: String(key['secret'] ?? key['key']) });
      const { secret } = await ask({ path: `/admin/v1/accounts/${accountId}/webhook-secret` });
      secrets.push(String(secret));
    }
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
  if (tenants.length < 2 || result.error !== undefined) {
    throw new Error(world.story.join('\n'), { cause: result.error });
  }
  if (!engine) cpSync(world.folder, folder, { recursive: true });
  world.shared?.close();
  const saved = engine?.save();
  return {
    ...(engine && saved ? { shared: { engine, restore: () => engine.restore(saved) } } : {}),
    folder,
    tenants,
    secrets,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** In a turn of its own: the world runs all promises itself. */
export function makeTemplateSoon(engine?: Engine): Promise<Template> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(makeTemplate(engine));
      } catch (error) {
        reject(error);
      }
    });
  });
}
