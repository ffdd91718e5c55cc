// Decides whether a browser does not show an element, by its attributes.
import type { Tag } from './tokens.ts';
import { decodeEntities } from './readable.ts';

/** Attributes that count as declarations of a style, in HTML of the past and in SVG. */
const asStyle: ReadonlyMap<string, string> = new Map([
  ...['display', 'visibility', 'opacity', 'font-size', 'color', 'clip-path', 'transform'].map(
    (name): [string, string] => [name, name],
  ),
  ['bgcolor', 'background'],
  ['fill-opacity', 'opacity'],
]);

/** What hides an element, by property. */
const hiding: readonly [property: RegExp, hides: (value: string) => boolean][] = [
  [/^display$/, (value) => value.startsWith('none')],
  [/^(?:content-)?visibility$/, (value) => /^(?:hidden|collapse)/.test(value)],
  [/^opacity$/, (value) => sizeOf(value) <= 0.05],
  [/^filter$/, (value) => /opacity\( ?[0.]/.test(value)],
  [/^font-size$/, (value) => sizeOf(value) <= 0.1 || /^\+?[01](?:\.\d*)?(?:px|pt)/.test(value)],
  [/^font$/, (value) => /(?:^| )[01](?:\.\d*)?(?:px|pt)|(?:^| )0[a-z%]*(?:\/| |$)/.test(value)],
  [
    /^(?:text-indent|left|right|top|bottom|inset|margin.*|trans.*)$/,
    (value) => /-\d{3}/.test(value),
  ],
  [/^(?:left|right|top|bottom|text-indent)$/, (value) => /^\d{4}/.test(value)],
  [/^(?:transform|scale)$/, (value) => /^0|scale[xyz3d]*\( ?0(?:[,) ]|\.0)/.test(value)],
  [/^clip$/, (value) => /^rect\( ?[01](?:px)?[ ,]/.test(value)],
  [
    /^clip-path$/,
    (value) => /^(?:inset\( ?(?:[5-9]\d|100)%|circle\( ?0|polygon\([0 ,px%]*\))/.test(value),
  ],
  [/^(?:max-)?(?:width|height|inline-size|block-size)$/, (value) => sizeOf(value) === 0],
  [/^(?:-webkit-text-fill-)?color$/, isTransparent],
];

/** A longer value is not read to its end, and hides its element. */
const maxValueLength = 300;

/** A percentage counts as a fraction, and any unit as one. NaN if it is no size. */
function sizeOf(value: string): number {
  const size = Number.parseFloat(value);
  return /^[+\d.e-]+%/.test(value) ? size / 100 : size;
}

function isTransparent(value: string): boolean {
  return (
    /^(?:transparent|#\w{3}0|#\w{6}00)$/.test(value) ||
    /^(?:rgba|hsla)\([^,]*,[^,]*,[^,]*, ?[0.]+%?\)$|^(?:rgb|hsl)a?\([^/]*\/ ?[0.]+%?\)$/.test(value)
  );
}

const white =
  /^(?:white|#f{3,4}|#f{6}|#f{8}|rgba?\((?: ?(?:255|100%)(?: ?[, )])){3}.*|hsla?\(.{1,20}100%.*)$/;

export function isHidden({ attributes }: Tag): boolean {
  if (attributes.size === 0) return false;
  if (attributes.has('hidden')) return true;
  if (/^\s*true/i.test(decodeEntities(attributes.get('aria-hidden') ?? ''))) return true;
  let style = attributes.get('style') ?? '';
  for (const [name, property] of asStyle) {
    const value = attributes.get(name);
    if (value !== undefined) style += `;${property}:${value}`;
  }
  return style !== '' && hides(declarationsOf(style));
}

function hides(declarations: readonly (readonly [string, string])[]): boolean {
  const last = new Map(declarations);
  const background = last.get('background-color') ?? last.get('background') ?? 'white';
  const color = last.get('color') ?? '';
  if (color === background || (white.test(color) && white.test(background))) return true;
  return declarations.some(([property, value]) =>
    hiding.some(
      ([named, isHiding]) =>
        named.test(property) && (value.length > maxValueLength || isHiding(value)),
    ),
  );
}

/** Without comments and escapes, in lower case. */
function declarationsOf(style: string): [property: string, value: string][] {
  return decodeEntities(style)
    .replaceAll(/\/\*[^]*?(?:\*\/|$)/g, '')
    .replaceAll(/\\([\da-f]{1,6})\s?|\\/gi, (_, code: string | undefined) => unescaped(code))
    .toLowerCase()
    .split(';')
    .map((declaration) => {
      const colon = declaration.indexOf(':');
      const value = declaration.slice(colon + 1).replaceAll(/\s+/g, ' ');
      return [declaration.slice(0, Math.max(0, colon)).trim(), value.replace(/ ?!.*/, '').trim()];
    });
}

function unescaped(code = ''): string {
  const point = Number.parseInt(code, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}
