// The settings that this gateway runs with, for operators; secrets are hidden.
import type { SettingLine } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { providerName } from '../api/names.ts';
import { useLoad } from '../api/data.ts';
import { Await, DocsLink, Facts, Page, Segments, Tag } from '../components/basics.tsx';
import { Table } from '../components/table.tsx';
import { setQuery, useLocation } from '../shell/router.tsx';

const stores = { sqlite: 'SQLite, in the data directory', postgres: 'PostgreSQL' };

export function SettingsPage() {
  const view = useLoad(['settings'], () => admin.settings());
  const all = useLocation().query.get('show') === 'all';
  return (
    <Page
      title="Settings"
      intro="The environment variables this gateway was started with. Secrets are hidden."
      aside={
        <div className="row">
          <DocsLink page="settings" />
          <Segments
            label="Show"
            options={[
              ['set', 'Set explicitly'],
              ['all', 'All, including defaults'],
            ]}
            value={all ? 'all' : 'set'}
            onChange={(chosen) => setQuery({ show: chosen === 'all' ? 'all' : undefined })}
          />
        </div>
      }
    >
      <Await of={view}>
        {({ version, mode, store, settings }) => {
          const shown = settings.filter(({ is_set }) => all || is_set);
          return (
            <>
              <section className="card" aria-label="This gateway">
                <Facts
                  facts={[
                    ['Version', version],
                    ['Mode', mode === 'sandbox' ? 'Sandbox: every vendor is simulated' : 'Live'],
                    ['Store', stores[store]],
                  ]}
                />
              </section>
              <h2>The gateway</h2>
              <Lines label="Settings of the gateway" lines={shown.filter(isOfGateway)} />
              <h2>Providers</h2>
              <Lines
                label="Settings of providers"
                lines={shown.filter((line) => !isOfGateway(line))}
              />
            </>
          );
        }}
      </Await>
    </Page>
  );
}

function isOfGateway({ provider }: SettingLine): boolean {
  return provider === null;
}

function Lines({ label, lines }: { label: string; lines: readonly SettingLine[] }) {
  if (lines.length === 0) return <p className="soft">Nothing is set, so the defaults apply.</p>;
  return (
    <Table
      label={label}
      rows={lines}
      keyOf={({ name }) => name}
      columns={[
        { title: 'Variable', line: 1, show: ({ name }) => <code>{name}</code>, wrap: true },
        { title: 'Value', line: 2, show: (line) => <Value of={line} />, wrap: true },
        {
          title: 'From',
          line: 1,
          show: ({ is_set, provider }) => (
            <>
              {is_set ? <Tag tone="accent">Set</Tag> : <Tag>Default</Tag>}{' '}
              {provider === null ? null : (
                <span className="small soft">{providerName(provider)}</span>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

function Value({ of: { value, is_secret, is_set } }: { of: SettingLine }) {
  if (is_secret) return <span className="soft">{is_set ? 'Set (hidden)' : 'Not set'}</span>;
  return value === null ? <span className="soft">None</span> : <code>{value}</code>;
}
