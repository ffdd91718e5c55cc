// The checker: knows what callers, vendors and receivers saw, and the rows of the store, and nothing of
// the code. Returns what must not be, in words.
import { type Answer, usdOf } from './network.ts';
import { auditLedger } from '../../../src/billing/audit-books.ts';
import type { Row, Runner } from '../../../src/store/database.ts';
import { isFinal } from './callers/asking.ts';
import { type Operation, subjectOf, type Try } from './callers/caller.ts';
import { jobIdIn, providerOf } from './callers/requests.ts';
import {
  callsOf,
  isChargeOf,
  isMovement,
  isStatus,
  isSummed,
  mayBeLost,
  isWorkOf,
  takenForDead,
} from './evidence.ts';
import type { Evidence, Line } from './evidence.ts';
import { checkBalances } from './check-history.ts';
import { serialsIn, speechCost } from './engines.ts';
import { checkApplications } from './check-applications.ts';
import { checkCached } from './check-cached.ts';
import { checkEvents } from './check-events.ts';
import { checkLimits } from './check-limits.ts';
import { checkShadows } from './check-shadows.ts';
import { checkSpending } from './check-spending.ts';
import { isFaultyRow, checkShared } from './shared/check-shared.ts';
import { isReadable } from './shared/servers.ts';
import { checkTotals } from './check-totals.ts';
import { unbalancedRows } from './unbalanced-rows.ts';
import { isTouched } from './incidents.ts';
import { forgedWords } from '../vendor-job.ts';
import { shadowPayer, storeFaultKinds } from './plan.ts';

export async function check(evidence: Evidence): Promise<string[]> {
  // Nothing changes any more, so each statement runs once.
  const known = new Map<string, Row[]>();
  const rows = (text: string, values: readonly unknown[] = []) => {
    const question = JSON.stringify([text, values]);
    const found = known.get(question) ?? evidence.read(text, values);
    if (!found) throw new Error('the store cannot be read');
    known.set(question, found);
    return found;
  };
  const lines = readLines(rows, evidence.plan.isShared);
  const runner: Runner = {
    run: async <T>(text: string, values?: readonly unknown[]) => rows(text, values) as T[],
    lock: () => '',
  };
  const { violations } = await auditLedger(runner);
  const hasLost = evidence.lostTimes.length > 0;
  const checked = evidence.operations.filter((operation) => !mayBeLost(evidence, operation));
  return [
    ...evidence.broken,
    ...unbalancedRows(rows),
    ...violations.filter((words) => !isFaultyRow(words)).map((words) => `audit: ${words}`),
    ...checkEnd(evidence),
    ...checkSums(evidence, rows, lines),
    ...checkTotals(evidence, rows),
    ...checkCached(evidence),
    ...checkApplications(evidence, lines),
    ...checked.flatMap((operation) => checkOperation(evidence, operation, lines)),
    ...checked.flatMap((operation) => checkJob(evidence, operation, lines, rows)),
    ...checkCallbacks(rows),
    ...(hasLost ? [] : evidence.tenants.flatMap((_, at) => checkBalances(evidence, at, lines))),
    ...(hasLost ? [] : evidence.outside.faults),
    // Several gateways know of each other's holds, keys and policies a little later.
    ...(evidence.plan.isShared
      ? checkShared(evidence, lines, rows)
      : [...checkSpending(evidence, lines), ...checkShadows(evidence, lines)]),
    ...(evidence.plan.isShared ? [] : checkLimits(evidence, lines, rows)),
    ...(hasLost ? [] : checkEvents(evidence)),
  ];
}

