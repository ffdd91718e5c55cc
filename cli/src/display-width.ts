// Measures, pads and cuts text by the columns it takes on a terminal: a wide character takes two, a
// combining mark takes none.
import stringWidth from 'string-width';

export const widthOf = (text: string): number => stringWidth(text);

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - widthOf(text), 0));
}

const segmenter = new Intl.Segmenter();

/** Truncates a text between characters as people see them, and marks the cut with an ellipsis. */
export function cut(text: string, width: number): string {
  // Only the beginning of a long text can fit, so only the beginning is measured.
  const start = text.length > maxMeasuredChars ? text.slice(0, maxMeasuredChars) : text;
  if (start === text && widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(start)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}

const maxMeasuredChars = 10_000;
