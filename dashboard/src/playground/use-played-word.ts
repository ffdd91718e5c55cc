// Marks the word that is being played. The mark is moved directly in the DOM, because rendering
// every word several times a second is too slow.
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react';
import type { RefObject } from 'react';
import type { Word } from '@trivium/contract';
import { makeWordFinder } from './word-finder.ts';

interface PlayedWordOptions {
  words: readonly Word[];
  media: RefObject<HTMLMediaElement | null>;
  /** Changes with the player. */
  src: string | undefined;
  list: RefObject<HTMLElement | null>;
  /** Changes with the rendered words. */
  range: unknown;
  /** Renders the words around this one. */
  show: (at: number) => void;
}

/** Returns a function that marks a word. */
export function usePlayedWord(options: PlayedWordOptions): (at: number) => void {
  const { words, media, src, list, range, show } = options;
  const find = useMemo(() => makeWordFinder(words), [words]);
  const marked = useRef(-1);
  const mark = (at: number) => {
    marked.current = at;
    const box = list.current;
    if (!box) return;
    const before = box.querySelector('[aria-current]');
    const isFollowed = before === null || isInView(before, box);
    before?.removeAttribute('aria-current');
    if (at < 0) return;
    const word = wordIn(box, at);
    if (!word) {
      show(at);
      return;
    }
    word.setAttribute('aria-current', 'true');
    moveTabStop(box, word);
    if (isFollowed && !isInView(word, box)) box.scrollTop = word.offsetTop - box.clientHeight / 3;
  };
  const latest = useRef(mark);
  const markNow = useEffectEvent(mark);
  useLayoutEffect(() => {
    latest.current = mark;
  });
  useLayoutEffect(() => markNow(marked.current), [range]);
  useEffect(() => {
    const player = media.current;
    if (!player) return undefined;
    let frame = 0;
    const look = () => {
      const at = find(player.currentTime);
      if (at !== marked.current) markNow(at);
    };
    const follow = () => {
      cancelAnimationFrame(frame);
      look();
      if (!player.paused) frame = requestAnimationFrame(follow);
    };
    const listening = new AbortController();
    for (const name of ['play', 'seeked', 'timeupdate']) {
      player.addEventListener(name, follow, { signal: listening.signal });
    }
    return () => {
      listening.abort();
      cancelAnimationFrame(frame);
    };
  }, [find, media, src]);
  // The same function on every render, because a new one would render the whole list of words
  // again.
  return useCallback((at) => latest.current(at), []);
}

export function wordIn(list: HTMLElement, at: number): HTMLElement | null {
  return list.querySelector<HTMLElement>(`[data-at="${at}"]`);
}

/** The Tab key reaches one word; the arrow keys lead to the others. */
export function moveTabStop(list: HTMLElement, word: HTMLElement): void {
  for (const one of list.querySelectorAll<HTMLElement>('[data-at][tabindex="0"]')) {
    one.tabIndex = -1;
  }
  word.tabIndex = 0;
}

/** The list does not scroll back if the person has scrolled away. */
function isInView(word: Element, box: HTMLElement): boolean {
  const [one, all] = [word.getBoundingClientRect(), box.getBoundingClientRect()];
  return one.top >= all.top && one.bottom <= all.bottom;
}
