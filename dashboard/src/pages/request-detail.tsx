// One request of the log: what was asked, what happened at each provider, and what it cost and why.
import type { ReactNode } from 'react';
import type { RequestAttempt, RequestCostPart, RequestLine } from '@trivium/contract';
import { labelProviders } from '@trivium/contract/provider-names';
import { admin } from '../api/clients.ts';
import { toolTitles } from '../api/names.ts';
import { useLoad } from '../api/use-load.ts';
import { exactUsd, milliseconds, preciseWhen } from '../format.ts';
import { ErrorNote, Facts, Tag } from '../components/basics.tsx';
import { Copy } from '../components/copy.tsx';
import { OutcomeTag } from '../components/outcome.tsx';
import { Detail } from '../components/panel.tsx';
import { Link } from '../shell/router.tsx';
import { useSession } from '../shell/session.tsx';

interface RequestDetailProps {
  id: string;
  names: RequestNames;
  onClose: () => void;
}

export function RequestDetail({ id, names, onClose }: RequestDetailProps) {
  const { account } = useSession();
  const query = { account_id: account.id, id };
  const found = useLoad(
    JSON.stringify(query),
    async () => (await admin.requests.list(query)).requests,
  );
  return (
    <Detail
      title="Request"
      of={found}
      missing="It belongs to another account, or it is older than the request log."
      onClose={onClose}
    >
      {(request) => <RequestFacts request={request} names={names} />}
    </Detail>
  );
}

function RequestFacts({ request, names }: { request: RequestLine; names: RequestNames }) {
  const { error_message, error_type, attempts, warning_details } = request;
  const failure = error_message ?? error_type;
  return (
    <>
      <div className="row">
        <OutcomeTag of={request} />
        <span>{outcomeOf(request, names)}</span>
        <span className="soft numeric">{milliseconds(request.latency_ms)}</span>
      </div>
      {failure === null ? null : (
        <ErrorNote error={Object.assign(new Error(failure), { type: error_type })} />
      )}
      <Asked request={request} />
      {attempts.length === 0 ? null : (
        <Section title="Attempts">
          <Attempts attempts={attempts} names={names} />
        </Section>
      )}
      {request.warnings === 0 ? null : (
        <Section title="Warnings">
          <ul className="stack tight">
            {warning_details.map(({ code, param, message }) => (
              <li key={`${param ?? ''} ${message}`} className="note warn">
                <span>
                  <code>{param ?? code}</code> {labelProviders(message)}
                </span>
              </li>
            ))}
            {warning_details.length < request.warnings ? (
              <li className="small soft">
                {request.warnings - warning_details.length} more, not kept in the log
              </li>
            ) : null}
          </ul>
        </Section>
      )}
      <Section title="Cost">
        <Facts facts={costFacts(request, names)} />
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

function Asked({ request: { tool, asked, asked_until, tags } }: { request: RequestLine }) {
  return (
    <Section title={askedTitles[tool]}>
      {asked === null ? (
        <p className="soft">The text of this request is not kept.</p>
      ) : (
        <>
          <pre className="code asked">{asked}</pre>
          {asked_until === null ? null : (
            <p className="small soft">Kept until {preciseWhen(asked_until)}</p>
          )}
        </>
      )}
      <TagList tags={tags} />
    </Section>
  );
}

const outcomes: Readonly<Record<string, string | undefined>> = {
  answered: 'Answered',
  no_results: 'No results',
};

/** Each call as a bar of its length; a panel is called at the same time, others one by one. */
function Attempts({
  attempts,
  names,
}: {
  attempts: readonly RequestAttempt[];
  names: RequestNames;
}) {
  const longest = Math.max(1, ...attempts.map(({ latency_ms }) => latency_ms));
  return (
    <ol className="attempts" aria-label="Attempts">
      {attempts.map(({ provider, outcome, latency_ms, status, message }, place) => {
        const served = Object.hasOwn(outcomes, outcome);
        return (
          <li key={place} className={served ? 'served' : 'refused'}>
            <span>
              {names.provider(provider)}{' '}
              <Tag tone={served ? 'good' : 'bad'}>
                {outcomes[outcome] ?? outcome.replaceAll('_', ' ')}
                {status === null ? '' : ` ${status}`}
              </Tag>
            </span>
            <span className="numeric soft">{milliseconds(latency_ms)}</span>
            <span className="bar-track" aria-hidden="true">
              <span className="bar-fill" style={{ width: `${(100 * latency_ms) / longest}%` }} />
            </span>
            {message === null ? null : (
              <span className="small soft across">{labelProviders(message)}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function outcomeOf(request: RequestLine, names: RequestNames): string {
  const { error_type, provider } = request;
  if (request.outcome === 'served') return request.from_cache ? 'Served from cache' : 'Served';
  if (request.outcome === 'refused') return 'Refused by this gateway before a provider was called';
  if (error_type === 'internal_error') return 'Failed in this gateway';
  return provider === null ? 'Failed' : `Failed at ${names.provider(provider)}`;
}

const bases = { reported: 'as reported by the provider', list: 'by the price list' } as const;

function whyOf({ cost_basis, cost_parts, replay_of, from_cache }: RequestLine): string {
  if (replay_of !== null) return ': a stored answer was sent again';
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
    ...(held_usd === null ? [] : [['Held before', exactUsd(held_usd)] as const]),
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
    ...(answer_id === null
      ? []
      : [['Id of the answer', <Id key="answer" id={answer_id} />] as const]),
    ...(replay_of === null
      ? []
      : [
          [
            'Sent again',
            <Link key="replay" to={`/requests?request=${replay_of}`}>
              {replay_of}
            </Link>,
          ] as const,
        ]),
    ['Tool', toolTitles[request.tool] ?? request.tool],
    ['Provider', providerOf(request, names)],
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

export function TagList({ tags }: { tags: RequestLine['tags'] }) {
  const all = Object.entries(tags);
  if (all.length === 0) return null;
  return (
    <span className="tags">
      {all.map(([name, value]) => (
        <Tag key={name} tone="accent">
          {name}={value}
        </Tag>
      ))}
    </span>
  );
}
