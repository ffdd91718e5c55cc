// Serper's page reader, on a separate host: one URL per call, always text, markdown on request.
import { z } from 'zod';
import type { Page } from '../corpus/page.ts';
import { toPlainText } from '../text.ts';
import type { Asked, Reply, Vendor } from '../vendor.ts';
import { route } from '../vendor.ts';
import type { World } from '../world.ts';
import { readSerperKey, refuseAsSerper } from './serper-refusals.ts';

const ScrapeBody = z.strictObject({
  url: z.string().min(1),
  includeMarkdown: z.boolean().nullish(),
  includeLinks: z.boolean().nullish(),
  includeImages: z.boolean().nullish(),
  includeVideos: z.boolean().nullish(),
});
type ScrapeBody = z.infer<typeof ScrapeBody>;

export const serperScrape: Vendor = {
  mount: '/serper-scrape',
  setting: 'SERPER_SCRAPE_BASE_URL',
  readKey: readSerperKey,
  refuse: refuseAsSerper,
  routes: [route({ method: 'POST', path: '/', body: ScrapeBody, answer: scrape })],
};

const credits = 2;
/** Long pages need the vendor's more expensive readers. */
const hardPageCharacters = 100_000;
const hardPageCredits = 10;

/** For any failure the reader only reports that it could not read the page. */
async function scrape({ body }: Asked<ScrapeBody, unknown>, world: World): Promise<Reply> {
  const reading = await world.read(body.url);
  if (reading.outcome === 'unsupported') return refuse(400, 'url must be a valid URL');
  if (!('page' in reading)) return refuse(500, 'Failed to scrape the page');
  const { page } = reading;
  const hard = page.body.length > hardPageCharacters;
  return {
    body: {
      text: page.body === '' ? '' : `${page.title}\n${toPlainText(page.body)}`,
      ...(body.includeMarkdown ? { markdown: markdownOf(page) } : {}),
      metadata: metadataOf(page),
      ...(body.includeLinks ? { links: page.links } : {}),
      ...(body.includeImages ? { images: page.images } : {}),
      ...(body.includeVideos ? { videos: [] } : {}),
      credits: hard ? hardPageCredits : credits,
    },
  };
}

function refuse(status: number, message: string): Reply {
  return { status, body: { message, statusCode: status } };
}

function markdownOf({ title, body }: Page): string {
  return body === '' ? '' : `# ${title}\n\n${body}`;
}

/** The page's meta tags by name. */
function metadataOf({ title, language, published, author, images }: Page): object {
  return {
    title,
    'og:title': title,
    'og:locale': language,
    ...(images[0] === undefined ? {} : { 'og:image': images[0] }),
    ...(published === undefined ? {} : { 'article:published_time': published.toISOString() }),
    ...(author === undefined ? {} : { author }),
  };
}
