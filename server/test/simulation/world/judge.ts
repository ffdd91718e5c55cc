// The judge: knows what callers, vendors and receivers saw, and the rows of the store, and nothing of
// the code. Returns what must not be, in words.
import { auditLedger } from '../../../src/billing/audit-books.ts';
import type { Row, Runner } from '../../../src/store/database.ts';
import { isFinal, subjectOf } from './callers.ts';
import type { Tenant, Wish } from './callers.ts';
import { checkHistory } from './linearizable.ts';
import type { Operation } from './linearizable.ts';
import { engineCostUsd } from './outside.ts';
import type { Outside } from './outside.ts';
import { storeFaultKinds } from './plan.ts';
import type { Plan } from './plan.ts';
import type { Answer, World } from './world.ts';

interface Evidence {
  plan: Plan;
  wishes: readonly Wish[];
  outside: Outside;
  tenants: readonly Tenant[];
  /** Reads the store. */
  read: World['read'];
  /** How many callers still wait for an answer. */
  waiting: number;
  refusals: readonly string[];
  /** How each gateway is in the end. */
  gateways: readonly ReturnType<World['gateway']['state']>[];
  /** Commits of this time were lost by a failover without a synchronous standby. */
  lostTimes: readonly { from: number; to: number }[];
}

/** A row of the ledger, with the request that it paid for. */
interface Line {
  id: string;
  kind: string;
  accountId: string;
  amount: number;
  holdId: string | null;
  reason: string | null;
  asked: string;
}

export async function judge(evidence: Evidence): Promise<string[]> {
  const rows = (text: string, values?: readonly unknown[]) => {
    const found = evidence.read(text, values);
    if (!found) throw new Error('the store cannot be read');
    return found;
  };
  const lines = readLines(rows);
  const runner: Runner = {
    run: async <T>(text: string, values?: readonly unknown[]) => rows(text, values) as T[],
    lock: () => '',
  };
  const { violations } = await auditLedger(runner);
  const hasLost = evidence.lostTimes.length > 0;
  const known = evidence.wishes.filter((wish) => !mayBeLost(evidence, wish));
  return [
    ...violations.map((words) => `audit: ${words}`),
    ...judgeEnd(evidence),
    ...judgeSums(evidence, rows, lines),
    ...known.flatMap((wish) => judgeWish(evidence, wish, lines)),
    ...known.flatMap((wish) => judgeJob(evidence, wish, lines, rows)),
    ...(hasLost ? [] : evidence.tenants.flatMap((_, at) => judgeHistory(evidence, at, lines))),
    ...(hasLost ? [] : evidence.outside.faults),
  ];
}

/** What was committed for it may be gone: the standby of a primary that failed did not have it. */
function mayBeLost({ lostTimes }: Evidence, { kind, tries }: Wish): boolean {
  const [first, last] = [tries[0]?.calledAt ?? 0, tries.at(-1)?.returnedAt ?? 0];
  const endedAt = kind === 'transcribe' ? Infinity : last + longestUnseenMs;
  return lostTimes.some(({ from, to }) => first <= to && endedAt >= from);
}

/** So long a request may run whose caller is gone. */
const longestUnseenMs = 60_000;

function readLines(rows: (text: string) => Row[]): Line[] {
  return rows(
    `select t.id, t.kind, t.account_id, t.amount, t.hold_id, t.reason,
       coalesce(r.asked, j.request, '') as asked
     from transfers t left join requests r on r.id = t.hold_id or r.id = t.id
     left join jobs j on t.hold_id = 'job:' || j.id`,
  ).map((row) => ({
    id: String(row['id']),
    kind: String(row['kind']),
    accountId: String(row['account_id']),
    amount: Number(row['amount']),
    holdId: row['hold_id'] === null ? null : String(row['hold_id']),
    reason: row['reason'] === null ? null : String(row['reason']),
    asked: String(row['asked']),
  }));
}

/** Everything ends: callers are answered, and a gateway that may run runs. */
function judgeEnd({ waiting, refusals, gateways, plan }: Evidence): string[] {
  const faults: string[] = [];
  if (waiting > 0) faults.push(`${waiting} callers never got an answer`);
  for (const state of gateways) {
    if (state !== 'up') faults.push(`in the end a gateway is ${state}`);
  }
  if (refusals.length > 0 && !storeFaultKinds.some((kind) => plan.faults.has(kind)))
    faults.push(`it did not start: ${refusals.join('; ')}`);
  return faults;
}

