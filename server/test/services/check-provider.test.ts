// One cheap call to each provider of the sandbox: it says whether the provider works, and why not.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { provider_ids } from '@trivium/contract';
import { mounts } from '@trivium/sandbox';
import { checkProvider } from '../../src/services/check-provider.ts';
import { providers } from '../../src/providers/index.ts';
import { startSandboxHouse } from './sandbox-house.ts';
import type { SandboxHouse } from './sandbox-house.ts';

let sandbox: SandboxHouse;
beforeAll(async () => {
  sandbox = await startSandboxHouse();
});
afterAll(() => sandbox.stop());

test.each(provider_ids)('%s is found working', async (id) => {
  const found = await checkProvider(sandbox.house([id]), id);
  expect(found).toMatchObject({ provider: id, ok: true });
});

test.each(['stt_a', 'stt_b', 'stt_c'] as const)('%s is asked nothing that costs', async (id) => {
  const { check } = providers[id].transcribe ?? {};
  expect(check?.wire.method).toBe('GET');
  await sandbox.reset();
  await sandbox.fault(mountOf(id), 'unauthorized');
  const found = await checkProvider(sandbox.house([id]), id);
  expect(found.ok).toBe(false);
  expect(found.message).toContain('401');
});

function mountOf(id: keyof typeof providers): string {
  const settings = Object.values(providers[id].hosts).map(({ env }) => env);
  return mounts.find(({ setting }) => settings.includes(setting))?.mount ?? '';
}
