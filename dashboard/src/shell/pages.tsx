// The pages by path, each loaded when it is first opened.
import { Suspense, useEffect } from 'react';
import { Empty, Skeleton } from '../components/basics.tsx';
import type { IconName } from '../components/icon.tsx';
import { Boundary } from './boundary.tsx';
import { lazyPage } from './lazy-page.ts';
import type { LazyPage } from './lazy-page.ts';
import { Link } from './router.tsx';
import { useIsOperator, useMayChange, useSession } from './session.tsx';

export interface PageEntry {
  path: string;
  title: string;
  icon?: IconName;
  show: LazyPage;
  operator?: boolean;
  /** Spends money, so viewers cannot open it. */
  spends?: boolean;
  /** Not in the navigation. */
  unlisted?: boolean;
  group?: string;
}

export const pages: readonly PageEntry[] = [
  {
    path: '/',
    title: 'Overview',
    icon: 'overview',
    show: lazyPage(async () => (await import('../overview/overview.tsx')).OverviewPage),
  },
  {
    path: '/playground',
    title: 'Playground',
    icon: 'playground',
    show: lazyPage(async () => (await import('../playground/playground.tsx')).PlaygroundPage),
    spends: true,
  },
  {
    path: '/keys',
    title: 'Keys',
    icon: 'keys',
    show: lazyPage(async () => (await import('../keys/keys.tsx')).KeysPage),
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    icon: 'webhooks',
    show: lazyPage(async () => (await import('../webhooks/webhooks.tsx')).WebhooksPage),
  },
  {
    path: '/requests',
    title: 'Requests',
    icon: 'requests',
    show: lazyPage(async () => (await import('../requests/requests.tsx')).RequestsPage),
    group: 'Activity',
  },
  {
    path: '/jobs',
    title: 'Jobs',
    icon: 'jobs',
    show: lazyPage(async () => (await import('../jobs/jobs.tsx')).JobsPage),
  },
  {
    path: '/incidents',
    title: 'Incidents',
    icon: 'warning',
    show: lazyPage(async () => (await import('../incidents/incidents.tsx')).IncidentsPage),
  },
  {
    path: '/usage',
    title: 'Usage',
    icon: 'usage',
    show: lazyPage(async () => (await import('../usage/usage.tsx')).UsagePage),
  },
  {
    path: '/billing',
    title: 'Billing',
    icon: 'billing',
    show: lazyPage(async () => (await import('../billing/billing.tsx')).BillingPage),
  },
  {
    path: '/providers',
    title: 'Providers',
    icon: 'providers',
    show: lazyPage(async () => (await import('../providers/providers.tsx')).ProvidersPage),
    group: 'This gateway',
  },
  {
    path: '/scorecard',
    title: 'Scorecard',
    icon: 'scorecard',
    show: lazyPage(async () => (await import('../scorecard/scorecard.tsx')).ScorecardPage),
  },
  {
    path: '/people',
    title: 'People and accounts',
    icon: 'people',
    show: lazyPage(async () => (await import('../people/people.tsx')).PeoplePage),
    operator: true,
  },
  {
    path: '/audit',
    title: 'Audit log',
    icon: 'audit',
    show: lazyPage(async () => (await import('../audit-log/audit-log.tsx')).AuditPage),
  },
  {
    path: '/settings',
    title: 'Settings',
    icon: 'settings',
    show: lazyPage(async () => (await import('../settings/settings.tsx')).SettingsPage),
    operator: true,
  },
  {
    path: '/profile',
    title: 'Profile',
    show: lazyPage(async () => (await import('../profile/profile.tsx')).ProfilePage),
    unlisted: true,
  },
];

/** The pages that this person may open. */
export function usePages(): readonly PageEntry[] {
  const operator = useIsOperator();
  const mayChange = useMayChange();
  return pages.filter(
    (page) => (operator || page.operator !== true) && (mayChange || page.spends !== true),
  );
}

/** Begins to load the page at this address while the session is still being read. */
export function preloadPage(path: string): void {
  // A failure is shown when the page is rendered.
  pages
    .find((page) => page.path === path)
    ?.show.preload()
    .catch(() => undefined);
}

export function PageAt({ path }: { path: string }) {
  const page = pages.find((entry) => entry.path === path);
  const operator = useIsOperator();
  const mayChange = useMayChange();
  const title = page?.title ?? 'Not found';
  const { sandbox } = useSession().view;
  useEffect(() => {
    document.title = `${sandbox ? 'Test: ' : ''}${title} · Trivium`;
  }, [title, sandbox]);
  if (!page) {
    return (
      <Empty title="Page not found" action={<Link to="/">Go to the overview</Link>}>
        The URL may be mistyped, or the page may have moved.
      </Empty>
    );
  }
  if (page.operator && !operator) {
    return (
      <Empty title="For operators" action={<Link to="/">Go to the overview</Link>}>
        Only operators of this gateway can open this page.
      </Empty>
    );
  }
  if (page.spends && !mayChange) {
    return (
      <Empty title="For members" action={<Link to="/">Go to the overview</Link>}>
        You can view this account. Requests are paid from its balance, so only members can send
        them.
      </Empty>
    );
  }
  const Show = page.show;
  return (
    <Boundary key={path}>
      <Suspense fallback={<Skeleton />}>
        <Show />
      </Suspense>
    </Boundary>
  );
}
