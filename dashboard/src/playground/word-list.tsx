// The words of a transcript in turns. One listener serves all of them.
import { memo, useId } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import type { Word } from '@trivium/contract';
import { clockTime } from '../format.ts';
import { nameOf, numberOf, turnsOf } from './transcript-files.ts';
import { moveTabStop, wordIn } from './use-played-word.ts';

/** The words that are rendered: a long recording has more than a page can hold. */
export interface WordRange {
  from: number;
  to: number;
}

interface WordListProps {
  words: readonly Word[];
  range: WordRange;
  list: RefObject<HTMLDivElement | null>;
  /** Must stay the same function, because a new one renders every word again. */
  onChoose: (at: number) => void;
}

const voices = 4;

export const WordList = memo(function WordList({ words, range, list, onChoose }: WordListProps) {
  const { from, to } = range;
  const helpId = useId();
  let at = from;
  return (
    <div
      ref={list}
      className="words"
      role="group"
      aria-label="Transcript"
      // Screen readers read it on request, not each time words are added.
      aria-live="off"
      aria-describedby={helpId}
      onClick={({ target }) => {
        const chosen = placeOf(target);
        if (chosen !== undefined) onChoose(chosen);
      }}
      onKeyDown={(event) => moveByKey(event, range)}
    >
      <span id={helpId} className="hidden-text">
        The arrow keys move from word to word.
      </span>
      {turnsOf(words.slice(from, to)).map(({ speaker, words: said }) => (
        <p key={at} className="speaker">
          <span className="turn-head">
            {speaker === undefined ? null : (
              <span className={`speaker-name ${voiceOf(speaker)}`}>{nameOf(speaker)}</span>
            )}
            <span className="turn-time">{timeOf(said)}</span>
          </span>
          {said.flatMap(({ text, start }) => {
            const place = at++;
            return [
              <button
                key={place}
                type="button"
                className="word"
                data-at={place}
                tabIndex={place === from ? 0 : -1}
                title={clockTime(start)}
              >
                {text}
              </button>,
              ' ',
            ];
          })}
        </p>
      ))}
    </div>
  );
});

function placeOf(target: EventTarget): number | undefined {
  const word = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null;
  return word ? Number(word.dataset['at']) : undefined;
}

function moveByKey(event: KeyboardEvent<HTMLElement>, { from, to }: WordRange): void {
  const at = placeOf(event.target);
  if (at === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: from,
    End: to - 1,
  };
  const place = places[event.key];
  const word = place === undefined ? null : wordIn(event.currentTarget, place);
  if (!word) return;
  event.preventDefault();
  moveTabStop(event.currentTarget, word);
  word.focus();
}

function timeOf(said: readonly Word[]): string {
  const [from, to] = [said[0]?.start ?? 0, said.at(-1)?.end ?? 0];
  return `${clockTime(from)} – ${clockTime(to)}`;
}

function voiceOf(speaker: string): string {
  return `voice-${numberOf(speaker) % voices}`;
}
