// The providers of this gateway: state and health, capabilities and prices.
import { Suspense, useState } from 'react';
import type {
  ProviderCheck,
  ProviderDescription,
  ProviderRecord,
  ToolName,
} from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { toolTitles, useProviders } from '../api/names.ts';
import { useAction } from '../api/use-action.ts';
import { useLoad } from '../api/data.ts';
import { count, milliseconds, share } from '../format.ts';
import { Await, Button, DocsLink, Page, Segments, Tag } from '../components/basics.tsx';
import { Table } from '../components/table.tsx';
import { lazyPage } from '../shell/lazy-page.ts';
import { closeDetail, openDetail, setQuery, useLocation } from '../shell/router.tsx';
import { useIsOperator } from '../shell/session.tsx';
import { CapabilityMatrix, PriceTable } from './capability-matrix.tsx';
import { OverlapTable } from './overlap-table.tsx';
import { healthOf } from './provider-health.ts';
import { reasonOf } from './provider-reason.ts';

const tools: readonly ToolName[] = ['search', 'extract', 'transcription'];

export function ProvidersPage() {
  const providers = useProviders();
  const { query } = useLocation();
  const tool = tools.find((name) => name === query.get('tool')) ?? 'search';
  return (
    <Page
      title="Providers"
      intro="The providers of this gateway, their health, capabilities and prices."
      aside={<DocsLink page="providers" />}
    >
      <Await of={providers}>
        {({ providers: all }) => (
          <>
            <Health providers={all} />
            <div className="row apart">
              <h2>Capabilities</h2>
              <Segments
                label="Tool"
                options={tools.map((name) => [name, toolTitles[name] ?? name] as const)}
                value={tool}
                onChange={(name) => setQuery({ tool: name })}
              />
            </div>
            <CapabilityMatrix providers={all} tool={tool} />
            <h2>Prices</h2>
            <PriceTable providers={all} tool={tool} />
            {tool === 'search' ? <OverlapTable providers={all} /> : null}
          </>
        )}
      </Await>
    </Page>
  );
}

function Health({ providers }: { providers: readonly ProviderDescription[] }) {
  const operator = useIsOperator();
  const records = useLoad(operator ? ['providers', 'records'] : undefined, () =>
    admin.providers.records(),
  );
  const of = (id: string) => records.data?.records.find((one) => one.id === id);
  const open = useLocation().query.get('provider');
  const chosen = providers.find(({ id }) => id === open);
  return (
    <>
      <Table
        label="State and health"
        rows={providers}
        keyOf={({ id }) => id}
        selected={open}
        {...(operator
          ? { onOpen: ({ id }: ProviderDescription) => openDetail('provider', id) }
          : {})}
        columns={[
          { title: 'Provider', show: ({ name }) => <strong>{name}</strong> },
          { title: 'Id', optional: true, show: ({ id }) => <code>{id}</code> },
          { title: 'State', wrap: true, show: (one) => <StateTag of={one} record={of(one.id)} /> },
          {
            title: 'Tools',
            wrap: true,
            optional: true,
            show: ({ tools: own }) => Object.keys(own).join(', '),
          },
          ...(operator
            ? [
                {
                  title: 'Recent requests',
                  right: true,
                  optional: true,
                  show: ({ id }: ProviderDescription) => count(of(id)?.requests ?? 0),
                },
                {
                  title: 'Failed',
                  right: true,
                  show: ({ id }: ProviderDescription) =>
                    share(of(id)?.failures ?? 0, of(id)?.requests ?? 0),
                },
                {
                  title: 'Median, p95',
                  right: true,
                  show: ({ id }: ProviderDescription) => speedOf(of(id)?.p50_ms, of(id)?.p95_ms),
                },
                {
                  title: 'Check',
                  optional: true,
                  show: (one: ProviderDescription) => <CheckButton provider={one} />,
                },
              ]
            : []),
        ]}
      />
      {operator && open !== null ? (
        <Suspense>
          <ProviderDetail
            provider={chosen}
            record={of(open)}
            check={chosen ? <CheckButton provider={chosen} /> : null}
            onClose={() => closeDetail('provider')}
          />
        </Suspense>
      ) : null}
    </>
  );
}

const ProviderDetail = lazyPage(async () => (await import('./provider-detail.tsx')).ProviderDetail);

interface StateTagProps {
  of: ProviderDescription;
  /** Its latest requests, which only operators see. */
  record: ProviderRecord | undefined;
}

function StateTag({ of: provider, record }: StateTagProps) {
  const [tone, words] = healthOf(provider, record);
  const reason = reasonOf(provider);
  return (
    <div className="stack tight">
      <span>
        <Tag tone={tone}>{words}</Tag>
      </span>
      {reason === undefined ? null : <span className="small soft">{reason}</span>}
    </div>
  );
}

function speedOf(p50: number | null | undefined, p95: number | null | undefined): string {
  if (p50 === null || p50 === undefined) return '–';
  return `${milliseconds(p50)}, ${milliseconds(p95 ?? p50)}`;
}

/** Makes one real call and shows its result beside the button. */
function CheckButton({ provider }: { provider: ProviderDescription }) {
  const [found, setFound] = useState<ProviderCheck>();
  const check = useAction(async () => {
    setFound(undefined);
    setFound(await admin.providers.check(provider.id));
  });
  if (provider.state !== 'configured') return null;
  return (
    <span className="row">
      <Button
        kind="plain"
        busy={check.busy}
        label={`Check ${provider.name} with one real call`}
        onPress={(event) => {
          // Otherwise the row would open its detail.
          event.stopPropagation();
          check.run();
        }}
      >
        Check
      </Button>
      <span role="status" className="small">
        {check.error ? <Tag tone="bad">{check.error.message}</Tag> : null}
        {found ? (
          <Tag tone={found.ok ? 'good' : 'bad'} title={found.message}>
            {found.ok ? `works, ${milliseconds(found.latency_ms)}` : found.message}
          </Tag>
        ) : null}
      </span>
    </span>
  );
}
