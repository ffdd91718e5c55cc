// Checks that a page's tags are closed in order and that its ids are unique, in a few lines.

const voidElements = new Set(['meta', 'link', 'br', 'hr', 'img', 'input', '!doctype']);

// Drawings have elements that close themselves.
const tags = /<(\/?)([a-z!][a-z0-9]*)\b[^>]*(?<!\/)>/gi;

/** Lists the errors; empty for a correct page. */
export function verifyHtml(html: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  for (const [, closing, name = ''] of html.matchAll(tags)) {
    const tag = name.toLowerCase();
    if (voidElements.has(tag)) continue;
    if (closing !== '/') open.push(tag);
    else if (open.at(-1) === tag) open.pop();
    else faults.push(`</${tag}> closes <${open.at(-1) ?? 'nothing'}>`);
  }
  faults.push(...open.map((tag) => `<${tag}> is never closed`));
  const ids = [...html.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id ?? '');
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [...faults, ...repeated.map((id) => `id ${id} is there more than once`)];
}
