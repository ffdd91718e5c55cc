// Data that is difficult for a layout: long names, names without a space, other scripts, many
// limits, and an account without anything.
import type { Account, JobList, NewKey, RequestList } from '@trivium/contract';
import type { Gateway } from '../harness.ts';
import { waitFor } from '../wait-for.ts';
import { addCrowd } from './crowd.ts';
import type { Operator } from './operator-api.ts';

const long = 'The department for the procurement of renewable energy and of storage in all regions';
const unbroken =
  'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft';
const arabic = 'قسم شراء الطاقة المتجددة وتخزينها في جميع المناطق';
const chinese = '可再生能源和储能采购部门负责所有地区的项目';
const thai = 'ฝ่ายจัดซื้อพลังงานหมุนเวียนและการกักเก็บพลังงานทั่วทุกภูมิภาค';
const texts = [long, unbroken, arabic, chinese, thai, 'Zoë 👩‍🔬 Müller-Lüdenscheidt'] as const;

export interface LivedIn {
  /** The account with data, and the one without. */
  full: string;
  empty: string;
  /** Addresses of a request and of a job of the account with data. */
  details: string[];
}

export async function fillGateway(
  gateway: Pick<Gateway, 'post' | 'store_dir'>,
  { call }: Operator,
  webhookUrl: string,
): Promise<LivedIn> {
  const { post } = gateway;
  const create = (name: string) => call<Account>('POST', '/admin/v1/accounts', { name });
  const [full, empty] = [await create(`${long} ${unbroken}`), await create('Empty')];
  for (const name of [unbroken, arabic, chinese]) await create(name);
  const path = `/admin/v1/accounts/${full.id}`;
  const [first = '', second = ''] = await addKeys(call, path);
  await addMoney(call, path);
  const endpoint = { url: webhookUrl, events: ['job.completed', 'key.created', 'cap.reached'] };
  const { id } = await call<{ id: string }>('POST', `/admin/v1/webhooks?account_id=${full.id}`, {
    ...endpoint,
    description: long,
  });
  for (let times = 0; times < 3; times += 1) await call('POST', `/admin/v1/webhooks/${id}/test`);
  for (const value of ['search', unbroken.slice(0, 60), 'very-long-name-of-a-team-of-engineers']) {
    const caps = { daily_cap_usd: 12_345.678901, monthly_cap_usd: 123_456.78 };
    await call('POST', `${path}/budgets`, { tag: 'team', value, ...caps });
  }
  for (const role of ['member', 'operator']) {
    const account = role === 'member' ? { account_id: full.id } : {};
    await call('POST', '/admin/v1/invites', { role, ...account, label: long });
  }
  const as = (key: string, tags = '') => ({
    authorization: `Bearer ${key}`,
    ...(tags === '' ? {} : { 'x-trivium-tags': tags }),
  });
  const tags = ['team=search', 'customer=7', 'environment=production', 'run=2026-11-19T09:30:00Z'];
  const own = as(first, ['project=a-project-with-a-long-name', ...tags].join(','));
  const engines = ['engine_a', 'fusion', 'engine_d'];
  await Promise.all([
    ...texts.map((text, place) => {
      const provider = engines[place % engines.length];
      const body = { query: `${text} ${text}`, provider, safe_search: 'strict' };
      return post('/v1/search', body, own);
    }),
    post('/v1/search', { query: long, provider: 'engine_a', offset: 10, strict: true }, own),
    post('/v1/search', { query: unbroken }, as(second)),
    post('/v1/extract', { urls: ['https://pages.example/unicode/naïve-café'] }, own),
  ]);
  const recording = 'https://recordings.example/interview.wav';
  for (const address of [recording, 'https://recordings.example/missing.wav']) {
    await post('/v1/transcriptions', { audio_url: address }, as(first));
  }
  const query = `account_id=${full.id}`;
  const { requests } = await call<RequestList>('GET', `/admin/v1/requests?${query}`);
  const readJobs = async () => (await call<JobList>('GET', `/admin/v1/jobs?${query}`)).jobs;
  const jobs = await waitFor(readJobs, {
    what: 'both jobs have ended',
    until: (all) => all.every(({ finished_at }) => finished_at !== null),
  });
  addCrowd(gateway.store_dir, full.id, texts);
  const fused = requests.find(({ provider }) => provider === 'fusion')?.id ?? '';
  const details = [
    `/requests?request=${fused}`,
    `/jobs?job=${jobs[0]?.id ?? ''}`,
    '/providers?provider=engine_a',
    '/requests?view=errors',
  ];
  return { full: full.id, empty: empty.id, details };
}

type Call = Operator['call'];

/** Returns the secrets: of a key without limits, and of one that may not search. */
async function addKeys(call: Call, path: string): Promise<string[]> {
  const secrets: string[] = [];
  const limits = {
    daily_cap_usd: 123_456.78,
    monthly_cap_usd: 234_567.891234,
    requests_per_minute: 12_345,
    max_cost_usd: 0.123456,
    providers: ['engine_a', 'engine_b', 'engine_c', 'stt_a'],
    blocked_domains: ['blocked.example'],
  };
  const refused = { tools: ['extract'] };
  for (const [place, name] of texts.entries()) {
    const more = place === 0 ? {} : place === 1 ? refused : limits;
    const { id, key } = await call<NewKey>('POST', `${path}/keys`, { name, ...more });
    secrets.push(key);
    if (place === 3) await call('POST', `/admin/v1/keys/${id}/rotate`, {});
    if (place === 5) await call('DELETE', `/admin/v1/keys/${id}`);
  }
  return secrets;
}

async function addMoney(call: Call, path: string): Promise<void> {
  for (const [place, reason] of texts.entries()) {
    await call('POST', `${path}/topups`, { amount_usd: 10 ** place + 0.123456, reason });
  }
  await call('POST', `${path}/adjustments`, { amount_usd: -0.000001, reason: unbroken });
}
