// Terminal colours, disabled where they are not supported or not wanted.

export interface Style {
  bold: (text: string) => string;
  dim: (text: string) => string;
  red: (text: string) => string;
  green: (text: string) => string;
  yellow: (text: string) => string;
  cyan: (text: string) => string;
}

export function makeStyle(colours: boolean): Style {
  const paint = (on: number, off: number) => (text: string) =>
    colours ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

/** NO_COLOR with any value disables colours. */
export function wantsColours(
  terminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return terminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/**
 * Text from a page or a provider must not control the terminal: control characters and characters
 * that reverse the direction of text are removed.
 */
export function plain(text: string): string {
  return text.replaceAll(controls, '');
}

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The same for all output, except for the colours of this file. */
export function visible(text: string): string {
  return text.replaceAll(uncoloured, '');
}

const uncoloured =
  /(?!\u001b\[\d{1,2}m)[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** JSON escapes only some of these characters; here it escapes all of them. */
export function jsonText(value: unknown, indent?: number): string {
  const escape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replaceAll(controls, escape);
}
