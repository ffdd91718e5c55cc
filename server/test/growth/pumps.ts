// Makes texts for which a regular expression may take long: a part that it can repeat, after a
// beginning that matches and before an end that does not.

/** Texts of about `size` characters, each as a function so that only one exists at a time. */
export function hostileTexts(source: string): ((size: number) => string)[] {
  const signs = signsIn(source);
  const pumps = [...signs, ...pairsOf(signs.slice(0, maxSignsInPairs))];
  const ends = [
    '',
    '\n',
    '!',
    '\u0000x',
    ...signs.filter(isPunctuation).map((sign) => `${sign}\n`),
  ];
  const starts = ['', beginningOf(source)];
  return starts.flatMap((start) =>
    pumps.flatMap((pump) =>
      ends.map((end) => (size: number) => start + pump.repeat(Math.ceil(size / pump.length)) + end),
    ),
  );
}

const maxSignsInPairs = 7;

/** The literals of the expression, and one character of each class that it may use. */
function signsIn(source: string): string[] {
  const written = source.replaceAll(/\\[bBdDsSwWpPnrtfvux]|\{[\d,]+\}|\(\?<?[:=!]/g, '');
  const literal = [...written].filter((sign) => !/[()[\]{}*+?|^$\\]/.test(sign));
  return [...new Set([...literal, ...kinds])].slice(0, maxSigns);
}

const maxSigns = 24;
const kinds = [' ', '\n', 'a', '0', '.', '/', '-', 'Z', '?', '#', '%', '<', 'é'];

function pairsOf(signs: readonly string[]): string[] {
  return signs.flatMap((one) => signs.flatMap((other) => (one === other ? [] : [one + other])));
}

function isPunctuation(sign: string): boolean {
  return /[^\p{Letter}\p{Number}\s]/u.test(sign);
}

/** The literal text that the expression begins with. */
function beginningOf(source: string): string {
  const plain = source
    .replace(/^\^/, '')
    .replaceAll(/\[a-z\][+*]?/g, 'a')
    .replaceAll(/(?<!\\)[()]|\?:/g, '');
  let text = '';
  for (let at = 0; at < plain.length; at += 1) {
    const sign = plain.charAt(at);
    const next = plain.charAt(at + 1);
    if (sign === '\\' && /[^\w]/.test(next)) {
      text += next;
      at += 1;
    } else if (/[\w:/ "=#&;-]/.test(sign) && sign !== '\\') text += sign;
    else if (sign !== '?') break;
  }
  return text;
}
