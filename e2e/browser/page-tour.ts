// Every page that a person can reach through the navigation and the menu, one after the other.
import { expect } from 'bun:test';
import { openPersonMenu } from './visit.ts';
import type { Visit } from './visit.ts';

const undocumented = ['Overview', 'Playground', 'Requests', 'Jobs'];

/** Returns the titles of the pages. */
export async function takeTour(
  seen: Visit,
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
    await look(title);
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
