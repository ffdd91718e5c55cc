// The code blocks of a page of documentation, and the result that each states.

export interface Block {
  page: string;
  line: number;
  language: string;
  code: string;
  /** A pattern that the output must match. */
  expect?: string;
  /** A pattern at which a program that never ends may be stopped. */
  until?: string;
  /** Whether it must end with an error. */
  fails: boolean;
  /** Whether it belongs to a gateway that is not in the sandbox. */
  live: boolean;
  /** The response that the page shows below it. */
  answer?: unknown;
}

/** Expected output is literal, except that a full stop matches any character. */
export function patternOf(expected: string): RegExp {
  return new RegExp(expected.replaceAll(/[$()*+?[\\\]{|}]/g, '\\$&'), 'm');
}

/** Reads `sh expect=… until=… fails live` behind the back ticks; a pattern has no spaces. */
export function blocksOf(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  for (const match of markdown.matchAll(/^```([^\n]*)\n([^]*?)^```$/gm)) {
    const [, info = '', code = ''] = match;
    const [language = '', ...marks] = info.trim().split(/\s+/);
    const mark = (name: string) => {
      const found = marks.find((one) => one.startsWith(`${name}=`));
      return found === undefined ? {} : { [name]: found.slice(name.length + 1) };
    };
    if (marks.includes('answer')) {
      const asked = blocks.findLast((one) => one.code.startsWith('curl '));
      if (asked === undefined) throw new Error(`${page}: a response without a request`);
      asked.answer = JSON.parse(code);
    }
    blocks.push({
      page,
      line: markdown.slice(0, match.index).split('\n').length,
      language,
      code,
      fails: marks.includes('fails'),
      live: marks.includes('live'),
      ...mark('expect'),
      ...mark('until'),
    });
  }
  return blocks;
}

/** Lists what the page shows but the real response lacks, or has with another type. */
export function differences(shown: unknown, real: unknown, place = ''): string[] {
  if (Array.isArray(shown) && Array.isArray(real)) {
    return shown.length === 0 ? [] : differences(shown[0], real[0], `${place}[0]`);
  }
  if (typeof shown === 'object' && shown !== null && typeof real === 'object' && real !== null) {
    return Object.entries(shown).flatMap(([name, value]) =>
      name === '…' ? [] : differences(value, Object(real)[name], `${place}.${name}`),
    );
  }
  return typeof shown === typeof real ? [] : [`${place} is ${typeof real}, not ${typeof shown}`];
}
