// How a figure has changed since the previous range.
import { Icon } from './icon.tsx';

interface ChangeProps {
  now: number;
  before: number;
  /** What it is compared with. */
  than: string;
  /** Set where one direction is worse than the other. */
  worse?: 'up';
}

export function Change({ now, before, than, worse }: ChangeProps) {
  if (before === 0) return <span title={`None in ${than}`}>{now === 0 ? '' : 'new'}</span>;
  const change = Math.round((100 * (now - before)) / before);
  if (change === 0) return <span title={`Same as in ${than}`}>unchanged</span>;
  const up = change > 0;
  const tone = worse === undefined ? '' : up ? 'worse' : 'better';
  return (
    <span className={`change ${tone}`} title={`Compared with ${than}`}>
      <Icon name={up ? 'up' : 'down'} />
      {shown(Math.abs(change))}
      <span className="hidden-text">
        {up ? 'more' : 'less'} than in {than}
      </span>
    </span>
  );
}

/** A huge percentage is not meaningful, so it is capped. */
function shown(percent: number): string {
  return percent > mostPercent ? `over ${mostPercent}%` : `${percent}%`;
}

const mostPercent = 999;
