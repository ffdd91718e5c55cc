// The accessibility problems that axe finds on a page, in the light and the dark theme.
import axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

export type Themes = 'light' | 'both';

/** The page has no frames and no foreign styles, so axe need not load any. */
const all: RunOptions = { resultTypes: ['violations'], preload: false, iframes: false };
/** Only colours differ in the dark theme. */
const colours: RunOptions = { ...all, runOnly: { type: 'rule', values: ['color-contrast'] } };

export async function findBarriers(page: Page, themes: Themes): Promise<string[]> {
  if (!(await page.evaluate(hasAxe))) await page.evaluate(axe.source);
  const found = await page.evaluate(runAxe, all);
  const barriers = found.map((barrier) => `${page.url()}: ${barrier}`);
  // The test of the layout checks both themes of a page, but opens no dialogs.
  if (themes === 'light' && !(await page.evaluate(isDialogOpen))) return barriers;
  await page.emulateMedia({ colorScheme: 'dark' });
  const inTheDark = await page.evaluate(runAxe, colours);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...barriers, ...inTheDark.map((barrier) => `${page.url()}, dark: ${barrier}`)];
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open], aside.panel') !== null;
}

function hasAxe(): boolean {
  return 'axe' in window;
}

/** Runs in the page. Entries of a list that differ only in their words are checked once. */
async function runAxe(options: RunOptions): Promise<string[]> {
  const words = /(\s(?:id|href|title|value|label|name|for|style|aria-[a-z]*label[a-z]*))="[^"]+"/g;
  const shapeOf = ({ outerHTML }: Element) =>
    outerHTML.replaceAll(/>[^<]*[^<\s][^<]*/g, '>text').replaceAll(words, '$1="value"');
  for (const list of document.querySelectorAll('tbody, tr, ul, ol, dl, select')) {
    const known = new Set<string>();
    for (const entry of list.children) {
      const shape = shapeOf(entry);
      if (known.has(shape)) entry.setAttribute('data-alike', '');
      known.add(shape);
    }
  }
  const { axe: found } = window as unknown as { axe: typeof axe };
  // The page behind a dialog or a panel is checked separately.
  const above = ['dialog[open]', 'aside.panel'].find((one) => document.querySelector(one));
  const exclude = [['[data-alike]']];
  const place = above === undefined ? { exclude } : { include: [[above]], exclude };
  const { violations } = await found.run(place, options);
  for (const entry of document.querySelectorAll('[data-alike]')) {
    entry.removeAttribute('data-alike');
  }
  return violations.map(({ id, nodes }) => {
    const places = nodes.map(({ html }) => html).slice(0, 3);
    return `${id}: ${places.join(' | ')}`;
  });
}
