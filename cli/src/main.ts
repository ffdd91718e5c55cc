// The command line in a clone, with the programs of its gateway.
import { programsOfClone } from './clone.ts';
import { runInProcess } from './process.ts';

await runInProcess(programsOfClone());
