// How much of a cap is used, as a bar.

/** As in the events and the alerts: 80% is near the cap, and at 100% requests are refused. */
const nearShare = 0.8;

/** The used share of a cap; 0 without one. */
export function shareOfCap(used: number, cap: number | null): number {
  return cap === null ? 0 : cap === 0 ? 1 : used / cap;
}

/** Nothing without a cap. */
export function CapMeter({ of, used, cap }: { of: string; used: number; cap: number | null }) {
  if (cap === null) return null;
  const share = shareOfCap(used, cap);
  return (
    <meter
      className={share >= 1 ? 'full' : share >= nearShare ? 'near' : undefined}
      min={0}
      max={1}
      value={Math.min(1, share)}
      aria-label={`${of}: ${Math.floor(100 * share)}% of the cap is used`}
    />
  );
}
