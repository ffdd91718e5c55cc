// The report of an evaluation: conclusions, price against quality, the figures of each engine, and the
// same files that the command line writes.
import { useMemo } from 'react';
import { providerNames } from '@trivium/contract/provider-names';
import {
  answersCsv,
  concludeFrom,
  count,
  enginesCsv,
  measureEngines,
  summaryOf,
  writeHtml,
} from '@trivium/sdk/evaluate';
import type { Judgements, Report } from '@trivium/sdk/evaluate';
import { saveFile } from '../api/save-file.ts';
import { Button, Money } from '../components/basics.tsx';
import { Icon } from '../components/icon.tsx';
import { Table } from '../components/table.tsx';
import { count as whole, milliseconds, share, usd } from '../format.ts';
import { PriceQuality } from './price-quality.tsx';
import type { Outcome } from './use-evaluation.ts';

const qualities = { ndcg: 'nDCG@10', agreement: 'Agreement' } as const;

interface EvaluationReportProps {
  of: Outcome;
  judged: { judgements: Judgements; notes: readonly string[] } | undefined;
  /** Of the queries. */
  name: string;
}

export function EvaluationReport({ of, judged, name }: EvaluationReportProps) {
  const { spentUsd } = of;
  const report = useMemo(
    () => measureEngines(of.queries, of.engines, of.answers, judged?.judgements),
    [of, judged],
  );
  const notes = [...(judged?.notes ?? []), ...of.notes];
  const { decides, engines, queries } = report;
  const quality = qualities[decides];
  const placed = engines.flatMap(({ engine: id, figures, byQuery }) => {
    const found = figures[decides];
    if (!found) return [];
    const { value: mean, lower, upper } = found;
    const price = figures.cost?.value ?? null;
    return [{ id, name: providerNames[id], mean, lower, upper, price, observations: byQuery.size }];
  });
  return (
    <section className="stack" aria-label="Report">
      <p role="status">
        {count(queries.length, 'query was', 'queries were')} answered, for {usd(spentUsd)}.
      </p>
      <ul className="bulleted">
        {[...concludeFrom(report), ...notes].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {placed.length === 0 ? null : <PriceQuality figure={quality} engines={placed} />}
      <Table
        label="Engines"
        rows={engines}
        keyOf={({ engine }) => engine}
        columns={[
          { title: 'Engine', show: ({ engine }) => providerNames[engine] },
          {
            title: quality,
            right: true,
            show: ({ figures }) => figures[decides]?.value.toFixed(3) ?? '–',
          },
          { title: 'Answers', right: true, show: ({ answers }) => whole(answers) },
          {
            title: 'Empty',
            right: true,
            show: ({ figures }) => share(figures.empty?.value ?? 0, 1),
          },
          {
            title: 'Failed',
            right: true,
            show: ({ figures }) => share(figures.failed?.value ?? 0, 1),
          },
          {
            title: 'Latency',
            right: true,
            show: ({ figures: { latency } }) =>
              latency ? milliseconds(Math.round(latency.value)) : '–',
          },
          {
            title: 'Price',
            right: true,
            show: ({ figures: { cost } }) => (cost ? <Money usd={cost.value} /> : '–'),
          },
        ]}
      />
      <Files {...{ report, notes, spentUsd, name }} />
    </section>
  );
}

interface FilesProps {
  report: Report;
  notes: readonly string[];
  spentUsd: number;
  name: string;
}

function Files({ report, notes, spentUsd, name }: FilesProps) {
  const base = `${name.replace(/\.\w{1,6}$/, '').replaceAll(/[^\w.-]+/g, '-')}-evaluation`;
  const date = new Date().toISOString().slice(0, 10);
  const json = () => JSON.stringify(summaryOf(report, notes, spentUsd), null, 2);
  const files = [
    [
      'Report as HTML',
      `${base}.html`,
      'text/html',
      () => writeHtml(report, { title: name, date, notes }),
    ],
    ['Engines as CSV', `${base}.csv`, 'text/csv', () => enginesCsv(report)],
    ['Answers as CSV', `${base}-answers.csv`, 'text/csv', () => answersCsv(report)],
    ['JSON', `${base}.json`, 'application/json', json],
  ] as const;
  return (
    <div className="row" role="group" aria-label="Download the evaluation">
      {files.map(([title, file, type, write]) => (
        <Button key={file} onPress={() => saveFile(write(), file, type)}>
          <Icon name="download" /> {title}
        </Button>
      ))}
    </div>
  );
}
