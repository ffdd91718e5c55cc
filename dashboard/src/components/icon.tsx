// The icons: strokes on a grid of 20, in the colour of the text beside them.

const paths = {
  overview: 'M3 17V9m5 8V3m5 14v-6m4 6V6',
  playground: 'M6 4.5v11l9-5.5z',
  keys: 'M12.5 7.5h.01M8.6 9.9A4.5 4.5 0 1 1 10.1 11.4L8 13.5H6v2H4v1.5H2.5v-2.5z',
  webhooks: 'M17 3 2.5 8.5 9 11l2.5 6.5zM9 11l8-8',
  requests: 'M3 5h14M3 10h14M3 15h9',
  jobs: 'M10 3v7m-3-4v1m6-1v1M5.5 9.5a4.5 4.5 0 0 0 9 0M10 14v3',
  usage: 'M10 3a7 7 0 1 0 7 7h-7zM13 3.7A7 7 0 0 1 16.3 7H13z',
  billing:
    'M2.5 6.5C2.5 5.7 3.2 5 4 5h12c.8 0 1.5.7 1.5 1.5v7c0 .8-.7 1.5-1.5 1.5H4c-.8 0-1.5-.7' +
    '-1.5-1.5zm0 2h15M5.5 12H8',
  scorecard: 'M3 5l1.5 1.5L7 4M10 5h7M3 10l1.5 1.5L7 9m3 1h7M3 15l1.5 1.5L7 14m3 1h7',
  providers: 'M4 4h12v5H4zm0 7h12v5H4zm3-4.5h.01M7 13.5h.01',
  people:
    'M7.5 9a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5z' +
    'M2.5 16.5c0-2.8 2.2-4.5 5-4.5s5 1.7 5 4.5M13 4a2.5 2.5 0 0 1 0 4.8m1.5 3.5c1.8.5 3 2 3 4.2',
  settings:
    'M4 6h6m4 0h2M4 14h2m4 0h6M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4z' +
    'm-4 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  audit: 'M5 3h7l3.5 3.5V17H5zm7 0v3.5h3.5M8 10.5h5M8 13.5h5',
  profile:
    'M10 10a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.5zM3.5 17c.3-3.2 3-5 6.5-5s6.2 1.8 6.5 5',
  docs:
    'M10 5.5C8.5 4.3 6 4 3 4.2v11.3c3-.2 5.5.1 7 1.3 1.5-1.2 4-1.5 7-1.3V4.2c-3-.2-5.5.1-7 1.3z' +
    'm0 0v11.3',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  close: 'M5 5l10 10M15 5 5 15',
  more: 'M5 8l5 5 5-5',
  actions: 'M4 9h2v2H4zM9 9h2v2H9zM14 9h2v2h-2z',
  pause: 'M7 4.5v11M13 4.5v11',
  play: 'M6 4.5v11l9-5.5z',
  refresh: 'M16 4v4h-4m3.7-.5A6.5 6.5 0 1 0 16.4 11',
  filter: 'M3 5h14M6 10h8m-5 5h2',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zm4-1.5 4 4',
  download: 'M10 3v9m-3.5-3.5L10 12l3.5-3.5M4 16h12',
  columns: 'M3.5 4h13v12h-13zM8 4v12m4.5-12v12',
  up: 'M10 16V4.5m-4.5 4.5L10 4.5 14.5 9',
  down: 'M10 4v11.5m-4.5-4.5 4.5 4.5 4.5-4.5',
  open: 'M8 5l5 5-5 5',
  warning: 'M10 3.5 17.5 16.5h-15zm0 5v4m0 2h.01',
  page: 'M5 3h10v14H5z',
  note: 'M4 4h12v8l-4 4H4zm12 8h-4v4',
} as const;

export type IconName = keyof typeof paths;

/** Decoration: the words beside it, or a label, say what it means. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
