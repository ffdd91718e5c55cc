// A status line for a job, rewritten in place and cleared at the end.
import type { Job } from '@trivium/contract';
import type { Context } from './command.ts';

/** Returns to the start of the line and clears it. */
export const clearLine = '\r\u001b[K';

export interface Progress {
  update: (job: Job) => void;
  end: () => void;
}

export function showProgress({ live, note, style }: Context, id: string): Progress {
  if (!live) return { update: () => {}, end: () => {} };
  const began = performance.now();
  let standing = 'submitted';
  let turn = 0;
  const draw = () => {
    turn += 1;
    const seconds = Math.floor((performance.now() - began) / 1000);
    const sign = frames[turn % frames.length];
    note(`${clearLine}${style.cyan(sign ?? '')} ${id}  ${standing}  ${seconds} s`);
  };
  const timer = setInterval(draw, frameMs);
  return {
    update: ({ status, attempt_status, provider }) => {
      standing = status === 'running' ? `running, ${attempt_status} at ${provider}` : status;
      draw();
    },
    end: () => {
      clearInterval(timer);
      note(clearLine);
    },
  };
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 120;
