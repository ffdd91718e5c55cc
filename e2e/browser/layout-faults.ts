// What is wrong with the layout of a page, measured in the browser: text over text, text that is
// cut off, a page that scrolls sideways, and columns that break short words.

/** Runs in the page, so it uses nothing from outside. */
export async function findLayoutFaults(theme = 'light'): Promise<string[]> {
  document.documentElement.setAttribute('data-theme', theme);
  // Tables adapt to a new width before the next frame is painted.
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  const slackPx = 1.5;
  const maxWord = 12;
  const faults: string[] = [];
  const { documentElement: root } = document;
  if (root.scrollWidth > root.clientWidth) {
    faults.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
  }
  const nameOf = (element: Element) => {
    const { className } = element;
    const name = typeof className === 'string' && className !== '' ? `.${className.trim()}` : '';
    const of = element.closest('[aria-label]')?.getAttribute('aria-label') ?? '';
    return `${element.tagName.toLowerCase()}${name.replaceAll(/\s+/g, '.')} in “${of}”`;
  };
  const short = (text: string | null) => (text ?? '').trim().slice(0, 30);

  interface Piece {
    node: Text;
    parent: Element;
    layer: Element | null;
    box: { left: number; right: number; top: number; bottom: number };
  }
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const known = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, known);
    return known;
  };
  /** What floats above the page may cover it; its own texts are compared with each other. */
  const layers = new Map<Element, Element | null>();
  const layerOf = (element: Element): Element | null => {
    const known = layers.get(element);
    if (known !== undefined) return known;
    const floats = ['fixed', 'sticky'].includes(styleOf(element).position);
    const parent = element.parentElement;
    const layer = floats ? element : parent ? layerOf(parent) : null;
    layers.set(element, layer);
    return layer;
  };
  const hiddenText = '.hidden-text, .skip, .cards thead, select, [aria-hidden="true"]';
  const pieces: Piece[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || !node.textContent?.trim() || !parent.checkVisibility()) continue;
    if (parent.closest(hiddenText) || styleOf(parent).clipPath !== 'none') continue;
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const box = { left, right, top, bottom };
      // Only the part that its ancestors leave visible.
      let isInline = true;
      for (let up: Element | null = parent; up && up !== document.body; up = up.parentElement) {
        const { overflowX, overflowY, textOverflow, display } = styleOf(up);
        // Only its own text is shortened with an ellipsis, not that of a box inside.
        const isShortened = textOverflow === 'ellipsis' && isInline;
        isInline &&= /^(?:inline|contents)/.test(display);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const place = up.getBoundingClientRect();
        const isOut = box.right > place.right + slackPx || box.left < place.left - slackPx;
        if (isOut && textOverflow === 'ellipsis' && !isShortened) {
          faults.push(`“${short(node.textContent)}” ends at an edge without an ellipsis`);
        }
        if (overflowX !== 'visible') {
          box.left = Math.max(box.left, place.left);
          box.right = Math.min(box.right, place.right);
        }
        if (overflowY !== 'visible') {
          box.top = Math.max(box.top, place.top);
          box.bottom = Math.min(box.bottom, place.bottom);
        }
      }
      if (box.right - box.left > slackPx && box.bottom - box.top > slackPx) {
        pieces.push({ node: node as Text, parent, layer: layerOf(parent), box });
      }
    }
  }

  pieces.sort((one, other) => one.box.top - other.box.top);
  /** Lines of one text may touch, as their height is more than that of their letters. */
  const inkPx = 4;
  /** Values of two columns that are closer look like one. */
  const leastGapPx = 6;
  for (const [place, one] of pieces.entries()) {
    for (const other of pieces.slice(place + 1)) {
      if (other.box.top >= one.box.bottom - inkPx) break;
      if (one.node === other.node || one.layer !== other.layer) continue;
      const across =
        Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      if (across <= -leastGapPx) continue;
      const cells = [one, other].map(({ parent }) => parent.closest('td, th'));
      const isRow = cells[0]?.parentElement === cells[1]?.parentElement && cells[0] !== cells[1];
      if (across > slackPx) {
        faults.push(`“${short(one.node.data)}” is over “${short(other.node.data)}”`);
      } else if (isRow && cells[0]) {
        faults.push(`“${short(one.node.data)}” stands against “${short(other.node.data)}”`);
      }
    }
  }

  for (const { parent, box } of pieces) {
    const card = parent.closest('.card, .table-box, dialog, .panel');
    if (!card) continue;
    const place = card.getBoundingClientRect();
    if (box.right > place.right + slackPx || box.left < place.left - slackPx) {
      faults.push(`“${short(parent.textContent)}” leaves ${nameOf(card)}`);
    }
  }

  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility() || element.closest(hiddenText)) continue;
    const { overflowX, overflowY, textOverflow, clipPath } = styleOf(element);
    if (clipPath !== 'none') continue;
    const isCut = (way: string) => way === 'hidden' || way === 'clip';
    const wide = isCut(overflowX) && element.scrollWidth > element.clientWidth + slackPx;
    const tall = isCut(overflowY) && element.scrollHeight > element.clientHeight + slackPx;
    if (!wide && !tall) continue;
    // An ellipsis is fine if the whole text is one step away.
    const title = element.closest('[title]')?.getAttribute('title') ?? '';
    const isMarked = textOverflow === 'ellipsis' || styleOf(element).webkitLineClamp !== 'none';
    const isReachable = title !== '' || element.closest('tr.openable, .account') !== null;
    if (!isMarked || !isReachable) {
      faults.push(`${nameOf(element)} cuts off “${short(element.textContent)}”`);
    }
  }

  for (const box of document.querySelectorAll('.table-box:not(:has(.matrix))')) {
    if (box.checkVisibility() && box.scrollWidth > box.clientWidth + slackPx) {
      faults.push(`${nameOf(box)} scrolls sideways`);
    }
  }

  /** A text without spaces between its words may be broken anywhere, and a word at its hyphen. */
  const word = /\S+/gu;
  const unspaced = /[-–\p{Script=Han}\p{Script=Thai}\p{Extended_Pictographic}]/u;
  for (const { node, parent } of new Map(pieces.map((piece) => [piece.node, piece])).values()) {
    if (!parent.closest('td, th')) continue;
    for (const { index, 0: found } of node.data.matchAll(word)) {
      if (found.length < 2 || found.length > maxWord || unspaced.test(found)) continue;
      range.setStart(node, index);
      range.setEnd(node, index + found.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) faults.push(`a column breaks the word “${found}”`);
    }
  }
  return [...new Set(faults)];
}
