// A line on the terminal that says what is in progress, rewritten in place and cleared at the end.
// It appears after a second, because a quick command does not need it.
import type { Style } from './style.ts';

interface StatusLine {
  /** Replaces the text and shows it immediately. */
  update: (text: string) => void;
  /** Removes the line before other output. The line reappears while the work continues. */
  clear: () => void;
  end: () => void;
}

export const noStatusLine: StatusLine = { update: () => {}, clear: () => {}, end: () => {} };

export function startStatusLine(
  text: string,
  { write, style }: { write: (text: string) => void; style: Style },
): StatusLine {
  const began = performance.now();
  let shown = text;
  let isDrawn = false;
  let turn = 0;
  const draw = () => {
    turn += 1;
    const seconds = Math.floor((performance.now() - began) / 1000);
    const sign = frames[turn % frames.length];
    write(`${clearLine}${style.cyan(sign ?? '')} ${shown}  ${seconds} s`);
    isDrawn = true;
  };
  const timer = setInterval(() => {
    if (performance.now() - began >= appearsAfterMs) draw();
  }, frameMs);
  const clear = () => {
    if (isDrawn) write(clearLine);
    isDrawn = false;
  };
  return {
    update: (next) => {
      shown = next;
      draw();
    },
    clear,
    end: () => {
      clearInterval(timer);
      clear();
    },
  };
}

/** Returns to the start of the line and clears it. */
const clearLine = '\r\u001b[K';
const appearsAfterMs = 1000;
const frameMs = 120;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
