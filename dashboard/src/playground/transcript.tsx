// A transcript with the time of each turn; a click on a word seeks to it in the recording.
import { Fragment, useRef, useState } from 'react';
import type { Transcript, Word } from '@trivium/contract';
import { clockTime, count } from '../format.ts';
import { Button, Empty } from '../components/basics.tsx';
import { saveFile } from '../api/save-file.ts';
import { filesOf, nameOf, numberOf, turnsOf } from './transcript-files.ts';

const voices = 4;
/** Long recordings have more words than a page can render at once. */
const wordsAtOnce = 1500;

export function TranscriptView({
  transcript,
  audio_url,
}: {
  transcript: Transcript;
  audio_url: string;
}) {
  const audio = useRef<HTMLAudioElement>(null);
  const [chosen, setChosen] = useState<Word>();
  const [shown, setShown] = useState(wordsAtOnce);
  const { text, words = [], language, duration_seconds } = transcript;
  const jump = (word: Word) => {
    setChosen(word);
    if (audio.current) audio.current.currentTime = word.start;
  };
  if (text === '') return <Empty title="Silence">There are no words in this recording.</Empty>;
  return (
    <div className="stack tight">
      <p className="small soft">
        {language === undefined ? '' : `Language ${language}. `}
        {duration_seconds === undefined ? '' : `${clockTime(duration_seconds)} long. `}
        {chosen
          ? `“${chosen.text}” from ${clockTime(chosen.start)}`
          : 'Choose a word to play from there.'}
        {chosen?.confidence === undefined ? '' : `, confidence ${chosen.confidence.toFixed(2)}`}
      </p>
      <Downloads transcript={transcript} />
      {audio_url === '' ? null : (
        <audio ref={audio} controls preload="none" src={audio_url} aria-label="The recording" />
      )}
      {words.length === 0 ? (
        <p>{text}</p>
      ) : (
        <div className="words" role="region" aria-label="Transcript" tabIndex={0}>
          {turnsOf(words.slice(0, shown)).map(({ speaker, words: said }) => (
            <p key={said[0]?.start} className="speaker">
              <span className="turn-head">
                {speaker === undefined ? null : (
                  <span className={`speaker-name ${voiceOf(speaker)}`}>{nameOf(speaker)}</span>
                )}
                <span className="turn-time">{timeOf(said)}</span>
              </span>
              {said.map((word) => (
                <Fragment key={`${word.start} ${word.text}`}>
                  <button
                    type="button"
                    className="word"
                    aria-pressed={word === chosen}
                    title={clockTime(word.start)}
                    onClick={() => jump(word)}
                  >
                    {word.text}
                  </button>{' '}
                </Fragment>
              ))}
            </p>
          ))}
          {words.length > shown ? (
            <Button onPress={() => setShown(shown + wordsAtOnce)}>
              Show more of {count(words.length)} words
            </Button>
          ) : null}
        </div>
      )}
    </div>
  );
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

function timeOf(said: readonly Word[]): string {
  const [from, to] = [said[0]?.start ?? 0, said.at(-1)?.end ?? 0];
  return `${clockTime(from)} – ${clockTime(to)}`;
}

function voiceOf(speaker: string): string {
  return `voice-${numberOf(speaker) % voices}`;
}
