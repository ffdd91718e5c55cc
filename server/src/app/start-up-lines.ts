// The start-up output: addresses, mode, providers, store, new credentials and a first request. For
// `--open`: opens the set-up link, or the dashboard if a person has already used the link.
import { providerIds, providerNames, transcriberIds } from '@trivium/contract';
import { type Discovered, canCallBack } from '../transcription/index.ts';
import type { AppContext } from './context.ts';

interface StartUp {
  context: AppContext;
  url: string;
  store: string;
  sandbox: string | undefined;
  /** One line per additional listener. */
  listeners: readonly string[];
  newKey?: string;
  /** True if the new account has no money yet. */
  needsTopUp?: boolean;
  newOperatorToken: string | undefined;
  /** Set only while no person can sign in to the dashboard. */
  setUpToken: string | undefined;
  dashboardUrl: string;
  /** What was discovered about each speech vendor's callbacks. */
  vendorNotes: Discovered['messages'];
  /** A problem with the store that does not prevent its use. */
  storeWarning?: string | undefined;
  /** How many processes listen there. */
  processes: number;
}

export function startUpLines(start: StartUp): string {
  const { context, url, store, sandbox, listeners, newKey, newOperatorToken } = start;
  const { setUpToken, dashboardUrl } = start;
  const ready = providerIds.filter((id) => context.providers[id].state === 'configured');
  const named = ready.map((id) => `${id} (${providerNames[id]})`).join(', ');
  const mode = sandbox
    ? `sandbox, every vendor is simulated on ${sandbox}; set a vendor's credential to go live`
    : 'live';
  const lines = [
    `Trivium is listening on ${url}`,
    `  dashboard  ${dashboardUrl}/`,
    `  mode       ${mode}`,
    `  providers  ${named === '' ? 'none configured: set at least one credential' : named}`,
    `  store      ${store}`,
    ...(start.storeWarning === undefined ? [] : [`             ${start.storeWarning}`]),
    ...listeners.map((line) => `  ${line}`),
    ...(start.processes > 1 ? [`  processes  ${start.processes}`] : []),
  ];
  if (newKey === undefined && context.settings.bootstrap_key === undefined) {
    lines.push(
      '  API key    shown at the first start; create another in the dashboard, or with trivium keys create',
    );
  }
  if (setUpToken !== undefined) {
    // In the fragment, so that no server logs the token.
    lines.push(`  set up     ${dashboardUrl}/join#${setUpToken}`);
  }
  const speech = speechLine(context);
  if (speech !== undefined) lines.push(`  callbacks  ${speech}`);
  const { database, settings } = context;
  if (database.engine === 'postgres' && !settings.bucket) {
    lines.push('  uploads    on this disk; several gateways on one store need TRIVIUM_S3_URL');
  }
  for (const [id, note] of Object.entries(start.vendorNotes)) {
    lines.push(`             ${id}: ${note}`);
  }
  if (newOperatorToken !== undefined) {
    lines.push('', `Your operator token, shown only once: ${newOperatorToken}`);
  }
  if (start.needsTopUp === true) lines.push(...topUpLines(dashboardUrl, newOperatorToken));
  if (newKey !== undefined) lines.push(...firstKeyLines(url, newKey));
  return `${lines.join('\n')}\n`;
}

/** The store contains only their digests, so they must be shown even if the start fails later. */
export function unshownLines({
  newKey,
  newOperatorToken,
}: Pick<StartUp, 'newKey' | 'newOperatorToken'>): string {
  const lines = [
    ...(newOperatorToken === undefined ? [] : [`  operator token  ${newOperatorToken}`]),
    ...(newKey === undefined ? [] : [`  API key         ${newKey}`]),
  ];
  if (lines.length === 0) return '';
  const words = 'The gateway failed to start after it had created the store. Shown only once:';
  return `${words}\n${lines.join('\n')}\n`;
}

/** Says what a missing public URL means for each speech vendor. */
function speechLine(context: AppContext): string | undefined {
  const configured = transcriberIds.filter((id) => context.providers[id].state === 'configured');
  if (configured.length === 0) return undefined;
  const notes = configured.flatMap((id) => {
    const { transcribe } = context.providers[id].provider;
    if (!transcribe || canCallBack(context, transcribe)) return [];
    if (transcribe.callback.otherwise === 'polled') return [`${id} is polled`];
    const { extras, public_url } = context.settings;
    const missing = transcribe.callback.needs.filter((name) =>
      name === 'TRIVIUM_PUBLIC_URL' ? public_url === undefined : !(name in extras),
    );
    return [
      `${id} is called synchronously, and a running transcription is lost if this process ends` +
        ` (set ${missing.join(' and ')})`,
    ];
  });
  const { public_url } = context.settings;
  if (notes.length > 0) return notes.join('; ');
  return public_url === undefined ? 'from the sandbox' : `at ${public_url}/callbacks`;
}

/** A token from the settings is not printed, because the command reads it from the environment. */
function topUpLines(adminUrl: string, newOperatorToken: string | undefined): string[] {
  const token = newOperatorToken ?? '"$TRIVIUM_ADMIN_TOKEN"';
  return [
    '',
    'The account has no money yet, and live requests cost money. Top it up, here or in the',
    newOperatorToken === undefined
      ? 'dashboard; the operator token is the TRIVIUM_ADMIN_TOKEN that you set:'
      : 'dashboard; the command contains the operator token:',
    '',
    `TRIVIUM_URL=${adminUrl} TRIVIUM_ADMIN_TOKEN=${token} \\`,
    // The single executable comes without npx.
    `  ${Bun.isStandaloneExecutable ? process.execPath : 'npx trivium'} topup 10 --reason 'first top-up'`,
  ];
}

function firstKeyLines(url: string, key: string): string[] {
  const body = '{"query":"solar energy storage"}';
  return [
    '',
    `Your API key, shown only once: ${key}`,
    `export TRIVIUM_URL=${url} TRIVIUM_API_KEY=${key}`,
    'Try it:',
    '',
    `curl ${url}/v1/search \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${body}'`,
    '',
  ];
}

/** The set-up link in the start-up output. It is printed only until the first person exists. */
export function addressToOpen(lines: string): string | undefined {
  const found = /^ {2}set up {5}(\S+)$/m.exec(lines) ?? /^ {2}dashboard {2}(\S+)$/m.exec(lines);
  return found?.[1];
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Returns a message for the person if no browser can be opened. */
export function openBrowser(url: string): string | undefined {
  const [program = '', ...words] = openers[process.platform] ?? ['xdg-open'];
  const found = Bun.which(program);
  if (found === null)
    return `There is no ${program} to open a browser with. Open ${url} yourself.\n`;
  Bun.spawn([found, ...words, url], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  }).unref();
  return undefined;
}
