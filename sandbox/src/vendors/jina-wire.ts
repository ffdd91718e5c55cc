// Shared by Jina's two hosts: reading options, errors, the envelope and token counts.
import { z } from 'zod';
import type { Page } from '../corpus/page.ts';
import type { Refusal, Reply } from '../vendor.ts';
import type { Reason } from '../refusal-reason.ts';

/** Reading options as fields of a body, for both hosts. */
export const readingOptions = {
  respondWith: z.string().min(1).optional(),
  timeout: z.number().positive().max(180).optional(),
  noCache: z.boolean().optional(),
  cacheTolerance: z.number().min(0).optional(),
  withLinksSummary: z.union([z.boolean(), z.literal('all')]).optional(),
  withImagesSummary: z.union([z.boolean(), z.literal('all')]).optional(),
  retainImages: z.enum(['none', 'all', 'alt', 'all_p', 'alt_p']).optional(),
  tokenBudget: z.int().min(1).optional(),
  maxTokens: z.int().min(500).optional(),
  targetSelector: z.union([z.string(), z.array(z.string())]).optional(),
  removeSelector: z.union([z.string(), z.array(z.string())]).optional(),
  waitForSelector: z.union([z.string(), z.array(z.string())]).optional(),
  locale: z.string().optional(),
  proxy: z.string().optional(),
};

const countries = new Set(
  (
    'ad ae af ag ai al am an ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo ' +
    'br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cx cy cz de dj dk dm ' +
    'do dz ec ee eg eh er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq ' +
    'gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ' +
    'ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn ' +
    'mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ' +
    'ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn ' +
    'so sr st sv sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug um us uy uz va ' +
    'vc ve vg vi vn vu wf ws xk ye yt za zm zw'
  ).split(' '),
);
const languages = new Set(
  (
    'af ak am ar az be bg bh bn br bs ca co cs cy da de ee el en eo es et eu fa fi fo fr fy ' +
    'ga gd gl gn gu ha hi hr ht hu hy ia id ig is it iw ja jw ka kg kk km kn ko ku ky la lg ' +
    'ln lo lt lv mg mi mk ml mn mo mr ms mt ne nl nn no ny oc om or pa pl ps pt pt-br pt-pt ' +
    'qu rm rn ro ru rw sd sh si sk sl sn so sq sr st su sv sw ta te tg th ti tk tl tn to tr ' +
    'tt tw ug uk ur uz vi wo xh yi yo zh-cn zh-tw zu'
  ).split(' '),
);

export const Country = z.string().refine((code) => countries.has(code.toLowerCase()));
export const Language = z.string().refine((code) => languages.has(code));

const answers: Record<Reason, { code: number; status: number; name: string }> = {
  bad_request: { code: 400, status: 40001, name: 'ParamValidationError' },
  missing_key: { code: 401, status: 40103, name: 'AuthenticationRequiredError' },
  wrong_key: { code: 401, status: 40102, name: 'AuthenticationFailedError' },
  out_of_credit: { code: 402, status: 40203, name: 'InsufficientBalanceError' },
  rate_limited: { code: 429, status: 42903, name: 'RateLimitTriggeredError' },
  server_error: { code: 500, status: 50000, name: 'InternalServerError' },
  unavailable: { code: 503, status: 50302, name: 'ServiceNodeResourceDrainError' },
  not_found: { code: 404, status: 40400, name: 'ResourceNotFoundError' },
};

export function refuse({ reason, message, issues }: Refusal): Reply {
  const { code, status, name } = answers[reason];
  const path = issues[0]?.path.slice(1).join('.');
  return fail(code, status, name, message, path === undefined ? {} : { path });
}

export function fail(
  code: number,
  status: number,
  name: string,
  message: string,
  more: object = {},
): Reply {
  const readableMessage = `${name}: ${message}`;
  return {
    status: code,
    body: { data: null, code, name, status, message, readableMessage, ...more },
  };
}

/** The JSON envelope, or plain text for callers that do not ask for JSON. */
export function succeed(headers: Headers, data: unknown, tokens: number, text: string): Reply {
  const usage = { 'x-usage-tokens': String(tokens) };
  if ((headers.get('accept') ?? '*/*') !== 'application/json') {
    return { headers: { ...usage, 'content-type': 'text/plain; charset=utf-8' }, body: text };
  }
  return {
    headers: usage,
    body: { code: 200, status: 20000, data, meta: { usage: { tokens } } },
  };
}

/** First-level headings are underlined, like those of the vendor's converter. */
export function markdownOf(page: Page): string {
  return page.body === '' ? '' : `${page.title}\n${'='.repeat(page.title.length)}\n\n${page.body}`;
}

const charsPerToken = 4;

export function countTokens(text: string): number {
  return Math.ceil(text.length / charsPerToken);
}
