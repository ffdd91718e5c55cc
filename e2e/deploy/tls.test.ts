// The configurations of docs/tls.md work: the real proxies accept them, and requests, event streams
// and uploads pass through them to a gateway. Reported as left out where a proxy is missing.
import { afterAll, describe, expect } from 'bun:test';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/command.ts';
import { certificate, certificateKey } from '@trivium/sandbox/certificate';
import { freePort } from '../free-port.ts';
import { sharedGateway } from '../harness.ts';
import { missingProgram, testWhere } from '../leave-out.ts';
import { emptyFolder } from '../empty-folder.ts';
import { runToEnd } from '../run-to-end.ts';
import { waitFor } from '../wait-for.ts';
import { findCaddy } from './deploy-tools.ts';

/** The name in the certificate of the tests. */
const name = 'site.test';
const adminToken = 'operator-token-of-the-proxy-tests-32';
const page = readFileSync(join(projectRoot, 'docs', 'tls.md'), 'utf8');
const blockAfter = (heading: string) =>
  /```console\n([^]*?)```/.exec(page.split(`## ${heading}\n`)[1] ?? '')?.[1] ?? '';
const gateway = sharedGateway({
  env: { TRIVIUM_ADMIN_TOKEN: adminToken, TRIVIUM_TRUSTED_PROXIES: '127.0.0.1' },
});
const folder = await emptyFolder();
// The workers of nginx run as another user, if it is started by root.
chmodSync(folder.path, 0o755);
afterAll(() => folder[Symbol.asyncDispose]());
const [pem, key] = [join(folder.path, 'site.pem'), join(folder.path, 'site.key')];
writeFileSync(pem, certificate);
writeFileSync(key, certificateKey);

const caddy = findCaddy();
const proxies = [
  {
    proxy: 'nginx',
    missing: missingProgram('nginx'),
    command: (config: string) => ['nginx', '-p', folder.path, '-e', 'stderr', '-c', config],
    check: ['-t'],
    configure: (port: number, upstream: string) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder.path}/${kind};`,
      );
      const server = filled(blockAfter('nginx'), {
        'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
        '/etc/ssl/trivium.pem': pem,
        '/etc/ssl/trivium.key': key,
        'trivium.example': name,
        'http://127.0.0.1:8787': upstream,
      });
      return `daemon off;\npid ${folder.path}/nginx.pid;\nevents {}
http {\naccess_log off;\n${temporary.join('\n')}\n${server}}\n`;
    },
  },
  {
    proxy: 'Caddy',
    missing: 'missing' in caddy ? caddy.missing : undefined,
    command: (config: string) => [
      ...('missing' in caddy ? [] : caddy.command),
      ...['run', '--adapter', 'caddyfile', '--config', config],
    ],
    check: undefined,
    configure: (port: number, upstream: string) => {
      const site = filled(blockAfter('Caddy'), {
        'trivium.example {': `https://${name}:${port} {\n  tls ${pem} ${key}`,
        '127.0.0.1:8787': new URL(upstream).host,
      });
      return `{\n  admin off\n  persist_config off\n  auto_https off\n}\n${site}`;
    },
  },
];

describe.each(proxies)('$proxy', ({ proxy, missing, command, check, configure }) => {
  testWhere(missing)(
    `${proxy} passes on requests, events as they happen, uploads and addresses`,
    async () => {
      const port = freePort();
      const config = join(folder.path, `${proxy}.conf`);
      writeFileSync(config, configure(port, gateway().url));
      const env = { PATH: process.env['PATH'] ?? '', HOME: folder.path };
      if (check) {
        expect(await runToEnd([...command(config), ...check], { env })).toMatchObject({ code: 0 });
      }
      const running = Bun.spawn(command(config), {
        ...{ env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
      });
      try {
        const site = `https://${name}:${port}`;
        const curl = (path: string, ...rest: string[]) => [
          ...['curl', '-sS', '--cacert', pem, '--resolve', `${name}:${port}:127.0.0.1`],
          ...['--interface', '127.0.0.2', ...rest, site + path],
        ];
        const ask = async (...words: Parameters<typeof curl>) =>
          (await runToEnd(curl(...words), { env })).out;
        const json = ['-H', 'content-type: application/json', '-d'];
        const own = ['-H', `authorization: Bearer ${gateway().key}`];
        const operator = ['-H', `authorization: Bearer ${adminToken}`];
        await waitFor(() => ask('/healthz'), {
          what: `${proxy} listens`,
          until: (text) => text.includes('version'),
        });
        expect(await ask('/v1/search', ...own, ...json, '{"query":"solar"}')).toContain('engine_a');
        // The gateway sees the address of the client, not that of the proxy.
        await ask('/admin/v1/accounts', ...operator, ...json, '{"name":"Seen"}');
        const entries = await ask('/admin/v1/audit?action=account.created', ...operator);
        expect(entries).toContain('"127.0.0.2"');
        expect(await firstEvent(curl('/mcp', ...own, ...streamed, ...json, toolCall), env)).toMatch(
          /notifications\/progress(?![^]*"result")/,
        );
        const recording = join(folder.path, 'talk.wav');
        writeFileSync(recording, silence());
        const upload = ['-H', 'content-type: audio/wav', '--data-binary', `@${recording}`];
        expect(await ask('/v1/uploads', ...own, ...upload)).toContain('"audio_url"');
      } finally {
        running.kill('SIGTERM');
        await running.exited;
      }
    },
  );
});

function filled(text: string, values: Readonly<Record<string, string>>): string {
  expect(Object.keys(values).filter((value) => !text.includes(value))).toEqual([]);
  return Object.entries(values).reduce((now, [from, to]) => now.replaceAll(from, to), text);
}

/** A tool call that reports its progress before its result. */
const toolCall = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'transcribe',
    arguments: { audio_url: 'https://recordings.example/interview.wav' },
    _meta: { progressToken: 'one' },
  },
});
const streamed = ['-N', '-H', 'accept: application/json, text/event-stream'];

/** What has arrived when the first event is complete. */
async function firstEvent(command: string[], env: Record<string, string>): Promise<string> {
  const child = Bun.spawn(command, { env, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' });
  let text = '';
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('\n\n')) break;
  }
  child.kill();
  await child.exited;
  return text;
}

/** More than other requests may have, and than one buffer of a proxy. */
function silence(): Buffer {
  const wav = Buffer.alloc(3 * 1024 * 1024);
  wav.write('RIFF');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  return wav;
}
