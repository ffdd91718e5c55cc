// Transcribes a folder of recordings: node archive.mjs recordings [archive] For each recording it
// writes the text, subtitles and metadata. The id of a job is stored before the wait, so that a
// second run continues and nothing is charged twice.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createClient, JobFailedError, NotFoundError, toSrt } from '@trivium/sdk';

const [recordings = 'recordings', archive = 'archive'] = process.argv.slice(2);
const atOnce = 3;
const kinds = ['.mp3', '.m4a', '.mp4', '.ogg', '.opus', '.wav', '.webm', '.flac'];
const trivium = createClient({ tags: { program: 'transcription-archive' } });

await mkdir(archive, { recursive: true });
const waiting = (await readdir(recordings)).filter((name) => kinds.includes(extname(name))).sort();
let failed = 0;
await Promise.all(Array.from({ length: atOnce }, work));
process.exitCode = failed === 0 ? 0 : 1;

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    try {
      await transcribe(name);
    } catch (error) {
      failed += 1;
      console.error(`${name}: ${error.message}`);
    }
  }
}

async function transcribe(name) {
  const target = join(archive, basename(name, extname(name)));
  const kept = await readJson(`${target}.json`);
  if (kept?.status === 'completed') return console.log(`${name}: already there`);
  const { id, result } = await finish(name, target, kept?.id);
  await write(`${target}.txt`, `${result.text}\n`);
  await write(`${target}.srt`, toSrt(result.words ?? []));
  const { language, duration_seconds, provider, model, usage } = result;
  const facts = { id, status: 'completed', language, duration_seconds, provider, model, usage };
  // Written last, because it marks the other files as complete.
  await write(`${target}.json`, `${JSON.stringify(facts, undefined, 2)}\n`);
  console.log(`${name}: ${duration_seconds} s by ${provider}, ${usage?.cost_usd} USD`);
}

async function finish(name, target, earlier) {
  if (earlier !== undefined) {
    try {
      return await trivium.jobs.wait(earlier);
    } catch (error) {
      // It failed, or it ended more than a week ago: this recording is submitted again.
      if (!(error instanceof JobFailedError) && !(error instanceof NotFoundError)) throw error;
    }
  }
  const { id } = await trivium.transcribe({ file: join(recordings, name), diarize: true });
  await write(`${target}.json`, `${JSON.stringify({ id, status: 'queued' })}\n`);
  return trivium.jobs.wait(id);
}

async function readJson(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file completely or not at all. */
async function write(path, text) {
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}
