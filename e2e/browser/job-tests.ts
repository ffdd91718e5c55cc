// The jobs of an account: found by the name of a file, with the reason of a failure in the row, and
// heard beside their transcripts, without telling the other host anything.
import { expect } from 'bun:test';
import type { Job, NewInvite } from '@trivium/contract';
import type { Page, Request } from 'playwright-core';
import type { Gateway } from '../harness.ts';
import { hasEnded, submitJob, waitForJob } from '../jobs.ts';
import { upload } from '../uploads/recordings.ts';
import type { Fixture } from './fixture.ts';
import { ada, signIn } from './operator-api.ts';
import type { Operator } from './operator-api.ts';
import { pausePlayer, seekedTo, silence, watchPlayer } from './player-page.ts';
import { browserTest as test, phone } from './visit.ts';
import type { Visit } from './visit.ts';

const signed = 'https://recordings.example/interview.wav?X-Amz-Signature=s3cret';

export function jobTests(fixture: Fixture, program: () => Operator): void {
  listTest(fixture);
  uploadTest(fixture);
  addressTest(fixture, program);
}

function listTest({ gateway, operator }: Fixture): void {
  test('jobs are found by the name of their file, and a failed one says why in its row', async () => {
    await jobOf(gateway(), { audio_url: await uploadNamed(gateway(), 'Board meeting.wav') });
    await jobOf(gateway(), { audio_url: signed, provider: 'stt_b' });
    const audio = 'https://recordings.example/interview.wav';
    const unknownModel = { provider_options: { stt_b: { model: 'nova-2-medical' } } };
    await jobOf(gateway(), {
      audio_url: audio,
      provider: 'stt_b',
      language: 'de',
      ...unknownModel,
    });
    await using seen = await operator();
    const { page } = seen;
    await page.goto(`${gateway().url}/jobs`);
    const board = page.getByRole('row', { name: 'Board meeting.wav' });
    await board.getByText(/^\d+:\d\d$/).waitFor();
    expect(await board.textContent()).toMatch(/completed\d+:\d\d.*AssemblyAI.*\$0\.0\d+/);
    await page.getByRole('row', { name: 'No such model/language' }).getByText('failed').waitFor();
    expect(await page.locator('main').innerHTML()).not.toContain('s3cret');
    const search = page.getByLabel('Search jobs');
    await search.fill('BOARD');
    await search.press('Enter');
    await page.getByRole('row', { name: 'interview.wav' }).first().waitFor({ state: 'detached' });
    await board.waitFor();
    await search.fill('s3cret');
    await search.press('Enter');
    await page.getByText('No job matches these filters.').waitFor();
    await page.goto(`${gateway().url}/jobs?status=failed&provider=stt_b&range=1h`);
    await page.getByRole('row', { name: 'No such model/language' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await seen.inspect()).toEqual([]);
    await page.setViewportSize(phone);
    await page.waitForFunction(() => document.body.scrollWidth <= window.innerWidth);
    // One click shows the whole reason.
    await page.getByRole('button', { name: /^Open job_/ }).click();
    const panel = page.getByRole('complementary', { name: 'Job' });
    await panel.getByText('No such model/language/tier combination found').waitFor();
    expect(seen.complaints).toEqual([]);
  });
}

function uploadTest({ gateway, operator }: Fixture): void {
  test('a kept upload plays beside its transcript, and a deleted one is not offered', async () => {
    const audioUrl = await uploadNamed(gateway(), 'kept.wav');
    const { id, result } = await jobOf(gateway(), { audio_url: audioUrl });
    const words = result?.words ?? [];
    await using seen = await operator();
    const { page } = seen;
    await page.goto(`${gateway().url}/jobs?job=${id}`);
    await page.locator('audio').waitFor();
    expect(await page.locator('audio').getAttribute('src')).toMatch(/^\/files\/upl_/);
    await page.evaluate(watchPlayer);
    await word(page, 5).click();
    expect(await seekedTo(page)).toBeCloseTo(words[5]?.start ?? -1, 2);
    await page.waitForFunction(() => {
      const marked = [...document.querySelectorAll<HTMLElement>('.word[aria-current]')];
      return marked.length === 1 && Number(marked[0]?.dataset['at']) > 5;
    });
    const played = await page.evaluate(pausePlayer);
    expect(words[played.at]?.start).toBeLessThanOrEqual(played.time + 0.01);
    expect(await seen.inspect()).toEqual([]);
    expect(seen.complaints).toEqual([]);
    const [, kept] = /(upl_[0-9a-f]{32})/.exec(audioUrl) ?? [];
    await gateway().ask('DELETE', `/v1/uploads/${kept}`);
    await page.reload();
    await page.getByText('The recording is no longer kept.').waitFor();
    await page.getByRole('button', { name: 'Play a file' }).waitFor();
    expect(await page.locator('audio').count()).toBe(0);
    expect(seen.complaints).toEqual([]);
  });
}

function addressTest({ gateway, operator, anonymous }: Fixture, program: () => Operator): void {
  test('another host is asked when a person presses play, and learns nothing; viewers get no signed address', async () => {
    const { id } = await jobOf(gateway(), { audio_url: signed });
    await using seen = await operator();
    const { page } = seen;
    const asked = await answerAt(page);
    await page.goto(`${gateway().url}/jobs?job=${id}`);
    await page.locator('audio').waitFor();
    await page.locator('.words').waitFor();
    expect(asked).toEqual([]);
    await word(page, 3).click();
    await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) > 0);
    expect(asked.length).toBeGreaterThan(0);
    for (const request of asked) {
      expect(request.url()).toBe(signed);
      const { referer, cookie, authorization, origin } = await request.allHeaders();
      expect([referer, cookie, authorization, origin]).toEqual(Array(4).fill(undefined));
    }
    expect(seen.complaints).toEqual([]);

    const open = await jobOf(gateway(), { audio_url: signed.replace(/\?.*/, '') });
    await using viewer = await anonymous();
    await comeAsViewer(viewer, gateway(), program());
    await answerAt(viewer.page);
    await viewer.page.goto(`${gateway().url}/jobs?job=${id}`);
    await viewer.page.getByText('only members may use it').waitFor();
    expect(await viewer.page.locator('audio').count()).toBe(0);
    expect(await viewer.page.content()).not.toContain('s3cret');
    await viewer.page.goto(`${gateway().url}/jobs?job=${open.id}`);
    await viewer.page.locator('audio').waitFor();
    await viewer.page.goto(`${gateway().url}/scorecard?view=evaluate`);
    await viewer.page.getByText('only members can start one').waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Evaluate my queries' }).count()).toBe(0);
    expect(viewer.complaints).toEqual([]);
  });
}

