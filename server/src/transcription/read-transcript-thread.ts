// The thread that reads long answers: it asks for the text in pieces, and hands the transcript over
// in parts.
import { answerTasks } from '../platform/thread.ts';
import {
  type FromThread,
  type ProviderReport,
  type ReadingTask,
  readReport,
} from './read-transcript.ts';

answerTasks<ReadingTask, ProviderReport, FromThread, string | undefined>(async (task, ask) => {
  const report = await readFrom(task, () => ask(null));
  if (report.kind !== 'done') return report;
  const { parts } = report.written;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) await ask(part);
  // Otherwise the garbage collector of an idle thread would keep the text in memory.
  Bun.gc(true);
  return report;
});

async function readFrom(
  task: ReadingTask,
  nextPiece: () => Promise<string | undefined>,
): Promise<ProviderReport> {
  const texts: string[] = [];
  for (let piece = await nextPiece(); piece !== undefined; piece = await nextPiece()) {
    texts.push(piece);
  }
  return readReport({ ...task, texts });
}
