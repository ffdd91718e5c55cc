// The time axis of a request: members of a fusion, a transcription and its job, and a request that was
// logged before starts were recorded.
import { expect } from 'bun:test';
import type { RequestList } from '@trivium/contract';
import { hasEnded, waitForJob } from '../jobs.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test } from './visit.ts';

const narrow = { width: 360, height: 900 };
const times = /\d+ ms to \d+/;

export function waterfallTests({ gateway, operator }: Fixture): void {
  test('a request shows its calls on one time axis, each with its start, end and cost', async () => {
    const ask = async (path: string, body: object) =>
      ((await gateway().post(path, body)).body as { id: string }).id;
    const fused = await ask('/v1/search', { query: 'tidal fences', provider: 'fusion' });
    const recording = 'https://recordings.example/interview.wav';
    const job = await ask('/v1/transcriptions', { audio_url: recording });
    await waitForJob(gateway(), job, hasEnded);
    await using seen = await operator();
    const { page } = seen;
    const timeline = page.getByRole('list', { name: 'Timeline' });
    const rows = timeline.getByRole('listitem');
    const open = async (id: string) => {
      await page.goto(`${gateway().url}/requests?request=${id}`);
      await timeline.waitFor();
    };
    await open(fused);
    const whole = (await rows.first().textContent()) ?? '';
    expect(whole).toMatch(/^Request 0 ms to [\d.]+ m?s · \$0\.0220$/);
    const members = (await rows.allTextContents()).slice(1);
    expect(members).toHaveLength(4);
    for (const member of members) expect(member).toMatch(/ Answered ?\d+ ms to .+ · \$0\.00\d\d$/);
    // The bars are where the texts say, in the colour of their provider in all charts.
    const bars = timeline.locator('.waterfall-track > span');
    expect(await bars.count()).toBe(5);
    const colours = await bars.evaluateAll((all) =>
      all.map((bar) => getComputedStyle(bar).backgroundColor),
    );
    expect(new Set(colours).size).toBe(5);
    expect(await seen.inspect()).toEqual([]);
    await page.setViewportSize(narrow);
    expect(await seen.overflow()).toBe(0);
    await open(job);
    await rows.getByText('Transcript ready').waitFor();
    const steps = (await rows.allTextContents()).slice(1);
    expect(steps.map((step) => step.split(/ ?\d/)[0])).toEqual([
      'Queued',
      'Submission',
      'Waiting for the provider',
      'Transcript ready at',
    ]);
    expect(steps.at(-1)).toMatch(/· \$0\.00\d+$/);
    expect(await seen.overflow()).toBe(0);
    expect(await seen.inspect()).toEqual([]);
    // A request of an earlier version has durations, and says that it has no starts.
    await page.route('**/admin/v1/requests?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as RequestList;
      const unknown = { started_ms: null, queued_ms: null };
      const requests = body.requests.map((line) => ({
        ...line,
        attempts: line.attempts.map((attempt) => ({ ...attempt, ...unknown })),
      }));
      await route.fulfill({ response, json: { ...body, requests } });
    });
    await open(fused);
    await page.getByText('has no start times').waitFor();
    const old = (await rows.allTextContents()).slice(1);
    for (const member of old) expect(member).not.toMatch(times);
    expect(seen.complaints).toEqual([]);
  });
}
