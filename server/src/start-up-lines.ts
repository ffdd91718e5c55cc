// What a start prints: where it listens, who it can ask, where it keeps things, and how to try it.
import { provider_ids, transcriber_ids } from '@trivium/contract';
import type { Discovered } from './services/discover-particulars.ts';
import type { House } from './services/house.ts';
import { canCallBack } from './services/job-desk.ts';

export interface StartUp {
  house: House;
  url: string;
  store: string;
  sandbox: string | undefined;
  /** Further doors, a line for each. */
  doors: readonly string[];
  new_key?: string;
  new_operator_token: string | undefined;
  /** Only while nobody can sign in to the dashboard. */
  set_up_token: string | undefined;
  /** Where the dashboard is. */
  dashboard_url: string;
  /** What speech vendors said about calling back. */
  told: Discovered['told'];
}

export function startUpLines(start: StartUp): string {
  const { house, url, store, sandbox, doors, new_key, new_operator_token } = start;
  const { set_up_token, dashboard_url } = start;
  const ready = provider_ids.filter((id) => house.stations[id].state === 'configured');
  const named = ready.map((id) => `${id} (${house.stations[id].provider.name})`).join(', ');
  const mode = sandbox
    ? `sandbox, every vendor is played on ${sandbox}; set a vendor's credential to go live`
    : 'live';
  const lines = [
    `Trivium is listening on ${url}`,
    `  dashboard  ${dashboard_url}/`,
    `  mode       ${mode}`,
    `  providers  ${named === '' ? 'none configured: set at least one credential' : named}`,
    `  store      ${store}`,
    ...doors.map((line) => `  ${line}`),
  ];
  if (set_up_token !== undefined) {
    // After the hash, so that the token reaches no server log.
    lines.push(`  set up     ${dashboard_url}/join#${set_up_token}`);
  }
  const speech = speechLine(house);
  if (speech !== undefined) lines.push(`  callbacks  ${speech}`);
  for (const [id, says] of Object.entries(start.told)) lines.push(`             ${id}: ${says}`);
  if (new_operator_token !== undefined) {
    lines.push('', `Your operator token, shown this once: ${new_operator_token}`);
  }
  if (new_key !== undefined) lines.push(...firstKeyLines(url, new_key));
  return `${lines.join('\n')}\n`;
}

/** What the lack of a public address costs, so that nobody learns it from a lost transcript. */
function speechLine(house: House): string | undefined {
  const configured = transcriber_ids.filter((id) => house.stations[id].state === 'configured');
  if (configured.length === 0) return undefined;
  const told = configured.flatMap((id) => {
    const { transcribe } = house.stations[id].provider;
    if (!transcribe || canCallBack(house, transcribe)) return [];
    if (transcribe.callback.otherwise === 'polled') return [`${id} is polled`];
    const { extras, public_url } = house.settings;
    const missing = transcribe.callback.needs.filter((name) =>
      name === 'TRIVIUM_PUBLIC_URL' ? public_url === undefined : !(name in extras),
    );
    return [
      `${id} is asked synchronously, and a transcript under way is lost if this process ends` +
        ` (set ${missing.join(' and ')})`,
    ];
  });
  return told.length === 0 ? `at ${house.settings.public_url}/callbacks` : told.join('; ');
}

function firstKeyLines(url: string, key: string): string[] {
  const body = '{"query":"solar energy storage"}';
  return [
    '',
    `Your API key, shown this once: ${key}`,
    'Try it:',
    '',
    `curl ${url}/v1/search \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${body}'`,
    '',
  ];
}
