// The files under deploy/: they parse, name existing files, and follow the security rules.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { lastRelease } from '../released-version.ts';
import { faultsInTypes } from './manifest-types.ts';

const root = join(import.meta.dir, '..', '..');
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');

type Tree = { [name: string]: Tree } & Tree[];

describe('the image', () => {
  const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const instructions = lines.flatMap((line) => {
    const [, word, rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return word === undefined ? [] : [{ word, rest }];
  });
  const lastStage = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'));
  const given = (word: string) => lastStage.filter((one) => one.word === word);

  test('passes a Dockerfile linter', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
    expect(validate('FROM a\nFOO b\n').map(({ message }) => message)).not.toEqual([]);
  });

  test('runs without root and is checked for health by the executable itself', () => {
    expect(given('USER').at(-1)?.rest).toBe('1000:1000');
    expect(given('HEALTHCHECK')[0]?.rest).toContain('["/usr/local/bin/trivium", "health"]');
  });

  test('contains only build output, so no secret and no store', () => {
    expect(given('FROM').map(({ rest }) => rest)).toEqual(['scratch']);
    const sources = given('COPY').map(({ rest }) => rest.replace(/--\S+ /g, '').split(' ')[0]);
    expect(sources).toEqual(['root', 'data']);
  });
});

test('every file names the image of the last release', () => {
  const image = `trivium:${lastRelease}`;
  for (const name of ['Dockerfile', 'compose.yaml', 'kubernetes.yaml']) {
    const named = [...read(name).matchAll(/\btrivium:[\d.]+/g)].map(([found]) => found);
    expect([name, named]).toEqual([name, [image]]);
  }
});

describe('the compose file', () => {
  const { services, volumes } = parse(read('compose.yaml')) as Tree;

  test('builds the image and waits for a healthy PostgreSQL', () => {
    const gateway = services?.['gateway'];
    expect(String(gateway?.['build']?.['context'])).toBe('../dist/image');
    expect(gateway?.['depends_on']).toEqual({
      store: { condition: 'service_healthy' },
    } as unknown as Tree);
    expect(services?.['store']?.['healthcheck']).toBeDefined();
  });

  test('exposes the gateway on localhost only and has a volume for persistent data', () => {
    expect(services?.['gateway']?.['ports']).toEqual(['127.0.0.1:8787:8787'] as unknown as Tree);
    expect(Object.keys(volumes ?? {})).toEqual(['data', 'store']);
  });

  test('refuses to start without its secrets', () => {
    const environmentOf = (name: string) => services?.[name]?.['environment'] ?? {};
    const required = (name: string) => `\${${name}:?set it in deploy/.env}`;
    expect(environmentOf('gateway')).toMatchObject({
      TRIVIUM_SECRET: required('TRIVIUM_SECRET'),
      DATABASE_URL: expect.stringContaining(`:${required('POSTGRES_PASSWORD')}@store:`),
    });
    expect(environmentOf('store')).toMatchObject({
      POSTGRES_PASSWORD: required('POSTGRES_PASSWORD'),
    });
  });
});

describe('the Kubernetes manifests', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml'));
  const kinds = new Map(
    documents.map((one) => {
      const tree = one.toJS() as Tree;
      return [String(tree['kind']), tree] as const;
    }),
  );
  const pod = kinds.get('Deployment')?.['spec']?.['template'];

  test('match the schemas of Kubernetes', () => {
    const models = { Deployment, Service, PodDisruptionBudget };
    for (const [kind, Model] of Object.entries(models)) {
      const tree = kinds.get(kind) as unknown as ConstructorParameters<typeof Deployment>[0];
      expect(() => new Model(tree as object).validate()).not.toThrow();
    }
    const odd = { ...kinds.get('Deployment'), spec: { replicas: 'two' } };
    expect(() => new Deployment(odd as object).validate()).toThrow();
  });

  test('have no field that Kubernetes does not know', async () => {
    // A misspelt field is included to prove that the check detects it.
    const misspelt = { ...kinds.get('Service'), spec: { prots: [] } };
    const faults = await faultsInTypes([...kinds.values(), misspelt]);
    expect(faults.trim().split('\n')).toEqual([expect.stringContaining('"prots"')]);
  });

  test('are three valid documents', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect([...kinds.keys()]).toEqual(['Deployment', 'Service', 'PodDisruptionBudget']);
  });

  test('limit every temporary folder', () => {
    const kept = pod?.['spec']?.['volumes'] as unknown as { emptyDir?: { sizeLimit?: string } }[];
    expect(kept.map(({ emptyDir }) => emptyDir?.sizeLimit)).toEqual(['2Gi', '256Mi']);
    const { services } = parse(read('compose.yaml')) as Tree;
    expect(services?.['gateway']?.['tmpfs']).toEqual(['/tmp:size=256m'] as unknown as Tree);
  });

  test('serve the metrics on a port that the service does not expose', () => {
    const annotations = pod?.['metadata']?.['annotations'] as unknown as Record<string, string>;
    const at = annotations['prometheus.io/port'];
    const [container] = pod?.['spec']?.['containers'] as unknown as {
      ports: { containerPort: number }[];
      env: { name: string; value: string }[];
    }[];
    expect(container?.env).toContainEqual({ name: 'TRIVIUM_METRICS_PORT', value: at ?? '' });
    expect(container?.ports.map(({ containerPort }) => String(containerPort))).toContain(at ?? '');
    expect(JSON.stringify(kinds.get('Service'))).not.toContain(at ?? '');
  });

  test('select the pods that they create', () => {
    const labels = pod?.['metadata']?.['labels'];
    expect(labels).toBeDefined();
    expect(kinds.get('Deployment')?.['spec']?.['selector']?.['matchLabels']).toEqual(labels);
    expect(kinds.get('Service')?.['spec']?.['selector']).toEqual(labels);
  });

  test('run without root on a read-only disk, with liveness and readiness probes', () => {
    const container = pod?.['spec']?.['containers']?.[0];
    expect(pod?.['spec']?.['securityContext']).toMatchObject({ runAsNonRoot: true });
    expect(container?.['securityContext']).toMatchObject({ readOnlyRootFilesystem: true });
    expect(container?.['livenessProbe']?.['httpGet']).toMatchObject({ path: '/healthz' });
    expect(container?.['readinessProbe']?.['httpGet']).toMatchObject({ path: '/readyz' });
  });
});
