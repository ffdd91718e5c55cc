// The charts of the overview: requests, cost and latency over time, and usage by provider, key and
// tool.
import { useState } from 'react';
import type { CostSeries, Overview } from '@trivium/contract';
import { outcomes } from '@trivium/contract/outcomes';
import { keyName, toolTitles, useKeys, useProviderName } from '../api/names.ts';
import { count, exactUsd, locale, milliseconds, tickMilliseconds, tickUsd } from '../format.ts';
import { Segments } from '../components/basics.tsx';
import { LatencyBars, UsageBars } from '../components/bars.tsx';
import { Chart } from '../components/chart.tsx';
import {
  colourOfOthers,
  outcomeColours,
  providerColour,
  useColours,
} from '../components/colours.ts';
import type { ChartPoint, ChartProps } from '../components/plot.tsx';
import { outcomeLabels } from '../components/outcome.tsx';
import { useIncidentsBetween } from '../incidents/use-incidents.ts';
import { changeAddress } from '../requests/change-address.ts';
import { withQuery } from '../shell/router.tsx';

type Names = (id: string | null) => string;

export function OverviewCharts({ data }: { data: Overview }) {
  const keys = useKeys().data?.keys ?? [];
  const providerName = useProviderName();
  const names = { provider: providerName, key: (id: string | null) => keyName(keys, id) };
  const { points } = data;
  const range = { at: points[0]?.at, until: points.at(-1)?.until };
  const incidents = useIncidentsBetween(range.at, range.until);
  const time = { ...timeOf(data), incidents };
  const requestsOf = (name: string) => (group: string) =>
    group === '' ? undefined : changeAddress({ [name]: group }, range);
  const allBy = (by: string) => withQuery('/usage', { by, range: usageRangeOf[data.span] });
  const colourOfKey = useColours('key', groupsOf(data.cost_by_key));
  const colourOfTool = useColours('tool', groupsOf(data.by_tool));
  const named = <T extends { group: string }>(parts: readonly T[], name: Names) =>
    parts.map((part) => ({ ...part, name: name(part.group) }));
  return (
    <>
      <div className="grid-two">
        <RequestChart data={data} time={time} />
        <CostChart data={data} time={time} names={names} />
      </div>
      <LatencyChart data={data} time={time} />
      <div className="grid-two">
        <UsageBars
          title="By provider"
          lines={named(data.by_provider, names.provider)}
          hrefOf={requestsOf('provider')}
          colourOf={providerColour}
          hrefOfAll={allBy('provider')}
        />
        <LatencyBars
          title="Latency by provider"
          lines={data.latency_by_provider.flatMap(({ id, requests, p50_ms, p95_ms }) =>
            p50_ms === null || p95_ms === null
              ? []
              : [{ id, name: providerName(id), requests, p50_ms, p95_ms }],
          )}
        />
        <UsageBars
          title="By key"
          lines={named(data.by_key, names.key)}
          hrefOf={requestsOf('key_id')}
          colourOf={colourOfKey}
          hrefOfAll={allBy('key')}
        />
        <UsageBars
          title="By tool"
          lines={named(data.by_tool, (id) => toolTitles[id ?? ''] ?? id ?? '')}
          hrefOf={requestsOf('tool')}
          colourOf={colourOfTool}
          hrefOfAll={allBy('tool')}
        />
      </div>
    </>
  );
}

/** The same range on the page of the usage. */
const usageRangeOf: Readonly<Record<Overview['span'], string>> = {
  '24h': '1d',
  '7d': '7d',
  '30d': '30d',
  '90d': '90d',
};

type Time = Pick<
  ChartProps,
  'isPartial' | 'points' | 'labelOf' | 'rangeOf' | 'hrefOf' | 'incidents'
>;

