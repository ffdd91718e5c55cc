// What a judged collection consists of: documents, questions, and which answer which.

export interface Document {
  id: string;
  title: string;
  text: string;
}

export interface Question {
  id: string;
  text: string;
  /** Positive grades by document id; a document that is not named is not relevant. */
  grades: Map<string, number>;
}

export interface Collection {
  name: string;
  documents: Document[];
  /** Only those with at least one relevant document. */
  questions: Question[];
  /** What could not be used, in sentences for the reader of the study. */
  remarks: string[];
}

/** One line of a judgement file. */
export interface Judgement {
  question: string;
  document: string;
  grade: number;
}

/** What a parser made of a file, and the numbers of the lines it could not read. */
export interface Parsed<Entry> {
  entries: Entry[];
  oddLines: number[];
}
