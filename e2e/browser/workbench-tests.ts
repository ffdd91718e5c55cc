// Working in the playground: estimates, history, addresses to share, files.
import { expect } from 'bun:test';
import type { Fixture } from './fixture.ts';
import { browserTest as test } from './visit.ts';

const submit = 'form button[type=submit]';

export function workbenchTests(fixture: Fixture): void {
  costTest(fixture);
}

function costTest({ gateway, operator, newBrowser }: Fixture): void {
  test('the cost is shown in advance, the history restores a request, and an address shares it', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/playground`);
    expect(await page.locator('.field .tag').count()).toBe(0);
    await page.getByLabel('query').fill('tidal power & "storage"');
    await page.getByLabel('provider', { exact: true }).selectOption('engine_a');
    await page.getByText(/^Costs at most \$0\.\d+/).waitFor();
    await page.getByText('More options').click();
    await page.getByLabel('max_results').fill('3');
    await page.getByLabel('safe_search').selectOption('strict');
    // Only what is set has a badge.
    await page.waitForFunction(() => document.querySelectorAll('.field .tag').length === 3);
    await page.locator(submit).click();
    await page.locator('.result').first().waitFor();
    await page
      .getByText(/The last (\d+ )?requests? of this account cost \$0\.\d+ on average/)
      .waitFor();
    await page.getByText('The same request as code').click();
    await page.getByRole('button', { name: 'Python' }).click();
    const code = await page.getByLabel('The request as python').textContent();
    expect(code).toContain('trivium.search(');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy a link' }).click();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    expect(address).toContain('safe_search=strict');

    await page.getByLabel('query').fill('something else');
    await page.getByText('History (1)').click();
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: /^tidal power/ }).click();
    expect(await page.getByLabel('query').inputValue()).toBe('tidal power & "storage"');
    expect(ada.complaints).toEqual([]);

    // A tab that has kept nothing.
    const other = await page.context().newPage();
    await other.goto(address);
    await other.getByLabel('query').waitFor();
    await other.waitForFunction(() => !location.search.includes('query='));
    expect(await other.getByLabel('query').inputValue()).toBe('tidal power & "storage"');
    expect(await other.getByLabel('provider', { exact: true }).inputValue()).toBe('engine_a');
    await other.getByText('More options (1 set)').waitFor();
    await other.close();

    // Another person in the same browser sees no history of hers.
    const context = await newBrowser();
    const blank = await context.newPage();
    await blank.goto(address);
    await blank.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.close();
  });
}
