// Domain entries in the contract's canonical spelling, a matcher for page URLs that is compiled once
// per list, and the forms that a provider accepts. For another form, an included domain is sent as
// the closest entry that contains it, and an excluded one is not sent.

interface DomainEntry {
  /** `*.` or `.` means everything below the host but not the host itself. Otherwise empty. */
  mark: '*.' | '.' | '';
  host: string;
  /** Includes the colon. Empty if any port matches. */
  port: string;
  /** With a leading slash and without a trailing one. Empty for the whole host. */
  path: string;
}

export function readEntry(spelled: string): DomainEntry {
  const mark = spelled.startsWith('*.') ? '*.' : spelled.startsWith('.') ? '.' : '';
  const slash = spelled.indexOf('/');
  const pathStart = slash < 0 ? spelled.length : slash;
  const colon = spelled.indexOf(':');
  const hostEnd = colon < 0 || colon > pathStart ? pathStart : colon;
  return {
    mark,
    host: spelled.slice(mark.length, hostEnd),
    port: spelled.slice(hostEnd, pathStart),
    path: spelled.slice(pathStart),
  };
}

/** The parts of a page's address that a list of domains is compared with. */
export interface PagePlace {
  host: string;
  port: string;
  path: string;
}

/** Undefined if it is not a URL. */
export function readPlace(url: string): PagePlace | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const { hostname, port, pathname } = parsed;
  return {
    host: hostname.endsWith('.') ? hostname.slice(0, -1) : hostname,
    port: port === '' ? '' : `:${port}`,
    path: pathname,
  };
}

/**
 * True if a page matches any entry of the list: it is on the host or below it, on whole labels, and
 * under the path, on whole segments. The number of steps depends on the labels of the host, not on
 * the length of the list.
 */
export function compileDomains(entries: readonly string[]): (place: PagePlace) => boolean {
  const lists: Lists = { hosts: new Map(), below: new Map() };
  for (const { mark, host, port, path } of entries.map(readEntry)) {
    const list = mark === '' ? lists.hosts : lists.below;
    const paths = list.get(host + port);
    if (paths) paths.push(`${path}/`);
    else list.set(host + port, [`${path}/`]);
  }
  for (const list of [lists.hosts, lists.below]) {
    for (const [host, paths] of list) list.set(host, withoutNested(paths));
  }
  return (place) => isListed(lists, place);
}

/** The paths of each host: with a trailing slash, sorted, and none inside another. */
interface Lists {
  hosts: Map<string, string[]>;
  below: Map<string, string[]>;
}

function withoutNested(paths: readonly string[]): string[] {
  const kept: string[] = [];
  for (const path of paths.toSorted()) {
    const last = kept.at(-1);
    if (last === undefined || !path.startsWith(last)) kept.push(path);
  }
  return kept;
}

function isListed({ hosts, below }: Lists, { host, port, path }: PagePlace): boolean {
  const asked = `${path}/`;
  const holds = (list: Map<string, string[]>, name: string) =>
    isInside(list.get(name), asked) || (port !== '' && isInside(list.get(name + port), asked));
  if (holds(hosts, host)) return true;
  // A longer name is not a host, and each step would copy the rest of it.
  if (host.length > maxHostLength) return false;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    const parent = host.slice(dot + 1);
    if (holds(hosts, parent) || holds(below, parent)) return true;
  }
  return false;
}

const maxHostLength = 253;

/** The paths are sorted and disjoint, so only the one just before can contain it. */
function isInside(paths: readonly string[] | undefined, asked: string): boolean {
  if (!paths) return false;
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (String(paths[middle]) <= asked) low = middle + 1;
    else high = middle;
  }
  return low > 0 && asked.startsWith(String(paths[low - 1]));
}

/** Every provider accepts a host with a dot in it, which includes its subdomains. */
export interface DomainForms {
  /** Entries such as `host/path`. */
  path?: true;
  /** Entries such as `*.host`. */
  wildcard?: true;
  /** Bare suffixes of names, written with their dot (`.gov`). */
  suffix?: true;
  /** False if an entry must not begin with `www.`. */
  www?: false;
  /** Set if a host must be a name of letters, digits and hyphens, and not a numeric address. */
  plainNames?: true;
  /** How many entries the provider accepts. */
  atMost?: number;
  /** The maximum length of a list, with a fixed cost for each entry. */
  maxLength?: { chars: number; perEntry: number };
}

/** An entry as the provider accepts it. Not exact if it includes more than was requested. */
interface SentEntry {
  text: string;
  exact: boolean;
}

/** Undefined if the provider accepts nothing that includes the entry. */
function sentEntry(spelled: string, forms: DomainForms): SentEntry | undefined {
  const entry = readEntry(spelled);
  const name = sentName(entry, forms);
  if (name === undefined) return undefined;
  const { host, port, path, mark } = entry;
  const takesPath = forms.path === true && name.text === host && host.includes('.');
  const whole = takesPath ? name.text + path : name.text;
  const pathSent = path === '' || takesPath;
  const hasWww = host.startsWith('www.') && host.includes('.', 'www.'.length);
  const barred = forms.www === false && mark === '' && hasWww;
  const text = barred ? whole.slice('www.'.length) : whole;
  return { text, exact: name.exact && pathSent && port === '' && !barred };
}

