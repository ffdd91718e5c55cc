// Saved views and notes in the browser: shared within an account, used but not changed by viewers, and
// shown as plain text whatever they contain.
import { expect } from 'bun:test';
import { joinAs } from './fixture.ts';
import type { Fixture } from './fixture.ts';
import type { Operator } from './operator-api.ts';
import { browserTest as test } from './visit.ts';

const account = 'acct_default';
const html = '<img src=x onerror=alert(1)>';

export function viewTests(fixture: Fixture, program: () => Operator): void {
  viewTest(fixture, program);
  noteTest(fixture, program);
}

function viewTest(fixture: Fixture, program: () => Operator): void {
  const { gateway, operator } = fixture;
  test('a view names the address of a list, and is opened by a viewer, overwritten, renamed and deleted', async () => {
    await using ada = await operator();
    const { page } = ada;
    const menu = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const address = () => new URL(page.url()).search;
    const results = page.getByRole('columnheader', { name: 'Results', exact: true });
    await page.goto(`${gateway().url}/requests?tool=search&outcome=served&range=7d`);
    await menu('Columns').click();
    await page.getByRole('checkbox', { name: 'Results', exact: true }).check();
    await results.waitFor();
    await page.getByRole('button', { name: 'Latency' }).click();
    await menu('Views').click();
    await menu('Save as a new view').click();
    await page.getByRole('textbox', { name: 'Name' }).fill(html);
    expect(await ada.inspect()).toEqual([]);
    await menu('Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await menu(html).waitFor();
    await page.goto(`${gateway().url}/requests`);
    await menu('Views').click();
    await page.getByRole('link', { name: html }).click();
    await menu(html).waitFor();
    const view =
      /^\?tool=search&outcome=served&range=7d&columns=Results&sort=latency&saved=view_\w+$/;
    expect(address()).toMatch(view);

    const invited = { role: 'viewer', account_id: account } as const;
    await using val = await joinAs(fixture, program().call, invited, 'val@example.org');
    await val.page.getByRole('link', { name: 'Requests' }).click();
    await val.page.getByRole('button', { name: 'Views' }).click();
    expect(await val.page.getByRole('button', { name: 'Save as a new view' }).count()).toBe(0);
    await val.page.getByRole('link', { name: html }).click();
    await val.page.getByRole('button', { name: 'Outcome: Served' }).waitFor();
    await val.page.getByRole('columnheader', { name: 'Results', exact: true }).waitFor();
    await val.page.getByRole('link', { name: 'Jobs' }).click();
    await val.page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await val.settled();
    expect(await val.page.getByRole('button', { name: 'Views' }).count()).toBe(0);

    await menu('Remove: Outcome').click();
    await page.getByRole('button', { name: `${html} changed` }).click();
    expect(await ada.inspect('both')).toEqual([]);
    await menu(`Overwrite “${html}”`).click();
    await menu(html).click();
    await menu('Rename').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Failed');
    await menu('Rename').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // From the command menu, and the same name again.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('failed requ');
    await page.getByRole('option', { name: 'Failed Requests' }).click();
    await menu('Failed').waitFor();
    expect(address()).toMatch(
      /^\?tool=search&range=7d&columns=Results&sort=latency&saved=view_\w+$/,
    );
    await menu('Failed').click();
    await menu('Save as a new view').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Failed');
    await menu('Save').click();
    await page.getByText('There is already a view named “Failed”').waitFor();
    await menu('Cancel').click();
    await menu('Failed').click();
    await menu('Delete').click();
    await menu('Delete this view').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await menu('Views').waitFor();
    expect(address()).not.toContain('saved');
    // What was chosen on a view stays there.
    await menu('Columns').click();
    await page.getByRole('checkbox', { name: 'Results', exact: true }).uncheck();
    await results.waitFor({ state: 'detached' });
    const refused = ada.complaints.filter((line) => !line.includes('409'));
    expect([...refused, ...val.complaints]).toEqual([]);
  });
}

function noteTest(fixture: Fixture, program: () => Operator): void {
  const { gateway, operator } = fixture;
  test('a note is written, marked in the list, found, and changed only by its author', async () => {
    await gateway().post('/v1/search', { query: 'noted', provider: 'engine_a' });
    const invited = { role: 'member', account_id: account } as const;
    await using bob = await joinAs(fixture, program().call, invited, 'bob@example.org');
    const { page } = bob;
    const list = { name: 'Notes' };
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('row', { name: 'noted' }).locator('td').first().click();
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.getByLabel('Note', { exact: true }).fill(`${html}\nsecond line`);
    expect(await bob.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Save the note' }).click();
    const notes = page.getByRole('list', list);
    await notes.getByText(html).waitFor();
    await notes.getByText('bob@example.org').waitFor();
    await page.getByRole('row', { name: 'noted' }).getByTitle(html).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Note', { exact: true }).fill('moved');
    await page.getByRole('button', { name: 'Save the note' }).click();
    await notes.getByText('moved').waitFor();
    expect(await bob.inspect('both')).toEqual([]);

    const other = { role: 'viewer', account_id: account } as const;
    await using val = await joinAs(fixture, program().call, other, 'val2@example.org');
    await val.page.goto(`${gateway().url}/requests?has_note=true`);
    await val.page.getByRole('row', { name: 'noted' }).locator('td').first().click();
    await val.page.getByRole('list', list).getByText('moved').waitFor();
    expect(await val.page.locator('tbody tr').count()).toBe(1);
    for (const name of ['Edit', 'Delete', 'Add a note']) {
      expect(await val.page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
    await using ada = await operator();
    await ada.page.goto(val.page.url());
    await ada.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await ada.page.getByRole('list', list).waitFor({ state: 'detached' });
    expect([...bob.complaints, ...val.complaints, ...ada.complaints]).toEqual([]);
  });
}
