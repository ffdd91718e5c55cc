// The jobs of the admin API on both engines: what a list says about recordings, how it is searched,
// and where a recording can be heard.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { JobList, JobRecording } from '@trivium/contract';
import type { JobLine } from '@trivium/contract';
import { waitFor } from '../../../e2e/wait-for.ts';
import { makeWav } from '../../../e2e/uploads/recordings.ts';
import { engines } from './engines.ts';
import { type GatewayOnSandbox, openGatewayOnSandbox } from './gateway-on-store.ts';

const bytes = makeWav(40_044);
const signed = 'https://recordings.example/interview.wav?X-Amz-Signature=s3cret';

describe.each(engines)('on $name', (engine) => {
  let on: GatewayOnSandbox;
  let other: { id: string; key: string };

  /** With a name in the header, or in a form. */
  const upload = async (
    headers: Record<string, string>,
    body: FormData | Uint8Array<ArrayBuffer>,
  ) => {
    const own = { authorization: `Bearer ${on.gateway.key}`, ...headers };
    const init = { method: 'POST', headers: own, body };
    const response = await fetch(`${on.gateway.url}/v1/uploads`, init);
    return (await response.json()) as { id: string; audio_url: string };
  };
  const named = (disposition: string) =>
    upload({ 'content-type': 'audio/wav', 'content-disposition': disposition }, bytes);
  const jobs = async (query = '') => {
    const response = await on.gateway.admin('GET', `/jobs?limit=500${query}`);
    return JobList.parse(await response.json()).jobs;
  };
  const transcribe = async (body: object, key = on.gateway.key) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await on.gateway.ask('POST', '/v1/transcriptions', { body, headers });
    expect(response.status).toBe(202);
    return ((await response.json()) as { id: string }).id;
  };
  const recordingOf = async (id: string, query = '') => {
    const response = await on.gateway.admin('GET', `/jobs/${id}/recording${query}`);
    return response.ok ? JobRecording.parse(await response.json()) : response.status;
  };

  const ids: Record<string, string> = {};
  beforeAll(async () => {
    on = await openGatewayOnSandbox(engine, { TRIVIUM_KEEP_RECORDING_HOURS: '1' });
    other = await on.gateway.newAccount({}, {}, 5);
    const form = new FormData();
    form.set('file', new Blob([bytes]), 'C:\\talks\\ÉTÉ 100%.wav');
    const byForm = await upload({}, form);
    const byHeader = await named("attachment; filename*=UTF-8''Caf%C3%A9%0A.wav");
    const quoted = await named('attachment; filename="plain_name.wav"');
    const wrong = await named("attachment; filename*=UTF-8''%E0%A4%A");
    ids['form'] = await transcribe({ audio_url: byForm.audio_url });
    ids['header'] = await transcribe({ audio_url: byHeader.audio_url, provider: 'stt_b' });
    ids['quoted'] = await transcribe({ audio_url: quoted.audio_url, provider: 'stt_c' });
    ids['unnamed'] = await transcribe({ audio_url: wrong.audio_url });
    ids['url'] = await transcribe({ audio_url: signed });
    ids['theirs'] = await transcribe({ audio_url: signed }, other.key);
    await waitFor(() => jobs(), {
      what: 'the jobs end',
      until: (all) => all.every(({ finished_at }) => finished_at !== null),
    });
  });
  afterAll(() => on[Symbol.asyncDispose]());

  const namesOf = (found: readonly JobLine[]) =>
    Object.keys(ids)
      .filter((name) => found.some(({ id }) => id === ids[name]))
      .join(' ');

  test('a line has the name and the length of its recording, and no signature', async () => {
    const all = await jobs();
    const facts = Object.values(ids).map((id) => {
      const { file_name, duration_seconds, audio_host } = all.find((job) => job.id === id) ?? {};
      return [file_name, (duration_seconds ?? 0) > 0, audio_host === 'recordings.example'];
    });
    expect(facts).toEqual([
      ['ÉTÉ 100%.wav', true, false],
      ['Café.wav', true, false],
      ['plain_name.wav', true, false],
      [null, true, false],
      ['interview.wav', true, true],
      ['interview.wav', true, true],
    ]);
    expect(JSON.stringify(all)).not.toContain('s3cret');
  });

  test.each([
    ['text=été', 'form'],
    ['text=CAFÉ', 'header'],
    ['text=100%25', 'form'],
    ['text=n_n', 'quoted'],
    ['text=RECORDINGS.example/inter', 'url theirs'],
    ['text=s3cret', ''],
    ['text=stt_', ''],
    ['provider=stt_c', 'quoted'],
    ['text=wav&provider=stt_b&status=completed', 'header'],
    ['text=wav&status=failed', ''],
    ['to=2020-01-01', ''],
    ['from=2020-01-01&text=plain', 'quoted'],
  ])('%s finds “%s”', async (query, expected) => {
    expect(namesOf(await jobs(`&${query}`))).toBe(expected);
  });

  test('a key and a moment select their jobs', async () => {
    const all = await jobs();
    const theirs = all.find(({ id }) => id === ids['theirs']);
    expect(namesOf(await jobs(`&key_id=${theirs?.key_id}`))).toBe('theirs');
    const at = theirs?.created_at ?? '';
    const [from, before] = [await jobs(`&from=${at}`), await jobs(`&to=${at}`)];
    expect(namesOf(from)).toBe(namesOf(all.filter(({ created_at }) => created_at >= at)));
    expect(namesOf(from)).toEndWith('theirs');
    expect(namesOf(before)).toBe(namesOf(all.filter(({ created_at }) => created_at < at)));
    const pages: JobLine[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const response = await on.gateway.admin('GET', `/jobs?limit=1&text=interview${after}`);
      const page = JobList.parse(await response.json());
      pages.push(...page.jobs);
      cursor = page.next_cursor;
    }
    expect(pages.map(({ id }) => id)).toEqual([ids['theirs'] ?? '', ids['url'] ?? '']);
  });

  test('an impossible filter is refused', async () => {
    const long = `text=${'x'.repeat(501)}`;
    for (const query of ['text=', 'text=%00', long, 'from=yesterday', 'text=a&text=b']) {
      const { status } = await on.gateway.admin('GET', `/jobs?${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
  });

  test('a kept recording is heard at a signed address, and a deleted one is not', async () => {
    const kept = await recordingOf(ids['form'] ?? '');
    if (typeof kept === 'number' || kept.audio_url === null) throw new Error('It is not kept.');
    const part = await fetch(kept.audio_url, { headers: { range: 'bytes=4-7' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 4]);
    const [, id] = /(upl_[0-9a-f]{32})/.exec(kept.audio_url) ?? [];
    await on.gateway.ask('DELETE', `/v1/uploads/${id}`);
    const gone = { audio_url: null, withheld: false };
    expect(await recordingOf(ids['form'] ?? '')).toEqual(gone);
    expect((await fetch(kept.audio_url)).status).toBe(404);
  });

  test('the address of the caller is returned as it was sent, to its own account', async () => {
    const own = await recordingOf(ids['url'] ?? '', '?account_id=acct_default');
    expect(own).toEqual({ audio_url: signed, withheld: false });
    expect(await recordingOf(ids['url'] ?? '', `?account_id=${other.id}`)).toBe(404);
    expect(await recordingOf('job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c42')).toBe(404);
    for (const wrong of ['constructor', '%00', 'job_x']) {
      expect(await recordingOf(wrong)).toBe(400);
    }
  });
});
