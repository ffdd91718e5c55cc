// The code blocks of a page of documentation, and what each says must happen when it is run.

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
}

/** What is expected stands there as it is; only a full stop stands for any one character. */
export function patternOf(expected: string): RegExp {
  return new RegExp(expected.replaceAll(/[$()*+?[\\\]{|}]/g, '\\$&'), 'm');
}

/** Reads `sh expect=… until=… fails live` behind the back ticks; a pattern has no spaces. */
export function blocksOf(page: string, markdown: string): Block[] {
  return [...markdown.matchAll(/^```([^\n]*)\n([^]*?)^```$/gm)].map((match) => {
    const [, info = '', code = ''] = match;
    const [language = '', ...marks] = info.trim().split(/\s+/);
    const mark = (name: string) => {
      const found = marks.find((one) => one.startsWith(`${name}=`));
      return found === undefined ? {} : { [name]: found.slice(name.length + 1) };
    };
    return {
      page,
      line: markdown.slice(0, match.index).split('\n').length,
      language,
      code,
      fails: marks.includes('fails'),
      live: marks.includes('live'),
      ...mark('expect'),
      ...mark('until'),
    };
  });
}
