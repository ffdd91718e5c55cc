// The rows of a provider's table that a fixture covers, so that a row without a fixture is found.
import { isNeutral } from '../src/negotiation/asks.ts';
import { type DomainForms, sentExclude, sentInclude } from '../src/negotiation/domains.ts';
import type { Asks, Support } from '../src/negotiation/support.ts';

type Table = Readonly<Partial<Record<string, Support>>>;

/**
 * Every row of a table by name: each value of a choice, both sides of a condition, below and above
 * a limit.
 */
export function rowsOf(table: Table): string[] {
  return Object.entries(table).flatMap(([param, support]) =>
    support ? rowsOfSupport(param, support) : [],
  );
}

/** The rows that one request covers. */
export function rowsMet(table: Table, asks: Asks): string[] {
  return Object.entries(table).flatMap(([param, support]) => {
    const value = asks[param];
    if (!support || value === undefined) return [];
    return rowMet(param, support, asks, value);
  });
}

function rowsOfSupport(param: string, support: Support): string[] {
  switch (support.kind) {
    case 'choice':
      return Object.keys(support.rows).map((value) => `${param}=${value}`);
    case 'capped':
    case 'listed':
      return [param, `${param} above ${support.at}`];
    case 'domains':
      return [
        param,
        `${param} in an unsupported form`,
        ...(isLimited(support.forms) ? [`${param} above the limit`] : []),
      ];
    case 'limited':
      return [
        param,
        `${param} above ${support.at}`,
        ...(support.words === undefined ? [] : [`${param} above ${support.words} words`]),
      ];
    case 'when':
      return [
        ...rowsOfSupport(`${param} when ${support.test.reads}`, support.then),
        ...rowsOfSupport(`${param} unless ${support.test.reads}`, support.otherwise),
      ];
    case 'native':
    case 'trimmed':
    case 'hint':
    case 'rewritten':
    case 'post_filtered':
    case 'ignored':
      return [param];
  }
}

function rowMet(param: string, support: Support, asks: Asks, value: unknown): string[] {
  switch (support.kind) {
    case 'choice':
      return [`${param}=${String(value)}`];
    case 'capped':
      return [Number(value) > support.at ? `${param} above ${support.at}` : param];
    case 'limited': {
      const words = support.words ?? Infinity;
      if (String(value).split(/\s+/).length > words) return [`${param} above ${words} words`];
      return [String(value).length > support.at ? `${param} above ${support.at}` : param];
    }
    case 'listed':
      return [(value as unknown[]).length > support.at ? `${param} above ${support.at}` : param];
    case 'domains':
      return [domainRow(param, support.forms, value as string[])];
    case 'when': {
      const holds = support.test.holds(asks, value);
      const name = `${param} ${holds ? 'when' : 'unless'} ${support.test.reads}`;
      return rowMet(name, holds ? support.then : support.otherwise, asks, value);
    }
    case 'native':
    case 'trimmed':
    case 'hint':
    case 'rewritten':
    case 'post_filtered':
    case 'ignored':
      return isNeutral(param, value) && support.kind !== 'native' ? [] : [param];
  }
}

function isLimited({ atMost, maxLength }: DomainForms): boolean {
  return atMost !== undefined || maxLength !== undefined;
}

function domainRow(row: string, forms: DomainForms, entries: readonly string[]): string {
  const isInclude = row.startsWith('include_domains');
  const { texts = [], note, cut } = (isInclude ? sentInclude : sentExclude)(entries, forms);
  const unlimited = sentExclude(entries, { ...withoutLimits(forms) }).texts ?? [];
  if (cut || (!isInclude && texts.length < unlimited.length)) return `${row} above the limit`;
  return note !== undefined ? `${row} in an unsupported form` : row;
}

function withoutLimits({ atMost: _count, maxLength: _length, ...forms }: DomainForms): DomainForms {
  return forms;
}