/** The balance is what was paid in minus what was charged, and nothing is held in the end. */
function judgeSums(
  { tenants, wishes }: Evidence,
  rows: (text: string) => Row[],
  lines: readonly Line[],
): string[] {
  const faults: string[] = [];
  for (const { accountId } of tenants) {
    const [account] = rows(`select posted, held from accounts where id = '${accountId}'`);
    const sum = lines
      .filter((line) => line.accountId === accountId)
      .reduce((total, { amount }) => total + amount, 0);
    const posted = Number(account?.['posted']);
    if (posted !== sum) faults.push(`${accountId} has ${posted}, and its movements are ${sum}`);
    if (Number(account?.['held']) !== 0) faults.push(`${account?.['held']} are still held`);
  }
  const [open] = rows('select count(*) as count from holds');
  if (Number(open?.['count']) > 0) faults.push(`${open?.['count']} holds are still open`);
  const [left] = rows('select count(*) as count from deferred');
  if (Number(left?.['count']) > 0) faults.push(`${left?.['count']} settlements are not booked`);
  const spent = new Map<string, number>();
  for (const { kind, holdId, id, amount } of lines) {
    const of = holdId ?? id;
    if (kind === 'settle' || kind === 'refund') spent.set(of, (spent.get(of) ?? 0) + amount);
  }
  for (const [of, sum] of spent) if (sum > 0) faults.push(`${of} was refunded ${sum} too much`);
  // Every charge belongs to something that a caller asked for.
  const known = wishes.map(subjectOf);
  for (const { kind, asked, id } of lines) {
    if (kind !== 'settle' || isOfNoWish(asked)) continue;
    if (!known.some((subject) => asked.includes(subject)))
      faults.push(`${id} paid for nothing: ${asked}`);
  }
  return faults;
}

/** What hostile callers ask for, and those who share the cache. */
function isOfNoWish(asked: string): boolean {
  return /cached \d|solar|^x{50}/.test(asked) || /^[\0\uFFFD]/.test(asked);
}

function usdOf(answer: Answer | undefined): number | undefined {
  if (answer?.kind !== 'answer') return undefined;
  const { usage } = answer.body as { usage?: { cost_usd?: number } };
  return usage?.cost_usd === undefined ? undefined : Math.round(usage.cost_usd * 1_000_000);
}

function isStatus(answer: Answer | undefined, from: number, to: number): boolean {
  return answer?.kind === 'answer' && answer.status >= from && answer.status <= to;
}

/** What one caller saw of one wish, against what was written for it. */
function judgeWish({ plan, outside }: Evidence, wish: Wish, lines: readonly Line[]): string[] {
  const faults: string[] = [];
  const say = (words: string) => faults.push(`${wish.id} of ${wish.caller}: ${words}`);
  const answers = wish.tries.map(({ answer }) => answer);
  for (const answer of answers) {
    if (isStatus(answer, 500, 500)) say(`was answered 500: ${(answer as { text: string }).text}`);
  }
  const last = answers.at(-1);
  for (const { answer, calledAt, returnedAt } of wish.tries) {
    if (answer?.kind === 'answer' && returnedAt - calledAt > longestAnswerMs) {
      say(`waited ${Math.round(returnedAt - calledAt)} ms for an answer`);
    }
  }
  if (wish.kind === 'topup' || wish.kind === 'refund') {
    const moved = lines.filter(({ kind, reason }) => kind === wish.kind && reason === wish.id);
    const isAcknowledged = answers.some((answer) => isStatus(answer, 201, 201));
    if (moved.length > 1) say(`was moved ${moved.length} times`);
    if (isAcknowledged && moved[0]?.amount !== wish.amount) {
      say(`an acknowledged ${wish.kind} of ${wish.amount} is ${moved[0]?.amount} in the ledger`);
    }
    return faults;
  }
  if (wish.kind !== 'search' && wish.kind !== 'extract') return faults;
  const charges = lines.filter(
    ({ kind, asked }) => kind === 'settle' && asked.includes(subjectOf(wish)),
  );
  const served = answers.filter((answer) => isStatus(answer, 200, 200));
  if (charges.length > 1) say(`was charged ${charges.length} times`);
  const charged = -(charges[0]?.amount ?? 0);
  const told = usdOf(served[0]);
  if (told !== undefined && told !== charged) say(`was told ${told} and charged ${charged}`);
  // A vendor's report counts; without strange ones there is one price.
  const price = Math.round(engineCostUsd * 1_000_000);
  if (!plan.faults.has('vendor_price') && charged !== 0 && charged !== price) {
    say(`was charged ${charged} instead of ${price}`);
  }
  const seen = outside.engineCalls.filter(({ subject }) => subject.includes(subjectOf(wish)));
  if (charges.length > 0 && !seen.some(({ isServed }) => isServed))
    say('was charged, but not served');
  if (wish.key === undefined) {
    if (charges.length > 0 && served.length === 0 && isFinal(last as Answer)) {
      say(`was charged, but answered ${(last as { status: number }).status}`);
    }
    return faults;
  }
  const texts = new Set(served.map((answer) => (answer as { text: string }).text));
  if (texts.size > 1) say(`got ${texts.size} different answers under one key`);
  if (isStatus(last, 409, 409)) say('its key stays taken, although nothing runs under it');
  const isEnded = last !== undefined && isFinal(last);
  if (isEnded && charges.length > 0 && served.length === 0) {
    say(`was charged, but in the end answered ${(last as { status: number }).status}`);
  }
  return faults;
}

/** The limits of a request together, and the time that a gateway may be frozen meanwhile. */
const longestAnswerMs = 400_000;

