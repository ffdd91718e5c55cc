// A recording on this device: dropped on the playground, uploaded, transcribed and played along.
import { expect } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import type { Word } from '@trivium/sdk';
import type { Gateway } from '../harness.ts';
import { drop, pausePlayer, seekedTo, watchObjectUrls, watchPlayer } from './player-page.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test, phone } from './visit.ts';
import type { Visit } from './visit.ts';
import { waitFor } from '../wait-for.ts';

/** Bytes a second. */
const slowly = 400_000;
const submit = 'form button[type=submit]';

export function playerTests(fixture: Fixture): void {
  uploadTest(fixture);
  playTest(fixture);
}

function uploadTest({ gateway, operator }: Fixture): void {
  test('a file is dropped or chosen, its upload shows progress and can be cancelled', async () => {
    await using ada = await operator();
    const { page } = ada;
    await openTool(ada, gateway().url);
    const area = page.getByRole('group', { name: 'Recording' });
    const unlimit = await limitUploads(page, slowly);
    await drop(page, { name: 'long.wav', seconds: 1000 });
    await page.waitForFunction(() => {
      const value = document.querySelector('progress')?.value ?? 0;
      return value > 0 && value < 100;
    });
    expect(await area.textContent()).toMatch(/long\.wav 8\.0 MB\d+%.*Uploading/);
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Cancel the upload' }).click();
    await page.getByRole('button', { name: 'Choose a file' }).waitFor();
    expect(await area.getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('audio_url').inputValue()).toBe('');
    await unlimit();

    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).focus();
    await page.keyboard.press('Enter');
    const chooser = await choosing;
    const notes = { name: 'notes.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('Not audio') };
    await chooser.setFiles(notes);
    await area.getByText('The file is neither audio nor video').waitFor();
    expect(ada.complaints.splice(0)).toEqual([expect.stringContaining('400') as string]);
    await drop(page, { name: 'huge.wav', seconds: 5000 });
    await area.getByText(/larger than (the limit of 10 MiB|this gateway accepts)/).waitFor();
    expect(ada.complaints.splice(0)).toHaveLength(1);
    await drop(page, { name: 'one.wav', seconds: 1 }, { name: 'two.wav', seconds: 1 });
    await area.getByText('One recording at a time').waitFor();

    await page.getByLabel('diarize').selectOption('true');
    await drop(page, { name: 'talk.wav', seconds: 1 });
    await area.getByText('Uploaded.').waitFor();
    const [first] = await uploadIds(page);
    expect((await gateway().get(`/v1/uploads/${first}`)).status).toBe(200);
    // Fields set in the meantime are kept, and links do not contain the address.
    expect(await page.getByLabel('diarize').inputValue()).toBe('true');
    await page.getByText('Not in the link, because it may contain a secret: audio_url').waitFor();
    await page.setViewportSize(phone);
    expect(await ada.overflow()).toBe(0);
    const [deleted] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'DELETE'),
      page.getByRole('button', { name: 'Remove', exact: true }).click(),
    ]);
    expect(deleted.url()).toEndWith(first ?? 'an id');
    expect(await page.getByLabel('audio_url').inputValue()).toBe('');
    expect(ada.complaints).toEqual([]);
  });
}

function playTest({ gateway, operator }: Fixture): void {
  test('choosing a word plays it, and the mark follows the word that is played', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.addInitScript(watchObjectUrls);
    await openTool(ada, gateway().url);
    await drop(page, { name: 'talk.wav', seconds: 20 });
    await page.getByText('Uploaded.').waitFor();
    const [first] = await uploadIds(page);
    const words = await transcribe(page);
    const src = await page.locator('audio').getAttribute('src');
    expect(src).toStartWith('blob:');

    await page.evaluate(watchPlayer);
    await word(page, 5).click();
    expect(await seekedTo(page)).toBeCloseTo(words[5]?.start ?? -1, 2);
    await page.waitForFunction(() => {
      const marked = [...document.querySelectorAll<HTMLElement>('.word[aria-current]')];
      return marked.length === 1 && Number(marked[0]?.dataset['at']) > 5;
    });
    const played = await page.evaluate(pausePlayer);
    expect(words[played.at]?.start).toBeLessThanOrEqual(played.time + 0.01);
    expect(words[played.at + 1]?.start).toBeGreaterThan(played.time - 0.01);
    // Marks moved, and no word was rendered again.
    expect(await page.evaluate(() => [...new Set(window.seen?.changes)])).toEqual(['attributes']);

    // The Tab key reaches the marked word, and the arrow keys the words beside it.
    await word(page, played.at).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('.word[tabindex="0"]').getAttribute('data-at')).toBe('1');
    await page.keyboard.press('Enter');
    expect(await seekedTo(page)).toBeCloseTo(words[1]?.start ?? -1, 2);
    await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.pause());
    expect(await ada.inspect()).toEqual([]);
    await page.setViewportSize(phone);
    await page.locator('.words').scrollIntoViewIfNeeded();
    expect(await ada.overflow()).toBe(0);

    // An upload ends with its job. The same file is sent again for the next one.
    await untilGone(gateway(), first ?? '');
    await page.getByLabel('provider', { exact: true }).selectOption('stt_b');
    await transcribe(page);
    expect(await uploadIds(page)).not.toEqual([first ?? '']);
    // The estimate of a request with that upload may have been refused before.
    const complaints = () => ada.complaints.splice(0).filter((one) => !one.includes('of 400'));
    expect(complaints()).toEqual([expect.stringContaining('404') as string]);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByLabel('query').waitFor();
    expect(await page.evaluate(() => window.objectUrls)).toEqual({ made: 2, held: 0 });
    expect(complaints()).toEqual([]);
  });
}

async function openTool({ page }: Visit, url: string): Promise<void> {
  await page.goto(`${url}/playground?tool=transcription`);
  await page.getByLabel('audio_url').fill('');
}

/** The function that it returns ends the limit, which belongs to its session. */
async function limitUploads(page: Page, uploadThroughput: number): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const network = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await session.send('Network.emulateNetworkConditions', network);
  return () => session.detach();
}

async function uploadIds(page: Page): Promise<string[]> {
  const address = await page.getByLabel('audio_url').inputValue();
  return address.match(/upl_[0-9a-f]{32}/g) ?? [];
}

async function transcribe(page: Page): Promise<Word[]> {
  await page.locator(submit).click();
  await page.locator('.timeline .done').nth(3).waitFor();
  await page.locator('.words').waitFor();
  await page.getByText('Raw response').click();
  const raw = (await page.getByLabel('Raw response').textContent()) ?? '';
  return (JSON.parse(raw) as { result: { words: Word[] } }).result.words;
}

function word(page: Page, at: number): Locator {
  return page.locator(`.word[data-at="${at}"]`);
}

/** An upload is deleted soon after its job has ended. */
async function untilGone(gateway: Gateway, id: string): Promise<void> {
  await waitFor(() => gateway.get(`/v1/uploads/${id}`), {
    what: `${id} is deleted`,
    until: ({ status }) => status === 404,
  });
}
