// Finds markup that is not meant for a reader: markup of conversations and tool calls, elements
// that a browser does not show (by their attributes), and addresses that carry data out.
import { addressesIn, carriesData } from './outgoing-data.ts';
import { decodeEntities, readable } from './readable.ts';
import type { TextPart } from './signals.ts';
import { type MarkupToken, type Tag, tokenize } from './tokens.ts';

const chatMarks: readonly RegExp[] = [
  /<\s{0,3}\|[^\n<>|]{1,60}\|\s{0,3}>/g,
  /<\/?(?:start_of_turn|end_of_turn|function_calls?|function_results?|tool_calls?|tool_use|tool_response|tool_result|invoke|system|system-reminder|system_prompt|antml:[a-z_]{2,30}|function=[\w-]{1,60})\b(?:[^<>]{0,200}>)?/gi,
  /<<\/?SYS>>/gi,
  /\[\s{0,3}\/?\s{0,3}(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\s{0,3}\]/gi,
  /^(?:#{1,4} ?\((?:system|developer|assistant)[_ ](?:message|prompt|note)\)|(?:###? ?(?:System|Instruction|Response|Human|Assistant|User)|(?:System|Human|Assistant)) ?: ?)/gim,
  /"(?:tool_calls|function_call|tool_use|tool_call_id)"\s{0,20}:/g,
];

/** Found in whatever spelling: with hidden characters, entities or letters of another alphabet. */
function chatParts(given: string): TextPart[] {
  const { text, at: origin } = readable(given, 'folded');
  return chatMarks.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: { length }, index }) =>
      partAt('chat_markup', origin(index), origin(index + length)),
    ),
  );
}

const loads = /^(?:src|srcset|poster|data|background|style|xlink:href|lowsrc|dynsrc|imagesrcset)$/;
const isLoading = (name: string, { name: tag }: Tag) =>
  loads.test(name) || (name === 'href' && (tag === 'image' || tag === 'use' || tag === 'link'));

/** Elements whose contents are not shown. Pages about HTML mention them without closing them. */
const unseen = new Set(['template', 'noscript', 'noembed', 'noframes']);
/** Elements without contents. */
const empty = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements whose contents are not read as tags. */
const raw = new Set('script style textarea title xmp iframe noembed noframes'.split(' '));

const block =
  /^(?:address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|li|main|nav|ol|p|pre|section|table|tbody|td|th|tr|ul)$/;

/** An element that is not shown, up to the tag that closes it. */
interface Hiding {
  at: number;
  name: string;
  isQuoted: boolean;
  /** Elements of the same name that are open, itself included. */
  depth: number;
  /** Open blocks within an element that is none: it does not end before they do. */
  blocks: number;
  /** An element in it whose contents are not read as tags. */
  raw: string | undefined;
}

export function markupParts(text: string): TextPart[] {
  const { tokens } = tokenize(text);
  const bareParts = [...text.matchAll(bare)]
    .filter(([address]) => carriesData(address, { isLoaded: false }))
    .map(({ 0: { length }, index }) => partAt('outgoing_data', index, index + length));
  const parts = [...chatParts(text), ...bareParts];
  const isUnseen = unseenIn(text, tokens);
  let hiding: Hiding | undefined;
  let foreign = 0;
  for (const token of tokens) {
    if (hiding) {
      const isClosed = token.kind === 'tag' && closes(hiding, token);
      if (!isClosed) continue;
      parts.push(partAt('hidden_element', hiding.at, token.end));
      hiding = undefined;
      continue;
    }
    if (token.kind !== 'tag') {
      parts.push(...linkParts(token));
      continue;
    }
    const { at, end, name, isQuoted } = token;
    if (name === 'svg' || name === 'math') foreign += token.isClosing ? -1 : 1;
    if (token.isClosing) continue;
    const hasData = token.attributes.entries().some(([attribute, value]) => {
      const isLoaded = isLoading(attribute, token);
      return addressesIn(value).some((address) => carriesData(address, { isLoaded }));
    });
    if (hasData) parts.push(partAt('outgoing_data', at, end));
    if (!isHidden(token) && !isUnseen(token)) continue;
    if (empty.has(name) || (foreign > 0 && text.startsWith('/>', end - 2))) {
      parts.push(partAt('hidden_element', at, end));
    } else {
      hiding = { at, name, isQuoted, depth: 1, blocks: 0, raw: raw.has(name) ? name : undefined };
    }
  }
  if (hiding) parts.push(partAt('hidden_element', hiding.at, text.length));
  return parts;
}

