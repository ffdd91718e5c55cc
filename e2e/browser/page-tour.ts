// Every page that a person can reach through the navigation and the menu, one after the other.
import { expect } from 'bun:test';
import type { Themes } from './barriers.ts';
import { openPersonMenu, phone } from './visit.ts';
import type { Visit } from './visit.ts';

const desktop = { width: 1360, height: 900 };
const undocumented = ['Overview', 'Playground', 'Requests', 'Jobs'];

/** No page has barriers, and each fits a phone. Returns the titles of the pages. */
export async function takeTour(
  seen: Visit,
  themes: Themes,
  look: (title: string) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const { page } = seen;
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await links.first().waitFor();
  const titles = [...(await links.allTextContents()), 'Profile'];
  for (const title of titles) {
    if (title === 'Profile') await openPersonMenu(page);
    await page.getByRole('link', { name: title, exact: true }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await seen.settled();
    expect([title, ...(await seen.inspect(themes))]).toEqual([title]);
    await look(title);
    await page.setViewportSize(phone);
    expect([title, await seen.overflow()]).toEqual([title, 0]);
    await page.setViewportSize(desktop);
  }
  return titles;
}

/** The page links to a part of the documentation that exists. */
export async function checkDocumentation({ page }: Visit, title: string): Promise<void> {
  if (undocumented.includes(title)) return;
  const link = page.getByRole('main').getByRole('link', { name: 'Documentation' });
  const address = new URL((await link.getAttribute('href')) ?? '', page.url());
  const response = await page.request.get(address.href);
  const section = address.hash === '' ? '' : `id="${address.hash.slice(1)}"`;
  expect([title, response.status()]).toEqual([title, 200]);
  expect(await response.text()).toContain(section);
}
