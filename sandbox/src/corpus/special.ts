// Pages that only extraction reaches: moved, missing, slow, blocked, huge, empty, unusual or full
// of links.
import type { SourcePage } from './page.ts';

export type Trouble =
  | { url: string; redirect: string }
  | { url: string; redirect?: undefined; outcome: 'missing' | 'timeout' | 'blocked' };

export const troubles: Trouble[] = [
  { url: 'https://pages.example/moved', redirect: 'https://pages.example/new-home' },
  { url: 'https://pages.example/moved-twice', redirect: 'https://pages.example/moved' },
  { url: 'https://pages.example/loop', redirect: 'https://pages.example/loop' },
  { url: 'https://pages.example/gone', outcome: 'missing' },
  { url: 'https://pages.example/slow', outcome: 'timeout' },
  { url: 'https://pages.example/bot-wall', outcome: 'blocked' },
];

export const specialPages: SourcePage[] = [
  {
    url: 'https://pages.example/new-home',
    title: 'A page that moved house',
    author: 'Lena Brandt',
    published: '2026-05-19',
    language: 'en',
    country: 'US',
    topics: ['software'],
    kind: 'article',
    body: `
This page used to live at another address. Whoever asks for the old one is sent here, and a
careful reader notes both: the address that was asked for and the address that answered.

## Why it moved

The old site kept its pages in folders named by year. In May 2026 the folders were dropped, and
1,204 addresses changed in one night. Every old address still answers with a permanent redirect,
because links in printed reports cannot be edited.

## What stayed

The text is the same, word for word. Only the frame around it is new.`,
  },
  {
    url: 'https://pages.example/empty',
    title: 'A page without content',
    language: 'en',
    country: 'US',
    topics: ['software'],
    kind: 'article',
    body: '',
  },
  {
    url: 'https://pages.example/unicode/naïve-café',
    title: 'Ünïcödé 🌍: “quotes”, ‮right-to-left‬ marks & <angle brackets>',
    author: 'Zoë Ångström-Nguyễn',
    published: '2025-12-31',
    language: 'en',
    country: 'SE',
    topics: ['software'],
    kind: 'reference',
    body: `
Letters that travel badly: ß, ø, ł, ñ, ç, İ, ı, œ, ﬁ, Å written as one sign and Å written as two.

## Scripts

Ελληνικά, Кириллица, עברית, العربية, हिन्दी, ไทย, 한국어, 日本語, 简体中文.

## Signs beyond the first plane

Families and flags are several signs joined into one: 👩‍👩‍👧‍👦, 🏳️‍🌈, 🇧🇷. A mathematical 𝒳 and the
old script 𐍈 take two code units each, so a cut in the wrong place breaks them.

## Signs with a meaning elsewhere

Ampersand &amp; as an entity, & as itself, a <tag> that is not one, a "quoted" word, a
back\\slash, a percent sign 100 %25, a null-like \u2400 and a zero-width​space.`,
  },
  {
    url: 'https://pages.example/crowded',
    title: 'A page with many links and images',
    published: '2026-02-14',
    language: 'en',
    country: 'GB',
    topics: ['cities'],
    kind: 'reference',
    body: `
An index page: hardly a sentence of its own, but two hundred ways to leave it.

## How to use the list

Entries are numbered in the order in which the places joined the register. Each has a page and a
photograph. The first was entered in 1998, the last in February 2026.`,
    links: Array.from({ length: 200 }, (_, index) => `https://pages.example/place/${index + 1}`),
    images: Array.from({ length: 120 }, (_, index) => `https://img.pages.example/${index + 1}.jpg`),
  },
  {
    url: 'https://pages.example/huge',
    title: 'The complete log of station 7',
    author: 'Station 7',
    published: '2026-08-01',
    language: 'en',
    country: 'NO',
    topics: ['climate'],
    kind: 'reference',
    body: Array.from({ length: 2000 }, (_, index) => {
      const reading = ((index * 37) % 400) / 10 - 12;
      return (
        `## Entry ${index + 1}\n\nThe thermometer at the upper hut read ` +
        `${reading.toFixed(1)} °C at ${String(index % 24).padStart(2, '0')}:00. ` +
        `The gauge below the weir stood at ` +
        `${140 + ((index * 11) % 90)} centimetres, and the wind came from the ` +
        `${['north', 'east', 'south', 'west'][index % 4] ?? 'north'} at ${(index * 7) % 29} knots.`
      );
    }).join('\n\n'),
  },
];
