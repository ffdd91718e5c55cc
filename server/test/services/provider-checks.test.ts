// One cheap call to each provider of the sandbox: it says whether the provider works, and why not.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { providerIds } from '@trivium/contract';
import { mounts } from '@trivium/sandbox';
import { checkProvider } from '../../src/app/provider-checks.ts';
import { providers } from '../../src/providers/registry.ts';
import { type SandboxContext, startSandboxContext } from './sandbox-context.ts';

let sandbox: SandboxContext;
beforeAll(async () => {
  sandbox = await startSandboxContext();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

test.each(providerIds)('%s is reported as working', async (id) => {
  const found = await checkProvider(sandbox.context([id]), id);
  expect(found).toMatchObject({ provider: id, ok: true });
});

test.each(['stt_a', 'stt_b', 'stt_c'] as const)(
  'the check of %s only reads, and says why it was refused',
  async (id) => {
    const { check } = providers[id].transcribe ?? {};
    expect(check?.wire.method).toBe('GET');
    await sandbox.fault(mountOf(id), 'unauthorized');
    const found = await checkProvider(sandbox.context([id]), id);
    expect(found.ok).toBe(false);
    expect(found.message).toContain('401');
  },
);

function mountOf(id: keyof typeof providers): string {
  const settings = Object.values(providers[id].hosts).map(({ env }) => env);
  return mounts.find(({ setting }) => settings.includes(setting))?.mount ?? '';
}