async function jobOf(gateway: Gateway, request: object): Promise<Job> {
  const { id } = await submitJob(gateway, request);
  return (await waitForJob(gateway, id, hasEnded)) as Job;
}

async function uploadNamed(gateway: Gateway, name: string): Promise<string> {
  const seconds = 20;
  return (await upload(gateway, new Uint8Array(silence(seconds)), name)).audio_url;
}

function word(page: Page, at: number) {
  return page.locator(`.word[data-at="${at}"]`);
}

/** Answers in the place of the other host, and returns what it was asked. */
async function answerAt(page: Page): Promise<Request[]> {
  const asked: Request[] = [];
  await page.context().route('https://recordings.example/**', async (route) => {
    asked.push(route.request());
    await route.fulfill({ body: silence(20), contentType: 'audio/wav' });
  });
  return asked;
}

async function comeAsViewer({ page }: Visit, gateway: Gateway, { call }: Operator): Promise<void> {
  const invited = { role: 'viewer', account_id: 'acct_default' };
  const { token } = await call<NewInvite>('POST', '/admin/v1/invites', invited);
  const person = { email: 'vera@example.org', password: ada.password };
  await call('POST', '/admin/v1/join', { token, name: 'Vera', ...person });
  await page.context().addCookies(await signIn(gateway, person));
}
