// Measures choice by evidence on judged public collections: `npm run bench -- choice --collection
// DIR …` writes bench/choice.json and the tables of docs/choosing.md.
import { parseArgs } from 'node:util';
import { choosingPage, writeResults } from './choice/report.ts';
import { studyCollection } from './choice/study.ts';
import { loadCollection } from './consensus/collection.ts';

const options = { collection: { type: 'string', multiple: true } } as const;
const folders = parseArgs({ options }).values.collection ?? [];
if (folders.length === 0) {
  process.stderr.write('Usage: npm run bench -- choice --collection DIR [--collection DIR]...\n');
  process.exitCode = 2;
} else {
  const collections = folders.map((folder) => {
    const studied = studyCollection(loadCollection(folder));
    process.stderr.write(`${studied.name}: done\n`);
    return studied;
  });
  writeResults({ date: new Date().toISOString().slice(0, 10), collections });
  process.stdout.write(/^## Measured offline\n.*?(?=^## )/ms.exec(choosingPage())?.[0] ?? '');
}
