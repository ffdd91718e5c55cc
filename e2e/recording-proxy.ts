// A proxy between a gateway and the sandbox that reformats the JSON of every answer in a valid but
// unusual way, and records its responses.
import { startSandboxProxy } from './sandbox-proxy.ts';
import type { SandboxProxy } from './sandbox-proxy.ts';

export type RecordingProxy = SandboxProxy & {
  /** The answers it returned, as text, oldest first. */
  answers: string[];
};

export function startRecordingProxy(sandboxUrl: string): RecordingProxy {
  const answers: string[] = [];
  const proxy = startSandboxProxy(sandboxUrl, async (answer) => {
    const text = reformat(await answer.text());
    answers.push(text);
    return new Response(text, {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    });
  });
  return { ...proxy, answers };
}

/** Whole numbers get a fraction, and lines are broken: the same JSON in other bytes. */
function reformat(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 1).replace(/: (\d{1,6})(?=,?\n)/g, ':  $1.0');
}

/** The text of every `raw` in an answer, extracted without a JSON parser. */
export function rawTexts(answer: string): string[] {
  const found: string[] = [];
  for (let at = answer.indexOf(mark); at >= 0; at = answer.indexOf(mark, at)) {
    const begin = at + mark.length;
    at = endOfValue(answer, begin);
    found.push(answer.slice(begin, at));
  }
  return found;
}

const mark = '"raw":';

/** The end of the object or list that begins here; braces inside strings do not count. */
function endOfValue(text: string, begin: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = begin; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new Error('The answer ends inside a raw object.');
}