function judgeJob(
  { outside }: Evidence,
  wish: Wish,
  lines: readonly Line[],
  rows: (text: string) => Row[],
): string[] {
  if (wish.kind !== 'transcribe') return [];
  const faults: string[] = [];
  const say = (words: string) => faults.push(`${wish.id} ${wish.jobId ?? ''}: ${words}`);
  const receipts = wish.tries
    .map(({ answer }) => answer)
    .filter((answer) => isStatus(answer, 202, 202))
    .map((answer) => String((answer as { body: Row }).body['id']));
  if (new Set(receipts).size > 1) say(`has ${new Set(receipts).size} jobs`);
  const found = rows('select id, status, finished_at, request from jobs').filter(({ request }) =>
    String(request).includes(subjectOf(wish)),
  );
  if (found.length > 1) say(`started ${found.length} jobs under one key`);
  const [job] = found;
  if (receipts.length > 0 && !job) say('was accepted, and is gone');
  if (!job) return faults;
  const id = String(job['id']);
  const isCompleted = job['status'] === 'completed';
  if (job['finished_at'] === null) say('never ended');
  const charges = lines.filter(({ holdId, kind }) => kind === 'settle' && holdId === `job:${id}`);
  if (charges.length !== (isCompleted ? 1 : 0))
    say(`is ${job['status']} with ${charges.length} charges`);
  const taken = outside.speechJobs.filter(({ audio_url }) => audio_url.includes(subjectOf(wish)));
  const admitted = taken.filter(({ denied }) => !denied);
  if (admitted.length > 1) say(`was submitted ${admitted.length} times`);
  if (isCompleted && !taken.some(({ succeeds }) => succeeds)) say('completed, but was never done');
  // AssemblyAI delivers word of a transcript; the others deliver the transcript itself.
  const delivered = taken.filter(({ received, provider }) => received && provider !== 'stt_a');
  if (!isCompleted && delivered.some(({ succeeds, denied }) => succeeds && !denied)) {
    say(`is ${job['status']}, although its transcript was delivered and taken`);
  }
  const events = outside.deliveries.filter(({ path }) => path === `/${wish.id}`);
  if (events.some(({ signer }) => signer !== wish.account))
    say('got a delivery with a wrong signature');
  const wanted = `job.${String(job['status'])}`;
  if (events.some(({ type }) => type !== wanted))
    say(`is ${job['status']} and announced otherwise`);
  if (!events.some(({ status }) => status < 300)) say(`was never announced as ${wanted}`);
  if (new Set(events.map((event) => event.id)).size > 1) say('was announced under several ids');
  return faults;
}

/** The balances that callers read, and the charges and top-ups between them, have an order. */
function judgeHistory(
  { wishes, tenants, plan }: Evidence,
  at: number,
  lines: readonly Line[],
): string[] {
  const accountId = tenants[at]?.accountId ?? '';
  const history: Operation<number>[] = [];
  const own = wishes.filter(({ account }) => account === at);
  const claimed = new Set<Line>();
  const change = (name: string, amount: number, calledAt: number, returnedAt: number) =>
    history.push({ name, calledAt, returnedAt, apply: (state) => state + amount });
  for (const wish of own) {
    const calledAt = wish.tries[0]?.calledAt ?? 0;
    if (wish.kind === 'balance') {
      for (const { answer, ...times } of wish.tries) {
        if (!isStatus(answer, 200, 200)) continue;
        const { balance_usd, held_usd } = (answer as { body: Record<string, number> }).body;
        const posted = Math.round(((balance_usd ?? 0) + (held_usd ?? 0)) * 1_000_000);
        const apply = (state: number) => (state === posted ? state : undefined);
        history.push({ name: `${wish.id} reads ${posted}`, ...times, isRead: true, apply });
      }
      continue;
    }
    for (const line of lines) {
      const isMovement = wish.kind === 'topup' || wish.kind === 'refund';
      const isOwn = isMovement
        ? line.reason === wish.id
        : line.kind === 'settle' && line.asked.includes(subjectOf(wish));
      if (!isOwn || claimed.has(line)) continue;
      claimed.add(line);
      const end = wish.tries.find(({ answer }) => isStatus(answer, 200, 201))?.returnedAt;
      change(`${wish.id} ${line.kind} ${line.amount}`, line.amount, calledAt, end ?? Infinity);
    }
  }
  // What no wish claims may have happened at any time.
  for (const line of lines) {
    if (line.accountId !== accountId || claimed.has(line) || line.reason === 'opening') continue;
    change(`${line.kind} ${line.amount}`, line.amount, 0, Infinity);
  }
  const verdict = checkHistory(plan.opening[at] ?? 0, history, String);
  if (verdict !== 'impossible') return [];
  return [`the balances of account ${at} have no order: ${storyOf(history)}`];
}

function storyOf(history: readonly Operation<number>[]): string {
  return history
    .toSorted((one, other) => one.calledAt - other.calledAt)
    .map(
      ({ name, calledAt, returnedAt }) =>
        `[${calledAt.toFixed(1)}, ${returnedAt.toFixed(1)}] ${name}`,
    )
    .join('; ');
}
