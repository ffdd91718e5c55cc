// What a list says about a recording: a name, and a text to search in, without signatures.
import { expect, test } from 'bun:test';
import { recordingName, searchedText } from './recording.ts';

const upload = (name?: string) => ({
  audio_url: 'https://gateway.example/files/upl_1.2.3',
  upload: name === undefined ? {} : { name },
});
const at = (audio_url: string) => ({ audio_url });

test.each([
  [upload('Talk 1.WAV'), 'Talk 1.WAV', 'talk 1.wav'],
  [upload('ÉTÉ.mp3'), 'ÉTÉ.mp3', 'été.mp3'],
  [upload(), null, null],
  [
    at('https://a.example/2026/Caf%C3%A9.mp3?X-Amz-Signature=s3cret'),
    'Café.mp3',
    'a.example/2026/café.mp3',
  ],
  [at('https://a.example/x%00%0a.wav'), 'x.wav', 'a.example/x.wav'],
  [at('https://a.example/%E0%A4%A.wav'), '%E0%A4%A.wav', 'a.example/%e0%a4%a.wav'],
  [at('https://a.example/folder%2Fname.wav'), 'name.wav', 'a.example/folder/name.wav'],
  [at('https://a.example/'), null, 'a.example/'],
  [at('https://a.example/folder/?t=1'), null, 'a.example/folder/'],
])('%j is shown as %j and found in %j', (recording, name, text) => {
  expect([recordingName(recording), searchedText(recording)]).toEqual([name, text]);
});
