// The compose file and the Helm chart, read by the real tools. Reported as left out where these are
// missing.
import { describe, expect, test } from 'bun:test';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Secret, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { projectRoot } from '../../scripts/command.ts';
import { testWhere } from '../leave-out.ts';
import { emptyFolder } from '../empty-folder.ts';
import { runToEnd } from '../run-to-end.ts';
import { findCompose, findHelm } from './deploy-tools.ts';
import { lastRelease } from '../released-version.ts';
import { faultsInTypes } from './manifest-types.ts';

const compose = await findCompose();
const helm = findHelm();
const chart = join(projectRoot, 'deploy', 'helm', 'trivium');

describe('docker compose', () => {
  const config = async (env: string) => {
    if ('missing' in compose) throw new Error(compose.missing);
    await using folder = await emptyFolder();
    const deploy = join(folder.path, 'deploy');
    await mkdir(deploy);
    await cp(join(projectRoot, 'deploy', 'compose.yaml'), join(deploy, 'compose.yaml'));
    await writeFile(join(deploy, '.env'), env);
    const { PATH, HOME } = process.env;
    // As the page about deployment says, from the folder of the project.
    return await runToEnd([...compose.command, '-f', 'deploy/compose.yaml', 'config'], {
      cwd: folder.path,
      env: { PATH, HOME },
    });
  };
  const secret = 'TRIVIUM_SECRET=0123456789012345678901234567890123456789\n';
  const missing = 'missing' in compose ? compose.missing : undefined;

  testWhere(missing)('accepts the file with the secrets in deploy/.env', async () => {
    const env = `POSTGRES_PASSWORD=abc\n${secret}EXA_API_KEY=exa\nPORT=9000\n`;
    const { code, out, err } = await config(env);
    expect([code, err]).toEqual([0, '']);
    const { services } = parse(out) as {
      services: { gateway: { environment: object; ports: object[] } };
    };
    expect(services.gateway).toMatchObject({
      environment: {
        DATABASE_URL: 'postgres://trivium:abc@store:5432/trivium',
        EXA_API_KEY: 'exa',
        PORT: '8787',
        TRIVIUM_SANDBOX: 'off',
      },
      ports: [{ host_ip: '127.0.0.1', target: 8787, published: '8787' }],
    });
  });

  testWhere(missing)('says where a missing secret belongs', async () => {
    const { code, err } = await config(secret);
    expect([code === 0, err]).toEqual([false, expect.stringContaining('deploy/.env')]);
  });
});

test('the chart has the version of the last release, and no other place names one', async () => {
  const { version, appVersion } = parse(await Bun.file(join(chart, 'Chart.yaml')).text()) as {
    version: string;
    appVersion: string;
  };
  expect([version, appVersion]).toEqual([lastRelease, lastRelease]);
});

describe('helm', () => {
  const missing = 'missing' in helm ? helm.missing : undefined;
  const run = (...args: string[]) => {
    if ('missing' in helm) throw new Error(helm.missing);
    return runToEnd([...helm.command, ...args], { env: process.env });
  };
  const template = (...values: string[]) =>
    run('template', 'here', chart, '--kube-version', '1.34.0', ...values);
  type Manifest = { kind: string; spec: { replicas?: number }; metadata: { name: string } };
  const read = async (...values: string[]) => {
    const { code, out, err } = await template(...values);
    expect([code, err]).toEqual([0, '']);
    return parseAllDocuments(out).map((one) => one.toJS() as Manifest);
  };
  const models = { Deployment, Service, PodDisruptionBudget, Secret, Ingress };
  /** As deploy/kubernetes.yaml is checked. */
  const check = async (manifests: readonly Manifest[]) => {
    for (const one of manifests) {
      const Model = models[one.kind as keyof typeof models] as new (tree: object) => {
        validate: () => void;
      };
      expect(() => new Model(one).validate()).not.toThrow();
    }
    expect(await faultsInTypes(manifests)).toBe('');
  };

  testWhere(missing)('lints the chart', async () => {
    expect(await run('lint', '--strict', chart)).toMatchObject({ code: 0 });
  });

  testWhere(missing)(
    'creates manifests that Kubernetes accepts, with the defaults and with every value',
    async () => {
      const plain = await read();
      expect(plain.map(({ kind }) => kind).sort()).toEqual([
        ...['Deployment', 'PodDisruptionBudget', 'Service'],
      ]);
      const text = JSON.stringify(plain);
      expect(text).toContain(`"image":"trivium:${lastRelease}"`);
      expect(text).toContain('{"name":"TRIVIUM_SANDBOX","value":"off"}');
      expect(text).toContain('{"secretRef":{"name":"trivium"}}');
      const full = await read(
        ...['--set', 'replicas=5', '--set', 'image.repository=registry.example/trivium'],
        ...['--set', 'secret.values.TRIVIUM_SECRET=01234567890123456789012345678901'],
        ...['--set', 'settings.TRIVIUM_FAILOVER=on', '--set', 'settings.TRIVIUM_MAX_REQUESTS=100'],
        ...['--set', 'ingress.enabled=true', '--set', 'ingress.tlsSecret=certificate'],
        ...['--set', 'ingress.className=nginx', '--set', 'disruptionBudget.minAvailable=3'],
        ...['--set', 'resources.limits.memory=1Gi', '--set', 'probes.readiness.periodSeconds=9'],
        ...['--set', 'nodeSelector.disk=fast', '--set', 'podAnnotations.team=search'],
      );
      expect(full.map(({ kind }) => kind).sort()).toEqual([
        ...['Deployment', 'Ingress', 'PodDisruptionBudget', 'Secret', 'Service'],
      ]);
      const all = JSON.stringify(full);
      expect(full.find(({ kind }) => kind === 'Deployment')?.spec.replicas).toBe(5);
      for (const part of [
        '"minAvailable":3',
        '"memory":"1Gi"',
        '"periodSeconds":9',
        '{"name":"TRIVIUM_MAX_REQUESTS","value":"100"}',
        '{"secretRef":{"name":"here-trivium"}}',
        '"image":"registry.example/trivium:',
      ]) {
        expect(all).toContain(part);
      }
      await check([...plain, ...full]);
      // One gateway can be stopped only as a whole.
      const one = await read('--set', 'replicas=1');
      expect(one.map(({ kind }) => kind)).not.toContain('PodDisruptionBudget');
    },
  );

  testWhere(missing)(
    'refuses a misspelt value, a missing secret and a setting of the chart',
    async () => {
      for (const [value, words] of [
        ['replcas=1', 'replcas'],
        ['replicas=two', 'replicas'],
        ['secret.existing=', 'Set secret.existing'],
        ['settings.TRIVIUM_SANDBOX=on', 'TRIVIUM_SANDBOX is set by the chart'],
      ] as const) {
        const { code, err } = await template('--set', value);
        expect([value, code, err]).toEqual([value, 1, expect.stringContaining(words)]);
      }
    },
  );
});