const partAt = (id: TextPart['id'], from: number, to: number): TextPart => ({
  id,
  ranges: [[from, to]],
});

function closes(hiding: Hiding, { name, isClosing, isQuoted }: Tag): boolean {
  if (isQuoted && !hiding.isQuoted) return false;
  if (hiding.raw !== undefined) {
    if (!isClosing || name !== hiding.raw) return false;
    hiding.raw = undefined;
  }
  if (!isClosing && raw.has(name)) hiding.raw = name;
  const step = isClosing ? -1 : 1;
  if (name !== hiding.name) {
    if (block.test(name) && !block.test(hiding.name)) hiding.blocks += step;
  } else if (hiding.blocks <= 0) {
    hiding.depth += step;
  }
  return hiding.depth === 0;
}

function linkParts(token: Exclude<MarkupToken, Tag>): TextPart[] {
  const { kind, at, end } = token;
  if (kind === 'comment' || kind === 'note') return [partAt('hidden_element', at, end)];
  const isLoaded = kind === 'definition' || (kind === 'link' && token.isImage);
  if (!carriesData(token.address, { isLoaded })) return [];
  if (kind !== 'link' || token.isImage) return [partAt('outgoing_data', at, end)];
  // The text of a link stays.
  return [
    {
      id: 'outgoing_data',
      ranges: [
        [at, at + 1],
        [token.textEnd, end],
      ],
    },
  ];
}

/** Whether the contents of an element are not shown. In code they are, and are left alone. */
function unseenIn(text: string, tokens: readonly MarkupToken[]): (tag: Tag) => boolean {
  const closed = new Map<string, number>();
  for (const token of tokens) {
    if (token.kind === 'tag' && token.isClosing && unseen.has(token.name)) {
      closed.set(token.name, token.at);
    }
  }
  let fences: number[] | undefined;
  let before = 0;
  return ({ at, name, attributes }) => {
    const isHiddenInput = name === 'input' && attributes.get('type')?.toLowerCase() === 'hidden';
    if (!isHiddenInput && at >= (closed.get(name) ?? -1)) return false;
    fences ??= [...text.matchAll(/^ {0,3}(?:```|~~~)/gm)].map(({ index }) => index);
    while ((fences[before] ?? Infinity) < at) before += 1;
    return before % 2 === 0 && text[at - 1] !== '`';
  };
}

const bare = /\b(?:(?:https?|wss?|ftp):\/\/|www\.)[^\s<>"'`)]*/gi;

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
  [/^opacity$/, (value) => cssSize(value) <= 0.05],
  [/^filter$/, (value) => /opacity\( ?[0.]/.test(value)],
  [/^font-size$/, (value) => cssSize(value) <= 0.1 || /^\+?[01](?:\.\d*)?(?:px|pt)/.test(value)],
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
  [/^(?:max-)?(?:width|height|inline-size|block-size)$/, (value) => cssSize(value) === 0],
  [/^(?:-webkit-text-fill-)?color$/, isTransparent],
];

/** A longer value is not read to its end, and hides its element. */
const maxStyleLength = 300;

/** A percentage counts as a fraction, and any unit as one. NaN if it is no size. */
function cssSize(value: string): number {
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

function isHidden({ attributes }: Tag): boolean {
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
        named.test(property) && (value.length > maxStyleLength || isHiding(value)),
    ),
  );
}

/** Without comments and escapes, in lower case. */
function declarationsOf(style: string): [property: string, value: string][] {
  return decodeEntities(style)
    .replaceAll(/\/\*[^]*?(?:\*\/|$)/g, '')
    .replaceAll(/\\([\da-f]{1,6})\s?|\\/gi, (_, code: string | undefined) => unescapeCss(code))
    .toLowerCase()
    .split(';')
    .map((declaration) => {
      const colon = declaration.indexOf(':');
      const value = declaration.slice(colon + 1).replaceAll(/\s+/g, ' ');
      return [declaration.slice(0, Math.max(0, colon)).trim(), value.replace(/ ?!.*/, '').trim()];
    });
}

function unescapeCss(code = ''): string {
  const point = Number.parseInt(code, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}
