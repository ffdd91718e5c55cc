// Runs before the first paint, so that a page in the dark theme does not begin in white.
import { applyTheme, readTheme } from './stored-theme.ts';

applyTheme(readTheme());
