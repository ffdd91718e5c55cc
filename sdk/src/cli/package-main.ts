// The command line of the SDK's package: the client alone, without the programs of a gateway.
import { runInProcess } from './process.ts';

await runInProcess(undefined);
