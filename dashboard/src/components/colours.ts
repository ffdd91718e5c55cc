// The colours of the style sheet, resolved for a canvas, which cannot read them itself.
import { useSyncExternalStore } from 'react';

export interface Colours {
  accent: string;
  bad: string;
  soft: string;
  line: string;
}

export function useColours(): Colours {
  return useSyncExternalStore(listen, read);
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function listen(hear: () => void): () => void {
  dark.addEventListener('change', hear);
  return () => dark.removeEventListener('change', hear);
}

let known: { dark: boolean; colours: Colours } | undefined;

function read(): Colours {
  if (known?.dark === dark.matches) return known.colours;
  const colours = {
    accent: colourOf('--accent'),
    bad: colourOf('--bad'),
    soft: colourOf('--ink-soft'),
    line: colourOf('--line'),
  };
  known = { dark: dark.matches, colours };
  return colours;
}

/** light-dark(…) resolves to a colour only on an element that uses it. */
function colourOf(name: string): string {
  const swatch = document.createElement('span');
  swatch.style.color = `var(${name})`;
  document.body.append(swatch);
  const { color } = getComputedStyle(swatch);
  swatch.remove();
  return color;
}
