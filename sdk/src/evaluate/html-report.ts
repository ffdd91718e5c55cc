// The report as one HTML file without scripts or external resources. Titles and addresses come from
// unknown authors, so every value is escaped, and only web addresses become links.
import { providerLabel } from '@trivium/contract/provider-names';
import type { Interval } from './bootstrap.ts';
import { concludeFrom, count, percent } from './conclusions.ts';
import type { EngineReport, FigureName, QueryReport, Report } from './measure.ts';

interface ReportHead {
  /** The name of the file with the queries. */
  title: string;
  /** The day of the run, YYYY-MM-DD. */
  date: string;
  /** What the reader must know about this run, such as queries that were not sent. */
  notes: readonly string[];
}

interface Chart {
  figure: FigureName;
  title: string;
  /** Explains the figure in a sentence. */
  about: string;
  format: (value: number) => string;
  /** The end of the axis; the largest value by default. */
  most?: number;
}

const quality = (value: number) => value.toFixed(3);
const dollars = (value: number) => `${value.toFixed(5)} USD`;

const charts: readonly Chart[] = [
  {
    figure: 'ndcg',
    title: 'nDCG@10',
    about:
      'How well the first ten results are ordered, according to the judgements: 1 is the best possible.',
    format: quality,
    most: 1,
  },
  {
    figure: 'recall',
    title: 'Recall@10',
    about: 'The share of all pages judged relevant that are among the first ten.',
    format: quality,
    most: 1,
  },
  {
    figure: 'mrr',
    title: 'MRR',
    about: 'One divided by the position of the first relevant page, on average.',
    format: quality,
    most: 1,
  },
  {
    figure: 'agreement',
    title: 'Agreement',
    about: 'How much the answers agree with the results of the other engines for the same query.',
    format: quality,
    most: 1,
  },
  {
    figure: 'unique',
    title: 'Unique results',
    about: 'The share of its results that no other engine returned: new pages, or wrong ones.',
    format: percent,
    most: 1,
  },
  {
    figure: 'empty',
    title: 'Empty answers',
    about: 'The share of answers without a result.',
    format: percent,
    most: 1,
  },
  {
    figure: 'failed',
    title: 'Failures',
    about: 'The share of queries without an answer.',
    format: percent,
    most: 1,
  },
  {
    figure: 'dates',
    title: 'Dates',
    about: 'The share of results with a publication date.',
    format: percent,
    most: 1,
  },
  {
    figure: 'latency',
    title: 'Latency',
    about: 'Half of the answers took at most this long, measured by the gateway.',
    format: (value) => `${Math.round(value)} ms`,
  },
  { figure: 'cost', title: 'Price', about: 'What one search cost on average.', format: dollars },
];

/** A page with more answers would open slowly in a browser. */
const maxAnswersShown = 10_000;

