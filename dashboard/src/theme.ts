// The theme of the page: system, light or dark. The choice is stored in this browser and shared
// with the documentation.
import { useSyncExternalStore } from 'react';
import { applyTheme, readTheme, themeKey } from './stored-theme.ts';
import type { Theme } from './stored-theme.ts';

const listeners = new Set<() => void>();

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(themeKey, theme);
  } catch {
    // Without browser storage, the choice lasts until the page is left.
  }
  applyTheme(theme);
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, appliedTheme);
}

function appliedTheme(): Theme {
  return (document.documentElement.dataset['theme'] ?? 'auto') as Theme;
}

/** Another tab may change the theme too. */
function subscribe(listener: () => void): () => void {
  const chosenElsewhere = ({ key }: StorageEvent) => {
    if (key !== themeKey) return;
    applyTheme(readTheme());
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', chosenElsewhere);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', chosenElsewhere);
  };
}
