// Runs before the first paint, so that a page in the dark theme does not flash white.
import { applyTheme, readTheme } from './stored-theme.ts';

applyTheme(readTheme());
