// One request of the log: what was asked, what happened at each provider, and what it cost and why.
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import type { RequestCostPart, RequestLine } from '@trivium/contract';
import { labelProviders } from '@trivium/contract/provider-names';
import { admin } from '../api/clients.ts';
import { toolTitles } from '../api/names.ts';
import { useLoad } from '../api/data.ts';
import { exactUsd, milliseconds, preciseWhen, prettyJson } from '../format.ts';
import { Await, ErrorNote, Facts, Loading, Tag } from '../components/basics.tsx';
import { useJob } from '../jobs/use-job.ts';
import { FilterChip } from '../components/filter-chip.tsx';
import { Copy } from '../components/copy.tsx';
import { Detail } from '../components/panel.tsx';
import type { Neighbours } from '../components/panel.tsx';
import { Simulated } from '../components/simulated.tsx';
import { RequestNotes } from './request-notes.tsx';
import { RequestOutcome, jobIdOf } from './request-outcome.tsx';
import { RequestWarnings } from './request-warnings.tsx';
import { SendAgain } from './send-again.tsx';
import { lazyPage } from '../shell/lazy-page.ts';
import { Link } from '../shell/router.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';

const Waterfall = lazyPage(async () => (await import('./waterfall.tsx')).Waterfall);

interface RequestDetailProps {
  id: string;
  names: RequestNames;
  onClose: () => void;
  neighbours: Neighbours;
}

export function RequestDetail({ id, names, onClose, neighbours }: RequestDetailProps) {
  const { account } = useSession();
  const query = { account_id: account.id, id };
  const found = useLoad(
    ['requests', query],
    async () => (await admin.requests.list(query)).requests,
  );
  return (
    <Detail
      title="Request"
      of={found}
      missing="It belongs to another account, or it is older than the request log."
      onClose={onClose}
      neighbours={neighbours}
    >
      {(request) => <RequestFacts request={request} names={names} />}
    </Detail>
  );
}

