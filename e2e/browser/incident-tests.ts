// Incidents in a real browser: from the first failure to the success, for an operator, a member and a
// viewer.
import { expect } from 'bun:test';
import type { NewInvite } from '@trivium/contract';
import type { Operator } from './operator-api.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test, phone, pressInMenu } from './visit.ts';
import type { Visit } from './visit.ts';

const note = 'The vendor knows. <b>Back on Monday</b>';
const sentence = /^Linkup failing since .+, 3 requests, status 500$/;

export function incidentTests(fixture: Fixture, program: () => Operator): void {
  const { gateway, operator } = fixture;

  test('an outage is one incident until a success, marked in charts, muted and noted for others', async () => {
    const control = sandboxOf(gateway().printed());
    const search = () => gateway().post('/v1/search', { query: 'tides', provider: 'engine_g' });
    expect((await search()).status).toBe(200);
    await using ada = await operator();
    const { page } = ada;
    const strip = page.getByRole('region', { name: 'Open incidents' });
    await page.goto(`${gateway().url}/?span=24h`);
    const requests = page.getByRole('region', { name: 'Requests' });
    const last = requests.getByRole('link').last();
    await last.waitFor();
    await control('POST', { mount: '/linkup', fault: 'server_error' });
    for (let time = 0; time < 3; time += 1) expect((await search()).status).toBe(502);
    // The page is live.
    await strip.getByRole('link', { name: sentence }).waitFor();
    await page.waitForFunction(hasMark);
    await requests.locator('.plot-column').last().hover();
    await page.locator('.tooltip').getByText('Linkup failing since').waitFor();
    expect(await last.getAttribute('aria-label')).toMatch(/\. Linkup failing since .+status 500$/);
    expect(await ada.inspect('both')).toEqual([]);
    await strip.getByRole('button', { name: 'Note: Linkup failing' }).click();
    await page.getByLabel('Note', { exact: true }).fill(note);
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await strip.getByText(note).waitFor();
    await strip.getByRole('link', { name: sentence }).click();
    const panel = page.getByRole('complementary', { name: 'Linkup' });
    await panel.locator('.hour-chart .incident').waitFor();
    await panel.getByText('Linkup failing since').waitFor();

    await using bob = await join(fixture, program(), 'member', 'bob.incidents@example.org');
    const own = bob.page.getByRole('region', { name: 'Open incidents' });
    expect(await own.textContent()).not.toContain('The vendor knows');
    await own.getByRole('button', { name: 'Mute: Linkup failing' }).click();
    await bob.page.getByRole('button', { name: 'Show 1 muted' }).click();
    await own.getByRole('link', { name: sentence }).click();
    await bob.page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    await bob.page.getByRole('cell', { name: 'Linkup' }).first().waitFor();
    expect(await bob.page.locator('tbody tr').count()).toBe(3);

    await using vic = await join(fixture, program(), 'viewer', 'vic.incidents@example.org');
    await vic.page.getByRole('button', { name: 'Show 1 muted' }).click();
    await vic.page.getByText('Muted by bob.incidents@example.org').waitFor();
    expect(await vic.page.getByRole('button', { name: /^(Unm|M)ute:|^Note:/ }).count()).toBe(0);

    await control('DELETE');
    expect((await search()).status).toBe(200);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await strip.getByRole('link', { name: /^Linkup/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Incidents', exact: true }).click();
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('State').selectOption('Ended');
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: 'Linkup failing' });
    await row.getByText('Ended').waitFor();
    await row.getByText(note).waitFor();
    await pressInMenu(page, 'Note: Linkup failing');
    await page.getByLabel('Note', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText(note).waitFor({ state: 'detached' });
    expect(await ada.inspect('both')).toEqual([]);
    await page.setViewportSize(phone);
    expect(await ada.overflow()).toBe(0);
    expect([...ada.complaints, ...bob.complaints, ...vic.complaints]).toEqual([]);
  });
}

/** Marks stand in every chart over time, also in those without figures at that time. */
function hasMark(): boolean {
  const charts = [...document.querySelectorAll('.plot')];
  return charts.length > 1 && charts.every((plot) => plot.querySelector('.plot-incident.bad'));
}

/** Sets and clears the faults of the gateway's own sandbox. */
function sandboxOf(printed: string) {
  const url = /simulated on (http:\/\/[^\s;]+)/.exec(printed)?.[1];
  return async (method: string, fault?: object): Promise<void> => {
    const body = fault && JSON.stringify(fault);
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/__sandbox/faults`, {
      method,
      headers,
      ...(body ? { body } : {}),
    });
    if (!response.ok) throw new Error(await response.text());
  };
}

async function join(
  { gateway, anonymous }: Fixture,
  { call }: Operator,
  role: 'member' | 'viewer',
  email: string,
): Promise<Visit> {
  const invited = { role, account_id: 'acct_default' };
  const { token } = await call<NewInvite>('POST', '/admin/v1/invites', invited);
  const visit = await anonymous();
  await visit.page.goto(`${gateway().url}/join#${token}`);
  await visit.page.getByLabel('Name').fill(email);
  await visit.page.getByLabel('Email').fill(email);
  await visit.page.getByLabel('Password').fill('correct horse battery');
  await visit.page.getByRole('button', { name: 'Join' }).click();
  await visit.page.getByRole('heading', { name: 'Overview' }).waitFor();
  return visit;
}
