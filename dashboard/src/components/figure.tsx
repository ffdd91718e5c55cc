// A figure of a page, with what is said about it below.
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
