// Our metrics of ranked lists are those of ir_measures, which computes them with trec_eval, on the
// same files. Reported as left out without Python.
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureRanking } from '@trivium/shared/ranking-metrics';
import { runCommand } from '../../scripts/command.ts';
import { testWhere } from '../leave-out.ts';
import { keepCompiled, preparePython } from '../python/environment.ts';
import { makeRandom } from '../random.ts';

const program = `
import json, sys
import ir_measures
from ir_measures import nDCG, R, RR
qrels = list(ir_measures.read_trec_qrels(sys.argv[1]))
run = list(ir_measures.read_trec_run(sys.argv[2]))
found = [[str(m.measure), m.query_id, m.value]
         for m in ir_measures.iter_calc([nDCG@10, R@10, RR@10], qrels, run)]
means = {str(k): v for k, v in ir_measures.calc_aggregate([nDCG@10, R@10, RR@10], qrels, run).items()}
print(json.dumps({"found": found, "means": means}))
`;
const limitMs = 120_000;

const requirements = join(import.meta.dir, '../python/ir-measures.txt');
const python = await preparePython({ requirements });

if ('missing' in python) {
  testWhere(python.missing)('the metrics of ranked lists are those of ir_measures', () => {});
} else {
  const { program: interpreter } = python;
  test('the metrics of ranked lists are those of ir_measures to six decimals', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trivium-metrics-'));
    try {
      const { qrels, run, ours } = drawFiles();
      const paths = [join(folder, 'qrels.txt'), join(folder, 'run.txt')] as const;
      writeFileSync(paths[0], qrels);
      writeFileSync(paths[1], run);
      const args = [...keepCompiled, '-c', program, ...paths];
      const { code, output } = await runCommand(interpreter, args, { capture: true, limitMs });
      expect([code, output]).toEqual([0, expect.stringContaining('"found"')]);
      const { found, means } = JSON.parse(output) as Theirs;
      expect(found).toHaveLength(ours.length * 3);
      for (const [measure, query, value] of found) {
        const own = ours.find(({ id }) => id === query)?.metrics[nameOf(measure)];
        expect([measure, query, own?.toFixed(6)]).toEqual([measure, query, value.toFixed(6)]);
      }
      for (const [measure, value] of Object.entries(means)) {
        const own = ours.reduce((sum, { metrics }) => sum + metrics[nameOf(measure)], 0);
        expect((own / ours.length).toFixed(6)).toBe(value.toFixed(6));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

interface Theirs {
  found: [measure: string, query: string, value: number][];
  means: Record<string, number>;
}

function nameOf(measure: string): 'ndcg' | 'recall' | 'reciprocalRank' {
  if (measure.startsWith('nDCG')) return 'ndcg';
  return measure.startsWith('RR') ? 'reciprocalRank' : 'recall';
}

/** Graded judgements, lists of any length, and queries that find nothing relevant. */
function drawFiles() {
  const { below: draw } = makeRandom(11);
  const random = () => draw(1_000_000) / 1_000_000;
  const qrels: string[] = [];
  const run: string[] = [];
  const ours = Array.from({ length: 60 }, (_, at) => {
    const id = `q${at}`;
    const grades = new Map([['relevant', 1 + draw(3)]]);
    for (let page = 0; page < 30; page += 1) {
      if (random() < 0.5) grades.set(`d${page}`, draw(5) - 1);
    }
    const pages = Array.from({ length: 40 }, (_, page) => ({ page: `d${page}`, key: random() }))
      .toSorted((one, other) => one.key - other.key)
      .map(({ page }) => page)
      .slice(0, 1 + draw(25));
    if (random() < 0.3) pages.splice(draw(pages.length), 0, 'relevant');
    for (const [page, grade] of grades) qrels.push(`${id} 0 ${page} ${grade}`);
    pages.forEach((page, rank) => run.push(`${id} Q0 ${page} ${rank + 1} ${100 - rank} test`));
    return { id, metrics: measureRanking(pages, grades) };
  });
  return { qrels: `${qrels.join('\n')}\n`, run: `${run.join('\n')}\n`, ours };
}
