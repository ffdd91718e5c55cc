// What a requirement is: one sentence of the specification, and who still owes its proof.

/** The parts of the project in which proofs are owed. */
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
