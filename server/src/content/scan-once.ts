// Keeps what was found in a text with the cached answers of its account, so that a cached page is
// scanned once. A new version of the gateway scans it again.
import { version } from '@trivium/contract';
import { sha256Hex } from '../platform/ids.ts';
import type { Threads } from '../platform/thread.ts';
import { isScannedText, notChecked, type ScannedText } from './core/scan-texts.ts';

/** Returns the stored text of this key, or makes and stores it. */
export type KeepText = (
  key: string,
  /** Throws if the text is not one of this version. */
  read: (text: string) => unknown,
  make: () => Promise<string | undefined>,
) => Promise<string | undefined>;

interface ScanTask {
  texts: readonly string[];
  isCleaned: boolean;
}

/** Nothing if the texts were not scanned. */
export async function scanOnce(
  { texts, isCleaned }: ScanTask,
  scan: () => ReturnType<Threads<unknown, ScannedText[]>['ask']>,
  keep: KeepText | undefined,
): Promise<ScannedText[]> {
  if (!keep) {
    const answer = await scan();
    return 'value' in answer ? answer.value : [];
  }
  const make = async () => {
    const answer = await scan();
    if ('value' in answer) return JSON.stringify(answer.value);
    // A text that has ended a thread does not end another one.
    const isBusy = answer.notDone === 'busy';
    return isBusy ? undefined : JSON.stringify(texts.map(() => notChecked));
  };
  const lengths = texts.map(({ length }) => length);
  const key = sha256Hex([version, isCleaned, ...lengths, ...texts].join('\n'));
  // A store that fails costs another scan.
  const text = await keep(key, readScanned, make).catch(make);
  return text === undefined ? [] : readScanned(text);
}

function readScanned(text: string): ScannedText[] {
  const scanned: unknown = JSON.parse(text);
  if (Array.isArray(scanned) && scanned.every(isScannedText)) return scanned;
  throw new Error('what was found in the texts is missing or of another type');
}
