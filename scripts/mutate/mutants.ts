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
  /** What stands there instead. */
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
}

/** What the nodes of some types have. */
interface Parts extends Node {
  operator: string;
  left: Node;
  right: Node;
  argument: Node;
  test: Node;
  expression: Node;
  value: unknown;
}

const pairs = ['< <=', '> >=', '=== !==', '+ -', '* /', '&& ||', '= <>', 'and or'];
const opposites = new Map([
  ...pairs.flatMap((pair) => {
    const [one = '', other = ''] = pair.split(' ');
    return [[one, other] as const, [other, one] as const];
  }),
  ['is null', 'is not null'],
  ['is not null', 'is null'],
]);

/** What only informs operators is not tested by every test that runs it. */
const reports = /^(?:await |void )*(?:\w+\.)*(?:log|metrics)\b/;
const sql = /^['"`]\s*(?:select|insert|update|delete|with)\b/i;
const sqlOperators = /(?<=\s)(?:<=|>=|<>|<|>|=|and|or|is not null|is null)(?=[\s)'"`])/g;
/** Nothing below them exists at run time. */
const typeNodes = /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|^ImportDeclaration$/;

export function mutantsOf(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const add = (kind: string, { start, end }: Omit<Node, 'type'>, text: string) =>
    mutants.push({ file, line: source.slice(0, start).split('\n').length, kind, start, end, text });
  const visit = (node: Node): void => {
    if (typeNodes.test(node.type)) return;
    change(node as Parts, source, add);
    for (const child of Object.values(node).flat() as unknown[]) if (isNode(child)) visit(child);
  };
  visit(parseSync(file, source).program);
  return mutants;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

export function applyMutant(source: string, { start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end);
}

type Add = (kind: string, place: Omit<Node, 'type'>, text: string) => void;

function change(node: Parts, source: string, add: Add): void {
  const text = source.slice(node.start, node.end);
  if (sql.test(text)) return changeSql(node, text, add);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const { operator, left, right } = node;
      const other = opposites.get(operator);
      if (other === undefined || (operator === '+' && /['"`]/.test(text))) return;
      const between = source.slice(left.end, right.start).replace(operator, other);
      const changed = source.slice(left.start, left.end) + between;
      return add(
        `${operator} is ${other}`,
        node,
        `(${changed}${source.slice(right.start, right.end)})`,
      );
    }
    case 'UnaryExpression':
      if (node.operator === '!') add('no !', node, `(${text.slice(1)})`);
      return;
    case 'IfStatement':
      add('condition is false', node.test, 'false');
      return add('condition is true', node.test, 'true');
    case 'ConditionalExpression':
      return add(
        'condition is reversed',
        node.test,
        `!(${source.slice(node.test.start, node.test.end)})`,
      );
    case 'ExpressionStatement':
      if (isCall(node.expression) && !reports.test(text)) add('removed statement', node, ';');
      return;
    case 'Literal':
      if (typeof node.value === 'boolean') add(`not ${text}`, node, String(!node.value));
      // A limit or an age, and not a position.
      else if (typeof node.value === 'number' && node.value > 2)
        add(`double ${text}`, node, `(2 * ${text})`);
      return;
    default:
  }
}

function isCall(node: Node): boolean {
  const { argument } = node as Parts;
  if (node.type === 'AwaitExpression' || node.type === 'UnaryExpression') return isCall(argument);
  return node.type === 'CallExpression';
}

function changeSql({ start }: Node, text: string, add: Add): void {
  const from = text.search(/\b(?:where|on|having)\b/);
  // What is inserted into the text is code.
  const words = text.replace(/\$\{[^}]*\}/g, (code) => '_'.repeat(code.length));
  for (const { 0: operator, index } of from < 0 ? [] : words.matchAll(sqlOperators)) {
    const other = opposites.get(operator);
    if (index < from || other === undefined) continue;
    add(
      `SQL: ${operator} is ${other}`,
      { start: start + index, end: start + index + operator.length },
      other,
    );
  }
}
