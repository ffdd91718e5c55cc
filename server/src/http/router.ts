// Finds the route of a request in a table that is built once: paths without parameters in a map,
// the others by their segments.

type Params = Readonly<Record<string, string>>;

export interface RoutesAtPath<T> {
  path: string;
  segments: readonly string[];
  routes: Map<string, T>;
}

interface Match<T> {
  at: RoutesAtPath<T>;
  /** Undefined if the path does not support the method. */
  route: T | undefined;
  params: Params;
}

type Router<T> = (method: string, path: string) => Match<T> | undefined;

const noParams: Params = Object.freeze({});

export function makeRouter<T extends { method: string; path: string }>(
  routes: readonly T[],
): Router<T> {
  const fixed = new Map<string, RoutesAtPath<T>>();
  const patterns = new Map<string, RoutesAtPath<T>>();
  for (const route of routes) {
    const { method, path } = route;
    const table = path.includes('/:') ? patterns : fixed;
    const at = table.get(path) ?? { path, segments: path.split('/'), routes: new Map() };
    table.set(path, at);
    at.routes.set(method, route);
  }
  return (method, path) => {
    const exact = fixed.get(path);
    const route = exact?.routes.get(method);
    if (exact && route) return { at: exact, route, params: noParams };
    let otherMethod = exact && { at: exact, route: undefined, params: noParams };
    const segments = path.split('/');
    for (const at of patterns.values()) {
      const params = readParams(at.segments, segments);
      if (!params) continue;
      const found = { at, route: at.routes.get(method), params };
      if (found.route) return found;
      otherMethod ??= { ...found, route: undefined };
    }
    return otherMethod;
  };
}

function readParams(pattern: readonly string[], segments: readonly string[]): Params | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, name] of pattern.entries()) {
    const given = segments[at] ?? '';
    if (name.startsWith(':') && given !== '') {
      params[name.slice(1)] = decode(given, decodeURIComponent);
    } else if (name !== given) return undefined;
  }
  return params;
}

/** The decoded path of an address, without a trailing slash. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + '://'.length);
  const end = url.slice(start).search(/[?#]/);
  const path = end === -1 ? url.slice(start) : url.slice(start, start + end);
  // An encoded percent sign is decoded only once, with its segment.
  const decoded = decode(path.replaceAll('%25', '%2525'), decodeURI);
  return decoded.length > 1 && decoded.endsWith('/') ? decoded.slice(0, -1) : decoded;
}

/** Invalid percent-encoding is left as it is. */
function decode(text: string, decoder: (text: string) => string): string {
  if (!text.includes('%')) return text;
  try {
    return decoder(text);
  } catch {
    return text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (part) => {
      try {
        return decoder(part);
      } catch {
        return part;
      }
    });
  }
}
