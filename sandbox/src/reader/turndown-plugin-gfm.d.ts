// Types for the plugin that writes tables and struck-out text, which comes without its own.
declare module '@joplin/turndown-plugin-gfm' {
  import type TurndownService from 'turndown';

  export const gfm: TurndownService.Plugin;
}
