// Builds and starts the container image. Reported as left out where buildah is missing.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { builtExecutable, runScript } from '../package/built.ts';
import { everythingWorks, startInstalled, useEverything } from '../package/installed-gateway.ts';
import { testWhere } from '../leave-out.ts';
import { runToEnd } from '../run-to-end.ts';
import { freePort } from '../free-port.ts';
import { prepareBuilder } from './image-builder.ts';

const folder = await mkdtemp(join(tmpdir(), 'trivium-image-'));
const builder = await prepareBuilder(folder);
const tag = `trivium:${manifest.version}`;

if ('missing' in builder) {
  testWhere(builder.missing)('the container image', () => {});
} else {
  const { build, config, remove, runCommand } = builder;
  beforeAll(async () => {
    const context = join(folder, 'context');
    const executable = await builtExecutable();
    await runScript('scripts/build/image.ts', '--executable', executable, '--out', context);
    await build(context, tag);
  });
  afterAll(remove);

  test('the image runs without root, has a volume and checks its health', async () => {
    expect(await config(tag)).toMatchObject({
      User: '1000:1000',
      Entrypoint: ['/usr/local/bin/trivium'],
      Cmd: ['serve'],
      ExposedPorts: { '8787/tcp': {} },
      Volumes: { '/data': {} },
      Healthcheck: { Test: ['CMD', '/usr/local/bin/trivium', 'health'] },
    });
  });

  const starts = async () => {
    const port = String(freePort());
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    const command = await runCommand(tag, ['serve', '--host', '127.0.0.1', '--port', port]);
    await using gateway = await startInstalled(command, { cwd: folder, env });
    expect(await useEverything(gateway)).toEqual(everythingWorks);
    expect(gateway.output()).toContain('SQLite in /data/');
    // The health check of the image, in a container with another port than usual.
    const { Healthcheck } = await config(tag);
    const [, , ...words] = Healthcheck?.Test ?? [];
    const health = await runCommand(tag, words, { PORT: port });
    expect(await runToEnd(health, { env })).toMatchObject({ code: 0, out: 'ready\n' });
    await gateway.stop();
    expect(await gateway.get('/healthz').catch(() => 'ended')).toBe('ended');
  };
  test('the image starts, serves every tool, is healthy, and stops', starts);
}