function readLines(rows: (text: string) => Row[], isShared: boolean): Line[] {
  return rows(
    `select t.id, t.kind, t.account_id, t.amount, t.held, t.key_id, t.hold_id, t.reason,
       t.created_at,
       coalesce(r.asked, j.request, '') as asked
     from transfers t left join requests r on r.id = t.hold_id or r.id = t.id
     left join jobs j on t.hold_id = 'job:' || j.id
     order by ${isShared ? 't.created_at, t.id' : 't.rowid'}`,
  ).map((row) => ({
    id: String(row['id']),
    kind: String(row['kind']),
    accountId: String(row['account_id']),
    amount: Number(row['amount']),
    held: row['held'] === null ? null : Number(row['held']),
    keyId: row['key_id'] === null ? null : String(row['key_id']),
    holdId: row['hold_id'] === null ? null : String(row['hold_id']),
    reason: row['reason'] === null ? null : String(row['reason']),
    createdAt: Number(row['created_at']),
    asked: String(row['asked']),
  }));
}

/** Everything ends: callers are answered, and a gateway that may run runs. */
function checkEnd(evidence: Evidence): string[] {
  const { waiting, refusals, gateways } = evidence;
  const faults: string[] = [];
  if (waiting > 0) faults.push(`${waiting} callers never got an answer`);
  for (const state of gateways) {
    if (state !== 'up') faults.push(`in the end a gateway is ${state}`);
  }
  for (const { at, reason } of refusals) {
    const isExcused = isTouched(evidence, storeFaultKinds, at - longestStartMs, at);
    if (!isExcused) faults.push(`it did not start: ${reason}`);
  }
  return faults;
}

/** A store that fails may delay a start for so long. */
const longestStartMs = 30_000;

/** The balance is what was paid in minus what was charged, and nothing is held in the end. */
function checkSums(
  { plan, tenants, operations }: Evidence,
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
  const [left] = rows(`select count(*) as count from deferred where ${isReadable}`);
  if (Number(left?.['count']) > 0) faults.push(`${left?.['count']} settlements are not booked`);
  const spent = new Map<string, number>();
  for (const { kind, holdId, id, amount } of lines) {
    const of = holdId ?? id;
    if (kind === 'settle' || kind === 'refund') spent.set(of, (spent.get(of) ?? 0) + amount);
  }
  for (const [of, sum] of spent) if (sum > 0) faults.push(`${of} was refunded ${sum} too much`);
  // Every charge belongs to something that a caller asked for.
  const known = operations.map(subjectOf);
  const isOfOthers = (asked: string) =>
    isOfNoOperation(asked) || (plan.callers.includes('hostile') && !asked.includes('operation-'));
  const payer = plan.hasShadows ? tenants[shadowPayer]?.accountId : undefined;
  for (const { kind, asked, id, accountId } of lines) {
    if (kind !== 'settle' || accountId === payer || isOfOthers(asked)) continue;
    if (!known.some((subject) => asked.includes(subject)))
      faults.push(`${id} paid for nothing: ${asked}`);
  }
  return faults;
}

/** What hostile callers ask for as a rule, and those who share the cache. */
function isOfNoOperation(asked: string): boolean {
  return /cached \d|solar|^x{50}/.test(asked) || /^[\0\uFFFD]/.test(asked);
}

/** A second rotation ends the secret of a request that waits meanwhile. */
function isReplaced(
  operations: readonly Operation[],
  account: number,
  { calledAt, returnedAt }: Try,
) {
  const rotations = operations.filter((other) => {
    const isRotation = other.account === account && other.change?.path.endsWith('/rotate');
    return isRotation && other.tries.some((one) => isWithin(one, calledAt, returnedAt));
  });
  return rotations.length >= 2;
}

function isWithin(one: Try, from: number, until: number): boolean {
  return one.calledAt < until && one.returnedAt > from;
}

