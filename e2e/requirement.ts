// A requirement: one sentence of the specification, and the part that has yet to prove it.

/** The parts of the project that prove requirements. */
export type Part =
  | 'foundation'
  | 'search'
  | 'fusion'
  | 'extract'
  | 'money'
  | 'transcription'
  | 'dashboard'
  | 'clients'
  | 'production';

export type Requirement = {
  /** Stable, kebab-case, dotted by chapter: tests cite it. */
  id: string;
  says: string;
  /** The part that will prove it; without it a test must already do so. */
  pending?: Part;
};
