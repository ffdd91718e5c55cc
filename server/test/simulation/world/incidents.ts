// What went wrong in a run, and when. The checker excuses only what an incident touched, and a kind of
// fault counts as tested only if it happened.
import type { FaultKind } from './plan.ts';

export interface Incident {
  kind: FaultKind;
  from: number;
  to: number;
  /** The fault point. */
  point?: string;
}

export interface Incidents {
  all: readonly Incident[];
  /** It happens now, and may last. */
  add: (kind: FaultKind, details?: { lastsMs?: number; point?: string }) => void;
  /** It lasts until the returned function is called. */
  begin: (kind: FaultKind) => () => void;
}

export function makeIncidents(
  now: () => number,
  happened: (kind: FaultKind, point?: string) => void = () => undefined,
): Incidents {
  const all: Incident[] = [];
  return {
    all,
    add: (kind, { lastsMs = 0, ...details } = {}) => {
      all.push({ kind, from: now(), to: now() + lastsMs, ...details });
      happened(kind, details.point);
    },
    begin: (kind) => {
      const incident: Incident = { kind, from: now(), to: Infinity };
      all.push(incident);
      happened(kind);
      return () => {
        incident.to = now();
      };
    },
  };
}

/** Whether one of these kinds happened in this time. */
export function isTouched(
  { incidents }: { incidents: readonly Incident[] },
  kinds: readonly FaultKind[],
  from: number,
  to: number,
): boolean {
  return incidents.some(
    (incident) => kinds.includes(incident.kind) && incident.from <= to && incident.to >= from,
  );
}
