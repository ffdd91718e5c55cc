// Decides which pages a policy's domains allow. A page is judged by its page key and by every host
// that its address names, so that all spellings of the same page are treated alike: www., a
// redirect, an AMP copy, another notation of an IP address.
import { compileDomains } from '../../negotiation/index.ts';
import { hostsOf } from '@trivium/shared/page-key';
import { embeddedIpv4 } from '@trivium/contract';

interface DomainLists {
  blocked_domains: readonly string[] | null;
  allowed_domains: readonly string[] | null;
}

export type AllowsPage = (url: string) => boolean;

/** Undefined if the lists set no limit. */
export function compileDomainRules(lists: DomainLists): AllowsPage | undefined {
  const { blocked_domains: blocked, allowed_domains: allowed } = lists;
  if (!blocked && !allowed) return undefined;
  const blocks = blocked ? compileBlocked(blocked) : undefined;
  const allows = allowed ? compileAllowed(allowed) : undefined;
  return (url) => !blocks?.(url) && (allows?.(url) ?? true);
}

/** A page is blocked by the host in its address and by every host that it leads to. */
function compileBlocked(entries: readonly string[]): AllowsPage {
  // Blocking one of several names of a site blocks the site.
  const names = entries.flatMap((entry) => [entry, ...twinsOf(entry)]);
  const isListed = compileHosts(names);
  return (url) => {
    const { all, targets } = hostsOf(url);
    return targets === undefined || all.some(isListed);
  };
}

/** A page is allowed by where it leads: allowing a redirector does not allow its targets. */
function compileAllowed(entries: readonly string[]): AllowsPage {
  const isListed = compileHosts(entries);
  // The main name of a site counts as the same site; its other subdomains do not.
  const twins = new Set(entries.flatMap(twinsOf));
  return (url) => {
    const { written, targets = [] } = hostsOf(url);
    if (targets.length === 0 || written === undefined) return false;
    return targets.every(
      (target) =>
        isListed(target) ||
        twins.has(target) ||
        (mainNameOf(written) === target && isListed(written)),
    );
  };
}

function compileHosts(entries: readonly string[]): (host: string) => boolean {
  const addresses = new Set(entries.map(plain).filter((host) => host.startsWith('[')));
  const isNamed = compileDomains(entries.map(plain).filter((host) => !host.startsWith('[')));
  return (host) => {
    const name = plain(host);
    return name.startsWith('[')
      ? addresses.has(name)
      : isNamed({ host: name, port: '', path: '/' });
  };
}

/** The main name of the site that an entry names, such as the host without www. */
function twinsOf(entry: string): string[] {
  if (entry.startsWith('.') || entry.startsWith('*.')) return [];
  const name = mainNameOf(entry);
  return name === undefined || name === entry ? [] : [name];
}

function mainNameOf(host: string): string | undefined {
  return hostsOf(`https://${host}/`).targets?.[0];
}

/** An IPv4 address written as an IPv6 address is the same host. */
function plain(host: string): string {
  return embeddedIpv4(host) ?? host;
}
