// Every page that a person can reach through the navigation and the menu, one after the other.
import { openPersonMenu } from './visit.ts';
import type { Visit } from './visit.ts';

/** Returns the titles of the pages. */
export async function takeTour(seen: Visit): Promise<string[]> {
  const { page } = seen;
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await links.first().waitFor();
  const titles = [...(await links.allTextContents()), 'Profile'];
  for (const title of titles) {
    if (title === 'Profile') await openPersonMenu(page);
    await page.getByRole('link', { name: title, exact: true }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await seen.settled();
  }
  return titles;
}
