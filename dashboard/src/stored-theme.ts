// The theme that this browser has stored. The page runs this before it is painted.

export type Theme = 'auto' | 'light' | 'dark';

export const themeKey = 'trivium-theme';

export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(themeKey);
    return kept === 'light' || kept === 'dark' ? kept : 'auto';
  } catch {
    return 'auto';
  }
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