export function writeHtml(report: Report, head: ReportHead): string {
  const title = `Evaluation of ${head.title}`;
  const shownQueries = report.queries.slice(
    0,
    maxAnswersShown / Math.max(1, report.engines.length),
  );
  const parts = [
    `<h1>${escape(title)}</h1>`,
    `<p>${escape(head.date)}: ${escape(count(report.queries.length, 'query', 'queries'))}, ${escape(count(report.engines.length, 'engine', 'engines'))}.</p>`,
    list(head.notes),
    '<h2>Conclusions</h2>',
    list(concludeFrom(report)),
    '<h2>Engines</h2>',
    summary(report),
    '<p>In brackets: the 95 percent interval, by bootstrap over the queries.</p>',
    scatter(report),
    ...charts.map((chart) => chartOf(report.engines, chart)),
    '<h2>Side by side</h2>',
    '<p>Below each page: whether it is judged relevant, and how many of the other engines returned it.</p>',
    ...shownQueries.map(sideBySide),
    shownQueries.length < report.queries.length
      ? `<p>The first ${shownQueries.length} queries are shown. The CSV has all answers.</p>`
      : '',
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${styles}</style>
</head>
<body>
<main>
${parts.filter(Boolean).join('\n')}
</main>
</body>
</html>
`;
}

function summary({ engines, decides }: Report): string {
  const columns = charts.filter(({ figure }) => engines.some(({ figures }) => figures[figure]));
  const useful =
    decides === 'ndcg' ? 'Relevant pages for 1 USD' : 'Pages others found too, for 1 USD';
  const heads = ['Engine', ...columns.map(({ title }) => title), 'Searches for 1 USD', useful];
  const rows = engines.map((engine) => [
    providerLabel(engine.engine),
    ...columns.map(({ figure, format }) => interval(engine.figures[figure], format)),
    whole(engine.searchesPerUsd),
    whole(engine.usefulPerUsd),
  ]);
  return table(heads, rows);
}

function interval(found: Interval | undefined, format: Chart['format']): string {
  if (!found) return '–';
  return `${format(found.value)} (${format(found.lower)} to ${format(found.upper)})`;
}

function whole(value: number | undefined): string {
  return value === undefined ? '–' : Math.round(value).toLocaleString('en');
}

const chartWidth = 720;
const labelWidth = 190;
const valueWidth = 120;
const rowHeight = 30;

/** A line from the lower to the upper bound, and a dot at the value. */
function chartOf(engines: readonly EngineReport[], chart: Chart): string {
  const { figure, title, about, format } = chart;
  const rows = engines.flatMap(({ engine, figures }) => {
    const found = figures[figure];
    return found ? [{ label: providerLabel(engine), ...found }] : [];
  });
  if (rows.length === 0) return '';
  const most = chart.most ?? Math.max(...rows.map(({ upper }) => upper), Number.MIN_VALUE);
  const room = chartWidth - labelWidth - valueWidth;
  const x = (value: number) => (labelWidth + (Math.min(value, most) / most) * room).toFixed(1);
  const height = rows.length * rowHeight;
  const lines = rows.map(({ label, value, lower, upper }, at) => {
    const y = at * rowHeight + rowHeight / 2;
    return (
      `<text x="0" y="${y + 5}">${escape(label)}</text>` +
      `<line class="axis" x1="${labelWidth}" x2="${labelWidth + room}" y1="${y}" y2="${y}"/>` +
      `<line class="range" x1="${x(lower)}" x2="${x(upper)}" y1="${y}" y2="${y}"/>` +
      `<circle cx="${x(value)}" cy="${y}" r="5"/>` +
      `<text x="${chartWidth - valueWidth + 10}" y="${y + 5}">${escape(format(value))}</text>`
    );
  });
  return `<section><h3>${escape(title)}</h3><p>${escape(about)}</p>${svg(height, title, lines.join(''))}</section>`;
}

/** Quality over price: the best is at the top left. */
function scatter({ engines, decides }: Report): string {
  const dots = engines.flatMap(({ engine, figures }) => {
    const [quality, cost] = [figures[decides], figures.cost];
    return quality && cost ? [{ label: providerLabel(engine), quality, cost: cost.value }] : [];
  });
  if (dots.length < 2) return '';
  const height = 320;
  const [left, right, top, bottom] = [50, 200, 20, 40];
  const most = Math.max(...dots.map(({ cost }) => cost), Number.MIN_VALUE);
  const x = (cost: number) => left + (cost / most) * (chartWidth - left - right);
  const y = (value: number) => top + (1 - Math.min(1, value)) * (height - top - bottom);
  const marks = dots.map(({ label, quality, cost }) => {
    const [at, line] = [x(cost).toFixed(1), y(quality.value).toFixed(1)];
    return (
      `<line class="range" x1="${at}" x2="${at}" y1="${y(quality.lower).toFixed(1)}" y2="${y(quality.upper).toFixed(1)}"/>` +
      `<circle cx="${at}" cy="${line}" r="5"/><text x="${(x(cost) + 9).toFixed(1)}" y="${(y(quality.value) + 5).toFixed(1)}">${escape(label)}</text>`
    );
  });
  const axes =
    `<line class="axis" x1="${left}" x2="${left}" y1="${y(1)}" y2="${y(0)}"/><text x="0" y="${y(1) + 5}">1</text><text x="0" y="${y(0) + 5}">0</text>` +
    `<line class="axis" x1="${left}" x2="${chartWidth - right}" y1="${y(0)}" y2="${y(0)}"/><text x="${left}" y="${height - 12}">free</text>` +
    `<text x="${chartWidth - right}" y="${height - 12}">${escape(dollars(most))}</text>`;
  const title = `${decides === 'ndcg' ? 'nDCG@10' : 'Agreement'} over price`;
  return `<section><h3>${title}</h3>${svg(height, title, axes + marks.join(''))}</section>`;
}

function svg(height: number, title: string, content: string): string {
  return `<svg viewBox="0 0 ${chartWidth} ${height}" role="img" aria-label="${escape(title)}">${content}</svg>`;
}

function sideBySide({ query, isJudged, answers }: QueryReport): string {
  const columns = answers.map(({ answer, metrics, agreement, marks }) => {
    const figures = [
      ...(metrics ? [`nDCG ${metrics.ndcg.toFixed(2)}`] : []),
      ...(agreement === undefined ? [] : [`agreement ${agreement.toFixed(2)}`]),
      `${answer.latency_ms} ms`,
      dollars(answer.cost_usd),
    ];
    const pages = answer.pages.map(({ url, title, date }, at) => {
      const { isRelevant = false, others = 0 } = marks[at] ?? {};
      const notes = [
        hostOf(url),
        date,
        others === 0 ? 'no other engine' : `${others} other${others === 1 ? '' : 's'}`,
      ];
      const judged = isRelevant ? '<strong>relevant</strong>, ' : '';
      return `<li>${link(url, title === '' ? url : title)}<small>${judged}${escape(notes.filter(Boolean).join(', '))}</small></li>`;
    });
    const found =
      answer.outcome === 'failed'
        ? `<p>Failed: ${escape(answer.error ?? '')}</p>`
        : pages.length === 0
          ? '<p>No results.</p>'
          : `<ol>${pages.join('')}</ol>`;
    return `<div><h4>${escape(providerLabel(answer.engine))}</h4><small>${escape(figures.join(', '))}</small>${found}</div>`;
  });
  const judged = isJudged ? '' : ' <small>not judged</small>';
  return `<details><summary>${escape(query.text)} <small>${escape(query.id)}</small>${judged}</summary><div class="columns">${columns.join('')}</div></details>`;
}

function link(url: string, text: string): string {
  const shown = escape(text);
  if (!/^https?:\/\//i.test(url)) return `<span>${shown}</span>`;
  return `<a href="${escape(url)}" rel="noopener noreferrer nofollow">${shown}</a>`;
}

function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]{1,100})/i.exec(url)?.[1] ?? '';
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`;
  return `<div class="wide"><table><thead>${cells('th', heads)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table></div>`;
}

function list(sentences: readonly string[]): string {
  if (sentences.length === 0) return '';
  return `<ul>${sentences.map((sentence) => `<li>${escape(sentence)}</li>`).join('')}</ul>`;
}

/** Characters that change the direction of the text around them are left out. */
function escape(text: string): string {
  return text
    .replaceAll(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      '',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const styles = `
:root { color-scheme: light dark; --line: #8885; --ink: #2563eb; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 70rem; margin: 0 auto; padding: 2rem 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
svg { width: 100%; max-width: 720px; height: auto; font-size: 13px; }
svg text { fill: currentColor; }
svg .axis { stroke: var(--line); }
svg .range { stroke: var(--ink); stroke-width: 2; }
svg circle { fill: var(--ink); }
details { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
small { opacity: 0.7; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem; }
.columns ol { padding-left: 1.5rem; }
.columns li { overflow-wrap: anywhere; margin-bottom: 0.4rem; }
.columns li small { display: block; }
`;