/** What one caller saw of one operation, against what was written for it. */
function checkOperation(
  evidence: Evidence,
  operation: Operation,
  lines: readonly Line[],
): string[] {
  const { operations } = evidence;
  const faults: string[] = [];
  const say = (words: string) => faults.push(`${operation.id} of ${operation.caller}: ${words}`);
  const answers = operation.tries.map(({ answer }) => answer);
  for (const answer of answers) {
    if (isStatus(answer, 500, 500)) say(`was answered 500: ${(answer as { text: string }).text}`);
  }
  for (const one of operation.tries) {
    const { answer } = one;
    const isCutOff = isTouched(
      evidence,
      takenForDead,
      one.calledAt - longestCutOffMs,
      one.returnedAt,
    );
    if (operation.isForbidden && isStatus(answer, 200, 200) && !isCutOff) {
      say('a revoked key still works');
    }
    const hasLost = evidence.lostTimes.length > 0;
    const isKnown =
      !operation.isForbidden && !operation.access && operation.caller !== 'hostile' && !hasLost;
    if (isKnown && isStatus(answer, 401, 401) && !isReplaced(operations, operation.account, one)) {
      say('a valid key was refused');
    }
  }
  const last = answers.at(-1);
  for (const { answer, calledAt, returnedAt } of operation.tries) {
    if (answer?.kind === 'answer' && returnedAt - calledAt > longestAnswerMs) {
      say(`waited ${Math.round(returnedAt - calledAt)} ms for an answer`);
    }
  }
  if (isMovement(operation)) {
    const moved = lines.filter(
      ({ kind, reason }) => kind === operation.kind && reason === operation.id,
    );
    const isAcknowledged = answers.some((answer) => isStatus(answer, 201, 201));
    if (moved.length > 1) say(`was moved ${moved.length} times`);
    if (isAcknowledged && moved[0]?.amount !== operation.amount) {
      say(
        `an acknowledged ${operation.kind} of ${operation.amount} is ${moved[0]?.amount} in the ledger`,
      );
    }
    return faults;
  }
  if (operation.kind !== 'search' && operation.kind !== 'extract') return faults;
  const charges = lines.filter((line) => isChargeOf(evidence, operation, line));
  const served = answers.filter((answer) => isStatus(answer, 200, 200));
  if (charges.length > 1) say(`was charged ${charges.length} times`);
  const charged = -(charges[0]?.amount ?? 0);
  const told = usdOf(served[0]);
  if (told !== undefined && told !== charged) say(`was told ${told} and charged ${charged}`);
  const seen = callsOf(evidence, operation);
  const prices = seen.filter(({ isServed }) => isServed).map(({ owed }) => owed);
  if (charges.length > 0 && prices.length === 0) say('was charged, but not served');
  else if (charges.length > 0 && !isPriceOf(operation, charged, prices)) {
    say(`was charged ${charged} instead of ${prices.join(' or ')}`);
  }
  // The price of the call, or of the calls, whose answer it is.
  const shown = new Set(served.flatMap((answer) => serialsIn((answer as { text: string }).text)));
  const used = seen.filter(({ serial }) => shown.has(serial));
  const owed = used.reduce((sum, call) => sum + call.owed, 0);
  if (used.length < shown.size) say('got the answer to something else');
  else if (used.length > 0 && (isSummed(operation) ? owed > charged : owed !== charged)) {
    say(`owes ${owed} and was charged ${charged}`);
  }
  if (operation.key === undefined) {
    if (charges.length > 0 && served.length === 0 && isFinal(last as Answer)) {
      say(`was charged, but answered ${(last as { status: number }).status}`);
    }
    return faults;
  }
  const texts = new Set(served.map((answer) => (answer as { text: string }).text));
  if (texts.size > 1) say(`got ${texts.size} different answers under one key`);
  if (isStatus(last, 409, 409)) say('its key stays taken, although nothing runs under it');
  // The rules of today apply to an answer of yesterday.
  const isForbidden = operations.some(
    ({ account, change }) => account === operation.account && change?.allowsSearch === false,
  );
  const isEnded = last !== undefined && isFinal(last) && !isForbidden;
  if (isEnded && charges.length > 0 && served.length === 0) {
    say(`was charged, but in the end answered ${(last as { status: number }).status}`);
  }
  return faults;
}

const longestCutOffMs = 60_000;

