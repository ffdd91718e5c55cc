// A transcript with the time of each turn, in step with the player: the current word is marked, and
// choosing a word plays it.
import { memo, useCallback, useRef, useState } from 'react';
import type { Transcript, Word } from '@trivium/contract';
import { clockTime, count } from '../format.ts';
import { Button, Empty } from '../components/basics.tsx';
import { saveFile } from '../api/save-file.ts';
import { Player, useMediaUrl } from './player.tsx';
import type { Source } from './player.tsx';
import { filesOf } from './transcript-files.ts';
import { usePlayedWord } from './use-played-word.ts';
import { WordList } from './word-list.tsx';
import type { WordRange } from './word-list.tsx';

interface TranscriptProps {
  transcript: Transcript;
  /** Where the recording is; undefined when the page does not know it. */
  source?: Source;
  /** Whether there is a recording that this person may not play. */
  withheld?: boolean;
}

/** Memoised, because the form beside a transcript renders often. */
export const TranscriptView = memo(function TranscriptView(props: TranscriptProps) {
  const { transcript } = props;
  if (transcript.text === '') {
    return <Empty title="No speech">The provider found no words in this recording.</Empty>;
  }
  return <SpokenText {...props} />;
});

const wordsAtOnce = 1500;
const noWords: readonly Word[] = [];

function SpokenText({ transcript, source, withheld }: TranscriptProps) {
  const media = useRef<HTMLVideoElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [own, setOwn] = useState<File>();
  const [chosen, setChosen] = useState<Word>();
  const [range, setRange] = useState<WordRange>({ from: 0, to: wordsAtOnce });
  const { text, words = noWords, language, duration_seconds } = transcript;
  const src = useMediaUrl(own ?? source);
  const mark = usePlayedWord({
    ...{ words, media, src, list, range },
    show: (at) => setRange(rangeAround(at)),
  });
  const choose = useCallback(
    (at: number) => {
      const word = words[at];
      if (!word) return;
      setChosen(word);
      mark(at);
      if (media.current) playFrom(media.current, word.start);
    },
    [mark, words],
  );
  return (
    <div className="stack tight">
      <p className="small soft">
        {language === undefined ? '' : `Language ${language}. `}
        {duration_seconds === undefined ? '' : `${clockTime(duration_seconds)} long. `}
        {chosen
          ? `“${chosen.text}” from ${clockTime(chosen.start)}`
          : `Choose a word to ${src === undefined ? 'see its time' : 'hear it'}.`}
        {chosen?.confidence === undefined ? '' : `, confidence ${chosen.confidence.toFixed(2)}`}
      </p>
      <Downloads transcript={transcript} />
      <Player
        source={own ?? source}
        withheld={withheld === true}
        src={src}
        media={media}
        onChoose={setOwn}
      />
      {words.length === 0 ? (
        <p>{text}</p>
      ) : (
        <>
          {range.from === 0 ? null : (
            <Button
              kind="plain"
              onPress={() => setRange({ ...range, from: Math.max(0, range.from - wordsAtOnce) })}
            >
              Show earlier words
            </Button>
          )}
          <WordList words={words} range={range} list={list} onChoose={choose} />
          {words.length > range.to ? (
            <Button onPress={() => setRange({ ...range, to: range.to + wordsAtOnce })}>
              Show more of {count(words.length)} words
            </Button>
          ) : null}
        </>
      )}
    </div>
  );
}

/** Playback moves through a long transcript page by page. */
export function rangeAround(at: number): WordRange {
  const from = at - (at % wordsAtOnce);
  return { from, to: from + wordsAtOnce };
}

function playFrom(media: HTMLMediaElement, seconds: number): void {
  media.currentTime = seconds;
  // The player itself reports errors.
  media.play().catch(() => undefined);
}

function Downloads({ transcript }: { transcript: Transcript }) {
  return (
    <div className="row" role="group" aria-label="Download the transcript">
      {filesOf(transcript).map(({ title, name, type, text }) => (
        <Button key={name} kind="plain" onPress={() => saveFile(text(), name, type)}>
          {title}
        </Button>
      ))}
    </div>
  );
}
