// A figure on a page, with an explanation below it.
import type { ReactNode } from 'react';

interface FigureProps {
  name: string;
  value: ReactNode;
  children?: ReactNode;
}

export function Figure({ name, value, children }: FigureProps) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd>
        {value}
        {children === null ? null : <div className="under">{children}</div>}
      </dd>
    </div>
  );
}