/** The price of one call, or what calls cost together. */
function isPriceOf(operation: Operation, charged: number, prices: readonly number[]): boolean {
  if (!isSummed(operation)) return prices.includes(charged);
  return charged <= prices.reduce((sum, price) => sum + price, 0);
}

/** The limits of a request together, and the time that a gateway may be frozen meanwhile. */
const longestAnswerMs = 400_000;

function checkJob(
  { outside }: Evidence,
  operation: Operation,
  lines: readonly Line[],
  rows: (text: string) => Row[],
): string[] {
  if (operation.kind !== 'transcribe') return [];
  const faults: string[] = [];
  const say = (words: string) => faults.push(`${operation.id} ${operation.jobId ?? ''}: ${words}`);
  const receipts = operation.tries.flatMap(({ answer }) => jobIdIn(answer) ?? []);
  if (new Set(receipts).size > 1) say(`has ${new Set(receipts).size} jobs`);
  const found = rows('select id, status, finished_at, request from jobs').filter(({ request }) =>
    String(request).includes(subjectOf(operation)),
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
  checkForm(operation, isCompleted, charges, say);
  const charged = -(charges[0]?.amount ?? 0);
  const price = speechCost(providerOf(operation), operation.isForm);
  if (charges.length > 0 && charged !== price) say(`was charged ${charged} instead of ${price}`);
  const told = usdOf(operation.job);
  if (told !== undefined && told !== charged) say(`was told ${told} and charged ${charged}`);
  const taken = outside.speechJobs.filter((one) => isWorkOf(one, subjectOf(operation), id));
  const admitted = taken.filter(({ denied }) => !denied);
  if (admitted.length > 1) say(`was submitted ${admitted.length} times`);
  if (isCompleted && !taken.some(({ succeeds }) => succeeds)) say('completed, but was never done');
  // AssemblyAI delivers word of a transcript; the others deliver the transcript itself.
  const delivered = taken.filter(({ received, provider }) => received && provider !== 'stt_a');
  if (!isCompleted && delivered.some(({ succeeds, denied }) => succeeds && !denied)) {
    say(`is ${job['status']}, although its transcript was delivered and taken`);
  }
  const events = outside.deliveries.filter(({ path }) => path === `/${operation.id}`);
  if (events.some(({ signer }) => signer !== operation.account))
    say('got a delivery with a wrong signature');
  const wanted = `job.${String(job['status'])}`;
  if (events.some(({ type }) => type !== wanted))
    say(`is ${job['status']} and announced otherwise`);
  if (!events.some(({ status }) => status < 300)) say(`was never announced as ${wanted}`);
  if (new Set(events.map((event) => event.id)).size > 1) say('was announced under several ids');
  return faults;
}

/** A callback is kept until its job ends, and no longer. Nothing that a forger sent is taken. */
function checkCallbacks(rows: (text: string) => Row[]): string[] {
  const [left] = rows('select count(*) as count from callbacks');
  const forged = rows(
    `select id from texts where job_id is not null and content like '%${forgedWords}%'`,
  );
  return [
    ...(Number(left?.['count']) > 0 ? [`${left?.['count']} callbacks are left`] : []),
    ...forged.map(({ id }) => `${String(id)} is forged, and was taken for genuine`),
  ];
}

/** An answer in OpenAI's shape is the transcript with its price, or the failure of the job. */
function checkForm(
  { isForm, tries }: Operation,
  isCompleted: boolean,
  charges: readonly Line[],
  say: (words: string) => void,
): void {
  if (isForm !== true) return;
  for (const { answer } of tries) {
    if (answer?.kind !== 'answer' || answer.status !== 200) continue;
    if (!isCompleted || answer.body['text'] !== 'hello') say(`was answered ${answer.text}`);
    const told = Math.round(Number(answer.headers.get('x-trivium-cost-usd')) * 1_000_000);
    const charged = -(charges[0]?.amount ?? 0);
    if (told !== charged) say(`was told ${told} and charged ${charged}`);
  }
}
