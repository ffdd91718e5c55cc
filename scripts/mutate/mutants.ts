// Small defects that can be put into a source, one at a time: a comparison, a condition, a number, a
// statement or a condition in SQL is changed.
import { parseSync } from 'oxc-parser';

export interface Mutant {
  file: string;
  line: number;
  /** Such as `removed statement`. */
  kind: string;
  start: number;
  end: number;
  /** The text that replaces it. */
  text: string;
  /** The block that contains it: a test that does not enter the block cannot notice the mutant. */
  block: string;
}

/** What the nodes of some types have. */
interface Node extends Record<'argument' | 'body' | 'consequent' | 'expression', unknown> {
  type: string;
  start: number;
  end: number;
  operator: string;
  left: Node;
  right: Node;
  test: Node;
  value: unknown;
}

const pairs = ['< <=', '> >=', '=== !==', '+ -', '* /', '&& ||', '= <>', 'and or'];
const opposites = new Map([
  ...pairs.map((pair) => pair.split(' ') as [string, string]),
  ...pairs.map((pair) => pair.split(' ').toReversed() as [string, string]),
  ...([['is null', 'is not null']] as const),
  ...([['is not null', 'is null']] as const),
]);

/** No test can be expected to notice what only informs operators, or only lets a process end. */
const reports = /^[{\s]*(?:await |void )*(?:[\w?]+\.)*(?:log|metrics|unref)\b[^;]*;?[}\s]*$/;
const sql = /^['"`]\s*(?:select|insert|update|delete|with)\b/i;
const sqlOperators = /(?<=\s)(?:<=|>=|<>|<|>|=|and|or|is not null|is null)(?=[\s)'"`])/g;
/** Nothing below them exists at run time. */
const typeNodes = /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|^ImportDeclaration$/;

/** The mutants of a file, and its source with a call of `hit(block)` at the start of each block. */
export function readSource(file: string, source: string, hits = '') {
  const mutants: Mutant[] = [];
  const calls = [{ at: 0, text: `import{hit as __hit}from"${hits}";__hit("${file}#0");` }];
  let blocks = 0;
  const visit = (node: Node, inBlock: string, parent?: Node): void => {
    if (typeNodes.test(node.type)) return;
    const isBlock = node.type === 'BlockStatement';
    const isBody = parent?.type === 'ArrowFunctionExpression' && parent.body === node;
    const block = isBlock || isBody ? `${file}#${(blocks += 1)}` : inBlock;
    if (isBlock) calls.push({ at: node.start + 1, text: `__hit("${block}");` });
    else if (isBody) {
      calls.push({ at: node.start, text: `(__hit("${block}"),` }, { at: node.end, text: ')' });
    }
    for (const [kind, text, { start, end } = node] of changesOf(node, source)) {
      const line = source.slice(0, start).split('\n').length;
      mutants.push({ file, line, kind, start, end, text, block });
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, block, node);
  };
  visit(parseSync(file, source).program as unknown as Node, `${file}#0`);
  let instrumented = source;
  for (const { at, text } of calls.toSorted((one, other) => other.at - one.at)) {
    instrumented = instrumented.slice(0, at) + text + instrumented.slice(at);
  }
  return { mutants, instrumented };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

export function applyMutant(source: string, { start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** A kind, the text that replaces the node, and its place if it is not that of the node. */
type Change = [kind: string, text: string, place?: Pick<Node, 'start' | 'end'>];

function changesOf(node: Node, source: string): Change[] {
  const textOf = ({ start, end }: Pick<Node, 'start' | 'end'>) => source.slice(start, end);
  const text = textOf(node);
  // A piece of a template is part of its whole.
  if (sql.test(text) && node.type !== 'TemplateElement') return changesOfSql(node, text);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const { operator, left, right } = node;
      const other = opposites.get(operator);
      if (other === undefined || (operator === '+' && /['"`]/.test(text))) return [];
      const between = source.slice(left.end, right.start).replace(operator, other);
      return [[`${operator} is ${other}`, `(${textOf(left)}${between}${textOf(right)})`]];
    }
    case 'UnaryExpression':
      return node.operator === '!' ? [['no !', `(${text.slice(1)})`]] : [];
    case 'IfStatement':
      if (reports.test(textOf(node.consequent as Node))) return [];
      return ['false', 'true'].map((value) => [`condition is ${value}`, value, node.test]);
    case 'ConditionalExpression':
      return [['condition is reversed', `!(${textOf(node.test)})`, node.test]];
    case 'ExpressionStatement':
      return isCall(node.expression as Node) && !reports.test(text)
        ? [['removed statement', ';']]
        : [];
    case 'Literal':
      if (typeof node.value === 'boolean') return [[`not ${text}`, String(!node.value)]];
      // A limit or an age, and not a position.
      return typeof node.value === 'number' && node.value > 2
        ? [[`double ${text}`, `(2 * ${text})`]]
        : [];
    default:
      return [];
  }
}

function isCall({ type, argument }: Node): boolean {
  const isAround = type === 'AwaitExpression' || type === 'UnaryExpression';
  return isAround ? isCall(argument as Node) : type === 'CallExpression';
}

function changesOfSql({ start }: Node, text: string): Change[] {
  const from = text.search(/\b(?:where|on|having)\b/);
  // What is inserted into the text is code.
  const words = text.replace(/\$\{[^}]*\}/g, (code) => '_'.repeat(code.length));
  const found = from < 0 ? [] : [...words.matchAll(sqlOperators)];
  return found.flatMap(({ 0: operator, index }): Change[] => {
    const other = opposites.get(operator);
    const place = { start: start + index, end: start + index + operator.length };
    return index < from || !other ? [] : [[`SQL: ${operator} is ${other}`, other, place]];
  });
}
