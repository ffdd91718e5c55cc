// The accessibility problems that axe finds on a page, in the light and the dark theme.
import axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

export type Themes = 'light' | 'both';

/** The page has no frames and no foreign styles, so axe need not load any. */
const quick: RunOptions = { resultTypes: ['violations'], preload: false, iframes: false };
const structure: RunOptions = { ...quick, rules: { 'color-contrast': { enabled: false } } };
/** Most of the time of axe, and all that differs in the dark theme. */
const colours: RunOptions = { ...quick, runOnly: { type: 'rule', values: ['color-contrast'] } };
/** Texts that look like them on any page have enough contrast, too. */
const legibleLooks = new Set<string>();

export async function findBarriers(page: Page, themes: Themes): Promise<string[]> {
  if (!(await page.evaluate(hasAxe))) await page.evaluate(axe.source);
  await page.evaluate(markAlike);
  const found = [...(await page.evaluate(runAxe, structure)), ...(await findIllegible(page))];
  const barriers = found.map((barrier) => `${page.url()}: ${barrier}`);
  // The test of the layout checks both themes of a page, but opens no dialogs.
  if (themes === 'light' && !(await page.evaluate(isDialogOpen))) return barriers;
  await page.emulateMedia({ colorScheme: 'dark' });
  const inTheDark = await findIllegible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...barriers, ...inTheDark.map((barrier) => `${page.url()}, dark: ${barrier}`)];
}

async function findIllegible(page: Page): Promise<string[]> {
  const looks = await page.evaluate(markNewLooks, [...legibleLooks]);
  if (looks.length === 0) return [];
  const found = await page.evaluate(runAxe, colours);
  if (found.length === 0) for (const look of looks) legibleLooks.add(look);
  return found;
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open], aside.panel') !== null;
}

function hasAxe(): boolean {
  return 'axe' in window;
}

/** Runs in the page: entries of a list that differ only in their words are checked once. */
function markAlike(): void {
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
}

/** Runs in the page: marks the first text of each look that is not known, and returns the looks. */
function markNewLooks(known: string[]): string[] {
  const lookOf = (element: Element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const look = [color, fontSize, fontWeight, textShadow];
    for (let up: Element | null = element; up !== null; up = up.parentElement) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(up);
      const isPlain = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none';
      if (!isPlain) look.push(backgroundColor, backgroundImage);
      if (opacity !== '1') look.push(`opacity ${opacity}`);
      // Axe ignores what is disabled.
      if (up.matches(':disabled, [aria-disabled="true"]')) look.push('disabled');
    }
    return look.join(' ');
  };
  const isText = (element: Element) =>
    element.checkVisibility() &&
    (element.matches('input, select, textarea') ||
      [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== ''));
  const above = document.querySelector('dialog[open]') ?? document.querySelector('aside.panel');
  const looks = new Set(known);
  for (const element of (above ?? document.body).querySelectorAll('*')) {
    if (!isText(element) || looks.has(lookOf(element))) continue;
    element.setAttribute('data-new-look', '');
    looks.add(lookOf(element));
  }
  return [...looks].slice(known.length);
}

/** Runs in the page, and removes the marks. */
async function runAxe(options: RunOptions): Promise<string[]> {
  const { axe: found } = window as unknown as { axe: typeof axe };
  // The page behind a dialog or a panel is checked separately.
  const above = ['dialog[open]', 'aside.panel'].find((one) => document.querySelector(one));
  const exclude = [['[data-alike]']];
  const place =
    options.runOnly !== undefined
      ? { include: [['[data-new-look]']] }
      : { exclude, ...(above === undefined ? {} : { include: [[above]] }) };
  // What was new has been replaced since it was marked.
  if (options.runOnly !== undefined && !document.querySelector('[data-new-look]')) return [];
  const { violations } = await found.run(place, options);
  for (const mark of ['data-alike', 'data-new-look']) {
    for (const entry of document.querySelectorAll(`[${mark}]`)) entry.removeAttribute(mark);
  }
  return violations.map(({ id, nodes }) => {
    const places = nodes.map(({ html }) => html).slice(0, 3);
    return `${id}: ${places.join(' | ')}`;
  });
}
