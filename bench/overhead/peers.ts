// The peers: a direct connection, Trivium on both stores, and the peers that are available.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBundler } from '../../scripts/build/bundle.ts';
import { bunSettings } from '../../scripts/bun-settings.mjs';
import { startProgram } from './program.ts';
import type { Program } from './program.ts';

export interface Peer {
  name: string;
  program: Program;
  request: string;
  version?: string;
  /** Throws when the books of a gateway are wrong. */
  audit?: () => Promise<void>;
  remove: () => Promise<void>;
}

const key = `sk_live_${'b'.repeat(43)}`;
/** The variables that `npm start` sets for Bun; this process was started in the same way. */
const asStarted = Object.fromEntries(
  Object.keys(bunSettings).flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
const root = join(import.meta.dir, '..', '..');
const npmLimitMs = 300_000;

export async function startTrivium(
  upstream: string,
  databaseUrl: string | undefined,
  env: Readonly<Record<string, string>> = {},
  program: readonly string[] = [join(root, 'server/src/main.ts')],
): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-'));
  const settings = {
    PORT: '0',
    TRIVIUM_DATA_DIR: folder,
    TRIVIUM_SANDBOX: 'off',
    TRIVIUM_BOOTSTRAP_KEY: key,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000000',
    EXA_API_KEY: 'bench',
    EXA_BASE_URL: upstream,
    ...asStarted,
    ...(databaseUrl === undefined
      ? {}
      : { DATABASE_URL: databaseUrl, TRIVIUM_SECRET: 'b'.repeat(32) }),
    ...env,
  };
  const started = await startProgram({
    command: [process.execPath, '--no-env-file', ...program],
    env: settings,
  });
  return {
    name: databaseUrl === undefined ? 'Trivium, SQLite' : 'Trivium, PostgreSQL',
    program: started,
    request: searchRequest(key),
    audit: () => auditBooks(settings),
    remove: async () => {
      await started.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The program as it is released, in a folder; the sources cost a little more time and memory. */
export async function buildTrivium(): Promise<{ program: string[]; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-built-'));
  await (await makeBundler()).toFolder(folder);
  return {
    program: [join(folder, 'program.js'), '__program', 'serve'],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The books must be right, however fast the requests were. */
async function auditBooks(settings: Readonly<Record<string, string>>): Promise<void> {
  const command = join(root, 'server/src/app/commands/audit.ts');
  const audit = Bun.spawn([process.execPath, '--no-env-file', command], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const report = await new Response(audit.stdout).text();
  process.stdout.write(report);
  if ((await audit.exited) !== 0) throw new Error('the audit found the books wrong');
}

export function searchRequest(withKey: string): string {
  const body = { query: 'solar energy storage', provider: 'engine_a' };
  return post('/v1/search', { authorization: `Bearer ${withKey}` }, body);
}

/** The request of the provider's own API, sent directly or through a proxy. */
export function bareRequest(): string {
  return post('/search', { 'x-api-key': 'bench' }, { query: 'solar energy storage' });
}

const completionBody = {
  model: 'static',
  messages: [{ role: 'user', content: 'solar energy storage' }],
};

/** Its chat completion route is the most similar: validate, forward, map, respond. */
export async function startPortkey(upstream: string): Promise<Peer> {
  const folder = join(tmpdir(), 'trivium-bench-portkey');
  const entry = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(entry)) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '@portkey-ai/gateway'];
    const done = spawnSync('npm', args, { encoding: 'utf8', timeout: npmLimitMs });
    if (!existsSync(entry)) throw new Error(`npm cannot install it: ${done.stderr.slice(-300)}`);
  }
  const port = freePort();
  const program = await startProgram({
    command: ['node', entry, `--port=${port}`, '--headless'],
    env: { NODE_ENV: 'production' },
    url: `http://127.0.0.1:${port}`,
  });
  const headers = {
    authorization: 'Bearer bench',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${upstream}/v1`,
  };
  const request = post('/v1/chat/completions', headers, completionBody);
  const described = readFileSync(join(entry, '../../package.json'), 'utf8');
  const { version } = JSON.parse(described) as { version: string };
  return { name: 'Portkey gateway', program, request, version, remove: () => program.end() };
}

/** A gateway in Go with prices and usage, if the program is on the PATH: no registry has it. */
export async function startGoModel(upstream: string): Promise<Peer> {
  if (!Bun.which('gomodel')) throw new Error('there is no program `gomodel` on the PATH');
  const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-gomodel-'));
  const port = freePort();
  const program = await startProgram({
    command: ['gomodel'],
    env: {
      ...{ PORT: String(port), LOG_LEVEL: 'error', GOMODEL_MASTER_KEY: 'bench' },
      ...{ OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${upstream}/v1`, OPENAI_MODELS: 'static' },
      ...{ CONFIGURED_PROVIDER_MODELS_MODE: 'allowlist', MODEL_LIST_URL: `${upstream}/prices` },
      ...{ STORAGE_TYPE: 'sqlite', SQLITE_PATH: join(folder, 'usage.db'), USAGE_ENABLED: 'true' },
      GOMODEL_CACHE_DIR: folder,
    },
    url: `http://127.0.0.1:${port}`,
  });
  const headers = { authorization: 'Bearer bench' };
  const described = spawnSync('gomodel', ['-version'], { encoding: 'utf8' }).stdout;
  return {
    name: 'GoModel',
    program,
    request: post('/v1/chat/completions', headers, completionBody),
    version: described.split(' ')[1] ?? '',
    remove: async () => {
      await program.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const liteLlmKey = 'sk-bench';
const claude = 'claude-sonnet-4-5';

/**
 * The release on PyPI, in a separate folder. Its search route has the same upstream. Only its route
 * for messages can run in Rust, so that route is measured in both languages.
 */
export async function startLiteLlm(
  upstream: string,
  route: 'search' | 'messages' | 'messages in Rust',
): Promise<Peer> {
  const folder = join(tmpdir(), 'trivium-bench-litellm');
  const entry = join(folder, 'bin', 'litellm');
  if (!existsSync(entry)) {
    const made = spawnSync('python3', ['-m', 'venv', folder], { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`python3 cannot create an environment: ${made.stderr}`);
    const args = ['install', '--quiet', '--only-binary=:all:', 'litellm[proxy]'];
    const done = spawnSync(join(folder, 'bin', 'pip'), args, {
      encoding: 'utf8',
      timeout: npmLimitMs,
    });
    if (!existsSync(entry)) throw new Error(`pip cannot install it: ${done.stderr.slice(-300)}`);
  }
  const file = join(folder, 'config.json');
  const tool = { search_provider: 'exa_ai', api_key: 'bench', api_base: upstream };
  const config = {
    model_list: [
      {
        model_name: claude,
        litellm_params: { model: `anthropic/${claude}`, api_key: 'bench', api_base: upstream },
      },
    ],
    search_tools: [{ search_tool_name: 'exa', litellm_params: tool }],
    litellm_settings: { telemetry: false },
    general_settings: { master_key: liteLlmKey },
  };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config));
  const port = freePort();
  const program = await startProgram({
    command: [entry, '--config', file, '--host', '127.0.0.1', '--port', String(port)],
    env: {
      ...{ LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_LOG: 'ERROR' },
      LITELLM_RUST: String(route === 'messages in Rust'),
    },
    url: `http://127.0.0.1:${port}`,
  });
  const headers = { authorization: `Bearer ${liteLlmKey}` };
  const body = { ...completionBody, model: claude, max_tokens: 300 };
  const request =
    route === 'search'
      ? post('/v1/search/exa', headers, { query: 'solar energy storage' })
      : post('/v1/messages', headers, body);
  if (route === 'messages in Rust') await expectRust(program, headers, body);
  const script = 'from importlib.metadata import version; print(version("litellm"))';
  const version = spawnSync(join(folder, 'bin/python'), ['-c', script], {
    encoding: 'utf8',
  }).stdout.trim();
  return { name: 'LiteLLM proxy', program, request, version, remove: () => program.end() };
}

/** LiteLLM falls back to Python without a word, but says in a header what has run in Rust. */
async function expectRust(program: Program, headers: Record<string, string>, body: object) {
  const answer = await fetch(`${program.url}/v1/messages`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
    body: JSON.stringify(body),
  });
  if (answer.headers.has('x-litellm-rust')) return;
  await program.end();
  throw new Error('it does not run this route in Rust');
}

export async function startNginx(upstream: string): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-nginx-'));
  const port = freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, nginxConfiguration(folder, port, new URL(upstream).host));
  const url = `http://127.0.0.1:${port}`;
  const program = await startProgram({ command: ['nginx', '-c', file, '-p', folder], url });
  return {
    name: 'nginx, bare proxy',
    program,
    request: bareRequest(),
    remove: async () => {
      await program.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startProxy(upstream: string): Promise<Peer> {
  const file = join(import.meta.dir, 'proxy.ts');
  const program = await startProgram({
    command: [process.execPath, '--no-env-file', file, upstream],
    env: asStarted,
  });
  const request = bareRequest();
  return { name: 'Bun, bare proxy', program, request, remove: () => program.end() };
}

function nginxConfiguration(folder: string, port: number, upstream: string): string {
  return `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
events { worker_connections 4096; }
http {
  access_log off;
  upstream static { server ${upstream}; keepalive 512; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000000;
    location / {
      proxy_pass http://static; proxy_http_version 1.1; proxy_set_header connection "";
    }
  }
}
`;
}

export function post(path: string, headers: Record<string, string>, body: object): string {
  const text = JSON.stringify(body);
  const all = {
    host: 'bench',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`;
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
}