function RequestChart({ data: { points }, time }: { data: Overview; time: Time }) {
  return (
    <Chart
      {...time}
      title="Requests"
      draw="stacked bars"
      hrefOf={(point) => changeAddress({}, point, 'requests')}
      whole
      format={count}
      formatTick={count}
      series={outcomes.map((outcome) => ({
        key: outcome,
        name: outcomeLabels[outcome],
        values: points.map((point) => point[outcome]),
        colour: outcomeColours[outcome],
        hrefOf: (point) => changeAddress({ outcome }, point, 'requests'),
      }))}
    />
  );
}

interface CostChartProps {
  data: Overview;
  time: Time;
  names: { provider: Names; key: Names };
}

function CostChart({ data, time, names }: CostChartProps) {
  const [by, setBy] = useState<'provider' | 'key'>('provider');
  const series: readonly CostSeries[] =
    by === 'provider' ? data.cost_by_provider : data.cost_by_key;
  const colourOf = useColours(by, groupsOf(series));
  return (
    <Chart
      {...time}
      title="Cost"
      draw="stacked bars"
      hrefOf={(point) => changeAddress({}, point)}
      format={exactUsd}
      formatTick={tickUsd}
      controls={
        <Segments
          label="Cost by"
          options={[
            ['provider', 'Provider'],
            ['key', 'Key'],
          ]}
          value={by}
          onChange={setBy}
        />
      }
      series={series.map(({ group, cost_usd }) => ({
        key: group ?? '',
        name: group === null ? 'All others' : names[by](group),
        values: cost_usd,
        colour: group === null ? colourOfOthers : colourOf(group),
        hrefOf: (point) =>
          group === null
            ? undefined
            : changeAddress({ [by === 'key' ? 'key_id' : 'provider']: group }, point),
      }))}
    />
  );
}

function groupsOf(series: readonly Pick<CostSeries, 'group'>[]): string[] {
  return series.flatMap(({ group }) => group ?? []);
}

function LatencyChart({ data, time }: { data: Overview; time: Time }) {
  const [which, setWhich] = useState<'p50_ms' | 'p95_ms'>('p50_ms');
  const providerName = useProviderName();
  return (
    <Chart
      {...time}
      title="Latency"
      draw="lines"
      format={milliseconds}
      formatTick={tickMilliseconds}
      controls={
        <Segments
          label="Percentile"
          options={[
            ['p50_ms', 'p50'],
            ['p95_ms', 'p95'],
          ]}
          value={which}
          onChange={setWhich}
        />
      }
      series={data.latency_over_time.map(({ id, ...values }) => ({
        key: id,
        name: providerName(id),
        values: values[which],
        colour: providerColour(id),
      }))}
    />
  );
}

const weekMs = 7 * 86_400_000;
const dayFormat = { month: 'short', day: 'numeric' } as const;
const hourFormat = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** In the time zone that the gateway counted in. */
function timeOf({ span, zone: timeZone, points }: Overview): Omit<Time, 'incidents'> {
  const day = new Intl.DateTimeFormat(locale, { ...dayFormat, timeZone });
  const hour = new Intl.DateTimeFormat(locale, { ...hourFormat, timeZone });
  const dayOf = (at: string, shiftMs = 0) => day.format(Date.parse(at) + shiftMs);
  const hourOf = (at: string) => hour.format(Date.parse(at));
  const now = Date.now();
  const rangeOf = ({ at, until }: ChartPoint) => {
    if (span === '24h') return `${hourOf(at)} to ${hourOf(until)}, ${timeZone}`;
    const [first, last] = [dayOf(at), dayOf(until, -1)];
    return `${first === last ? first : `${first} to ${last}`}, ${timeZone}`;
  };
  return {
    points,
    isPartial: ({ at, until }) =>
      Date.parse(until) > now || (span === '90d' && Date.parse(until) - Date.parse(at) < weekMs),
    labelOf: ({ at }) => (span === '24h' ? hourOf(at) : dayOf(at)),
    rangeOf,
    hrefOf: ({ at, until }) => withQuery('/requests', { from: at, to: until }),
  };
}
