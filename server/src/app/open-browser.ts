// For `--open`: opens the set-up link, or the dashboard if a person has already used the link.

/** The set-up link in the start-up output. It is printed only until the first person exists. */
export function addressToOpen(lines: string): string | undefined {
  const found = /^ {2}set up {5}(\S+)$/m.exec(lines) ?? /^ {2}dashboard {2}(\S+)$/m.exec(lines);
  return found?.[1];
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Returns a message for the person if no browser can be opened. */
export function openBrowser(url: string): string | undefined {
  const [program = '', ...words] = openers[process.platform] ?? ['xdg-open'];
  const found = Bun.which(program);
  if (found === null)
    return `There is no ${program} to open a browser with. Open ${url} yourself.\n`;
  Bun.spawn([found, ...words, url], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  }).unref();
  return undefined;
}
