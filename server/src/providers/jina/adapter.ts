// engine_i: Jina, search-engine results on one host and a page reader on another.
import { z } from 'zod';
import { readDay } from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply } from '../../upstream/core/index.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';
import { asGiven } from '../shared/as-given.ts';
import { jinaPagePrice, jinaSearchPrice } from './prices.ts';
import type { ExtractInput, PageOutcome } from '../provider.ts';
import type { Provider, SearchInput } from '../provider.ts';
import { listOf } from '../shared/refused-options.ts';
import {
  at,
  capped,
  categories,
  domains,
  ifKnown,
  ignoredBecause,
  limited,
  markdownOnly,
  native,
  nothingIncluded,
  posts,
  postsPages,
  rankingHint,
  rewritten,
  trimmed,
  when,
} from '../shared/rows.ts';
import type { Rows } from '../shared/rows.ts';

/** The limit of the search engines behind it, including operators. */
const maxQueryChars = 2048;
const maxSiteChars = 1024;

const searchSupports = {
  query: at(
    'q',
    when(nothingIncluded, limited(maxQueryChars), limited(maxQueryChars - maxSiteChars)),
  ),
  max_results: at('num', capped(20)),
  category: at('type', categories({ news: 'news' }), { news: 'news' }),
  'locale.country': at(
    'gl',
    ifKnown('country', (code) => countries.has(code.toLowerCase()), rankingHint),
    'lower',
  ),
  'locale.language': at(
    'hl',
    ifKnown('language', (code) => languageOf(code) !== undefined, rankingHint),
    ({ ask }: SearchInput) => languageOf(String(ask['locale.language'])),
  ),
  // The provider appends these to the query as site: operators.
  include_domains: at(
    'site',
    domains({ www: false, maxLength: { chars: maxSiteChars, perEntry: ' OR site:'.length } }),
  ),
  exclude_domains: rewritten('not_site'),
  published_after: rewritten('after'),
  published_before: rewritten('before'),
  freshness: rewritten('since'),
  mode: ignoredBecause('this engine has one tier.'),
} satisfies Rows;
// Otherwise every page that is found is also read, slowly and at many times the price.
const searchFixed = { type: 'web', respondWith: 'no-content' };

const pageSupports = {
  'content.full_text': native,
  'content.max_chars': trimmed,
  'content.format': markdownOnly,
} satisfies Rows;

export const jina: Provider = {
  id: 'engine_i',
  credential: { env: ['JINA_API_KEY'] },
  hosts: {
    api: { env: 'JINA_SEARCH_BASE_URL', default: 'https://s.jina.ai' },
    reader: { env: 'JINA_READER_BASE_URL', default: 'https://r.jina.ai' },
  },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
  read: readRefusal,
  search: {
    supports: searchSupports,
    raw_at: [['data']],
    toRequests: posts('/', searchSupports, searchFixed),
    fromReply: (body, { now }) =>
      SearchAnswer.parse(body).data.map((result, item) => ({
        item,
        url: result.url,
        title: plain(result.title),
        snippets: plainTexts([result.description]),
        published_date: readDay(result.date, now),
      })),
    price: jinaSearchPrice,
  },
  extract: {
    supports: pageSupports,
    batch: 1,
    toRequests: postsPages('/', pageSupports, 'url', { host: 'reader' }),
    raw_at: [['data']],
    // A page that answered with an error is reported as failed.
    warnings: { at: [['data', 'warning']], params: {}, except: /^Target URL returned error / },
    fromReplies: readPage,
    pageFault,
    refused_options: listOf(
      'html pdf',
      'it replaces the page; only pages with an address are extracted',
    ),
    price: jinaPagePrice,
  },
};