function sentName({ mark, host, path }: DomainEntry, forms: DomainForms): SentEntry | undefined {
  if (!host.includes('.')) {
    if (forms.suffix) return { text: `.${host}`, exact: true };
    return forms.wildcard ? { text: `*.${host}`, exact: true } : undefined;
  }
  if (forms.suffix && (mark === '.' || (mark === '' && nationalSuffix.test(host)))) {
    return { text: `.${host}`, exact: true };
  }
  // No provider is known to accept a wildcard together with a path.
  if (mark !== '' && forms.wildcard && path === '') return { text: `*.${host}`, exact: true };
  const text = forms.plainNames ? plainNameAbove(host) : host;
  return text === undefined ? undefined : { text, exact: mark === '' && text === host };
}

/** The host itself, or its closest parent that is a plain name. An IP address has none. */
function plainNameAbove(host: string): string | undefined {
  const labels = host.split('.');
  const invalid = labels.findLastIndex((label) => !plainLabel.test(label));
  const ending = labels.at(-1) ?? '';
  const name = labels.slice(invalid + 1).join('.');
  return /[a-z]/.test(ending) && ending.length > 1 && name.includes('.') ? name : undefined;
}

const plainLabel = /^(?!-)[a-z\d-]+(?<!-)$/;

/** Public suffixes with two labels. */
const nationalSuffix = /^(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}$/;

/** What is sent of a list. The gateway compares the results with the whole list. */
interface SentList {
  /** Undefined if nothing of the list can be sent. */
  texts?: string[];
  /** For the warning, if the list was not sent exactly. */
  note?: string;
  /** True if included entries were not sent, so that their pages are never found. */
  cut: boolean;
}

/** If one entry were missing, its pages would be missing, so all entries are sent or none. */
export function sentInclude(entries: readonly string[], forms: DomainForms): SentList {
  const sent = entries.map((entry) => sentEntry(entry, forms));
  const missing = sent.indexOf(undefined);
  if (missing >= 0) {
    const excerpt = String(entries[missing]).slice(0, maxShownChars);
    const why = `the provider accepts no entry like "${excerpt}"`;
    const note = `${why}, so the list was applied to the results.`;
    return { note, cut: false };
  }
  const texts = [...new Set(sent.flatMap((entry) => entry?.text ?? []))];
  const exact = sent.every((entry) => entry?.exact);
  const taken = entriesTaken(texts, forms);
  if (texts.length > taken) {
    const note = `only the first ${taken} entries were sent, because the provider accepts no more.`;
    return { texts: texts.slice(0, taken), note, cut: true };
  }
  if (exact) return { texts, cut: false };
  const note =
    'the provider accepts some entries only as whole hosts, so the list was applied to the results.';
  return { texts, note, cut: false };
}

/** An entry that includes more than requested would exclude too much, so it is not sent. */
export function sentExclude(entries: readonly string[], forms: DomainForms): SentList {
  const sent = entries.map((entry) => sentEntry(entry, forms));
  const exact = new Set(sent.flatMap((entry) => (entry?.exact ? [entry.text] : [])));
  const texts = [...exact].slice(0, entriesTaken([...exact], forms));
  const whole = texts.length === exact.size && sent.every((entry) => entry?.exact);
  if (whole) return { texts, cut: false };
  const note =
    'the provider does not accept all of these entries, so they were applied to the results.';
  return { ...(texts.length > 0 ? { texts } : {}), note, cut: false };
}

function entriesTaken(
  texts: readonly string[],
  { atMost = Infinity, maxLength }: DomainForms,
): number {
  if (!maxLength) return atMost;
  let left = maxLength.chars;
  const end = texts.findIndex((text) => (left -= maxLength.perEntry + text.length) < 0);
  return end < 0 ? atMost : Math.min(end, atMost);
}

const maxShownChars = 200;

/** The forms as text, for tables. */
export function formWords(given: DomainForms): string {
  const { path, wildcard, suffix, www, plainNames, atMost, maxLength } = given;
  const forms = [
    www === false ? 'hosts without www.' : plainNames ? 'hosts in plain ASCII' : 'hosts',
    ...(path ? ['paths'] : []),
    ...(wildcard ? ['wildcards'] : []),
    ...(suffix ? ['suffixes'] : []),
  ].join(', ');
  const limits = [
    ...(atMost === undefined ? [] : [`${atMost} entries`]),
    ...(maxLength === undefined ? [] : [`${maxLength.chars} characters`]),
  ];
  const count = limits.length === 0 ? '' : `up to ${limits.join(' and ')}: `;
  return `${count}${forms}; other forms are applied to the results`;
}
