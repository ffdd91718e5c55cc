// The command line of the SDK's package: only the client, without the programs of a gateway.
import { runInProcess } from './process.ts';

await runInProcess(undefined);
