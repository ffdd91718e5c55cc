// Code on a page: highlighted, in tabs if the same thing is shown in several languages, and with
// the response below its request.
import type { Element, ElementContent, Root, RootContent } from 'hast';

type Highlight = (language: string, code: string) => ElementContent[];

/** A plugin for the HTML tree of a page. `marks` are the words after the backticks. */
export function arrangeCode(highlight: Highlight): () => (tree: Root) => void {
  return () => (tree) => {
    const arranged: RootContent[] = [];
    for (const node of tree.children) {
      const block = readBlock(node);
      if (block === undefined) {
        // White space between two tabs belongs to neither.
        if (!(node.type === 'text' && node.value.trim() === '')) arranged.push(node);
        continue;
      }
      const rendered = figure(block, highlight);
      const last = arranged.at(-1);
      const follows = last?.type === 'element' && last.properties.className?.includes('tabs');
      if (block.tab !== undefined && follows) last.children.push(rendered);
      else arranged.push(block.tab === undefined ? rendered : wrap(rendered));
    }
    tree.children = arranged;
  };
}

interface CodeBlock {
  language: string;
  code: string;
  tab: string | undefined;
  answer: boolean;
}

function readBlock(node: RootContent): CodeBlock | undefined {
  if (node.type !== 'element' || node.tagName !== 'pre') return undefined;
  const [code] = node.children;
  if (code?.type !== 'element' || code.tagName !== 'code') return undefined;
  const [name] = [code.properties['className']].flat();
  const language = String(name ?? '').replace(/^language-/, '');
  const marks = String(code.data?.meta ?? '').split(' ');
  const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
  return {
    language,
    code: text,
    tab: marks.find((mark) => mark.startsWith('tab='))?.slice('tab='.length),
    answer: marks.includes('answer'),
  };
}

function figure({ language, code, tab, answer }: CodeBlock, highlight: Highlight): Element {
  const label = tab ?? (answer ? 'Response' : undefined);
  // A script turns it into a tab panel, which a figure cannot be.
  const [tag, captionTag] = tab === undefined ? ['figure', 'figcaption'] : ['div', 'p'];
  const caption =
    label === undefined ? [] : [element(captionTag, { className: ['label'] }, [text(label)])];
  const inner = element('code', { className: [`language-${language}`] }, highlight(language, code));
  const attributes = {
    className: answer ? ['code', 'answer'] : ['code'],
    ...(tab === undefined ? {} : { dataTab: tab }),
  };
  // Focusable, so that a reader without a mouse can scroll it with the arrow keys.
  return element(tag, attributes, [...caption, element('pre', { tabIndex: 0 }, [inner])]);
}

function wrap(first: Element): Element {
  return element('div', { className: ['tabs'] }, [first]);
}

function element(
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[],
): Element {
  return { type: 'element', tagName, properties, children };
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}