function RequestFacts({ request, names }: { request: RequestLine; names: RequestNames }) {
  const { error_message, error_type, attempts } = request;
  const jobId = jobIdOf(request);
  const job = useJob(jobId).data?.[0];
  const failure = job?.error?.message ?? error_message ?? error_type;
  return (
    <>
      <div className="row">
        <RequestOutcome of={request} job={job} />
        <span>{outcomeOf(request, names)}</span>
        {jobId === undefined ? null : <Link to={`/jobs?job=${jobId}`}>Open the job</Link>}
        <span className="soft numeric">{milliseconds(request.latency_ms)}</span>
      </div>
      {failure === null ? null : (
        <ErrorNote error={Object.assign(new Error(failure), { type: error_type })} />
      )}
      <SendAgain request={request} />
      <Asked request={request} />
      {attempts.length === 0 && !job ? null : (
        <Section title="Timeline">
          <Suspense fallback={<Loading />}>
            <Waterfall request={request} job={job} nameOf={names.provider} />
          </Suspense>
        </Section>
      )}
      {request.warnings === 0 ? null : (
        <Section title="Warnings">
          <RequestWarnings of={request} />
        </Section>
      )}
      <Section title="Notes">
        <RequestNotes of={request} />
      </Section>
      <Answer request={request} />
      <Section title="Cost">
        <Facts
          facts={costFacts({ ...request, cost_usd: job?.cost_usd ?? request.cost_usd }, names)}
        />
      </Section>
      <Section title="Request">
        <Facts facts={factsOf(request, names)} />
      </Section>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack tight">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

const askedTitles: Readonly<Record<RequestLine['tool'], string>> = {
  search: 'Query',
  extract: 'Pages',
  transcription: 'Recording',
};

function Parameters({ request: { parameters } }: { request: RequestLine }) {
  if (parameters === null) return null;
  return (
    <>
      <h3>Other parameters</h3>
      <pre className="code asked">{JSON.stringify(parameters, null, 2)}</pre>
    </>
  );
}

function Asked({ request }: { request: RequestLine }) {
  const { tool, asked, asked_until, tags } = request;
  return (
    <Section title={askedTitles[tool]}>
      {asked === null ? (
        <p className="soft">The text of this request is not kept.</p>
      ) : (
        <pre className="code asked">{asked}</pre>
      )}
      <Parameters request={request} />
      {asked_until === null ? null : (
        <p className="small soft">Kept until {preciseWhen(asked_until)}</p>
      )}
      <TagList tags={tags} />
    </Section>
  );
}

/**
 * The stored answer, if the gateway keeps answers. That of a transcription is on its job's page.
 */
function Answer({ request: { id, account_id, outcome, tool } }: { request: RequestLine }) {
  const isOperator = useIsOperator();
  const isKept = outcome === 'served' && tool !== 'transcription';
  const found = useLoad(isKept ? ['answer', id] : undefined, () =>
    admin.requests.answer(id, { account_id }),
  );
  if (!isKept) return null;
  return (
    <Await of={found}>
      {({ answer, truncated, kept_until }) =>
        answer === null || kept_until === null ? (
          isOperator && (
            <p className="small soft">
              The answer is not kept. Set <code>TRIVIUM_KEEP_ANSWER_HOURS</code> to keep answers.
            </p>
          )
        ) : (
          <Section title="Answer">
            <pre className="code" tabIndex={0} aria-label="Answer">
              {prettyJson(answer)}
            </pre>
            <div className="row">
              <Copy text={answer} />
              <span className="small soft">
                {truncated ? 'Only the beginning. ' : ''}Kept until {preciseWhen(kept_until)}
              </span>
            </div>
          </Section>
        )
      }
    </Await>
  );
}

function outcomeOf(request: RequestLine, names: RequestNames): string {
  const { error_type, provider } = request;
  if (jobIdOf(request) !== undefined) return 'Accepted as a job';
  if (request.outcome === 'served') return request.from_cache ? 'Served from cache' : 'Served';
  if (request.outcome === 'refused') return 'Refused by this gateway before a provider was called';
  if (error_type === 'internal_error') return 'Failed in this gateway';
  return provider === null ? 'Failed' : `Failed at ${names.provider(provider)}`;
}

const bases = { reported: 'as reported by the provider', list: 'from the price list' } as const;

function whyOf({ cost_basis, cost_parts, replay_of, from_cache }: RequestLine): string {
  if (replay_of !== null) return ': a stored answer was replayed';
  if (from_cache) return ': the answer came from the cache';
  if (cost_basis === 'mixed') {
    const sumOf = (basis: RequestCostPart['basis']) =>
      cost_parts.reduce((sum, part) => sum + (part.basis === basis ? part.cost_usd : 0), 0);
    const reported = `${exactUsd(sumOf('reported'))} ${bases.reported}`;
    return `: ${reported}, ${exactUsd(sumOf('list'))} ${bases.list}`;
  }
  if (cost_parts.length > 0) return ', the sum of its parts';
  return cost_basis === null ? '' : `, ${bases[cost_basis]}`;
}

function costFacts(request: RequestLine, names: RequestNames) {
  const { cost_usd, cost_parts, held_usd, reported_cost_usd } = request;
  return [
    ['Charged', exactUsd(cost_usd) + whyOf(request)],
    ...cost_parts.map(
      (part) =>
        [
          names.provider(part.provider),
          `${exactUsd(part.cost_usd)}, ${bases[part.basis]}`,
        ] as const,
    ),
    ...(held_usd === null ? [] : [['Held', exactUsd(held_usd)] as const]),
    [
      'Cost reported by the provider',
      reported_cost_usd === null ? 'None' : exactUsd(reported_cost_usd),
    ],
  ] as const;
}

function factsOf(request: RequestLine, names: RequestNames) {
  const { id, answer_id, replay_of, delivered } = request;
  return [
    ['Time', preciseWhen(request.created_at)],
    ['Id', <Id key="id" id={id} />],
    ...(answer_id === null ? [] : [['Answer id', <Id key="answer" id={answer_id} />] as const]),
    ...(replay_of === null
      ? []
      : [
          [
            'Replay of',
            <Link key="replay" to={`/requests?request=${replay_of}`}>
              {replay_of}
            </Link>,
          ] as const,
        ]),
    ['Tool', toolTitles[request.tool] ?? request.tool],
    [
      'Provider',
      <span key="own">
        {providerOf(request, names)} <Simulated of={request} />
      </span>,
    ],
    ...(request.routing ? [['Chosen by', labelProviders(request.routing)] as const] : []),
    ['Key', names.key(request.key_id)],
    ...(delivered === null ? [] : [['Results', String(delivered)] as const]),
  ] as const;
}

function Id({ id }: { id: string }) {
  return (
    <>
      <code>{id}</code> <Copy text={id} />
    </>
  );
}

export interface RequestNames {
  key: (id: string) => string;
  provider: (id: string | null) => string;
}

/** A request that the gateway refused never reached the provider that was chosen for it. */
export function providerOf({ provider, outcome }: RequestLine, names: RequestNames): string {
  return outcome === 'refused' ? 'Not called' : names.provider(provider);
}

interface TagListProps {
  tags: RequestLine['tags'];
  /** How many are shown; the others are counted. */
  most?: number;
}

export function TagList({ tags, most = Infinity }: TagListProps) {
  const all = Object.entries(tags);
  if (all.length === 0) return null;
  const rest = all.slice(most).map((tag) => tag.join('='));
  return (
    <span className="tags">
      {all.slice(0, most).map(([name, value]) => (
        <FilterChip key={name} filter={{ q: `tag:${name}=${value}` }}>
          <Tag tone="accent" title={`${name}=${value}`}>
            {name}={value}
          </Tag>
        </FilterChip>
      ))}
      {rest.length === 0 ? null : (
        <Tag tone="accent" title={rest.join(', ')}>
          +{rest.length}
        </Tag>
      )}
    </span>
  );
}
