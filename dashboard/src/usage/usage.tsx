// The usage page: spending in any range, by tag, key, provider, tool or account, compared with the
// previous range, and the budgets.
import type { UsageLine, UsageReport } from '@trivium/contract';
import type { AccountUsageFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { keyName, toolTitles, useAccounts, useKeys, useProviderName } from '../api/names.ts';
import { useLoad } from '../api/data.ts';
import { Await, DocsLink, Empty, Money, Page, Segments } from '../components/basics.tsx';
import { Download } from '../components/download.tsx';
import { Change } from '../components/change.tsx';
import { Chart } from '../components/chart.tsx';
import { colourOfOthers, useColours } from '../components/colours.ts';
import { Input, Select } from '../components/field.tsx';
import { useFilters } from '../components/filters.tsx';
import { Figure } from '../components/figure.tsx';
import { OutcomeFigures } from '../components/outcome-figures.tsx';
import { LongTable } from '../components/long-table.tsx';
import { SavedViews } from '../components/saved-views.tsx';
import { count, day, exactUsd, locale, share, tickUsd } from '../format.ts';
import { useIncidentsBetween } from '../incidents/use-incidents.ts';
import { Link, setQuery, useLocation } from '../shell/router.tsx';
import { useIsOperator, useSession } from '../shell/session.tsx';
import { changeAddress } from '../requests/change-address.ts';
import { Budgets } from '../budgets/budgets.tsx';
import { StoredUsage } from './stored-usage.tsx';
import { costSeries, daysOfRange, intervalsOf, usageRanges } from './usage-figures.ts';
import type { Days } from './usage-figures.ts';

/** More tag names than this do not fit into the list. */
const maxTags = 8;
const between = 'between';
const grouping = { name: 'by', label: 'Group by' };

export function UsagePage() {
  const { account } = useSession();
  const days = useDays();
  const query = { account_id: account.id, by: 'tag', ...days } as const;
  const names = useLoad(['usage', query], () => admin.usage(query));
  const tags = costliest(names.data?.usage ?? [])
    .map(({ group }) => group)
    .slice(0, maxTags);
  const { by: chosen } = useFilters<AccountUsageFilters>([grouping]);
  // Operators usually pass on costs by tag, so the first tag is the default if there is one.
  const by = chosen ?? (tags[0] === undefined ? 'key' : (`tag:${tags[0]}` as const));
  return (
    <Page
      title="Usage"
      intro={`What requests cost${rangeOf(days)}, by tag, key, provider or tool. Days are in UTC.`}
      aside={
        <div className="row">
          <DocsLink page="dashboard#usage" />
          <SavedViews page="/usage" />
          <MonthFile by={by} />
          <RangePicker days={days} />
        </div>
      }
    >
      <GroupPicker by={by} tags={tags} />
      {names.loading && chosen === undefined ? null : <Report by={by} days={days} />}
      <Budgets />
      <StoredUsage />
    </Page>
  );
}

/** By account, operators see all of them. */
function scopeOf(by: string, accountId: string) {
  return by === 'account' ? {} : { account_id: accountId };
}

/** The last whole month, as people need it for their books. */
function MonthFile({ by }: { by: string }) {
  const { account } = useSession();
  const days = daysOfRange('last-month', Date.now());
  const query = { ...scopeOf(by, account.id), by, ...days, format: 'csv' };
  return (
    <Download
      of="/admin/v1/usage"
      query={query}
      name={`${month.format(new Date(days.from))} CSV`}
    />
  );
}

/** The days in the address, or the last 30. */
function useDays(): Days {
  const { query } = useLocation();
  const preset = daysOfRange(query.get('range') ?? '30d', Date.now());
  const [from, to] = [query.get('from') ?? preset.from, query.get('to') ?? preset.to];
  return { from, to: to < from ? from : to };
}

/** Nothing where the address has something else than days. */
function rangeOf({ from, to }: Days): string {
  const isRange = [from, to].every((at) => !Number.isNaN(Date.parse(at)));
  return isRange ? ` from ${day(from)} to ${day(to)}` : '';
}

function RangePicker({ days }: { days: Days }) {
  const { query } = useLocation();
  const isBetween = query.has('from') || query.has('to');
  const field = (name: 'from' | 'to', label: string) => (
    <Input
      label={label}
      type="date"
      max="9998-12-31"
      value={days[name]}
      onChange={(value) => setQuery({ [name]: value })}
    />
  );
  return (
    <div className="row">
      <Select
        label="Time"
        options={[...usageRanges, [between, 'Custom range']]}
        value={isBetween ? between : (query.get('range') ?? '30d')}
        onChange={(range) =>
          setQuery(range === between ? { ...days } : { range, from: undefined, to: undefined })
        }
      />
      {isBetween ? (
        <>
          {field('from', 'From')}
          {field('to', 'To')}
        </>
      ) : null}
    </div>
  );
}

function GroupPicker({ by, tags }: { by: string; tags: readonly string[] }) {
  const operator = useIsOperator();
  const named = by.startsWith('tag:') ? [...new Set([...tags, by.slice('tag:'.length)])] : tags;
  return (
    <Segments
      label="Group by"
      options={[
        ...named.map((tag) => [`tag:${tag}`, `Tag ${tag}`] as const),
        ['key', 'Key'],
        ['provider', 'Provider'],
        ['tool', 'Tool'],
        ...(operator ? [['account', 'Account'] as const] : []),
      ]}
      value={by}
      onChange={(chosen) => setQuery({ by: chosen })}
    />
  );
}

function Report({ by, days }: { by: NonNullable<AccountUsageFilters['by']>; days: Days }) {
  const { account } = useSession();
  const query = {
    ...scopeOf(by, account.id),
    by,
    ...days,
    compare: 'previous',
    interval: 'day',
  } as const;
  const report = useLoad(['usage', query], () => admin.usage(query));
  const { interval, ...range } = query;
  const table = { ...range, format: 'csv' };
  return (
    <Await of={report}>
      {(data) => (
        <>
          <Totals report={data} days={days} />
          {data.usage.length === 0 ? (
            <Empty card title="No requests in this time range">
              No requests were made, so nothing was spent.
            </Empty>
          ) : (
            <Groups report={data} days={days} />
          )}
          <div className="row">
            <Download of="/admin/v1/usage" query={table} name="CSV" />
            <Download of="/admin/v1/usage" query={{ ...table, interval }} name="CSV by day" />
          </div>
        </>
      )}
    </Await>
  );
}

const before = 'the previous range';

function Totals({ report: { total, previous }, days }: { report: UsageReport; days: Days }) {
  return (
    <dl className="figures">
      <Figure name="Spent" value={<Money usd={total.cost_usd} />}>
        <Change now={total.cost_usd} before={previous?.cost_usd ?? 0} than={before} />
      </Figure>
      <OutcomeFigures total={total} previous={previous} than={before} range={days} />
    </dl>
  );
}

/** The filter of the request log that selects a group; undefined for requests without the tag. */
function filterOf(by: string, group: string): Record<string, string> | undefined {
  if (by.startsWith('tag:')) {
    return group === '' ? undefined : { q: `tag:${by.slice('tag:'.length)}=${group}` };
  }
  const names: Readonly<Record<string, string | undefined>> = {
    key: 'key_id',
    provider: 'provider',
    tool: 'tool',
    account: 'account',
  };
  const name = names[by];
  return name === undefined || group === '' ? undefined : { [name]: group };
}

function useGroupNames(by: string): (group: string) => string {
  const keys = useKeys().data?.keys ?? [];
  const accounts = useAccounts(by === 'account');
  const providerName = useProviderName();
  if (by === 'key') return (id) => keyName(keys, id);
  if (by === 'provider') return (id) => (id === '' ? 'None chosen' : providerName(id));
  if (by === 'tool') return (tool) => toolTitles[tool] ?? tool;
  if (by === 'account') {
    return (id) => accounts.find((one) => one.id === id)?.name ?? id;
  }
  return (value) => (value === '' ? 'Without this tag' : value);
}

function Groups({ report: { by, usage, total }, days }: { report: UsageReport; days: Days }) {
  const nameOf = useGroupNames(by);
  const lines = costliest(usage);
  const intervals = intervalsOf(days);
  const series = costSeries(lines, intervals);
  const colourOf = useColours(
    by,
    series.flatMap(({ group }) => group ?? []),
  );
  const now = Date.now();
  const incidents = useIncidentsBetween(days.from, days.to);
  const hrefOf = (group: string | null, part: Parameters<typeof changeAddress>[1]) => {
    const filter = group === null ? undefined : filterOf(by, group);
    return filter && changeAddress(filter, part);
  };
  return (
    <>
      <Chart
        title="Cost"
        points={intervals}
        incidents={incidents}
        draw="stacked bars"
        format={exactUsd}
        formatTick={tickUsd}
        isPartial={({ until }) => Date.parse(until) > now}
        labelOf={({ at }) => shortDay.format(new Date(at))}
        rangeOf={({ at, until }) => rangeWords(at, until)}
        hrefOf={(point) => changeAddress({}, point)}
        series={series.map(({ group, values }) => ({
          key: group ?? '\0others',
          name: group === null ? 'All others' : nameOf(group),
          values,
          colour: group === null ? colourOfOthers : colourOf(group),
          hrefOf: (point) => hrefOf(group, point),
        }))}
      />
      <LongTable
        label="Usage"
        rows={lines}
        keyOf={({ group }) => group}
        columns={[
          {
            title: titleOf(by),
            line: 1,
            wrap: true,
            show: ({ group }) => {
              const href = hrefOf(group, { at: intervals[0]?.at, until: intervals.at(-1)?.until });
              const name = nameOf(group);
              return href === undefined ? name : <Link to={href}>{name}</Link>;
            },
          },
          { title: 'Cost', line: 1, right: true, show: ({ cost_usd }) => <Money usd={cost_usd} /> },
          {
            title: 'Share',
            line: 2,
            right: true,
            show: ({ cost_usd }) => share(cost_usd, total.cost_usd),
          },
          {
            title: 'Previous range',
            right: true,
            optional: true,
            show: ({ previous }) => <Money usd={previous?.cost_usd ?? 0} />,
          },
          {
            title: 'Change',
            line: 2,
            right: true,
            show: ({ cost_usd, previous }) => (
              <Change now={cost_usd} before={previous?.cost_usd ?? 0} than={before} />
            ),
          },
          {
            title: 'Requests',
            line: 2,
            right: true,
            show: ({ requests }, brief) => `${count(requests)}${brief ? ' requests' : ''}`,
          },
          { title: 'Refused', right: true, optional: true, show: ({ refused }) => count(refused) },
          { title: 'Failed', right: true, optional: true, show: ({ failed }) => count(failed) },
        ]}
      />
    </>
  );
}

const shortDay = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

const month = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });

function titleOf(by: string): string {
  return by.startsWith('tag:') ? by.slice('tag:'.length) : by.charAt(0).toUpperCase() + by.slice(1);
}

function rangeWords(at: string, until: string): string {
  const last = new Date(Date.parse(until) - 1).toISOString();
  const [from, to] = [day(at.slice(0, 10)), day(last.slice(0, 10))];
  return from === to ? `${from}, UTC` : `${from} to ${to}, UTC`;
}

function costliest(lines: readonly UsageLine[]): UsageLine[] {
  return lines.toSorted(
    (one, other) => other.cost_usd - one.cost_usd || other.requests - one.requests,
  );
}
