// One line that tells where a job stands, rewritten in place, and cleared at the end.
import type { Job } from '@trivium/contract';
import type { Context } from './command.ts';

/** Back to the beginning of the line, and nothing left on it. */
export const CLEAR_LINE = '\r\u001b[K';

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
    const sign = FRAMES[turn % FRAMES.length];
    note(`${CLEAR_LINE}${style.cyan(sign ?? '')} ${id}  ${standing}  ${seconds} s`);
  };
  const timer = setInterval(draw, FRAME_MS);
  return {
    update: ({ status, attempt_status, provider }) => {
      standing = status === 'running' ? `running, ${attempt_status} at ${provider}` : status;
      draw();
    },
    end: () => {
      clearInterval(timer);
      note(CLEAR_LINE);
    },
  };
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 120;
