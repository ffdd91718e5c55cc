// Finds markup that is not meant for a reader: markup of conversations and tool calls, elements
// that a browser does not show, and addresses that carry data out.
import { carriesData, addressesIn } from './addresses.ts';
import { isHidden } from './hidden-style.ts';
import type { Part } from './parts.ts';
import { readable } from './readable.ts';
import { tokenize } from './tokens.ts';
import type { Tag, Token } from './tokens.ts';

const chatMarks: readonly RegExp[] = [
  /<\s{0,3}\|[^\n<>|]{1,60}\|\s{0,3}>/g,
  /<\/?(?:start_of_turn|end_of_turn|function_calls?|function_results?|tool_calls?|tool_use|tool_response|tool_result|invoke|system|system-reminder|system_prompt|antml:[a-z_]{2,30}|function=[\w-]{1,60})\b(?:[^<>]{0,200}>)?/gi,
  /<<\/?SYS>>/gi,
  /\[\s{0,3}\/?\s{0,3}(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\s{0,3}\]/gi,
  /^(?:#{1,4} ?\((?:system|developer|assistant)[_ ](?:message|prompt|note)\)|(?:###? ?(?:System|Instruction|Response|Human|Assistant|User)|(?:System|Human|Assistant)) ?: ?)/gim,
  /"(?:tool_calls|function_call|tool_use|tool_call_id)"\s{0,20}:/g,
];

/** Found in whatever spelling: with hidden characters, entities or letters of another alphabet. */
function chatParts(given: string): Part[] {
  const { text, at: origin } = readable(given, 'folded');
  return chatMarks.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: { length }, index }) =>
      partOf('chat_markup', origin(index), origin(index + length)),
    ),
  );
}

const loads = /^(?:src|srcset|poster|data|background|style|xlink:href|lowsrc|dynsrc|imagesrcset)$/;
const isLoading = (name: string, { name: tag }: Tag) =>
  loads.test(name) || (name === 'href' && (tag === 'image' || tag === 'use' || tag === 'link'));

function tagCarriesData(tag: Tag): boolean {
  return tag.attributes
    .entries()
    .some(([name, value]) =>
      addressesIn(value).some((one) => carriesData(one, { isLoaded: isLoading(name, tag) })),
    );
}

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

export function markupParts(text: string): Part[] {
  const { tokens } = tokenize(text);
  const parts = [...chatParts(text), ...bareParts(text)];
  const isUnseen = unseenIn(text, tokens);
  let hiding: Hiding | undefined;
  let foreign = 0;
  for (const token of tokens) {
    if (hiding) {
      const isClosed = token.kind === 'tag' && closes(hiding, token);
      if (!isClosed) continue;
      parts.push(partOf('hidden_element', hiding.at, token.end));
      hiding = undefined;
      continue;
    }
    if (token.kind !== 'tag') {
      parts.push(...partsOf(token));
      continue;
    }
    const { at, end, name, isQuoted } = token;
    if (name === 'svg' || name === 'math') foreign += token.isClosing ? -1 : 1;
    if (token.isClosing) continue;
    if (tagCarriesData(token)) parts.push(partOf('outgoing_data', at, end));
    if (!isHidden(token) && !isUnseen(token)) continue;
    if (empty.has(name) || (foreign > 0 && text.startsWith('/>', end - 2))) {
      parts.push(partOf('hidden_element', at, end));
    } else {
      hiding = { at, name, isQuoted, depth: 1, blocks: 0, raw: raw.has(name) ? name : undefined };
    }
  }
  if (hiding) parts.push(partOf('hidden_element', hiding.at, text.length));
  return parts;
}

const partOf = (id: Part['id'], from: number, to: number): Part => ({ id, ranges: [[from, to]] });

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

function partsOf(token: Exclude<Token, Tag>): Part[] {
  const { kind, at, end } = token;
  if (kind === 'comment' || kind === 'note') return [partOf('hidden_element', at, end)];
  const isLoaded = kind === 'definition' || (kind === 'link' && token.isImage);
  if (!carriesData(token.address, { isLoaded })) return [];
  if (kind !== 'link' || token.isImage) return [partOf('outgoing_data', at, end)];
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
function unseenIn(text: string, tokens: readonly Token[]): (tag: Tag) => boolean {
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

function bareParts(text: string): Part[] {
  return [...text.matchAll(bare)]
    .filter(([address]) => carriesData(address, { isLoaded: false }))
    .map(({ 0: { length }, index }) => partOf('outgoing_data', index, index + length));
}
