// Describes a provider's table, for GET /v1/providers, the documentation and the dashboard's
// matrix.
import type { Capability } from '@trivium/contract';
import { paramsOf } from './asks.ts';
import { formWords } from './domains.ts';
import { limitWords } from './fit-query.ts';
import { always } from './negotiate.ts';
import type { Near, Rewrite, Support } from './support.ts';

export function describeSupports(
  supports: Readonly<Partial<Record<string, Support>>>,
  tool: keyof typeof paramsOf,
): Record<string, Capability> {
  const supportOf = (param: string) => supports[param] ?? always[param] ?? { kind: 'ignored' };
  return Object.fromEntries(
    paramsOf[tool].map((param) => [param, describeSupport(supportOf(param))]),
  );
}

function describeSupport(support: Support): Capability {
  switch (support.kind) {
    case 'native':
      return { support: 'native' };
    case 'trimmed':
      return { support: 'trimmed', note: 'done exactly by the gateway' };
    case 'choice':
      return describeChoice(support.rows);
    case 'capped':
      return { support: 'native', note: `up to ${support.at}` };
    case 'limited':
      return { support: 'native', note: `up to ${limitWords(support)}` };
    case 'listed':
      return { support: 'native', note: `up to ${support.at} entries` };
    case 'domains':
      return { support: 'native', note: formWords(support.forms) };
    case 'hint':
      return { support: 'approximated', note: sentence(support.note) };
    case 'rewritten':
      return { support: 'approximated', note: rewriteWords[support.by] };
    case 'post_filtered':
      return { support: 'post_filtered', note: 'results are removed by the gateway' };
    case 'when':
      return describeCondition(support);
    case 'ignored':
      return { support: 'ignored', ...(support.note ? { note: sentence(support.note) } : {}) };
  }
}

const rewriteWords: Readonly<Record<Rewrite, string>> = {
  site: 'site: operators in the query',
  flat_site: 'site: operators in the query',
  not_site: '-site: operators in the query',
  after: 'after: operator in the query',
  before: 'before: operator in the query',
  since: 'after: operator in the query',
};

function describeChoice(rows: Readonly<Record<string, string | Near>>): Capability {
  const values = Object.entries(rows).map(([value, row]) => {
    if (typeof row === 'string') return row === '' || row === value ? value : `${value} → ${row}`;
    if (row.kind === 'worded') return `${value} ≈ “${row.word}” added to the query`;
    return row.value === '' ? `${value} ≈ ${sentence(row.note)}` : `${value} ≈ ${row.value}`;
  });
  const exact = Object.values(rows).every((row) => typeof row === 'string');
  return { support: exact ? 'native' : 'conditional', note: values.join(', ') };
}

function describeCondition(support: Extract<Support, { kind: 'when' }>): Capability {
  const then = describeSupport(support.then);
  const otherwise = describeSupport(support.otherwise);
  const note = (capability: Capability) =>
    capability.note ? `${word[capability.support]} (${capability.note})` : word[capability.support];
  return {
    support: 'conditional',
    note: `${note(then)} when ${support.test.reads}; else ${note(otherwise)}`,
  };
}

const word: Readonly<Record<Capability['support'], string>> = {
  native: 'native',
  approximated: 'approximated',
  post_filtered: 'post-filtered',
  trimmed: 'done by the gateway',
  conditional: 'depends',
  ignored: 'ignored',
};

/** Notes are sentences for warnings. In a table they have no full stop. */
function sentence(note: string): string {
  return note.replace(/\.$/, '');
}
