// What a start writes: the first account and keys, and in the audit log which settings changed since
// the latest start. For secrets the store keeps only a fingerprint, which shows that a secret changed
// but not its value.
import { createFirstToken, prepareAccounts } from '../accounts/index.ts';
import { type Fields, audit, bootstrap } from '../audit/index.ts';
import { keyedDigest } from '../platform/ids.ts';
import type { Settings, Upstream } from '../settings/index.ts';
import { is, type Database, facts, json, within } from '../store/index.ts';

/** Settings that may differ between gateways, or that the operator did not choose. */
const ofOneGateway: readonly (keyof Settings)[] = [
  ...(['port', 'host', 'admin_port', 'metrics_port', 'processes'] as const),
  ...(['configured_dir', 'data_dir', 'database_url', 'prices'] as const),
  ...(['log_level', 'otel_exporter_otlp_endpoint', 'otel_service_name', 'drain_ms'] as const),
];

const secrets: readonly string[] = [
  ...(['admin_token', 'bootstrap_key', 'secret', 'extras'] as const),
  ...(['bucket', 'shadow'] as const),
] satisfies readonly (keyof Settings)[];

/** The settings of the latest start. */
const fact = 'settings';

export async function auditSettings(
  database: Database,
  settings: Settings,
  secret: string,
  at: number,
): Promise<void> {
  const after = auditedSettings(settings, (text) => keyedDigest(secret, text).slice(0, 8));
  const text = JSON.stringify(after);
  await database.transaction(async (tx) => {
    await facts.insert(tx, fact, '');
    // Locked, so that gateways that start together record a change only once.
    const stored = (await facts.find(tx, fact, tx.lock('for update'))) ?? '';
    if (stored === text) return;
    await facts.put(tx, fact, text);
    const before =
      stored === ''
        ? {}
        : withoutSecrets(json(is.shape<Fields>({})).read(stored, () => 'The settings'));
    const change = { action: 'settings.changed', account_id: null, target: 'settings' } as const;
    await audit(tx, bootstrap, { ...change, ...(stored === '' ? {} : { before }), after }, at);
  });
}

/** Older versions stored some secrets as they were. */
function withoutSecrets(stored: Fields): Fields {
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => {
      const isPlain = secrets.includes(name) && typeof value === 'object' && value !== null;
      return [name, isPlain ? '[hidden]' : value];
    }),
  );
}

function auditedSettings(settings: Settings, fingerprint: (text: string) => string): Fields {
  const {
    upstreams,
    single_sign_on,
    trusted_proxies: _proxies,
    displayed: _same,
    ...plain
  } = settings;
  const named = Object.entries(plain).flatMap(([name, value]) => {
    if (value === undefined || ofOneGateway.includes(name as keyof Settings)) return [];
    const isSecret = secrets.includes(name);
    if (isSecret) return [[name, fingerprint(JSON.stringify(value))]];
    return [[name, value instanceof Set ? [...value] : value]];
  });
  const providers = Object.entries(upstreams).map(([id, upstream]) => [
    `provider.${id}`,
    showUpstream(upstream, fingerprint),
  ]);
  return {
    ...Object.fromEntries(named),
    ...Object.fromEntries(providers),
    single_sign_on: single_sign_on
      ? { issuer: single_sign_on.discoveryUrl, client: fingerprint(JSON.stringify(single_sign_on)) }
      : null,
  };
}

function showUpstream(
  { key, spare_keys = [], hosts }: Upstream,
  fingerprint: (text: string) => string,
): Fields {
  const credentials = key === undefined ? [] : [key, ...spare_keys];
  return {
    hosts: Object.values(hosts).map(withoutUser),
    fingerprints: credentials.map(fingerprint),
  };
}

/** An address may contain a password. */
function withoutUser(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

export type FirstRows = Awaited<ReturnType<typeof prepareRows>>;

/**
 * Writes what the settings and a first start need into the store, in one transaction, so that a
 * failed start leaves behind no key or token that was never shown.
 */
export async function prepareRows(
  database: Database,
  settings: Settings,
  secret: string,
  now: Date,
) {
  const { bootstrap_key: bootstrapKey, bootstrap_balance_usd: balanceUsd, mode } = settings;
  return database.transaction(async (tx) => {
    const joined = within(database, tx);
    const first = await prepareAccounts(joined, bootstrapKey, now, balanceUsd, mode);
    await auditSettings(joined, settings, secret, now.getTime());
    const isConfigured = settings.admin_token !== undefined;
    return {
      ...first,
      newOperatorToken: isConfigured ? undefined : await createFirstToken(joined, now),
    };
  });
}