const SearchAnswer = asGiven(
  z.object({
    data: z.array(
      z.object({
        url: z.string(),
        title: z.string().nullish(),
        description: z.string().nullish(),
        date: z.string().nullish(),
      }),
    ),
  }),
);
const PageAnswer = z.object({
  data: z.object({
    url: z.string().nullish(),
    title: z.string().nullish(),
    content: z.string().nullish(),
    publishedTime: z.string().nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    warning: z.string().nullish(),
  }),
});
const Failure = z.object({
  status: z.number().nullish(),
  message: z.string().nullish(),
  readableMessage: z.string().nullish(),
  path: z.unknown().optional(),
  retryAfter: z.unknown().optional(),
});

function readPage(bodies: readonly unknown[], { now }: ExtractInput): PageOutcome[] {
  const { data } = PageAnswer.parse(bodies[0]);
  const metadata = data.metadata ?? {};
  const error = /^Target URL returned error .*$/m.exec(data.warning ?? '')?.[0];
  const content = filled(data.content);
  if (error !== undefined || content === undefined) return [error ?? 'the page has no content'];
  return [
    {
      final_url: filled(data.url),
      title: plain(data.title),
      content,
      published_date:
        readDay(metadata['article:published_time'], now) ?? readDay(data.publishedTime, now),
      author: authorOf(metadata['author']) ?? authorOf(metadata['article:author']),
    },
  ];
}

/** Some pages contain the address of a profile instead of a name. */
function authorOf(value: unknown): string | undefined {
  const author = filled(value);
  return author === undefined || /^https?:\/\//i.test(author) ? undefined : author;
}

function readRefusal(reply: Reply): Refusal | 'no_results' | undefined {
  if (reply.status < 300) return undefined;
  const { status, message, readableMessage, retryAfter } = failureOf(reply.body);
  if (reply.status === 422 && message?.startsWith('No search results available')) {
    return 'no_results';
  }
  const isDownstream = status === downstreamFailure;
  const own = isDownstream ? ({ kind: 'unavailable' } as const) : { wait_s: retryAfter };
  return refusalOf(reply, filled(message) ?? filled(readableMessage), own);
}

/** The vendor's own code for a problem with a service behind it, sent with status 422. */
const downstreamFailure = 42205;

function pageFault({ status, body, message }: Refusal): string | undefined {
  const aboutUrl = status === 400 && failureOf(body).path === 'url';
  return aboutUrl || pageStatuses.has(status ?? 0) ? message : undefined;
}

/** Over its budget, too large, unreadable, or blocked for legal or safety reasons. */
const pageStatuses: ReadonlySet<number> = new Set([409, 413, 422, 451]);

function failureOf(body: unknown): Partial<z.infer<typeof Failure>> {
  return Failure.safeParse(body).data ?? {};
}

/** The countries that the search supports. It refuses all others. */
export const countries: ReadonlySet<string> = new Set(
  `ad ae af ag ai al am an ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs
   bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cx cy cz de dj dk dm do dz ec ee
   eg eh er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy
   hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz
   la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx
   my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re
   ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr st sv sy sz tc td tf tg th tj tk tl
   tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws xk ye yt za zm zw`.split(
    /\s+/,
  ),
);

/** The vendor's code for a two-letter language. Undefined if it has none. */
export function languageOf(code: string): string | undefined {
  const lower = code.toLowerCase();
  const word = renamed[lower] ?? lower;
  return languages.has(word) ? word : undefined;
}

/** Older codes, and the more common of two scripts. */
const renamed: Readonly<Record<string, string>> = { he: 'iw', jv: 'jw', nb: 'no', zh: 'zh-cn' };

const languages: ReadonlySet<string> = new Set(
  `af ak am ar az be bg bh bn br bs ca co cs cy da de ee el en eo es et eu fa fi fo fr fy ga gd
   gl gn gu ha hi hr ht hu hy ia id ig is it iw ja jw ka kg kk km kn ko ku ky la lg ln lo lt lv
   mg mi mk ml mn mo mr ms mt ne nl nn no ny oc om or pa pl ps pt qu rm rn ro ru rw sd sh si sk
   sl sn so sq sr st su sv sw ta te tg th ti tk tl tn to tr tt tw ug uk ur uz vi wo xh yi yo
   zh-cn zu`.split(/\s+/),
);
